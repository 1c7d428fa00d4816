//! The person, as a run asks them: on the terminal, once an action; in a pipe nobody answers, and that is a no.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

use super::screen::ScreenLine;
use crate::act::{Consent, Person};
use crate::role::message::ApprovalRequest;

/// Hands a question to the thread that has the terminal.
pub(super) struct TerminalPerson {
    sends: Mutex<Sender<ScreenLine>>,
}

impl TerminalPerson {
    pub(super) fn new(sends: Sender<ScreenLine>) -> Self {
        Self { sends: Mutex::new(sends) }
    }
}

impl Person for TerminalPerson {
    fn may(&self, asked: &ApprovalRequest) -> Consent {
        let (answers, answer) = channel();
        let sends = self.sends.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_asked = sends.send(ScreenLine::Asks(asked.clone(), answers)).is_ok();
        if is_asked { answer.recv().unwrap_or_else(|_| Consent::nobody()) } else { Consent::nobody() }
    }
}
