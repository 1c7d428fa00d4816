//! A kill at every line of the record: what goes on from there comes to the same end, and asks nobody twice.

use std::fs;
use std::path::{Path, PathBuf};

use annals_engine::intercept::Interceptor;
use annals_kernel::entry::HistoryEntry;
use annals_role::message::BusMessage;

use super::paper::{Answers, RunStage, folder, goes_well, goes_wrong};
use crate::journal::{Journal, Recorded, Step};
use crate::record::CHECK;
use crate::runner::RunEnd;

/// The one segment of a history.
fn segment(context: &Path) -> PathBuf {
    let files = fs::read_dir(context.join("history")).expect("listed");
    let mut files = files.map(|file| file.expect("listed").path());
    files.find(|path| path.extension().is_some_and(|end| end == "jsonl")).expect("there is one")
}

/// Who said what kind to whom, and how it ended; neither ids nor times.
fn outline(recorded: &Recorded) -> (Vec<String>, String) {
    let said = recorded.steps.iter().filter_map(|step| match step {
        Step::Said { said, .. } => Some(said),
        Step::Came(_) => None,
    });
    let said: Vec<_> = said.collect();
    let Some(BusMessage::FinalResult(result)) = said.last().map(|said| &said.message) else {
        panic!("no end: {said:?}")
    };
    let end = format!("{} {}", result.directive, result.replans);
    (said.iter().map(|said| format!("{} {} {}", said.from, said.message.kind(), said.to)).collect(), end)
}

/// Where the next line is of a check, that was begun when the kill came.
fn begins_check(stage: &RunStage, next: &str) {
    let entry: HistoryEntry = serde_json::from_str(next).expect("an entry");
    if &*entry.operation.name == CHECK {
        let calls = Interceptor::new(&stage.runner.engine, entry.session_id.clone());
        calls.start(CHECK, &entry.operation.input, entry.provenance);
    }
}

async fn killed_at_every_line(answers: Answers) {
    let whole = folder();
    let stage = RunStage::on(whole.path(), answers);
    let RunEnd::Ended { task, .. } = stage.begin().await.expect("it runs") else { panic!() };
    let mut expected = outline(&Journal::look(&stage.runner.engine, &task).expect("read"));
    expected.0.sort();
    let path = segment(whole.path());
    let text = fs::read_to_string(&path).expect("read");
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let begun = lines.iter().position(|line| line.contains("tasks.task.begin")).expect("it began");
    let ended = lines.iter().position(|line| line.contains("tasks.task.ended")).expect("it ended");
    for kept in begun + 1..=ended {
        let folder = folder();
        let history = folder.path().join("history");
        fs::create_dir_all(&history).expect("made");
        let name = path.file_name().expect("it has a name");
        fs::write(history.join(name), lines[..kept].concat()).expect("written");
        let stage = RunStage::on(folder.path(), answers);
        begins_check(&stage, lines[kept]);
        stage.runner.resume(&task).await.unwrap_or_else(|error| panic!("killed behind line {kept}: {error}"));
        let mut found = outline(&Journal::look(&stage.runner.engine, &task).expect("read"));
        found.0.sort();
        assert_eq!(found, expected, "killed behind line {kept}");
        let recorded = lines[..kept].concat();
        for (key, times) in stage.asked() {
            assert_eq!(times, 1, "{key}");
            assert!(!recorded.contains(&format!("\"key\":\"{key}\"")), "{key} was on the record behind line {kept}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_goes_well() {
    killed_at_every_line(goes_well).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_is_planned_anew_and_given_up() {
    killed_at_every_line(goes_wrong).await;
}
