//! `annals resident run`: the agent is kept going until Ctrl-C.
//!
//! A message is answered when it comes, a heartbeat looks at where things stand. What cannot be answered now waits on,
//! and the agent with it.

use std::sync::Arc;
use std::time::Duration;

use super::host::{LockedHost, Taking, or_refused};
use super::tick::ToldTicks;
use super::told::{say, say_elsewhere};
use crate::act::Stop;
use crate::act::resident::{Host, HostError, TickEnd};
use crate::cli::models::runtime;
use crate::cli::run::stops_at_a_signal;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::domain::resident::TickTrigger;
use crate::domain::resident::settings::HEARTBEAT_INTERVAL;
use crate::engine::clock::Stopwatch;

/// So often it is looked whether a message came.
const LOOK_MS: u64 = 500;

/// Arguments of `annals resident run`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    taking: Taking,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let done = run_until_stopped(shell, arguments);
    or_refused(shell, done)
}

fn run_until_stopped(shell: &mut Shell, arguments: &Arguments) -> Done {
    let LockedHost { host, .. } = &LockedHost::take(shell, &arguments.taking)?;
    let stop = Arc::new(Stop::default());
    stops_at_a_signal(&stop)?;
    shell.out.say(format_args!("{} is here; Ctrl-C lets it go", host.agent))?;
    say_elsewhere(shell, host.from_elsewhere()?.len())?;
    let kept = runtime()?.block_on(keep(shell, host, &stop));
    host.release()?;
    kept.map(|()| CommandOutcome::Done)
}

async fn keep(shell: &mut Shell, host: &Host, stop: &Stop) -> anyhow::Result<()> {
    let interval = host.engine.settings().get(&HEARTBEAT_INTERVAL);
    let mut since_beat: Option<Stopwatch> = None;
    loop {
        let is_beat = since_beat.as_ref().is_none_or(|since| since.millis() >= interval);
        let trigger = if is_beat { TickTrigger::Heartbeat } else { TickTrigger::Message };
        if is_beat {
            host.keep()?;
            since_beat = Some(host.engine.clock().stopwatch());
        }
        let ticked = tokio::select! {
            biased;
            () = stop.wanted() => return Ok(()),
            ticked = host.tick(trigger) => ticked,
        };
        let wait = told(shell, host, ticked)?;
        tokio::select! {
            biased;
            () = stop.wanted() => return Ok(()),
            () = tokio::time::sleep(wait.unwrap_or(Duration::from_millis(interval.min(LOOK_MS)))) => {}
        }
    }
}

/// Says what came of a tick. Gives how long to wait, where that is another time than usual.
fn told(shell: &mut Shell, host: &Host, ticked: Result<TickEnd, HostError>) -> anyhow::Result<Option<Duration>> {
    match ticked {
        Ok(end @ TickEnd::Done(_)) if shell.wants_json() => {
            shell.out.answer(&ToldTicks::of(&[end]))?;
            shell.out.flush()?;
            Ok(Some(Duration::ZERO))
        }
        Ok(TickEnd::Done(report)) => {
            say(shell, &host.engine, &report)?;
            shell.out.flush()?;
            Ok(Some(Duration::ZERO))
        }
        Ok(TickEnd::Left(_)) => Ok(None),
        // No model answers: another try with the next heartbeat.
        Err(error @ HostError::NoAnswer { .. }) => {
            shell.out.say(error)?;
            Ok(Some(Duration::from_millis(host.engine.settings().get(&HEARTBEAT_INTERVAL))))
        }
        Err(error) => Err(error.into()),
    }
}
