//! What a comment cites, as it is typed.

use super::{find_all, write::plain};
use crate::cli::shell::{Shell, Usage};
use crate::domain::issue::command::Observed;
use crate::engine::Engine;
use crate::kernel::grounding::{Citation, Evidence, FileReference, Lines, Outcome, Trigger};
use crate::kernel::id::AgentId;

/// Options about evidence.
#[derive(Debug, clap::Args)]
pub struct Arguments {
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
pub struct WhyArguments {
    /// Why it was looked up: answer-to-question, support-proposal, resolve-conflict, verify-continuity, …
    #[arg(long)]
    trigger: Option<Trigger>,
    /// Who prompted it
    #[arg(long, value_name = "AGENT")]
    triggered_by: Option<String>,
    /// The question that prompted it
    #[arg(long, value_name = "ENTRY")]
    trigger_ref: Option<String>,
    /// What came of it, as you see it; it earns nothing before others show it
    #[arg(long)]
    outcome: Option<Outcome>,
}

impl Arguments {
    /// What is cited.
    pub fn evidence(&self, shell: &Shell, engine: &Engine) -> anyhow::Result<Evidence> {
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
    /// Why it was looked up, and what came of it.
    pub fn citation(&self) -> Citation {
        Citation {
            trigger: self.trigger,
            triggered_by: self.triggered_by.as_deref().map(AgentId::from),
            trigger_ref: plain(self.trigger_ref.as_ref()),
            outcome: self.outcome,
            outcome_ref: None,
        }
    }
}

/// `path:10-20`; what stands behind the colon and is no range belongs to the path.
pub fn place_of(text: &str) -> (&str, Option<Lines>) {
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
pub fn observe(_: &Engine, _: &Evidence) -> Observed {
    Observed::default()
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
