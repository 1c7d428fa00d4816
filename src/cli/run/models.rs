//! Who answers the roles of a run: the person's models by purpose, one of them by its name, or a script.
//!
//! Parses no answer: that is the roles' matter, when it is on the record.

use std::sync::Arc;

use annals_llm::{Purpose, Scripted, Spending};

use crate::act::journal::{Came, Step};
use crate::act::surroundings::Awaited;
use crate::act::{AskOutcome, Journal};
use crate::cli::models::{BudgetedModels, WantedModels, request_of};
use crate::cli::shell::{Shell, Usage};
use crate::domain::task::bus::Party;
use crate::domain::task::command::RoleModel;
use crate::engine::Engine;
use crate::role::delegate::{AgentProgram, AgentUsage};
use crate::role::run::RoleQuestion;
use crate::sanitizer::Sanitizer;

/// The roles that ask models.
const ASKING: [(Party, Purpose); 5] = [
    (Party::Perceiver, Purpose::Perceiver),
    (Party::Planner, Purpose::Planner),
    (Party::Executor, Purpose::Executor),
    (Party::AgentValidator, Purpose::AgentValidator),
    (Party::MetaValidator, Purpose::MetaValidator),
];

/// What the roles of a run are served for; an agent in the place of the executor asks no model.
pub(super) fn purposes(executor: Option<AgentProgram>) -> Vec<Purpose> {
    let is_asked = |(role, _): &(Party, Purpose)| executor.is_none() || *role != Party::Executor;
    ASKING.into_iter().filter(is_asked).map(|(_, purpose)| purpose).collect()
}

/// Who answers the roles of a run.
pub(super) struct RunModels {
    budgeted: BudgetedModels,
    script: Option<Arc<Scripted>>,
    /// The agent that stands in for the executor: then no model is asked in its name.
    executor: Option<AgentProgram>,
}

impl RunModels {
    /// Those that are wanted. Asks nobody; a role that nobody answers is said before anything begins.
    pub(super) fn of(
        shell: &Shell,
        wanted: Option<&str>,
        rules: &Sanitizer,
        purposes: &[Purpose],
    ) -> anyhow::Result<Self> {
        let WantedModels { models, script } = WantedModels::of(shell, wanted, rules)?;
        for purpose in purposes {
            models.chosen(*purpose).map_err(|error| {
                let other = "`annals model list` shows where; --model scripted:FILE and `annals run --demo` need none";
                Usage(format!("{error}; {other}"))
            })?;
        }
        Ok(Self { budgeted: BudgetedModels::of(shell, models)?, script, executor: None })
    }

    /// With an agent in the place of the executor.
    pub(super) fn with_executor(self, executor: Option<AgentProgram>) -> Self {
        Self { executor, ..self }
    }

    /// Something is left of the budget, before an agent begins: what it will use up nobody knows.
    pub(super) fn require_left(&self) -> Result<(), String> {
        self.budgeted.require_left()
    }

    /// What an agent says it used up counts like the rest.
    pub(super) fn spend_agent(&self, used: AgentUsage, ms: u64) {
        let tokens = used.tokens_in.saturating_add(used.tokens_out);
        let nano_usd = used.micro_usd.saturating_mul(1_000);
        self.budgeted.spend_own(Spending { tokens, nano_usd, ms });
    }

    /// With what was used up before, by this task and by others today; a script goes on behind the answers on record.
    pub(super) fn behind(self, engine: &Arc<Engine>, task: Option<&str>) -> anyhow::Result<Self> {
        let session = |task| engine.ask(|world| world.rooms.task.task(task).map(|row| row.session.clone()));
        let own = task.map(session).transpose()?.flatten();
        self.budgeted.add_recorded(engine, own.as_ref())?;
        if let (Some(script), Some(task)) = (&self.script, task) {
            for step in Journal::look(engine, task)?.steps {
                if let Step::Came(Came::Answer { role, .. }) = step {
                    script.skip(role.as_str(), 1);
                }
            }
        }
        Ok(self)
    }

    /// Which model each role asks first.
    pub(super) fn by_role(&self) -> Vec<RoleModel> {
        let row = |(role, purpose): (Party, Purpose)| {
            if let Some(program) = self.executor.filter(|_| role == Party::Executor) {
                return RoleModel { role, model: program.as_str().into() };
            }
            let chosen = self.budgeted.models().chosen(purpose).expect("BUG: it was looked at before");
            RoleModel { role, model: chosen.name.into() }
        };
        ASKING.into_iter().map(row).collect()
    }

    /// A draft is the planner's where no model is there for drafts alone: a task that is given up has its end.
    fn purpose_of(&self, question: &RoleQuestion) -> Purpose {
        if question.key.is_draft() && self.budgeted.models().chosen(Purpose::Draft).is_ok() {
            return Purpose::Draft;
        }
        let of = |(role, _): &(Party, Purpose)| *role == question.role;
        ASKING.into_iter().find(of).expect("BUG: only these roles ask").1
    }

    async fn asked(&self, question: &RoleQuestion) -> AskOutcome {
        let request = request_of(question.key.to_string(), &question.prompt);
        self.budgeted.ask(self.purpose_of(question), &request).await
    }
}

impl crate::act::Models for RunModels {
    fn ask<'a>(&'a self, question: &'a RoleQuestion) -> Awaited<'a, AskOutcome> {
        Box::pin(self.asked(question))
    }
}
