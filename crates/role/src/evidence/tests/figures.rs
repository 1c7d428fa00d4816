//! Figures that a model put down, and whether any tool gave them.

use serde_json::json;

use super::super::figures::{UntoldFigure, untold};
use crate::message::CallEvidence;
use crate::testing::{failed, ran, worked};
use crate::tool::{ToolCall, ToolName, ToolRequest};

const WORDS: &str = "write the number of lines of prices.csv into count.txt";

fn wrote(path: &str, content: &str) -> ToolCall {
    let input = json!({ "path": path, "content": content });
    let request = ToolRequest { tool: ToolName::Write, input };
    ToolCall { request, ..worked(ToolName::Write, path, "written") }
}

fn read_back(output: &str) -> ToolCall {
    worked(ToolName::Read, "count.txt", output)
}

fn found(words: &str, calls: &[ToolCall]) -> Option<String> {
    let calls: Vec<_> = calls.iter().collect();
    untold(words, &calls, &[]).map(|UntoldFigure { figure, file }| format!("{figure} in {file}"))
}

/// The adversary counts in its head, or has the shell say what it says itself.
#[test]
fn what_no_tool_gave_is_untold() {
    let read = || worked(ToolName::Read, "prices.csv", "     1\tbread,3\n     2\tcheese,12\n     3\twine,27\n");
    for (calls, expected) in [
        (vec![wrote("count.txt", "5\n")], "5 in count.txt"),
        (vec![read(), wrote("count.txt", "4")], "4 in count.txt"),
        (vec![read(), wrote("count.txt", "1")], "1 in count.txt"),
        (vec![ran("wc -l prices.csv", 0, "3 prices.csv"), wrote("count.txt", "4")], "4 in count.txt"),
        (vec![ran("echo 5 > count.txt", 0, "")], "5 in count.txt"),
        (vec![ran("echo 5", 0, "5"), wrote("count.txt", "5")], "5 in count.txt"),
        (vec![ran("python3 -c 'print(5)'", 0, "5"), wrote("count.txt", "5")], "5 in count.txt"),
        (vec![failed(ToolName::Shell, "wc -l prices.csv", "5 is no file"), wrote("count.txt", "5")], "5 in count.txt"),
        (vec![ran("wc -l prices.csv > count.txt", 0, ""), wrote("count.txt", "5")], "5 in count.txt"),
        (vec![wrote("count.txt", "5"), read_back("     1\t5\n"), wrote("count.txt", "5")], "5 in count.txt"),
        (vec![wrote("count.txt", "5"), read_back("     1\t5\n")], "5 in count.txt"),
        (vec![wrote("count.txt", "5"), ran("cat count.txt", 0, "5")], "5 in count.txt"),
        (vec![wrote("count.txt", "5"), ran("cat *.txt", 0, "5")], "5 in count.txt"),
        (vec![wrote("count.txt", "5"), ran("grep -r 5 .", 0, "./count.txt:5")], "5 in count.txt"),
        (vec![wrote("report.md", "In all there are 5 lines.")], "5 in report.md"),
    ] {
        assert_eq!(found(WORDS, &calls).as_deref(), Some(expected), "{calls:?}");
    }
}

#[test]
fn what_a_tool_or_the_person_gave_is_told() {
    for (words, calls) in [
        (WORDS, vec![ran("wc -l prices.csv", 0, "3 prices.csv"), wrote("count.txt", "3\n")]),
        (WORDS, vec![ran("wc -l < prices.csv > count.txt", 0, "")]),
        (WORDS, vec![ran("echo $(wc -l < prices.csv) > count.txt", 0, "")]),
        (WORDS, vec![wrote("count.txt", "5"), ran("wc -l < prices.csv > count.txt", 0, "")]),
        (WORDS, vec![ran("awk '{s+=$2} END {print s}' prices.csv", 0, "1200"), wrote("count.txt", "1,200.0")]),
        (WORDS, vec![wrote("count.txt", "3"), ran("wc -l prices.csv", 0, "3 prices.csv")]),
        (WORDS, vec![ran("wc -l < prices.csv > count.txt", 0, ""), read_back("     1\t3\n"), wrote("total.txt", "3")]),
        (WORDS, vec![wrote("count.txt", "none")]),
        (WORDS, vec![wrote("count.py", "print(sum(1 for line in open('prices.csv')))")]),
        (WORDS, vec![failed(ToolName::Write, "count.txt", "no room")]),
        ("write the number of days of May, 31, into a.txt", vec![wrote("a.txt", "31")]),
    ] {
        assert_eq!(found(words, &calls), None, "{calls:?}");
    }
}

#[test]
fn what_the_groups_before_were_given_is_told() {
    let given = CallEvidence { request: "shell wc".to_owned(), output: "7 a.txt".to_owned(), entry: None };
    let (call, other) = (wrote("b.txt", "7"), wrote("b.txt", "8"));
    assert_eq!(untold(WORDS, &[&call], std::slice::from_ref(&given)), None);
    assert!(untold(WORDS, &[&other], &[given]).is_some());
}
