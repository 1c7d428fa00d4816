//! The dreamer (artoo R5, decision 31): what has faded is forgotten, common sense that experience speaks against loses
//! its trust, and much experience of one kind becomes common sense.
//!
//! A dream looks at a bounded part; what is left waits for the next one. Calls no model: a text is handed in, or made of
//! what the megrams say.

use super::command::{Distilled, Observed};
use super::decide::{CONTENT_CHARS, MOST_COMMON};
use super::event::{Demoted, Event, Forgotten, Lesson, LessonSource, Pair, Promoted, Reviewed};
use super::potential::Potentials;
use super::quantum::{
    DEMOTED_DECAY, FORGET_AFTER, FORGET_BELOW, PROMOTE_ATTENTION, PROMOTE_DECISION, REVIEW_HOURS, Sigma,
};
use super::row::{Head, MegramTrace};
use super::state::State;
use annals_kernel::decision::Moment;
use annals_kernel::id::IssueId;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// So many rows of traces are looked at for what can be forgotten.
const ROWS_AT_ONCE: usize = 32;
/// So many megrams are forgotten in one decision.
const MOST_FORGOTTEN: usize = 64;
/// So many pairs are looked at.
// So that a dream costs the same however much there is to dream of.
const PAIRS_AT_ONCE: usize = 16;
/// And no more of them than have so many rows of traces together; one pair at least.
const ROWS_OF_PAIRS: usize = 64;
/// So many contents are told in a plain text.
const CONTENTS_TOLD: usize = 3;

/// What is left to dream of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Pairs that wait to be looked at.
    pub pairs: u64,
    /// Whether something can be forgotten now.
    pub is_any_faded: bool,
}

/// What a dream comes to.
pub(super) fn dream(state: &State, observed: &Observed, moment: &Moment<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    let faded = faded(state, moment.at, moment.settings);
    if !faded.is_empty() {
        events.push(Forgotten { megrams: faded }.into());
    }
    let pairs = pairs(state, moment);
    let bankrupt: Vec<_> = pairs.iter().flat_map(|head| bankrupt(state, head, moment)).collect();
    if !bankrupt.is_empty() {
        events.push(Demoted { megrams: bankrupt.clone(), k: moment.settings.get(&DEMOTED_DECAY) }.into());
    }
    let lessons = pairs.iter().filter_map(|head| lesson(state, head, &bankrupt, observed, moment));
    let named = lessons.enumerate().map(|(count, promoted)| {
        let megram = IssueId::of(moment.id, count).as_str().into();
        Event::from(Promoted { megram, ..promoted })
    });
    events.extend(named);
    let reviewed: Vec<_> = pairs.iter().map(|head| pair(head)).collect();
    if !reviewed.is_empty() {
        events.push(Reviewed { pairs: reviewed }.into());
    }
    events
}

/// What is left to dream of at a time.
pub fn left(state: &State, now: Timestamp, settings: &Settings) -> Left {
    Left { pairs: state.totals.waiting, is_any_faded: !faded(state, now, settings).is_empty() }
}

fn pair(head: &Head) -> Pair {
    Pair { space: head.space.clone(), entity: head.entity.clone() }
}

/// Artoo R5, physical forgetting; decision 31: not before it is old enough.
fn faded(state: &State, now: Timestamp, settings: &Settings) -> Vec<Box<str>> {
    const MINUTE_MS: u64 = 60_000;
    let floor = settings.get(&FORGET_BELOW).number();
    let least_age = settings.get(&FORGET_AFTER).saturating_mul(MINUTE_MS);
    let has_faded = |trace: &&MegramTrace| {
        // What is timeless never fades, and is never forgotten (decision 36).
        trace.k > Share::NONE && now.since(trace.created) > least_age && trace.attention_at(now) < floor
    };
    let rows = state.traces.first_by_rank(ROWS_AT_ONCE).into_iter();
    let traces = rows.flat_map(|(_, row)| &row.traces).filter(has_faded);
    traces.take(MOST_FORGOTTEN).map(|trace| trace.megram.clone()).collect()
}

/// The pairs that this dream looks at.
fn pairs<'s>(state: &'s State, moment: &Moment<'_>) -> Vec<&'s Head> {
    const HOUR_MS: u64 = 3_600_000;
    let every = moment.settings.get(&REVIEW_HOURS).saturating_mul(HOUR_MS);
    let is_old = |head: &Head| {
        let last = head.reviewed_at.unwrap_or(head.changed_at);
        !head.common.is_empty() && moment.at.since(last) > every
    };
    let mut budget = ROWS_OF_PAIRS;
    let first = state.pairs.first_by_rank(PAIRS_AT_ONCE).into_iter().map(|(_, head)| head);
    let due = first.filter(|head| head.waits_since.is_some() || is_old(head));
    let fits = |head: &&Head| {
        let is_first = budget == ROWS_OF_PAIRS;
        let left = budget.checked_sub(head.rows.len().max(1));
        budget = left.unwrap_or(0);
        is_first || left.is_some()
    };
    due.take_while(fits).collect()
}

/// Artoo R5, trust bankruptcy: experience as a whole says the contrary. A constraint is refuted by what is for it.
fn bankrupt(state: &State, head: &Head, moment: &Moment<'_>) -> Vec<Box<str>> {
    if head.common.is_empty() {
        return Vec::new();
    }
    let decision = Potentials::of(state.traces(head), moment.at).decision;
    let is_refuted = |sigma: Sigma| if sigma.in_thousandths() < 0 { decision > 0.0 } else { decision < 0.0 };
    head.common.iter().filter(|(_, sigma)| is_refuted(**sigma)).map(|(id, _)| id.clone()).collect()
}

/// Artoo R5, consolidation: once while what came of it stands.
fn lesson(
    state: &State,
    head: &Head,
    bankrupt: &[Box<str>],
    observed: &Observed,
    moment: &Moment<'_>,
) -> Option<Promoted> {
    let Potentials { attention, decision } = Potentials::of(state.traces(head), moment.at);
    let least = moment.settings.get(&PROMOTE_DECISION);
    let is_enough = attention >= moment.settings.get(&PROMOTE_ATTENTION);
    let (lesson, sigma) = match () {
        () if is_enough && decision >= least => (Lesson::Practice, Sigma::FOR),
        () if is_enough && decision <= -least => (Lesson::Constraint, Sigma::AGAINST),
        () => return None,
    };
    let stands = head.common.iter().any(|(id, known)| known.agrees(sigma) && !bankrupt.contains(id));
    if stands || head.common.len() >= MOST_COMMON {
        return None;
    }
    let behind: Vec<_> = state.traces(head).filter(|trace| trace.sigma.agrees(sigma)).collect();
    let (content, source) = text(state, head, lesson, &behind, observed);
    let f = behind.iter().map(|trace| trace.f).max().unwrap_or_default();
    let rests_on = u64::try_from(behind.len()).unwrap_or(u64::MAX);
    let Pair { space, entity } = pair(head);
    Some(Promoted { megram: "".into(), lesson, space, entity, content, source, f, sigma, rests_on })
}

fn text(
    state: &State,
    head: &Head,
    lesson: Lesson,
    behind: &[&MegramTrace],
    observed: &Observed,
) -> (Box<str>, LessonSource) {
    let is_meant = |text: &&Distilled| text.space == head.space && text.entity == head.entity;
    let given = observed.texts.iter().find(is_meant).filter(|given| !given.text.trim().is_empty());
    if let Some(given) = given {
        return (given.text.chars().take(CONTENT_CHARS).collect::<String>().into(), LessonSource::Distilled);
    }
    (plain(state, head, lesson, behind).chars().take(CONTENT_CHARS).collect::<String>().into(), LessonSource::Plain)
}

/// What can be said without a model: how often, and what the latest of them say.
fn plain(state: &State, head: &Head, lesson: Lesson, behind: &[&MegramTrace]) -> String {
    let (advice, fared) = match lesson {
        Lesson::Practice => ("Prefer", "did well"),
        Lesson::Constraint => ("Do not use", "failed"),
    };
    let mut told: Vec<Box<str>> = Vec::new();
    let latest: Vec<_> =
        behind.iter().rev().take(CONTENTS_TOLD * 4).map(|trace| state.megrams.get(&trace.megram)).collect();
    for kept in latest.into_iter().flatten().filter_map(|fate| fate.kept()) {
        if told.len() < CONTENTS_TOLD && !told.contains(&kept.content) {
            told.push(kept.content.clone());
        }
    }
    let times = annals_kernel::counted::counted(u64::try_from(behind.len()).unwrap_or(u64::MAX), "time");
    format!("{advice} {} on {}: it {fared} {times}. Lately: {}", head.space, head.entity, told.join("; "))
}
