//! `annals knowledge review|accept|reject|consolidate`: what was proposed, and what becomes of it.

use serde::Serialize;

use super::write::{decide, decide_or};
use crate::cli::line::{Line, Style};
use crate::cli::output::OutputTarget;
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, clean, text_of};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::knowledge::command::{Accept, Reject};
use crate::domain::knowledge::row::Review;
use crate::domain::knowledge::{Command, Effect, KnowledgeKind};
use crate::engine::Engine;
use crate::kernel::share::Share;
use crate::view::gist::fold;
use crate::view::knowledge::CandidateInfo;

/// Arguments of `annals knowledge review`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
    /// Only of this type: fact, preference, rule, procedure, correction, decision
    #[arg(long)]
    kind: Option<KnowledgeKind>,
    /// Those that were reviewed, too
    #[arg(long)]
    all: bool,
}

/// Arguments of `annals knowledge accept`.
#[derive(Debug, clap::Args)]
pub(crate) struct AcceptArguments {
    /// Which: ids, or the beginnings of them; `latest` is the last one that was found [default: list those that wait]
    #[arg(value_name = "CANDIDATE")]
    candidates: Vec<String>,
    /// All that wait
    #[arg(long, conflicts_with_all = ["candidates", "text", "kind"])]
    all: bool,
    /// A better wording; - reads it from stdin
    #[arg(long)]
    text: Option<String>,
    /// As another type
    #[arg(long)]
    kind: Option<KnowledgeKind>,
    /// With another confidence, 0 to 1
    #[arg(long)]
    confidence: Option<Share>,
    /// With another impact: low, medium, high
    #[arg(long)]
    impact: Option<Effect>,
}

/// Arguments of `annals knowledge reject`.
#[derive(Debug, clap::Args)]
pub(crate) struct RejectArguments {
    /// Which: ids, or the beginnings of them
    #[arg(required = true)]
    candidates: Vec<String>,
    /// Why
    #[arg(long)]
    reason: Option<String>,
}

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Candidates {
    waiting: u64,
    candidates: Vec<CandidateInfo>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let (waiting, candidates) = shell.ask(&engine, |world| {
        let room = &world.rooms.knowledge;
        let waiting = room.totals.waiting;
        let most = if arguments.all { usize::MAX } else { usize::try_from(waiting).unwrap_or(usize::MAX) };
        let is_narrowed = arguments.kind.is_some();
        let looked_at = if is_narrowed { most } else { most.min(arguments.lines) };
        let first = room.candidates.first_by_rank(looked_at).into_iter();
        let fitting = first.filter(|(_, candidate)| arguments.kind.is_none_or(|kind| kind == candidate.said.kind));
        let infos = fitting.map(|(id, candidate)| CandidateInfo { id: id.clone(), candidate: candidate.clone() });
        (waiting, infos.take(arguments.lines).collect::<Vec<_>>())
    })?;
    if shell.wants_json() {
        shell.out.answer(&Candidates { waiting, candidates })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = candidates.iter().map(|info| row(&engine, info)).collect();
    shell.out.table(
        &[
            Key("candidate"),
            Key("type"),
            Key("state"),
            Goes(3, "confidence"),
            Goes(2, "seen"),
            Goes(1, "rule"),
            Text("content"),
        ],
        &rows,
    )?;
    if shell.out.target == OutputTarget::Terminal {
        shell.out.say(format_args!("{waiting} wait; `annals knowledge accept ID`, `annals knowledge reject ID`"))?;
    }
    Ok(CommandOutcome::Done)
}

fn row(engine: &Engine, info: &CandidateInfo) -> Vec<String> {
    let candidate = &info.candidate;
    let said = &candidate.said;
    let state = match candidate.review {
        Review::Waiting => "waits".to_owned(),
        Review::Accepted | Review::Rejected => candidate.review.to_string(),
    };
    vec![
        info.id.to_string(),
        said.kind.to_string(),
        state,
        said.confidence.to_string(),
        candidate.seen.to_string(),
        said.source.rule.as_deref().unwrap_or("-").to_owned(),
        clean(engine, &fold(&said.content)),
    ]
}

pub(super) fn accept(shell: &mut Shell, arguments: &AcceptArguments) -> Done {
    let engine = shell.engine()?;
    let waiting = waiting(shell, &engine)?;
    let chosen: Vec<String> = match arguments.candidates.as_slice() {
        [] if arguments.all => waiting.candidates.iter().map(|info| info.id.to_string()).collect(),
        [] => return list_waiting(shell, &engine, &waiting),
        [latest] if latest == LATEST => {
            let none = || Usage("no candidate waits for a review".to_owned());
            vec![waiting.candidates.first().ok_or_else(none)?.id.to_string()]
        }
        named => named.to_vec(),
    };
    let content: Option<Box<str>> = arguments.text.as_deref().map(text_of).transpose()?.map(Into::into);
    for text in &chosen {
        let candidate = super::candidate(shell, &engine, text)?;
        // Whole, before it counts: nobody accepts words that were not shown.
        if let Some(info) = waiting.candidates.iter().find(|info| info.id == candidate).filter(|_| content.is_none()) {
            whole(shell, &engine, info)?;
        }
        let AcceptArguments { kind, confidence, impact, .. } = *arguments;
        let done = decide(
            shell,
            &engine,
            Command::from(Accept { candidate, content: content.clone(), kind, confidence, impact }).into(),
        )?;
        if done != CommandOutcome::Done {
            return Ok(done);
        }
    }
    Ok(CommandOutcome::Done)
}

/// The word for the candidate that was found last.
const LATEST: &str = "latest";

/// What waits, the latest first.
fn waiting(shell: &Shell, engine: &Engine) -> anyhow::Result<Candidates> {
    shell.ask(engine, |world| {
        let room = &world.rooms.knowledge;
        let waiting = room.totals.waiting;
        let most = usize::try_from(waiting).unwrap_or(usize::MAX);
        let first = room.candidates.first_by_rank(most).into_iter();
        let first = first.filter(|(_, candidate)| candidate.review == Review::Waiting);
        let candidates = first.map(|(id, candidate)| CandidateInfo { id: id.clone(), candidate: candidate.clone() });
        Candidates { waiting, candidates: candidates.collect() }
    })
}

fn list_waiting(shell: &mut Shell, engine: &Engine, waiting: &Candidates) -> Done {
    if shell.wants_json() {
        shell.out.answer(waiting)?;
        return Ok(CommandOutcome::Done);
    }
    for info in &waiting.candidates {
        whole(shell, engine, info)?;
    }
    shell.out.say(if waiting.candidates.is_empty() {
        "no candidate waits; hooks and imports find them in what you say, `annals knowledge extract` in what was recorded"
    } else {
        "`annals knowledge accept CANDIDATE` lets one count, `--all` all of them; `annals knowledge reject CANDIDATE` ends one"
    })?;
    Ok(CommandOutcome::Done)
}

/// A candidate with all of its words: a table would cut off what stands behind.
fn whole(shell: &mut Shell, engine: &Engine, info: &CandidateInfo) -> std::io::Result<()> {
    let said = &info.candidate.said;
    let words = clean(engine, &fold(&said.content));
    shell.out.styled(&Line::of(Style::Dim, &info.id).then(format_args!("  {}: {words}", said.kind)))
}

pub(super) fn reject(shell: &mut Shell, arguments: &RejectArguments) -> Done {
    let engine = shell.engine()?;
    for text in &arguments.candidates {
        let candidate = super::candidate(shell, &engine, text)?;
        let reason = arguments.reason.as_deref().map(Into::into);
        let done = decide(shell, &engine, Command::from(Reject { candidate, reason }).into())?;
        if done != CommandOutcome::Done {
            return Ok(done);
        }
    }
    Ok(CommandOutcome::Done)
}

/// Proposes that texts become one.
pub(super) fn consolidate(shell: &mut Shell, engine: &Engine, command: crate::domain::Command) -> Done {
    decide_or(shell, engine, command, "no text is known so often that it should become one entry")
}
