//! `annals session handoff`: what the next one has to know of a session, within a budget of tokens.
//!
//! What was asked, changed and failed stands in the summary; what is known of the same follows while there is room. Made by
//! rule: no model is asked, and every word stands in an entry.

use serde::Serialize;

use super::named_or_latest;
use super::sections::{FittedPage, fitted};
use super::show::{summary_of, tell};
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::engine::Engine;
use crate::kernel::id::SessionId;
use crate::view::gist::fold;
use crate::view::recall::{RecallMoment, recall};

/// So many things that are known are looked at.
const KNOWN: usize = 20;

/// Arguments of `annals session handoff`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Which session, as in `session show` [default: the latest]
    session: Option<String>,
    /// How many tokens it may have
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    tokens: u64,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct SessionHandoff {
    session: SessionId,
    /// Markdown.
    text: String,
    /// What it comes to, counted by rule.
    tokens: u64,
    /// How many lines did not fit.
    left_out: usize,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let session = named_or_latest(shell, &engine, arguments.session.as_deref())?;
    let lines = lines(shell, &engine, &session)?;
    let FittedPage { lines, left_out, tokens } = fitted(&lines, arguments.tokens);
    let handoff = SessionHandoff { session, text: lines.join("\n"), tokens, left_out };
    if shell.wants_json() {
        shell.out.answer(&handoff)?;
        return Ok(CommandOutcome::Done);
    }
    handoff.text.lines().try_for_each(|line| shell.out.line(line))?;
    shell.out.say(format_args!("tokens {tokens}, lines left out {left_out}"))?;
    Ok(CommandOutcome::Done)
}

/// The summary, then what is known of what the session was about.
fn lines(shell: &mut Shell, engine: &Engine, session: &SessionId) -> anyhow::Result<Vec<String>> {
    let summary = summary_of(&tell(shell, engine, session)?);
    let at = shell.now(engine)?;
    let known = shell.ask(engine, |world| {
        let moment = RecallMoment { at, settings: &world.rooms.config.settings };
        recall(&world.rooms, &summary.title, KNOWN, moment)
    })?;
    let body = summary.body.lines().map(str::to_owned);
    let mut lines: Vec<_> = std::iter::once(format!("# {}", summary.title)).chain(body).collect();
    if !known.is_empty() {
        lines.extend([String::new(), "## Known of it".to_owned(), String::new()]);
        lines.extend(known.iter().map(|one| format!("- {} ({})", fold(&one.text), one.kind)));
    }
    Ok(lines.iter().map(|line| clean(engine, line)).collect())
}
