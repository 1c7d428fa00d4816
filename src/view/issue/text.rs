//! The texts of issues, as they stand in their entries.
//!
//! A text that cannot be read (it was scrubbed, or its line is gone) is said to be so, never left out.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::domain::blind;
use crate::domain::issue::Command;
use crate::domain::issue::command::{Comment, Edit, Observed, Open, Resolve, Unfreeze};
use crate::kernel::entry::HistoryEntry;
use crate::kernel::grounding::{Checked, Citation, Evidence};
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;
use crate::kernel::time::Timestamp;

/// Entries, by id.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'t>(pub &'t BTreeMap<EntryId, HistoryEntry>);

/// What was said in an entry.
#[derive(Debug, Clone, Default)]
pub struct EntryText {
    /// Markdown.
    pub body: String,
    /// What it stands on.
    pub evidence: Evidence,
    /// Why that was looked up.
    pub citation: Citation,
    /// What code found out about the files.
    pub checked: Vec<Checked>,
}

/// The input of a decision, as far as a text needs it.
#[derive(Deserialize)]
struct Input {
    command: Json,
    #[serde(default)]
    observed: Observed,
}

/// The input of a decision that brought an opinion.
#[derive(Deserialize)]
struct Brought {
    observed: blind::Observed,
}

const GONE: &str = "(this text is not in the history any more)";

impl Texts<'_> {
    fn command(&self, id: EntryId) -> Option<(Command, Observed)> {
        let entry = self.0.get(&id)?;
        let input: Input = entry.operation.input.read().ok()?;
        Some((Command::read(&entry.operation.name, &input.command).ok()?, input.observed))
    }

    /// The opinion that an entry brought into a thread (decision 40).
    fn opinion(&self, id: EntryId) -> Option<Box<str>> {
        let entry = self.0.get(&id)?;
        let observed: Brought = entry.operation.input.read().ok()?;
        observed.observed.opinion.map(|opinion| opinion.body)
    }

    /// When an entry was written.
    pub fn at(&self, id: EntryId) -> Timestamp {
        self.0.get(&id).map_or(id.time(), |entry| entry.timestamp)
    }

    /// The text of an issue that somebody opened or edited in an entry.
    pub fn body(&self, id: EntryId) -> String {
        match self.command(id) {
            Some((Command::Open(Open { body, .. }) | Command::Edit(Edit { body: Some(body), .. }), _)) => body.into(),
            Some(_) | None => GONE.to_owned(),
        }
    }

    /// What was said in an entry.
    pub fn said(&self, id: EntryId) -> EntryText {
        let gone = || EntryText { body: GONE.to_owned(), ..EntryText::default() };
        if let Some(opinion) = self.opinion(id) {
            return EntryText { body: opinion.into(), ..EntryText::default() };
        }
        let Some((command, observed)) = self.command(id) else { return gone() };
        let checked = observed.evidence;
        match command {
            Command::Comment(Comment { body, evidence, citation, .. }) => {
                EntryText { body: body.into(), evidence, citation, checked }
            }
            Command::Resolve(Resolve { note, evidence, .. }) => {
                EntryText { body: note.into(), evidence, checked, ..EntryText::default() }
            }
            Command::Unfreeze(Unfreeze { guidance, .. }) => EntryText { body: guidance.into(), ..EntryText::default() },
            Command::Open(_)
            | Command::Edit(_)
            | Command::Close(_)
            | Command::Reopen(_)
            | Command::Freeze(_)
            | Command::Link(_)
            | Command::Unlink(_)
            | Command::Mark(_)
            | Command::Start(_)
            | Command::Read(_) => gone(),
        }
    }
}
