//! Runs from their beginning to where they stop.

use std::sync::Mutex;

use annals_role::bus::{MessageKind, Party};
use annals_role::delegate::AgentJob;
use annals_role::ggs::Terminal;
use annals_role::run::{BusSaid, RoleQuestion, ToolJob, Undone};
use annals_rules::domain::task::TaskPhase;
use annals_rules::domain::task::command::PauseReason;

use super::paper::{RunStage, folder, goes_well, goes_wrong};
use crate::abort::abort;
use crate::journal::{Journal, Step};
use crate::runner::RunEnd;
use crate::surroundings::{AnswerTrouble, ModelAnswer, Watch};

/// Remembers which messages it heard.
#[derive(Default)]
struct Heard(Mutex<Vec<MessageKind>>);

impl Watch for Heard {
    fn said(&self, _: u32, said: &BusSaid, _: u64) {
        self.0.lock().expect("no panic").push(said.message.kind());
    }
    fn asks(&self, _: &RoleQuestion) {}
    fn answered(&self, _: &RoleQuestion, _: &ModelAnswer) {}
    fn uses(&self, _: &ToolJob) {}
    fn delegates(&self, _: &AgentJob) {}
    fn undone(&self, _: &Undone) {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_goes_from_its_request_to_its_result_and_all_of_it_is_on_the_record() {
    let folder = folder();
    let stage = RunStage::on(folder.path(), goes_well);
    let RunEnd::Ended { task, result } = stage.begin().await.expect("it runs") else { panic!() };
    assert_eq!(result.directive, Terminal::Accept);
    assert_eq!(stage.used(), 3);
    let row = stage.runner.engine.ask(|world| world.rooms.task.task(&task).cloned()).expect("asked").expect("there");
    assert_eq!(row.phase, TaskPhase::Ended);
    let recorded = Journal::look(&stage.runner.engine, &task).expect("read");
    let messages = recorded.steps.iter().filter(|step| matches!(step, Step::Said { .. })).count();
    assert_eq!(usize::try_from(row.messages), Ok(messages));
    let memory = stage
        .runner
        .engine
        .ask(|world| world.rooms.memory.potentials("intent:write_a_greeting", "env:local", world_now(world)));
    assert!(memory.expect("asked").attention > 0.8);
}

fn world_now(_: &annals_rules::world::World) -> annals_kernel::time::Timestamp {
    annals_engine::clock::Clock::default().now()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_never_comes_right_is_given_up_and_says_so() {
    let folder = folder();
    let stage = RunStage::on(folder.path(), goes_wrong);
    let RunEnd::Ended { result, .. } = stage.begin().await.expect("it runs") else { panic!() };
    assert_eq!(result.directive, Terminal::Abandon);
    assert!(result.summary.starts_with("given up: "), "{}", result.summary);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_model_answers_a_run_stops_and_goes_on_later() {
    fn silent(question: &RoleQuestion) -> Result<String, AnswerTrouble> {
        if question.role == Party::Executor {
            Err(AnswerTrouble::NoModel("down".to_owned()))
        } else {
            goes_well(question)
        }
    }
    let folder = folder();
    let stage = RunStage::on(folder.path(), silent);
    let end = stage.begin().await.expect("it runs");
    let RunEnd::Paused { task, reason, .. } = end else { panic!("{end:?}") };
    assert_eq!(reason, PauseReason::NoModel);
    let later = RunStage::on(folder.path(), goes_well);
    let RunEnd::Ended { result, .. } = later.runner.resume(&task).await.expect("it goes on") else { panic!() };
    assert_eq!(result.directive, Terminal::Accept);
    assert!(later.asked().keys().all(|key| !key.starts_with("perceiver") && !key.starts_with("planner")));
    let again = later.runner.resume(&task).await.expect_err("it has ended");
    assert!(again.to_string().contains("has ended"), "{again}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_task_can_be_ended_by_the_person() {
    let folder = folder();
    let stage = RunStage::on(folder.path(), |_| Err(AnswerTrouble::NoModel("down".to_owned())));
    let RunEnd::Paused { task, .. } = stage.begin().await.expect("it runs") else { panic!() };
    let heard = Heard::default();
    let result = abort(&stage.runner.engine, &task, &stage.runner.by, &heard).expect("it ends");
    assert_eq!(result.directive, Terminal::Abandon);
    let recorded = Journal::look(&stage.runner.engine, &task).expect("read");
    let messages = recorded.steps.iter().filter(|step| matches!(step, Step::Said { .. })).count();
    let heard = heard.0.into_inner().expect("no panic");
    assert_eq!(heard.first(), Some(&MessageKind::Abort));
    assert_eq!(heard.last(), Some(&MessageKind::FinalResult));
    assert!(messages > heard.len(), "what was said before was heard before");
}

/// The adversary of a run that is left: its tool would go on for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_left_to_another_process_stops_and_that_one_ends_the_task() {
    let folder = folder();
    let stage = RunStage::on(folder.path(), goes_well);
    stage.runner.stop.leave();
    let RunEnd::Left { task } = stage.begin().await.expect("it runs") else { panic!() };
    let row = stage.runner.engine.ask(|world| world.rooms.task.task(&task).cloned()).expect("asked").expect("there");
    assert_eq!(row.phase, TaskPhase::Paused);
    let result = abort(&stage.runner.engine, &task, &stage.runner.by, &Heard::default()).expect("it ends");
    assert_eq!(result.directive, Terminal::Abandon);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_never_begun_is_named() {
    let folder = folder();
    let stage = RunStage::on(folder.path(), goes_well);
    let error = stage.runner.resume("01NOSUCHTASK").await.expect_err("there is none");
    assert_eq!(error.to_string(), "there is no task 01NOSUCHTASK; `annals task list` shows those there are");
}
