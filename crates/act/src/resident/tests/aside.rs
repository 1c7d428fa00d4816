//! A message that no model can take: it is set aside, and those behind it are answered.

use super::*;

fn picky(question: &ResidentQuestion) -> Result<&'static str, AnswerTrouble> {
    let of_message = |word: &str| question.prompt.user.lines().last().is_some_and(|line| line.contains(word));
    match question.step {
        ResidentStep::Answer | ResidentStep::AnswerAgain if of_message("poison") => {
            Err(AnswerTrouble::Unanswerable("400: too long".to_owned()))
        }
        ResidentStep::Answer | ResidentStep::AnswerAgain if of_message("dear") => {
            Err(AnswerTrouble::OverBudget("the task".to_owned()))
        }
        ResidentStep::Answer | ResidentStep::AnswerAgain if of_message("day") => {
            Err(AnswerTrouble::Budget("the day".to_owned()))
        }
        ResidentStep::Certainty
        | ResidentStep::Application
        | ResidentStep::Summary
        | ResidentStep::Answer
        | ResidentStep::AnswerAgain => plain(question),
    }
}

#[test]
fn one_message_that_no_model_can_take_keeps_none_from_its_answer() {
    let folder = folder();
    let stage = ResidentStage::on(folder.path(), picky);
    let poison = stage.sends("mallory", "smoke", "poison");
    let dear = stage.sends("user", "ui", "dear");
    let good = stage.sends("user", "ui", "hello");
    let actions = [stage.done().action, stage.done().action, stage.done().action];
    assert_eq!(actions, [TickAction::SetAside, TickAction::SetAside, TickAction::Respond]);
    assert_eq!(stage.message(good).phase, MessagePhase::Done);
    for (id, reason) in [(poison, "400: too long"), (dear, "the task")] {
        let message = stage.message(id);
        assert_eq!(message.phase, MessagePhase::Held);
        assert_eq!(message.answer.as_deref(), Some("set_aside"), "its sender hears of it");
        assert!(message.set_aside.as_deref().is_some_and(|why| why.contains(reason)), "{:?}", message.set_aside);
    }
    assert_eq!(stage.ticks(TickTrigger::Message).expect("ticked"), TickEnd::Left(Beat::Skip));
}

#[test]
fn another_try_trusts_a_stranger_no_more_than_the_first() {
    let folder = folder();
    let stage = ResidentStage::on(folder.path(), picky);
    let id = stage.sends("mallory", "smoke", "poison");
    stage.done();
    stage.user(resident::Command::from(Approve { message: id, approval: Approval::Yes, reason: None }));
    drop(stage);
    let stage = ResidentStage::at(folder.path(), plain, 2_000_000);
    assert_eq!(stage.done().action, TickAction::Respond);
    let asked = stage.models.asked.lock().expect("no panic");
    let answer = asked.iter().find(|question| question.step == ResidentStep::Answer).expect("asked");
    assert!(answer.prompt.system.contains("The sender is not trusted"), "{}", answer.prompt.system);
}

#[test]
fn a_budget_of_the_day_stops_all() {
    let folder = folder();
    let stage = ResidentStage::on(folder.path(), picky);
    let id = stage.sends("user", "ui", "day");
    stage.sends("user", "ui", "hello");
    let Err(HostError::NoAnswer { message, .. }) = stage.ticks(TickTrigger::Message) else { panic!("no answer") };
    assert_eq!((message, stage.message(id).phase), (id, MessagePhase::Waiting));
}
