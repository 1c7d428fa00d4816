//! What today's versions write, in rows of our own: Claude Code 2.1.330, Codex 0.169, the Copilot CLI 1.0.102 and the
//! Gemini CLI 0.61. What real sessions of them hold is counted in `todays`.

use insta::assert_snapshot;

use super::sidecar::Parent;
use super::testing::Collected;
use super::{Given, Kind};

fn read(kind: Kind, given: Given<'_>, lines: &[String]) -> Collected {
    let mut sink = Collected::default();
    kind.import(given, &mut lines.join("\n").as_bytes(), &mut sink).expect("it can be imported");
    assert_eq!(sink.kinds(), [""; 0]);
    sink
}

/// What follows the start of the session.
fn told(kind: Kind, lines: &[String]) -> String {
    let lines = read(kind, "session.jsonl".into(), lines).lines();
    lines.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default()
}

fn codex(second: u32, kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-01-01T00:00:{second:02}.000Z","type":"{kind}","payload":{{{payload}}}}}"#)
}

fn meta() -> String {
    codex(0, "session_meta", r#""id":"s1","cwd":"/p","cli_version":"0.169.0""#)
}

fn completed(second: u32, item: &str) -> String {
    codex(second, "event_msg", &format!(r#""type":"item_completed","item":{{{item}}}"#))
}

fn given_to_the_model(second: u32, text: &str) -> String {
    let content = format!(r#"[{{"type":"input_text","text":"{text}"}}]"#);
    codex(second, "response_item", &format!(r#""type":"message","role":"user","content":{content}"#))
}

fn shown(second: u32, text: &str) -> String {
    completed(second, &format!(r#""type":"UserMessage","id":"u","content":[{{"type":"text","text":"{text}"}}]"#))
}

fn over(second: u32) -> String {
    codex(second, "event_msg", r#""type":"task_complete""#)
}

#[test]
fn a_prompt_of_codex_is_one_prompt_whichever_records_say_it() {
    let old = |second| codex(second, "event_msg", r#""type":"user_message","message":"go on""#);
    let (copy, new) = (|second| given_to_the_model(second, "go on"), |second| shown(second, "go on"));
    let ways = [
        vec![copy(1), new(2)],
        vec![copy(1), old(2)],
        vec![old(1), copy(2)],
        vec![copy(1), new(2), old(3)],
        vec![old(1), new(2), copy(3)],
        vec![new(1)],
        vec![copy(1)],
    ];
    for way in ways {
        let sink = read(Kind::Codex, "r.jsonl".into(), &[&[meta()], &way[..], &[over(9)]].concat());
        assert_eq!(sink.named("prompt"), 1, "{way:?}");
    }
    let twice = [meta(), copy(1), new(2), over(3), copy(4), new(5), over(6)];
    assert_eq!(read(Kind::Codex, "r.jsonl".into(), &twice).named("prompt"), 2);
}

#[test]
fn items_of_codex_say_what_became_of_calls() {
    let call = |second, id: &str| {
        let call = format!(r#""type":"function_call","name":"exec_command","arguments":"{{}}","call_id":"{id}""#);
        codex(second, "response_item", &call)
    };
    let output = |second, id: &str, text: &str| {
        codex(second, "response_item", &format!(r#""type":"function_call_output","call_id":"{id}","output":"{text}""#))
    };
    let ran = |second, id: &str, status: &str, code: i32| {
        let end = format!(r#""status":"{status}","exit_code":{code},"duration":{{"secs":2,"nanos":5000000}}"#);
        completed(second, &format!(r#""type":"CommandExecution","id":"{id}",{end}"#))
    };
    let lines = [
        meta(),
        call(1, "c1"),
        ran(2, "c1", "failed", 3),
        output(3, "c1", "no head here"),
        call(4, "c2"),
        output(5, "c2", r"Wall time: 0.5 seconds\nProcess running with session ID 7\nOutput:\n"),
        ran(6, "c2", "failed", -1),
        call(7, "c3"),
        completed(8, r#""type":"FileChange","id":"c3","status":"failed","stderr":"no such lines\nat all""#),
        output(9, "c3", "?"),
        call(10, "c4"),
        output(11, "c4", r"Wall time: 8.1 seconds\naborted by user"),
        ran(12, "c4", "failed", -1),
        call(13, "c5"),
        output(14, "c5", "Command blocked by PreToolUse hook: no"),
    ];
    assert_snapshot!(told(Kind::Codex, &lines), @r#"
    00:03.000Z codex tool_call exec_command {} output="no head here" ms=2005 error=exit code 3
    00:05.000Z codex tool_call exec_command {} output="Wall time: 0.5 seconds\nProcess running with session ID 7\nOutput:\n" ms=500
    00:06.000Z codex system_event background_end {"call":"c2","status":"failed","exit_code":-1} ms=2005 error=exit code -1
    00:09.000Z codex tool_call exec_command {} output="?" ms=2000 error=no such lines
    00:11.000Z codex tool_call exec_command {} output="Wall time: 8.1 seconds\naborted by user" ms=8100 error=aborted by user
    00:14.000Z codex system_event denial {"tool":"exec_command","input":{},"call":"c5","reason":"Command blocked by PreToolUse hook: no"}
    "#);
}

#[test]
fn messages_of_codex_that_are_shown_twice_are_said_once() {
    let said = |second| {
        codex(
            second,
            "response_item",
            r#""type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]"#,
        )
    };
    let item = |second| completed(second, r#""type":"AgentMessage","content":[{"type":"Text","text":"hi"}]"#);
    let event = |second| codex(second, "event_msg", r#""type":"agent_message","message":"hi""#);
    for way in
        [vec![item(1), said(2)], vec![said(1), item(2)], vec![item(1), said(2), event(3)], vec![item(1), event(2)]]
    {
        let sink = read(Kind::Codex, "r.jsonl".into(), &[&[meta()], &way[..], &[over(9)]].concat());
        assert_eq!(sink.named("message"), 1, "{way:?}");
    }
}

#[test]
fn tokens_of_codex_are_known_from_the_record_of_a_reply_and_counted_once() {
    let total = |input: u32| format!(r#"{{"input_tokens":{input},"cached_input_tokens":10,"output_tokens":5}}"#);
    let reply = |second, input| {
        let total = total(input);
        codex(second, "token_usage_record", &format!(r#""thread_id":"s1","thread_token_usage":{total}"#))
    };
    let event = |second, input| {
        let total = total(input);
        let info = format!(r#"{{"total_token_usage":{total},"last_token_usage":{total}}}"#);
        codex(second, "event_msg", &format!(r#""type":"token_count","info":{info}"#))
    };
    let other = reply(4, 900).replace("\"s1\"", "\"s2\"");
    let sink = read(Kind::Codex, "r.jsonl".into(), &[meta(), reply(1, 100), event(2, 100), reply(3, 150), other]);
    let usage = sink.usage();
    assert_eq!((usage.requests, usage.input, usage.cache_read, usage.output), (2, 140, 10, 5));
}

#[test]
fn an_agent_of_codex_is_told_its_task_by_another() {
    let spawn = r#""source":{"subagent":{"thread_spawn":{"parent_thread_id":"s0"}}},"agent_path":"/root/one""#;
    let told_to = |to: &str| {
        let content = r#"[{"type":"input_text","text":"Message Type: NEW_TASK\nPayload:\nlook around"}]"#;
        let message = format!(r#""type":"agent_message","author":"/root","recipient":"{to}","content":{content}"#);
        codex(1, "response_item", &message)
    };
    let lines = [codex(0, "session_meta", &format!(r#""id":"s1",{spawn}"#)), told_to("/root/one"), told_to("/root")];
    let given = Given { file: "r.jsonl", parent: Parent { call: Some("c7".into()), ..Parent::default() } };
    assert_snapshot!(read(Kind::Codex, given, &lines).lines(), @r#"
    00:00.000Z codex/s1 system_event session_start {"tool":"codex","native_id":"s1","parent_session":"000000000067PEQYZ5K3B4PQE2","parent_call":"c7"}
    00:01.000Z codex agent_message task {"text":"look around"}
    "#);
}

fn copilot(second: u32, kind: &str, more: &str, data: &str) -> String {
    let at = format!("2026-01-01T00:00:{second:02}.000Z");
    format!(r#"{{"type":"{kind}","id":"e{second}","timestamp":"{at}"{more},"data":{{{data}}}}}"#)
}

#[test]
fn the_copilot_cli_counts_each_reply_and_its_sub_agents_have_sessions() {
    let reply = |second, more: &str, call: &str| {
        let usage = r#""inputTokens":100,"cacheReadTokens":60,"cacheWriteTokens":30,"outputTokens":5"#;
        copilot(
            second,
            "session.usage_record",
            more,
            &format!(r#""usage":{{"model":"m-1",{usage},"apiCallId":"{call}"}}"#),
        )
    };
    let child = r#","agentId":"a1""#;
    let metrics = r#"{"m-1":{"requests":{"count":2},"usage":{"inputTokens":200,"cacheReadTokens":120,"cacheWriteTokens":60,"outputTokens":10}}}"#;
    let lines = [
        copilot(0, "session.start", "", r#""sessionId":"s1","copilotVersion":"1.0.102""#),
        reply(1, "", "r1"),
        copilot(2, "assistant.message", "", r#""content":"","model":"m-1","apiCallId":"r1""#),
        copilot(3, "tool.execution_start", "", r#""toolCallId":"c1","toolName":"task""#),
        copilot(4, "subagent.started", child, r#""toolCallId":"c1","agentName":"scout","model":"m-1""#),
        copilot(5, "subagent.configured", child, r#""model":"m-1""#),
        copilot(6, "user.message", child, r#""content":"look around","source":"agent-s1""#),
        reply(7, child, "r2"),
        copilot(8, "assistant.message", child, r#""content":"seen","model":"m-1","apiCallId":"r2""#),
        copilot(9, "tool.execution_start", child, r#""toolCallId":"c2","toolName":"bash""#),
        copilot(
            10,
            "tool.execution_complete",
            child,
            r#""toolCallId":"c2","success":true,"shellExecution":{"exitCode":5}"#,
        ),
        copilot(11, "subagent.completed", child, r#""toolCallId":"c1""#),
        copilot(12, "session.shutdown", "", &format!(r#""shutdownType":"routine","modelMetrics":{metrics}"#)),
    ];
    assert_snapshot!(told(Kind::CopilotCli, &lines), @r#"
    00:01.000Z copilot-cli system_event usage {} model=m-1 usage={"requests":1,"input":10,"cache_write":30,"cache_read":60,"output":5}
    00:04.000Z copilot-cli/a1 system_event session_start {"tool":"copilot-cli","native_id":"s1/a1","cwd":"","parent_session":"0000000000EN417BF4DT24W8C3","parent_call":"c1","version":"1.0.102","model":"m-1","agent_type":"scout"}
    00:06.000Z copilot-cli agent_message task {"text":"look around"}
    00:07.000Z copilot-cli/a1 system_event usage {} model=m-1 usage={"requests":1,"input":10,"cache_write":30,"cache_read":60,"output":5}
    00:08.000Z copilot-cli/a1 agent_message message {"text":"seen"} model=m-1
    00:10.000Z copilot-cli/a1 tool_call bash {} ms=1000 error=exit code 5
    00:12.000Z copilot-cli tool_call task {} ms=9000 error=interrupted
    00:12.000Z copilot-cli system_event session_end {"reason":"routine"}
    "#);
}

#[test]
fn the_gemini_cli_says_where_a_sub_agent_comes_from_and_who_said_no() {
    let result = r#""result":[{"functionResponse":{"response":{"error":"Tool execution blocked: not there"}}}]"#;
    let call = format!(
        r#"{{"id":"write_file__write_file_1767225601000_0","name":"write_file","status":"error","timestamp":"2026-01-01T00:00:02.000Z",{result}}}"#
    );
    let lines = [
        r#"{"sessionId":"s2","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z","kind":"subagent"}"#.to_owned(),
        format!(
            r#"{{"id":"m1","timestamp":"2026-01-01T00:00:01.500Z","type":"gemini","content":"","toolCalls":[{call}]}}"#
        ),
    ];
    let parent = Parent { session: Some("s1".into()), call: Some("c1".into()), agent_type: Some("scout".into()) };
    let sink = read(Kind::GeminiCli, Given { file: "s2.jsonl", parent }, &lines);
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z gemini-cli system_event session_start {"tool":"gemini-cli","native_id":"s2","parent_session":"0000000000X3K5ZHS95MBFF0DZ","parent_call":"c1","agent_type":"scout"}
    00:02.000Z gemini-cli system_event denial {"tool":"write_file","call":"write_file__write_file_1767225601000_0","reason":"Tool execution blocked: not there"}
    "#);
}

fn claude(second: u32, members: &str) -> String {
    let envelope = format!(
        r#""uuid":"u{second}","sessionId":"s1","timestamp":"2026-01-01T00:00:{second:02}.000Z","version":"2.1.330""#
    );
    format!("{{{envelope},{members}}}")
}

#[test]
fn what_goes_on_in_the_background_of_claude_code_ends_once() {
    let ended = r"<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>failed</status>\n<summary>It failed with exit code 2</summary>\n</task-notification>";
    let lines = [
        claude(0, r#""type":"user","message":{"role":"user","content":"build it"}"#),
        claude(1, &format!(r#""type":"queue-operation","operation":"enqueue","content":"{ended}""#)),
        claude(2, r#""type":"queue-operation","operation":"dequeue""#),
        claude(
            3,
            &format!(
                r#""type":"user","origin":{{"kind":"task-notification"}},"message":{{"role":"user","content":"{ended}"}}"#
            ),
        ),
        claude(
            4,
            &format!(
                r#""type":"attachment","attachment":{{"type":"queued_command","prompt":"{ended}","commandMode":"task-notification"}}"#
            ),
        ),
    ];
    assert_snapshot!(told(Kind::ClaudeCode, &lines), @r#"
    00:00.000Z user user_input prompt {"text":"build it"}
    00:01.000Z claude-code system_event background_end {"call":"t1","task":"b1","status":"failed","exit_code":2,"summary":"It failed with exit code 2"} error=exit code 2
    "#);
}

#[test]
fn what_is_typed_beside_a_result_is_a_prompt() {
    let call = r#"{"type":"tool_use","id":"t1","name":"Bash","input":{}}"#;
    let result = r#"{"type":"tool_result","tool_use_id":"t1","content":"ok"}"#;
    let lines = [
        claude(0, &format!(r#""type":"assistant","message":{{"id":"m1","content":[{call}]}}"#)),
        claude(
            1,
            &format!(
                r#""type":"user","message":{{"content":[{result},{{"type":"text","text":"and the tests"}},{{"type":"text","text":"<system-reminder>x</system-reminder>"}}]}}"#
            ),
        ),
    ];
    assert_snapshot!(told(Kind::ClaudeCode, &lines), @r#"
    00:01.000Z claude-code tool_call Bash {} output="ok" ms=1000
    00:01.000Z user user_input prompt {"text":"and the tests"}
    "#);
}

#[test]
fn agents_of_claude_code_itself_are_no_sessions_and_their_tokens_are_the_sessions() {
    let aside = |second, agent: &str, members: &str| {
        claude(second, &format!(r#""isSidechain":true,"agentId":"{agent}",{members}"#))
    };
    let reply = r#""type":"assistant","message":{"id":"m1","model":"m","content":[{"type":"text","text":"so far"}],"usage":{"input_tokens":7,"output_tokens":3}}"#;
    let task = r#""type":"user","message":{"role":"user","content":"sum it up"}"#;
    let read = |agent: &str| {
        let parent = Parent { call: Some("t9".into()), agent_type: Some("scout".into()), ..Parent::default() };
        read(
            Kind::ClaudeCode,
            Given { file: "agent-x.jsonl", parent },
            &[aside(1, agent, task), aside(2, agent, reply)],
        )
    };
    assert_snapshot!(read("acompact-0f").lines(), @r#"00:02.000Z claude-code system_event usage {} model=m usage={"requests":1,"input":7,"output":3}"#);
    assert_snapshot!(read("a0f").lines(), @r#"
    00:01.000Z claude-code/a0f system_event session_start {"tool":"claude-code","native_id":"s1/a0f","version":"2.1.330","parent_session":"0000000000ZQVDP4AVV0V2XH8W","parent_call":"t9","agent_type":"scout"}
    00:01.000Z claude-code agent_message task {"text":"sum it up"}
    00:02.000Z claude-code/a0f agent_message message {"text":"so far"} model=m usage={"requests":1,"input":7,"output":3}
    "#);
}
