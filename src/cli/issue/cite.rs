//! What a comment cites, as it is typed.

use super::{find, find_all};
use crate::cli::named::{Candidate, ENTRY};
use crate::cli::shell::{Shell, Usage};
use crate::domain::issue::command::Observed;
use crate::domain::issue::number::Label;
use crate::engine::Engine;
use crate::kernel::grounding::{Citation, CitationOutcome, Evidence, FileReference, Lines, Trigger};
use crate::kernel::id::{AgentId, IssueId};

/// Options about evidence.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A file of the project, with lines: src/a.rs:10-20
    #[arg(long = "file", value_name = "PATH[:LINES]")]
    files: Vec<String>,
    /// What stands there: the first for the first --file, and so on
    #[arg(long = "quote", value_name = "TEXT")]
    quotes: Vec<String>,
    /// An issue
    #[arg(long = "issue", value_name = "ISSUE")]
    issues: Vec<String>,
    /// An entry of canon: KEY or KEY@VERSION
    #[arg(long = "canon", value_name = "KEY")]
    canon: Vec<String>,
}

/// Options about why something was looked up.
#[derive(Debug, clap::Args)]
pub(super) struct WhyArguments {
    /// Why it was looked up: answer-to-question, support-proposal, resolve-conflict, verify-continuity, …
    #[arg(long)]
    trigger: Option<Trigger>,
    /// Who prompted it
    #[arg(long, value_name = "AGENT")]
    triggered_by: Option<String>,
    /// What it answers: an entry of the issue's thread, by either end of its id, or the number of the issue for its text
    #[arg(long, value_name = "ENTRY")]
    trigger_ref: Option<String>,
    /// What came of it, as you see it; it earns nothing before others show it
    #[arg(long)]
    outcome: Option<CitationOutcome>,
}

impl Arguments {
    /// What is cited.
    pub(super) fn evidence(&self, shell: &Shell, engine: &Engine) -> anyhow::Result<Evidence> {
        if self.quotes.len() > self.files.len() {
            return Err(Usage("there are more --quote than --file".to_owned()).into());
        }
        let mut quotes = self.quotes.iter().map(|quote| Box::from(quote.as_str()));
        let file = |text: &String| {
            let (path, lines) = place_of(text);
            FileReference { path: path.into(), lines, quote: quotes.next() }
        };
        Ok(Evidence {
            files: self.files.iter().map(file).collect(),
            issues: find_all(shell, engine, &self.issues)?,
            canon: self.canon.iter().map(|key| key.as_str().into()).collect(),
        })
    }
}

impl WhyArguments {
    /// Why it was looked up on an issue, and what came of it.
    pub(super) fn citation(&self, shell: &Shell, engine: &Engine, issue: &IssueId) -> anyhow::Result<Citation> {
        let answered = self.trigger_ref.as_deref().map(|text| answered(shell, engine, issue, text)).transpose()?;
        Ok(Citation {
            trigger: self.trigger,
            triggered_by: self.triggered_by.as_deref().map(AgentId::from),
            trigger_ref: answered,
            outcome: self.outcome,
            outcome_ref: None,
        })
    }
}

/// The entry that is meant: the text of the issue, or what stands in its thread. What is neither is kept as it is typed.
fn answered(shell: &Shell, engine: &Engine, issue: &IssueId, text: &str) -> anyhow::Result<Box<str>> {
    if Label::read(text).is_some() {
        return Ok(find(shell, engine, text)?.as_str().into());
    }
    let said = shell.ask(engine, |world| {
        let thread = world.rooms.issue.issue(issue).map(|issue| issue.thread.iter());
        let remarks = thread.into_iter().flatten();
        remarks.map(|remark| Candidate::new(remark.id.to_string(), remark.kind.as_str())).collect::<Vec<_>>()
    })?;
    let text_of_issue = Candidate::new(issue.to_string(), "the text of the issue");
    let found = ENTRY.pick(text, &[said, vec![text_of_issue]].concat())?;
    Ok(found.map_or_else(|| text.into(), Into::into))
}

/// `path:10-20`; what stands behind the colon and is no range belongs to the path.
pub(super) fn place_of(text: &str) -> (&str, Option<Lines>) {
    let lines = |range: &str| {
        let (start, end) = match range.split_once('-') {
            Some((start, end)) => (start.parse().ok()?, Some(end.parse().ok()?)),
            None => (range.parse().ok()?, None),
        };
        Some(Lines { start, end })
    };
    match text.rsplit_once(':').and_then(|(path, range)| Some((path, lines(range)?))) {
        Some((path, lines)) => (path, Some(lines)),
        None => (text, None),
    }
}

/// What code finds out about the files that are cited.
pub(super) fn observe(engine: &Engine, evidence: &Evidence) -> Observed {
    let context = engine.place().context();
    let project = context.parent().unwrap_or(context);
    Observed { evidence: crate::engine::evidence::check(project, evidence), ..Observed::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_behind_the_last_colon() {
        let range = |start, end| Some(Lines { start, end });
        for (text, expected) in [
            ("a.rs", ("a.rs", None)),
            ("a.rs:7", ("a.rs", range(7, None))),
            ("a.rs:7-9", ("a.rs", range(7, Some(9)))),
            ("a:b.rs:7-9", ("a:b.rs", range(7, Some(9)))),
            ("a:b.rs", ("a:b.rs", None)),
            ("a.rs:x-9", ("a.rs:x-9", None)),
        ] {
            assert_eq!(place_of(text), expected);
        }
    }
}
