//! Holds a plan against what it must not use (artoo, "R2 plan cannot reuse a tool in `blocked_tools`").
//!
//! Looks wherever an executor would take its orders from: planned tools and targets, intents, contexts, criteria, checks. A
//! mention counts as a use: a plan that must not use a thing need not name it. Of an approach only what memory says was tried
//! is seen: the same words in another order, or the same call that failed.

use super::looks::only_looks;
use super::must_not::{Ban, BanSource, Banned, MustNot};
use super::spelling::Spelling;
use super::tool_words::ToolWords;
use super::tried::{TriedPart, tried_in};
use crate::plan::{Criterion, PlannedSubTask, TaskPlan};
use crate::prompt::BadAnswer;
use crate::quote::inline;

/// One place of a plan that may use what is banned.
struct PlanUse {
    /// Its dotted path.
    place: String,
    how: UseForm,
    spelling: Spelling,
}

enum UseForm {
    /// An intent or a context: orders.
    Orders,
    /// What a criterion says.
    Assertion,
    /// A file that is looked at.
    File,
    /// A command line of a check.
    Command(String),
    /// A tool that is named; the spelling is its target.
    Tool(String),
}

/// A ban, ready to be compared.
struct BanGuard<'b> {
    ban: &'b Ban,
    tool: Option<ToolWords>,
    target: Option<Spelling>,
    /// Of an approach, the parts that failed.
    tried: Vec<TriedPart>,
}

impl MustNot {
    /// That a plan uses nothing of this.
    pub fn require_kept(&self, plan: &TaskPlan) -> Result<(), BadAnswer> {
        let uses = uses_of(plan);
        for guard in self.guards() {
            if let Some(found) = uses.iter().find(|found| guard.forbids(found)) {
                return Err(BadAnswer::Forbidden { what: format!("{} ({})", guard.name(), found.place) });
            }
            let mut parts = plan.subtasks.iter().enumerate();
            if let Some((at, _)) = parts.find(|(_, part)| guard.tried.iter().any(|tried| tried.is(part))) {
                return Err(BadAnswer::Forbidden { what: format!("{} (subtasks.{at})", guard.name()) });
            }
        }
        Ok(())
    }

    /// Whether words, as orders, use nothing of this.
    pub(super) fn may_say(&self, words: &str) -> bool {
        let said = PlanUse::new(String::new(), UseForm::Orders, words);
        !self.guards().any(|guard| guard.forbids(&said))
    }

    /// Whether a tool is banned, whatever it is used on.
    pub(super) fn bans_tool(&self, tool: &str) -> bool {
        let is_it = |guard: &BanGuard<'_>| guard.target.is_none() && guard.tool.as_ref().is_some_and(|it| it.is(tool));
        self.guards().any(|guard| is_it(&guard))
    }

    fn guards(&self) -> impl Iterator<Item = BanGuard<'_>> {
        self.bans.iter().map(BanGuard::of)
    }
}

impl<'b> BanGuard<'b> {
    fn of(ban: &'b Ban) -> Self {
        let (tool, target) = match &ban.what {
            Banned::Tool { tool } => (Some(tool), None),
            Banned::Target { target } => (None, Some(target)),
            Banned::ToolOnTarget { tool, target } => (Some(tool), Some(target)),
            Banned::Approach { .. } => (None, None),
        };
        let tried = ban.says.iter().flat_map(|text| tried_in(text)).collect();
        Self {
            ban,
            tool: tool.map(|tool| ToolWords::of(tool)),
            target: target.map(|target| Spelling::of(target)),
            tried,
        }
    }

    fn forbids(&self, found: &PlanUse) -> bool {
        if self.ban.source == BanSource::Person && found.looks() {
            return false;
        }
        match (&self.tool, &self.target) {
            (Some(tool), None) => found.is_of_tool(tool),
            (None, Some(target)) => found.is_of_target(target),
            (Some(tool), Some(target)) => found.is_of_target(target) && found.may_be_of_tool(tool),
            (None, None) => false,
        }
    }

    fn name(&self) -> String {
        match &self.ban.what {
            Banned::Tool { tool } => format!("the tool {}", inline(tool)),
            Banned::Target { target } => format!("the target {}", inline(target)),
            Banned::ToolOnTarget { tool, target } => format!("the tool {} on {}", inline(tool), inline(target)),
            Banned::Approach { space } => format!("the approach {}", inline(space)),
        }
    }
}

impl PlanUse {
    fn new(place: String, how: UseForm, text: &str) -> Self {
        Self { place, how, spelling: Spelling::of(text) }
    }

    /// Whether it only looks: what a person does not want changed may be read, and checked to be as it was.
    fn looks(&self) -> bool {
        match &self.how {
            UseForm::Assertion | UseForm::File => true,
            UseForm::Command(line) => only_looks(line),
            UseForm::Tool(name) => ["read", "find", "glob", "search"].contains(&name.as_str()),
            UseForm::Orders => false,
        }
    }

    /// Of a tool that is banned on everything: the executor is not offered it, so an everyday verb asks for no more than the
    /// person did.
    fn is_of_tool(&self, tool: &ToolWords) -> bool {
        match &self.how {
            UseForm::Orders => tool.are_named_in(&self.spelling),
            UseForm::Tool(name) => tool.is(name),
            // A check may run what only looks: else nothing could be verified. It may not do the work instead.
            UseForm::Command(line) => tool.is_shell && !only_looks(line),
            UseForm::Assertion | UseForm::File => false,
        }
    }

    fn is_of_target(&self, target: &Spelling) -> bool {
        match &self.how {
            UseForm::Orders | UseForm::Assertion => self.spelling.uses(target),
            UseForm::File | UseForm::Command(_) | UseForm::Tool(_) => self.spelling.takes(target),
        }
    }

    /// Whether a use of a target may be one by this tool.
    fn may_be_of_tool(&self, tool: &ToolWords) -> bool {
        match &self.how {
            UseForm::Orders => tool.are_in(&self.spelling),
            UseForm::Tool(name) => tool.is(name),
            UseForm::Command(_) => tool.is_shell,
            UseForm::Assertion | UseForm::File => false,
        }
    }
}

fn uses_of(plan: &TaskPlan) -> Vec<PlanUse> {
    let mut found = Vec::new();
    for (at, subtask) in plan.subtasks.iter().enumerate() {
        add_subtask(&format!("subtasks.{at}"), subtask, &mut found);
    }
    add_criteria("task_criteria", &plan.task_criteria, &mut found);
    found
}

fn add_subtask(place: &str, subtask: &PlannedSubTask, found: &mut Vec<PlanUse>) {
    found.push(PlanUse::new(format!("{place}.intent"), UseForm::Orders, &subtask.intent));
    found.push(PlanUse::new(format!("{place}.context"), UseForm::Orders, &subtask.context));
    for (at, planned) in subtask.tools.iter().enumerate() {
        let target = planned.target.as_deref().unwrap_or_default();
        found.push(PlanUse::new(format!("{place}.tools.{at}"), UseForm::Tool(planned.tool.clone()), target));
    }
    add_criteria(&format!("{place}.success_criteria"), &subtask.success_criteria, found);
}

fn add_criteria(place: &str, criteria: &[Criterion], found: &mut Vec<PlanUse>) {
    for (at, criterion) in criteria.iter().enumerate() {
        let place = format!("{place}.{at}");
        found.push(PlanUse::new(format!("{place}.text"), UseForm::Assertion, &criterion.text));
        let Some(check) = &criterion.check else { continue };
        let (how, text) = match (check.command(), check.file()) {
            (Some(line), _) => (UseForm::Command(line.to_owned()), line),
            (None, Some(file)) => (UseForm::File, file),
            // It only looks, and no plan of a model has it.
            (None, None) => continue,
        };
        found.push(PlanUse::new(format!("{place}.check"), how, text));
    }
}
