//! `annals session summary`: what was done in a session, as the rules say it and, beside that, as a model does.
//!
//! A model is asked only with --by-model; what it says is kept beside the rules' summary and takes its place nowhere.

use annals_llm::Purpose;
use serde::Serialize;

use super::show::{ToldSession, named_or_latest, summary_of, tell};
use crate::cli::line::{Line, Style};
use crate::cli::models::{ByModel, HeardWord, Judge, Keeping, by, unseen};
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::domain::session::command::{Entity, Summarize, Summary};
use crate::domain::session::row::ModelSummary;
use crate::domain::session::{Command, Observed};
use crate::engine::Engine;
use crate::engine::query::expand::Expansion;
use crate::engine::withheld::withhold_all;
use crate::kernel::counted::count;
use crate::kernel::id::SessionId;
use crate::kernel::json::Json;
use crate::role::judged::summary::{SaidSummary, question, read};
use crate::role::judged::{SessionStep, StepVoice};
use crate::view::story::{Piece, StoryVoice, steps};

/// Arguments of `annals session summary`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Its id, the beginning or end of it, or the id of its own tool; @, last and -1 are the latest, -2 is the one before
    /// [default: the latest]
    #[arg(allow_negative_numbers = true)]
    session: Option<String>,
    #[command(flatten)]
    judge: ByModel,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Summaries {
    session: SessionId,
    /// What the rules say.
    rules: Summary,
    /// What a model said, the latest; none where none was asked.
    model: Option<ModelSummary>,
    /// Calls on files that hold secrets, and lines of such files, that no model was told now.
    left_out: usize,
    /// Characters of the session that the model was not shown now: what it said is no summary of the whole.
    unseen: u64,
}

/// What came of asking a model.
struct AskedSummary {
    outcome: CommandOutcome,
    left_out: usize,
    unseen: u64,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let id = named_or_latest(shell, &engine, arguments.session.as_deref())?;
    let told = tell(shell, &engine, &id)?;
    let AskedSummary { outcome, left_out, unseen } = if arguments.judge.by_model {
        by_model(shell, &engine, &told, arguments.judge.model.as_deref())?
    } else {
        AskedSummary { outcome: CommandOutcome::Done, left_out: 0, unseen: 0 }
    };
    let model = shell
        .ask(&engine, |world| world.rooms.session.session(&id).and_then(|session| session.model_summary.clone()))?;
    let summaries = Summaries { session: id, rules: summary_of(&told), model, left_out, unseen };
    if shell.wants_json() {
        shell.out.answer(&summaries)?;
    } else {
        print(shell, &engine, &summaries)?;
    }
    Ok(outcome)
}

fn print(shell: &mut Shell, engine: &Engine, summaries: &Summaries) -> std::io::Result<()> {
    page(shell, engine, "by the rules", &summaries.rules)?;
    let Some(ModelSummary { summary, model, at }) = &summaries.model else { return Ok(()) };
    shell.out.line("")?;
    page(shell, engine, &format!("by the model {model}, {at}"), summary)
}

fn page(shell: &mut Shell, engine: &Engine, whose: &str, summary: &Summary) -> std::io::Result<()> {
    let title = clean(engine, &summary.title);
    shell.out.styled(&Line::of(Style::Bold, title).then("  ").and(Style::Dim, whose))?;
    shell.out.page(&clean(engine, summary.body.trim_end()))?;
    let entity = |Entity { name, kind, mentions }: &Entity| format!("{name} ({kind}, {mentions})");
    let entities: Vec<_> = summary.entities.iter().map(entity).collect();
    if entities.is_empty() {
        return Ok(());
    }
    shell.out.styled(&Line::of(Style::Dim, clean(engine, &format!("about: {}", entities.join(", ")))))
}

/// Asks a model and keeps what it says, if that can be read.
fn by_model(
    shell: &mut Shell,
    engine: &Engine,
    told: &ToldSession,
    model: Option<&str>,
) -> anyhow::Result<AskedSummary> {
    let (steps, left_out) = shown(engine, told);
    shell.say_withheld(left_out)?;
    let judge = Judge::of(shell, engine, Purpose::Summary, model)?;
    let asked = question(&steps);
    let chars = u64::try_from(asked.left_out).unwrap_or(u64::MAX);
    let word = judge.ask(engine, "summary", &asked, Keeping::Open)?;
    match HeardWord::read(word, |raw| read(raw, &steps)) {
        HeardWord::Clear { word, says: SaidSummary { mut summary, dropped } } => {
            shell.out.say(format_args!("{}", by(&word)))?;
            if dropped > 0 {
                let dropped = count(dropped, "entity", "entities");
                shell.out.say(format_args!("dropped: {dropped} that the session does not mention"))?;
            }
            // It says so itself, wherever it is read.
            if chars > 0 {
                summary.body = format!("{}\n[{}]", summary.body, unseen(chars)).into();
            }
            let observed = Json::of(&Observed { summary: Some(summary), model: Some(word) });
            let command = Command::from(Summarize { session: told.id().clone() });
            let answer = engine.decide(command, &engine.clean_summary(&observed), &shell.by_now())?;
            let Some(refusal) = &answer.refusal else {
                return Ok(AskedSummary { outcome: CommandOutcome::Done, left_out, unseen: chars });
            };
            shell.say_refused(refusal)?;
        }
        HeardWord::Nothing { why, .. } => shell.out.say(format_args!("no summary by a model: {why}"))?,
    }
    Ok(AskedSummary { outcome: CommandOutcome::Refused, left_out, unseen: chars })
}

/// The session as a model sees it: words and calls, and no thoughts; clean as what is shown, without what is of files that
/// hold secrets. How much of that there was.
fn shown(engine: &Engine, told: &ToldSession) -> (Vec<SessionStep>, usize) {
    let step = |who, text: &str| SessionStep { who, text: clean(engine, text) };
    let tool = |name: &str| StepVoice::Tool(clean(engine, name));
    let of = |piece: Piece| match piece {
        Piece::Words { voice: StoryVoice::Person, text } => Some(step(StepVoice::Person, &text)),
        Piece::Words { voice: StoryVoice::Agent, text } => Some(step(StepVoice::Agent, &text)),
        Piece::Words { voice: StoryVoice::Thought, .. } | Piece::Child { .. } => None,
        Piece::Call { name, input, outcome, .. } => Some(match outcome {
            Ok(text) => step(tool(&name), &format!("{input} -> {text}")),
            Err(text) => step(tool(&name), &format!("{input} -> failed: {text}")),
        }),
        Piece::Mark { name, text, .. } => Some(step(tool(&name), &text)),
    };
    let (mut entries, mut expansion) = (told.entries().to_vec(), Expansion::default());
    for entry in &mut entries {
        expansion.entry(engine, entry);
    }
    let left_out = withhold_all(engine.sanitizer(), &mut entries).count();
    (steps(told.id().as_str(), &entries).into_iter().filter_map(|step| of(step.piece)).collect(), left_out)
}
