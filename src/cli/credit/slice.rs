//! `annals credit slice`: a task in parts, each of which earns its share (control-room 11.4.1).

use super::signed;
use crate::cli::issue::{find, name};
use crate::cli::shell::{Done, Shell, Usage};
use crate::domain::credit::command::{Complete, Slice};
use crate::domain::{Event, credit, credit::Command};
use crate::kernel::json::Json;

/// Arguments of `annals credit slice`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The issue that is the task
    issue: String,
    /// Who does it
    #[arg(long, value_name = "AGENT")]
    doer: String,
    /// Credits of the whole task
    #[arg(long, requires = "slices")]
    total: Option<u32>,
    /// How many parts
    #[arg(long, requires = "total")]
    slices: Option<u32>,
    /// Check the next part off
    #[arg(long, conflicts_with_all = ["total", "slices"])]
    done: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let (issue, doer) = (find(shell, &engine, &arguments.issue)?, shell.find_agent(&engine, &arguments.doer)?);
    let title = name(shell, &engine, &issue)?;
    if arguments.done {
        let complete = Command::from(Complete { issue, doer });
        return shell.decide(&engine, complete, &Json::empty_object(), |out, answer| {
            let line = answer.events.iter().filter_map(done_line).collect::<Vec<_>>().join(": ");
            out.line(line)
        });
    }
    let Some((total, slices)) = arguments.total.zip(arguments.slices) else {
        return Err(Usage("give --total and --slices, or --done".to_owned()).into());
    };
    let done = format!("{title} is cut into {slices} parts for {doer}, {total} credits in all");
    let slice = Command::from(Slice { issue, doer, total, slices });
    shell.decide(&engine, slice, &Json::empty_object(), |out, _| out.line(done))
}

fn done_line(event: &Event) -> Option<String> {
    if let Event::Credit(credit::Event::Completed(part)) = event {
        Some(format!("part {} is done", part.number))
    } else if let Event::Credit(credit::Event::Awarded(awarded)) = event {
        Some(format!("{} for {}", signed(awarded.amount), awarded.agent))
    } else {
        None
    }
}
