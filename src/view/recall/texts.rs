//! What can be recalled, as texts with a weight: read from the rooms, the latest of each.
//!
//! Does not rank.

use super::{RecallKind, RecallMoment, Recalled};
use crate::domain::Rooms;
use crate::domain::dialectic::DebatedTask;
use crate::domain::hivemind::row::EntryStatus;
use crate::domain::knowledge::row::Review;
use crate::domain::knowledge::{KnowledgeDecay, KnowledgeStatus};
use crate::domain::memory::quantum::{MacroState, PyramidLevel};
use crate::domain::memory::state::Megram;
use crate::kernel::fade;
use crate::kernel::fingerprint;
use crate::kernel::id::EntryId;
use crate::kernel::time::Timestamp;
use crate::view::voice::Quoted;

/// So many rows of a table are looked at: the latest. A question reads them all.
const LOOKED_AT: usize = 4000;
/// What has faded to nothing still answers, if nothing else does.
const LEAST_STRENGTH: f64 = 0.6;
/// What nobody has reviewed counts less.
const NOT_REVIEWED: f64 = 0.85;
/// What everybody agreed on counts more.
const AGREED: f64 = 1.25;

/// A text that may be recalled.
pub(super) struct RecallText {
    /// As it is handed out, but for its score.
    pub(super) recalled: Recalled,
    /// How much it weighs.
    pub(super) weight: f64,
    /// The fingerprint of the error that it tells of.
    pub(super) error: Option<Box<str>>,
}

/// All texts there are.
pub(super) fn all(rooms: &Rooms, moment: RecallMoment<'_>) -> Vec<RecallText> {
    let mut all = megrams(rooms, moment);
    all.extend(knowledge(rooms, moment));
    all.extend(candidates(rooms));
    all.extend(canon(rooms));
    all.extend(beliefs(rooms, moment));
    all.extend(failures(rooms));
    all
}

fn text(kind: RecallKind, id: &str, said: &str, about: &str, at: Timestamp, weight: f64) -> RecallText {
    let recalled = Recalled { kind, id: id.into(), text: said.into(), about: about.into(), score: 0, at, quoted: None };
    RecallText { recalled, weight, error: None }
}

/// Half of what it weighs comes from what is left of it: an old lesson that fits is better than a new one that does not.
fn fading(strength: f64) -> f64 {
    LEAST_STRENGTH + (1.0 - LEAST_STRENGTH) * strength.clamp(0.0, 1.0)
}

fn megrams(rooms: &Rooms, moment: RecallMoment<'_>) -> Vec<RecallText> {
    let ids: Vec<_> = rooms.memory.megrams.first_by_rank(LOOKED_AT).into_iter().map(|(id, _)| id.clone()).collect();
    ids.iter().filter_map(|id| rooms.memory.megram(id)).map(|megram| of_megram(&megram, moment)).collect()
}

fn of_megram(megram: &Megram, moment: RecallMoment<'_>) -> RecallText {
    let is_common = megram.level == PyramidLevel::CommonSense;
    let kind = if is_common { RecallKind::CommonSense } else { RecallKind::Experience };
    let since = megram.last_recalled_at.unwrap_or(megram.created_at).max(megram.created_at);
    let days = fade::days_between(since, moment.at);
    // A slip is told, behind what is more.
    let told = if megram.state == Some(MacroState::Refine) { 0.7 } else { 1.0 };
    let left = fade::exponential(megram.quantum.k.number(), days);
    let agreed = if is_common { AGREED } else { 1.0 };
    let about = format!("{} {}", megram.space, megram.entity);
    let mut found = text(kind, &megram.id, &megram.content, &about, megram.created_at, agreed * told * fading(left));
    found.error = error_in(&megram.content);
    found
}

/// What failed says how: "`command` failed 3 times: error. …".
fn error_in(content: &str) -> Option<Box<str>> {
    let (_, rest) = content.split_once("failed ")?;
    let (_, error) = rest.split_once(": ")?;
    let error = error.split(". ").next().unwrap_or(error);
    Some(fingerprint::of(error)).filter(|error| !error.is_empty())
}

fn knowledge(rooms: &Rooms, moment: RecallMoment<'_>) -> Vec<RecallText> {
    let decay = KnowledgeDecay::of(moment.settings);
    let rows = rooms.knowledge.entries.first_by_rank(LOOKED_AT).into_iter();
    let holds = rows.filter(|(_, entry)| {
        matches!(decay.status(entry, moment.at), KnowledgeStatus::Active | KnowledgeStatus::Decaying)
    });
    let found = holds.filter_map(|(id, entry)| {
        let entry_id: EntryId = id.parse().ok()?;
        let weight = AGREED * fading(decay.strength(entry, moment.at));
        let about = format!("{} {}", entry.said.kind, entry.said.entities.join(" "));
        let mut found = text(RecallKind::Knowledge, id, &entry.said.content, &about, entry_id.time(), weight);
        found.recalled.quoted = Some(Quoted { entry: entry_id, words: vec![entry.said.content.clone()] });
        Some(found)
    });
    found.collect()
}

fn candidates(rooms: &Rooms) -> Vec<RecallText> {
    let rows = rooms.knowledge.candidates.first_by_rank(LOOKED_AT).into_iter();
    let waiting = rows.filter(|(_, candidate)| candidate.review == Review::Waiting);
    let found = waiting.map(|(id, candidate)| {
        let said = &candidate.said;
        let at = said.source.entries.first().map_or(Timestamp::from_millis(0), |entry| entry.time());
        let mut found = text(RecallKind::Candidate, id, &said.content, said.kind.as_str(), at, NOT_REVIEWED);
        let entry = said.source.entries.first();
        found.recalled.quoted = entry.map(|entry| Quoted { entry: *entry, words: vec![said.content.clone()] });
        found
    });
    found.collect()
}

fn canon(rooms: &Rooms) -> Vec<RecallText> {
    let rows = rooms.canon.entries.first_by_rank(LOOKED_AT).into_iter();
    let current = rows.flat_map(|(id, entry)| entry.current().map(move |version| (id, version)));
    let found = current.map(|(id, version)| {
        let said = format!("{}: {}", version.title, version.text);
        let mut found = text(RecallKind::Canon, id, &said, &version.title, version.entry.time(), AGREED);
        found.recalled.quoted =
            Some(Quoted { entry: version.entry, words: vec![version.title.clone(), version.text.clone()] });
        found
    });
    found.collect()
}

fn beliefs(rooms: &Rooms, moment: RecallMoment<'_>) -> Vec<RecallText> {
    let rows = rooms.hivemind.entries.first_by_rank(LOOKED_AT).into_iter();
    let kept = rows.filter(|(_, entry)| entry.removed.is_none() && entry.past.is_empty() && entry.rivals.is_empty());
    let found = kept.filter_map(|(key, entry)| {
        let status = entry.status_at(moment.at, moment.settings);
        let weight = match status {
            EntryStatus::Golden => AGREED,
            EntryStatus::Active | EntryStatus::Decaying => fading(entry.strength_at(moment.at)),
            EntryStatus::Contested | EntryStatus::Expired => return None,
        };
        let entry_id: EntryId = entry.id.parse().ok()?;
        let mut found = text(RecallKind::Belief, key, &entry.value, key, entry_id.time(), weight);
        found.recalled.quoted = Some(Quoted { entry: entry_id, words: vec![(**key).into(), entry.value.clone()] });
        Some(found)
    });
    found.collect()
}

/// Tasks whose errors nothing has put right: what was tried, and what it said.
fn failures(rooms: &Rooms) -> Vec<RecallText> {
    let rows = rooms.dialectic.tasks.first_by_rank(LOOKED_AT).into_iter();
    let failing = rows.filter(|(_, task)| task.same_as.is_none());
    failing.filter_map(|(id, task)| of_task(id, task)).collect()
}

fn of_task(id: &str, task: &DebatedTask) -> Option<RecallText> {
    let run = task.runs.iter().filter(|run| run.count >= 2).max_by_key(|run| (run.count, run.entry))?;
    let said = format!("{} failed {} times: {} (task: {})", run.approach, run.count, run.error, task.summary);
    let mut found = text(RecallKind::Failure, id, &said, &task.summary, run.at, 0.8);
    found.error = Some(run.fingerprint.clone());
    Some(found)
}
