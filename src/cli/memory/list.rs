//! `annals memory list`: megrams, common sense first, then the latest.

use serde::Serialize;

use super::tags::{NamedPair, Tags};
use super::{COLUMNS, cells};
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::domain::memory::State;
use crate::domain::memory::quantum::{LAWS, PyramidLevel};
use crate::domain::memory::state::{Megram, Totals};

/// Arguments of `annals memory list`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    tags: Tags,
    /// Only this level: M, K, C, or T for the laws of the configuration
    #[arg(long)]
    level: Option<PyramidLevel>,
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
}

/// So many megrams are looked at where no pair is named.
const RECENT: usize = 1000;

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ListedMegrams {
    totals: Totals,
    laws: Vec<Box<str>>,
    megrams: Vec<Megram>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let named = arguments.tags.named(&engine);
    let answer = shell.ask(&engine, |world| ListedMegrams {
        totals: world.rooms.memory.totals.clone(),
        laws: laws(arguments, &named, || world.rooms.config.settings.get(&LAWS)),
        megrams: find(&world.rooms.memory, arguments, &named),
    })?;
    if shell.wants_json() {
        shell.out.answer(&answer)?;
        return Ok(CommandOutcome::Done);
    }
    let law = |law: &str| {
        let mut row = vec!["-".to_owned(); COLUMNS.len()];
        (row[1], row[COLUMNS.len() - 1]) = (PyramidLevel::Thinking.to_string(), law.to_string());
        row
    };
    let rows: Vec<_> = answer.laws.iter().map(|text| law(text)).chain(answer.megrams.iter().map(cells)).collect();
    shell.out.table(&COLUMNS, &rows)?;
    Ok(CommandOutcome::Done)
}

/// Laws are about everything: they are listed where nothing else was asked for.
fn laws(arguments: &Arguments, named: &NamedPair, all: impl FnOnce() -> Vec<Box<str>>) -> Vec<Box<str>> {
    let is_asked = arguments.level.is_none_or(|level| level == PyramidLevel::Thinking);
    if is_asked && *named == (None, None) { all() } else { Vec::new() }
}

fn find(memory: &State, arguments: &Arguments, (space, entity): &NamedPair) -> Vec<Megram> {
    let fits = |megram: &Megram| {
        space.as_deref().is_none_or(|space| *megram.space == *space)
            && entity.as_deref().is_none_or(|entity| *megram.entity == *entity)
            && arguments.level.is_none_or(|level| megram.level == level)
    };
    let head = space.as_deref().zip(entity.as_deref()).map(|(space, entity)| memory.pair(space, entity));
    if let Some(head) = head {
        let most = if arguments.level.is_some() { usize::MAX } else { arguments.lines };
        let latest = head.map(|head| memory.latest(head, most)).unwrap_or_default();
        return latest.into_iter().filter(fits).take(arguments.lines).collect();
    }
    let most = if space.is_some() || entity.is_some() || arguments.level.is_some() { RECENT } else { arguments.lines };
    let recent: Vec<_> = memory.megrams.first_by_rank(most).into_iter().map(|(id, _)| memory.megram(id)).collect();
    recent.into_iter().flatten().filter(fits).take(arguments.lines).collect()
}
