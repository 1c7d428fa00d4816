//! `annals recall`: what memory, knowledge, canon and beliefs say to a question, and what failed before.
//!
//! Records nothing, so that asking keeps nothing alive; `annals memory recall` and `annals knowledge search` do.

use serde::Serialize;

use super::line::{Line, Style};
use super::pack::{Packed, packed};
use super::shell::{CommandOutcome, Done, Shell, clean};
use crate::view::gist::fold;
use crate::view::recall::{RecallMoment, Recalled, recall};

/// Arguments of `annals recall`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A task, a question, an error message, the name of a file
    #[arg(required = true)]
    words: Vec<String>,
    /// How many [default: 5; with --tokens, as many as fit]
    #[arg(short = 'n', long)]
    lines: Option<usize>,
    /// A pack for an agent: how many tokens it may have
    #[arg(long, value_name = "N")]
    tokens: Option<u64>,
}

/// How many come where nobody says so, and how many may come in a pack.
const LINES: usize = 5;
const MOST_PACKED: usize = 200;

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RecallAnswer {
    /// The best first.
    recalled: Vec<Recalled>,
    /// How many did not fit the tokens that were given.
    left_out: usize,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let question = arguments.words.join(" ");
    let at = shell.now(&engine)?;
    let most = arguments.lines.unwrap_or(if arguments.tokens.is_some() { MOST_PACKED } else { LINES });
    let recalled = shell.ask(&engine, |world| {
        let moment = RecallMoment { at, settings: &world.rooms.config.settings };
        recall(&world.rooms, &question, most, moment)
    })?;
    let Packed { lines: recalled, left_out, .. } = packed(recalled, arguments.tokens.unwrap_or(u64::MAX), |one| {
        format!("{} {}\n  {}", one.kind, one.about, one.text)
    });
    if shell.wants_json() {
        shell.out.answer(&RecallAnswer { recalled, left_out })?;
        return Ok(CommandOutcome::Done);
    }
    for one in &recalled {
        let about = fold(&clean(&engine, &one.about));
        let head = Line::of(Style::Bold, one.kind)
            .then(format_args!(" {about}"))
            .and(Style::Dim, format_args!("  {}", one.id));
        shell.out.styled(&head)?;
        shell.out.line(format_args!("  {}", fold(&clean(&engine, &one.text))))?;
    }
    if left_out > 0 {
        shell.out.say(format_args!("{left_out} more do not fit the tokens"))?;
    }
    if recalled.is_empty() && left_out == 0 {
        shell.out.say(
            "nothing that is remembered or known shares a word with it; `annals search` looks through the history",
        )?;
    }
    Ok(CommandOutcome::Done)
}
