//! `annals swarm replay`: what the control room would have made of a conversation that took place without it.
//!
//! Needs no .context, and touches none.

use std::fmt;
use std::io::{self, Read as _};
use std::path::PathBuf;

use anyhow::Context as _;

use super::line::{Line, Style};
use super::output::Output;
use super::registry::{CommandRow, rows};
use super::replay::overlay;
use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::breaker::Preset;
use crate::domain::breaker::limits::PRESET;
use crate::import::swarm::{BadConversation, Conversation};
use crate::kernel::counted::counted;
use crate::kernel::grounding::Stance;
use crate::kernel::settings::{AnySetting as _, Settings};
use crate::sanitizer::{Config, Context, Sanitizer, Source};
use crate::view::escape;
use crate::view::gist::cut;
use crate::view::swarm::{AfterFreeze, Discrimination, FirstStop, How, Report, Stops, play};

/// What can be done with swarms.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Play a conversation of many agents to the circuit breakers, and say what they would have stopped
    "replay" => Runs(&With(replay)),
};

/// Arguments of `annals swarm replay`.
#[derive(Debug, clap::Args)]
pub(super) struct Replay {
    #[arg(
        help = "Lines of {speaker, text, time?, stance?, impact?, evidence?} or of threads {issue, title, comments}, or a file of Who&When or AutoDream; - is stdin"
    )]
    file: PathBuf,
    /// How strict the breakers are: light, engineering, standard or strict [default: standard]
    #[arg(long)]
    preset: Option<Preset>,
    /// Play under another configuration; `annals config list` has the keys
    #[arg(long = "set", value_name = "KEY=VALUE")]
    changes: Vec<String>,
    /// The stance of messages that state none: support, oppose or neutral
    #[arg(long, default_value = "neutral")]
    stance: Stance,
    /// Lift each freeze at once, so that every message is judged
    #[arg(long)]
    thaw: bool,
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Played<'p> {
    #[serde(flatten)]
    report: &'p Report,
    rules_in_force: InForce<'p>,
}

#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct InForce<'f> {
    /// Settings that were changed for it.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, serde_json::Value>"))]
    set: &'f Settings,
    /// The stance of messages that state none.
    stance: Stance,
    /// Whether each freeze was lifted at once.
    thaw: bool,
}

fn replay(shell: &mut Shell, arguments: &Replay) -> Done {
    let settings = settings(shell, arguments)?;
    let bytes = bytes_of(shell, arguments).with_context(|| format!("cannot read {}", arguments.file.display()))?;
    let conversation = Conversation::read(&bytes).map_err(|error| unusable(arguments, &error))?;
    let after_freeze = if arguments.thaw { AfterFreeze::IsLifted } else { AfterFreeze::Holds };
    let how = How { settings, stance: arguments.stance, after_freeze };
    let report = play(&conversation, &how);
    if shell.wants_json() {
        let rules_in_force = InForce { set: &how.settings, stance: how.stance, thaw: arguments.thaw };
        shell.out.answer(&Played { report: &report, rules_in_force })?;
    } else {
        messages(&mut shell.out, &conversation, &report)?;
        sums(&mut shell.out, &report)?;
    }
    Ok(CommandOutcome::Done)
}

fn bytes_of(shell: &Shell, arguments: &Replay) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if arguments.file.as_os_str() == "-" {
        io::stdin().read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    std::fs::read(shell.environment.directory.join(&arguments.file))
}

fn settings(shell: &mut Shell, arguments: &Replay) -> anyhow::Result<Settings> {
    let mut settings = overlay(shell, &arguments.changes)?.0;
    if let Some(preset) = arguments.preset {
        settings.set(PRESET.key(), Some(preset.as_str().into()));
    }
    Ok(settings)
}

/// What is wrong with the file is wrong with the command.
fn unusable(arguments: &Replay, error: &BadConversation) -> anyhow::Error {
    Usage(format!("{}: {error}", arguments.file.display())).into()
}

/// A line a message.
fn messages(out: &mut Output, conversation: &Conversation, report: &Report) -> anyhow::Result<()> {
    const SHOWN: usize = 60;
    let sanitizer = Sanitizer::new(Config::default())?;
    let said = |text: &str| {
        let clean = sanitizer.sanitize_text(text, &Context::of(Source::Output)).text;
        let line = clean.split_whitespace().take(SHOWN).collect::<Vec<_>>().join(" ");
        cut(&escape::line(&line), SHOWN)
    };
    let rows = conversation.messages.iter().zip(&report.messages).zip(1..).map(|((message, heard), number)| {
        let rule = heard.rule.as_deref().unwrap_or("-");
        vec![
            number.to_string(),
            heard.speaker.to_string(),
            heard.verdict.to_string(),
            rule.to_owned(),
            said(&message.text),
        ]
    });
    out.table(&[Key("no"), Key("speaker"), Key("verdict"), Goes(1, "rule"), Text("text")], &rows.collect::<Vec<_>>())?;
    Ok(())
}

/// The sums, for people.
fn sums(out: &mut Output, report: &Report) -> io::Result<()> {
    let (all, stopped, words) = (report.messages.len() as u64, report.stopped, report.words);
    let heading = format!("{}, {stopped} stopped ({})", counted(all, "message"), Share(stopped, all));
    out.styled(&Line::of(Style::Bold, heading))?;
    out.line(format_args!(
        "{} written, {} let through, {} saved ({})",
        counted(words.written, "word"),
        words.let_through,
        words.saved,
        Share(words.saved, words.written)
    ))?;
    if report.threads > 1 {
        out.line(format_args!(
            "{}, {} of them frozen",
            counted(report.threads as u64, "thread"),
            report.frozen_threads
        ))?;
    }
    discrimination(out, &report.discrimination)?;
    first(out, "first stop", report.first_stop.as_ref())?;
    first(out, "first freeze", report.first_freeze.as_ref())?;
    for (rule, count) in &report.rules {
        out.line(format_args!(
            "rule {rule}: stopped {} ({}), violated by {}",
            count.stopped,
            Share(count.stopped, all),
            count.violated
        ))?;
    }
    for (speaker, voice) in &report.speakers {
        out.line(format_args!(
            "speaker {speaker}: {} of {} stopped, {} of {} saved",
            voice.stopped,
            counted(voice.messages, "message"),
            voice.words.saved,
            counted(voice.words.written, "word")
        ))?;
    }
    for passed in &report.passed_over {
        out.line(format_args!("passed over: {} ({})", passed.line, passed.reason))?;
    }
    Ok(())
}

/// What the stops depend on. What was turned away behind a freeze was not judged, and stands apart.
fn discrimination(out: &mut Output, all: &Discrimination) -> io::Result<()> {
    let Discrimination { praise, sober, control } = all;
    for (name, stops) in [
        ("praise (a word in a hundred or more)", praise),
        ("sober", sober),
        ("control (the same speakers and times, sober text)", control),
    ] {
        let Stops { messages, stopped, turned_away } = stops;
        let share = Share(*stopped, *messages);
        out.line(format_args!("{name}: {stopped} of {messages} stopped ({share}), {turned_away} turned away"))?;
    }
    Ok(())
}

fn first(out: &mut Output, what: &str, stop: Option<&FirstStop>) -> io::Result<()> {
    match stop {
        Some(stop) => {
            let words = counted(stop.words_before, "word");
            out.line(format_args!("{what}: message {}, {}, after {words}", stop.message, stop.rule))
        }
        None => out.line(format_args!("{what}: none")),
    }
}

/// A part of a whole, in percent.
struct Share(u64, u64);

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thousandths = (self.0 * 1000 + self.1 / 2).checked_div(self.1).unwrap_or(0);
        write!(f, "{}.{} %", thousandths / 10, thousandths % 10)
    }
}
