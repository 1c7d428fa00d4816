//! Events of our own, in every version, and what becomes of them.

use insta::assert_snapshot;

use super::import;
use crate::testing::Collected;
use crate::{ImportError, PassedOver};
use annals_kernel::annals::Usage;

fn read(text: &str) -> Collected {
    Collected::of(import, "folder/events.json", text)
}

/// An event of version 0 at this second, which is its id, too.
fn v0(second: u32, source: &str, rest: &str) -> String {
    format!(r#"{{"id":{second},"timestamp":"2026-01-01T00:00:{second:02}.000000","source":"{source}",{rest}}}"#)
}

/// What an event carries of the reply that it came from.
fn metadata(call: &str, total: u32) -> String {
    let usage = format!(
        r#"{{"prompt_tokens":{total},"completion_tokens":2,"cache_creation_input_tokens":3,"cache_read_input_tokens":4}}"#
    );
    format!(
        r#""tool_call_metadata":{{"function_name":"execute_bash","tool_call_id":"{call}","model_response":{{"id":"r-{call}","model":"m-1","choices":[{{"message":{{"tool_calls":[{{"id":"{call}","function":{{"arguments":"{{\"command\":\"ls\",\"timeout\":5}}"}}}}]}}}}],"usage":{usage}}}}}"#
    )
}

#[test]
fn an_action_and_its_observation_are_a_call() {
    let sink = read(&format!(
        "[{}]",
        [
            v0(1, "agent", r#""action":"system","args":{"content":"rules"}"#),
            v0(2, "user", r#""action":"message","args":{"content":"fix it","image_urls":["data:image/png;base64,aGVsbG8hIQ=="]}"#),
            v0(3, "user", r#""action":"recall","args":{}"#),
            v0(4, "environment", r#""observation":"recall","cause":3,"content":"added","extras":{}"#),
            v0(5, "agent", &format!(r#""action":"run","args":{{"command":"ls","thought":"I look."}},{}"#, metadata("c1", 10))),
            v0(7, "agent", &format!(r#""observation":"run","cause":5,"content":"no","extras":{{"metadata":{{"exit_code":2}}}},"success":false,{}"#, metadata("c1", 10))),
            v0(8, "agent", r#""action":"edit","args":{"path":"/w/a.rs"}"#),
            v0(9, "agent", r#""observation":"edit","cause":8,"content":"ERROR:\nnothing replaced","extras":{}"#),
            v0(10, "agent", r#""action":"run","args":{"command":"serve"}"#),
            v0(11, "agent", r#""observation":"run","cause":10,"content":"serving","extras":{"metadata":{"exit_code":-1}}"#),
            v0(12, "agent", r#""observation":"error","content":"no such parameter","extras":{"error_id":""}"#),
            v0(13, "agent", r#""action":"read","args":{"path":"/w/a.rs"}"#),
            v0(14, "user", r#""observation":"user_rejected","cause":13,"content":"not this file","extras":{}"#),
            v0(15, "user", r#""action":"change_agent_state","args":{"agent_state":"stopped"}"#),
            v0(16, "agent", r#""action":"finish","message":"It is","args":{"thought":"It is","final_thought":"done","task_completed":"false","outputs":{}}"#),
            v0(17, "user", r#""action":"run","args":{"command":"pwd"}"#),
            v0(18, "agent", r#""observation":"run","cause":17,"content":"/w","extras":{"exit_code":0}"#),
        ]
        .join(",\n")
    ));
    assert_snapshot!(sink.lines(), @r#"
    00:01.000Z openhands system_event session_start {"tool":"openhands","native_id":"d1b16acf4b66f3372a3a4ac6a2473672"}
    00:02.000Z user user_input prompt {"text":"fix it","attachments":[{"media_type":"image/png","bytes":7,"sha256":"5831fcd681f6a42b9fafd7b3befb920538c6bee360294067f3ead0413965566e"}]}
    00:05.000Z openhands agent_message thinking {"text":"I look."} model=m-1 usage={"requests":1,"input":3,"cache_write":3,"cache_read":4,"output":2}
    00:07.000Z openhands tool_call execute_bash {"command":"ls","timeout":5} output="no" ms=2000 error=exit code 2 model=m-1
    00:09.000Z openhands tool_call edit {"path":"/w/a.rs"} output="ERROR:\nnothing replaced" ms=1000 error=nothing replaced model=m-1 files=/w/a.rs
    00:11.000Z openhands tool_call run {"command":"serve"} output="serving" ms=1000 model=m-1
    00:12.000Z openhands system_event error {"error":"no such parameter"} error=no such parameter
    00:14.000Z user user_input rejection {"tool":"read","input":{"path":"/w/a.rs"},"call":"13","reason":"not this file"} files=/w/a.rs
    00:15.000Z user user_input interrupt {"text":"stopped"}
    00:16.000Z openhands agent_message message {"text":"It is\n\ndone","task_completed":"false"} model=m-1
    00:17.000Z user user_input shell {"command":"pwd"}
    00:18.000Z openhands system_event command_output {"text":"/w"}
    "#);
    assert_eq!((sink.passed(PassedOver::Injected), sink.passed(PassedOver::Bookkeeping)), (1, 2));
    assert_eq!(sink.drafts[4].source.line, None);
}

#[test]
fn the_flat_form_pairs_by_position() {
    let sink = read(
        r#"[{"action":"message","source":"user","content":"fix it"},
            {"action":"run","command":"ls","thought":"I look."},
            {"observation":"run","content":"no","command_id":-1,"exit_code":1},
            {"action":"finish"}]"#,
    );
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z openhands system_event session_start {"tool":"openhands","native_id":"98a93f7bf2886ab74260cc8f74e7b283"}
    00:01.000Z user user_input prompt {"text":"fix it"}
    00:02.000Z openhands agent_message thinking {"text":"I look."}
    00:03.000Z openhands tool_call run {"command":"ls"} output="no" error=exit code 1
    00:04.000Z openhands system_event session_end {"reason":"finish"}
    "#);
    assert_eq!(sink.drafts[1].source.time.as_deref(), Some("synthetic"));
}

#[test]
fn a_command_that_still_runs_failed_only_where_it_says_so() {
    let observed = |second: u32, rest: &str| {
        let exit = r#""content":"…","extras":{"metadata":{"exit_code":-1}}"#;
        v0(second, "agent", &format!(r#""observation":"run","cause":{},{exit}{rest}"#, second - 1))
    };
    let events = [
        v0(1, "agent", r#""action":"think","args":{"thought":"hm"}"#),
        v0(2, "agent", r#""observation":"think","cause":1,"content":"logged""#),
        v0(3, "agent", r#""action":"run","args":{"command":"serve"}"#),
        observed(4, ""),
        v0(5, "agent", r#""action":"run","args":{"command":"serve"}"#),
        observed(6, r#","success":false"#),
        v0(7, "agent", r#""action":"run","args":{"command":"serve"}"#),
        v0(8, "agent", r#""action":"finish","args":{"task_completed":"partial","outputs":{}}"#),
    ];
    assert_snapshot!(read(&format!("[{}]", events.join(","))).lines(), @r#"
    00:01.000Z openhands system_event session_start {"tool":"openhands","native_id":"3a5bab900e8492dd2f2a9a8845e79f5e"}
    00:02.000Z openhands tool_call think {"thought":"hm"} output="logged" ms=1000
    00:04.000Z openhands tool_call run {"command":"serve"} output="…" ms=1000
    00:06.000Z openhands tool_call run {"command":"serve"} output="…" ms=1000 error=…
    00:08.000Z openhands tool_call run {"command":"serve"} ms=1000 error=interrupted
    00:08.000Z openhands system_event session_end {"reason":"finish","task_completed":"partial"}
    "#);
}

/// An event of the SDK at this second.
fn v1(second: u32, kind: &str, rest: &str) -> String {
    format!(
        r#"{{"id":"e{second}","timestamp":"2026-01-01T00:00:{second:02}.000000","source":"agent","kind":"{kind}",{rest}}}"#
    )
}

fn stats(second: u32, prompt: u32, output: u32) -> String {
    let tokens = format!(
        r#"{{"prompt_tokens":{prompt},"completion_tokens":{output},"cache_read_tokens":10,"cache_write_tokens":0}}"#
    );
    let metrics = format!(r#"{{"model_name":"m-1","accumulated_cost":0.5,"accumulated_token_usage":{tokens}}}"#);
    v1(
        second,
        "ConversationStateUpdateEvent",
        &format!(r#""key":"stats","value":{{"usage_to_metrics":{{"default":{metrics}}}}}"#),
    )
}

fn terminal(second: u32, call: &str) -> String {
    v1(
        second,
        "ActionEvent",
        &format!(
            r#""thought":[{{"type":"text","text":"<think>hm</think>\n\nI look."}}],"reasoning_content":"hm","tool_name":"terminal","tool_call_id":"{call}","tool_call":{{"id":"{call}","arguments":"{{\"command\":\"ls\"}}"}}"#
        ),
    )
}

#[test]
fn events_of_the_sdk_have_their_entries() {
    let observation = r#""tool_call_id":"c1","action_id":"e3","observation":{"content":[{"type":"text","text":"no"}],"is_error":false,"exit_code":1}"#;
    let sink = read(
        &[
            v1(1, "ConversationStateUpdateEvent", r#""key":"execution_status","value":"running""#),
            v1(
                2,
                "MessageEvent",
                r#""source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"fix it"}]}"#,
            ),
            terminal(3, "c1"),
            stats(4, 100, 5),
            v1(5, "ObservationEvent", observation),
            terminal(6, "c2"),
            v1(7, "UserRejectObservation", r#""action_id":"e6","rejection_reason":"not that""#),
            terminal(8, "c3"),
            v1(9, "AgentErrorEvent", r#""tool_call_id":"c3","error":"no such tool""#),
            stats(10, 250, 9),
            stats(11, 250, 9),
            v1(12, "ObservationEvent", r#""tool_call_id":"c9","observation":{}"#),
            v1(13, "PauseEvent", r#""a":1"#),
            v1(14, "HologramEvent", r#""a":1"#),
            v1(15, "MessageEvent", r#""llm_message":{"role":"assistant","content":[{"type":"text","text":"done"}]}"#),
        ]
        .join("\n"),
    );
    assert_snapshot!(sink.lines(), @r#"
    00:01.000Z openhands system_event session_start {"tool":"openhands","native_id":"e1"}
    00:02.000Z user user_input prompt {"text":"fix it"}
    00:03.000Z openhands agent_message thinking {"text":"hm\n\nI look."}
    00:04.000Z openhands system_event usage {} model=m-1 usage={"requests":1,"input":90,"cache_read":10,"output":5,"cost_micro_usd":500000}
    00:05.000Z openhands tool_call terminal {"command":"ls"} output=[{"type":"text","text":"no"}] ms=2000 error=exit code 1
    00:06.000Z openhands agent_message thinking {"text":"hm\n\nI look."} model=m-1
    00:07.000Z user user_input rejection {"tool":"terminal","input":{"command":"ls"},"call":"c2","reason":"not that"}
    00:08.000Z openhands agent_message thinking {"text":"hm\n\nI look."} model=m-1
    00:09.000Z openhands tool_call terminal {"command":"ls"} output="no such tool" ms=1000 error=no such tool model=m-1
    00:10.000Z openhands system_event usage {} model=m-1 usage={"requests":1,"input":150,"output":4}
    00:13.000Z user user_input interrupt {"text":"pause"}
    00:14.000Z openhands system_event unknown_record {"record":{"id":"e14","timestamp":"2026-01-01T00:00:14.000000","source":"agent","kind":"HologramEvent","a":1}}
    00:15.000Z openhands agent_message message {"text":"done"} model=m-1
    "#);
    assert_eq!(sink.passed, [(PassedOver::Bookkeeping, 1), (PassedOver::Repeated, 11), (PassedOver::Orphaned, 12)]);
    assert_eq!((&*sink.drafts[0].source.session, sink.drafts[1].source.line), ("e1", Some(2)));
}

fn task(instance: &str, history: &[String], rest: &str) -> String {
    format!(
        r#"{{"instance_id":"{instance}","metadata":{{"agent_class":"A","llm_config":{{"model":"m-1"}}}},"history":[{}],{rest}}}"#,
        history.join(",")
    )
}

#[test]
fn every_task_of_an_evaluation_is_a_session() {
    let llm = |total: u32| {
        format!(
            r#""llm_metrics":{{"accumulated_cost":0.1,"accumulated_token_usage":{{"prompt_tokens":{total},"completion_tokens":2}}}}"#
        )
    };
    let metrics = r#""metrics":{"accumulated_cost":0.3,"accumulated_token_usage":{"prompt_tokens":30,"completion_tokens":5},"token_usages":[1,2,3]}"#;
    let prompt = v0(1, "user", r#""action":"message","args":{"content":"fix it"}"#);
    let run = v0(2, "agent", &format!(r#""action":"run","args":{{"command":"ls"}},{}"#, llm(20)));
    let sink = read(&format!(
        "{}\n{}\n",
        task("t-1", &[prompt.clone(), run.clone()], &format!(r#"{metrics},"error":"too many steps""#)),
        task(
            "t-2",
            &[format!("[{run},{}]", v0(3, "agent", r#""observation":"run","cause":2,"content":"a""#))],
            r#""error":null"#
        ),
    ));
    assert_snapshot!(sink.lines(), @r#"
    00:01.000Z openhands system_event session_start {"tool":"openhands","native_id":"t-1/6551afc2f11f599c","model":"m-1","agent_type":"A"}
    00:01.000Z user user_input prompt {"text":"fix it"}
    00:02.000Z openhands system_event usage {} model=m-1 usage={"requests":1,"input":20,"output":2,"cost_micro_usd":100000}
    00:02.000Z openhands tool_call run {"command":"ls"} ms=0 error=interrupted model=m-1
    00:02.000Z openhands system_event usage {} model=m-1 usage={"requests":2,"input":10,"output":3,"cost_micro_usd":200000}
    00:02.000Z openhands system_event session_end {"reason":"error"} error=too many steps
    00:02.000Z openhands system_event session_start {"tool":"openhands","native_id":"t-2/4bdc4cd5ecabeb46","model":"m-1","agent_type":"A"}
    00:02.000Z openhands system_event usage {} model=m-1 usage={"requests":1,"input":20,"output":2,"cost_micro_usd":100000}
    00:03.000Z openhands tool_call run {"command":"ls"} output="a" ms=1000 model=m-1
    00:03.000Z openhands system_event session_end {"reason":"finished"}
    "#);
    let first = &sink.drafts[0].source.session;
    let usage = sink.drafts.iter().filter(|draft| draft.source.session == *first).filter_map(|draft| draft.usage);
    let usage = usage.fold(Usage::default(), |sum, usage| sum + usage);
    assert_eq!(usage, Usage { requests: 3, input: 30, output: 5, cost_micro_usd: 300_000, ..Usage::default() });
}

#[test]
fn a_log_of_a_completion_gives_its_response() {
    let response = r#"{"id":"r1","model":"m-1","choices":[{"message":{"content":"done","tool_calls":[{"id":"c1"}]}}],"usage":{"prompt_tokens":100,"completion_tokens":5}}"#;
    let sink = read(&format!(
        r#"{{"messages":[{{"role":"user","content":"hi"}}],"response":{response},"cost":0.25,"timestamp":1767225600.5}}"#
    ));
    assert_snapshot!(sink.lines(), @r#"
    00:00.500Z openhands system_event session_start {"tool":"openhands","native_id":"r1","model":"m-1"}
    00:00.500Z openhands agent_message message {"text":"done"} model=m-1 usage={"requests":1,"input":100,"output":5,"cost_micro_usd":250000}
    "#);
    assert_eq!(sink.passed, [(PassedOver::Copy, 1), (PassedOver::Unanswered, 1)]);
}

#[test]
fn a_longer_snapshot_gives_the_shorter_one_and_more() {
    let events = [
        v0(1, "user", r#""action":"message","args":{"content":"fix it"}"#),
        v0(2, "agent", r#""action":"run","args":{"command":"ls"}"#),
        v0(3, "agent", r#""observation":"run","cause":2,"content":"a""#),
    ];
    let (short, long) = (read(&format!("[{}]", events[..2].join(","))), read(&format!("[{}]", events.join(","))));
    assert_eq!(long.drafts[..short.drafts.len()], short.drafts);
    assert_eq!((short.drafts.len(), long.drafts.len(), short.passed.len()), (2, 3, 1));
}

#[test]
fn another_kind_of_source_is_refused() {
    for text in ["{\"type\":\"user\"}\n", "[1,2]", "[{\"role\":\"user\"}]"] {
        let refused = import(&"a.json".into(), &mut text.as_bytes(), &mut Collected::default());
        assert!(matches!(refused, Err(ImportError::WrongKind { .. })), "{text}");
    }
}

#[test]
fn an_accumulated_cost_is_counted_once_wherever_the_tokens_stand() {
    let event = |id: u32, cost: &str| {
        let metrics = format!(r#""llm_metrics":{{"accumulated_cost":{cost}}}"#);
        format!(
            r#"{{"id":{id},"timestamp":"2026-01-01T00:00:0{id}","source":"agent","action":"message","args":{{"content":"hi"}},{metrics}}}"#
        )
    };
    let history = [event(1, "0.1"), event(2, "0.1"), event(3, "0.25")].join(",");
    let metrics = r#""metrics":{"accumulated_cost":0.4}"#;
    let task = format!(r#"{{"instance_id":"x","history":[{history}],{metrics}}}"#);
    assert_eq!(Collected::of(import, "output.jsonl", &task).usage().cost_micro_usd, 400_000);
    assert_eq!(Collected::of(import, "events.json", &format!("[{history}]")).usage().cost_micro_usd, 250_000);
}
