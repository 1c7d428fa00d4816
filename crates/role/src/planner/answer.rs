//! Reads the plan that a model wrote (artoo R2, output contract).
//!
//! What comes out can be dispatched: numbered without holes, with criteria, and with nothing in it that must not be used.
//! Ids that a model made up are not read (decision 32).

use serde_json::Value;

use super::check::criteria;
use super::example::{BLANK, EXAMPLE_INTENT};
use super::must_not::MustNot;
use crate::ggs::PlanDirective;
use crate::plan::{PlannedSubTask, PlannedTool, TaskPlan};
use crate::prompt::BadAnswer;
use crate::reply::{NAME_CHARS, ReplyObject, TEXT_CHARS, object};

/// A plan has at most so many subtasks.
pub const MOST_SUBTASKS: usize = 12;
/// Sequence numbers are not read beyond this.
const MOST_SEQUENCE: i64 = 1_000_000;

/// How much a plan may hold, and what it has to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanLimits {
    /// At most so many subtasks.
    pub most_subtasks: usize,
    /// At least so many alternatives (decision 67).
    pub least_alternatives: u8,
}

impl Default for PlanLimits {
    fn default() -> Self {
        Self { most_subtasks: MOST_SUBTASKS, least_alternatives: 0 }
    }
}

impl PlanLimits {
    /// With the alternatives that a directive's urgency demands.
    pub fn of(directive: Option<&PlanDirective>) -> Self {
        let least_alternatives = directive.map_or(0, |directive| directive.urgency.alternatives);
        Self { least_alternatives, ..Self::default() }
    }
}

/// The plan in an answer: with the names that are asked for, or with those of the source (`context`, `text`).
pub fn read(raw: &str, must_not: &MustNot, limits: &PlanLimits) -> Result<TaskPlan, BadAnswer> {
    let members = object(raw, &["subtasks"])?;
    let answer = ReplyObject::new(&members);
    let subtasks = read_subtasks(&answer, limits)?;
    let task_criteria = criteria(&answer, "task_criteria")?;
    let alternatives = read_alternatives(&answer, must_not, limits)?;
    let plan = TaskPlan { task_criteria, subtasks, alternatives };
    must_not.require_kept(&plan)?;
    Ok(plan)
}

fn read_subtasks(answer: &ReplyObject<'_>, limits: &PlanLimits) -> Result<Vec<PlannedSubTask>, BadAnswer> {
    let mut subtasks: Vec<PlannedSubTask> = Vec::new();
    for (at, object) in answer.objects("subtasks")?.iter().enumerate() {
        let subtask = read_subtask(object, at)?;
        // The same twice is a loop of the model's, and doing it twice helps nobody.
        if !subtasks.iter().any(|known| is_same(known, &subtask)) {
            subtasks.push(subtask);
        }
    }
    let most = limits.most_subtasks;
    match subtasks.len() {
        0 => Err(answer.bad("subtasks", "holds no subtask; at least one is needed")),
        many if many > most => Err(answer.bad("subtasks", format!("holds {many} subtasks; {most} are the most"))),
        _ => Ok(numbered(subtasks)),
    }
}

fn is_same(one: &PlannedSubTask, other: &PlannedSubTask) -> bool {
    (&one.intent, &one.context, &one.success_criteria) == (&other.intent, &other.context, &other.success_criteria)
}

fn read_subtask(object: &ReplyObject<'_>, at: usize) -> Result<PlannedSubTask, BadAnswer> {
    let intent = object.text("intent", TEXT_CHARS)?;
    if intent == EXAMPLE_INTENT || intent == BLANK {
        return Err(object.bad("intent", "repeats the example"));
    }
    let context = match object.optional_text("notes", TEXT_CHARS)? {
        Some(notes) => notes,
        None => object.optional_text("context", TEXT_CHARS)?.unwrap_or_default(),
    };
    let success_criteria = criteria(object, "success_criteria")?;
    Ok(PlannedSubTask { sequence: sequence(object, at)?, intent, context, success_criteria, tools: tools(object)? })
}

/// As written; where nothing is written, one after the other.
fn sequence(object: &ReplyObject<'_>, at: usize) -> Result<u32, BadAnswer> {
    let Some(written) = object.optional_whole("sequence")? else {
        return Ok(u32::try_from(at + 1).unwrap_or(u32::MAX));
    };
    let in_range = Some(written).filter(|number| (0..=MOST_SEQUENCE).contains(number));
    let number = in_range.and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| object.bad("sequence", format!("is {written}; groups are counted from 1")))
}

/// In their order, the groups counted from 1 without holes.
fn numbered(mut subtasks: Vec<PlannedSubTask>) -> Vec<PlannedSubTask> {
    subtasks.sort_by_key(|subtask| subtask.sequence);
    let (mut group, mut last) = (0, None);
    for subtask in &mut subtasks {
        if last != Some(subtask.sequence) {
            group += 1;
            last = Some(subtask.sequence);
        }
        subtask.sequence = group;
    }
    subtasks
}

/// Tools by name alone, or with a target.
fn tools(object: &ReplyObject<'_>) -> Result<Vec<PlannedTool>, BadAnswer> {
    let mut tools = Vec::new();
    for (at, item) in object.items("tools")?.iter().enumerate() {
        let place = object.place("tools", at);
        tools.push(if matches!(item, Value::String(_)) {
            let tool = object.read_text(&place, item, NAME_CHARS)?.ok_or_else(|| object.bad(&place, "is empty"))?;
            PlannedTool { tool, target: None }
        } else {
            let item = object.below(&place, item)?;
            PlannedTool { tool: item.text("tool", NAME_CHARS)?, target: item.optional_text("target", TEXT_CHARS)? }
        });
    }
    Ok(tools)
}

/// What could be done instead. One that uses what it must not is none, and neither is one that was given before.
fn read_alternatives(
    answer: &ReplyObject<'_>,
    must_not: &MustNot,
    limits: &PlanLimits,
) -> Result<Vec<String>, BadAnswer> {
    let mut alternatives: Vec<String> = Vec::new();
    for text in answer.texts("alternatives", TEXT_CHARS)? {
        let is_known = alternatives.iter().any(|known| known.to_lowercase() == text.to_lowercase());
        if !is_known && must_not.may_say(&text) {
            alternatives.push(text);
        }
    }
    let (found, least) = (alternatives.len(), usize::from(limits.least_alternatives));
    let problem = || format!("holds {found} that differ and use nothing forbidden; {least} are needed");
    if found < least { Err(answer.bad("alternatives", problem())) } else { Ok(alternatives) }
}
