//! What the moderator may do (control-room 9.3).

use super::ASSIST_SLICES;
use super::command::{Adjust, Assist, Command, Consolidate, FreezeTag, Observed, Remember};
use super::event::{
    Adjusted, Assisted, Escalated, Event, ProfileChanged, ReportCalled, TagFrozen, TagUnfrozen, Unassisted,
};
use super::state::{AssistTrigger, State};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::fold;
use annals_kernel::id::AgentId;
use annals_kernel::refusal::refusal;

/// So many issues become one at most: all of them are closed in one line.
const MOST_JOINED: usize = 20;
/// The longest title, in characters.
const TITLE_CHARS: usize = 200;

refusal! {
    /// Why nothing changes.
    pub enum Refusal {
        /// It is for those who watch over the swarm.
        NotPrivileged = "moderation.not_privileged" { actor: AgentId },
        /// Nobody judges itself.
        OwnFreedom = "moderation.own_freedom" { actor: AgentId },
        /// It is so already.
        NothingToChange = "moderation.nothing_to_change",
        /// A tag has letters.
        BadTag = "moderation.bad_tag",
        /// An empty text.
        NoText = "moderation.no_text",
        /// A title says what it is about.
        BadTitle = "moderation.bad_title" { most: usize },
        /// Joining takes several.
        NotSeveral = "moderation.not_several" { count: usize, most: usize },
        /// Portions are counted from 2.
        BadSlices = "moderation.bad_slices" { slices: u32 },
        /// Interest goes from 1 to 5.
        BadInterest = "moderation.bad_interest" { interest: u8 },
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, _: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    let is_assistant = moment.standing == Standing::Agent(Role::Assistant);
    let is_assistance = matches!(command, Command::Assist(_) | Command::Unassist(_));
    let may = moment.standing.is_privileged() || (is_assistant && is_assistance);
    if !may {
        return Outcome::refused(Refusal::NotPrivileged { actor: moment.actor.clone() });
    }
    let event = match command {
        Command::FreezeTag(freeze) => tag_frozen(state, freeze),
        Command::UnfreezeTag(unfreeze) => hashed(&unfreeze.tag).and_then(|tag| {
            let frozen = state.frozen_as(&tag);
            frozen.map_or(Err(Refusal::NothingToChange), |tag| Ok(TagUnfrozen { tag: tag.into() }.into()))
        }),
        Command::Adjust(adjust) => adjusted(state, adjust, moment),
        Command::Escalate(escalate) => is_a_text(&escalate.summary)
            .map(|()| Escalated { issue: escalate.issue.clone(), summary: escalate.summary.clone() }.into()),
        Command::Consolidate(consolidate) => consolidated(consolidate),
        Command::Assist(assist) => assisted(state, assist, moment),
        Command::Unassist(unassist) if state.assisted.contains_key(&unassist.agent) => {
            Ok(Unassisted { agent: unassist.agent.clone() }.into())
        }
        Command::Unassist(_) => Err(Refusal::NothingToChange),
        Command::Remember(remember) => remembered(state, remember),
        Command::Record(_) => Ok(ReportCalled {}.into()),
    };
    event.map(Outcome::of).into()
}

fn is_a_text(text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() { Err(Refusal::NoText) } else { Ok(()) }
}

/// A tag as it is kept: with `#`.
fn hashed(tag: &str) -> Result<Box<str>, Refusal> {
    let tag = fold::tag(tag);
    let is_a_word = tag.len() > 1 && !tag.contains(char::is_whitespace);
    if is_a_word { Ok(tag) } else { Err(Refusal::BadTag) }
}

fn tag_frozen(state: &State, freeze: &FreezeTag) -> Result<Event, Refusal> {
    let (tag, reason) = (hashed(&freeze.tag)?, freeze.reason.clone());
    is_a_text(&reason)?;
    let is_frozen = state.frozen_as(&tag).is_some();
    if is_frozen { Err(Refusal::NothingToChange) } else { Ok(TagFrozen { tag, reason }.into()) }
}

fn adjusted(state: &State, adjust: &Adjust, moment: &Moment<'_>) -> Result<Event, Refusal> {
    let (from, to) = (state.freedom_of(&adjust.agent), adjust.freedom);
    if adjust.agent == moment.actor {
        return Err(Refusal::OwnFreedom { actor: moment.actor.clone() });
    }
    if from == to {
        return Err(Refusal::NothingToChange);
    }
    Ok(Adjusted { agent: adjust.agent.clone(), from, to }.into())
}

fn consolidated(consolidate: &Consolidate) -> Result<Event, Refusal> {
    let Consolidate { issues, title, .. } = consolidate;
    let count = issues.len();
    if !(2..=MOST_JOINED).contains(&count) {
        return Err(Refusal::NotSeveral { count, most: MOST_JOINED });
    }
    let is_short = (1..=TITLE_CHARS).contains(&title.trim().chars().count());
    if !is_short || title.contains(['\n', '\r', '\0']) {
        return Err(Refusal::BadTitle { most: TITLE_CHARS });
    }
    Ok(consolidate.clone().into())
}

fn assisted(state: &State, assist: &Assist, moment: &Moment<'_>) -> Result<Event, Refusal> {
    is_a_text(&assist.reason)?;
    let slices = assist.slices.unwrap_or_else(|| moment.settings.get(&ASSIST_SLICES));
    if !(2..=100).contains(&slices) {
        return Err(Refusal::BadSlices { slices });
    }
    let (agent, reason) = (assist.agent.clone(), assist.reason.clone());
    let is_so = |before: &super::state::Assistance| before.slices == slices && before.reason == reason;
    if state.assisted.get(&agent).is_some_and(is_so) {
        return Err(Refusal::NothingToChange);
    }
    Ok(Assisted { agent, trigger: AssistTrigger::Asked, reason, stops: None, slices }.into())
}

fn remembered(state: &State, remember: &Remember) -> Result<Event, Refusal> {
    let (role, mut profile) = (remember.role.clone(), remember.profile.clone());
    if !(1..=5).contains(&profile.max_interest) {
        return Err(Refusal::BadInterest { interest: profile.max_interest });
    }
    profile.focus_tags = profile.focus_tags.iter().map(|tag| hashed(tag)).collect::<Result<_, _>>()?;
    if state.profile_of(&role) == profile {
        return Err(Refusal::NothingToChange);
    }
    Ok(ProfileChanged { role, profile }.into())
}
