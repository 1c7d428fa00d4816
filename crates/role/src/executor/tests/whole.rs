//! A file that is asked for whole: which, how, and what an answer comes to.

use proptest::prelude::*;

use super::*;
use crate::evidence::call::input_text;
use crate::executor::whole::ExecutorForm;
use crate::executor::whole::sheet::Sheet;
use crate::executor::whole::target::{WholeTarget, target};
use crate::plan::{CriterionCheck, SubTask};
use crate::testing::{failed, hostile_answers, request, verifiable, worked};
use crate::tool::ToolCall;

const PLACE: &str = "README.md\nVERSION\nlib.rs\nsrc/\nsrc/app.py";

fn wanted(intent: &str) -> SubTask {
    SubTask {
        intent: intent.to_owned(),
        context: String::new(),
        ..subtask(&[verifiable("the tests pass", "cargo test")])
    }
}

fn whole(intent: &str) -> ExecutorAttempt {
    ExecutorAttempt::first(wanted(intent), ExecutorLimits::default()).in_form(ExecutorForm::Whole, PLACE)
}

/// A plan's subtask that nothing checks may be a question; a person's words say so themselves.
#[test]
fn what_nothing_checks_is_asked_for_whole_only_where_a_person_wants_it_done() {
    let unchecked = |intent: &str| SubTask { success_criteria: Vec::new(), ..wanted(intent) };
    let first = |intent: &str| ExecutorAttempt::first(unchecked(intent), ExecutorLimits::default());
    let looks = |attempt: ExecutorAttempt| attempt.looks(ToolName::ALL).len();
    let mend = "README.md has a wrong title; mend it";
    assert_eq!(looks(first(mend).in_form(ExecutorForm::Whole, PLACE)), 0);
    assert_eq!(looks(first(mend).proposing(ExecutorForm::Whole, PLACE)), 1);
    assert_eq!(looks(first(mend).proposing(ExecutorForm::Tools, PLACE)), 0);
    for asked in ["what does README.md say?", "show README.md", "delete README.md"] {
        assert_eq!(looks(first(asked).proposing(ExecutorForm::Whole, PLACE)), 0, "{asked}");
    }
}

/// After `VERSION` was read, which holds these lines.
fn seen(lines: &[&str]) -> ExecutorAttempt {
    let mut attempt = whole("Set the version in VERSION to 1.5.0");
    attempt.add(shown("VERSION", lines));
    attempt
}

fn shown(path: &str, lines: &[&str]) -> ToolCall {
    let numbered: Vec<_> = (1..).zip(lines).map(|(number, line)| format!("{number:>6}\t{line}\n")).collect();
    worked(ToolName::Read, path, &numbered.concat())
}

fn answer(content: &str) -> String {
    format!("Here it is:\n```text\n{content}\n```\nDone.")
}

fn changed(change: ToolRequest) -> ExecutorStep {
    let requests = vec![change, request(ToolName::Read, "VERSION")];
    ExecutorStep::Use { requests, then: Then::Finish { output: "VERSION was written anew".to_owned() } }
}

fn edit(old: &str, new: &str) -> ToolRequest {
    ToolRequest { tool: ToolName::Edit, input: json!({ "path": "VERSION", "old": old, "new": new }) }
}

/// Words, the file that is meant, and the files that are shown. None was tried with a model.
#[test]
fn the_file_is_the_one_that_words_leave_no_doubt_of() {
    for (intent, path, files) in [
        ("Set the version in VERSION to 1.5.0.", "VERSION", &["VERSION"][..]),
        ("Fix the typo in `./src/app.py`!", "src/app.py", &["src/app.py"]),
        ("Create a file named notes.txt with one line", "notes.txt", &[]),
        ("Write the words of README.md into out/words.txt", "out/words.txt", &["README.md"]),
        ("Merge README.md into VERSION", "VERSION", &["README.md", "VERSION"]),
        ("add node.js 20.1 to README.md, e.g. in a list", "README.md", &["README.md"]),
    ] {
        let shown = files.iter().map(|file| (*file).to_owned()).collect();
        assert_eq!(target(&wanted(intent), PLACE), Some(WholeTarget { path: path.to_owned(), shown }), "{intent}");
    }
    for intent in [
        "Rename VERSION to RELEASE.txt",
        "delete VERSION",
        "Make README.md and VERSION agree",
        "run the tests",
        "Create a file ../out.txt",
        "Create a file /etc/motd.d",
        "Put https://example.org/a.txt into the list",
        "change README.md and create a file b.txt",
        "look into src",
        "Fix the bug in lib.rs and add a test to tests/lib_test.rs",
        "Fix the bug in lib.rs and test it in lib_test.rs",
        "",
    ] {
        assert_eq!(target(&wanted(intent), PLACE), None, "{intent}");
    }
}

#[test]
fn what_no_code_checks_may_be_a_question_and_is_asked_for_by_tools() {
    let asked =
        SubTask { success_criteria: vec![criterion("the version is told")], ..wanted("Which version is in VERSION?") };
    assert_eq!(target(&asked, PLACE), None);
}

#[test]
fn the_file_is_read_first_and_shown_without_numbers() {
    let mut attempt = whole("Set the version in VERSION to 1.5.0");
    assert_eq!(attempt.looks(ToolName::ALL), [request(ToolName::Read, "VERSION")]);
    assert_eq!(attempt.looks(&[ToolName::Read, ToolName::Write]), [], "without an edit there is no change of a place");

    attempt.add(shown("VERSION", &["1.4.2", "stable"]));
    assert_eq!(attempt.looks(ToolName::ALL), []);
    let prompt = attempt.question(None, ToolName::ALL);
    let user = "VERSION:\n```\n1.4.2\nstable\n```\n\n\
                Task: Set the version in VERSION to 1.5.0\n\
                Write VERSION anew, whole, with everything in it that stays.";
    assert_eq!((prompt.user.as_str(), prompt.schema), (user, None));
}

/// The adversary: a file that the listing did not show, since it lies too deep.
#[test]
fn a_file_that_is_to_be_made_and_is_there_is_not_written_over() {
    let begun = || whole("Write the list into docs/all/list.txt");
    let look = request(ToolName::Glob, "docs/all/list.txt");
    assert_eq!(begun().looks(ToolName::ALL), std::slice::from_ref(&look));
    for (output, is_asked_whole) in [("no file", true), ("docs/all/list.txt", false)] {
        let mut attempt = begun();
        attempt.add(worked(ToolName::Glob, "docs/all/list.txt", output));
        assert_eq!(attempt.question(None, ToolName::ALL).schema.is_none(), is_asked_whole, "{output}");
    }
}

#[test]
fn only_what_differs_is_changed() {
    for (lines, content, change) in [
        (&["1.4.2", "stable"][..], "1.5.0\nstable", edit("1.4.2", "1.5.0")),
        (&["a", "b", "c"], "a\nc", edit("a\nb", "a")),
        (&["a", "b", "c"], "b\nc", edit("a\nb", "b")),
        (&["a", "", "c"], "a\nb\n\nc", edit("a", "a\nb")),
        (&["a", "b"], "a\nb\nc", edit("b", "b\nc")),
        (&["x", "y", "x", "z"], "x\ny\nw\nz", edit("y\nx", "y\nw")),
    ] {
        let mut attempt = seen(lines);
        assert_eq!(read(&mut attempt, &answer(content)), Ok(changed(change)), "{lines:?} -> {content}");
    }
    let over_one_another =
        ToolRequest { tool: ToolName::Write, input: json!({ "path": "VERSION", "content": "ab\nb\n" }) };
    assert_eq!(read(&mut seen(&["ab", "ab", "a"]), &answer("ab\nb")), Ok(changed(over_one_another)));
    let everything = ToolRequest { tool: ToolName::Write, input: json!({ "path": "VERSION", "content": "1.5.0\n" }) };
    assert_eq!(read(&mut seen(&["1.4.2"]), &answer("1.5.0")), Ok(changed(everything)));
}

#[test]
fn the_name_of_the_file_may_stand_above_its_content() {
    for raw in ["```\nVERSION:\n1.5.0\nstable\n```", "```\nVERSION:\n```\n1.5.0\nstable\n```"] {
        assert_eq!(read(&mut seen(&["1.4.2", "stable"]), raw), Ok(changed(edit("1.4.2", "1.5.0"))), "{raw}");
    }
}

/// What a model was not shown as it is, it cannot write back.
#[test]
fn a_file_that_cannot_be_shown_as_it_is_is_left_to_the_tools() {
    let long = "x".repeat(9) + " […]";
    let numbered = "     1\ta\n[… more lines from 2 on …]\n";
    for call in [
        shown("VERSION", &[&long]),
        shown("VERSION", &["a\u{200b}b"]),
        shown("VERSION", &["text", "```", "code", "```"]),
        worked(ToolName::Read, "VERSION", numbered),
        worked(ToolName::Read, "VERSION", "     1\ta\n[... 900 characters left out ...]\n     9\tb\n"),
        failed(ToolName::Read, "VERSION", "no such file"),
    ] {
        let mut attempt = whole("Set the version in VERSION to 1.5.0");
        attempt.add(call.clone());
        let prompt = attempt.question(None, ToolName::ALL);
        assert!(prompt.schema.is_some() && prompt.user.starts_with("Subtask:"), "{call:?}");
    }
}

/// The adversary: an abridged file, an emptied one, a secret written back as its mark, and nothing at all.
#[test]
fn an_answer_that_loses_something_is_refused_and_then_the_tools_are_asked_for() {
    let lines = ["one", "two", "three", "four", "key = [REDACTED_API_KEY]"];
    for (content, problem) in [
        ("one\n# ... the rest stays", "leaves out most of VERSION"),
        ("", "leaves out most of VERSION"),
        ("one\ntwo\nthree\n\nfour  \nkey = [REDACTED_API_KEY]", "makes no change that could be told in VERSION"),
        ("one\ntwo\nthree\nfour\nkeys = [REDACTED_API_KEY]", "makes no change that could be told in VERSION"),
    ] {
        let mut attempt = seen(&lines);
        assert_eq!(read(&mut attempt, &answer(content)), Err(field("content", problem)), "{content}");
        assert!(attempt.question(None, ToolName::ALL).schema.is_none(), "once more, whole");
        assert!(read(&mut attempt, &answer(content)).is_err());
        assert!(attempt.question(None, ToolName::ALL).schema.is_some(), "by tools");
    }
    let kept = edit("one", "uno");
    let beside = "uno\ntwo\nthree\nfour\nkey = [REDACTED_API_KEY]";
    assert_eq!(read(&mut seen(&lines), &answer(beside)), Ok(changed(kept)), "what stays is not written again");
}

#[test]
fn who_answers_with_calls_is_understood() {
    let calls = [request(ToolName::Shell, "make")];
    for raw in [asks(&calls, ""), format!("```json\n{}\n```", asks(&calls, ""))] {
        let mut attempt = seen(&["1.4.2"]);
        assert_eq!(read(&mut attempt, &raw), Ok(asks_again(&calls)));
        assert!(attempt.question(None, ToolName::ALL).schema.is_some());
    }
}

#[test]
fn what_was_read_unasked_may_be_asked_for() {
    let again = [request(ToolName::Read, "VERSION")];
    assert_eq!(read(&mut seen(&["1.4.2"]), &asks(&again, "")), Ok(asks_again(&again)));
}

#[test]
fn a_new_attempt_begins_with_a_look_and_says_what_was_wrong() {
    let mut again = seen(&["1.4.2"]).again(correction());
    assert_eq!(again.looks(ToolName::ALL), [request(ToolName::Read, "VERSION")]);
    again.add(shown("VERSION", &["1.4.3"]));
    let user = "VERSION:\n```\n1.4.3\n```\n\n\
                It is not right yet:\n```\nthe port is 80\n```\n\n\
                It is checked by:\n```\n- the tests pass (`cargo test` must exit with 0)\n```\n\n\
                Task: Set the version in VERSION to 1.5.0\n\
                Write VERSION anew, whole, with everything in it that stays.";
    assert_eq!(again.question(None, ToolName::ALL).user, user);
}

#[test]
fn no_answer_breaks_it() {
    for raw in hostile_answers() {
        let mut attempt = seen(&["1.4.2"]);
        let step = read(&mut attempt, &raw);
        assert!(!matches!(&step, Ok(ExecutorStep::Use { .. })), "{step:?}");
    }
}

#[test]
fn the_old_form_is_kept_where_it_was_begun() {
    let attempt = ExecutorAttempt::first(wanted("Set the version in VERSION to 1.5.0"), ExecutorLimits::default());
    let tools = attempt.clone().in_form(ExecutorForm::Tools, PLACE);
    assert_eq!((tools.looks(ToolName::ALL), attempt.looks(ToolName::ALL)), (Vec::new(), Vec::new()));
    assert!(matches!(attempt.subtask().success_criteria[0].check, Some(CriterionCheck::Run { .. })));
}

fn lines(most: usize) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(vec!["a", "b", "ab", "  a", "", "c"]), 1..most)
}

fn sheet(lines: &[&str]) -> Sheet {
    Sheet::of(&shown("f", lines).output).expect("plain lines")
}

proptest! {
    /// The change that is asked for makes the one text of the other, in a place that can be found.
    #[test]
    fn a_change_comes_to_what_was_wanted(old in lines(9), new in lines(9)) {
        let (text, wanted) = (old.join("\n"), new.join("\n"));
        match sheet(&old).change(&sheet(&new), "f") {
            None => prop_assert_eq!(said(&old), said(&new)),
            Some(change) if change.tool == ToolName::Write => {
                prop_assert_eq!(input_text(&change, "content"), format!("{wanted}\n"));
            }
            Some(change) => {
                let place = input_text(&change, "old");
                prop_assert_eq!(text.matches(place).count(), 1);
                prop_assert_eq!(text.find(place), text.rfind(place));
                prop_assert_eq!(text.replacen(place, input_text(&change, "new"), 1), wanted);
            }
        }
    }
}

fn said<'l>(lines: &[&'l str]) -> Vec<&'l str> {
    lines.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()).collect()
}

/// Seen with a model of half a billion parameters: "add a function lower(s) to text.py" put it in the place of the one that was there,
/// and the plan's check asked for no more.
#[test]
fn what_is_to_be_added_takes_nothing_away() {
    for (intent, is_refused) in [
        ("Add a line lower to VERSION", true),
        ("Open VERSION, then append lower", true),
        ("Ergänze lower in VERSION", true),
        ("Set the version in VERSION to lower", false),
        ("add() in VERSION subtracts; make it lower", false),
    ] {
        let attempt = || {
            let mut attempt = whole(intent);
            attempt.add(shown("VERSION", &["upper"]));
            attempt
        };
        assert_eq!(read(&mut attempt(), &answer("lower")).is_err(), is_refused, "{intent}");
        assert!(read(&mut attempt(), &answer("upper\nlower")).is_ok(), "{intent}");
    }
    let planned = whole("Write lower to VERSION").wanted_by("add lower to VERSION");
    let mut planned = planned.again(correction());
    planned.add(shown("VERSION", &["upper"]));
    assert!(read(&mut planned, &answer("lower")).is_err(), "the plan left out that it is to be added");
}
