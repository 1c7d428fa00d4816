//! R2 in a task: memory is asked, a plan is made, and its subtasks are sent out.

use super::{BanReach, RunStage, TaskRun, Tries, Waiting, WordsReach};
use crate::bus::Party;
use crate::message::{BusMessage, MemoryAnswer};
use crate::meta_validator::Gathering;
use crate::plan::{Constraints, TaskPlan};
use crate::planner::{self, PlanLimits, PlanQuery};
use crate::prompt::BadAnswer;

/// A plan, and how many answers of memory about it are missing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Confirming {
    plan: TaskPlan,
    tries: Tries,
    missing: usize,
}

impl TaskRun {
    /// Before each plan: what was learnt in the round before counts, too.
    pub(super) fn ask_memory(&mut self) {
        let queries = planner::memory_queries(self.spec());
        self.memory = MemoryAnswer::default();
        self.stage = RunStage::Recalling { missing: queries.len() };
        for query in queries {
            self.say(Party::Planner, Party::Memory, BusMessage::MemoryQuery(query));
        }
    }

    pub(super) fn recalled(&mut self, answer: MemoryAnswer) {
        if let RunStage::Confirming(_) = self.stage {
            return self.confirmed(answer);
        }
        let RunStage::Recalling { missing } = self.stage else { return };
        self.say(Party::Memory, Party::Planner, BusMessage::MemoryAnswer(answer.clone()));
        self.memory.remembered.extend(answer.remembered);
        if missing > 1 {
            self.stage = RunStage::Recalling { missing: missing - 1 };
            return;
        }
        self.round += 1;
        if let Some(plan) = self.own_plan() {
            return self.dispatch(&plan);
        }
        self.stage = RunStage::Planning(Tries::default());
        self.ask_planner();
    }

    fn ask_planner(&mut self) {
        let RunStage::Planning(tries) = &self.stage else { return };
        let key = format!("planner.r{}.{}", self.round, tries.asked + 1);
        let prompt = planner::question(&PlanQuery {
            spec: self.spec(),
            memory: &self.memory,
            directive: self.directive.as_ref(),
            is_anew: self.is_anew,
            outcomes: &self.before,
            rejected: tries.rejected.as_ref(),
            tools: &self.setting.tools,
            place: &self.setting.place,
            checks: &self.request.checks,
        });
        self.ask(key, Party::Planner, prompt, Waiting::Planner);
    }

    /// A plan that cannot be read or uses what it must not is asked for again; in the end the round has none.
    pub(super) fn planned(&mut self, text: &str) {
        let RunStage::Planning(tries) = self.stage.clone() else { return };
        let must_not = self.must_not();
        let is_last = tries.asked >= self.setting.limits.max_unreadable;
        let limits = PlanLimits::of(self.directive.as_ref());
        // Small models seldom think of alternatives: that they are missing is no reason to do nothing at all.
        let least_alternatives = if is_last { 0 } else { limits.least_alternatives };
        match planner::read(text, &must_not, &PlanLimits { least_alternatives, ..limits }) {
            Ok(plan) => match self.as_named(plan, tries.rejected.as_ref()) {
                Ok(plan) => self.confirm(plan, tries),
                Err(rejected) => self.plan_rejected(&tries, rejected),
            },
            Err(rejected) => self.plan_rejected(&tries, rejected),
        }
    }

    fn as_named(&self, plan: TaskPlan, rejected: Option<&BadAnswer>) -> Result<TaskPlan, BadAnswer> {
        let (words, reach) = (&self.request.raw_input, self.setting.words);
        if reach == WordsReach::Forbidden {
            return Ok(plan);
        }
        planner::require_own_words(&plan, words)?;
        let plan = planner::with_named_paths(plan, words, &self.setting.place);
        if reach >= WordsReach::Meant {
            planner::require_meant_checks(&plan, words)?;
        }
        if reach >= WordsReach::Named {
            planner::require_meant_files(&plan, words, &self.setting.place)?;
            rejected.map_or(Ok(()), |said| planner::require_other_words(&plan, said, words))?;
        }
        Ok(plan)
    }

    /// Memory is asked for what a plan means to use, where it names it: its task may be another one than before.
    fn confirm(&mut self, plan: TaskPlan, tries: Tries) {
        let queries = match self.setting.bans {
            BanReach::AsSpelled => Vec::new(),
            BanReach::AsMeant => planner::target_queries(&plan),
        };
        if queries.is_empty() {
            return self.prove(self.with_own(plan), tries);
        }
        self.stage = RunStage::Confirming(Box::new(Confirming { plan, tries, missing: queries.len() }));
        for query in queries {
            self.say(Party::Planner, Party::Memory, BusMessage::MemoryQuery(query));
        }
    }

    fn confirmed(&mut self, answer: MemoryAnswer) {
        self.say(Party::Memory, Party::Planner, BusMessage::MemoryAnswer(answer.clone()));
        self.memory.remembered.extend(answer.remembered);
        let RunStage::Confirming(confirming) = &mut self.stage else { return };
        confirming.missing -= 1;
        if confirming.missing > 0 {
            return;
        }
        let Confirming { plan, tries, .. } = (**confirming).clone();
        match self.must_not().require_kept(&plan) {
            Ok(()) => self.prove(self.with_own(plan), tries),
            Err(rejected) => self.plan_rejected(&tries, rejected),
        }
    }

    /// It is asked for again, so often and no more.
    pub(super) fn plan_rejected(&mut self, tries: &Tries, rejected: BadAnswer) {
        if tries.asked >= self.setting.limits.max_unreadable {
            return self.without_plan(&rejected);
        }
        self.stage = RunStage::Planning(tries.again(rejected));
        self.ask_planner();
    }

    pub(super) fn dispatch(&mut self, plan: &TaskPlan) {
        let mut manifest = planner::dispatch(plan, &self.setting.task_id, self.round);
        for subtask in &mut manifest.subtasks {
            subtask.context.push_str(&constraints(&self.spec().constraints));
        }
        self.say(Party::Planner, Party::MetaValidator, BusMessage::DispatchManifest(manifest.clone()));
        self.gathering = Some(Gathering::of(manifest));
        self.working.clear();
        self.stage = RunStage::Working;
        self.start_group();
    }

    fn without_plan(&mut self, rejected: &BadAnswer) {
        self.gathering = None;
        self.fall_short(format!("there is no plan: {rejected}"));
    }
}

/// What the person limited, for every executor: a planner that leaves it out must not widen the task.
pub(super) fn constraints(constraints: &Constraints) -> String {
    let scope = constraints.scope.iter().map(|scope| format!("\nKeep to: {scope}"));
    let deadline = constraints.deadline.iter().map(|deadline| format!("\nUntil: {deadline}"));
    scope.chain(deadline).collect()
}
