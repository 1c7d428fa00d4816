//! `annals prime`: what an agent is told when its session begins, for agents without hooks.
//!
//! Records nothing: nobody knows who reads it.

use serde::Serialize;

use super::shell::{CommandOutcome, Done, Shell};
use super::voice::pieces;
use crate::domain::voice::command::Piece;
use crate::domain::voice::settings::START;
use crate::hook::voice::fitted;
use crate::kernel::counted::counted;
use crate::view::voice::PieceText;

/// Arguments of `annals prime`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// How many tokens at most [default: `voice.start_tokens`]
    #[arg(long)]
    tokens: Option<u32>,
}

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Primed {
    /// What an agent reads.
    text: String,
    /// What it is made of.
    pieces: Vec<Piece>,
    /// How many pieces of other authors stayed out.
    others: u32,
    /// How many stayed out because they are over the budget.
    over: u32,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let budget = arguments.tokens.unwrap_or_else(|| engine.settings().get(&START));
    let fitted = fitted(&engine, pieces(shell, &engine)?, None, budget)?;
    let (others, over) = (fitted.others, fitted.over);
    if shell.wants_json() {
        let pieces = fitted.pieces.iter().map(PieceText::piece).collect();
        shell.out.answer(&Primed { text: fitted.text(), pieces, others, over })?;
        return Ok(CommandOutcome::Done);
    }
    for line in fitted.text().lines() {
        shell.out.line(line)?;
    }
    if over > 0 {
        let pieces = counted(over.into(), "piece");
        shell.out.say(format!("{pieces} stayed out, over {budget} tokens; `--tokens N` makes room"))?;
    }
    Ok(CommandOutcome::Done)
}
