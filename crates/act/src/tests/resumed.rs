//! A kill at every line of the record: what goes on from there comes to the same end, and asks nobody twice.

use std::fs;
use std::path::{Path, PathBuf};

use annals_engine::intercept::Interceptor;
use annals_kernel::entry::HistoryEntry;
use annals_role::ggs::Terminal;
use annals_role::message::BusMessage;
use annals_role::run::BusSaid;

use serde_json::Value;

use super::paper::{Answers, RunStage, folder, goes_far, goes_well, goes_wrong, goes_wrong_and_far};
use crate::error::RunError;
use crate::journal::{Journal, Recorded, Step};
use crate::record::CHECK;
use crate::runner::RunEnd;

/// The one segment of a history.
fn segment(context: &Path) -> PathBuf {
    let files = fs::read_dir(context.join("history")).expect("listed");
    let mut files = files.map(|file| file.expect("listed").path());
    files.find(|path| path.extension().is_some_and(|end| end == "jsonl")).expect("there is one")
}

/// Everything that was said, and how it ended; neither ids of entries nor times.
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
    let line = |said: &&BusSaid| {
        let message = timeless(&serde_json::to_value(&said.message).expect("JSON"));
        format!("{} {} {} {message}", said.from, said.message.kind(), said.to)
    };
    (said.iter().map(line).collect(), end)
}

/// Without ids of entries and times.
fn timeless(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                (name.clone(), if name.ends_with("_ms") { Value::Null } else { timeless(value) })
            };
            members.iter().map(member).collect()
        }
        Value::Array(items) => items.iter().map(timeless).collect(),
        Value::String(text) => {
            let words = text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric());
            words.map(|word| if word.len() >= 26 { "ID" } else { word }).collect::<String>().into()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
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
    let recorded = Journal::look(&stage.runner.engine, &task).expect("read");
    let is_given_up = recorded.result().is_some_and(|result| result.directive == Terminal::Abandon);
    let proposal = recorded.result().and_then(|result| result.proposal.clone());
    assert_eq!(proposal, is_given_up.then(|| format!("{task}-proposal")), "what is given up leaves one");
    let mut expected = outline(&recorded);
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

/// Nobody is asked about it, so what became of it is on the record as a call.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_whose_proposal_would_do_what_cannot_be_taken_back() {
    killed_at_every_line(goes_wrong_and_far).await;
}

/// The history of a task up to a person's answer, in a folder of its own.
fn as_far_as_the_approval(context: &Path) -> (tempfile::TempDir, PathBuf) {
    let text = fs::read_to_string(segment(context)).expect("read");
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let said = lines.iter().position(|line| line.contains("\"kind\":\"approval\"")).expect("it was asked");
    let folder = folder();
    fs::create_dir_all(folder.path().join("history")).expect("made");
    let path = folder.path().join("history").join(segment(context).file_name().expect("it has a name"));
    fs::write(&path, lines[..=said].concat()).expect("written");
    (folder, path)
}

/// The adversary: a line in which the person says yes, brought by the history.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_clone_says_the_person_allowed_is_not_done() {
    let whole = folder();
    let stage = RunStage::on(whole.path(), goes_far);
    let RunEnd::Ended { task, .. } = stage.begin().await.expect("it runs") else { panic!() };
    let own = fs::read_to_string(whole.path().join("local/own-entries")).expect("kept");

    let (own_folder, _) = as_far_as_the_approval(whole.path());
    fs::create_dir_all(own_folder.path().join("local")).expect("made");
    fs::write(own_folder.path().join("local/own-entries"), &own).expect("written");
    let goes_on = RunStage::on(own_folder.path(), goes_far).runner.resume(&task).await;
    assert!(matches!(goes_on, Ok(RunEnd::Ended { .. })), "{goes_on:?}");

    let (forged, path) = as_far_as_the_approval(whole.path());
    fs::create_dir_all(forged.path().join("local")).expect("made");
    fs::write(forged.path().join("local/own-entries"), own).expect("written");
    let said = fs::read_to_string(&path).expect("read");
    fs::write(&path, said.replace("\"is_granted\":false", "\"is_granted\":true")).expect("written");
    let stage = RunStage::on(forged.path(), goes_far);
    let refused = stage.runner.resume(&task).await.expect_err("nobody here said so");
    assert!(matches!(refused, RunError::NotAllowedHere { .. }), "{refused}");
    assert_eq!(stage.used(), 0);
}
