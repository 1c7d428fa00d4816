//! Entries of sessions in which each thing stands once: what a hook and a transcript both tell is one entry, with what
//! either knows, and what completes an entry stands in it.
//!
//! Pure, for whoever shows or judges entries. What a fold counts is `domain::session::joined`; both go by `report`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Deserialize;

use super::annals::Usage;
use super::call::was_stopped;
use super::entry::HistoryEntry;
use super::id::{EntryId, SessionId};
use super::json::{Json, Members};
use super::record::{Event, Input, Kind, Speech};
use super::report::{Fate, Report, ReportKey, ReportedEntry, Side, Subject, Witnessed};

/// Stands in `metadata.tags` of a call of which no hook said how it ended.
pub const OUTCOME_UNKNOWN: &str = "outcome-unknown";

/// Puts entries of one millisecond in the order of the records that they were made from: their ids are hashes.
pub fn in_reading_order(entries: &mut [HistoryEntry]) {
    let line = |entry: &HistoryEntry| entry.annals.source.as_ref().and_then(|source| source.line).unwrap_or(u64::MAX);
    for moment in entries.chunk_by_mut(|left, right| left.id.time() == right.id.time()) {
        moment.sort_by_key(line);
    }
}

/// Joins entries, which come in the order of the fold. An entry keeps the id and the time of its first report.
pub fn join(entries: Vec<HistoryEntry>) -> Vec<HistoryEntry> {
    let mut joiner = Joiner::default();
    for entry in entries {
        joiner.take(entry);
    }
    joiner.finish()
}

/// Puts what completions say into an entry.
#[must_use]
pub fn completed<'c>(entry: HistoryEntry, completions: impl IntoIterator<Item = &'c HistoryEntry>) -> HistoryEntry {
    completions.into_iter().fold(entry, complete)
}

/// Whether an entry only completes another one of its session, and which. One that was made from no record of another
/// tool says nothing of it.
pub fn completes(entry: &HistoryEntry) -> Option<EntryId> {
    match report(entry)?.subject {
        Subject::Completion { of, .. } if entry.record() == Event::Completion.into() => Some(of),
        Subject::Completion { .. } | Subject::Call { .. } | Subject::Next { .. } => None,
    }
}

/// What an entry reports.
pub fn report(entry: &HistoryEntry) -> Option<Report> {
    let (operation, source) = (&entry.operation, entry.annals.source.as_ref()?);
    let told = ReportedEntry { record: entry.record(), name: &operation.name, input: operation.input.text(), source };
    Report::of_told(&told, || fate(entry))
}

/// Whether an entry is a call that its hook gave no id.
pub fn is_nameless_call(entry: &HistoryEntry) -> bool {
    report(entry).is_some_and(|report| report.is_nameless_call())
}

/// Whether a session begins with an entry.
pub fn begins(entry: &HistoryEntry) -> bool {
    entry.record().begins_session()
}

/// What became of a call. That it found nothing is not told apart: it failed.
pub fn fate(entry: &HistoryEntry) -> Fate {
    let operation = &entry.operation;
    match entry.record() {
        Kind::Call | Kind::Event(Event::BackgroundEnd) if operation.success => Fate::Done,
        Kind::Call if was_stopped(operation.error.as_deref().unwrap_or_default()) => Fate::Interrupted,
        Kind::Call | Kind::Event(Event::BackgroundEnd) => Fate::Failed,
        Kind::Input(_) | Kind::Speech(_) | Kind::Event(_) | Kind::State | Kind::Other => Fate::Refused,
    }
}

#[derive(Default)]
struct Joiner {
    joined: Vec<HistoryEntry>,
    calls: BTreeMap<(SessionId, ReportKey), usize>,
    /// What one side has told of so far.
    open: BTreeMap<(SessionId, ReportKey, Side), VecDeque<usize>>,
    /// By what they complete, which is of their own session.
    completions: BTreeMap<(SessionId, EntryId), Vec<HistoryEntry>>,
    /// Ends of what went on in the background, by their calls.
    ends: BTreeMap<(SessionId, ReportKey), HistoryEntry>,
    /// The session above each.
    above: BTreeMap<SessionId, SessionId>,
}

impl Joiner {
    fn take(&mut self, entry: HistoryEntry) {
        if let Some(of) = completes(&entry) {
            self.completions.entry((entry.session_id.clone(), of)).or_default().push(entry);
            return;
        }
        if let Some(above) = above(&entry) {
            self.above.insert(entry.session_id.clone(), above);
        }
        let (session, place) = (entry.session_id.clone(), self.joined.len());
        let before = match report(&entry) {
            None => None,
            Some(Report { subject: Subject::Completion { key, .. }, .. }) => {
                if self.ends.contains_key(&(session.clone(), key)) {
                    return;
                }
                self.ends.insert((session, key), entry.clone());
                None
            }
            Some(Report { subject: Subject::Call { key, .. }, .. }) => {
                let first = *self.calls.entry((session, key)).or_insert(place);
                (first != place).then_some(first)
            }
            Some(Report { side, subject: Subject::Next { key, fate } }) => {
                // Hooks that give calls no id may tell of a sub-agent's as of the main one's.
                let told_in = self.above.get(&session).filter(|_| fate.is_some()).cloned();
                self.told_by_the_other(told_in.unwrap_or(session), key, side)
            }
        };
        match before {
            Some(first) => self.joined[first] = both(self.joined[first].clone(), entry),
            None => self.joined.push(entry),
        }
    }

    /// What the other side has told first; else it is this one's to be told first.
    fn told_by_the_other(&mut self, session: SessionId, key: ReportKey, side: Side) -> Option<usize> {
        let other = match side {
            Side::Hook => Side::Transcript,
            Side::Transcript => Side::Hook,
        };
        let waiting = self.open.get_mut(&(session.clone(), key, other)).and_then(VecDeque::pop_front);
        if waiting.is_none() {
            self.open.entry((session, key, side)).or_default().push_back(self.joined.len());
        }
        waiting
    }

    fn finish(self) -> Vec<HistoryEntry> {
        let Self { joined, completions, ends, calls, .. } = self;
        let whole = |entry: HistoryEntry| match completions.get(&(entry.session_id.clone(), entry.id)) {
            Some(more) => completed(entry, more),
            None => entry,
        };
        let mut joined: Vec<_> = joined.into_iter().map(whole).collect();
        for (call, over) in &ends {
            if let Some(place) = calls.get(call) {
                ended(&mut joined[*place], over);
            }
        }
        let told: BTreeSet<_> =
            joined.iter().filter(|entry| is_message(entry)).map(|entry| entry.session_id.clone()).collect();
        joined.retain(|entry| entry.record() != Speech::Turn.into() || !told.contains(&entry.session_id));
        joined
    }
}

/// Whether a transcript has told a message.
fn is_message(entry: &HistoryEntry) -> bool {
    let is_transcripts = entry.annals.source.as_ref().is_some_and(|source| source.file.is_some());
    is_transcripts && entry.record() == Speech::Message.into()
}

/// What went on in the background has ended: so has its call.
fn ended(entry: &mut HistoryEntry, end: &HistoryEntry) {
    entry.operation.success = end.operation.success;
    entry.operation.error.clone_from(&end.operation.error);
}

/// The session above that of an entry, where the entry says so.
fn above(entry: &HistoryEntry) -> Option<SessionId> {
    #[derive(Deserialize)]
    struct Start {
        parent_session: Option<SessionId>,
    }

    let starts = entry.record() == Event::SessionStart.into();
    starts.then(|| entry.operation.input.read::<Start>().ok()).flatten()?.parent_session
}

/// Two reports of one thing: who knows its end better is believed, and each adds what the other one lacks.
fn both(first: HistoryEntry, second: HistoryEntry) -> HistoryEntry {
    let side = |entry: &HistoryEntry| report(entry).map_or(Side::Hook, |report| report.side);
    let [one, two] = [&first, &second].map(|entry| Witnessed { side: side(entry), fate: fate(entry) });
    let is_first = one.or_better(two) == one;
    let (id, timestamp) = (first.id, first.timestamp);
    let (better, other) = if is_first { (first, second) } else { (second, first) };
    let mut entry = HistoryEntry { id, timestamp, ..better };
    entry.annals.usage = sum(entry.annals.usage, other.annals.usage);
    fill(&mut entry, &other);
    entry.operation.duration_ms = entry.operation.duration_ms.or(other.operation.duration_ms);
    entry.operation.output = entry.operation.output.or(other.operation.output);
    entry.metadata.files_touched = entry.metadata.files_touched.or(other.metadata.files_touched);
    entry
}

fn sum(one: Option<Usage>, other: Option<Usage>) -> Option<Usage> {
    one.zip(other).map(|(one, other)| one + other).or(one).or(other)
}

fn fill(entry: &mut HistoryEntry, other: &HistoryEntry) {
    let (provenance, more) = (&mut entry.provenance, &other.provenance);
    provenance.model_id = provenance.model_id.take().or_else(|| more.model_id.clone());
    provenance.parent_message_id = provenance.parent_message_id.take().or_else(|| more.parent_message_id.clone());
}

/// What a completion says beside which entry it completes.
#[derive(Default, Deserialize)]
#[serde(default)]
struct More {
    verdict: Option<Fate>,
    tool: Option<Box<str>>,
    refusal: Option<Box<str>>,
    reason: Option<Json>,
    parent_call: Option<Json>,
    agent_type: Option<Json>,
}

fn complete(mut entry: HistoryEntry, completion: &HistoryEntry) -> HistoryEntry {
    let more: More = completion.operation.input.read().unwrap_or_default();
    entry.annals.usage = sum(entry.annals.usage, completion.annals.usage);
    entry.operation.duration_ms = entry.operation.duration_ms.or(completion.operation.duration_ms);
    fill(&mut entry, completion);
    for (key, value) in [("parent_call", &more.parent_call), ("agent_type", &more.agent_type)] {
        if let (Some(value), Ok(mut input)) = (value, entry.operation.input.read::<Members>()) {
            input.set(key, value.clone());
            entry.operation.input = Json::of(&input);
        }
    }
    if let Some(verdict) = more.verdict {
        end(&mut entry, completion, verdict, &more);
    }
    entry
}

fn end(entry: &mut HistoryEntry, completion: &HistoryEntry, verdict: Fate, more: &More) {
    entry.metadata.tags = entry.metadata.tags.take().map(|mut tags| {
        tags.retain(|tag| &**tag != OUTCOME_UNKNOWN);
        tags
    });
    entry.metadata.tags = entry.metadata.tags.take().filter(|tags| !tags.is_empty());
    let is_call = entry.record() == Kind::Call;
    let operation = &mut entry.operation;
    operation.success = matches!(verdict, Fate::Done | Fate::Refused);
    operation.error = completion.operation.error.clone().filter(|_| !operation.success);
    operation.output = completion.operation.output.clone().or_else(|| operation.output.take());
    let Some(name) = more.refusal.as_ref().filter(|_| verdict == Fate::Refused) else { return };
    if is_call {
        let tool = more.tool.clone().unwrap_or_else(|| operation.name.clone());
        let call = entry.annals.source.as_ref().map(|source| &source.record);
        operation.input = Json::of(&serde_json::json!({
            "tool": tool, "input": operation.input, "call": call, "reason": more.reason,
        }));
    }
    let is_person = **name == *Input::Rejection.name();
    let refused = if is_person { Kind::from(Input::Rejection) } else { Event::Denial.into() };
    (operation.kind, operation.name) = (refused.operation_type(), name.clone());
    if is_person {
        entry.provenance.agent_id = Some("user".into());
    }
}
