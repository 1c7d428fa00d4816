//! Which files somebody had looked at before they were changed.
//!
//! A file counts as looked at when an earlier call named it, or printed its name, or a person or an agent did. By the
//! last part of its path: what is missed is never looked at, what is kept may be a file of the same name.

use std::collections::BTreeSet;

use super::edit::{Before, Edit};
use super::step::{Call, Record, Step, What};
use super::text::base;
use annals_kernel::call::seen;
use annals_kernel::id::EntryId;

/// Whether the tool itself has seen to it that its file was read.
pub(crate) fn sees_to_it(call: &Call) -> bool {
    seen::sees_to_it(&call.tool)
}

/// An edit of a file that was there before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Changed {
    /// Its entry.
    pub entry: EntryId,
    /// The file.
    pub file: String,
    /// Whether it had been looked at.
    pub is_known: bool,
}

/// What was looked at, and what was changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// Edits of files that were there before, one for each file and call; none where the record begins in the middle, for
    /// what was looked at before is not in it.
    pub edits: Vec<Changed>,
}

impl Known {
    /// Of the steps of a session.
    pub(crate) fn of(record: &Record) -> Self {
        if record.begins_in_the_middle() {
            return Self::default();
        }
        let steps = &record.steps;
        let wanted: BTreeSet<&str> = steps.iter().flat_map(changed_files).map(base).collect();
        let (mut seen, mut edits): (BTreeSet<&str>, Vec<Changed>) = (BTreeSet::new(), Vec::new());
        for step in steps {
            let mut files: BTreeSet<&str> = BTreeSet::new();
            for edit in there(step) {
                files.insert(&edit.file);
            }
            for file in files {
                // Asked before the step itself is looked at, because an edit names its own file.
                let is_known = seen.contains(base(file));
                edits.push(Changed { entry: step.id, file: file.to_owned(), is_known });
            }
            look(step, &wanted, &mut seen);
        }
        Self { edits }
    }
}

fn changed_files(step: &Step) -> impl Iterator<Item = &str> {
    there(step).map(|edit| edit.file.as_str())
}

/// The edits of a step that found their file there, and went well.
fn there(step: &Step) -> impl Iterator<Item = &Edit> {
    // Of a tool that refuses to edit what was not read there is nothing to say: what the record lacks was read elsewhere.
    let call = step.call().filter(|call| call.is_ok() && !sees_to_it(call));
    let edits = call.into_iter().flat_map(|call| &call.edits);
    edits.filter(|edit| edit.before == Before::There && !edit.file.is_empty())
}

fn look<'s>(step: &'s Step, wanted: &BTreeSet<&'s str>, seen: &mut BTreeSet<&'s str>) {
    let mut take = |text: &'s str| {
        let names = text.split(|letter: char| !is_of_path(letter)).map(base);
        // A name at the end of a sentence, or before a line number, is followed by these.
        let names = names.map(|name| name.trim_end_matches(['.', ':', ','])).filter(|name| wanted.contains(name));
        seen.extend(names);
    };
    match &step.what {
        What::Called(call) => {
            for text in texts(call) {
                take(text);
            }
        }
        What::Asked(text) | What::Typed(text) | What::Said(text) | What::Thought(text) => take(text),
        What::Stopped(_) | What::Failed | What::Began(_) | What::Noted => {}
    }
}

fn texts(call: &Call) -> impl Iterator<Item = &str> {
    let files = call.files.iter().map(|file| &**file).chain(call.edits.iter().map(|edit| edit.file.as_str()));
    files.chain(call.command.as_deref()).chain([&*call.target, &call.output])
}

fn is_of_path(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-' | '/' | '\\' | '[' | ']' | '(' | ')' | '@' | '+' | '$')
}
