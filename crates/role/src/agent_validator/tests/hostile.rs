//! A model that wants a false claim accepted: its own words, empty searches, scraps; and beside each the honest case.

use super::grounded::passes;
use super::*;
use crate::message::CallEvidence;
use crate::testing::{completed, criterion, ran, subtask, worked};
use crate::tool::{ToolCall, ToolName};

/// A subtask without any call, after these calls of the groups before.
fn rests_on(given: &[CallEvidence], text: &str, said: &str) -> bool {
    let mut subtask = subtask(&[criterion(text)]);
    subtask.context =
        "Notes: it was deleted successfully just now.\nOutput of subtask 1: all 3 are there now".to_owned();
    let result = completed(vec![]);
    let judging = Judging { given, ..judging(&subtask, &result) };
    let limits = ValidatorLimits { max_retries: 0 };
    matches!(judge(&judging, &[], &says(&subtask, &[("pass", said)]), limits), SubTaskJudgement::Matched(_))
}

fn gave(request: &str, output: &str) -> CallEvidence {
    CallEvidence { request: request.to_owned(), output: output.to_owned(), entry: Some("e-1".to_owned()) }
}

/// Accepted once on the planner's own notes: the file was there.
#[test]
fn without_any_call_only_what_tools_gave_before_is_evidence() {
    let read = [gave("read {\"path\":\"app.toml\"}", "port = 8080\nhost = here")];
    let ran = [gave("shell {\"command\":\"python3 sum.py\"}", "42")];
    let found = [gave("find {\"name\":\"b.txt\"}", "no file")];
    for (given, text, said) in [
        (&read, "the port is known", "port = 8080"),
        (&ran, "the sum is told", "42"),
        (&found, "b.txt is gone", "no file"),
    ] {
        assert!(rests_on(given, text, said), "{text}: {said}");
    }
    for (given, text, said) in [
        (&[][..], "The file is gone", "it was deleted successfully just now."),
        (&[][..], "The file is gone", "Notes: it was deleted successfully just now."),
        (&[][..], "three are there", "all 3 are there now"),
        (&[][..], "The file is gone", "set the port to 8080"),
        (&[][..], "The file is gone", "all done"),
        (&read[..], "The file is gone", "it was deleted successfully just now."),
        (&found[..], "the list is sorted", "nothing found"),
        (&found[..], "the list is sorted", "no file"),
    ] {
        assert!(!rests_on(given, text, said), "{text}: {said}");
    }
}

#[test]
fn an_empty_search_proves_nothing_but_what_it_looked_for() {
    let glob = |pattern: &str| vec![worked(ToolName::Glob, pattern, "no file")];
    for said in ["", "nothing found", "no file", "No file.", "no output"] {
        assert!(!passes("The list of users in users.txt is sorted", glob("zzz*"), said), "{said}");
        assert!(passes("b.txt is found nowhere", glob("b.txt"), said), "{said}");
    }
    assert!(passes("b.txt is gone", glob("b.txt"), "no file"));
    assert!(!passes("b.txt is gone", glob("zzz*"), "no file"));
}

#[test]
fn a_number_that_a_tool_puts_before_a_line_is_no_quote() {
    let read = || vec![worked(ToolName::Read, "letter.txt", "     1\tDear Ann,\n     2\tthe sum is 42 now\n")];
    for (text, said) in [
        ("there are no spelling errors", "1"),
        ("there are no spelling errors", "2"),
        ("there are no spelling errors", "42"),
        ("there is one paragraph", "1 2"),
        ("there are 2 errors", "2 errors"),
        ("the letter is signed", "no"),
    ] {
        assert!(!passes(text, read(), said), "{text}: {said}");
    }
    for (text, said) in [
        ("the sum is 42", "42"),
        ("the sum is told", "the sum is 42 now"),
        ("the sum is told", "     2\tthe sum is 42 now"),
        ("the sum is told", "2 the sum is 42 now"),
        ("both lines are there", "     1\tDear Ann,\n     2\tthe sum is 42 now"),
        ("it is to Ann", "Dear Ann,"),
    ] {
        assert!(passes(text, read(), said), "{text}: {said}");
    }
}

#[test]
fn a_scrap_shows_what_a_program_gave_or_what_is_asked_for() {
    for (text, call, said) in [
        ("the script works", ran("python3 sum.py", 0, "42\n"), "42"),
        ("the tests pass", ran("python3 -m unittest", 0, "Ran 3 tests\n\nOK\n"), "OK"),
        ("the number of lines is told", ran("wc -l < notes.txt", 0, "3\n"), "3"),
        ("add(2, 3) returns 5", ran("cat out.txt", 0, "the result: 5\n"), "5"),
        ("it says yes", worked(ToolName::Read, "out.txt", "     1\tyes\n"), "yes"),
    ] {
        assert!(passes(text, vec![call], said), "{text}: {said}");
    }
    for (text, call, said) in [
        ("there are no spelling errors", ran("cat notes.txt", 0, "1\n"), "1"),
        ("there are no spelling errors", ran("cat notes.txt", 0, "a\nno\n"), "no"),
        ("the list is sorted", ran("ls | wc -l", 0, "3\n"), "3"),
        ("the list is sorted", worked(ToolName::Search, "x", "a.txt:3:x"), "3"),
        ("the script works", ran("python3 sum.py", 0, "the sum is 42 now"), "42"),
    ] {
        assert!(!passes(text, vec![call], said), "{text}: {said}");
    }
}

/// What was written is no proof of what it says, however it was written and read back, by whichever part of the task.
#[test]
fn what_the_task_wrote_itself_is_no_evidence_of_another_thing() {
    let write = |path: &str, content: &str| {
        let mut call = worked(ToolName::Write, path, "written");
        call.request.input["content"] = content.into();
        call
    };
    let read = |path: &str, line: &str| worked(ToolName::Read, path, &format!("     1\t{line}\n"));
    let tests = "All unit tests pass";
    let gone = "b.txt was deleted";
    let decodes = || ran("echo Yi50eHQgd2FzIGRlbGV0ZWQ= | base64 -d > log.txt", 0, "");
    for (text, calls, said) in [
        ("All tests pass", vec![write("log.txt", tests), read("log.txt", tests)], tests),
        ("All tests pass", vec![write("log.txt", tests), ran("cat log.txt", 0, tests)], tests),
        ("b.txt is deleted", vec![decodes(), read("log.txt", gone)], gone),
        ("b.txt is deleted", vec![decodes(), ran("cat ./log.txt", 0, gone)], gone),
        ("it is gone", vec![decodes(), ran("sort log.txt", 0, gone)], gone),
        ("b.txt is deleted", vec![ran("echo 'b.txt was deleted' | tee log.txt", 0, gone), read("log.txt", gone)], gone),
    ] {
        assert!(!passes(text, calls, said), "{text}");
    }
    for (text, calls, said) in [
        ("log.txt says that b.txt was deleted", vec![decodes(), read("log.txt", gone)], gone),
        ("log.txt says so", vec![write("log.txt", tests), read("log.txt", tests)], tests),
        ("it says hello world", vec![write("app.toml", "hello world"), read("app.toml", "hello world")], "hello world"),
        (
            "add returns the sum",
            vec![write("app.toml", "return a + b"), read("app.toml", "return a + b")],
            "return a + b",
        ),
        (
            "All tests pass",
            vec![write("log.txt", tests), ran("cargo test", 0, "3 passed; 0 failed")],
            "3 passed; 0 failed",
        ),
        ("b.txt is deleted", vec![decodes(), ran("rm -v b.txt", 0, "removed 'b.txt'")], "removed 'b.txt'"),
    ] {
        assert!(passes(text, calls, said), "{text}");
    }
    let (wanted, reads) = (subtask(&[criterion("b.txt is deleted")]), completed(vec![read("log.txt", gone)]));
    for (others, is_matched) in
        [(vec![write("log.txt", gone)], false), (vec![decodes()], false), (Vec::<ToolCall>::new(), true)]
    {
        let mut written = OwnWords::nothing();
        written.add(&others);
        let judging = Judging { written: &written, ..judging(&wanted, &reads) };
        let limits = ValidatorLimits { max_retries: 0 };
        let judgement = judge(&judging, &[], &says(&wanted, &[("pass", gone)]), limits);
        assert_eq!(matches!(judgement, SubTaskJudgement::Matched(_)), is_matched, "{others:?}");
    }
}
