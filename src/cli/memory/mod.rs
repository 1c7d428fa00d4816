//! `annals memory …`: what was learnt by doing, what is left of it, and what it advises (artoo R5).

pub(super) mod dream;
pub(super) mod learn;
pub(super) mod list;
mod plot;
mod potentials;
mod tags;
mod write;

use super::named::MEGRAM;
use super::registry::{CommandRow, rows};
use super::shell::Shell;
use super::table::Column::{self, Goes, Key, Text};
use crate::domain::memory::state::Megram;
use crate::engine::Engine;

/// Commands about memory.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Tell what experience with a pair of tags comes to, and what it advises
    "potentials" => Runs(&With(potentials::run)),
    /// Recall the common sense about a pair of tags, or single megrams; their clocks start anew
    "recall" => Runs(&With(write::recall)),
    /// List megrams, common sense first, then the latest
    "list" => Runs(&With(list::run)),
    /// Keep an experience; for the goal-gradient solver (`--as ggs`)
    "write" => Runs(&With(write::run)),
    /// Keep what recorded sessions came to, as megrams and as candidates of knowledge
    "learn" => Runs(&With(learn::run)),
    /// Report that a megram is wrong
    "feedback" => decides("memory.megram.feedback", "megram@ text~:content", write::feedback),
    /// Consolidate: drop faded megrams, weaken refuted ones, promote repeated ones
    "dream" => Runs(&With(dream::run)),
    /// Draw how a pair of tags fades
    "plot" => Runs(&With(plot::run)),
};

/// A megram in a table.
fn cells(megram: &Megram) -> Vec<String> {
    let quantum = &megram.quantum;
    vec![
        megram.id.to_string(),
        megram.level.to_string(),
        megram.space.to_string(),
        megram.entity.to_string(),
        megram.state.map_or_else(|| "-".to_owned(), |state| state.to_string()),
        quantum.f.to_string(),
        quantum.sigma.to_string(),
        quantum.k.to_string(),
        megram.created_at.to_string(),
        megram.last_recalled_at.map_or_else(|| "-".to_owned(), |at| at.to_string()),
        crate::view::gist::fold(&megram.content),
    ]
}

const COLUMNS: [Column; 11] = [
    Key("megram"),
    Goes(6, "level"),
    Goes(7, "space"),
    Goes(8, "entity"),
    Goes(4, "state"),
    Goes(3, "f"),
    Goes(2, "sigma"),
    Goes(1, "k"),
    Key("created"),
    Goes(5, "recalled"),
    Text("content"),
];

/// A megram by its id or either end of it. The room says where there is none.
pub(super) fn one(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Box<str>> {
    Ok(shell.find(engine, &MEGRAM, text)?.unwrap_or_else(|| text.into()))
}
