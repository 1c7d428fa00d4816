//! Who may speak to agents, and who may silence that.

use super::command::{Command, Give, Mute, MuteSpan, Observed, Unmute};
use super::event::{Event, Given, Muted, Unmuted};
use super::state::State;
use annals_kernel::actor::Standing;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::{AgentId, SessionId};
use annals_kernel::refusal::refusal;

refusal! {
    /// Why nothing is told, or nothing is silenced.
    pub enum Refusal {
        /// What an agent is told comes from the rules, not from another agent.
        NotSystem = "voice.not_system" { actor: AgentId },
        /// The person decides what agents hear.
        NotUser = "voice.not_user" { actor: AgentId },
        /// There is nothing to tell.
        Nothing = "voice.nothing" { session: SessionId },
        /// A person wants silence.
        Silent = "voice.silent" { session: SessionId },
        /// Nothing is silenced.
        NotMuted = "voice.not_muted" { session: SessionId },
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, _: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    let event = match command {
        Command::Give(give) => given(state, give, moment),
        Command::Mute(mute) => require_user(moment).map(|()| muted(mute)),
        Command::Unmute(unmute) => require_user(moment).and_then(|()| unmuted(state, unmute)),
    };
    event.map(Outcome::of).into()
}

fn require_user(moment: &Moment<'_>) -> Result<(), Refusal> {
    let is_user = moment.standing == Standing::User;
    is_user.then_some(()).ok_or_else(|| Refusal::NotUser { actor: moment.actor.clone() })
}

fn given(state: &State, give: &Give, moment: &Moment<'_>) -> Result<Event, Refusal> {
    let session = give.session.clone();
    if moment.standing != Standing::System {
        return Err(Refusal::NotSystem { actor: moment.actor.clone() });
    }
    if give.pieces.is_empty() {
        return Err(Refusal::Nothing { session });
    }
    // Whether a silence until the next prompt has ended, the caller has asked: the time of prompts is another room's.
    let is_mute = |silence: super::state::Silence| silence.span == MuteSpan::Session;
    if state.session(&session).and_then(|told| told.silence).is_some_and(is_mute) {
        return Err(Refusal::Silent { session });
    }
    let tokens = give.pieces.iter().fold(0_u32, |sum, piece| sum.saturating_add(piece.tokens));
    let (occasion, pieces, withheld) = (give.occasion, give.pieces.clone(), give.withheld);
    Ok(Given { session, occasion, pieces, tokens, withheld }.into())
}

fn muted(mute: &Mute) -> Event {
    Muted { session: mute.session.clone(), span: mute.span.unwrap_or(MuteSpan::Session) }.into()
}

fn unmuted(state: &State, unmute: &Unmute) -> Result<Event, Refusal> {
    let session = unmute.session.clone();
    match state.session(&session).and_then(|told| told.silence) {
        Some(_) => Ok(Unmuted { session }.into()),
        None => Err(Refusal::NotMuted { session }),
    }
}
