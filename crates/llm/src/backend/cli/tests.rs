//! Scripts that play the commands: nobody writes to them, so that they can be started at any time.

use std::fs;
use std::time::Duration;

use rustix::process::{Pid, test_kill_process};
use serde_json::json;

use crate::answer::Finish;
use crate::cancel::Cancel;
use crate::config::{BackendKind, ModelConfig};
use crate::failure::ModelError;
use crate::models::{AskError, Asked, Models, Unasked};
use crate::purpose::Purpose;
use crate::request::{GenerateRequest, Speaker, Turn};
use crate::testing::{Notes, Still, models, only};
use crate::wire::{ANSWER_BYTES, LINE_BYTES};

fn playing(backend: BackendKind, script: &str) -> Models {
    let program = Some(format!("{}/fixtures/{script}", env!("CARGO_MANIFEST_DIR")));
    models(only(ModelConfig { program, ..ModelConfig::new(backend) }), Still::new())
}

fn claude() -> Models {
    playing(BackendKind::ClaudeCode, "claude.sh")
}

fn codex() -> Models {
    playing(BackendKind::Codex, "codex.sh")
}

async fn ask(models: &Models, user: &str) -> Result<Asked, AskError> {
    let request = GenerateRequest::new("Be brief.", user, 16);
    models.ask(Purpose::Eval, &request, &mut |_| {}, &Cancel::new()).await
}

async fn failure(models: &Models, user: &str) -> ModelError {
    match ask(models, user).await.unwrap_err().why {
        Unasked::Model(error) => error,
        Unasked::Choice(error) => panic!("{error}"),
    }
}

fn full(args: &str) -> GenerateRequest {
    GenerateRequest {
        earlier: vec![Turn { speaker: Speaker::Assistant, text: "hunter2".to_owned() }],
        schema: Some(json!({ "type": "object", "properties": { "hunter2": {} } })),
        ..GenerateRequest::new("Be hunter2.", format!("Say hunter2. ARGS={args} SCHEMA"), 16)
    }
}

#[tokio::test]
async fn claude_is_heard_and_kept_whole() {
    let mut notes = Notes::default();
    let request = GenerateRequest::new("Be brief.", "Say hi.", 16);
    let models = claude();
    let asked = models.ask(Purpose::Eval, &request, &mut *notes.listen(), &Cancel::new()).await.unwrap();
    let answer = asked.answer;
    assert_eq!(notes.0, "!(hm)Hi");
    assert_eq!((answer.text.as_str(), answer.thinking.as_deref(), answer.finish), ("Hi", Some("hm"), Finish::Stop));
    let figures = (answer.model.as_str(), answer.tokens_in, answer.tokens_out, answer.nano_usd);
    assert_eq!(figures, ("m1", Some(27), Some(3), Some(3_714_600)));
    assert!(answer.raw.starts_with("{\"type\":\"system\"") && answer.raw.contains("\"type\":\"result\""));
}

#[tokio::test]
async fn claude_is_asked_alone_and_sanitized() {
    let args = tempfile::NamedTempFile::new().unwrap();
    let models = claude();
    let request = full(&args.path().to_string_lossy());
    let answer = models.ask(Purpose::Eval, &request, &mut |_| {}, &Cancel::new()).await.unwrap().answer;
    assert_eq!((answer.text.as_str(), answer.finish), ("{\"word\":\"hi\"}", Finish::Stop));
    let told = fs::read_to_string(args.path()).unwrap();
    let told: Vec<_> = told.lines().filter(|line| !line.ends_with("system.txt") || line.starts_with("HERE")).collect();
    let expected = [
        "-p",
        "--output-format",
        "stream-json",
        "--verbose",
        "--include-partial-messages",
        "--safe-mode",
        "--strict-mcp-config",
        "--tools",
        "",
        "--no-session-persistence",
        "--system-prompt-file",
        "--effort",
        "low",
        "--json-schema",
        "{\"properties\":{\"[gone]\":{}},\"type\":\"object\"}",
        "MOST=4112",
        "HERE=system.txt",
        "Be [gone].",
        "[assistant]",
        "[gone]",
        "",
        "[user]",
    ];
    assert_eq!(told[..expected.len()], expected);
    assert!(told[expected.len()].starts_with("Say [gone]. ARGS="), "{told:?}");
}

#[tokio::test]
async fn codex_is_heard_and_kept_whole() {
    let mut notes = Notes::default();
    let args = tempfile::NamedTempFile::new().unwrap();
    let models = codex();
    let request = full(&args.path().to_string_lossy());
    let answer = models.ask(Purpose::Eval, &request, &mut *notes.listen(), &Cancel::new()).await.unwrap().answer;
    assert_eq!(notes.0, "!(hm)I will say hi.Hi");
    assert_eq!((answer.text.as_str(), answer.thinking.as_deref(), answer.finish), ("Hi", Some("hm"), Finish::Stop));
    assert_eq!((answer.model.as_str(), answer.tokens_in, answer.tokens_out), ("codex", Some(7), Some(3)));
    let told = fs::read_to_string(args.path()).unwrap();
    assert!(told.starts_with("exec\n--json\n") && told.contains("\n--sandbox\nread-only\n"), "{told}");
    assert!(told.contains("\nfeatures.hooks=false\n") && told.contains("\nfeatures.shell_tool=false\n"), "{told}");
    let end = "{\"additionalProperties\":false,\"properties\":{\"[gone]\":{}},\"type\":\"object\"}";
    assert!(told.contains("\nBe [gone].\n[assistant]\n[gone]\n\n[user]\nSay [gone].") && told.ends_with(end), "{told}");
    assert!(!told.contains("hunter2"), "{told}");
}

#[tokio::test]
async fn what_goes_wrong_is_told_apart() {
    let not_logged_in =
        |error: &ModelError, login: &str| matches!(error, ModelError::NotLoggedIn { command, .. } if command == login);
    let failed = |error: &ModelError, words: &str| matches!(error, ModelError::ProgramFailed { said, .. } if said.trim() == words);
    assert!(not_logged_in(&failure(&claude(), "LOGIN").await, "claude auth login"));
    assert!(not_logged_in(&failure(&codex(), "LOGIN").await, "codex login"));
    assert!(failed(&failure(&claude(), "CRASH").await, "it went wrong"));
    assert!(failed(&failure(&codex(), "CRASH").await, "it went wrong"));
    assert!(failed(&failure(&codex(), "BAD").await, "bad thing"));
    assert!(failed(&failure(&codex(), "CUT").await, "it gave no answer"));
    assert!(failed(&failure(&claude(), "SILENT").await, ""));
    assert!(failed(&failure(&claude(), "GARBAGE").await, ""));
    let busy = ask(&claude(), "BUSY").await.unwrap_err();
    assert!(matches!(&busy.why, Unasked::Model(ModelError::Status { status: 529, .. })), "{busy}");
    assert_eq!(busy.attempts.len(), 4);
    let absent = playing(BackendKind::Codex, "absent.sh");
    assert!(matches!(failure(&absent, "x").await, ModelError::NoProgram { .. }));
}

#[tokio::test]
async fn a_look_says_what_a_person_needs_to_know() {
    assert_eq!(claude().check("one").await.unwrap().to_string(), "ready");
    assert_eq!(codex().check("one").await.unwrap().to_string(), "requires `codex login`");
    let absent = playing(BackendKind::ClaudeCode, "absent.sh").check("one").await.unwrap().to_string();
    assert!(absent.ends_with("absent.sh is not installed"), "{absent}");
}

#[tokio::test]
async fn a_command_that_floods_is_killed() {
    let endless = failure(&claude(), "ENDLESS").await;
    assert!(matches!(endless, ModelError::TooLarge { limit: ANSWER_BYTES, .. }), "{endless}");
    let long = failure(&claude(), "LONG").await;
    assert!(matches!(long, ModelError::TooLarge { limit: LINE_BYTES, .. }), "{long}");
}

#[tokio::test]
async fn what_a_command_leaves_running_does_not_hold_us_up() {
    assert_eq!(ask(&claude(), "LEAVE").await.unwrap().answer.text, "Hi");
}

#[tokio::test]
async fn a_question_of_a_megabyte_arrives() {
    let question = "word ".repeat(200_000);
    assert_eq!(ask(&claude(), &question).await.unwrap().answer.text, "Hi");
    assert!(ask(&codex(), &question).await.is_ok());
}

/// The command and what it started: both are gone.
#[tokio::test]
async fn who_cancels_kills_the_whole_group() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let request = GenerateRequest::new("", format!("HANG PIDS={}", file.path().to_string_lossy()), 16);
    let (models, cancel) = (claude(), Cancel::new());
    let canceller = async {
        loop {
            let pids = fs::read_to_string(file.path()).unwrap();
            if pids.ends_with('\n') {
                cancel.cancel();
                return pids;
            }
            tokio::task::yield_now().await;
        }
    };
    let mut deltas = |_: crate::Delta<'_>| {};
    let asked = models.ask(Purpose::Eval, &request, &mut deltas, &cancel);
    let (error, pids) = tokio::join!(asked, canceller);
    assert_eq!(error.unwrap_err().why, Unasked::Model(ModelError::Cancelled));
    let gone = async {
        for pid in pids.split_whitespace().map(|pid| Pid::from_raw(pid.parse().unwrap()).unwrap()) {
            while is_running(pid) {
                tokio::task::yield_now().await;
            }
        }
    };
    assert_eq!(tokio::time::timeout(Duration::from_secs(20), gone).await, Ok(()));
}

/// One that is dead, and whose parent has not asked yet, does not run.
fn is_running(pid: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    test_kill_process(pid).is_ok() && !status.contains(") Z ")
}
