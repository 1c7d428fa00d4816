//! Where the person's words only add, what was read is not written over.

use serde_json::json;

use super::*;
use crate::executor::whole::ExecutorForm;
use crate::plan::SubTask;
use crate::testing::{verifiable, worked};
use crate::tool::ToolRequest;

const ADDS: &str = "add a function lower(s) to text.py that returns s in lower case";
const OLD: &str = "def upper(s):\n    return s.upper()\n";
/// `OLD`, as `read` shows it.
const SHOWN: &str = "     1\tdef upper(s):\n     2\t    return s.upper()\n";
const NEW: &str = "def lower(s):\n    return s.lower()\n";

fn begun(words: &str) -> ExecutorAttempt {
    let intent = words.to_owned();
    let wanted =
        SubTask { intent, context: String::new(), ..subtask(&[verifiable("it is there", "grep lower text.py")]) };
    ExecutorAttempt::first(wanted, ExecutorLimits::default()).held_to(words)
}

fn seen(words: &str) -> ExecutorAttempt {
    let mut attempt = begun(words);
    attempt.add(worked(ToolName::Read, "text.py", SHOWN));
    attempt
}

fn write(content: &str) -> ToolRequest {
    ToolRequest { tool: ToolName::Write, input: json!({ "path": "text.py", "content": content }) }
}

/// The whole-file form refuses it, and the tool would have written it all the same.
#[test]
fn a_write_that_leaves_out_what_was_read_is_refused_where_something_is_added() {
    let refused = Err(BadAnswer::Field {
        field: "calls.0".to_owned(),
        problem: "leaves out what text.py holds, and the task only adds to it: use edit, or write all of it".to_owned(),
    });
    assert_eq!(read(&mut seen(ADDS), &asks(&[write(NEW)], "")), refused);
    let mut again = seen(ADDS).again(correction());
    assert_eq!(read(&mut again, &asks(&[write(NEW)], "")), refused, "read in the attempt before");

    let whole = [write(&format!("{OLD}\n\n{NEW}"))];
    assert_eq!(read(&mut seen(ADDS), &asks(&whole, "")), Ok(asks_again(&whole)));
    let over = [write(NEW)];
    for words in ["rewrite text.py", "add lower(s) to text.py instead of upper(s)"] {
        assert_eq!(read(&mut seen(words), &asks(&over, "")), Ok(asks_again(&over)), "{words}");
    }
    assert_eq!(read(&mut begun(ADDS), &asks(&over, "")), Ok(asks_again(&over)), "it may be new");
}

/// Without a word that takes anything away, what is written over a file is no stump of it.
#[test]
fn a_write_that_cuts_down_what_was_read_is_refused_where_nothing_is_taken_away() {
    let carefully = |words: &str| seen(words).carefully(words);
    let (mends, stump) =
        ("upper() in text.py returns lower case; mend it", [write("def upper(s): return s.upper()\n")]);
    let problem =
        "leaves out half of text.py or more, and the task takes nothing away: use edit, or write all of it".to_owned();
    let refused = Err(BadAnswer::Field { field: "calls.0".to_owned(), problem });
    let short = [write("def up(t): return t.upper()\n")];
    assert_eq!(read(&mut carefully(mends), &asks(&short, "")), refused);
    let mut again = carefully(mends).again(correction());
    assert_eq!(read(&mut again, &asks(&short, "")), refused, "read in the attempt before");
    for (words, requests) in [
        (mends, &stump),
        (mends, &[write("def up(t):\n    return t.upper()\n")]),
        ("shorten text.py", &short),
        ("rewrite upper() in text.py", &short),
    ] {
        assert_eq!(read(&mut carefully(words), &asks(requests, "")), Ok(asks_again(requests)), "{words}");
    }
    assert_eq!(read(&mut seen(mends), &asks(&short, "")), Ok(asks_again(&short)), "a task that began before");

    let mut whole = begun(mends).in_form(ExecutorForm::Whole, "text.py").carefully(mends);
    whole.add(worked(ToolName::Read, "text.py", SHOWN));
    let refused =
        Err(BadAnswer::Field { field: "content".to_owned(), problem: "leaves out most of text.py".to_owned() });
    assert_eq!(read(&mut whole, "```\nx = 1\n```"), refused);
}

#[test]
fn a_figure_is_not_asked_for_as_the_content_of_a_file() {
    let form =
        |words: &str| begun(words).in_form(ExecutorForm::Whole, "prices.csv").held_to(words).looks(ToolName::ALL).len();
    assert_eq!(form("write the names of prices.csv into names.txt"), 2);
    assert_eq!(form("write the number of lines of prices.csv into count.txt"), 0);
}

/// Small models answer with the addition alone, however often the whole file is asked for.
#[test]
fn an_answer_with_nothing_of_the_file_is_what_comes_at_its_end() {
    let whole = |words: &str| {
        let mut attempt = begun(words).in_form(ExecutorForm::Whole, "text.py").held_to(words);
        attempt.add(worked(ToolName::Read, "text.py", SHOWN));
        attempt
    };
    let edit = |old: &str, new: &str| {
        let change = ToolRequest { tool: ToolName::Edit, input: json!({ "path": "text.py", "old": old, "new": new }) };
        let requests = vec![change, crate::testing::request(ToolName::Read, "text.py")];
        Ok(ExecutorStep::Use { requests, then: Then::Finish { output: "text.py was written anew".to_owned() } })
    };
    let (last, fenced) = ("    return s.upper()", format!("```python\n{NEW}```"));
    let added = edit(last, &format!("{last}\n\n{}", NEW.trim_end()));
    assert_eq!(read(&mut whole(ADDS), &fenced), added);
    assert_eq!(read(&mut whole(ADDS), "```\n# the end\n```"), edit(last, &format!("{last}\n# the end")), "one line");
    let both = format!("```\n{OLD}\n{NEW}```");
    assert_eq!(read(&mut whole(ADDS), &both), added, "the whole file");
    let grown = "```\ndef upper(s, n=1):\n    return s.upper()\n```";
    assert_eq!(read(&mut whole(ADDS), grown), edit("def upper(s):", "def upper(s, n=1):"), "more in a line");

    let refused =
        Err(BadAnswer::Field { field: "content".to_owned(), problem: "leaves out most of text.py".to_owned() });
    assert_eq!(read(&mut whole("add a function lower(s) at the top of text.py"), &fenced), refused, "it has a place");
}

/// The check asks for a word, and the complaint holds it.
#[test]
fn what_was_said_to_be_wrong_is_no_content_of_a_file() {
    let wrong = "- not met: it is lower: text.py does not hold \"lower\"";
    let signal = CorrectionSignal { what_was_wrong: wrong.to_owned(), ..correction() };
    let refused = |at: &str| {
        let problem = "writes down what was said to be wrong: put right what it speaks of".to_owned();
        Err(BadAnswer::Field { field: at.to_owned(), problem })
    };
    let said = format!("{OLD}{wrong}\n");
    assert_eq!(read(&mut seen(ADDS).again(signal.clone()), &asks(&[write(&said)], "")), refused("calls.0"));
    let shell = crate::testing::request(ToolName::Shell, &format!("echo '{wrong}' >> text.py"));
    assert_eq!(read(&mut seen(ADDS).again(signal.clone()), &asks(&[shell], "")), refused("calls.0"));
    let mut whole = seen(ADDS).in_form(ExecutorForm::Whole, "text.py").again(signal);
    whole.add(worked(ToolName::Read, "text.py", SHOWN));
    assert_eq!(read(&mut whole, &format!("```\n{wrong}\n```")), refused("calls.0"));
}

/// What is there after an attempt may be what was to be added.
#[test]
fn nothing_is_added_twice() {
    let mut first = begun(ADDS).in_form(ExecutorForm::Whole, "text.py");
    first.add(worked(ToolName::Read, "text.py", SHOWN));
    first.add(worked(ToolName::Edit, "text.py", "changed"));
    let mut again = first.again(correction());
    again.add(worked(ToolName::Read, "text.py", SHOWN));
    let refused =
        Err(BadAnswer::Field { field: "content".to_owned(), problem: "leaves out most of text.py".to_owned() });
    assert_eq!(read(&mut again, &format!("```\n{NEW}```")), refused);
}

/// Asked to change a version, a small model writes a program that does it.
#[test]
fn a_program_is_not_the_content_of_a_file_of_another_kind() {
    let words = "change the version in VERSION to 1.5.0";
    let answered = |raw: &str| {
        let mut attempt = begun(words).in_form(ExecutorForm::Whole, "VERSION").held_to(words);
        attempt.add(worked(ToolName::Read, "VERSION", "     1\t1.4.2\n"));
        read(&mut attempt, raw)
    };
    let problem = "holds a program in python, and VERSION is none: write what the file is to hold".to_owned();
    let refused = Err(BadAnswer::Field { field: "content".to_owned(), problem });
    assert_eq!(answered("```python\nVERSION = \"1.5.0\"\n```"), refused);
    assert!(answered("```text\n1.5.0\n```").is_ok());
    assert!(answered("```\n1.5.0\n```").is_ok());
}
