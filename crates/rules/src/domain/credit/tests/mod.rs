//! Given / when / then for credits.

mod awards;
mod formula;
mod goals;
mod profiles;

use super::command::{Award, AwardSubject};
use super::event::{Awarded, Cited};
use super::formula::QuoteFinding;
use super::{Command, CreditReason, Event, Observed, Refusal, State, decide};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::credits::Credits;
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::grounding::{CitationOutcome as Came, Trigger};
use annals_kernel::id::{AgentId, EntryId, IssueId, SessionId};
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// What an actor of these tests may be taken for.
fn standing(actor: &str) -> Standing {
    match actor {
        "user" => Standing::User,
        "system" => Standing::System,
        "stranger" => Standing::Stranger,
        "mod" => Standing::Agent(Role::Moderator),
        "assistant" => Standing::Agent(Role::Assistant),
        other => Standing::Agent(Role::Other(other.into())),
    }
}

/// A swarm of `mod`, `assistant`, `writer` and `critic`.
fn swarm() -> State {
    let mut state = State::default();
    for agent in ["mod", "assistant", "writer", "critic"] {
        state.joined(&agent.into(), &"m".into());
    }
    state
}

fn issue() -> IssueId {
    IssueId::from("01K0000000000000000000000A")
}

fn moment<'s>(actor: &str, minute: u64, settings: &'s Settings) -> Moment<'s> {
    let at = Timestamp::from_millis(i64::try_from(minute).expect("small") * 60_000);
    Moment {
        id: EntryId::new(at, u128::from(minute)),
        at,
        actor: actor.into(),
        standing: standing(actor),
        session: SessionId::from("s"),
        settings,
    }
}

/// Decides, and takes in what was decided.
fn ask(state: &mut State, actor: &str, minute: u64, command: impl Into<Command>) -> Outcome<Event, Refusal> {
    let (settings, command, observed) = (Settings::default(), command.into(), Observed::default());
    let moment = moment(actor, minute, &settings);
    let outcome = decide(state, &command, &observed, &moment);
    for event in &outcome.events {
        let cause = Cause { asked: Some((&command, &observed)), id: moment.id, at: moment.at, actor: &moment.actor };
        state.evolve(event, &cause);
    }
    outcome
}

fn take(state: &mut State, minute: u64, event: impl Into<Event>) {
    let (settings, system) = (Settings::default(), AgentId::from("system"));
    let moment = moment("system", minute, &settings);
    let cause = Cause { asked: None, id: moment.id, at: moment.at, actor: &system };
    state.evolve(&event.into(), &cause);
}

fn award(agent: &str, reason: CreditReason) -> Award {
    Award { agent: agent.into(), reason, amount: None, about: AwardSubject::issue(&issue()), note: None }
}

fn awarded(agent: &str, amount: i64, reason: CreditReason, by: &str) -> Awarded {
    Awarded {
        agent: agent.into(),
        model: "m".into(),
        amount: Credits::thousandths(amount),
        reason,
        by: by.into(),
        weight: None,
        about: AwardSubject::issue(&issue()),
        citations: Vec::new(),
    }
}

fn cited(file: &str, finding: QuoteFinding, worth: i64) -> Cited {
    Cited {
        file: file.into(),
        sha256: None,
        finding,
        trigger: Trigger::SupportProposal,
        outcome: Came::NoActionYet,
        worth: Credits::whole(worth),
    }
}

/// So many verified citations of an agent, each of another file, and so many false ones.
fn citing(agent: &str, verified: usize, failed: usize) -> [Awarded; 2] {
    let files =
        |count: usize, finding, worth| (0..count).map(move |n| cited(&format!("f{n}"), finding, worth)).collect();
    [
        Awarded {
            citations: files(verified, QuoteFinding::Verified, 1),
            ..awarded(agent, 1000, CreditReason::EvidenceVerified, "system")
        },
        Awarded {
            citations: files(failed, QuoteFinding::Failed, -2),
            ..awarded(agent, -2000, CreditReason::EvidenceFailedVerification, "system")
        },
    ]
}
