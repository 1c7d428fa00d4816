//! `annals memory …`: what was learnt by doing, what is left of it, and what it advises (artoo R5).

mod dream;
mod list;
mod plot;
mod potentials;
mod tags;
mod write;

use super::named::MEGRAM;
use super::shell::{Done, Shell};
use super::table::Column::{self, Goes, Key, Text};
use crate::domain::memory::state::Megram;
use crate::engine::Engine;

/// Commands about memory.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Tell what experience with a pair of tags comes to, and what it advises
    Potentials(potentials::Arguments),
    /// Recall the common sense about a pair of tags, or single megrams; their clocks start anew
    Recall(write::RecallArguments),
    /// List megrams, common sense first, then the latest
    List(list::Arguments),
    /// Keep an experience; for the goal-gradient solver (`--as ggs`)
    Write(write::Arguments),
    /// Report that a megram is wrong
    Feedback(write::FeedbackArguments),
    /// Consolidate: drop faded megrams, weaken refuted ones, promote repeated ones
    Dream(dream::Arguments),
    /// Draw how a pair of tags fades
    Plot(plot::Arguments),
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Potentials(arguments) => potentials::run(shell, &arguments),
        Command::Recall(arguments) => write::recall(shell, &arguments),
        Command::List(arguments) => list::run(shell, &arguments),
        Command::Write(arguments) => write::run(shell, &arguments),
        Command::Feedback(arguments) => write::feedback(shell, &arguments),
        Command::Dream(arguments) => dream::run(shell, &arguments),
        Command::Plot(arguments) => plot::run(shell, &arguments),
    }
}

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
fn one(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Box<str>> {
    Ok(shell.find(engine, &MEGRAM, text)?.unwrap_or_else(|| text.into()))
}
