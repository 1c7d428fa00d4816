//! What a call did to files, in the order in which it did it.
//!
//! Told from the tool, its arguments and its result, for the tools of the usual agents. What a call that failed did is
//! nothing, but for what a command line had done before it failed. Does not know whether the files are as it says.

use serde_json::Value;

use super::text::Text;
use super::{output, patch, shell, tool};

/// What happened to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// The file, as the record names it, relative to the project where it lies in it.
    pub path: String,
    /// What happened to it.
    pub what: What,
}

/// What happened to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// It was written as a whole.
    Whole(Text, Before),
    /// A text in it gave way to another.
    Replaced(Replaced),
    /// Lines gave way to others, in several places.
    Hunks(Vec<Hunk>),
    /// A text gave way to another, and the tool shows where; how far lines are indented it may show otherwise than it is.
    Shown(Replaced, Vec<Hunk>),
    /// Lines came behind one, by its number; 0 stands before the first.
    Inserted(usize, Text),
    /// The lines from one to another gave way, both with them, from 1.
    Lines(LineRange, Text),
    /// A text came behind everything.
    Appended(String),
    /// A script of `sed` changed lines.
    Edited(super::script::Script),
    /// It went.
    Removed,
    /// It has another name now.
    Moved(String),
    /// There is another one of this name with the same text.
    Copied(String),
    /// It is as git had it.
    Restored,
    /// It was changed, and the record does not say how.
    Opaque,
    /// It was seen as it is: this text, from a line on.
    Seen(usize, Text, Extent),
}

/// A replacement of a text within a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// What stood there.
    pub old: String,
    /// What stands there.
    pub new: String,
    /// Where.
    pub places: Places,
}

/// In which places a text gives way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    /// In the only one.
    Only,
    /// In the first one.
    First,
    /// In all of them.
    All,
}

/// Lines from one to another, both with them, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineRange {
    /// The first.
    pub first: usize,
    /// The last.
    pub last: usize,
}

/// Whether a file was there before it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// It was.
    There,
    /// It was not.
    Absent,
    /// The record does not say.
    Unsaid,
}

/// Whether all of a file was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All.
    All,
    /// Some lines.
    Part,
}

/// A place of a file that was changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The number of its first old line, where the record says so.
    pub first: Option<usize>,
    /// A line that it stands below.
    pub below: Option<String>,
    /// Its lines.
    pub lines: Vec<HunkLine>,
}

/// A line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HunkLine {
    /// Where it stands.
    pub side: Side,
    /// What it says.
    pub text: String,
}

/// Where a line of a hunk stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before and after.
    Both,
    /// Only before.
    Old,
    /// Only after: the call brought it.
    New,
    /// Only after: a person brought it, who changed what the call proposed.
    Foreign,
}

impl What {
    /// The other file that it is about: the one that the text has come to.
    pub fn other(&self) -> Option<&str> {
        if let Self::Moved(to) | Self::Copied(to) = self { Some(to) } else { None }
    }

    /// The same about another file of that sort.
    #[must_use]
    pub fn about_other(self, name: impl FnOnce(String) -> String) -> Self {
        if let Self::Moved(to) = self {
            Self::Moved(name(to))
        } else if let Self::Copied(to) = self {
            Self::Copied(name(to))
        } else {
            self
        }
    }
}

impl Deed {
    pub(crate) fn new(path: &str, what: What) -> Self {
        Self { path: super::place::bare(path), what }
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It did what it was asked.
    Well,
    /// It did not.
    Badly,
}

/// A finished call, as its entry has it.
#[derive(Debug, Clone, Copy)]
pub struct Done<'c> {
    /// The tool.
    pub tool: &'c str,
    /// Its arguments.
    pub input: &'c Value,
    /// Its result.
    pub output: &'c Value,
    /// How it ended.
    pub ended: Ended,
    /// The files that its entry names.
    pub files: &'c [Box<str>],
}

/// What a call did to files.
pub fn deeds(call: &Done<'_>) -> Vec<Deed> {
    if let Some(deeds) = patch::deeds(call) {
        return deeds;
    }
    if let Some(line) = tool::command_line(call) {
        return shell::deeds(call, &line);
    }
    if call.ended == Ended::Badly {
        return Vec::new();
    }
    let mut deeds = tool::deeds(call);
    deeds.extend(output::seen(call));
    deeds
}
