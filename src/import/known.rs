//! Which entries are in the log already: by id, and by what a hook recorded of the same session as it happened.
//!
//! Looks only at segments and sessions that an import touches. Does not write.

use std::collections::{BTreeMap, BTreeSet};

use super::Draft;
use crate::engine::{Engine, EngineError};
use crate::kernel::envelope::{Envelope, Step};
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::json::sha256_hex;
use crate::log::LogError;
use crate::log::marks::Marks;
use crate::log::read::{Flow, Stretch, read};
use crate::log::segment::Segment;

/// What is known to be in the log.
pub(super) struct Known {
    marks: Marks,
    /// Ids of the segments that were looked at, sorted.
    ids: BTreeMap<String, Vec<EntryId>>,
    added: BTreeSet<EntryId>,
    /// The first and last entry of each session that was there before the import.
    spans: BTreeMap<SessionId, (EntryId, EntryId)>,
    hooked: BTreeMap<SessionId, Hooked>,
}

/// What hooks recorded of a session.
#[derive(Default)]
struct Hooked {
    records: BTreeSet<String>,
    /// Texts, by hash, and how often each was recorded: their records have other names in a transcript.
    texts: BTreeMap<String, u64>,
}

impl Known {
    pub(super) fn new(engine: &Engine) -> Result<Self, EngineError> {
        let marks = engine.marks()?;
        // Asked once: what the import itself adds need not be folded.
        let spans = engine.ask(|world| {
            let sessions = world.rooms.session.sessions.iter();
            sessions.map(|(id, row)| (id.clone(), (row.first, row.last))).collect()
        })?;
        Ok(Self { marks, ids: BTreeMap::new(), added: BTreeSet::new(), spans, hooked: BTreeMap::new() })
    }

    pub(super) fn add(&mut self, id: EntryId) {
        self.added.insert(id);
    }

    /// Whether an entry is in the log, or was added by this import.
    pub(super) fn has(&mut self, engine: &Engine, id: EntryId) -> Result<bool, EngineError> {
        if self.added.contains(&id) {
            return Ok(true);
        }
        let in_range = self.marks.iter().filter(|(_, mark)| mark.first <= id && id <= mark.last);
        let names: Vec<String> = in_range.map(|(name, _)| name.to_owned()).collect();
        for name in names {
            if !self.ids.contains_key(&name) {
                let ids = self.read_ids(engine, &name)?;
                self.ids.insert(name.clone(), ids);
            }
            if self.ids.get(&name).is_some_and(|ids| ids.binary_search(&id).is_ok()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read_ids(&self, engine: &Engine, name: &str) -> Result<Vec<EntryId>, EngineError> {
        let mut ids = Vec::new();
        each_entry(engine, &self.marks, name, &mut |entry| ids.push(entry.id()))?;
        ids.sort_unstable();
        Ok(ids)
    }

    /// Whether a hook recorded what a draft says, when it happened.
    pub(super) fn was_hooked(&mut self, engine: &Engine, draft: &Draft) -> Result<bool, EngineError> {
        let session = draft.session();
        if !self.hooked.contains_key(&session) {
            let hooked = self.read_hooked(engine, &session)?;
            self.hooked.insert(session.clone(), hooked);
        }
        let hooked = self.hooked.get_mut(&session).expect("BUG: the session was just looked at");
        if hooked.records.contains(&*draft.source.record) {
            return Ok(true);
        }
        let key = text_key(draft.operation.kind.as_str(), &draft.operation.name, draft.operation.input.read().ok());
        match key.and_then(|key| hooked.texts.get_mut(&key)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                Ok(true)
            }
            Some(_) | None => Ok(false),
        }
    }

    fn read_hooked(&self, engine: &Engine, session: &SessionId) -> Result<Hooked, EngineError> {
        let mut hooked = Hooked::default();
        let Some(&(first, last)) = self.spans.get(session) else { return Ok(hooked) };
        let overlapping = self.marks.iter().filter(|(_, mark)| mark.first <= last && first <= mark.last);
        for name in overlapping.map(|(name, _)| name.to_owned()).collect::<Vec<_>>() {
            each_entry(engine, &self.marks, &name, &mut |entry| {
                if entry.session() == session.as_str() {
                    hooked.take(entry);
                }
            })?;
        }
        Ok(hooked)
    }
}

impl Hooked {
    /// An entry whose id does not follow from its source was minted: a hook made it.
    fn take(&mut self, entry: &Envelope<'_>) {
        let Some(source) = entry.source() else { return };
        if entry.id() == source.entry_id(entry.at()) {
            return;
        }
        self.records.insert(source.record.to_string());
        if entry.step() != Step::ToolCall
            && let Some(key) = text_key(&entry.kind_text(), &entry.name(), entry.input())
        {
            *self.texts.entry(key).or_default() += 1;
        }
    }
}

#[derive(serde::Deserialize)]
struct Text {
    text: String,
}

/// The same words in the same role.
fn text_key(kind: &str, name: &str, input: Option<Text>) -> Option<String> {
    let text = input?.text;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then(|| sha256_hex(format!("{kind}\n{name}\n{words}").as_bytes()))
}

fn each_entry(
    engine: &Engine,
    marks: &Marks,
    name: &str,
    take: &mut dyn FnMut(&Envelope<'_>),
) -> Result<(), EngineError> {
    let Some(mark) = marks.get(name) else { return Ok(()) };
    let path = engine.place().history().join(name);
    let look = engine.disk().look(&path).map_err(LogError::at("look at", &path))?;
    let segment = Segment { name: name.to_owned(), look: look.unwrap_or(mark.look) };
    read(&**engine.disk(), engine.place().history(), &[Stretch { segment, from: 0 }], &mut |_, batch| {
        batch.entries().for_each(|entry| take(&entry.envelope));
        Flow::More
    })?;
    Ok(())
}
