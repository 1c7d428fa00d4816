//! `annals replay`: makes every decision again and compares; under another configuration it shows what would differ.

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use super::output::Output;
use super::shell::{Done, Outcome, Shell, Usage, find_session};
use crate::engine::replay::{Differed, Report, Which, decides};
use crate::engine::settings;
use crate::kernel::counted::counted;
use crate::kernel::settings::Settings;
use crate::world::replay::{Overlay, Under};

/// Arguments of `annals replay`.
#[derive(Debug, clap::Args)]
#[command(override_usage = "annals replay [OPTIONS] <SESSION>\n       annals replay [OPTIONS] --all")]
pub struct Arguments {
    /// The session whose decisions are made again
    #[arg(required_unless_present = "all")]
    session: Option<String>,
    /// Every decision of the history
    #[arg(long, conflicts_with = "session")]
    all: bool,
    /// Accept decisions that claim other rules than this program knows
    #[arg(long)]
    allow_newer: bool,
    /// Decide under another configuration
    #[arg(long = "set", value_name = "KEY=VALUE")]
    changes: Vec<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let overlay = overlay(shell, &arguments.changes)?;
    let engine = shell.engine()?;
    let which = match &arguments.session {
        None => Which::All,
        Some(session) => Which::Session(find_session(&mut shell.world(&engine)?, session)?),
    };
    let report = engine.replay(&which, &overlay)?;
    if shell.wants_json() {
        let mut answer = serde_json::json!({ "schema": "annals.replay/v1", "set": overlay.0 });
        answer["report"] = serde_json::to_value(&report)?;
        shell.out.json(&answer)?;
    } else {
        show(&mut shell.out, &report, &overlay)?;
    }
    let is_unknown = report.claims_unknown_rules() && !arguments.allow_newer;
    Ok(if report.differed.is_empty() && !is_unknown { Outcome::Done } else { Outcome::Refused })
}

/// The changes that `--set` makes.
pub(super) fn overlay(shell: &mut Shell, changes: &[String]) -> anyhow::Result<Overlay> {
    let mut settings = Settings::default();
    for change in changes {
        let usage = || Usage(format!("--set {change}: write KEY=VALUE"));
        let (key, text) = change.split_once('=').ok_or_else(usage)?;
        let setting = settings::find(key).map_err(|error| Usage(error.to_string()))?;
        let value = serde_json::from_str(text).unwrap_or_else(|_| serde_json::Value::from(text));
        setting.check(&value).map_err(|error| Usage(error.to_string()))?;
        if !decides(key) {
            shell.out.say(format_args!("note: no rule reads {key}, so it changes no decision"))?;
        }
        settings.set(key, Some(value));
    }
    Ok(Overlay(settings))
}

fn show(out: &mut Output, report: &Report, overlay: &Overlay) -> std::io::Result<()> {
    let otherwise = |differed: &&Differed| differed.difference.under == Under::TheOverlay;
    for (index, differed) in report.differed.iter().enumerate() {
        match (index, otherwise(&differed)) {
            (0, _) => show_whole(out, differed)?,
            (_, true) => out.line(format_args!("{}  (of a world that was not)", headline(differed)))?,
            (_, false) => out.line(headline(differed))?,
        }
    }
    let Report { lines, decisions, matched, .. } = report;
    let hypothetical = report.differed.iter().filter(otherwise).count();
    let differed = report.differed.len() - hypothetical;
    let has_overlay = overlay.0.iter().next().is_some();
    let more = if has_overlay { format!(", {hypothetical} would have come out otherwise") } else { String::new() };
    let (lines, decisions) = (counted(*lines, "line"), counted(*decisions, "decision"));
    out.line(format_args!("{lines}, {decisions}: {matched} matched, {differed} differed{more}"))?;
    for (reason, count) in &report.passed_over {
        out.line(format_args!("passed over: {count} {reason}"))?;
    }
    Ok(())
}

fn headline(difference: &Differed) -> String {
    format!("history/{}:{}  {}  {}", difference.segment, difference.line, difference.entry, difference.command)
}

/// The first difference, as a diff of the outcomes.
fn show_whole(out: &mut Output, differed: &Differed) -> std::io::Result<()> {
    out.line(headline(differed))?;
    let difference = &differed.difference;
    let (recorded, replayed) = (pretty(difference.recorded.as_ref()), pretty(difference.replayed.as_ref()));
    out.line("--- recorded")?;
    out.line("+++ replayed")?;
    for change in TextDiff::from_lines(&recorded, &replayed).iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => ' ',
        };
        out.line(format_args!("{sign}{}", change.value().trim_end()))?;
    }
    Ok(())
}

/// Keys in the order of the alphabet on both sides, so that the order of writing is no difference.
fn pretty(outcome: Option<&impl Serialize>) -> String {
    let value = serde_json::to_value(outcome).expect("BUG: an outcome does not serialize");
    serde_json::to_string_pretty(&value).expect("BUG: a value does not serialize")
}
