//! Where written code wants a comment, and which comments it has that help nobody (AFS 5.2.8).
//!
//! Code is read in pieces between blank lines. Better to miss some than to suggest wrong: what is less sure than the
//! precision that is asked for is not shown.

mod comments;
mod snippets;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::critic;
use super::edit::{Edit, Origin};
use super::review::{LineOf, edits};
use super::settings::{DOCUMENTATION_ANALYZE, DOCUMENTATION_LINES, DOCUMENTATION_PRECISION};
use super::step::Record;
use super::told::Told;
use annals_kernel::counted::count;
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;

/// What is looked at (AFS 5.2.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
pub(crate) struct Analyze {
    /// Where comments should be.
    pub missing_comments: bool,
    /// Whether those that are there help.
    pub comment_quality: bool,
    /// Whether they stand where they should.
    pub comment_placement: bool,
}

impl Default for Analyze {
    fn default() -> Self {
        Self { missing_comments: true, comment_quality: true, comment_placement: true }
    }
}

words! {
    /// Where a comment should stand.
    pub enum Spot {
        /// Above the piece.
        Top = "top",
        /// On the line that it is about.
        Inline = "inline",
        /// Below it.
        End = "end",
    }
}

words! {
    /// What is wrong with a comment.
    pub enum Issue {
        /// The code below it was changed, and it speaks of what is gone.
        Outdated = "outdated",
        /// It says nothing.
        Unclear = "unclear",
        /// It stands where nobody looks.
        WrongLocation = "wrong_location",
        /// It says too much.
        TooVerbose = "too_verbose",
    }
}

/// Where a piece of code stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Stretch {
    /// The file.
    pub file: String,
    /// Its first line.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// Which lines these are.
    pub line_of: LineOf,
}

/// A piece of code that wants a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Wanting {
    /// Where.
    pub location: Stretch,
    /// How sure the rules are.
    pub confidence: Share,
    /// Why.
    pub reason: String,
    /// Where the comment should stand.
    pub suggested_comment_location: Spot,
    /// The entry of the edit.
    pub entry: EntryId,
}

/// Where a comment stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line.
    pub line: usize,
    /// Which line that is.
    pub line_of: LineOf,
}

/// A comment that helps nobody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Poor {
    /// Where.
    pub location: Place,
    /// What is wrong with it.
    pub issue: Issue,
    /// What would help.
    pub suggestion: &'static str,
    /// What it says.
    pub text: String,
    /// The entry of the edit.
    pub entry: EntryId,
}

/// What was found (AFS 5.2.8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Documentation {
    /// How many calls changed something whose text is recorded: those that review reads, too.
    pub edits: usize,
    /// Of these, how many changed a file in a language whose comments nobody here can read.
    pub edits_not_read: usize,
    /// How many pieces of code were read.
    pub snippets_analyzed: usize,
    /// Those that want a comment.
    pub snippets_needing_comments: Vec<Wanting>,
    /// Comments that help nobody.
    pub existing_comment_issues: Vec<Poor>,
    /// How many pieces wanted one, but not surely enough.
    pub below_precision: usize,
}

/// Reads the edits of a session.
pub(crate) fn analyse(record: &Record, settings: &Settings) -> Documentation {
    let most = settings.get(&DOCUMENTATION_LINES).max(1);
    let (precision, analyze) = (settings.get(&DOCUMENTATION_PRECISION), settings.get(&DOCUMENTATION_ANALYZE));
    let edits = edits(record);
    let calls = |edits: &[(EntryId, &Edit)]| edits.chunk_by(|(left, _), (right, _)| left == right).count();
    let not_read: Vec<_> =
        edits.iter().copied().filter(|(_, edit)| snippets::syntax(&edit.language()).is_none()).collect();
    let mut found = Documentation {
        edits: calls(&edits),
        edits_not_read: calls(&not_read),
        snippets_analyzed: 0,
        snippets_needing_comments: Vec::new(),
        existing_comment_issues: Vec::new(),
        below_precision: 0,
    };
    for (entry, edit) in edits {
        let Some(syntax) = snippets::syntax(&edit.language()) else { continue };
        let lines = edit.lines();
        let line_of = if edit.first_line.is_some() { LineOf::File } else { LineOf::Edit };
        let pieces = snippets::split(&lines, most);
        for piece in pieces.iter().filter(|piece| piece.lines.iter().any(|line| line.origin == Origin::Added)) {
            found.snippets_analyzed += 1;
            if !analyze.missing_comments || is_test(&edit.file) {
                continue;
            }
            let Some(wish) = piece.wish(syntax) else { continue };
            if wish.confidence < precision {
                found.below_precision += 1;
                continue;
            }
            let (start_line, end_line) = piece.bounds();
            let location = Stretch { file: edit.file.clone(), start_line, end_line, line_of };
            found.snippets_needing_comments.push(Wanting {
                location,
                confidence: wish.confidence,
                reason: wish.reason,
                suggested_comment_location: wish.spot,
                entry,
            });
        }
        for poor in comments::poor(edit, &lines, syntax, analyze) {
            let location = Place { file: edit.file.clone(), line: poor.line, line_of };
            found.existing_comment_issues.push(Poor {
                location,
                issue: poor.issue,
                suggestion: poor.suggestion,
                text: poor.text,
                entry,
            });
        }
    }
    found
}

/// Tests say what they do in their names.
fn is_test(file: &str) -> bool {
    let file = file.to_ascii_lowercase();
    ["test", "spec"].iter().any(|word| super::text::base(&file).contains(word)) || file.contains("tests/")
}

impl Documentation {
    /// As it reads.
    pub fn told(&self) -> Told {
        use super::computed::Computed::Is;
        let mut told = Told::default();
        told.figure(
            "snippets_analyzed",
            &Is(self.snippets_analyzed),
            format!("pieces of code between blank lines that {} changed", count(self.edits, "edit", "edits")),
        );
        if self.edits_not_read > 0 {
            let edits = count(self.edits_not_read, "edit is", "edits are");
            told.notes.push(format!("{edits} in a language whose comments are not read here; review reads them"));
        }
        let below = format!("{} more below the precision that is asked for", self.below_precision);
        told.figure("snippets_needing_comments", &Is(self.snippets_needing_comments.len()), below);
        told.figure("existing_comment_issues", &Is(self.existing_comment_issues.len()), "");
        if self.edits == 0 {
            told.notes.push("the session has no edit whose text is recorded".to_owned());
        }
        for wanting in &self.snippets_needing_comments {
            let Stretch { file, start_line, end_line, line_of } = &wanting.location;
            let of = if *line_of == LineOf::Edit { " of the edit" } else { "" };
            let text = format!(
                "{file}, lines {start_line} to {end_line}{of}: {} ({}, {})",
                wanting.reason, wanting.suggested_comment_location, wanting.confidence
            );
            told.find("wants a comment", text, &[wanting.entry]);
        }
        for poor in &self.existing_comment_issues {
            let of = if poor.location.line_of == LineOf::Edit { " of the edit" } else { "" };
            let text = format!(
                "{}, line {}{of}: \"{}\": {}",
                poor.location.file, poor.location.line, poor.text, poor.suggestion
            );
            told.find(poor.issue.as_str(), text, &[poor.entry]);
        }
        told
    }

    /// As findings of the critic.
    pub fn reviews(&self) -> Vec<critic::Review> {
        let review = |entry: EntryId, file: &str, line: usize, issue: String, confidence: Share| critic::Review {
            severity: critic::CriticSeverity::Nitpick,
            aspect: "documentation",
            location: Some(critic::StepLocation { file: file.to_owned(), line: Some(line) }),
            issue,
            suggestion: "Say why it is so.",
            confidence,
            entries: vec![entry],
        };
        let wanting = self.snippets_needing_comments.iter().map(|wanting| {
            let size = wanting.location.end_line.saturating_sub(wanting.location.start_line).saturating_add(1);
            let issue = format!("{} without a comment: {}.", count(size, "line", "lines"), wanting.reason);
            review(wanting.entry, &wanting.location.file, wanting.location.start_line, issue, wanting.confidence)
        });
        wanting.collect()
    }
}
