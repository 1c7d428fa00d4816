//! What was asked, and what was found out for it: as text, and as the room of the command reads it.
//!
//! Does not find anything out and does not decide.

use std::cell::OnceCell;

use serde::de::DeserializeOwned;

use super::register::{Command, Observed};
use annals_kernel::json::Json;

/// A command and what was found out for it, before anything is decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// What is asked.
    pub command: Command,
    /// What was found out, as its room reads it.
    pub observed: Json,
}

impl Ask {
    /// What was found out. Whoever decides has checked before that it can be read.
    pub fn observed<T: DeserializeOwned + Default>(&self) -> T {
        self.read().unwrap_or_default()
    }

    /// What was found out; without anything, what the type has for nothing.
    pub fn read<T: DeserializeOwned + Default>(&self) -> Result<T, BadObservation> {
        if self.observed.is_empty_object() {
            return Ok(T::default());
        }
        self.observed
            .read()
            .map_err(|error| BadObservation { command: self.command.name().into(), problem: error.to_string().into() })
    }
}

/// What was found out for a command is not what its room reads: nothing is decided on it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("what was found out for {command} cannot be read: {problem}")]
pub struct BadObservation {
    /// The command.
    pub command: Box<str>,
    /// What is wrong.
    pub problem: Box<str>,
}

/// What was asked, while the events of its decision are taken in. What was found out is read when the first of them needs
/// it, and once: a merged line may have thousands of events, and found out megabytes.
#[derive(Debug)]
pub struct Asking<'a> {
    /// What was asked.
    pub ask: &'a Ask,
    observed: OnceCell<Result<Observed, BadObservation>>,
}

impl<'a> Asking<'a> {
    /// Nothing is read yet.
    pub fn of(ask: &'a Ask) -> Self {
        Self { ask, observed: OnceCell::new() }
    }

    /// What was found out, as the room of the command reads it; `None` where it cannot.
    pub fn observed(&self) -> Option<&Observed> {
        self.observed.get_or_init(|| Observed::of(self.ask)).as_ref().ok()
    }

    /// Why what was found out could not be read, where some event needed it.
    pub fn trouble(&self) -> Option<&BadObservation> {
        self.observed.get()?.as_ref().err()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_out_is_read_when_it_is_asked_for_and_once() {
        let scrub = serde_json::json!({ "confirmed_by": "ada" });
        let command = Command::read_text("history.entry.scrub", &scrub.to_string()).expect("a command");
        let line = |number: u8| {
            serde_json::json!({ "entry": format!("01M82ZPJ6DVDRH4XVGX8JEJ0C{number}"),
            "before": "0".repeat(32), "after": "1".repeat(32) })
        };
        let observed = Json::of(&serde_json::json!({ "lines": [line(1), line(2)] }));
        let ask = Ask { command, observed };
        let asking = Asking::of(&ask);
        assert!(asking.observed.get().is_none(), "nobody has asked");
        let first = asking.observed().expect("read");
        let Observed::Erasure(found) = first else { panic!("{first:?}") };
        assert_eq!(found.lines.len(), 2);
        assert!(std::ptr::eq(first, asking.observed().expect("read")), "it is kept");
    }
}
