//! What came of what a person asked for: it was stopped or set right, or it was done and checked.

use std::collections::BTreeSet;

use super::super::check::{self, CheckOutcome};
use super::super::step::{Record, Step, Stop, What};
use super::super::text::{short, words as words_of};
use super::super::turn::{Turn, turns};
use super::SessionEnd;
use super::words::{self, Tags};
use annals_kernel::id::SessionId;
use annals_rules::domain::knowledge::learn::sets_right;
use annals_rules::domain::memory::command::{Experience, ExperienceRule};
use annals_rules::domain::memory::quantum::MacroState;

/// So many requests of a session teach.
const MOST_REQUESTS: usize = 8;
/// What a person said against it is told in so many characters.
const AGAINST_CHARS: usize = 240;

pub(super) fn find(record: &Record, end: SessionEnd) -> Vec<Experience> {
    let (turns, session) = (turns(&record.steps), SessionId::from(&*record.session));
    let mut found = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let next = turns.get(at + 1);
        // Whether it was what a person wanted, the next prompt says, or the end of the session.
        if turn.is_withdrawn || next.is_none() && end == SessionEnd::Open {
            continue;
        }
        found.extend(corrected(&session, turn, next).or_else(|| fulfilled(&session, turn)));
        if found.len() == MOST_REQUESTS {
            break;
        }
    }
    found
}

/// The agent was stopped, or the next prompt sets it right.
fn corrected(session: &SessionId, turn: &Turn<'_>, next: Option<&Turn<'_>>) -> Option<Experience> {
    let (asked, request) = (turn.asked?, words::request(turn.prompt()?)?);
    let against = next.and_then(|next| Some((next.asked?, next.prompt()?)));
    let says = against.filter(|(_, prompt)| sets_right(prompt));
    let stop = turn.steps.iter().find(|step| matches!(step.what, What::Stopped(Stop::Interrupted)));
    // A bare stop says only that something was not wanted; what, the same request in other words shows.
    let again =
        || against.filter(|(_, prompt)| stop.is_some() && is_reworded(turn.prompt().unwrap_or_default(), prompt));
    let (step, prompt) = says.or_else(again)?;
    let said = short(words::request(prompt)?.as_str(), AGAINST_CHARS);
    let Tags { space, entity } = Tags::of_request(&request);
    let what = if stop.is_some() { "the person stopped it and said" } else { "the person then said" };
    Some(Experience {
        session: session.clone(),
        rule: ExperienceRule::Corrected,
        cause: step.id,
        space,
        entity,
        content: format!("Asked: \"{request}\"; {what}: \"{said}\"").into(),
        state: MacroState::ChangeApproach,
        sources: vec![asked.id, step.id],
    })
}

/// Whether one request is the other in other words: half of its words, and not all.
fn is_reworded(one: &str, other: &str) -> bool {
    let set = |text: &str| words_of(text).collect::<BTreeSet<_>>();
    let (one, other) = (set(one), set(other));
    let (both, least) = (one.intersection(&other).count(), one.len().min(other.len()));
    one != other && both >= 3 && both * 2 >= least
}

/// Code was changed, and a check that ran after the last change passed.
fn fulfilled(session: &SessionId, turn: &Turn<'_>) -> Option<Experience> {
    let (asked, request) = (turn.asked?, words::request(turn.prompt()?)?);
    let is_edit = |step: &Step| step.call().is_some_and(|call| call.is_ok() && call.changed().next().is_some());
    let last_edit = turn.steps.iter().rposition(is_edit)?;
    let is_trouble = turn.calls().any(|(_, call)| call.is_trouble());
    let passes = |step: &&Step| step.call().is_some_and(|call| check::outcome(call) == Some(CheckOutcome::Passed));
    let passed = turn.steps[last_edit + 1..].iter().rfind(passes)?;
    let mut files: Vec<&str> = Vec::new();
    turn.calls().flat_map(|(_, call)| call.changed()).for_each(|file| {
        if !files.contains(&file) {
            files.push(file);
        }
    });
    let Tags { space, entity } = Tags::of_request(&request);
    let check = words::what(passed.call()?);
    Some(Experience {
        session: session.clone(),
        rule: ExperienceRule::Fulfilled,
        cause: passed.id,
        space,
        entity,
        content: format!("Asked: \"{request}\"; done by changing {}; `{check}` passed", words::named(&files)).into(),
        state: if is_trouble { MacroState::Accept } else { MacroState::Success },
        sources: vec![asked.id, turn.steps[last_edit].id, passed.id],
    })
}
