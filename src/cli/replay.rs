//! `annals replay`: makes every decision again and compares; under another configuration it goes on from what would have been.

use annals_sparse::sparse;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use super::output::Output;
use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::table::Column::Key;
use crate::engine::replay::{Counterfactual, Differed, Report, Stopped, Undecidable, Which, decides};
use crate::engine::settings;
use crate::kernel::counted::counted;
use crate::kernel::decision::Refusal;
use crate::kernel::json::tree;
use crate::kernel::settings::Settings;
use crate::world::decision;
use crate::world::otherwise::{Missing, Overlay};

/// Arguments of `annals replay`.
#[derive(Debug, clap::Args)]
#[command(override_usage = "annals replay [OPTIONS] <SESSION>\n       annals replay [OPTIONS] --all")]
pub(super) struct Arguments {
    /// The session whose decisions are made again
    #[arg(required_unless_present = "all", allow_negative_numbers = true)]
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

/// The answer in JSON.
#[sparse]
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Replayed<'r> {
    /// Settings that were changed for it.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, serde_json::Value>"))]
    set: &'r Settings,
    report: &'r Report,
    /// What would have come under these settings, where some were given.
    counterfactual: Option<&'r Counterfactual>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let overlay = overlay(shell, &arguments.changes)?;
    let engine = shell.engine()?;
    let which = match &arguments.session {
        None => Which::All,
        Some(session) => Which::Session(shell.find_session(&engine, session)?),
    };
    let report = engine.replay(&which)?;
    let has_overlay = overlay.0.iter().next().is_some();
    let other = has_overlay.then(|| engine.replay_otherwise(&which, &overlay)).transpose()?;
    if shell.wants_json() {
        shell.out.answer(&Replayed { set: &overlay.0, report: &report, counterfactual: other.as_ref() })?;
    } else {
        show(&mut shell.out, &report)?;
        other.as_ref().map_or(Ok(()), |other| show_other(&mut shell.out, other))?;
    }
    let is_unknown = report.claims_unknown_rules() && !arguments.allow_newer;
    let is_other = other.is_some_and(|other| !other.otherwise.is_empty() || !other.undecidable.is_empty());
    Ok(if report.differed.is_empty() && !is_unknown && !is_other {
        CommandOutcome::Done
    } else {
        CommandOutcome::Refused
    })
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

fn show(out: &mut Output, report: &Report) -> std::io::Result<()> {
    for (index, differed) in report.differed.iter().enumerate() {
        if index == 0 { show_whole(out, differed)? } else { out.line(headline(differed))? }
    }
    let Report { lines, decisions, matched, .. } = report;
    let (lines, decisions) = (counted(*lines, "line"), counted(*decisions, "decision"));
    out.line(format_args!("{lines}, {decisions}: {matched} matched, {} differed", report.differed.len()))?;
    for (reason, count) in &report.passed_over {
        out.line(format_args!("passed over: {count} {reason}"))?;
    }
    Ok(())
}

fn show_other(out: &mut Output, other: &Counterfactual) -> std::io::Result<()> {
    out.line("")?;
    for (index, differed) in other.otherwise.iter().enumerate() {
        if index == 0 {
            show_whole(out, differed)?;
        } else {
            let (place, upshot) = (headline(differed), upshot(differed));
            out.line(format_args!("{place}  (of a world that was not: {upshot})"))?;
        }
    }
    for Undecidable { entry, command, segment, line, missing, .. } in &other.undecidable {
        let why = match missing {
            Missing::Thing(name) => format!("{name} never came to be"),
            Missing::Proof => "nobody asked for a token then".to_owned(),
        };
        out.line(format_args!("history/{segment}:{line}  {entry}  {command}  (can no longer be decided: {why})"))?;
    }
    let Counterfactual { decisions, as_recorded, taken_as_they_stand, .. } = other;
    let (otherwise, undecidable) = (other.otherwise.len(), other.undecidable.len());
    let decisions = counted(*decisions, "decision");
    let sums = format!("{as_recorded} as recorded, {otherwise} otherwise, {undecidable} that can no longer be decided");
    out.line(format_args!("{decisions} under the other configuration: {sums}"))?;
    if *taken_as_they_stand > 0 {
        out.line(format_args!("{taken_as_they_stand} taken as they stand: they do not come out as recorded"))?;
    }
    if other.rules.is_empty() {
        return out.line("no rule stopped anything, then or now");
    }
    let rows = other
        .rules
        .iter()
        .map(|(rule, Stopped { then, now })| vec![rule.to_string(), then.to_string(), now.to_string()]);
    out.table(&[Key("stopped by"), Key("then"), Key("now")], &rows.collect::<Vec<_>>())
}

/// What a decision comes to that comes out otherwise.
fn upshot(differed: &Differed) -> String {
    let rule = |refusal: Option<Refusal>| refusal.map(|refusal| refusal.rule);
    let recorded = differed.difference.recorded.as_ref().and_then(|outcome| outcome.read::<decision::Outcome>().ok());
    let then = rule(recorded.and_then(|outcome| outcome.refusal));
    let now = rule(differed.difference.replayed.clone().and_then(|outcome| outcome.refusal));
    match (then, now) {
        (_, Some(now)) => format!("stopped by {now}"),
        (Some(then), None) => format!("not stopped by {then} any more"),
        (None, None) => "other events".to_owned(),
    }
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
    serde_json::to_string_pretty(&tree(&outcome)).expect("BUG: a value does not serialize")
}
