//! The person, as a run asks them: on the terminal, once an action; in a pipe nobody answers, and that is a no. Nor is an agent
//! asked that began the run: a terminal is no person.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

use super::screen::ScreenLine;
use crate::act::{Consent, Person};
use crate::cli::shell::Shell;
use crate::domain::task;
use crate::domain::task::command::{Settle, Settlement};
use crate::engine::Engine;
use crate::kernel::actor::USER;
use crate::kernel::json::Json;
use crate::role::message::ApprovalRequest;

/// Whom a command asks where it asks the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) enum WhoIsAsked {
    /// The user, in a shell of their own.
    ThePerson,
    /// Nobody: an agent is at the terminal, or who has not shown to be the user.
    Nobody {
        /// Why, in a few words.
        why: String,
    },
}

impl WhoIsAsked {
    /// Told by the rule that says who may decide what becomes of a task's changes: whoever may not, allows nothing else either.
    pub(in crate::cli) fn by(shell: &Shell, engine: &Engine, task: &str) -> anyhow::Result<Self> {
        const ALLOWED: [&str; 2] = ["tasks.goes_on", "tasks.is_settled"];
        let settle = task::Command::from(Settle { task: task.into(), settlement: Settlement::Kept });
        let refusal = engine.rehearse(settle, &Json::empty_object(), &shell.by_now())?.decided.refusal;
        Ok(match refusal {
            Some(refusal) if !ALLOWED.contains(&&*refusal.rule) => {
                Self::Nobody { why: format!("{} is at the terminal, and not the person", speaker(shell)) }
            }
            Some(_) | None => Self::ThePerson,
        })
    }
}

/// Who says to be the user in the shell of an agent is that agent.
fn speaker(shell: &Shell) -> String {
    let (actor, program) = (shell.actor(), shell.environment.agent.as_deref());
    match program.filter(|_| actor.as_str() == USER) {
        Some(program) => program.to_owned(),
        None if actor.as_str() == USER => "who did not prove to be the user".to_owned(),
        None => actor.to_string(),
    }
}

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
