//! Given / when / then for sessions: given entries and events, when asked, then events or a refusal.

mod joined;

use super::command::{Abort, Complete, Resume, Start, Summarize, Suspend};
use super::event::{Aborted, Completed, Resumed, Started, Summarized, Suspended};
use super::row::ModelSummary;
use super::*;
use annals_kernel::actor::Standing;
use annals_kernel::call::written;
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::envelope::{Envelope, Span};
use annals_kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals_kernel::model_word::ModelWord;
use annals_kernel::report::Report;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

const MINUTE: i64 = 60_000;

fn at(minute: i64) -> Timestamp {
    Timestamp::from_millis(1_763_700_000_000 + minute * MINUTE)
}

fn id(text: &str) -> SessionId {
    SessionId::from(text)
}

/// An entry of a session, at a minute.
fn line(session: &str, minute: i64, operation: &str) -> String {
    let (time, id) = (at(minute), EntryId::derived(at(minute), &[session, operation]));
    format!(
        r#"{{"id":"{id}","timestamp":"{time}","session_id":"{session}","operation":{operation},"provenance":{{"agent_id":"coder"}},"metadata":{{"files_touched":["src/a.rs"]}}}}"#
    )
}

fn call(name: &str, success: bool) -> String {
    format!(r#"{{"type":"tool_call","name":"{name}","input":{{}},"duration_ms":5,"success":{success}}}"#)
}

fn event(kind: &str, name: &str, input: &str) -> String {
    format!(r#"{{"type":"{kind}","name":"{name}","input":{input},"success":true}}"#)
}

fn observed(lines: &[String]) -> State {
    let mut state = State::default();
    for line in lines {
        let span = Span::scan(line.as_bytes()).expect("a line of our own shape");
        let entry = Envelope::new(line.as_bytes(), &span);
        state.observe(&entry, &written(&entry), Report::of(&entry));
    }
    state
}

/// A session in a state that events have brought it to.
fn given(events: &[Event]) -> State {
    let mut state = observed(&[line("s", 0, &event("system_event", "history.session.start", "{}"))]);
    for (minute, event) in (1..).zip(events) {
        let cause = Cause { asked: None, id: EntryId::MIN, at: at(minute), actor: &AgentId::from("user") };
        state.evolve(event, &cause);
    }
    state
}

fn ask(state: &State, command: impl Into<Command>, minute: i64) -> Outcome<Event, Refusal> {
    let settings = Settings::default();
    let moment = Moment {
        id: EntryId::new(at(minute), 7),
        at: at(minute),
        actor: AgentId::from("user"),
        standing: Standing::User,
        session: id(NO_SESSION),
        settings: &settings,
    };
    decide(state, &command.into(), &Observed::default(), &moment)
}

fn commands() -> [(SessionStatus, Command); 4] {
    [
        (SessionStatus::Suspended, Suspend { session: id("s"), reason: None }.into()),
        (SessionStatus::Active, Resume { session: id("s") }.into()),
        (SessionStatus::Completed, Complete { session: id("s") }.into()),
        (SessionStatus::Aborted, Abort { session: id("s"), reason: "x".into() }.into()),
    ]
}

fn events() -> [(SessionStatus, Vec<Event>); 4] {
    [
        (SessionStatus::Active, vec![]),
        (SessionStatus::Suspended, vec![Suspended { session: id("s") }.into()]),
        (SessionStatus::Completed, vec![Completed { session: id("s") }.into()]),
        (SessionStatus::Aborted, vec![Aborted { session: id("s") }.into()]),
    ]
}

#[test]
fn only_the_arrows_of_decision_3_are_allowed() {
    use SessionStatus::{Aborted, Active, Completed, Suspended};
    let allowed =
        [(Active, Suspended), (Suspended, Active), (Active, Completed), (Active, Aborted), (Suspended, Aborted)];
    for (from, events) in events() {
        let state = given(&events);
        assert_eq!(state.session(&id("s")).map(|session| session.status), Some(from));
        for (to, command) in commands() {
            let outcome = ask(&state, command, 9);
            let refusal = Refusal::IllegalTransition { session: id("s"), from, to };
            if allowed.contains(&(from, to)) {
                assert_eq!((outcome.events.len(), outcome.refusal), (1, None), "{from} → {to}");
            } else {
                assert_eq!(outcome, Outcome::refused(refusal), "{from} → {to}");
            }
        }
    }
}

#[test]
fn a_new_session_is_named_by_its_entry() {
    let session = id(&EntryId::new(at(3), 7).to_string());
    assert_eq!(ask(&State::default(), Start::default(), 3), Outcome::of(Started { session }));
}

#[test]
fn a_parent_must_be_known() {
    let start = |parent: &str| Start { parent_session_id: Some(id(parent)), ..Start::default() };
    assert_eq!(ask(&given(&[]), start("s"), 3).refusal, None);
    let refusal = Refusal::UnknownParent { parent: id("t") };
    assert_eq!(ask(&given(&[]), start("t"), 3), Outcome::refused(refusal));
}

#[test]
fn an_unknown_session_does_nothing() {
    for (_, command) in commands() {
        assert_eq!(ask(&State::default(), command, 3), Outcome::refused(Refusal::UnknownSession { session: id("s") }));
    }
}

#[test]
fn a_pause_is_measured() {
    let state = given(&[Suspended { session: id("s") }.into()]);
    let resumed = Resumed { session: id("s"), paused_ms: 6 * 60_000 };
    assert_eq!(ask(&state, Resume { session: id("s") }, 7), Outcome::of(resumed));
}

#[test]
fn a_completed_session_keeps_its_summary_and_an_aborted_one_its_reason() {
    let (actor, mut state) = (AgentId::from("user"), given(&[]));
    let summary = command::Summary { title: "a".into(), body: "b".into(), entities: vec![] };
    let (command, found) =
        (Complete { session: id("s") }.into(), Observed { summary: Some(summary.clone()), model: None });
    let cause = Cause { asked: Some((&command, &found)), id: EntryId::MIN, at: at(1), actor: &actor };
    state.evolve(&Completed { session: id("s") }.into(), &cause);
    assert_eq!(state.session(&id("s")).and_then(|session| session.summary.clone()), Some(summary));
    let command = Abort { session: id("s"), reason: "timeout".into() }.into();
    let cause = Cause { asked: Some((&command, &Observed::default())), ..cause };
    state.evolve(&Aborted { session: id("s") }.into(), &cause);
    assert_eq!(state.session(&id("s")).and_then(|session| session.reason.as_deref()), Some("timeout"));
}

#[test]
fn what_was_done_is_counted() {
    let lines = [
        line(
            "s",
            0,
            &event("system_event", "session_start", r#"{"tool":"codex","native_id":"abc","parent_session":"p"}"#),
        ),
        line("s", 1, &event("user_input", "prompt", r#"{"text":"\n  Fix the reactor\nplease"}"#)),
        line("s", 2, &call("Edit", true)),
        line("s", 3, &call("Read", true)),
        line("s", 4, &call("Edit", false)),
        line("s", 5, &event("user_input", "rejection", "{}")),
        line("s", 6, &event("system_event", "denial", "{}")),
        line("s", 7, &event("user_input", "interrupt", "{}")),
        line("s", 8, &event("agent_message", "message", r#"{"text":"done"}"#)),
        line("s", 9, &event("agent_message", "thinking", r#"{"text":"hm"}"#)),
        line("s", 10, &event("system_event", "compaction", "{}")),
        line("s", 100, &event("system_event", "session_end", "{}")),
    ];
    let state = observed(&lines);
    let session = state.session(&id("s")).expect("it is known");
    let expected = state::Stats {
        operation_count: 12,
        retold: 0,
        duration_ms: 10 * 60_000,
        files_modified: ["src/a.rs".into()].into(),
        tools_used: [("Edit".into(), 2), ("Read".into(), 1)].into(),
        failed_calls: 1,
        prompts: 1,
        messages: 1,
        rejections: 2,
        interrupts: 1,
        compactions: 1,
    };
    assert_eq!(session.stats, expected);
    assert_eq!(session.title, Some(state::Title::FirstPrompt("Fix the reactor".into())));
    assert_eq!(session.native, Some(("codex".into(), "abc".into())));
    assert_eq!((session.parent_session_id.clone(), session.status), (Some(id("p")), SessionStatus::Completed));
    assert_eq!((session.created_at, session.updated_at), (at(0), at(100)));
    let edit = state::ToolTotal { calls: 2, failed: 1, duration_ms: 10 };
    assert_eq!(state.totals.by_tool.get("Edit"), Some(&edit));
    assert_eq!((state.totals.sessions, state.totals.entries), (1, 12));
}

#[test]
fn a_given_title_wins_over_the_first_prompt_and_a_long_one_is_cut() {
    let long = format!(r#"{{"text":"{}"}}"#, "ü".repeat(100));
    let state = observed(&[
        line("s", 0, &event("user_input", "prompt", &long)),
        line("t", 0, &event("user_input", "prompt", &long)),
        line("t", 1, &event("system_event", "title", r#"{"text":"Reactor"}"#)),
    ]);
    let title = |name: &str| state.session(&id(name)).and_then(|session| session.title.clone());
    assert_eq!(title("s").map(|title| title.as_str().chars().count()), Some(81));
    assert_eq!(title("t"), Some(state::Title::Given("Reactor".into())));
}

#[test]
fn a_title_is_a_line_that_says_something() {
    for (prompt, title) in [
        (r"[[ ## query ## ]]\nWhat is 2+2?", "What is 2+2?"),
        (r"---\n<task>\n  fix it\n</task>", "fix it"),
        (r"<task>\n---", "<task>"),
        (r"Implement this plan:\n\n# One log\n\nWhy", "Implement this plan: One log"),
    ] {
        let state = observed(&[line("s", 0, &event("user_input", "prompt", &format!(r#"{{"text":"{prompt}"}}"#)))]);
        let found = state.session(&id("s")).and_then(|session| session.title.clone());
        assert_eq!(found, Some(state::Title::FirstPrompt(title.into())), "{prompt}");
    }
}

#[test]
fn a_silent_session_of_another_tool_counts_as_completed() {
    let state = observed(&[line("s", 0, &call("Read", true))]);
    let session = state.session(&id("s")).expect("it is known");
    let limit = 30 * 60_000;
    assert_eq!(session.status_at(at(30), limit), SessionStatus::Active);
    assert_eq!(session.status_at(at(31), limit), SessionStatus::Completed);
    let started = given(&[Started { session: id("s") }.into()]);
    let session = started.session(&id("s")).expect("it is known");
    assert_eq!(session.status_at(at(9999), limit), SessionStatus::Active, "who starts a session here ends it here");
}

/// A decision of Annals, or a state that it computed, by somebody.
fn said(minute: i64, operation: &str, agent: &str, extra: &str) -> String {
    line("s", minute, operation)
        .replace(r#""agent_id":"coder""#, &format!(r#""agent_id":"{agent}""#))
        .replace(r#""files_touched":["src/a.rs"]}"#, extra)
}

/// AFS 3.1.
#[test]
fn who_looks_at_a_session_does_not_bring_it_to_life() {
    let decided = r#"},"extensions":{"annals":{"v":1,"r":1,"w":"a","n":1,"p":"x"}}"#;
    let fired = event("system_event", "analysis.trigger.fire", "{}");
    let state = event("cognitive_state", "metacognition", "{}");
    let told = r#""tags":["snapshot"]}"#;
    let ran = [line("s", 0, &call("Read", true)), line("s", 5, &event("system_event", "session_end", "{}"))];
    let after = |line: String| {
        let lines: Vec<_> = ran.iter().cloned().chain([line]).collect();
        let found = observed(&lines).session(&id("s")).cloned();
        found.map(|session| Session { last: EntryId::MIN, ..session })
    };
    let before = observed(&ran).session(&id("s")).cloned();
    let before = before.map(|session| Session { last: EntryId::MIN, ..session });
    for (operation, agent, extra) in
        [(&fired, "system", decided), (&fired, "user", decided), (&state, "system", told), (&state, "user", told)]
    {
        assert_eq!(after(said(99, operation, agent, extra)), before, "{operation} by {agent}");
    }
    for (operation, agent, extra) in [
        (&fired, "coder", decided),
        (&state, "coder", told),
        (&event("user_input", "prompt", "{}"), "user", "}"),
        (&event("system_event", "history.session.resume", "{}"), "user", decided),
        (&event("system_event", "title", "{}"), "system", "}"),
    ] {
        let found = after(said(99, operation, agent, extra)).expect("it is known");
        assert_eq!((found.stats.operation_count, found.updated_at), (3, at(99)), "{operation} by {agent}");
    }
}

/// Its entries are looked for up to the last one.
#[test]
fn what_is_said_about_a_session_is_found_with_it() {
    let fired = event("system_event", "analysis.trigger.fire", "{}");
    let decided = r#"},"extensions":{"annals":{"v":1,"r":1,"w":"a","n":1,"p":"x"}}"#;
    let lines = [line("s", 0, &call("Read", true)), said(99, &fired, "system", decided)];
    let last = observed(&lines).session(&id("s")).map(|session| session.last);
    assert_eq!(last, Some(EntryId::derived(at(99), &["s", &fired])));
}

#[test]
fn what_a_person_decides_in_a_session_that_goes_on_here_is_part_of_it() {
    let decided = r#"},"extensions":{"annals":{"v":1,"r":1,"w":"a","n":1,"p":"x"}}"#;
    let count = |events: &[Event], agent: &str| {
        let mut state = given(events);
        let line = said(50, &event("system_event", "issue.item.open", "{}"), agent, decided);
        let span = Span::scan(line.as_bytes()).expect("a line of our own shape");
        let entry = Envelope::new(line.as_bytes(), &span);
        state.observe(&entry, &written(&entry), Report::of(&entry));
        state.session(&id("s")).map(|session| session.stats.operation_count)
    };
    let started: Event = Started { session: id("s") }.into();
    assert_eq!(count(std::slice::from_ref(&started), "user"), Some(2));
    assert_eq!(count(std::slice::from_ref(&started), "system"), Some(1));
    assert_eq!(count(&[started, Completed { session: id("s") }.into()], "user"), Some(1));
}

#[test]
fn entries_of_no_session_make_none() {
    let state = observed(&[line(NO_SESSION, 0, &event("system_event", "config.value.change", "{}"))]);
    assert_eq!((state.totals.sessions, state.totals.entries), (0, 1));
    assert!(state.session(&id(NO_SESSION)).is_none());
}

#[test]
fn what_a_command_line_writes_counts_as_modified_and_an_empty_search_as_no_failure() {
    let call = |minute, command: &str, ending: &str| {
        let command = serde_json::to_string(command).expect("JSON");
        let operation = format!(r#"{{"type":"tool_call","name":"Bash","input":{{"command":{command}}},{ending}}}"#);
        line("s", minute, &operation).replace(r#""files_touched":["src/a.rs"]"#, "")
    };
    let state = observed(&[
        call(1, "sed -i s/a/b/ src/a.rs && cat > b.md <<E\nx\nE", r#""success":true"#),
        call(2, "rm c.rs", r#""success":false,"error":"exit code 1""#),
        call(3, "rg nothing", r#""success":false,"error":"exit code 1""#),
    ]);
    let stats = &state.session(&id("s")).expect("a session").stats;
    let files: Vec<&str> = stats.files_modified.iter().map(|file| &**file).collect();
    assert_eq!((files, stats.failed_calls), (vec!["b.md", "src/a.rs"], 1));
}

/// AFS 3.3: a model's summary stands beside that of the rules, however a session stands.
#[test]
fn what_a_model_says_of_a_session_is_kept_beside_and_nothing_is_no_summary() {
    let (actor, mut state) = (AgentId::from("user"), given(&[]));
    let silent = Refusal::NoSummary { session: id("s") };
    assert_eq!(ask(&state, Summarize { session: id("s") }, 3), Outcome::refused(silent));
    let summary = command::Summary { title: "a".into(), body: "b".into(), entities: vec![] };
    let (purpose, model, prompt, answer) = ("summary".into(), "qwen".into(), "0".into(), "{}".into());
    let word = ModelWord {
        entry: EntryId::MIN,
        purpose,
        model,
        prompt,
        tokens_in: 0,
        tokens_out: 0,
        left_out: 0,
        ms: 1,
        answer,
    };
    let observed = Observed { summary: Some(summary.clone()), model: Some(word) };
    let command = Command::from(Summarize { session: id("s") });
    let cause = Cause { asked: Some((&command, &observed)), id: EntryId::MIN, at: at(1), actor: &actor };
    state.evolve(&Summarized { session: id("s"), model: "qwen".into() }.into(), &cause);
    let session = state.session(&id("s")).expect("a session");
    let expected = ModelSummary { summary, model: "qwen".into(), at: at(1) };
    assert_eq!((session.summary.clone(), session.model_summary.clone()), (None, Some(expected)));
}
