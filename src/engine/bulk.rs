//! Many decisions under one lock, with one sync at the end: for imports, where each alone would wait for the disk.
//!
//! Each is decided on the state that those before it have left, as if it had come alone.

use std::collections::BTreeSet;

use super::{Answer, By, Engine, EngineError};
use crate::domain::Command;
use crate::kernel::json::Json;

impl Engine {
    /// Decides commands one after another; `next` hears the answer to the one before and says what comes now.
    ///
    /// Where the machine fails, none of them is kept; a rule that says no is an answer, and the others go on.
    pub fn decide_each(
        &self,
        by: &By,
        mut next: impl FnMut(Option<&Answer>) -> Option<Command>,
    ) -> Result<Vec<Answer>, EngineError> {
        let written = self.log.write(&mut || self.clock.chance(), |pen| {
            let mut live = self.current()?;
            let live = live.as_mut().expect("BUG: the world was just folded");
            self.adopt_file(pen, live)?;
            let mut answers: Vec<Answer> = Vec::new();
            while let Some(command) = next(answers.last()) {
                let ask = self.clean_ask(self.ask_of(command, &Json::empty_object(), by));
                let stopwatch = self.clock.stopwatch();
                answers.push(self.decide_one(pen, live, &ask, by, || stopwatch.millis())?);
                live.catch_up()?;
            }
            Ok::<_, EngineError>(answers)
        });
        if written.is_err() {
            // What was folded may have been taken back.
            *self.lock_live() = None;
        }
        let (answers, ticket) = written?;
        self.settle(ticket.as_ref())?;
        if let Some(live) = self.lock_live().as_mut() {
            live.store_if_due();
        }
        if answers.iter().any(|answer| answer.entry.is_some()) {
            self.wrote(&BTreeSet::from([by.session.clone()]));
        }
        Ok(answers)
    }
}
