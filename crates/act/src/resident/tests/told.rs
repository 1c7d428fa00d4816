//! What the person said to a message, told to its sender; and what of the record becomes of states.

use annals_role::resident::homeostasis::{PhaseName, WorkItem};
use annals_rules::domain::task;
use annals_rules::domain::task::bus::{MessageKind, Party};
use serde_json::json;

use super::super::gather::gather;
use super::*;

#[test]
fn who_was_told_to_wait_hears_of_a_no_and_why() {
    let folder = folder();
    let stage = ResidentStage::on(folder.path(), plain);
    for (reason, expected) in [(Some("not today"), "decline: not today"), (None, "decline")] {
        let id = stage.sends("user", "api", "Delete the database and start over");
        assert_eq!(stage.done().action, TickAction::Ask);
        let reason = reason.map(Box::from);
        stage.user(resident::Command::from(Approve { message: id, approval: Approval::No, reason }));
        let report = stage.done();
        assert_eq!((report.action, &*report.answer), (TickAction::Decline, expected));
        let message = stage.message(id);
        assert_eq!((message.phase, message.answer.as_deref()), (MessagePhase::Done, Some(expected)));
    }
    assert_eq!(stage.asked(), [], "no model is asked");
}

#[test]
fn what_the_record_knows_of_work_and_words_reaches_the_states() {
    let folder = folder();
    let stage = ResidentStage::on(folder.path(), plain);
    let session = stage.by(
        "system",
        task::Command::from(task::command::Begin {
            request: "fix the test".into(),
            models: Vec::new(),
            setting: Json::of(&json!({})),
        }),
    );
    let task: Box<str> = session.to_string().into();
    let says = |n, from, to, kind| {
        let body = Json::of(&json!({}));
        stage.by(
            "system",
            task::Command::from(task::command::Send { task: task.clone(), n, from, to, kind, body, alive_ms: 0 }),
        );
    };
    let known = || gather(&stage.host.engine, &stage.host.agent, Vitals::default()).expect("gathered").facts.context;
    says(1, Party::User, Party::Perceiver, MessageKind::Request);
    says(2, Party::Perceiver, Party::Planner, MessageKind::TaskSpec);
    assert_eq!(known().phase.map(|at| at.phase), Some(PhaseName::Exploring));
    says(3, Party::Planner, Party::Executor, MessageKind::SubTask);
    let now = stage.host.engine.clock().now();
    stage.host.engine.clock().advance(30 * 3_600_000);
    let context = known();
    let item = WorkItem { id: task.to_string(), last_activity: now, delegated_at: Some(now), follow_ups: 0 };
    assert_eq!((context.work_items, context.last_outbound), (vec![item], None));
    stage.sends("user", "ui", "How do I run the tests?");
    let report = stage.done();
    assert_eq!(report.homeostasis.of(Dimension::CommunicationHealth).state, DimensionState::Low);
    assert_eq!(known().last_outbound, stage.message(report.message.expect("one").0).ticked_at);
}
