//! What waits for a review, and what becomes of it: nothing that was proposed counts before somebody accepts it.

use super::alike::{is_near, near};
use super::command::{Accept, Gather, Propose, Reject};
use super::decide::{Decided, add_in_place_of, is_a_text, may_review, said};
use super::event::{Accepted, Event, Proposed};
use super::index::Posting;
use super::refusal::Refusal;
use super::row::{Candidate, KnowledgeEntry, KnowledgeSource, KnowledgeText, Review};
use super::settings::{EXTRACT_CONFIDENCE, MIN_OCCURRENCES};
use super::state::State;
use super::text;
use annals_kernel::actor::Standing;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::EntryId;
use annals_kernel::share::Share;

/// So many candidates one consolidation proposes.
const MOST_PROPOSED: usize = 20;
/// So many findings one decision proposes.
pub const MOST_GATHERED: usize = 128;
/// So many groups of the same text are looked at.
const MOST_GROUPS: usize = 200;

/// The same text of the same type is one candidate, and so is a near copy; said once more, elsewhere, it is seen once more.
pub(super) fn proposed(state: &State, propose: &Propose, moment: &Moment<'_>) -> Decided {
    is_a_text(&propose.content, moment)?;
    let Propose { kind, content, entities, about, source, .. } = propose;
    let usual = || moment.settings.get(&EXTRACT_CONFIDENCE).get(kind).copied();
    let confidence = propose.confidence.or_else(usual).unwrap_or(Share::thousandths(500));
    let said = said(*kind, content, confidence, entities, about.as_deref(), source)?;
    let said = KnowledgeText { impact: propose.impact, ..said };
    let exact = text::key(kind.as_str(), content);
    let known = state.candidate(&exact).map(|known| (exact.clone(), known.clone()));
    let known = known.or_else(|| near(state, *kind, content));
    let candidate = known.as_ref().map_or(exact, |(id, _)| id.clone());
    if let Some((_, known)) = known {
        let is_news = |id: &EntryId| !known.said.source.entries.contains(id);
        let has_room = known.said.source.entries.len() < super::row::MOST_SOURCES;
        if known.review != Review::Waiting || !has_room || !said.source.entries.iter().any(is_news) {
            return Err(Refusal::Proposed { candidate, review: known.review });
        }
    }
    Ok(Outcome::of(Proposed { candidate, said, supersedes: Vec::new() }))
}

/// What the rules found in the record; what is no news is passed over. Near copies among them are one, too.
pub(super) fn gathered(state: &State, gather: &Gather, moment: &Moment<'_>) -> Decided {
    if moment.standing != Standing::System {
        return Err(Refusal::NotAReviewer { actor: moment.actor.clone(), what: "gather_knowledge" });
    }
    if gather.found.len() > MOST_GATHERED {
        return Err(Refusal::TooMuch { most: MOST_GATHERED });
    }
    let mut all: Vec<Proposed> = Vec::new();
    for propose in &gather.found {
        let Ok(Outcome { events, .. }) = proposed(state, propose, moment) else { continue };
        for event in events {
            let Event::Proposed(mut new) = event else { continue };
            if let Some(other) = all.iter().find(|other| is_near(&other.said, &new.said)) {
                new.candidate = other.candidate.clone();
            }
            let is_same = |other: &Proposed| other.candidate == new.candidate && other.said.source == new.said.source;
            if !all.iter().any(is_same) {
                all.push(new);
            }
        }
    }
    let events: Vec<Event> = all.into_iter().map(Event::from).collect();
    if events.is_empty() { Err(Refusal::NothingNew) } else { Ok(Outcome { events, refusal: None }) }
}

/// A candidate that nobody has reviewed.
fn waiting<'s>(state: &'s State, id: &str) -> Result<&'s Candidate, Refusal> {
    let candidate = state.candidate(id).ok_or_else(|| Refusal::UnknownCandidate { candidate: id.into() })?;
    match candidate.review {
        Review::Waiting => Ok(candidate),
        review @ (Review::Accepted | Review::Rejected) => Err(Refusal::Settled { candidate: id.into(), review }),
    }
}

pub(super) fn accepted(state: &State, accept: &Accept, moment: &Moment<'_>) -> Decided {
    may_review(moment, "accept_a_candidate")?;
    let candidate = waiting(state, &accept.candidate)?;
    let KnowledgeText { kind, content, entities, about, confidence, impact, source } = &candidate.said;
    let content = accept.content.as_ref().unwrap_or(content);
    is_a_text(content, moment)?;
    let (kind, confidence) = (accept.kind.unwrap_or(*kind), accept.confidence.unwrap_or(*confidence));
    let said = said(kind, content, confidence, entities, about.as_deref(), source)?;
    let said = KnowledgeText { impact: accept.impact.or(*impact), ..said };
    let is_kept = |id: &EntryId| state.entry(*id).is_some_and(|entry| entry.superseded_by.is_none());
    let old: Vec<EntryId> = candidate.supersedes.iter().copied().filter(is_kept).collect();
    let mut events: Vec<Event> = vec![Accepted { candidate: accept.candidate.clone(), entry: moment.id }.into()];
    events.extend(add_in_place_of(said, old, moment));
    Ok(Outcome { events, refusal: None })
}

pub(super) fn rejected(state: &State, reject: &Reject, moment: &Moment<'_>) -> Decided {
    may_review(moment, "reject_a_candidate")?;
    waiting(state, &reject.candidate)?;
    Ok(Outcome::of(reject.clone()))
}

/// Kept entries of the same type and text become one candidate, where there are enough of them and there is none yet.
pub(super) fn consolidated(state: &State, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    let least = moment.settings.get(&MIN_OCCURRENCES).max(2);
    let groups = state.texts.first_by_rank(MOST_GROUPS).into_iter();
    let groups = groups.filter(|(_, posting)| posting.ids.len() >= least);
    let candidates = groups.filter_map(|(key, posting)| consolidation(state, key, posting));
    let events = candidates.take(MOST_PROPOSED).map(Event::from).collect();
    Outcome { events, refusal: None }
}

/// One entry for many: the words of the surest, the latest of those; the confidence of all, by its own weight; the
/// greatest impact; the names and sources of all.
fn consolidation(state: &State, key: &str, posting: &Posting) -> Option<Proposed> {
    /// One decision ends no more entries than this.
    const MOST_JOINED: usize = 32;
    let known = state.candidate(key);
    let ids: Vec<EntryId> = posting.ids.iter().rev().take(MOST_JOINED).copied().collect();
    // What was rejected or waits is not proposed again, unless there are entries that it did not name.
    if known.is_some_and(|known| ids.iter().all(|id| known.supersedes.contains(id))) {
        return None;
    }
    let entries: Vec<&KnowledgeEntry> = ids.iter().filter_map(|id| state.entry(*id)).collect();
    // Of those that are as sure the last one is taken, and the latest stands first.
    let surest = entries.iter().rev().max_by_key(|entry| entry.said.confidence)?;
    let mut source = KnowledgeSource { rule: Some("consolidation".into()), ..KnowledgeSource::default() };
    for entry in &entries {
        source.add(&entry.said.source);
    }
    let names = entries.iter().flat_map(|entry| &entry.said.entities).map(|name| &**name);
    let said = KnowledgeText {
        confidence: weighed(entries.iter().map(|entry| entry.said.confidence)),
        impact: entries.iter().filter_map(|entry| entry.said.impact).max(),
        entities: super::entity::unlike(names),
        source,
        ..surest.said.clone()
    };
    Some(Proposed { candidate: key.into(), said, supersedes: ids })
}

/// The mean of confidences in which each counts as much as it is sure, to the nearest thousandth: what was only guessed
/// takes little from what is known.
fn weighed(confidences: impl Iterator<Item = Share>) -> Share {
    // The highest of all was taken once: three guesses and one certainty were certain.
    let (squares, sum) = confidences.fold((0_u64, 0_u64), |(squares, sum), share| {
        let share = u64::from(share.in_thousandths());
        (squares + share * share, sum + share)
    });
    let mean = (2 * squares + sum).checked_div(2 * sum).unwrap_or(0);
    Share::thousandths(u16::try_from(mean).unwrap_or(1000))
}
