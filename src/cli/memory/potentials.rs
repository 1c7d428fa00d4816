//! `annals memory potentials`: what experience with a pair of tags comes to at a time.

use super::tags::Tags;
use crate::cli::line::{Line, Style};
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::domain::memory::state::Megram;
use crate::engine::Engine;
use crate::kernel::counted::counted;
use crate::view::gist::fold;
use crate::view::memory::PairInfo;

/// Arguments of `annals memory potentials`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    tags: Tags,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let (space, entity) = arguments.tags.pair(&engine)?;
    let now = shell.now(&engine)?;
    let info = shell.ask(&engine, |world| PairInfo::of(&world.rooms, &space, &entity, now))?;
    if shell.wants_json() {
        shell.out.answer(&info)?;
        return Ok(CommandOutcome::Done);
    }
    let head = Line::of(Style::Bold, clean(&engine, &format!("{space} {entity}")));
    shell.out.styled(&head.then(format_args!(": {}", info.action)))?;
    let levels = info.levels;
    let (attention, decision) = (info.potentials.attention, info.potentials.decision);
    let all = counted(levels.megrams + levels.knowledge + levels.common_sense, "megram");
    shell.out.line(format_args!(
        "attention {attention:.3}, decision {decision:.3} at {}: {all} (M {}, K {}, C {})",
        info.at, levels.megrams, levels.knowledge, levels.common_sense
    ))?;
    part(shell, &engine, "common sense", &info.common_sense)?;
    part(shell, &engine, "lately", &info.latest)?;
    Ok(CommandOutcome::Done)
}

fn part(shell: &mut Shell, engine: &Engine, title: &str, megrams: &[Megram]) -> std::io::Result<()> {
    if megrams.is_empty() {
        return Ok(());
    }
    shell.out.line("")?;
    shell.out.line(format_args!("{title}:"))?;
    megrams.iter().try_for_each(|megram| shell.out.line(format_args!("- {}", told(engine, megram))))
}

/// A megram in a line, as it is told.
pub(super) fn told(engine: &Engine, megram: &Megram) -> String {
    let quantum = &megram.quantum;
    let state = megram.state.map(|state| format!(" {state}")).unwrap_or_default();
    let against = megram.against.as_ref().map(|id| format!(", against {id}")).unwrap_or_default();
    let rests = megram.rests_on.map(|count| format!(", from {}", counted(count, "megram"))).unwrap_or_default();
    format!(
        "{} {}{state} f {} sigma {} k {}{against}{rests}: {}",
        megram.id,
        megram.level,
        quantum.f,
        quantum.sigma,
        quantum.k,
        fold(&clean(engine, &megram.content))
    )
}
