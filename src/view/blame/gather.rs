//! Reads from the record what calls did to a file, under every name that it had.
//!
//! Asks the log once for the lines that may be about it, and once more for each name that a call gave it before.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Asked, BlameSessions, base_names};
use crate::blame::deed::{Deed, Done, Ended, What, deeds};
use crate::blame::history::Event;
use crate::engine::query::Reader;
use crate::engine::query::expand::Expansion;
use crate::engine::query::filter::Filter;
use crate::engine::{Engine, EngineError};
use crate::import::places::Places;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::SessionId;
use crate::kernel::joined::OUTCOME_UNKNOWN;
use crate::kernel::json::Json;
use crate::kernel::record::{Event as RecordedEvent, Kind};

/// What calls did to a file.
#[derive(Debug, Default)]
pub(super) struct GatheredCalls {
    pub events: Vec<Event>,
    pub elsewhere: usize,
    pub unreadable: usize,
}

/// Commands that change files which they do not name.
const OF_ALL_FILES: [&str; 4] = ["git stash", "git reset", "git checkout", "git restore"];

/// A file has at most so many names before that calls gave it.
const MOST_NAMES: usize = 16;

impl GatheredCalls {
    pub(super) fn read(
        engine: &Engine,
        reader: &mut Reader<'_>,
        asked: &Asked,
        mut names: BTreeSet<String>,
    ) -> Result<Self, EngineError> {
        loop {
            let mut search = Search { engine, asked, names: &names, found: Self::default(), sessions: BTreeMap::new() };
            search.run(reader)?;
            let before = search.names_before();
            let found = search.found;
            if before.is_empty() || names.len() > MOST_NAMES {
                return Ok(found);
            }
            names.extend(before);
        }
    }
}

/// What stands for the folders of the project and of the person in the record.
pub(super) fn places(asked: &Asked) -> Places {
    let project = asked.project.to_string_lossy();
    Places::of([&*project], asked.home.as_deref())
}

struct Search<'s> {
    engine: &'s Engine,
    asked: &'s Asked,
    names: &'s BTreeSet<String>,
    found: GatheredCalls,
    /// Where each session ran.
    sessions: BTreeMap<SessionId, Option<String>>,
}

impl Search<'_> {
    fn run(&mut self, reader: &mut Reader<'_>) -> Result<(), EngineError> {
        let starts = RecordedEvent::SessionStart.name();
        let mentions = base_names(self.names);
        let needles = mentions.iter().cloned().chain(OF_ALL_FILES.map(str::to_owned)).chain([starts.to_owned()]);
        let filter = Filter {
            kinds: vec!["tool_call".to_owned(), "system_event".to_owned()],
            mentions: needles.collect(),
            ..Filter::default()
        };
        let mut calls = Vec::new();
        for found in reader.all(&filter)? {
            match found.entry.record() {
                Kind::Call => calls.push(found),
                Kind::Event(RecordedEvent::SessionStart) => self.begin(&found.entry),
                Kind::Event(_) | Kind::Input(_) | Kind::Speech(_) | Kind::State | Kind::Other => {}
            }
        }
        for found in reader.whole(calls)? {
            self.call(found.entry, &mentions);
        }
        self.found.events.sort_by_key(|event| (event.at, event.call));
        Ok(())
    }

    fn begin(&mut self, entry: &HistoryEntry) {
        let input = entry.operation.input.value();
        let cwd = input.get("cwd").and_then(Value::as_str).map(str::to_owned);
        self.sessions.insert(entry.session_id.clone(), cwd);
    }

    fn call(&mut self, mut entry: HistoryEntry, mentions: &[String]) {
        let input = &entry.operation.input;
        let is_about = |text: &str| {
            mentions.iter().chain(&OF_ALL_FILES.map(str::to_owned)).any(|name| text.contains(name.as_str()))
        };
        let files = entry.metadata.files_touched.clone().unwrap_or_default();
        let has_blob = input.text().contains(r#""$blob""#);
        if !has_blob && !is_about(input.text()) && !files.iter().any(|file| is_about(file)) {
            return;
        }
        let is_unsure = entry.metadata.tags.iter().flatten().any(|tag| &**tag == OUTCOME_UNKNOWN);
        if is_unsure || entry.operation.error.as_deref().is_some_and(crate::kernel::call::was_stopped) {
            return;
        }
        let mut expansion = Expansion::default();
        expansion.entry(self.engine, &mut entry);
        self.found.unreadable += expansion.troubles.len();
        let deeds = self.deeds(&entry, &files);
        if deeds.is_empty() {
            return;
        }
        if self.asked.sessions == BlameSessions::OfProject && self.is_elsewhere(&entry.session_id) {
            self.found.elsewhere += 1;
            return;
        }
        self.found.events.push(Event { at: entry.timestamp, call: entry.id, deeds });
    }

    fn deeds(&self, entry: &HistoryEntry, files: &[Box<str>]) -> Vec<Deed> {
        let operation = &entry.operation;
        let (input, output) = (operation.input.value(), operation.output.as_ref().map(Json::value).unwrap_or_default());
        let ended = if operation.success { Ended::Well } else { Ended::Badly };
        let done = Done { tool: &operation.name, input: &input, output: &output, ended, files };
        let own = deeds(&done).into_iter().map(|deed| self.within_project(deed));
        own.filter(|deed| self.is_about(deed)).collect()
    }

    /// A path that is whole stays so, unless it leads into the project.
    fn within_project(&self, deed: Deed) -> Deed {
        let root = self.asked.project.to_string_lossy();
        let short = |path: String| {
            let below = path.strip_prefix(&*root).and_then(|rest| rest.strip_prefix('/'));
            below.map(str::to_owned).unwrap_or(path)
        };
        Deed { what: deed.what.about_other(short), path: short(deed.path) }
    }

    fn is_about(&self, deed: &Deed) -> bool {
        let is_named = |path: &str| self.names.contains(path);
        let is_of_folder = || {
            let folder = deed.path.trim_end_matches('/');
            self.names
                .iter()
                .any(|name| folder.is_empty() || name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
        };
        let may_be_of_folder = matches!(deed.what, What::Restored | What::Opaque | What::Removed);
        is_named(&deed.path) || deed.what.other().is_some_and(is_named) || may_be_of_folder && is_of_folder()
    }

    fn is_elsewhere(&self, session: &SessionId) -> bool {
        let Some(Some(cwd)) = self.sessions.get(session) else { return false };
        let is_whole = cwd.starts_with(['/', '~', '\\']) || cwd.get(1..2) == Some(":");
        is_whole && !std::path::Path::new(cwd).starts_with(&self.asked.project)
    }

    /// Names that calls moved or copied to one of those that are known.
    fn names_before(&self) -> BTreeSet<String> {
        let deeds = self.found.events.iter().flat_map(|event| &event.deeds);
        let leads_here = |deed: &&Deed| deed.what.other().is_some_and(|to| self.names.contains(to));
        let before = deeds.filter(leads_here).map(|deed| deed.path.clone());
        before.filter(|name| !self.names.contains(name)).collect()
    }
}
