//! A session as analysis reads it, and what an accepted trigger called for: the mode is run on what is recorded, and its
//! finding is a decision of the rules (AFS 5.3).
//!
//! Looks and says; what follows from a finding is a policy's. Never asked by the fold, nor by an import.

use std::collections::BTreeSet;

use super::query::Reader;
use super::query::expand::Expansion;
use super::query::filter::{Children, Filter};
use super::withheld::{Withheld, withhold_all};
use super::{Engine, EngineError};
use annals_analysis::step::Record;
use annals_analysis::{AnalysisMode, analyse};
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::joined::in_reading_order;
use annals_rules::domain::Command;
use annals_rules::domain::cognition;
use annals_rules::domain::cognition::command::Conclude;

/// No more sessions than this are read for one.
const MOST_SESSIONS: usize = 200;

/// How far a session was read with those below it.
#[derive(Debug, Default)]
struct RecordReading {
    seen: BTreeSet<SessionId>,
    /// What was left out, where it is read for a model.
    withheld: Option<Withheld>,
}

impl Reader<'_> {
    /// A session and those below it, with large values in place, up to an entry.
    pub fn record(&mut self, id: &SessionId, until: Option<EntryId>) -> Result<Record, EngineError> {
        self.record_below(id, until, &mut RecordReading::default())
    }

    /// The same as a model may see it, and how much of it is left out: step by step the same entries.
    pub fn record_told(&mut self, id: &SessionId, until: Option<EntryId>) -> Result<(Record, Withheld), EngineError> {
        let mut reading = RecordReading { withheld: Some(Withheld::default()), ..RecordReading::default() };
        let record = self.record_below(id, until, &mut reading)?;
        Ok((record, reading.withheld.unwrap_or_default()))
    }

    fn record_below(
        &mut self,
        id: &SessionId,
        until: Option<EntryId>,
        reading: &mut RecordReading,
    ) -> Result<Record, EngineError> {
        reading.seen.insert(id.clone());
        let filter = Filter { session: Some(id.clone()), children: Children::Begun, until, ..Filter::default() };
        let mut expansion = Expansion::default();
        let mut entries = self.joined(&filter)?;
        for entry in &mut entries {
            expansion.entry(self.engine(), entry);
        }
        if let Some(withheld) = &mut reading.withheld {
            *withheld += withhold_all(self.engine().sanitizer(), &mut entries);
        }
        in_reading_order(&mut entries);
        let others: Vec<_> =
            entries.iter().map(|entry| &entry.session_id).filter(|other| *other != id).cloned().collect();
        let mut children = Vec::new();
        for other in others {
            // In a merged log two sessions may say of each other that they began them.
            if reading.seen.len() < MOST_SESSIONS && !reading.seen.contains(&other) {
                children.push(self.record_below(&other, until, reading)?);
            }
        }
        Ok(Record::of(id.as_str(), &entries, children))
    }
}

impl Engine {
    /// What the analyses find that accepted triggers of a session called for, as commands of the rules. The history is read
    /// only where there is one.
    pub(super) fn conclusions(&self, session: &SessionId) -> Result<Vec<Command>, EngineError> {
        let due: Vec<(EntryId, AnalysisMode)> = self.ask(|world| {
            let mind = world.rooms.cognition.mind(session.as_str());
            mind.into_iter().flat_map(cognition::Mind::unconcluded).map(|firing| (firing.id, firing.mode)).collect()
        })?;
        if due.is_empty() {
            return Ok(Vec::new());
        }
        let record = self.reader()?.record(session, None)?;
        let settings = self.settings();
        let conclude = |(firing, mode): (EntryId, AnalysisMode)| {
            let analysis = analyse(mode, &record, settings);
            let all = analysis.as_ref().map(annals_analysis::Analysis::found).unwrap_or_default();
            let total = u32::try_from(all.len()).unwrap_or(u32::MAX);
            let found = all.into_iter().take(cognition::conclusion::MOST_FOUND).collect();
            let figures = analysis.as_ref().map(annals_analysis::Analysis::figures).unwrap_or_default();
            let recommended = analysis.and_then(|analysis| analysis.recommended());
            let session = session.clone();
            Command::Cognition(Conclude { session, firing, found, total, figures, recommended }.into())
        };
        Ok(due.into_iter().map(conclude).collect())
    }
}
