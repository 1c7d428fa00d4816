//! `annals analyse SESSION`: what a session says of prompts, answers, coordination, mistakes and code (AFS 5); `range` looks
//! at several.

pub(super) mod by_model;
pub(super) mod range;

use std::io;

use serde::Serialize;
use serde_json::Value;

use self::by_model::{ModelAnalysis, SessionLook};
use super::line::{Line, Style};
use super::models::ByModel;
use super::session::named_or_latest;
use super::shell::{CommandOutcome, Done, Shell, Usage, clean};
use super::wanted::Wanted;
use crate::analysis::computed::Computed;
use crate::analysis::metrics::choice::Given;
use crate::analysis::settings::{DEFAULT_MODE, METRICS_GIVEN};
use crate::analysis::step::{Record, What};
use crate::analysis::told::{Finding, Told};
use crate::analysis::{Analysis, AnalysisMode, analyse};
use crate::cli::table::Column::Key;
use crate::engine::Engine;
use crate::kernel::counted::count;
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::settings::{AnySetting as _, Settings};
use crate::view::gist::{fold, short_id};

/// Arguments of `annals analyse`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Its id, the beginning or end of it, or the id of its own tool; @, last and -1 are the latest, -2 is the one before;
    /// of several, or A..B, a table [default: the latest]
    #[arg(value_name = "SESSION", allow_negative_numbers = true)]
    sessions: Vec<String>,
    /// none, eval, tom, metrics, critic, emotional, synergy, review, documentation [default: what `analysis.default_mode` says]
    #[arg(long, value_parser = mode)]
    mode: Option<AnalysisMode>,
    /// What no recording says, for metrics: `baseline_accuracy=0.4`; may be given again
    #[arg(long, value_name = "KEY=VALUE")]
    given: Vec<String>,
    /// How many findings, or sessions, to print; 0: all
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    judge: ByModel,
}

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct AnalysisAnswer {
    session: SessionId,
    mode: AnalysisMode,
    steps: usize,
    analysis: Analysis,
    /// What a model says beside it, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_model: Option<ModelAnalysis>,
}

/// The answer in JSON of the mode `none`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Overview {
    session: SessionId,
    mode: AnalysisMode,
    steps: usize,
    modes: Vec<Offer>,
}

/// What a mode could say of a session.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Offer {
    mode: AnalysisMode,
    computed: usize,
    not_computable: usize,
    findings: usize,
}

/// A mode that looks at a session by rules.
fn mode(text: &str) -> Result<AnalysisMode, String> {
    let known: Vec<AnalysisMode> =
        AnalysisMode::ALL.iter().copied().filter(|mode| *mode != AnalysisMode::Council).collect();
    if text == AnalysisMode::Council.as_str() {
        return Err("a council is opened, not analysed: `annals council open`".to_owned());
    }
    let names = || known.iter().map(|mode| mode.as_str()).collect::<Vec<_>>().join(", ");
    known.iter().copied().find(|mode| mode.as_str() == text).ok_or_else(|| format!("\"{text}\" is none of {}", names()))
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let settings = settings(shell, &engine, arguments)?;
    if range::is_asked(arguments) {
        if arguments.judge.by_model {
            return Err(Usage("--by-model is about one session, in one mode".to_owned()).into());
        }
        return range::run(shell, &engine, arguments, &settings);
    }
    let id = named_or_latest(shell, &engine, arguments.sessions.first().map(String::as_str))?;
    let mode = mode_of(arguments, &settings);
    let record = read(shell, &engine, &id)?;
    let steps = record.steps.len();
    let analysis = analyse(mode, &record, &settings);
    let by_model = by_model(shell, &engine, arguments, mode, &id, analysis.as_ref())?;
    let outcome = by_model.as_ref().map_or(CommandOutcome::Done, ModelAnalysis::outcome);
    match analysis {
        Some(analysis) if shell.wants_json() => {
            shell.out.answer(&AnalysisAnswer { session: id, mode, steps, analysis, by_model })?;
        }
        Some(analysis) => {
            header(shell, &engine, &id, mode, &record)?;
            print(shell, &engine, &analysis.told(), arguments.lines)?;
            by_model.map_or(Ok(()), |found| by_model::print(shell, &found))?;
        }
        None => overview(shell, &engine, id, &record, &settings)?,
    }
    Ok(outcome)
}

/// What a model says, where one is to be asked.
fn by_model(
    shell: &Shell,
    engine: &Engine,
    arguments: &Arguments,
    mode: AnalysisMode,
    session: &SessionId,
    analysis: Option<&Analysis>,
) -> anyhow::Result<Option<ModelAnalysis>> {
    if !arguments.judge.by_model {
        return Ok(None);
    }
    let judge = by_model::judge_of(shell, engine, mode, arguments.judge.model.as_deref())?;
    let until = Some(shell.until()?).filter(|until| *until != EntryId::MAX);
    by_model::analysed(engine, &judge, &SessionLook { mode, session, until, analysis, agent: None }).map(Some)
}

fn mode_of(arguments: &Arguments, settings: &Settings) -> AnalysisMode {
    arguments.mode.unwrap_or_else(|| settings.get(&DEFAULT_MODE))
}

/// The settings in force, and what was given for this once.
fn settings(shell: &Shell, engine: &Engine, arguments: &Arguments) -> anyhow::Result<Settings> {
    let mut settings = shell.ask(engine, |world| world.rooms.config.settings.clone())?;
    if arguments.given.is_empty() {
        return Ok(settings);
    }
    let mut given = serde_json::to_value(settings.get(&METRICS_GIVEN))?;
    for pair in &arguments.given {
        let wrong = || Usage(format!("--given {pair}: give KEY=VALUE, as in baseline_accuracy=0.4"));
        let (key, value) = pair.split_once('=').ok_or_else(wrong)?;
        given[key.trim()] = serde_json::from_str(value.trim()).unwrap_or_else(|_| Value::from(value));
    }
    let read: Result<Given, _> = serde_json::from_value(given.clone());
    read.map_err(|error| Usage(format!("--given: {error}")))?;
    settings.set(METRICS_GIVEN.key(), Some(given));
    Ok(settings)
}

/// The session and those below it, with large values in place.
fn read(shell: &mut Shell, engine: &Engine, id: &SessionId) -> anyhow::Result<Record> {
    let until = Some(shell.until()?).filter(|until| *until != EntryId::MAX);
    let mut reader = engine.reader()?;
    let record = reader.record(id, until)?;
    shell.say_noticed(&reader.notices)?;
    Ok(record)
}

fn header(shell: &mut Shell, engine: &Engine, id: &SessionId, mode: AnalysisMode, record: &Record) -> io::Result<()> {
    let number = |fits: &dyn Fn(&What) -> bool| record.steps.iter().filter(|step| fits(&step.what)).count();
    let asked = record.steps.iter().filter(|step| step.prompt().is_some()).count();
    let (said, called) =
        (number(&|what| matches!(what, What::Said(_))), number(&|what| matches!(what, What::Called(_))));
    let title =
        record.steps.iter().find_map(|step| step.prompt()).map(|prompt| clean(engine, prompt)).unwrap_or_default();
    shell.out.styled(&Line::of(Style::Bold, format_args!("{mode} of session {id}")))?;
    if !title.is_empty() {
        let title = crate::view::gist::cut(&fold(&title), 100);
        shell.out.styled(&Line::of(Style::Dim, title))?;
    }
    let numbers = format!(
        "{}: {}, {}, {}",
        count(record.steps.len(), "entry", "entries"),
        count(asked, "prompt", "prompts"),
        count(said, "message", "messages"),
        count(called, "call", "calls")
    );
    shell.out.styled(&Line::of(Style::Dim, numbers))
}

fn print(shell: &mut Shell, engine: &Engine, told: &Told, most: usize) -> io::Result<()> {
    for note in &told.notes {
        let note = fold(&clean(engine, note));
        shell.out.line(note)?;
    }
    if !told.figures.is_empty() {
        shell.out.line("")?;
    }
    // What only a person can say is named in one line: a screen of what is missing says nothing.
    let (given, figures): (Vec<_>, Vec<_>) = told.figures.iter().partition(|figure| is_to_give(&figure.value));
    let width = figures.iter().map(|figure| figure.name.len()).max().unwrap_or_default();
    for figure in figures {
        let of = if figure.of.is_empty() || figure.value.value().is_none() {
            String::new()
        } else {
            format!("  ({})", figure.of)
        };
        let style = if figure.value.value().is_some() { Style::Plain } else { Style::Dim };
        let line = Line::plain(format_args!("{:<width$}  ", figure.name)).and(style, &figure.value);
        shell.out.styled(&line.then("  ").and(Style::Dim, fold(&of).trim()))?;
    }
    if !given.is_empty() {
        let names: Vec<_> = given.iter().map(|figure| figure.name).collect();
        let names =
            format_args!("not computable without --given, or analysis.metrics.given: {}", names.join(", ")).to_string();
        shell.out.styled(&Line::of(Style::Dim, names))?;
    }
    if !told.findings.is_empty() {
        shell.out.line("")?;
    }
    let shown = if most == 0 { told.findings.len() } else { most.min(told.findings.len()) };
    for finding in &told.findings[..shown] {
        shell.out.styled(&finding_line(engine, finding))?;
    }
    if shown < told.findings.len() {
        let more = told.findings.len() - shown;
        shell.out.styled(&Line::of(Style::Dim, format_args!("… {more} more; -n 0 shows all")))?;
    }
    Ok(())
}

/// Whether a figure waits for somebody to give what no record says.
fn is_to_give(value: &Computed<String>) -> bool {
    if let Computed::NotComputable(missing) = value { missing.contains("--given") } else { false }
}

fn finding_line(engine: &Engine, finding: &Finding) -> Line {
    let style = match finding.kind.as_str() {
        "critical" => Style::Red,
        "major" => Style::Yellow,
        _ => Style::Cyan,
    };
    let text = fold(&clean(engine, &finding.text));
    let ids: Vec<_> = finding.entries.iter().take(SHOWN).map(|id| short_id(&id.to_string()).to_owned()).collect();
    let more = finding.entries.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let line = Line::of(style, &finding.kind).then(format_args!("  {text} "));
    line.and(Style::Dim, format_args!("[{}{more}]", ids.join(" ")))
}

/// So many entries of a finding are named.
const SHOWN: usize = 6;

/// Which modes could say something.
fn overview(shell: &mut Shell, engine: &Engine, id: SessionId, record: &Record, settings: &Settings) -> io::Result<()> {
    // `synergy` is deferred (AFS 5.2.6), and says nothing of a single session.
    let modes: Vec<_> = AnalysisMode::ALL
        .iter()
        .filter(|mode| **mode != AnalysisMode::Synergy)
        .filter_map(|mode| Some((*mode, analyse(*mode, record, settings)?.told())))
        .collect();
    let offers: Vec<_> = modes.iter().map(|(mode, told)| Offer::of(*mode, told)).collect();
    if shell.wants_json() {
        let overview = Overview { session: id, mode: AnalysisMode::None, steps: record.steps.len(), modes: offers };
        return shell.out.answer(&overview);
    }
    header(shell, engine, &id, AnalysisMode::None, record)?;
    let rows: Vec<_> = offers.iter().map(Offer::row).collect();
    shell.out.table(&[Key("mode"), Key("figures"), Key("not computable"), Key("findings")], &rows)
}

impl Offer {
    fn of(mode: AnalysisMode, told: &Told) -> Self {
        let computed = told.figures.iter().filter(|figure| figure.value.value().is_some()).count();
        Self { mode, computed, not_computable: told.figures.len() - computed, findings: told.findings.len() }
    }

    fn row(&self) -> Vec<String> {
        vec![
            self.mode.to_string(),
            self.computed.to_string(),
            self.not_computable.to_string(),
            self.findings.to_string(),
        ]
    }
}
