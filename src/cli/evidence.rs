//! `annals evidence …`: whether what is cited stands where it says, now and again later (control-room 11.3).
//!
//! Only looks: nothing is recorded.

use std::collections::BTreeSet;
use std::path::PathBuf;

use annals_sparse::sparse;
use serde::Serialize;

use super::issue;
use super::shell::{CommandOutcome, Done, Shell, clean};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::engine::Engine;
use crate::engine::evidence::recheck::{LookedAgain, Rechecked, recheck};
use crate::engine::evidence::{check, say};
use crate::kernel::counted::counted;
use crate::kernel::grounding::{Checked, Evidence, FileReference};
use crate::kernel::id::EntryId;
use crate::view::issue::markdown::finding;

/// Commands about evidence.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Look whether a file, lines of it and a quote are there
    Check(CitedPlace),
    /// Look again at what comments cited
    Recheck {
        /// Only those of this issue: 42, 42b, or its id
        issue: Option<String>,
    },
}

/// A place in a file.
#[derive(Debug, clap::Args)]
pub(super) struct CitedPlace {
    /// A file of the project, from its root, with lines: src/main.rs:10-12
    #[arg(value_name = "PATH[:LINES]")]
    place: String,
    /// What stands there
    #[arg(long, value_name = "TEXT")]
    quote: Option<String>,
}

/// The answer of `check` in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct One<'o> {
    reference: &'o FileReference,
    verified: bool,
    score: u32,
    finding: &'o str,
    #[serde(flatten)]
    checked: &'o Checked,
}

/// The answer of `recheck` in JSON.
#[sparse]
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Many<'m> {
    /// Whether everything that was cited holds; never where nothing was.
    all_verified: bool,
    /// How many quotes were too much to compare, and looked for to the letter only.
    #[sparse]
    cut_short: usize,
    citations: &'m [Rechecked],
}

pub(super) fn run(shell: &mut Shell, command: &Command) -> Done {
    match command {
        Command::Check(place) => check_one(shell, place),
        Command::Recheck { issue } => check_again(shell, issue.as_deref()),
    }
}

/// The folder that holds `.context`.
fn project(shell: &Shell) -> anyhow::Result<PathBuf> {
    let context = shell.context()?;
    Ok(context.parent().map(Into::into).unwrap_or(context))
}

fn check_one(shell: &mut Shell, place: &CitedPlace) -> Done {
    let reference = say::reference(&place.place, place.quote.as_deref());
    let evidence = Evidence { files: vec![reference.clone()], ..Evidence::default() };
    let checked = check(&project(shell)?, &evidence).remove(0);
    let (verified, finding) = (checked.is_verified(), finding(&checked));
    if shell.wants_json() {
        let (score, finding) = (checked.score(), finding.as_str());
        let one = One { reference: &reference, verified, score, finding, checked: &checked };
        shell.out.answer(&one)?;
    } else {
        let answer = if verified { "yes" } else { "no" };
        shell.out.line(format_args!("{answer}: {}: {finding}", say::place(&reference)))?;
    }
    Ok(if verified { CommandOutcome::Done } else { CommandOutcome::Refused })
}

fn check_again(shell: &mut Shell, issue: Option<&str>) -> Done {
    let engine = shell.engine()?;
    let texts = issue.map(|issue| thread(shell, &engine, issue)).transpose()?;
    let LookedAgain { citations, cut_short } = recheck(&engine, &project(shell)?, texts.as_ref(), shell.until()?)?;
    let holding = citations.iter().filter(|citation| citation.verdict.holds()).count();
    let all_verified = holding == citations.len() && !citations.is_empty();
    if shell.wants_json() {
        shell.out.answer(&Many { all_verified, cut_short, citations: &citations })?;
    } else if citations.is_empty() {
        shell.out.say("no file was cited: nothing is verified")?;
    } else {
        let rows =
            citations.iter().map(|citation| row(shell, &engine, citation)).collect::<anyhow::Result<Vec<_>>>()?;
        shell.out.table(
            &[Key("verdict"), Key("issue"), Goes(1, "by"), Goes(2, "comment"), Text("cited"), Text("now")],
            &rows,
        )?;
        shell.out.say(format_args!("{holding} of {} citations hold", citations.len()))?;
        if cut_short > 0 {
            let quotes = counted(cut_short as u64, "quote");
            shell.out.say(format_args!("{quotes}: too much to compare, looked for to the letter only"))?;
        }
    }
    Ok(if all_verified || citations.is_empty() { CommandOutcome::Done } else { CommandOutcome::Refused })
}

fn row(shell: &Shell, engine: &Engine, citation: &Rechecked) -> anyhow::Result<Vec<String>> {
    Ok(vec![
        citation.verdict.to_string(),
        issue::name(shell, engine, &citation.issue)?,
        citation.by.as_ref().map(ToString::to_string).unwrap_or_default(),
        citation.entry.to_string(),
        clean(engine, &say::place(&citation.reference)),
        finding(&citation.now),
    ])
}

/// The entries of an issue's thread.
fn thread(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<BTreeSet<EntryId>> {
    let id = issue::find(shell, engine, text)?;
    let cited = shell.ask(engine, |world| {
        let issue = world.rooms.issue.issue(&id)?;
        Some(issue.thread.iter().map(|remark| remark.id).collect())
    })?;
    cited.ok_or_else(|| issue::unknown(text))
}
