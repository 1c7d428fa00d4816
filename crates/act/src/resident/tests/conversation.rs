//! Whose conversation it is, and what of it and of all else a prompt has room for.

use std::collections::BTreeMap;

use annals_engine::settings;
use annals_rules::domain::config;
use serde_json::{Value, json};

use super::*;

#[test]
fn a_conversation_is_of_one_sender_as_they_are_known() {
    let folder = folder();
    let stage = ResidentStage::on(folder.path(), plain);
    let meta = |key: &str, value: &str| BTreeMap::from([(key.into(), value.into())]);
    let with = |metadata, send| Send { metadata, ..send };
    let of = |from: &str, channel: &str, n: usize| stage.message_of(from, channel, &format!("secret {n}?"));
    // Each row is a sender of its own; what the first ones said is repeated to no later one.
    let senders = [
        ("user", of("user", "ui", 0)),
        ("stranger", of("user", "ui", 1)),
        ("other", of("user", "ui", 2)),
        ("user", of("user", "chat", 3)),
        ("user", with(meta("thread", "1"), of("anna", "ui", 4))),
        ("user", with(meta("thread", "2"), of("anna", "ui", 5))),
        ("system", of("anna", "ui", 6)),
    ];
    for round in 0..2 {
        for (n, (actor, send)) in senders.iter().enumerate() {
            stage.by(actor, resident::Command::from(send.clone()));
            assert_eq!(stage.done().action, TickAction::Respond);
            let shown = stage.shown();
            let told: Vec<_> =
                (0..senders.len()).filter(|n| shown.contains(&format!("user: \"secret {n}?\""))).collect();
            assert_eq!(told, [n].repeat(round), "{actor}: {shown}");
        }
    }
}

#[test]
fn what_the_person_allowed_is_no_turn_of_theirs() {
    let folder = folder();
    let stage = ResidentStage::on(folder.path(), plain);
    set(&stage, &[("resident.people", json!({ "user": "high" }))]);
    let stage = ResidentStage::at(folder.path(), plain, 2_000_000);
    let id = stage.by("system", resident::Command::from(stage.message_of("user", "ui", "Delete the database")));
    assert_eq!((stage.message(id).trust, stage.done().action), (MessageTrust::High, TickAction::Ask));
    stage.user(resident::Command::from(Approve { message: id, approval: Approval::Yes, reason: None }));
    stage.done();
    stage.sends("user", "ui", "What did I say before?");
    stage.done();
    assert!(!stage.shown().contains("Delete the database"), "{}", stage.shown());
}

/// Sets values, as the person enters them; a host that is opened behind it has them.
pub(super) fn set(stage: &ResidentStage, values: &[(&str, Value)]) {
    let engine = &stage.host.engine;
    for (key, value) in values {
        let file = engine.place().context().join("config.toml");
        settings::store(&**engine.disk(), &file, key, Some(value)).expect("stored");
    }
    let values = values.iter().map(|(key, value)| (Box::from(*key), Some(value.clone()))).collect();
    stage.user(config::Command::from(config::Change { values }));
}

fn tokens(prompt: &annals_role::prompt::RolePrompt) -> u64 {
    use annals_role::resident::context::{TokenCounter as _, TokenEstimate, TokenFamily};
    let counter = TokenEstimate { family: TokenFamily::Unknown };
    counter.text(&prompt.system) + counter.text(&prompt.user)
}

#[test]
fn a_prompt_fits_the_context_of_its_model_and_counts_what_it_leaves_out() {
    let folder = folder();
    let stage = ResidentStage::with(
        folder.path(),
        PaperResident { context: Some(2_048), ..PaperResident::new(plain) },
        1_000_000,
    );
    for fact in 0..20 {
        stage.knows(&format!("parser fact {fact}: {}", "the parser has words of its own. ".repeat(15)));
    }
    let long = format!("How does the parser work? {}", "数据库 and the parser \"again\". ".repeat(300));
    for content in [&long, "And the parser, in short?", &long] {
        stage.sends("user", "ui", content);
        let report = stage.done();
        let asked = stage.models.asked.lock().expect("no panic");
        let prompt = &asked.iter().rev().find(|question| question.step == ResidentStep::Answer).expect("asked").prompt;
        assert!(tokens(prompt) + u64::from(prompt.max_tokens) <= 2_048, "{} for {}", tokens(prompt), prompt.max_tokens);
        let left_out = report.left_out;
        assert!(
            left_out.facts > 0 && prompt.user.contains(&format!("no room for: {}", left_out.facts)),
            "{left_out:?}"
        );
        assert_eq!(report.facts().len() + usize::try_from(left_out.facts).expect("few"), report.trace.results.len());
        assert_eq!(left_out.characters > 0, content.len() > 100);
        let shown = prompt.user.lines().filter(|line| line.starts_with("fact: ")).count();
        assert_eq!(shown, report.facts().len());
    }
}

#[test]
fn a_model_whose_context_holds_no_question_leaves_the_message_waiting() {
    let folder = folder();
    let models = PaperResident { context: Some(100), ..PaperResident::new(plain) };
    let stage = ResidentStage::with(folder.path(), models, 1_000_000);
    let id = stage.sends("user", "ui", "hello");
    let Err(HostError::NoAnswer { .. }) = stage.ticks(TickTrigger::Message) else { panic!("no answer") };
    assert_eq!(stage.message(id).phase, MessagePhase::Waiting);
}

#[test]
fn a_summary_is_taken_from_the_record_and_only_what_came_since_is_summarized() {
    let folder = folder();
    let stage = ResidentStage::on(folder.path(), plain);
    set(
        &stage,
        &[
            ("context.compression.strategy", json!("hybrid")),
            ("context.compression.model_budgets", json!({ "default": 1_000 })),
        ],
    );
    drop(stage);
    let stage = ResidentStage::at(folder.path(), plain, 2_000_000);
    for turn in 0..30 {
        stage.sends("user", "ui", &format!("turn {turn}: {}", "some words of mine. ".repeat(12)));
        stage.done();
    }
    let asked = stage.models.asked.lock().expect("no panic");
    let summaries: Vec<_> = asked.iter().filter(|question| question.step == ResidentStep::Summary).collect();
    assert!((2..12).contains(&summaries.len()), "not with every tick: {}", summaries.len());
    for later in &summaries[1..] {
        assert!(later.prompt.user.starts_with("summary so far: \"a summary\""), "{}", later.prompt.user);
        assert!(
            !later.prompt.user.contains("turn 0:") && !later.prompt.user.contains("turn 1:"),
            "{}",
            later.prompt.user
        );
    }
    let shown = asked.iter().rev().find(|question| question.step == ResidentStep::Answer).expect("asked");
    assert!(shown.prompt.user.contains("summary of what was said before: \"a summary\""), "{}", shown.prompt.user);
}

/// Knowledge lasts longer for being asked for, but not by who is nobody here.
#[test]
fn a_stranger_keeps_no_knowledge_alive() {
    let folder = folder();
    let stage = ResidentStage::on(folder.path(), plain);
    stage.knows("The tests of the parser run with make test");
    let retrievals =
        |stage: &ResidentStage| stage.host.engine.ask(|world| world.rooms.knowledge.totals.retrievals).expect("asked");
    stage.sends("mallory", "smoke", "How do I run the tests of the parser?");
    assert_eq!(stage.done().trace.results.len(), 1);
    assert_eq!(retrievals(&stage), 0);
    stage.sends("user", "ui", "How do I run the tests of the parser?");
    stage.done();
    assert_eq!(retrievals(&stage), 1);
}
