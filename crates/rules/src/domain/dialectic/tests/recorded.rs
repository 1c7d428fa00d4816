//! What recorded sessions add, without anybody asking.

use super::super::command::{Announce, Escalate, ResolvedEnding};
use super::super::event::{Escalated, EscalationReason};
use super::super::heard::HeardTask;
use super::*;
use annals_kernel::call::Finished;
use annals_kernel::envelope::{Envelope, Span};

/// An entry of a session, at a minute.
fn line(session: &str, minute: i64, agent: &str, operation: &str) -> String {
    let (time, id) = (at(minute), EntryId::derived(at(minute), &[session, operation]));
    format!(
        r#"{{"id":"{id}","timestamp":"{time}","session_id":"{session}","operation":{operation},"provenance":{{"agent_id":"{agent}"}},"metadata":{{}}}}"#
    )
}

impl Desk {
    fn sees(&mut self, session: &str, agent: &str, operation: &str) {
        self.minute += 1;
        let line = line(session, self.minute, agent, operation);
        let span = Span::scan(line.as_bytes()).expect("a line of our own shape");
        let entry = Envelope::new(line.as_bytes(), &span);
        let call = Finished::in_envelope(&entry);
        let heard = HeardTask::of(&entry, call.as_ref());
        self.state.observe(&entry, call.as_ref(), heard.as_ref(), &self.settings);
    }

    fn prompt(&mut self, session: &str, text: &str) {
        let text = serde_json::to_string(text).expect("JSON");
        let operation = format!(r#"{{"type":"user_input","name":"prompt","input":{{"text":{text}}},"success":true}}"#);
        self.sees(session, "user", &operation);
    }

    fn call(&mut self, session: &str, command: &str, error: Option<&str>) {
        let output = r#""output":null,"#;
        self.called(session, &format!(r#""name":"Bash","input":{{"command":"{command}"}},{output}"#), error);
    }

    fn called(&mut self, session: &str, what: &str, error: Option<&str>) {
        let ending = match error {
            Some(error) => format!(r#""success":false,"error":{}"#, serde_json::to_string(error).expect("JSON")),
            None => r#""success":true"#.to_owned(),
        };
        self.sees(session, "coder", &format!(r#"{{"type":"tool_call",{what}"duration_ms":1,{ending}}}"#));
    }
}

const BROKEN: &str = "error[E0425]: cannot find value `x` in this scope";

/// Dialectic, "Failure Debate": the same task and error twice is seen.
#[test]
fn the_same_error_twice_makes_a_debate_due() {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    desk.call("s", "cargo test", Some(BROKEN));
    assert_eq!(desk.says(TASK), ("go", 1));
    desk.call("s", "ls", None);
    desk.call("s", "cargo test -p a", Some("error[E0425]: cannot find value `y` in this scope"));
    assert_eq!(desk.says(TASK), ("debate", 2));
    let attempts = &desk.state.task(TASK_ID).expect("known").attempts;
    let told: Vec<_> = attempts.iter().map(|one| (one.attempt, one.approach.as_deref(), &*one.fingerprint)).collect();
    let print = "e0425 error cannot find value in this scope";
    assert_eq!(told, [(1, Some("cargo test"), print), (2, Some("cargo test"), print)]);
    desk.call("s", "cargo test", None);
    assert_eq!(desk.says(TASK), ("go", 0), "what failed works");
}

#[test]
fn another_error_begins_another_count_and_a_success_of_something_else_ends_none() {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    desk.call("s", "cargo test", Some(BROKEN));
    desk.call("s", "cargo test", Some("error: linking failed"));
    desk.call("s", "cargo fmt", None);
    assert_eq!(desk.says(TASK), ("go", 1));
    desk.call("s", "cargo test", Some(BROKEN));
    assert_eq!(desk.says(TASK), ("debate", 2));
}

/// A session's sub-agents count for themselves.
#[test]
fn sessions_count_for_themselves() {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    let start = r#"{"type":"system_event","name":"session_start","input":{"parent_session":"s"},"success":true}"#;
    desk.sees("s/1", "coder", start);
    let told = format!(r#"{{"type":"agent_message","name":"message","input":{{"text":"{TASK}"}},"success":true}}"#);
    desk.sees("s/1", "coder", &told);
    desk.call("s", "cargo test", Some(BROKEN));
    desk.call("s/1", "cargo test", Some(BROKEN));
    assert_eq!(desk.says(TASK), ("go", 1));
    desk.call("s/1", "cargo test", Some(BROKEN));
    assert_eq!(desk.says(TASK), ("debate", 2));
    desk.call("s", "cargo test", None);
    assert_eq!(desk.says(TASK), ("debate", 2), "it works for the other one");
}

/// Decision 26; Dialectic, "Staleness Reset Logic".
#[test]
fn a_persons_words_reset_and_rephrasing_does_not() {
    let resets = |words: &str| {
        let mut desk = Desk::new();
        desk.prompt("s", TASK);
        for _ in 0..2 {
            desk.call("s", "cargo test", Some(BROKEN));
        }
        desk.prompt("s", words);
        desk.says(TASK) == ("go", 0)
    };
    for words in [
        "start fresh", "Try a different approach.", "ignore previous attempts", "I fixed the fixture, go on",
        "updated the lockfile",
    ] {
        assert!(resets(words), "{words}");
    }
    for words in ["try again", "why does it still fail?!", "repair that authentication test", "continue"] {
        assert!(!resets(words), "{words}");
    }
}

#[test]
fn words_of_an_agent_reset_nothing() {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    for _ in 0..2 {
        desk.call("s", "cargo test", Some(BROKEN));
    }
    let prompt = r#"{"type":"user_input","name":"prompt","input":{"text":"start fresh"},"success":true}"#;
    desk.sees("s", "codex", prompt);
    assert_eq!(desk.says(TASK), ("debate", 2));
}

#[test]
fn to_go_on_is_no_new_task() {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    desk.call("s", "cargo test", Some(BROKEN));
    desk.prompt("s", "ok, continue");
    desk.call("s", "cargo test", Some(BROKEN));
    assert_eq!(desk.says(TASK), ("debate", 2));
    desk.prompt("s", "Now write the documentation");
    desk.call("s", "cargo doc", Some("error: x"));
    assert_eq!((desk.says(TASK).1, desk.says("write documentation now").0), (2, "ask"));
}

#[test]
fn what_is_no_attempt_is_not_counted() {
    for (what, error) in [
        (r#""name":"Bash","input":{"command":"rg nothing"},"output":"","#, "exit code 1"),
        (r#""name":"Bash","input":{"command":"git config a.b"},"output":null,"#, "Exit code 1"),
        (r#""name":"Bash","input":{"command":"cargo test"},"output":null,"#, "interrupted"),
        (r#""name":"Bash","input":{"command":"cargo test"},"output":null,"#, "Sibling tool call errored"),
        (r#""name":"Bash","input":{"command":"annals debate gate x"},"output":null,"#, "Exit code 10"),
    ] {
        let mut desk = Desk::new();
        desk.prompt("s", TASK);
        desk.called("s", what, Some(error));
        assert_eq!(desk.state.totals.calls, 0, "{what}");
    }
    let mut desk = Desk::new();
    desk.call("s", "cargo test", Some(BROKEN));
    assert_eq!(desk.state, State::default(), "nobody has said what is to be done");
}

/// An error that says only how a command ended is told by what it printed; a code alone tells nothing, and who says nothing
/// at all is known by what was tried.
#[test]
fn a_bare_error_is_told_by_its_output_or_not_at_all() {
    for (what, error, print) in [
        (
            r#""name":"Bash","input":{"command":"make"},"output":"cc a.c\nmake: *** no rule to make target","#,
            "exit code 2",
            "exit code 2 make no rule to make target",
        ),
        (
            r#""name":"Bash","input":{"command":"make"},"output":{"stdout":"","stderr":"fatal: bad"},"#,
            "exit code 2",
            "exit code 2 fatal bad",
        ),
        (r#""name":"Bash","input":{"command":"make"},"output":"done","#, "exit code 2", ""),
        (r#""name":"Bash","input":{"command":"rg -x"},"output":"","#, "exit code 2", ""),
        (r#""name":"Bash","input":{"command":"make"},"#, "", "make"),
        (r#""name":"Bash","input":{"command":"make"},"#, "Exit code 1\ncompiling\nfatal: bad", "exit code 1 fatal bad"),
    ] {
        let mut desk = Desk::new();
        desk.prompt("s", TASK);
        desk.called("s", what, Some(error));
        let task = desk.state.task(TASK_ID).expect("known");
        assert_eq!(task.attempts.last().map(|one| &*one.fingerprint), Some(print), "{what}");
    }
}

/// One tool that reads and writes: that it could be read says nothing of writing it.
#[test]
fn reading_a_file_does_not_put_writing_it_right() {
    let call = |desk: &mut Desk, command: &str, error: Option<&str>| {
        let input = format!(r#"{{"command":"{command}","path":"a.c","old_str":"x"}}"#);
        desk.called("s", &format!(r#""name":"str_replace_editor","input":{input},"#), error);
    };
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    for _ in 0..2 {
        call(&mut desk, "str_replace", Some("No replacement was performed, old_str `a"));
    }
    call(&mut desk, "view", None);
    assert_eq!(desk.says(TASK), ("debate", 2));
    call(&mut desk, "str_replace", None);
    assert_eq!(desk.says(TASK), ("go", 0));
}

/// Calls of one reply, side by side: the second one could not know of the first.
#[test]
fn what_failed_side_by_side_is_one_failure() {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    let failed = |millis: u64| {
        let input = r#"{"file_path":"go.mod","old_string":"a"}"#;
        format!(
            r#"{{"type":"tool_call","name":"Edit","input":{input},"duration_ms":{millis},"success":false,"error":"File has not been read yet"}}"#
        )
    };
    desk.sees("s", "coder", &failed(5));
    desk.sees("s", "coder", &failed(60_001));
    assert_eq!(desk.says(TASK), ("go", 1));
    desk.sees("s", "coder", &failed(60_000));
    assert_eq!(desk.says(TASK), ("debate", 2));
}

/// That one file is not there says nothing of another, while a test fails with one error whatever it is called with.
#[test]
fn the_same_error_about_another_file_is_another() {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    let missing = Some("File does not exist.");
    let read = |file: &str| format!(r#""name":"Read","input":{{"file_path":"{file}"}},"#);
    desk.called("s", &read("a.md"), missing);
    desk.called("s", &read("b.md"), missing);
    desk.call("s", "sed -n 1,9p c.md", Some("sed: can't read c.md: No such file or directory"));
    desk.call("s", "sed -n 1,9p d.md", Some("sed: can't read d.md: No such file or directory"));
    assert_eq!(desk.says(TASK), ("go", 1));
    desk.called("s", &read("a.md"), missing);
    assert_eq!(desk.says(TASK), ("debate", 2));
}

/// Who asks again whether something is done yet repeats no mistake.
#[test]
fn asking_how_far_something_is_is_no_attempt() {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    for command in ["gh pr checks 5", "gh pr checks 5 --watch", "gh release view v1", "gh release view v1 --json url"] {
        desk.call("s", command, Some("release not found, nightly fail 1m29s"));
    }
    assert_eq!(desk.says(TASK), ("go", 0));
}

/// A run in the background fails later: that is an attempt of the call that began it, and the look at it is none.
#[test]
fn a_background_result_belongs_to_the_run_that_started_it() {
    let start = |name: &str| {
        let output = format!("Command running in background with ID: {name}. Output is written to: /x");
        format!(r#""name":"Bash","input":{{"command":"cargo test"}},"output":"{output}","#)
    };
    let look = |name: &str, printed: &str| {
        format!(r#""name":"BashOutput","input":{{"bash_id":"{name}"}},"output":"{printed}","#)
    };
    let failed = format!("<status>failed</status>\\n<exit_code>101</exit_code>\\n{BROKEN}");
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    desk.called("s", &start("b1"), None);
    desk.called("s", &look("b1", "<status>running</status>"), None);
    assert_eq!(desk.state.totals.calls, 0, "it goes on");
    desk.called("s", &look("b2", &failed), None);
    assert_eq!(desk.state.totals.calls, 0, "another run");
    desk.called("s", &look("b1", &failed), None);
    desk.called("s", &look("b1", &failed), None);
    let attempts = &desk.state.task(TASK_ID).expect("known").attempts;
    let told: Vec<_> = attempts.iter().map(|one| (one.approach.as_deref(), &*one.fingerprint, one.at)).collect();
    let print = "e0425 exit code 101 error cannot find value in";
    assert_eq!(told, [(Some("cargo test"), print, at(desk.minute - 1))], "a run ends once");
    desk.called("s", &start("b3"), None);
    desk.called("s", &look("b3", &failed), None);
    assert_eq!(desk.says(TASK), ("debate", 2));
    desk.called("s", &start("b4"), None);
    assert_eq!(desk.says(TASK), ("debate", 2), "it has only begun");
    desk.called("s", &look("b4", "<status>completed</status><exit_code>0</exit_code>"), None);
    assert_eq!(desk.says(TASK), ("go", 0), "what failed works");
}

/// What a record sets off is announced once.
#[test]
fn an_error_that_comes_again_is_announced_once_by_the_engine() {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    for _ in 0..2 {
        desk.call("s", "cargo test", Some(BROKEN));
    }
    let announce = || Announce {
        task: TASK_ID.into(),
        session: "s".into(),
        fingerprint: "e0425 error cannot find value in this scope".into(),
        cause: EntryId::MIN,
    };
    assert_eq!(desk.refused(announce()), "dialectic.not_allowed");
    let outcome = desk.ask_as("system", announce(), &Observed::default());
    let Some(Event::Repeated(repeated)) = outcome.events.first() else { panic!("{outcome:?}") };
    assert_eq!((repeated.count, &*repeated.approach, &*repeated.summary), (2, "cargo test", TASK));
    let again = desk.ask_as("system", announce(), &Observed::default()).refusal;
    assert_eq!(again, Some(Refusal::Announced { session: "s".into() }));
}

/// Two recorded calls failed with one error, and a debate about them was resolved.
fn debated() -> (Desk, Box<str>) {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    for _ in 0..2 {
        desk.call("s", "cargo test", Some(BROKEN));
    }
    let debate = desk.request(about(TASK, DebateKind::Failure));
    desk.argue(&debate, DIAGNOSIS);
    desk.argue(&debate, DOUBT);
    desk.resolve(&debate);
    (desk, debate)
}

/// A debate about recorded failures gives one attempt; the same error once more uses it up.
#[test]
fn a_recorded_attempt_after_a_debate_is_the_last() {
    let (mut desk, _) = debated();
    assert_eq!(desk.says(TASK).0, "go");
    desk.call("s", "cargo test", Some("error: something else"));
    assert_eq!(desk.says(TASK).0, "go", "an error that was not there before may be on the way");
    desk.call("s", "cargo test", Some(BROKEN));
    assert_eq!(desk.says(TASK).0, "escalate");
    desk.call("s", "cargo test", None);
    assert_eq!(desk.says(TASK).0, "go");
}

/// Dialectic, "Synthesis Rules": what recorded calls use up is handed to a person as what is declared is, once.
#[test]
fn the_engine_hands_over_what_recorded_calls_used_up() {
    let (mut desk, debate) = debated();
    let escalate = || Escalate { task: TASK_ID.into(), cause: EntryId::MIN };
    let none = Observed::default();
    let not_due = Some(Refusal::NotDue { task: TASK_ID.into() });
    assert_eq!(desk.ask_as("system", escalate(), &none).refusal, not_due, "an attempt is left");
    desk.call("s", "cargo test", Some(BROKEN));
    assert_eq!(desk.refused(escalate()), "dialectic.not_allowed");
    let why = Escalated { task: TASK_ID.into(), why: EscalationReason::DebateUsed, failures: 3 };
    assert_eq!(desk.ask_as("system", escalate(), &none).events, [why.into()]);
    assert_eq!(desk.ask_as("system", escalate(), &none).refusal, not_due, "a person is called once");
    let judged = desk.state.debate(&debate).and_then(|debate| debate.judgement).expect("judged");
    assert_eq!((judged.outcome, judged.helped, judged.declared), (ResolvedEnding::Failure, false, false));
    let report = desk.state.report(at(0), at(1000), &desk.settings);
    assert_eq!((report.auto_escalations, report.after_debate), (1, 1));
}

/// Three recorded failures call a person, and what failed thrice and works calls nobody, whatever else failed once.
#[test]
fn a_recorded_count_calls_a_person_until_it_works() {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    desk.call("s", "ls nowhere", Some("no such file or directory"));
    for _ in 0..3 {
        desk.call("s", "cargo test", Some(BROKEN));
    }
    let escalate = Escalate { task: TASK_ID.into(), cause: EntryId::MIN };
    let events = desk.ask_as("system", escalate, &Observed::default()).events;
    assert_eq!(events, [Escalated { task: TASK_ID.into(), why: EscalationReason::Count, failures: 3 }.into()]);
    assert_eq!(desk.says(TASK), ("escalate", 3));
    desk.call("s", "cargo test", None);
    assert_eq!(desk.says(TASK), ("go", 1));
}

/// Rows are bounded, whatever comes.
#[test]
fn rows_do_not_grow_with_use() {
    let mut desk = Desk::new();
    desk.prompt("s", TASK);
    for number in 0..200 {
        let letter = char::from(b'a' + u8::try_from(number % 26).expect("few"));
        desk.call("s", &format!("tool{letter}{number} x"), Some(&format!("error {letter}{letter} in {letter}")));
    }
    let task = desk.state.task(TASK_ID).expect("known");
    assert_eq!((task.runs.len(), task.attempts.len()), (16, 20));
    assert_eq!(desk.state.trails.get("s").map(|trail| trail.open.len()), Some(16));
}
