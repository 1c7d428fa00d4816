//! Who watches a run: the screen, and the auditor, whom no task can reach.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

use super::screen::{Channel, ScreenLine};
use crate::act::{ModelAnswer, Watch};
use crate::cli::audit::AuditStore;
use crate::cli::shell::Shell;
use crate::domain::task::bus::Arrow;
use crate::engine::clock::Clock;
use crate::role::auditor::AuditEvent;
use crate::role::delegate::AgentJob;
use crate::role::run::{BusSaid, RoleQuestion, ToolJob, Undone};

/// The screen and the auditor.
pub(super) struct Watchers {
    screen: Channel,
    auditor: AuditStore,
    task: String,
    clock: Clock,
    /// Whether the auditor's files could not be written: that is said once, and the run goes on.
    is_deaf: AtomicBool,
}

impl Watchers {
    pub(super) fn of(screen: Channel, auditor: AuditStore, task: &str) -> Self {
        Self { screen, auditor, task: task.to_owned(), clock: Clock::default(), is_deaf: AtomicBool::new(false) }
    }
}

/// The auditor alone, where nothing is shown: of a task that ends without a run.
pub(in crate::cli) struct Overheard {
    watchers: Watchers,
    lines: Receiver<ScreenLine>,
}

impl Overheard {
    pub(in crate::cli) fn of(shell: &Shell, task: &str) -> anyhow::Result<Self> {
        let (sends, lines) = channel();
        Ok(Self { watchers: Watchers::of(Channel::new(sends), AuditStore::of(&shell.environment)?, task), lines })
    }

    pub(in crate::cli) fn watch(&self) -> &dyn Watch {
        &self.watchers
    }

    /// Says what the person should know: what was said is on the record.
    pub(in crate::cli) fn close(self, shell: &mut Shell) -> anyhow::Result<()> {
        for line in self.lines.try_iter() {
            if let ScreenLine::Warning(words) = line {
                shell.out.say(words)?;
            }
        }
        Ok(())
    }
}

impl Watch for Watchers {
    fn said(&self, n: u32, said: &BusSaid, alive_ms: u64) {
        let BusSaid { from, to, message } = said;
        let arrow = Arrow { from: *from, kind: message.kind(), to: *to };
        let heard = self.auditor.heard(&AuditEvent::of(self.clock.now(), &self.task, &arrow, message));
        if let Err(error) = heard
            && !self.is_deaf.swap(true, Ordering::Relaxed)
        {
            self.screen.warn(&format!("the auditor hears nothing of this task: {error:#}"));
        }
        self.screen.said(n, said, alive_ms);
    }

    fn asks(&self, question: &RoleQuestion) {
        self.screen.asks(question);
    }

    fn answered(&self, question: &RoleQuestion, answer: &ModelAnswer) {
        self.screen.answered(question, answer);
    }

    fn uses(&self, job: &ToolJob) {
        self.screen.uses(job);
    }

    fn delegates(&self, job: &AgentJob) {
        self.screen.delegates(job);
    }

    fn undone(&self, undone: &Undone) {
        self.screen.undone(undone);
    }
}
