//! What a person's words ask for is held against what was done, whatever a plan says it is checked by.

use serde_json::{Value, json};

use crate::acting::{Yard, says, understood};
use crate::program::{Run, run};

/// A plan whose one check anything meets that holds a word.
pub(crate) fn plan(file: &str, contains: &str) -> Value {
    let check = json!({ "file": file, "matches": contains });
    let criteria = json!([{ "text": format!("{file} is as it should be"), "check": check }]);
    let subtask = json!({ "sequence": 1, "intent": "Do what was asked for", "success_criteria": criteria });
    says("planner", &json!({ "task_criteria": criteria, "subtasks": [subtask] }))
}

fn calls(tool: &str, input: &Value) -> Value {
    says("executor", &json!({ "calls": [{ "tool": tool, "input": input }], "done": true, "output": "Done." }))
}

pub(crate) fn shell(command: &str) -> Value {
    calls("shell", &json!({ "command": command }))
}

pub(crate) fn asked(yard: &Yard, words: &str, script: &[Value]) -> Run {
    yard.script(script);
    let mut command = yard.command("run --model scripted:script.jsonl");
    command.arg(words);
    run(command, "")
}

/// The plan asks for the word alone, and the shell writes over the file.
#[test]
fn where_something_is_only_added_what_was_there_stays() {
    let yard = Yard::new();
    let plan = || plan("notes.txt", "hello");
    let mends = calls("write", &json!({ "path": "notes.txt", "content": "one\nhello\n" }));
    let wipes = shell("echo hello > notes.txt");
    let script = [understood(), plan(), wipes, plan(), plan(), plan(), mends];
    let ran = asked(&yard, "add the word hello to notes.txt", &script);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let told = "not met: what was there is there still: the task only adds to it";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    assert_eq!(yard.annals("task apply").stdout, "applied: notes.txt\n");
    assert_eq!(yard.project.read("notes.txt"), "one\nhello\n");
    assert_eq!(yard.annals("replay --all").code, Some(0));
}

/// The plan takes any number, and the executor says one.
#[test]
fn a_figure_is_found_out_by_a_tool() {
    let yard = Yard::new();
    let says_five = calls("write", &json!({ "path": "count.txt", "content": "5\n" }));
    let script = [understood(), plan("count.txt", "[0-9]"), says_five, shell("wc -l < notes.txt > count.txt")];
    let ran = asked(&yard, "write the number of lines of notes.txt into count.txt", &script);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(yard.annals("task apply").code, Some(0));
    assert_eq!(yard.project.read("count.txt").trim(), "1");
    assert_eq!(yard.annals("replay --all").code, Some(0));

    let yard = Yard::new();
    let script: Vec<_> = std::iter::once(understood())
        .chain((0..5).flat_map(|_| [plan("count.txt", "[0-9]"), shell("echo 5 > count.txt")]))
        .collect();
    let ran = asked(&yard, "write the number of lines of notes.txt into count.txt", &script);
    assert_ne!(ran.code, Some(0), "{ran:?}");
}

/// The easy way to a green check takes a file along, or what is in it.
#[test]
fn no_file_is_gone_that_the_words_take_nothing_from() {
    for wipes in ["mv notes.txt done.txt; echo hello >> done.txt", "echo > notes.txt; echo hello > done.txt"] {
        let yard = Yard::new();
        let plan = || plan("done.txt", "hello");
        let script = [understood(), plan(), shell(wipes), plan(), plan(), plan(), shell("echo hello > done.txt")];
        let ran = asked(&yard, "write hello into done.txt", &script);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let told = "not met: every file is there still, and none was cut down: the task takes nothing away";
        assert!(ran.stdout.contains(told), "{}", ran.stdout);
        let hint = "checked by its plan alone: look whether that is what you asked for";
        assert!(ran.stderr.contains(hint), "{}", ran.stderr);
        assert_eq!(yard.annals("task apply").stdout, "applied: done.txt\n");
        assert_eq!(yard.project.read("notes.txt"), "one\n");
        assert_eq!(yard.annals("replay --all").code, Some(0));
    }
}

/// The figure is right, of a file that was written over.
#[test]
fn what_a_figure_is_found_out_of_stays() {
    let yard = Yard::new();
    let plan = || plan("count.txt", "[0-9]");
    let wipes = shell("printf 'a\\nb\\n' > notes.txt; wc -l < notes.txt > count.txt");
    let counts = shell("wc -l < notes.txt > count.txt");
    let script = [understood(), plan(), wipes, plan(), plan(), plan(), counts];
    let ran = asked(&yard, "write the number of lines of notes.txt into count.txt", &script);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("notes.txt still holds what it held: a figure is found out of it"), "{}", ran.stdout);
    assert_eq!(yard.annals("task apply").stdout, "applied: count.txt\n");
    assert_eq!(yard.project.read("count.txt").trim(), "1");
    assert_eq!(yard.annals("replay --all").code, Some(0));
}

/// A word in a program that nobody can run is no greeting.
#[test]
fn a_program_that_cannot_be_read_is_not_done() {
    let yard = Yard::new();
    let writes = |content: &str| calls("write", &json!({ "path": "hello.py", "content": content }));
    let script = [understood(), plan("hello.py", "hello"), writes("print('hello'\n"), writes("print('hello')\n")];
    let ran = asked(&yard, "write a program hello.py that says hello", &script);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(yard.annals("task apply").code, Some(0));
    assert_eq!(yard.project.read("hello.py"), "print('hello')\n");
    let history: String = yard.project.days().into_values().collect();
    assert!(history.contains("hello.py cannot be read any more: SyntaxError"), "it was said what was wrong");
}
