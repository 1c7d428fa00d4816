//! Streams as the real programs write them, cut, and what is read of them.

use serde_json::json;

use super::{AgentEnd, AgentOutcome, AgentProgram, AgentUsage, read};
use crate::evidence::{evidence, target};
use crate::message::ExecutionStatus;

const CLAUDE: &str = include_str!("tests/claude.jsonl");
const CODEX: &str = include_str!("tests/codex.jsonl");

fn ended(code: i32, output: &str) -> AgentOutcome {
    let (folder, entry) = ("/w/tree".to_owned(), Some("E".to_owned()));
    AgentOutcome { folder, output: output.to_owned(), entry, ..AgentOutcome::silent(AgentEnd::Exited { code }) }
}

fn lines(program: AgentProgram, output: &str) -> Vec<String> {
    let line = |call: &crate::tool::ToolCall| {
        let exit = call.exit.map(|exit| format!(" ({exit})")).unwrap_or_default();
        format!("{} {}{exit}", call.result, evidence(call))
    };
    read(program, &ended(0, output)).calls.iter().map(line).collect()
}

#[test]
fn the_calls_of_claude_are_evidence_lines() {
    let expected = [
        r#"worked shell: {"command":"echo hello > hello.txt; cat hello.txt"} → hello"#,
        r#"worked write: {"content":"alpha\n","path":"new.txt"} → File created successfully at: /w/tree/new.txt"#,
        r#"failed shell: {"command":"exit 3"} → Exit code 3 (3)"#,
    ];
    assert_eq!(lines(AgentProgram::Claude, CLAUDE), expected);
}

#[test]
fn the_calls_of_codex_are_evidence_lines() {
    let expected = [
        r#"worked shell: {"command":"echo hello > hello.txt; cat hello.txt"} → hello (0)"#,
        r#"worked write: {"kind":"add","path":"new.txt"} → add new.txt"#,
        r#"failed shell: {"command":"echo failing; exit 3"} → failing (3)"#,
    ];
    assert_eq!(lines(AgentProgram::Codex, CODEX), expected);
}

#[test]
fn each_says_what_it_used_up_and_its_last_word() {
    let claude = read(AgentProgram::Claude, &ended(0, CLAUDE));
    assert_eq!(claude.usage, AgentUsage { tokens_in: 24_430, tokens_out: 210, micro_usd: 29_892 });
    assert_eq!((claude.status, claude.claim.as_str()), (ExecutionStatus::Completed, "Done, all."));
    let codex = read(AgentProgram::Codex, &ended(0, CODEX));
    assert_eq!(codex.usage, AgentUsage { tokens_in: 4_010, tokens_out: 210, micro_usd: 0 });
    assert_eq!((codex.status, codex.claim.as_str()), (ExecutionStatus::Completed, "Done, all."));
    assert!(codex.calls.iter().all(|call| call.entry.as_deref() == Some("E")), "each cites the entry that holds it");
}

#[test]
fn how_it_came_out_follows_from_how_the_process_ended() {
    use ExecutionStatus::{Completed, Failed, Uncertain};
    let result = |is_error: bool| json!({ "type": "result", "is_error": is_error, "result": "words" }).to_string();
    let unknown = AgentEnd::Unknown { why: "the run was killed".to_owned() };
    let of = |end: AgentEnd, output: &str| AgentOutcome { end, ..ended(0, output) };
    let rows = [
        (ended(0, &result(false)), Completed, "words"),
        (ended(0, &result(true)), Failed, "words"),
        (ended(1, &result(true)), Failed, "the agent failed with code 1: words"),
        (ended(1, "a\nno such model\n"), Failed, "the agent failed with code 1: no such model"),
        (ended(0, "not json"), Uncertain, "the agent ended without a last word"),
        (ended(137, &result(false)), Uncertain, "the agent was ended by signal 9"),
        (of(AgentEnd::OutOfTime, &result(false)), Failed, "timeout: the agent used up the time of the task"),
        (of(unknown, &result(false)), Uncertain, "interrupted: the run was killed"),
    ];
    for (outcome, status, claim) in rows {
        let report = read(AgentProgram::Claude, &outcome);
        assert_eq!((report.status, report.claim.as_str()), (status, claim), "{outcome:?}");
    }
}

/// The middle of a long stream is cut out, in the middle of lines.
#[test]
fn a_stream_that_was_cut_says_what_is_left_of_it() {
    let (head, tail) = (&CLAUDE[..900], &CLAUDE[CLAUDE.len() - 500..]);
    let report = read(AgentProgram::Claude, &ended(0, &format!("{head}\n[… 5 bytes left out …]\n{tail}")));
    assert_eq!(report.claim, "Done, all.");
    assert!(report.calls.iter().any(|call| call.is_uncertain), "of a call without an end nothing is known");
}

#[test]
fn a_lost_connection_on_the_way_is_no_failure_of_a_turn_that_ended() {
    let lost = json!({ "type": "error", "message": "stream disconnected, retrying" });
    let report = read(AgentProgram::Codex, &ended(0, &format!("{lost}\n{CODEX}")));
    assert_eq!(report.status, ExecutionStatus::Completed);
    let failed = json!({ "type": "turn.failed", "error": { "message": "no credit" } });
    let report = read(AgentProgram::Codex, &ended(1, &failed.to_string()));
    assert_eq!(
        (report.status, report.claim.as_str()),
        (ExecutionStatus::Failed, "the agent failed with code 1: no credit")
    );
}

#[test]
fn what_a_call_was_about_is_named_from_the_folder_that_is_worked_in() {
    let report = read(AgentProgram::Claude, &ended(0, CLAUDE));
    assert_eq!(target(&report.calls[1].request), "new.txt");
}

/// Whatever it writes, it is read.
#[test]
fn no_stream_stops_us() {
    for output in
        ["", "{}", "[]", "null\n{\"type\":\"assistant\"}", "{\"type\":\"item.completed\"}", "{\"type\":\"result\"}"]
    {
        for program in AgentProgram::ALL {
            assert!(read(*program, &ended(0, output)).calls.is_empty(), "{output}");
        }
    }
}
