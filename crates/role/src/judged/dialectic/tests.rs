//! What each side is shown, and what it is not; and what is read of its answers.

use super::*;
use crate::prompt::RolePrompt;
use annals_kernel::share::Share;
use annals_rules::domain::dialectic::csp::{FailureRequest, PlanRequest};

const MOST: u32 = 500;

fn case(request: Message) -> DebateCase {
    let router = RouterContext { stakes: Stakes::High, category: "destructive".to_owned(), failures: 2, round: 1 };
    DebateCase { request, router }
}

fn planned() -> DebateCase {
    case(Message::Plan(PlanRequest { proposal: "drop \"the\" table".into(), rounds: 1, stakes: Stakes::High }))
}

fn failed() -> DebateCase {
    let (attempts, errors) = (vec!["reinstalled".into()], vec!["Cannot find module".into()]);
    case(Message::Failure(FailureRequest { task: "fix auth".into(), attempts, errors }))
}

fn claim() -> Position {
    let (claim, supports) = ("nothing reads it".into(), vec!["grep".into()]);
    Position::Claim(PlanClaim { claim, supports, confidence: Share::thousandths(900) })
}

/// Dialectic, "Sub-Agent Invocation": context window.
#[test]
fn the_advocate_is_given_the_request_and_nothing_else() {
    let RolePrompt { system, user, max_tokens, .. } = advocate_question(&planned(), MOST).prompt;
    assert_eq!(user, r#"the request: "DEBATE REQ:\"drop \\\"the\\\" table\" ROUNDS:1 STAKES:high""#);
    assert!(system.starts_with("You are the advocate in a debate before") && !system.contains("critic"), "{system}");
    assert_eq!(max_tokens, MOST);
    let user = advocate_question(&failed(), MOST).prompt.user;
    assert!(user.contains("ATTEMPTS:") && user.contains("Cannot find module"), "{user}");
    assert!(!user.contains("destructive"), "what the router knows is the critic's: {user}");
}

/// Dialectic, "Sub-Agent Invocation": context window.
#[test]
fn the_critic_is_given_the_advocates_position_and_the_routers_context_too() {
    let user = critic_question(&planned(), &claim(), MOST).prompt.user;
    let lines: Vec<_> = user.lines().collect();
    assert_eq!(
        lines[1..],
        [
            r#"the advocate: "CLAIM:\"nothing reads it\" SUPPORTS:[\"grep\"] CONFIDENCE:0.9""#,
            r#"what the router knows: "stakes high (destructive), 2 failures in a row, round 1""#,
        ]
    );
    let doubt = Position::Doubt(Doubt { pattern: None, blind_spot: Some("the alias".into()), should_escalate: false });
    let all = synthesis_question(&failed(), &claim(), &doubt, 200).prompt.user;
    assert!(all.starts_with("the request:") && all.contains("the alias"), "{all}");
}

#[test]
fn positions_are_read_in_the_form_of_their_debate() {
    let read = |raw: &str| read_advocate(raw, DebateKind::Planning).map_err(|bad| bad.to_string());
    assert_eq!(read(r#"{"claim":"nothing reads it","supports":"grep","confidence":0.9}"#), Ok(claim()));
    assert_eq!(read(r#"{"claim":"x"}"#), Err("the answer's confidence is missing".to_owned()));
    let diagnosis = r#"{"diagnosis":"alias","fix":"use x","diff_from_previous":"another tool"}"#;
    let expected = FailureDiagnosis { diagnosis: "alias".into(), fix: "use x".into(), diff: "another tool".into() };
    assert_eq!(read_advocate(diagnosis, DebateKind::Failure), Ok(Position::Diagnosis(expected)));
    let objection = r#"{"objection":"no backup","severity":"HIGH","risks":["loss"],"counter":"None."}"#;
    let expected = Objection {
        objection: "no backup".into(),
        severity: ObjectionSeverity::High,
        risks: vec!["loss".into()],
        counter: None,
    };
    assert_eq!(read_critic(objection, DebateKind::Planning), Ok(Position::Objection(expected)));
    let doubt = r#"{"pattern":"Cannot find module","blind_spot":null,"should_escalate":false}"#;
    let expected = Doubt { pattern: Some("Cannot find module".into()), blind_spot: None, should_escalate: false };
    assert_eq!(read_critic(doubt, DebateKind::Failure), Ok(Position::Doubt(expected)));
    let silent = read_critic(r#"{"pattern":"x","should_escalate":null}"#, DebateKind::Failure);
    assert_eq!(silent.map_err(|bad| bad.to_string()), Err("the answer's should_escalate is missing".to_owned()));
}

#[test]
fn the_orchestrator_says_one_finding_and_why() {
    let word = |finding| OrchestratorWord { finding, rationale: "so".to_owned() };
    let raw = r#"{"actionable":"no","rationale":"so"}"#;
    assert_eq!(read_synthesis(raw, DebateKind::Planning), Ok(word(TextFinding::No)));
    let other = read_synthesis(raw, DebateKind::Failure).map_err(|bad| bad.to_string());
    assert_eq!(other, Err("the answer's substantial is missing".to_owned()));
}
