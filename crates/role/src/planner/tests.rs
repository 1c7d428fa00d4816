//! What R2 asks, what it takes for a plan, and what it never lets through.

mod answers;
mod bans;
mod checks;
mod drafts;
mod forbidden;
mod laws;
mod named;
mod prompts;
mod said;
mod spellings;
mod tried;

use serde_json::{Value, json};

use super::{MustNot, PlanLimits, PlanQuery, must_not, question, read};
use crate::ggs::{
    CriterionMode, CriterionVerdict, Directive, FailureMix, GgsLimits, Gradient, Measures, PlanDirective,
    PreviousDirective, Reading, SubTaskOutcome, SubTaskStatus, Urgency, UrgencyLevel, Verdict, loss,
};
use crate::message::{MemoryAction, MemoryAnswer, OutcomeReport, Remembered};
use crate::plan::{Constraints, TaskPlan, TaskSpec};
use crate::prompt::{BadAnswer, RolePrompt};
use crate::tool::ToolName;
use annals_kernel::share::Share;

fn spec(intent: &str) -> TaskSpec {
    let constraints = Constraints::default();
    TaskSpec { slug: "task".to_owned(), intent: intent.to_owned(), constraints, raw_input: intent.to_owned() }
}

fn directive(tools: &[&str], targets: &[&str]) -> PlanDirective {
    let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let half = Reading::HALF;
    PlanDirective {
        task_id: "t".to_owned(),
        loss: loss(Measures { d: half, p: half, omega: half }, &GgsLimits::default()),
        prev_directive: PreviousDirective::Init,
        directive: Directive::ChangeApproach,
        blocked_tools: own(tools),
        blocked_targets: own(targets),
        failed_criterion: "names.txt is sorted".to_owned(),
        failure_class: FailureMix::Logical,
        budget_pressure: half,
        grad_l: Gradient::NONE,
        rationale: "D 0.5 > delta 0.3".to_owned(),
        urgency: Urgency { level: UrgencyLevel::Normal, alternatives: 2, budget_share: Share::thousandths(400) },
        cell: 6,
        worsening: 0,
        replans: 1,
    }
}

fn remembered(space: &str, entity: &str, action: MemoryAction, content: &[&str]) -> Remembered {
    let content = content.iter().map(|text| (*text).to_owned()).collect();
    Remembered { space: space.to_owned(), entity: entity.to_owned(), action, content }
}

fn banning(tools: &[&str], targets: &[&str]) -> MustNot {
    must_not(&MemoryAnswer::default(), Some(&directive(tools, targets)))
}

/// What a plan is made from where nothing else is known.
fn query<'q>(spec: &'q TaskSpec, memory: &'q MemoryAnswer) -> PlanQuery<'q> {
    PlanQuery {
        spec,
        memory,
        directive: None,
        is_anew: false,
        outcomes: &[],
        rejected: None,
        tools: ToolName::ALL,
        place: "",
        checks: &[],
    }
}

/// What is asked for these words alone.
fn query_words(words: &str) -> RolePrompt {
    question(&query(&spec(words), &MemoryAnswer::default()))
}

fn nothing() -> MustNot {
    MustNot::default()
}

/// A plan of one subtask, as a model writes it.
fn answer(intent: &str) -> Value {
    json!({
        "subtasks": [{"sequence": 1, "intent": intent, "context": "", "success_criteria": ["it is done"], "tools": []}],
        "task_criteria": ["all is done"]
    })
}

fn read_plain(answer: &Value) -> Result<TaskPlan, BadAnswer> {
    read(&answer.to_string(), &nothing(), &PlanLimits::default())
}

fn problem(answer: &Value) -> String {
    read_plain(answer).expect_err("it is no plan").to_string()
}

fn verdict(criterion: &str, verdict: Verdict, evidence: &str) -> CriterionVerdict {
    CriterionVerdict {
        criterion: criterion.to_owned(),
        mode: CriterionMode::Verifiable,
        verdict,
        failure_class: None,
        evidence: evidence.to_owned(),
    }
}

fn report(number: usize, verdicts: Vec<CriterionVerdict>, reason: Option<&str>, output: &str) -> OutcomeReport {
    let is_failed = reason.is_some() || verdicts.iter().any(CriterionVerdict::is_failed);
    let outcome = SubTaskOutcome {
        subtask_id: format!("t-r1-s{number}"),
        status: if is_failed { SubTaskStatus::Failed } else { SubTaskStatus::Matched },
        failure_reason: reason.map(str::to_owned),
        gap_trajectory: Vec::new(),
        criteria_verdicts: verdicts,
        tool_uses: Vec::new(),
    };
    OutcomeReport {
        parent_task_id: "t".to_owned(),
        outcome,
        output: output.to_owned(),
        evidence: Vec::new(),
        calls: Vec::new(),
    }
}
