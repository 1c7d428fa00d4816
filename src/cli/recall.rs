//! `annals recall`: what memory, knowledge, canon and beliefs say to a question, and what failed before.
//!
//! Records nothing, so that asking keeps nothing alive; `annals memory recall` and `annals knowledge search` do.

use serde::Serialize;

use super::line::{Line, Style};
use super::shell::{CommandOutcome, Done, Shell, clean};
use crate::view::gist::fold;
use crate::view::recall::{RecallMoment, Recalled, recall};

/// Arguments of `annals recall`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A task, a question, an error message, the name of a file
    #[arg(required = true)]
    words: Vec<String>,
    /// How many
    #[arg(short = 'n', long, default_value_t = 5)]
    lines: usize,
}

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RecallAnswer {
    /// The best first.
    recalled: Vec<Recalled>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let question = arguments.words.join(" ");
    let at = shell.now(&engine)?;
    let recalled = shell.ask(&engine, |world| {
        let moment = RecallMoment { at, settings: &world.rooms.config.settings };
        recall(&world.rooms, &question, arguments.lines, moment)
    })?;
    if shell.wants_json() {
        shell.out.answer(&RecallAnswer { recalled })?;
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
    if recalled.is_empty() {
        shell.out.say(
            "nothing that is remembered or known shares a word with it; `annals search` looks through the history",
        )?;
    }
    Ok(CommandOutcome::Done)
}
