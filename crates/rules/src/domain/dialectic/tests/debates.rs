//! From request to resolution, and who may say what when.

use super::super::Debate;
use super::super::command::{Approve, DebateSide, Judge, Reset, ResolvedEnding, Succeed, TextFinding};
use super::super::csp::{Resolved, Stakes};
use super::super::event::{Argued, Escalated, EscalationReason, Judged, Requested, ResolvedDebate};
use super::super::limits::{ADVOCATE_TOKENS, CRITIC_TOKENS, SYNTHESIS_TOKENS};
use super::super::stakes::{Bypass, DebateCategory};
use super::super::synthesis::SynthesisRule;
use super::*;
use annals_kernel::model_word::ModelWord;

const PLAN: &str = "Delete the old cache";

/// Dialectic, "Planning Debate Flow".
#[test]
fn a_plan_is_argued_about_and_goes_on() {
    let mut desk = Desk::new();
    assert_eq!(desk.says(PLAN), ("debate", 0));
    let requested = desk.done(about(PLAN, DebateKind::Planning));
    let Event::Requested(Requested { debate, stakes, category, rounds, .. }) = requested else {
        panic!("{requested:?}")
    };
    assert_eq!((stakes, category, rounds), (Stakes::High, DebateCategory::Destructive, 1));
    let argued = desk.argue(&debate, CLAIM).events;
    let expected = Argued { debate: debate.clone(), side: DebateSide::Advocate, round: 1, tokens: 14 };
    assert_eq!(argued, [expected.into()]);
    desk.argue(&debate, SLIGHT);
    assert_eq!(
        desk.resolve(&debate),
        ResolvedDebate {
            debate: debate.clone(),
            task: super::super::identity::task_id(PLAN).expect("an id"),
            resolution: Resolved::Proceed,
            rule: SynthesisRule::LowConfident,
            rationale: "".into(),
            modifications: Vec::new(),
            next_approach: None,
            escalate_to: None,
            next_attempt_limit: None,
        }
    );
    let gate = desk.gate(PLAN);
    assert_eq!((gate.verdict.as_str(), gate.bypass), ("go", Some(Bypass::Debated)));
    assert_eq!(desk.gate_with(PLAN, Some("rm -rf all of it"), false).verdict.as_str(), "debate", "another plan");
    assert_eq!(desk.refused(about(PLAN, DebateKind::Planning)), "dialectic.debated_already");
}

/// Decision 26b: two attempts follow only a plan that was changed.
#[test]
fn a_changed_plan_gives_two_attempts() {
    let mut desk = Desk::new();
    let debate = desk.request(about(PLAN, DebateKind::Planning));
    desk.argue(&debate, CLAIM);
    desk.argue(&debate, "OBJECTION:no backup SEVERITY:high RISKS:[data loss] COUNTER:back up first");
    let resolution = desk.resolve(&debate);
    let ResolvedDebate { resolution, rule, modifications, next_attempt_limit, .. } = resolution;
    assert_eq!((resolution, rule, next_attempt_limit), (Resolved::Modify, SynthesisRule::HighActionable, Some(2)));
    assert_eq!(modifications, ["back up first".into()]);
}

/// Dialectic, "Failure Debate Flow": one attempt follows, then a person.
#[test]
fn a_failure_is_argued_about_and_tried_once_more() {
    let mut desk = Desk::new();
    desk.fail("x");
    assert_eq!(desk.refused(about(TASK, DebateKind::Failure)), "dialectic.too_few_failures");
    desk.fail("x");
    let debate = desk.request(about(TASK, DebateKind::Failure));
    let known = desk.state.debate(&debate).expect("known");
    assert_eq!((known.attempts.len(), known.errors.len(), known.failures), (2, 2, 2));
    desk.argue(&debate, DIAGNOSIS);
    desk.argue(&debate, DOUBT);
    let resolution = desk.resolve(&debate);
    assert_eq!((resolution.resolution, resolution.next_attempt_limit), (Resolved::Retry, Some(1)));
    assert_eq!(resolution.next_approach.as_deref(), Some("use vite-tsconfig-paths"));
    assert_eq!((desk.says(TASK), desk.gate(TASK).attempts_left), (("go", 2), Some(1)));
    assert_eq!(desk.refused(about(TASK, DebateKind::Failure)), "dialectic.debate_used");
    let why = Escalated { task: TASK_ID.into(), why: EscalationReason::DebateUsed, failures: 3 };
    assert_eq!(desk.fail("y").last(), Some(&why.into()));
    assert_eq!(desk.says(TASK).0, "escalate");
    let judged = desk.state.debate(&debate).and_then(|debate| debate.judgement).expect("judged");
    assert_eq!((judged.outcome, judged.helped, judged.declared), (ResolvedEnding::Failure, false, false));
}

/// Decision 26b: what happens with a blind spot, and with nothing new.
#[test]
fn every_way_out_of_a_failure_debate_is_taken() {
    for (fix, doubt, alternative, resolution, next) in [
        (DIAGNOSIS, "PATTERN:paths BLIND_SPOT:none SHOULD_ESCALATE:true", None, Resolved::Escalate, None),
        (DIAGNOSIS, "PATTERN:\"X happened\" SHOULD_ESCALATE:false", None, Resolved::Escalate, None),
        (
            DIAGNOSIS,
            "PATTERN:none BLIND_SPOT:\"the cache\" SHOULD_ESCALATE:false",
            None,
            Resolved::Pivot,
            Some("use vite-tsconfig-paths; mind: the cache"),
        ),
        (
            "DIAGNOSIS:x FIX:as before DIFF_FROM_PREVIOUS:a typo",
            DOUBT,
            Some("ask upstream"),
            Resolved::Pivot,
            Some("ask upstream"),
        ),
        ("DIAGNOSIS:x FIX:as before DIFF_FROM_PREVIOUS:a typo", DOUBT, None, Resolved::Escalate, None),
    ] {
        let mut desk = Desk::new();
        desk.fail("x happened");
        desk.fail("x happened");
        let debate = desk.request(about(TASK, DebateKind::Failure));
        desk.argue(&debate, fix);
        desk.argue(&debate, doubt);
        let resolve = Resolve { debate, next_approach: alternative.map(Into::into), ..Resolve::default() };
        let outcome = desk.ask(resolve);
        let Some(Event::Resolved(resolved)) = outcome.events.first() else { panic!("{outcome:?}") };
        assert_eq!((resolved.resolution, resolved.next_approach.as_deref()), (resolution, next), "{fix} {doubt}");
        let verdict = if resolution == Resolved::Escalate { "escalate" } else { "go" };
        assert_eq!(desk.says(TASK).0, verdict);
        assert_eq!(outcome.events.len(), if resolution == Resolved::Escalate { 2 } else { 1 });
    }
}

/// Decision 26b: what a model found is an observation, and goes before the rule.
#[test]
fn an_observation_goes_before_the_rule() {
    for (finding, expected) in [(TextFinding::No, Resolved::Escalate), (TextFinding::Unclear, Resolved::Retry)] {
        let mut desk = Desk::new();
        desk.fail("x");
        desk.fail("x");
        let debate = desk.request(about(TASK, DebateKind::Failure));
        desk.argue(&debate, DIAGNOSIS);
        desk.argue(&debate, DOUBT);
        let observed = Observed { substantial: Some(finding), actionable: None, model: None };
        let outcome = desk.ask_as("user", Resolve { debate, ..Resolve::default() }, &observed);
        let Some(Event::Resolved(resolved)) = outcome.events.first() else { panic!("{outcome:?}") };
        assert_eq!(resolved.resolution, expected, "{finding}");
    }
}

/// Dialectic, "CSP/1 Protocol Extensions": one to three rounds, advocate first.
#[test]
fn each_round_has_its_order() {
    let mut desk = Desk::new();
    for rounds in [0, 4] {
        let request = Request { rounds: Some(rounds), ..about(PLAN, DebateKind::Planning) };
        assert_eq!(desk.refused(request), "dialectic.bad_rounds");
    }
    let debate = desk.request(Request { rounds: Some(2), ..about(PLAN, DebateKind::Planning) });
    assert_eq!(desk.refused(about(PLAN, DebateKind::Planning)), "dialectic.goes_on");
    assert_eq!(desk.gate(PLAN).open.as_deref(), Some(&*debate));
    let resolve = || Resolve { debate: debate.clone(), ..Resolve::default() };
    assert_eq!(desk.ask(resolve()).refusal, Some(Refusal::NotHeard { side: DebateSide::Advocate }));
    assert_eq!(desk.refused(argue(&debate, SLIGHT)), "dialectic.not_your_turn");
    assert_eq!(desk.refused(argue(&debate, DIAGNOSIS)), "dialectic.other_kind");
    assert_eq!(desk.refused(argue("nowhere", CLAIM)), "dialectic.unknown_debate");
    desk.argue(&debate, CLAIM);
    assert_eq!(desk.refused(argue(&debate, CLAIM)), "dialectic.not_your_turn");
    assert_eq!(desk.ask(resolve()).refusal, Some(Refusal::NotHeard { side: DebateSide::Critic }));
    desk.argue(&debate, SLIGHT);
    desk.argue(&debate, "CLAIM:less sure now CONFIDENCE:0.5");
    desk.argue(&debate, "OBJECTION:worse SEVERITY:high");
    assert_eq!(desk.refused(argue(&debate, CLAIM)), "dialectic.not_your_turn", "two rounds are over");
    assert_eq!(desk.resolve(&debate).rule, SynthesisRule::HighBlocked, "the last round counts");
    assert_eq!(desk.refused(argue(&debate, CLAIM)), "dialectic.over");
    assert_eq!(desk.refused(resolve()), "dialectic.over");
    assert_eq!(desk.says(PLAN).0, "escalate");
}

#[test]
fn an_agent_does_not_argue_with_itself() {
    let mut desk = Desk::new();
    let debate = desk.request(about(PLAN, DebateKind::Planning));
    let none = Observed::default();
    assert_eq!(desk.ask_as("one", argue(&debate, CLAIM), &none).refusal, None);
    let refusal = desk.ask_as("one", argue(&debate, SLIGHT), &none).refusal;
    assert_eq!(refusal, Some(Refusal::BothSides { actor: "one".into(), side: DebateSide::Advocate }));
    assert_eq!(desk.ask_as("two", argue(&debate, SLIGHT), &none).refusal, None);
}

/// Dialectic, "Response limits": 500, 500 and 200 tokens.
#[test]
fn each_side_and_the_synthesis_have_their_limit() {
    let settings = Settings::default();
    let limits = [&ADVOCATE_TOKENS, &CRITIC_TOKENS, &SYNTHESIS_TOKENS].map(|limit| settings.get(limit));
    assert_eq!(limits, [500, 500, 200]);
    let claim = |chars: usize| format!("CLAIM:{} CONFIDENCE:0.9", "x".repeat(chars));
    let mut desk = Desk::new();
    let debate = desk.request(about(PLAN, DebateKind::Planning));
    // CLAIM:"" SUPPORTS:[] CONFIDENCE:0.9 is 35 characters of 2000 and more.
    let over = desk.argue(&debate, &claim(2000 - 34)).refusal;
    assert_eq!(over, Some(Refusal::TooManyTokens { tokens: 501, most: 500 }));
    assert_eq!(desk.argue(&debate, &claim(2000 - 35)).refusal, None);
    let long = format!("OBJECTION:{} SEVERITY:low", "x".repeat(2000));
    assert!(matches!(desk.argue(&debate, &long).refusal, Some(Refusal::TooManyTokens { most: 500, .. })));
    desk.argue(&debate, SLIGHT);
    let wordy = Resolve { debate: debate.clone(), rationale: Some("x".repeat(800).into()), ..Resolve::default() };
    assert!(matches!(desk.ask(wordy).refusal, Some(Refusal::TooManyTokens { most: 200, .. })));
    desk.set(&SYNTHESIS_TOKENS, 300);
    let wordy = Resolve { debate, rationale: Some("x".repeat(800).into()), ..Resolve::default() };
    assert_eq!(desk.ask(wordy).refusal, None);
}

/// The word follows from the rules, whoever writes it.
#[test]
fn a_resolution_is_by_rule() {
    let mut desk = Desk::new();
    let debate = desk.request(about(PLAN, DebateKind::Planning));
    desk.argue(&debate, CLAIM);
    desk.argue(&debate, "OBJECTION:no backup SEVERITY:high RISKS:[loss] COUNTER:back up first");
    let given = |resolution, next_attempt_limit| Resolve {
        debate: debate.clone(),
        resolution: Some(resolution),
        next_attempt_limit,
        ..Resolve::default()
    };
    let refusal = desk.ask(given(Resolved::Proceed, None)).refusal;
    let (expected, given_word) = (Resolved::Modify, Resolved::Proceed);
    assert_eq!(refusal, Some(Refusal::NotByRule { rule: "high-actionable", expected, given: given_word }));
    assert_eq!(desk.refused(given(Resolved::Modify, Some(3))), "dialectic.too_many_attempts");
    let outcome = desk.ask(given(Resolved::Modify, Some(1)));
    let Some(Event::Resolved(resolved)) = outcome.events.first() else { panic!("{outcome:?}") };
    assert_eq!(resolved.next_attempt_limit, Some(1));
}

/// Dialectic, "Performance Monitoring": declared, or derived from what came after.
#[test]
fn what_became_of_a_debate_is_said_or_follows() {
    let mut desk = Desk::new();
    let debate = desk.request(about(PLAN, DebateKind::Planning));
    let judge = |helped| Judge { debate: debate.clone(), outcome: ResolvedEnding::Success, helped };
    assert_eq!(desk.refused(judge(true)), "dialectic.not_resolved");
    desk.argue(&debate, CLAIM);
    desk.argue(&debate, SLIGHT);
    desk.resolve(&debate);
    desk.done(Succeed { task: PLAN.into() });
    let judgement = |desk: &Desk| desk.state.debate(&debate).and_then(|debate| debate.judgement).expect("judged");
    let derived = judgement(&desk);
    assert_eq!((derived.outcome, derived.helped, derived.declared), (ResolvedEnding::Success, false, false));
    let judged = desk.done(judge(true));
    assert_eq!(judged, Judged { debate: debate.clone(), outcome: ResolvedEnding::Success, helped: true }.into());
    assert!(judgement(&desk).helped && judgement(&desk).declared);
    let unknown = Judge { debate: "nowhere".into(), outcome: ResolvedEnding::Success, helped: false };
    assert_eq!(desk.refused(unknown), "dialectic.unknown_debate");
}

#[test]
fn a_reset_calls_a_debate_off() {
    let mut desk = Desk::new();
    let debate = desk.request(about(PLAN, DebateKind::Planning));
    desk.done(Reset { task: PLAN.into(), reason: None });
    assert_eq!(desk.refused(argue(&debate, CLAIM)), "dialectic.over");
    assert_eq!(desk.ask(about(PLAN, DebateKind::Planning)).refusal, None, "it was not debated");
}

/// Decision 57: the higher of rule and claim; the user may say that it is less.
#[test]
fn only_the_user_says_that_less_is_at_stake() {
    for (who, claimed, expected) in [
        ("writer", Stakes::Low, Stakes::High),
        ("lead", Stakes::Medium, Stakes::High),
        ("user", Stakes::Low, Stakes::Low),
    ] {
        let mut desk = Desk::new();
        let asked = Request { stakes: Some(claimed), ..about("Delete the cache", DebateKind::Planning) };
        let events = desk.ask_as(who, asked, &Observed::default()).events;
        let [Event::Requested(requested)] = &*events else { panic!("{events:?}") };
        assert_eq!(requested.stakes, expected, "{who}");
    }
    let mut desk = Desk::new();
    let asked = Request { stakes: Some(Stakes::High), ..about("Rename the type", DebateKind::Planning) };
    let events = desk.ask_as("writer", asked, &Observed::default()).events;
    let [Event::Requested(requested)] = &*events else { panic!("{events:?}") };
    assert_eq!(requested.stakes, Stakes::High, "more, anybody may say");
    let errors = vec!["x".into(), "y".into()];
    let asked = Request { stakes: Some(Stakes::Low), errors, ..about("Delete the cache", DebateKind::Failure) };
    let events = Desk::new().ask_as("writer", asked, &Observed::default()).events;
    let [Event::Requested(requested)] = &*events else { panic!("{events:?}") };
    assert_eq!(requested.stakes, Stakes::High);
}

/// Decision 57: nobody approves in the user's place, and nothing that no hook has held.
#[test]
fn only_the_user_approves_a_command_and_only_one_that_was_held() {
    let mut desk = Desk::new();
    let approve = || Approve { command: "0123456789abcdef".into(), span: None };
    let refusal = |desk: &mut Desk, who: &str| desk.ask_as(who, approve(), &Observed::default()).refusal;
    assert_eq!(refusal(&mut desk, "critic"), Some(Refusal::ApprovedByUser { actor: "critic".into() }));
    assert_eq!(refusal(&mut desk, "user"), Some(Refusal::NothingHeld { command: "0123456789abcdef".into() }));
}

/// Dialectic, "Sub-Agent Invocation": the user's models speak for both sides, and it is seen whose words they are.
#[test]
fn whose_word_a_position_is_stays_to_be_seen() {
    let mut desk = Desk::new();
    let debate = desk.request(about(PLAN, DebateKind::Planning));
    let (purpose, model, prompt, answer) = ("dialectic".into(), "qwen".into(), "0".into(), "{}".into());
    let entry = EntryId::MIN;
    let word = ModelWord { entry, purpose, model, prompt, tokens_in: 1, tokens_out: 1, left_out: 0, ms: 1, answer };
    let observed = Observed { model: Some(word), ..Observed::default() };
    assert_eq!(desk.ask_as("user", argue(&debate, CLAIM), &observed).refusal, None);
    desk.argue(&debate, SLIGHT);
    let known = desk.state.debate(&debate).expect("a debate");
    let models = |known: &Debate| {
        let round = &known.spoken[0];
        (round.advocate.model.clone(), round.critic.as_ref().and_then(|critic| critic.model.clone()))
    };
    assert_eq!(models(known), (Some("qwen".into()), None));
}
