//! `annals resident tick`: the messages that wait are answered, once.

use serde::Serialize;

use super::host::{LockedHost, Taking, or_refused};
use super::told::{ToldTick, say, say_elsewhere};
use crate::act::resident::TickEnd;
use crate::cli::models::runtime;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::domain::resident::TickTrigger;

/// Arguments of `annals resident tick`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    taking: Taking,
    /// As if time had passed, instead of a message
    #[arg(long)]
    heartbeat: bool,
}

/// The answer in JSON; of `resident run` one with each tick.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ToldTicks {
    ticks: Vec<ToldTick>,
}

impl ToldTicks {
    pub(super) fn of(ticks: &[TickEnd]) -> Self {
        Self { ticks: ticks.iter().map(ToldTick::of).collect() }
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let done = tick(shell, arguments);
    or_refused(shell, done)
}

fn tick(shell: &mut Shell, arguments: &Arguments) -> Done {
    let LockedHost { host, .. } = &LockedHost::take(shell, &arguments.taking)?;
    let trigger = if arguments.heartbeat { TickTrigger::Heartbeat } else { TickTrigger::Message };
    let (runtime, mut ticks) = (runtime()?, Vec::new());
    let ended = loop {
        match runtime.block_on(host.tick(trigger)) {
            Ok(end) => ticks.push(end),
            Err(error) => break Err(error),
        }
        let is_last = arguments.heartbeat || matches!(ticks.last(), Some(TickEnd::Left(_)));
        if is_last {
            break Ok(());
        }
    };
    host.release()?;
    if shell.wants_json() {
        if !arguments.heartbeat {
            ticks.retain(|end| matches!(end, TickEnd::Done(_)));
        }
        shell.out.answer(&ToldTicks::of(&ticks))?;
    } else {
        for end in &ticks {
            if let TickEnd::Done(report) = end {
                say(shell, &host.engine, report)?;
            }
        }
        if let [TickEnd::Left(_)] = &ticks[..] {
            shell.out.say("nothing waits; `annals message send \"…\"` sends a message")?;
        }
        say_elsewhere(shell, host.from_elsewhere()?.len())?;
    }
    ended?;
    Ok(CommandOutcome::Done)
}
