//! What keeps the agent going on this machine: models by purpose, the disk, the lock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use annals_llm::Purpose;

use super::lock::ResidentLock;
use crate::act::AskOutcome;
use crate::act::resident::{Channels, Host, HostError, ResidentModels, ResidentQuestion, ResidentStep};
use crate::act::surroundings::Awaited;
use crate::cli::message::AGENT;
use crate::cli::models::{BudgetedModels, WantedModels, request_of};
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::domain::resident::TickAction;
use crate::engine::Engine;
use crate::kernel::id::AgentId;
use crate::kernel::share::Share;
use crate::role::resident::homeostasis::Vitals;

/// After so many calls half of them are forgotten: what failed long ago says nothing of now.
const REMEMBERED_CALLS: u32 = 64;

/// The models of a tick, and what the agent lives on.
struct TickModels {
    models: BudgetedModels,
    engine: Arc<Engine>,
    calls: AtomicU32,
    failed: AtomicU32,
}

impl TickModels {
    fn new(models: BudgetedModels, engine: Arc<Engine>) -> Self {
        Self { models, engine, calls: AtomicU32::new(0), failed: AtomicU32::new(0) }
    }

    async fn asked(&self, question: &ResidentQuestion) -> AskOutcome {
        let key = format!("{}/{}", question.message, question.step);
        let request = request_of(key, &question.prompt);
        // Each message is a task of its own to the budget.
        let outcome = self.models.ask_for(&question.message.to_string(), purpose(question.step), &request).await;
        match question.step {
            // Without it a scale is HEALTHY, and the agent no worse off.
            ResidentStep::Certainty | ResidentStep::Application => {}
            ResidentStep::Summary | ResidentStep::Answer | ResidentStep::AnswerAgain => {
                self.count(u32::from(outcome.end.is_err()));
            }
        }
        outcome
    }

    fn count(&self, failed: u32) {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let failures = self.failed.fetch_add(failed, Ordering::Relaxed) + failed;
        if calls >= REMEMBERED_CALLS {
            self.calls.store(calls / 2, Ordering::Relaxed);
            self.failed.store(failures / 2, Ordering::Relaxed);
        }
    }
}

impl ResidentModels for TickModels {
    fn serves(&self, step: ResidentStep) -> Option<String> {
        self.models.serves(purpose(step))
    }

    fn context(&self, step: ResidentStep) -> Option<u32> {
        self.models.context(purpose(step))
    }

    fn ask<'a>(&'a self, question: &'a ResidentQuestion) -> Awaited<'a, AskOutcome> {
        Box::pin(self.asked(question))
    }

    fn vitals(&self) -> Vitals {
        let (calls, failed_calls) = (self.calls.load(Ordering::Relaxed), self.failed.load(Ordering::Relaxed));
        Vitals { budget_left: self.models.left_of_today(), disk_left: disk_left(&self.engine), calls, failed_calls }
    }
}

fn disk_left(engine: &Engine) -> Option<Share> {
    let found = rustix::fs::statvfs(engine.place().local()).ok()?;
    Share::of_count(found.f_bavail, found.f_blocks)
}

fn purpose(step: ResidentStep) -> Purpose {
    match step {
        ResidentStep::Certainty | ResidentStep::Application => Purpose::Homeostasis,
        ResidentStep::Summary => Purpose::Summary,
        ResidentStep::Answer | ResidentStep::AnswerAgain => Purpose::Resident,
    }
}

/// What is sent where no model is to answer.
fn tick_words(action: TickAction, reason: Option<&str>) -> String {
    let words = match action {
        TickAction::Ask => "This cannot be taken back. I have asked the person in charge, and wait for their word.",
        TickAction::Deny => "I may not do that for you.",
        TickAction::Decline => match reason {
            Some(reason) => return format!("The person in charge said no: {reason}"),
            None => "The person in charge said no.",
        },
        TickAction::SetAside => {
            "I cannot take this message as it is: it is more than my model can look at, or than it may cost. The person \
             in charge sees it."
        }
        TickAction::Fail => "I have no answer: what the model said could not be used.",
        TickAction::Respond | TickAction::Rest => "",
    };
    words.to_owned()
}

/// Which agent is taken, and how it is kept.
#[derive(Debug, clap::Args)]
pub(super) struct Taking {
    /// Which agent
    #[arg(long, value_name = "AGENT", default_value = AGENT)]
    agent: String,
    /// Who answers: one of `annals model list`, or `scripted:FILE` [default: the models that you wrote down, by purpose]
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Take the agent from this process of another clone, which you know is gone; `annals resident status` names it
    #[arg(long, value_name = "PROCESS")]
    take_over: Option<String>,
}

/// The agent in this process, and its lock.
pub(super) struct LockedHost {
    pub(super) host: Host,
    _lock: ResidentLock,
}

impl LockedHost {
    /// Takes the agent.
    pub(super) fn take(shell: &Shell, taking: &Taking) -> anyhow::Result<Self> {
        let engine = Arc::new(shell.engine()?);
        let models = WantedModels::serving(shell, taking.model.as_deref(), engine.sanitizer(), Purpose::Resident)?;
        models.add_recorded(&engine, None)?;
        let agent = AgentId::from(taking.agent.as_str());
        let lock = ResidentLock::take(&engine, &agent)?;
        let host = host(engine, models, agent, lock.owner.clone());
        if let Some(from) = &taking.take_over {
            host.take_over(from, &shell.by_now())?;
        }
        host.take_locked()?;
        Ok(Self { host, _lock: lock })
    }
}

/// What a rule of the record refuses is said in its words, and is no failure of the program.
pub(super) fn or_refused(shell: &mut Shell, done: Done) -> Done {
    let Err(error) = done else { return done };
    match error.downcast_ref::<HostError>() {
        Some(HostError::Refused(refusal)) => {
            shell.say_refused(refusal)?;
            Ok(CommandOutcome::Refused)
        }
        Some(_) | None => Err(error),
    }
}

/// A host on any engine.
pub(in crate::cli) fn host(engine: Arc<Engine>, models: BudgetedModels, agent: AgentId, owner: Box<str>) -> Host {
    let models = Arc::new(TickModels::new(models, Arc::clone(&engine)));
    Host { engine, models, channels: Channels::default(), agent, owner, words: tick_words }
}
