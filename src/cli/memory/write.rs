//! `annals memory write|recall|feedback`.

use super::one;
use super::potentials::told;
use super::tags::Tags;
use crate::cli::shell::{Done, Shell, text_of};
use crate::domain::Event;
use crate::domain::memory::command::{Command, Consult, Recall, Write};
use crate::domain::memory::event::{Event as OfMemory, Written};
use crate::domain::memory::quantum::{MacroState, PyramidLevel, Sigma};
use crate::engine::{Answer, Engine};
use crate::kernel::json::Json;
use crate::kernel::share::Share;

/// Arguments of `annals memory write`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    tags: Tags,
    /// What happened, in words; - reads it from stdin
    #[arg(long)]
    text: String,
    /// What the control loop had come to: abandon, accept, `change_approach`, success, `break_symmetry`, `change_path`,
    /// refine
    #[arg(long)]
    state: Option<MacroState>,
    /// M, K or C [default: M]
    #[arg(long)]
    level: Option<PyramidLevel>,
    /// How strong, 0 to 1, where it is not as the state has it
    #[arg(long)]
    f: Option<Share>,
    /// For it (1) or against it (-1), where it is not as the state has it
    #[arg(long, allow_negative_numbers = true)]
    sigma: Option<Sigma>,
    /// How fast it fades, a day, where it is not as the state has it
    #[arg(long)]
    k: Option<Share>,
}

/// Arguments of `annals memory recall`.
#[derive(Debug, clap::Args)]
pub(super) struct RecallArguments {
    #[command(flatten)]
    tags: Tags,
    /// Megrams: their ids, or the ends of them
    #[arg(long, value_name = "ID", num_args = 1.., conflicts_with_all = ["space", "entity", "tool", "path", "intent"])]
    megrams: Vec<String>,
}

/// What a decision did to memory.
fn events(answer: &Answer) -> impl Iterator<Item = &OfMemory> {
    answer.events.iter().filter_map(|event| if let Event::Memory(event) = event { Some(event) } else { None })
}

fn written(answer: &Answer) -> Option<&Written> {
    events(answer).find_map(|event| if let OfMemory::Written(written) = event { Some(written) } else { None })
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let (space, entity) = arguments.tags.pair(&engine)?;
    let content = text_of(&arguments.text)?.trim().into();
    let Arguments { state, level, f, sigma, k, .. } = *arguments;
    let command = Command::from(Write { level, space, entity, content, state, f, sigma, k });
    shell.decide(&engine, command, &Json::empty_object(), |out, answer| {
        let Some(written) = written(answer) else { return Ok(()) };
        let Written { megram, level, f, sigma, k, .. } = written;
        out.line(format_args!("{megram} is kept at level {level}: f {f}, sigma {sigma}, k {k}"))
    })
}

pub(super) fn feedback(shell: &mut Shell, engine: &Engine, command: crate::domain::Command) -> Done {
    shell.decide(engine, command, &Json::empty_object(), |out, answer| {
        let Some(written) = written(answer) else { return Ok(()) };
        let against = written.against.as_deref().unwrap_or_default();
        let Written { megram, f, sigma, k, .. } = written;
        out.line(format_args!("{megram} speaks against {against}: f {f}, sigma {sigma}, k {k}"))
    })
}

pub(super) fn recall(shell: &mut Shell, arguments: &RecallArguments) -> Done {
    let engine = shell.engine()?;
    let command = if arguments.megrams.is_empty() {
        let (space, entity) = arguments.tags.pair(&engine)?;
        Command::from(Consult { space, entity })
    } else {
        let ids = arguments.megrams.iter().map(|text| one(shell, &engine, text));
        Command::from(Recall { megrams: ids.collect::<anyhow::Result<_>>()? })
    };
    let answer = engine.decide(command, &Json::empty_object(), &shell.by_now())?;
    let lines = remembered(shell, &engine, &answer)?;
    shell.report(&answer, |out| lines.iter().try_for_each(|line| out.line(line)))
}

fn remembered(shell: &Shell, engine: &Engine, answer: &Answer) -> anyhow::Result<Vec<String>> {
    let recalled = events(answer).filter_map(|event| {
        let OfMemory::Recalled(recalled) = event else { return None };
        Some(&recalled.megrams)
    });
    let ids: Vec<_> = recalled.flatten().cloned().collect();
    let megrams = shell.ask(engine, |world| ids.iter().map(|id| world.rooms.memory.megram(id)).collect::<Vec<_>>())?;
    Ok(megrams.iter().flatten().map(|megram| told(engine, megram)).collect())
}
