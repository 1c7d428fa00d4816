//! Entries as they are told in all: what a hook and a transcript both tell stands once, with what completes it.
//!
//! Reads of a session only what it needs: most have nothing to be joined. Does not join; `kernel::joined` does.

use std::collections::{BTreeMap, BTreeSet};

use super::filter::{Children, Filter};
use super::{Found, Reader};
use crate::EngineError;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::joined::{begins, completed, completes, is_nameless_call, join};
use annals_kernel::record::Event;

/// What is said elsewhere of the entries of one session.
enum SaidElsewhere {
    /// Completions, by the entry that they complete.
    Completions(BTreeMap<EntryId, Vec<HistoryEntry>>),
    /// Whole reports, so that the session has been joined: what is not in it is told by another entry.
    Reports(BTreeMap<EntryId, HistoryEntry>),
}

impl Reader<'_> {
    /// All entries of a session that are asked for, each thing once: what completes an entry stands in it.
    pub fn joined(&mut self, filter: &Filter) -> Result<Vec<HistoryEntry>, EngineError> {
        let entries: Vec<_> = self.all(filter)?.into_iter().map(|found| found.entry).collect();
        let Some(session) = filter.session.as_ref() else { return Ok(join(entries)) };
        let below: BTreeSet<_> =
            entries.iter().filter(|entry| entry.session_id != *session).map(|entry| entry.session_id.clone()).collect();
        let wanted: BTreeSet<_> = entries.iter().map(|entry| entry.id).collect();
        let mut all = entries;
        // What a hook has told here may have been done below.
        if all.iter().any(is_nameless_call) {
            for child in below {
                let of_child = Filter { session: Some(child), until: filter.until, ..Filter::default() };
                all.extend(
                    self.all(&of_child)?
                        .into_iter()
                        .map(|found| found.entry)
                        .filter(|entry| !wanted.contains(&entry.id)),
                );
            }
            all.sort_by_key(|entry| entry.id);
        }
        let is_wanted =
            |entry: &HistoryEntry| wanted.contains(&entry.id) && (entry.session_id == *session || begins(entry));
        Ok(join(all).into_iter().filter(is_wanted).collect())
    }

    /// Entries with what completes them, without those that are told by another one.
    pub fn whole(&mut self, found: Vec<Found>) -> Result<Vec<Found>, EngineError> {
        let told = self.elsewhere(&found)?;
        let whole = |mut found: Found| {
            match told.get(&found.entry.session_id) {
                None => {}
                Some(SaidElsewhere::Completions(list)) => {
                    found.entry = completed(found.entry.clone(), list.get(&found.entry.id).into_iter().flatten());
                }
                Some(SaidElsewhere::Reports(joined)) => found.entry = joined.get(&found.entry.id)?.clone(),
            }
            Some(found)
        };
        Ok(found.into_iter().filter_map(whole).collect())
    }

    /// The entries that complete one.
    pub fn completions_of(&mut self, entry: &HistoryEntry) -> Result<Vec<HistoryEntry>, EngineError> {
        let session = entry.session_id.clone();
        let retold =
            |session: &SessionId| self.engine.ask(|world| Some(world.rooms.session.session(session)?.stats.retold));
        if entry.annals.source.is_none() || retold(&session)?.is_none_or(|count| count == 0) {
            return Ok(Vec::new());
        }
        let filter =
            Filter { session: Some(session), names: vec![Event::Completion.name().to_owned()], ..Filter::default() };
        let all = self.all(&filter)?.into_iter().map(|found| found.entry);
        Ok(all.filter(|completion| completes(completion) == Some(entry.id)).collect())
    }

    fn elsewhere(&mut self, found: &[Found]) -> Result<BTreeMap<SessionId, SaidElsewhere>, EngineError> {
        let has_source = |found: &&Found| found.entry.annals.source.is_some();
        let sessions: BTreeSet<_> =
            found.iter().filter(has_source).map(|found| found.entry.session_id.clone()).collect();
        let retold = self.engine.ask(|world| {
            let retold = |id: &SessionId| world.rooms.session.session(id).map_or(0, |session| session.stats.retold);
            sessions.iter().map(|id| (id.clone(), retold(id))).collect::<Vec<_>>()
        })?;
        let retold = retold.into_iter().filter(|(_, count)| *count > 0);
        retold.map(|(id, count)| Ok((id.clone(), self.elsewhere_of(id, count)?))).collect()
    }

    fn elsewhere_of(&mut self, session: SessionId, retold: u64) -> Result<SaidElsewhere, EngineError> {
        let all = Filter { session: Some(session), ..Filter::default() };
        let list = self.all(&Filter { names: vec![Event::Completion.name().to_owned()], ..all.clone() })?;
        let all = Filter { children: Children::Begun, ..all };
        // More is told again than completions say: whole reports of the other side, which only a join of the session
        // tells apart.
        if (list.len() as u64) < retold {
            let joined = self.joined(&all)?.into_iter();
            return Ok(SaidElsewhere::Reports(joined.map(|entry| (entry.id, entry)).collect()));
        }
        let mut completions: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for Found { entry, .. } in list {
            if let Some(of) = completes(&entry) {
                completions.entry(of).or_default().push(entry);
            }
        }
        Ok(SaidElsewhere::Completions(completions))
    }
}
