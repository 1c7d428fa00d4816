//! Histories of our own, and what becomes of them.

use insta::assert_snapshot;

use super::import;
use crate::testing::Collected;
use crate::{ImportError, PassedOver};

fn read(text: &str) -> Collected {
    Collected::of(import, "folder/.aider.chat.history.md", text)
}

/// Writes the two spaces that aider puts behind its marked lines, and a blank line for `.`.
fn history(lines: &[&str]) -> String {
    let marked = |line: &&str| match line.chars().next() {
        Some('.') => "\n".to_owned(),
        Some('#' | '>') if !line.starts_with("# ") => format!("{line}  \n"),
        _ => format!("{line}\n"),
    };
    lines.iter().map(marked).collect()
}

const HEADER: &str = "# aider chat started at 2026-01-01 00:00:00";

#[test]
fn prompts_replies_and_notices_have_their_entries() {
    let sink = read(&history(&[
        HEADER,
        ".",
        "> /bin/aider a.py",
        "> Model: m-1 with diff edit format",
        ".",
        "#### rename it",
        "####",
        "#### > and keep this",
        ".",
        "I rename it.",
        ".",
        "a.py",
        "```python",
        "x = 1",
        "```",
        ".",
        "> Tokens: 1,200 sent, 40 received. Cost: $0.02 message, $0.02 session.",
        "> Applied edit to a.py",
        "> Commit d0ffbf1 fix: rename it",
        "> ## NoExactMatch: This SEARCH block failed to exactly match lines in b.py",
        ".",
        "#### again",
        ".",
        "> litellm.APIConnectionError: overloaded",
        "> Retrying in 0.2 seconds...",
        "> ^C KeyboardInterrupt",
    ]));
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z aider system_event session_start {"tool":"aider","native_id":"2026-01-01 00:00:00/d68510aa41d8768c"}
    00:00.005Z user user_input prompt {"text":"rename it\n\n> and keep this"}
    00:00.009Z aider agent_message message {"text":"I rename it.\n\na.py\n```python\nx = 1\n```"} model=m-1
    00:00.016Z aider system_event usage {} model=m-1 usage={"requests":1,"input":1200,"output":40,"cost_micro_usd":20000}
    00:00.017Z aider tool_call edit {"path":"a.py"} model=m-1 files=a.py
    00:00.018Z aider tool_call commit {"message":"fix: rename it"} output={"commit":"d0ffbf1"} model=m-1
    00:00.019Z aider tool_call edit {"path":"b.py"} error=NoExactMatch model=m-1 files=b.py
    00:00.021Z user user_input prompt {"text":"again"}
    00:00.024Z aider system_event api_error {"error":"litellm.APIConnectionError: overloaded"} error=litellm.APIConnectionError: overloaded
    00:00.025Z user user_input interrupt {"text":"^C KeyboardInterrupt"}
    "#);
    assert_eq!(sink.passed(PassedOver::Bookkeeping), 3);
    let source = &sink.drafts[1].source;
    assert_eq!((&*source.record, source.line, source.time.as_deref()), ("line/5", Some(6), Some("synthetic")));
}

#[test]
fn commands_are_told_apart_from_prompts_and_keep_what_they_printed() {
    let sink = read(&history(&[
        HEADER,
        ".",
        "#### /add a.py",
        "> Added a.py to the chat",
        "> Repo-map: off",
        ".",
        "#### !ls",
        ".",
        "#### /run make",
        "> done",
        "#### /tmp/a.py is broken",
        ".",
        "#### # Fix any errors below, if possible.",
        ".",
        "#### /tokens",
        "> 12",
    ]));
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z aider system_event session_start {"tool":"aider","native_id":"2026-01-01 00:00:00/3494cb3448737f17"}
    00:00.002Z user user_input command {"command":"/add","args":"a.py"}
    00:00.003Z aider system_event command_output {"text":"Added a.py to the chat\nRepo-map: off"}
    00:00.006Z user user_input shell {"command":"ls"}
    00:00.008Z user user_input command {"command":"/run","args":"make"}
    00:00.009Z aider system_event command_output {"text":"done"}
    00:00.010Z user user_input prompt {"text":"/tmp/a.py is broken"}
    00:00.014Z user user_input command {"command":"/tokens","args":""}
    "#);
    assert_eq!(sink.passed, [(PassedOver::Injected, 13), (PassedOver::Unanswered, 16)]);
}

#[test]
fn what_aider_wrote_in_a_persons_name_is_no_prompt() {
    let sink = read(&history(&[
        HEADER, ".", "#### /ask why?", ".", "####  why?", "> ^C again to exit", ".", "#### why?", ".", "#### <blank>",
        ".", "#### # Question: why?",
    ]));
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z aider system_event session_start {"tool":"aider","native_id":"2026-01-01 00:00:00/94a95810730befde"}
    00:00.002Z user user_input command {"command":"/ask","args":"why?"}
    00:00.005Z user user_input interrupt {"text":"^C again to exit"}
    00:00.007Z user user_input prompt {"text":"why?"}
    "#);
    assert_eq!(sink.passed, [(PassedOver::Copy, 5), (PassedOver::Empty, 10), (PassedOver::Injected, 12)]);
}

#[test]
fn a_notice_goes_on_up_to_the_line_with_the_marks() {
    let text = format!(
        "{HEADER}\n\n> started  \n\n> Error in a.py\n\n#### not typed\n> x\nlast line  \n\n#### /run make  \n> one\ntwo  \n\nDone.\n"
    );
    let sink = read(&text);
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z aider system_event session_start {"tool":"aider","native_id":"2026-01-01 00:00:00/5271f5fec4684a44"}
    00:00.010Z user user_input command {"command":"/run","args":"make"}
    00:00.011Z aider system_event command_output {"text":"one\ntwo"}
    00:00.014Z aider agent_message message {"text":"Done."}
    "#);
    assert_eq!(sink.passed(PassedOver::Bookkeeping), 5);
}

#[test]
fn what_looks_like_a_mark_inside_a_reply_is_part_of_it() {
    let text = format!(
        "{HEADER}\n\n#### explain  \n\nLook:\n\n#### A heading\n> a quote\n# aider chat started at some time\n"
    );
    assert_snapshot!(read(&text).lines(), @r#"
    00:00.000Z aider system_event session_start {"tool":"aider","native_id":"2026-01-01 00:00:00/7a5a24fefe1438e0"}
    00:00.002Z user user_input prompt {"text":"explain"}
    00:00.004Z aider agent_message message {"text":"Look:\n\n#### A heading\n> a quote\n# aider chat started at some time"}
    "#);
}

#[test]
fn marks_without_spaces_behind_them_count_where_no_line_has_them() {
    let text = format!("{HEADER}\n\n> /bin/aider\n\n#### fix it\n\nDone.\n");
    assert_snapshot!(read(&text).lines(), @r#"
    00:00.000Z aider system_event session_start {"tool":"aider","native_id":"2026-01-01 00:00:00/6cbf749dd997d36f"}
    00:00.004Z user user_input prompt {"text":"fix it"}
    00:00.006Z aider agent_message message {"text":"Done."}
    "#);
}

#[test]
fn every_header_begins_a_session_and_what_stands_before_the_first_is_one_too() {
    let later = "# aider chat started at 2026-01-02 00:00:00";
    let parts =
        ["> lint failed", ".", HEADER, ".", "> /bin/aider", ".", HEADER, ".", "> /bin/aider", later, ".", later, "> x"];
    let sink = read(&history(&parts));
    let sessions: Vec<_> = sink.drafts.iter().map(|draft| draft.source.session.to_string()).collect();
    assert_snapshot!(sessions.join("\n"), @r#"
    3bc6c330d395d0a3fd1c7d6e2a9093e5
    2026-01-01 00:00:00/6cbf749dd997d36f
    2026-01-01 00:00:00/6cbf749dd997d36f/2
    2026-01-02 00:00:00/e3b0c44298fc1c14
    2026-01-02 00:00:00/ae98c7b6a7e4af07
    "#);
}

#[test]
fn a_longer_history_gives_the_shorter_one_and_more() {
    let lines = [
        HEADER, ".", "> /bin/aider", ".", "#### /tokens", "> 12", ".", "#### fix it", ".", "Done.", ".",
        "> Tokens: 1k sent, 2 received.",
    ];
    let long = read(&history(&lines));
    for end in 3..lines.len() {
        let short = read(&history(&lines[..end]));
        let known = |draft| long.drafts.contains(draft);
        assert!(short.drafts.iter().all(known), "up to line {end}");
    }
    assert_eq!(long.drafts.len(), 6);
}

#[test]
fn mangled_text_is_read_as_far_as_it_can_be() {
    let text = format!("\u{FEFF}{HEADER}\r\n\r\n#### fix it  \r\n\r\nDone.\r\n");
    assert_eq!(read(&text).lines(), read(&text.replace(['\r', '\u{FEFF}'], "")).lines());
    let mut sink = Collected::default();
    let bytes = [HEADER.as_bytes(), b"\n\n#### a \xFF b  \n\0\0\0"].concat();
    import(&"a.md".into(), &mut &bytes[..], &mut sink).expect("it can be read");
    assert_eq!(sink.drafts[1].operation.input.text(), "{\"text\":\"a \u{FFFD} b\"}");
}

#[test]
fn a_long_text_without_a_mark_is_refused() {
    let refused = import(&"a.md".into(), &mut "words\n".repeat(1001).as_bytes(), &mut Collected::default());
    assert!(matches!(refused, Err(ImportError::WrongKind { .. })));
}

#[test]
fn a_long_report_of_tokens_goes_on_in_the_next_line() {
    let report = "> Tokens: 15k sent, 8.0k cache write, 2k cache hit, 1k received.";
    let cost = "Cost: $0.03 message, $0.10 session.";
    let before = history(&[HEADER, ".", "#### fix it", ".", "Done.", "."]);
    let read = |text: &str| read(&[&before, text, "\n#### thanks  \n"].concat());
    let whole = read(&format!("{report}\n{cost}  \n"));
    for other in [format!("{report}  \n> {cost}  \n"), format!("{report}\n> {cost}  \n")] {
        assert_eq!(read(&other).drafts, whole.drafts, "{other}");
    }
    let usage = whole.usage();
    assert_eq!((usage.requests, usage.input, usage.output, usage.cost_micro_usd), (1, 7000, 1000, 30_000));
    assert_eq!((whole.named("usage"), whole.named("message"), whole.named("prompt")), (2, 1, 2));
}
