//! Tokens.

use super::*;

fn counted(message: &str, model: &str, output: u32, blocks: &str) -> String {
    format!(
        r#""type":"assistant","message":{{"id":"{message}","model":"{model}","content":[{blocks}],"usage":{{"input_tokens":9,"cache_creation_input_tokens":5,"cache_read_input_tokens":3,"output_tokens":{output}}}}}"#
    )
}

#[test]
fn the_lines_of_one_reply_add_up_to_the_best_of_them() {
    let text = r#"{"type":"text","text":"a"}"#;
    let call = r#"{"type":"tool_use","id":"t1","name":"Bash","input":{}}"#;
    check(
        &[
            &counted("m1", "opus", 2, r#"{"type":"thinking","thinking":""}"#),
            &counted("m1", "opus", 2, text),
            &counted("m1", "opus", 80, call),
            &counted("m1", "opus", 7, text),
            &counted("m2", "opus", 1, call),
            &counted("m3", "<synthetic>", 1, text),
        ],
        &[
            "01.000 #u1 claude-code system_event/usage {} +1 request +9 +5 +3 → +2",
            r#"02.000 #u2 claude-code agent_message/message {"text":"a"}"#,
            "03.000 #u3 claude-code system_event/usage {} +0 request +0 +0 +0 → +78",
            r#"04.000 #u4 claude-code agent_message/message {"text":"a"}"#,
            "05.000 #u5 claude-code system_event/usage {} +1 request +9 +5 +3 → +1",
            "line 6: text that the tool put before the model",
            "line 3: a call without a result yet",
        ],
    );
}
