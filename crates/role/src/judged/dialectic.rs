//! What advocate, critic and orchestrator of a debate are asked, in the forms of CSP/1 (Dialectic, "Sub-Agent
//! Invocation").
//!
//! The advocate is given the request, with the last two attempts where something failed, and never what a critic said. The
//! critic is given the request, what the advocate just said, and what the router knows. The orchestrator is given all of
//! it, and says what no rule can tell for sure; what the debate comes to follows from the table of synthesis.

use serde_json::Value;

use super::material::{Form, JudgedQuestion, asked, flag, number, one_of, optional_text, text, texts};
use super::{Material, share, word};
use crate::prompt::BadAnswer;
use crate::reply::{self, ReplyObject, TEXT_CHARS};
use annals_rules::domain::dialectic::command::{DebateKind, Position, TextFinding};
use annals_rules::domain::dialectic::csp::{
    Doubt, FailureDiagnosis, Message, Objection, ObjectionSeverity, PlanClaim, Stakes, write,
};

/// Characters of the request, or of a position, that are shown.
const SHOWN_CHARS: usize = 4_000;
/// The longest list of supports or risks.
const MOST_LISTED: usize = 5;

/// What a debate is about, as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebateCase {
    /// `DEBATE`, or `DEBATE_FAILURE` with the last attempts and their errors.
    pub request: Message,
    /// What the router knows beside it.
    pub router: RouterContext,
}

/// What the router knows of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouterContext {
    /// What is at stake.
    pub stakes: Stakes,
    /// Of which kind that is.
    pub category: String,
    /// Failures in a row.
    pub failures: u32,
    /// In which round.
    pub round: u8,
}

impl DebateCase {
    fn kind(&self) -> DebateKind {
        if matches!(self.request, Message::Failure(_)) { DebateKind::Failure } else { DebateKind::Planning }
    }

    fn material(&self) -> Material {
        Material::default().with("the request", &write(&self.request), SHOWN_CHARS)
    }

    fn with_critics(&self, advocate: &Position) -> Material {
        let RouterContext { stakes, category, failures, round } = &self.router;
        let router = format!("stakes {stakes} ({category}), {failures} failures in a row, round {round}");
        self.material()
            .with("the advocate", &write(&advocate.message()), SHOWN_CHARS)
            .with("what the router knows", &router, SHOWN_CHARS)
    }
}

/// What the advocate is asked: the request and nothing else.
pub fn advocate_question(case: &DebateCase, max_tokens: u32) -> JudgedQuestion {
    let (rules, members) = match case.kind() {
        DebateKind::Planning => {
            (PLAN_ADVOCATE, [("claim", text()), ("supports", texts(MOST_LISTED)), ("confidence", number())])
        }
        DebateKind::Failure => {
            (FAILURE_ADVOCATE, [("diagnosis", text()), ("fix", text()), ("diff_from_previous", text())])
        }
    };
    asked(&[rules], &case.material(), &Form { members: &members, max_tokens })
}

const PLAN_ADVOCATE: &str = "You are the advocate in a debate before something is done. Defend the plan honestly: say in a sentence why it \
                             is right, what backs that, and how sure you are, from 0 to 1. Claim nothing that is not shown.";
const FAILURE_ADVOCATE: &str = "You are the advocate in a debate after something failed more than once. Say why it failed, what to do now, and \
                                what is new about that compared with each earlier attempt. Name tools, methods and files.";

/// What the critic is asked: the request, what the advocate just said, and what the router knows.
pub fn critic_question(case: &DebateCase, advocate: &Position, max_tokens: u32) -> JudgedQuestion {
    let (rules, members): (&str, Vec<(&str, Value)>) = match case.kind() {
        DebateKind::Planning => {
            let severity = one_of(ObjectionSeverity::ALL.iter().map(|word| word.as_str()));
            let members = [("objection", text()), ("risks", texts(MOST_LISTED)), ("counter", optional_text())];
            (PLAN_CRITIC, members.into_iter().chain([("severity", severity)]).collect())
        }
        DebateKind::Failure => {
            let members = [("pattern", optional_text()), ("blind_spot", optional_text()), ("should_escalate", flag())];
            (FAILURE_CRITIC, members.into())
        }
    };
    asked(&[rules], &case.with_critics(advocate), &Form { members: &members, max_tokens })
}

const PLAN_CRITIC: &str = "You are the critic in a debate before something is done. Challenge the plan: say what is wrong with it, what may \
                           happen, and what to do instead, or null where nothing can be done. severity: low is worth a word, medium is \
                           worth a change, high means that it must not be done so.";
const FAILURE_CRITIC: &str = "You are the critic in a debate after something failed more than once. Say what the failures have in common, in the \
                              words of the errors, and what the advocate does not see; null where there is nothing. should_escalate is true \
                              where a person has to decide.";

/// What the orchestrator is asked when both have spoken.
pub fn synthesis_question(
    case: &DebateCase,
    advocate: &Position,
    critic: &Position,
    max_tokens: u32,
) -> JudgedQuestion {
    let findings = one_of(TextFinding::ALL.iter().map(|word| word.as_str()));
    let (rules, finding) = match case.kind() {
        DebateKind::Planning => (PLAN_ORCHESTRATOR, "actionable"),
        DebateKind::Failure => (FAILURE_ORCHESTRATOR, "substantial"),
    };
    let members = [(finding, findings), ("rationale", text())];
    let material = case.with_critics(advocate).with("the critic", &write(&critic.message()), SHOWN_CHARS);
    asked(&[ORCHESTRATOR, rules], &material, &Form { members: &members, max_tokens })
}

const ORCHESTRATOR: &str = "You are the orchestrator of a debate; both sides have spoken. What follows is decided by rules. You say one thing \
                            that they need, and in one sentence what the debate comes to.";
const PLAN_ORCHESTRATOR: &str = "actionable: yes where the critic names a risk and something to do about it, or a precedent; no where it is a vague \
                                 worry; unclear in doubt.";
const FAILURE_ORCHESTRATOR: &str = "substantial: yes where the fix changes the approach, or adds a tool, library or method that no attempt had; no where \
                                    it is a small change of the same; unclear in doubt.";

/// What an orchestrator says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrchestratorWord {
    /// Whether the counter can be acted on, or the difference is substantial.
    pub finding: TextFinding,
    /// What the debate comes to, in a sentence.
    pub rationale: String,
}

/// What an advocate said.
pub fn read_advocate(raw: &str, kind: DebateKind) -> Result<Position, BadAnswer> {
    match kind {
        DebateKind::Planning => {
            let members = reply::object(raw, &["claim"])?;
            let answer = ReplyObject::new(&members);
            let (claim, supports) = (boxed(&answer, "claim")?, list(&answer, "supports")?);
            Ok(Position::Claim(PlanClaim { claim, supports, confidence: share(&answer, "confidence")? }))
        }
        DebateKind::Failure => {
            let members = reply::object(raw, &["diagnosis", "fix"])?;
            let answer = ReplyObject::new(&members);
            let (diagnosis, fix) = (boxed(&answer, "diagnosis")?, boxed(&answer, "fix")?);
            Ok(Position::Diagnosis(FailureDiagnosis { diagnosis, fix, diff: boxed(&answer, "diff_from_previous")? }))
        }
    }
}

/// What a critic said.
pub fn read_critic(raw: &str, kind: DebateKind) -> Result<Position, BadAnswer> {
    match kind {
        DebateKind::Planning => {
            let members = reply::object(raw, &["objection"])?;
            let answer = ReplyObject::new(&members);
            let severity = word(&answer, "severity", "is none of low, medium and high")?;
            let (objection, risks) = (boxed(&answer, "objection")?, list(&answer, "risks")?);
            Ok(Position::Objection(Objection { objection, severity, risks, counter: optional(&answer, "counter")? }))
        }
        DebateKind::Failure => {
            let members = reply::object(raw, &["should_escalate"])?;
            let answer = ReplyObject::new(&members);
            let escalates = answer.optional_flag("should_escalate")?;
            let should_escalate = escalates.ok_or_else(|| answer.bad("should_escalate", "is missing"))?;
            let (pattern, blind_spot) = (optional(&answer, "pattern")?, optional(&answer, "blind_spot")?);
            Ok(Position::Doubt(Doubt { pattern, blind_spot, should_escalate }))
        }
    }
}

/// What an orchestrator said.
pub fn read_synthesis(raw: &str, kind: DebateKind) -> Result<OrchestratorWord, BadAnswer> {
    let field = match kind {
        DebateKind::Planning => "actionable",
        DebateKind::Failure => "substantial",
    };
    let members = reply::object(raw, &[field])?;
    let answer = ReplyObject::new(&members);
    let finding = word(&answer, field, "is none of yes, no and unclear")?;
    Ok(OrchestratorWord { finding, rationale: answer.text("rationale", TEXT_CHARS)? })
}

fn boxed(answer: &ReplyObject<'_>, field: &str) -> Result<Box<str>, BadAnswer> {
    Ok(answer.text(field, TEXT_CHARS)?.into())
}

fn list(answer: &ReplyObject<'_>, field: &str) -> Result<Vec<Box<str>>, BadAnswer> {
    Ok(answer.texts(field, TEXT_CHARS)?.into_iter().take(MOST_LISTED).map(Into::into).collect())
}

/// A text that may be missing; `none` says that there is nothing, as in CSP/1.
fn optional(answer: &ReplyObject<'_>, field: &str) -> Result<Option<Box<str>>, BadAnswer> {
    let text = answer.optional_text(field, TEXT_CHARS)?;
    let is_something =
        |text: &String| !["none", "null", "n/a"].contains(&text.trim_end_matches('.').to_lowercase().as_str());
    Ok(text.filter(is_something).map(Into::into))
}

#[cfg(test)]
mod tests;
