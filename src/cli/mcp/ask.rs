//! One question of a client: a shell that acts as the bound actor, and the commands that it runs.
//!
//! What a command prints goes into the answer and nowhere else.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use annals_mcp::Caller;
use clap::ColorChoice;
use clap::FromArgMatches as _;
use serde_json::Value;

use super::bench::Bench;
use super::line::CommandLine;
use super::tools::Reply;
use super::wire::DecidedAnswer;
use crate::cli::output::Output;
use crate::cli::registry::{self, Built};
use crate::cli::shell::{CommandOutcome, Shell, Usage};
use crate::cli::{Common, ROWS, agents_shell, command};

/// One question.
pub(super) struct Ask<'b> {
    /// What was bound.
    pub bench: &'b Bench,
    /// Who asks.
    pub caller: &'b Caller,
}

/// What a command came to.
pub(super) struct CommandRan {
    /// What it printed.
    pub printed: String,
    /// What it said beside.
    pub said: String,
    /// How it ended.
    pub outcome: CommandOutcome,
}

/// How a command prints.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Printing {
    Json,
    Lines,
}

impl Ask<'_> {
    /// A shell that acts as the bound actor; unnamed, as the program that the client says it is, and never as the user.
    pub(super) fn shell(&self) -> Shell {
        self.shell_into(Printing::Json, &KeptText::default(), &KeptText::default())
    }

    fn shell_into(&self, printing: Printing, data: &KeptText, talk: &KeptText) -> Shell {
        let mut environment = self.bench.environment.clone();
        environment.agent = Some(agents_shell::program_of(self.caller.client.as_deref(), environment.agent.as_deref()));
        // What names the actor is bound above all: a variable that is read later changes nothing.
        environment.actor = None;
        let common = Common {
            context: self.bench.context.clone(),
            actor: self.bench.actor.clone(),
            at: None,
            json: printing == Printing::Json,
            fresh: false,
            color: ColorChoice::Never,
        };
        Shell::new(environment, common, Output::kept(Box::new(data.clone()), Box::new(talk.clone())))
    }

    /// Runs a command that answers with JSON.
    pub(super) fn json(&self, line: &CommandLine) -> anyhow::Result<(Value, CommandOutcome)> {
        let CommandRan { printed, outcome, .. } = self.run(line, Printing::Json)?;
        Ok((serde_json::from_str(&printed)?, outcome))
    }

    /// Runs a command that decides.
    pub(super) fn decide(&self, line: &CommandLine) -> anyhow::Result<Reply<DecidedAnswer>> {
        let (value, _) = self.json(line)?;
        let decided: DecidedAnswer = serde_json::from_value(value)?;
        Ok(match &decided.refusal {
            None => Reply::Done(decided),
            Some(refusal) => {
                let said = refusal.said();
                Reply::Refused(decided, said)
            }
        })
    }

    /// Runs a command that prints lines. What a rule refuses is an error that says so.
    pub(super) fn lines(&self, line: &CommandLine) -> anyhow::Result<CommandRan> {
        let ran = self.run(line, Printing::Lines)?;
        if ran.outcome == CommandOutcome::Refused {
            anyhow::bail!("{}", ran.said.trim());
        }
        Ok(ran)
    }

    fn run(&self, line: &CommandLine, printing: Printing) -> anyhow::Result<CommandRan> {
        let words = line.words()?;
        let parsed = command(Built::Named(&words)).try_get_matches_from(&words);
        let matches = parsed.map_err(|error| Usage(said(&error)))?;
        // The words name no option of every command: what those say is bound.
        let _ = Common::from_arg_matches(&matches).map_err(|error| Usage(said(&error)))?;
        let (data, talk) = (KeptText::default(), KeptText::default());
        let mut shell = self.shell_into(printing, &data, &talk);
        let outcome = registry::run(&mut shell, ROWS, &matches)?;
        shell.out.end()?;
        Ok(CommandRan { printed: data.text(), said: talk.text(), outcome })
    }
}

/// What is wrong with arguments, without how a command line is written.
fn said(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let said = text.split("\n\n").next().unwrap_or_default();
    said.trim().trim_start_matches("error: ").to_owned()
}

/// What was printed, in memory.
#[derive(Clone, Default)]
struct KeptText(Rc<RefCell<Vec<u8>>>);

impl KeptText {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.borrow()).into_owned()
    }
}

impl Write for KeptText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
