//! What holds for any run of answers and any ends of calls.

use proptest::prelude::*;

use super::*;
use crate::ggs::CallResult;
use crate::tool::ToolCall;

/// What models answer: well-formed, broken, and cut off.
fn raw_answer() -> impl Strategy<Value = String> {
    let tool = prop::sample::select(vec!["find", "read", "write", "edit", "shell", "rm", ""]);
    let text = prop::sample::select(vec!["a", "b", "ls", "make", "", " "]);
    let call = (tool, text).prop_map(|(tool, text)| {
        json!({ "tool": tool, "input": {
            "name": text, "path": text, "content": text, "old": text, "new": text, "command": text } })
    });
    let formed = (prop::collection::vec(call, 0..5), any::<bool>(), "\\PC{0,8}")
        .prop_map(|(calls, done, output)| json!({ "calls": calls, "done": done, "output": output }).to_string());
    let cut = (formed.clone(), 0_usize..200).prop_map(|(raw, at)| raw.chars().take(at).collect::<String>());
    prop_oneof![4 => formed, 1 => cut, 1 => "\\PC{0,40}", 1 => "[{}\\[\\]\",:a-z0-9 ]{0,60}"]
}

proptest! {
    /// No run of answers panics or goes on: questions and calls stay within the limits.
    #[test]
    fn an_attempt_ends_within_its_limits(
        answers in prop::collection::vec(raw_answer(), 40),
        ends in prop::collection::vec(0_u8..4, 1..8),
    ) {
        let mut ends = ends.into_iter().cycle();
        let mut attempt = attempt();
        let (mut questions, mut rejected, mut result) = (0, None, None);
        for raw in answers {
            if let Some(ExecutorStep::Finish { status, output }) = attempt.spent() {
                result = Some(attempt.result(status, &output));
                break;
            }
            let prompt = attempt.question(rejected.as_ref(), ToolName::ALL);
            prop_assert!(prompt.user.starts_with("Subtask:"));
            questions += 1;
            match attempt.read(&raw, ToolName::ALL) {
                Err(bad) => rejected = Some(bad),
                Ok(ExecutorStep::Finish { status, output }) => result = Some(attempt.result(status, &output)),
                Ok(ExecutorStep::Use { requests, then }) => {
                    prop_assert!(!requests.is_empty());
                    for request in requests {
                        attempt.add(ended(request, ends.next().unwrap_or_default()));
                        if attempt.is_stopped() {
                            break;
                        }
                    }
                    result = attempt.after(&then);
                }
            }
            if result.is_some() {
                break;
            }
        }
        let result = result.expect("40 answers are more than an attempt has");
        prop_assert!(questions <= 12 && result.tool_calls.len() <= 40);
        prop_assert_eq!(&result.tool_calls, attempt.calls());
        let is_open = result.tool_calls.iter().any(|call| call.is_uncertain);
        prop_assert!(!(is_open && result.status == ExecutionStatus::Completed));
    }

    #[test]
    fn no_answer_panics(raw in "(?s).{0,300}") {
        let read = attempt().read(&raw, ToolName::ALL);
        let is_harmless = !matches!(read, Ok(ExecutorStep::Use { .. }));
        prop_assert!(is_harmless || raw.contains("calls"));
    }
}

fn ended(request: ToolRequest, how: u8) -> ToolCall {
    let result = if how == 0 { CallResult::Failed } else { CallResult::Worked };
    ToolCall { request, result, exit: None, output: "x".to_owned(), entry: None, is_uncertain: how == 1 }
}
