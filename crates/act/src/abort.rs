//! A task that nobody wants any more of.
//!
//! Asks nobody and does nothing but what is said and recorded.

use std::sync::Arc;

use annals_engine::{By, Engine};
use annals_kernel::actor::USER;
use annals_role::ggs::FinalResult;
use annals_role::message::{Abort, BusMessage};
use annals_role::run::{RunEffect, RunInput};

use crate::error::RunError;
use crate::journal::Journal;
use crate::replay::{Replayed, replay};
use crate::surroundings::Watch;

/// Ends a task that was stopped or killed: its final result says that no more of it is wanted. Nobody is asked, nothing is
/// done; who watches hears it. That no other process is at work on it, and no agent ends what others began, the caller sees to.
pub fn abort(engine: &Arc<Engine>, task: &str, by: &By, watch: &dyn Watch) -> Result<FinalResult, RunError> {
    let (mut journal, recorded) = Journal::reopen(Arc::clone(engine), task)?;
    let Replayed { mut run, .. } = replay(task, &recorded)?;
    let by_agent = (by.actor.as_str() != USER).then(|| by.actor.to_string());
    let abort = BusMessage::Abort(Abort { by: by_agent });
    let effects = run.take(RunInput::Heard(abort), recorded.alive_ms);
    let mut result = None;
    for effect in effects {
        let RunEffect::Say(said) = effect else { continue };
        let n = journal.say(&said, recorded.alive_ms)?;
        watch.said(n, &said, recorded.alive_ms);
        if let BusMessage::FinalResult(said) = said.message {
            result = Some(said);
        }
    }
    journal.complete(by)?;
    Ok(result.expect("BUG: a task that is ended has its result"))
}
