//! What of the person's words an attempt is held to: where they only add, nothing that was read is written over; where they
//! take nothing away, it is not cut down; and what was said to be wrong with an attempt is no content of a file.
//!
//! Looks at requests; what became of files in the end is held against the words by the run.

use super::ExecutorAttempt;
use super::answer::bad;
use super::whole::sheet::Sheet;
use crate::evidence::call::input_text;
use crate::evidence::is_effectful;
use crate::message::CorrectionSignal;
use crate::prompt::BadAnswer;
use crate::tool::{ToolName, ToolRequest};
use crate::wanted::{names_a_place, only_adds, takes_away};

/// What they say of what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeldWords {
    /// It may become another.
    Changes,
    /// It may become another, and no less.
    Leaves,
    /// It stays, and something comes somewhere between.
    Adds,
    /// It stays, and something comes behind it.
    AddsBehind,
}

impl HeldWords {
    pub(super) fn of(words: &str) -> Self {
        if !only_adds(words) {
            Self::Changes
        } else if names_a_place(words) {
            Self::Adds
        } else {
            Self::AddsBehind
        }
    }

    /// Whether no line of what was read is to be lost.
    pub(super) fn keeps_lines(self) -> bool {
        match self {
            Self::Adds | Self::AddsBehind => true,
            Self::Changes | Self::Leaves => false,
        }
    }

    /// Whether more of a file is lost, with another in its place, than they allow.
    fn loses(self, old: &Sheet, new: &Sheet) -> bool {
        match self {
            Self::Changes => false,
            Self::Leaves => old.is_cut_down_in(new),
            Self::Adds | Self::AddsBehind => old.is_outgrown_by(new),
        }
    }

    /// What is said of a request by which more of a file is lost.
    fn complaint(self, path: &str) -> String {
        let loss = if self.keeps_lines() {
            format!("what {path} holds, and the task only adds to it")
        } else {
            format!("half of {path} or more, and the task takes nothing away")
        };
        format!("leaves out {loss}: use edit, or write all of it")
    }
}

impl ExecutorAttempt {
    /// Held to cutting down no file that was read, where these words take nothing away.
    #[must_use]
    pub fn carefully(mut self, words: &str) -> Self {
        if self.held == Some(HeldWords::Changes) && !takes_away(words) {
            self.held = Some(HeldWords::Leaves);
        }
        self
    }

    /// Whether more would be lost of a file than the words allow.
    pub(super) fn loses(&self, old: &Sheet, new: &Sheet) -> bool {
        self.held.is_some_and(|held| held.loses(old, new))
    }

    /// Whether no file that was read may lose its lines.
    pub(super) fn keeps_lines(&self) -> bool {
        self.held.is_some_and(HeldWords::keeps_lines)
    }

    /// Whether what is answered without anything of the file comes behind it: once, for what is there then may be it.
    pub(super) fn adds_behind(&self) -> bool {
        self.held == Some(HeldWords::AddsBehind) && !self.good_calls().any(|call| is_effectful(&call.request))
    }

    /// Whether requests write what the words want written.
    pub(super) fn require_wanted(&self, requests: &[ToolRequest]) -> Result<(), BadAnswer> {
        let Some(held) = self.held else { return Ok(()) };
        for (at, request) in requests.iter().enumerate() {
            let place = format!("calls.{at}");
            if self.repeats_complaint(request) {
                return Err(bad(&place, "writes down what was said to be wrong: put right what it speaks of"));
            }
            if self.is_lost_by(request) {
                return Err(bad(&place, &held.complaint(input_text(request, "path"))));
            }
        }
        Ok(())
    }

    fn repeats_complaint(&self, request: &ToolRequest) -> bool {
        let mut complaints =
            self.correction.iter().flat_map(CorrectionSignal::complaints).filter(|line| !line.is_empty());
        let written = ["content", "new", "command"].map(|name| input_text(request, name));
        is_effectful(request) && complaints.any(|line| written.iter().any(|text| text.contains(line)))
    }

    /// Whether more of a file that was read is not in what is to be written over it than the words allow.
    fn is_lost_by(&self, write: &ToolRequest) -> bool {
        self.written_over(write).is_some_and(|old| self.loses(&old, &Sheet::of_text(input_text(write, "content"))))
    }

    /// What is written over, as it was read last, whole.
    fn written_over(&self, write: &ToolRequest) -> Option<Sheet> {
        let path = input_text(write, "path");
        let is_of_it = |request: &ToolRequest| request.tool == ToolName::Read && input_text(request, "path") == path;
        let last = self.good_calls().rfind(|call| is_of_it(&call.request)).filter(|_| write.tool == ToolName::Write);
        Sheet::of(&last?.output)
    }
}
