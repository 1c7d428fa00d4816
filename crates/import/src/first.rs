//! First reports: what hooks have recorded of a session, and what a transcript has to add to it.
//!
//! A completion is an entry of its own that names the entry it completes; nothing that was recorded is said again. Does
//! not read files and does not write; `known` and `run` do.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Deserialize;

use annals_kernel::entry::{HistoryEntry, Metadata, OperationType, Provenance};
use annals_kernel::envelope::Envelope;
use annals_kernel::id::EntryId;
use annals_kernel::joined::{OUTCOME_UNKNOWN, fate, report};
use annals_kernel::json::{Json, Members};
use annals_kernel::record::Event;
use annals_kernel::report::{Fate, Report, ReportKey, Side, Subject};

use super::entries::Fields;

/// What a hook recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HookRecords {
    id: EntryId,
    fate: Option<Fate>,
    /// Whether the hook could not tell how it ended.
    is_guess: bool,
    knows: BTreeSet<Fact>,
}

/// What a hook may not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    Model,
    Duration,
    ParentCall,
    AgentType,
}

/// What hooks have recorded of one session, and no transcript has completed.
#[derive(Debug, Default)]
pub(super) struct Reported {
    calls: BTreeMap<ReportKey, HookRecords>,
    next: BTreeMap<ReportKey, VecDeque<HookRecords>>,
    /// Transcripts' reports of what has no id.
    told: Vec<ReportKey>,
    completed: BTreeSet<EntryId>,
    /// Ends of what went on in the background, by their records.
    ends: BTreeSet<Box<str>>,
}

impl Reported {
    /// Takes in an entry of the session.
    pub(super) fn see(&mut self, entry: &Envelope<'_>) {
        let Some(Report { side, subject }) = Report::of(entry) else { return };
        if entry.record() == Event::BackgroundEnd.into() {
            self.ends.extend(entry.source().map(|source| source.record));
            return;
        }
        match (side, subject) {
            (_, Subject::Completion { of, .. }) => drop(self.completed.insert(of)),
            (Side::Hook, Subject::Call { key, fate }) => {
                drop(self.calls.insert(key, HookRecords::of(entry, Some(fate))));
            }
            (Side::Hook, Subject::Next { key, fate }) => {
                self.next.entry(key).or_default().push_back(HookRecords::of(entry, fate));
            }
            (Side::Transcript, Subject::Call { .. }) => {}
            (Side::Transcript, Subject::Next { key, .. }) => self.told.push(key),
        }
    }

    /// The same without what a transcript has told of already: it is not to be taken for what comes now.
    pub(super) fn settled(mut self) -> Self {
        for list in self.next.values_mut() {
            list.retain(|first| !self.completed.contains(&first.id));
        }
        for key in std::mem::take(&mut self.told) {
            self.next.get_mut(&key).and_then(VecDeque::pop_front);
        }
        self
    }

    /// Whether an entry tells of an end that is told already, under the same name.
    pub(super) fn has_end(&self, entry: &HistoryEntry) -> bool {
        let source = entry.annals.source.as_ref().filter(|_| entry.record() == Event::BackgroundEnd.into());
        source.is_some_and(|source| self.ends.contains(&source.record))
    }

    /// Whether hooks have recorded anything.
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.next.values().all(VecDeque::is_empty)
    }

    /// What a hook recorded of what an entry says.
    pub(super) fn take(&mut self, entry: &HistoryEntry) -> Option<HookRecords> {
        match report(entry)?.subject {
            Subject::Call { key, .. } => self.calls.get(&key).cloned(),
            Subject::Next { key, .. } => self.next.get_mut(&key).and_then(VecDeque::pop_front),
            Subject::Completion { .. } => None,
        }
    }
}

impl HookRecords {
    fn of(entry: &Envelope<'_>, fate: Option<Fate>) -> Self {
        #[derive(Default, Deserialize)]
        struct Start {
            parent_call: Option<serde::de::IgnoredAny>,
            agent_type: Option<serde::de::IgnoredAny>,
        }

        let start: Start = Some(entry)
            .filter(|entry| entry.record() == Event::SessionStart.into())
            .and_then(Envelope::input)
            .unwrap_or_default();
        let knows = [
            (Fact::Model, entry.model().is_some()),
            (Fact::Duration, entry.duration_ms().is_some()),
            (Fact::ParentCall, start.parent_call.is_some()),
            (Fact::AgentType, start.agent_type.is_some()),
        ];
        let knows = knows.into_iter().filter_map(|(fact, is_known)| is_known.then_some(fact)).collect();
        let is_guess = entry.tags().iter().any(|tag| tag == OUTCOME_UNKNOWN);
        Self { id: entry.id(), fate, is_guess, knows }
    }

    /// What a transcript's entry adds; nothing where it says what is known. What has no id of its own is named in any
    /// case: a fork repeats it by the name that it has in the transcript.
    pub(super) fn completed_by(&self, entry: HistoryEntry) -> Option<HistoryEntry> {
        let verdict = self.verdict(&entry);
        let fields = self.added(&entry, verdict);
        let adds_model = entry.provenance.model_id.is_some() && !self.knows.contains(&Fact::Model);
        let adds_duration = entry.operation.duration_ms.is_some() && !self.knows.contains(&Fact::Duration);
        let is_call = self.fate.is_some();
        let adds = !fields.is_empty() || entry.annals.usage.is_some() || is_call && (adds_model || adds_duration);
        (adds || !is_call).then(|| self.completion(entry, verdict, &fields))
    }

    /// How a call ended, where the hook did not know it, or knew otherwise.
    fn verdict(&self, entry: &HistoryEntry) -> Option<Fate> {
        let (known, told) = (self.fate?, fate(entry));
        // A transcript tells a search that found nothing as failed; the hook saw which it was, and that is no news.
        let is_same = known == told || (known, told) == (Fate::FoundNothing, Fate::Failed);
        (self.is_guess || !is_same).then_some(told)
    }

    /// Facts that are not fields of every entry.
    fn added(&self, entry: &HistoryEntry, verdict: Option<Fate>) -> Fields {
        let input: Members = entry.operation.input.read().unwrap_or_default();
        let name = Json::of(&entry.operation.name);
        let start = |key: &str, fact: Fact| {
            let is_asked = entry.record() == Event::SessionStart.into() && !self.knows.contains(&fact);
            is_asked.then(|| input.get(key).cloned()).flatten()
        };
        let refused = verdict.filter(|verdict| *verdict == Fate::Refused);
        let tool = if refused.is_some() { input.get("tool") } else { Some(&name) };
        Fields::new()
            .some("verdict", verdict.as_ref())
            .some("tool", tool.filter(|_| verdict.is_some()))
            .some("refusal", refused.map(|_| &name))
            .some("reason", refused.and_then(|_| input.get("reason")))
            .some("parent_call", start("parent_call", Fact::ParentCall).as_ref())
            .some("agent_type", start("agent_type", Fact::AgentType).as_ref())
    }

    fn completion(&self, mut entry: HistoryEntry, verdict: Option<Fate>, fields: &Fields) -> HistoryEntry {
        let operation = &mut entry.operation;
        if verdict.is_none_or(|verdict| verdict == Fate::Refused) {
            (operation.success, operation.error) = (true, None);
        }
        // What came out is known to the hook that saw it.
        let saw_its_end = !matches!(self.fate, Some(Fate::Interrupted | Fate::Refused));
        operation.output = operation.output.take().filter(|_| verdict.is_some() && !saw_its_end);
        operation.duration_ms = operation.duration_ms.filter(|_| !self.knows.contains(&Fact::Duration));
        operation.kind = OperationType::SystemEvent;
        operation.name = Event::Completion.name().into();
        operation.input = Fields::new().with("of", &self.id).and(fields).json();
        entry.metadata = Metadata { tags: entry.metadata.tags, ..Metadata::default() };
        entry.provenance = Provenance { parent_entry_id: Some(self.id), ..entry.provenance };
        entry
    }
}
