//! The adversary: transcripts with one sentence in every place where a tool keeps what is nobody's business. No entry may
//! hold a byte of it, not even where records of unknown types are kept.

use super::Kind;
use super::testing::Collected;

const SECRET: &str = "I live at 7 Harbour Steps and my sister is ill.";

fn imported(kind: Kind, lines: &[&str]) -> Collected {
    let text = lines.join("\n").replace("SECRET", SECRET);
    assert!(text.matches(SECRET).count() >= 3, "{kind}");
    let mut sink = Collected::default();
    kind.import("session.jsonl", &mut text.as_bytes(), &mut sink).expect("it can be imported");
    sink
}

/// Nothing is told, and the prompt and the reply are there.
fn check(kind: Kind, lines: &[&str]) {
    let sink = imported(kind, lines);
    let told = format!("{:?}", sink.drafts);
    for word in ["Harbour", "sister", "7 H"] {
        assert!(!told.contains(word), "{kind}: {}", sink.lines());
    }
    assert_eq!(sink.kinds(), [""; 0], "{kind}");
    assert_eq!((sink.named("prompt"), sink.named("message")), (1, 1), "{kind}: {}", sink.lines());
}

#[test]
fn nothing_private_comes_out_of_claude_code() {
    let line = |members: &str| {
        format!(
            r#"{{"uuid":"{}","sessionId":"s1","timestamp":"2026-11-22T06:00:01.000Z","version":"2.1.330",{members}}}"#,
            super::common::hash(members)
        )
    };
    let attached = |members: &str| {
        let rendered =
            r#""rendered":[{"content":"<system-reminder>SECRET</system-reminder>"}],"renderedRole":"system""#;
        line(&format!(r#""type":"attachment","attachment":{{{members}}},{rendered}"#))
    };
    let typed = |content: &str| line(&format!(r#""type":"user","message":{{"role":"user","content":{content}}}"#));
    let files = r#""files":[{"path":"/home/ada/.claude/CLAUDE.md","type":"User","content":"SECRET"}]"#;
    let lines = [
        typed(r#""fix it<system-reminder>SECRET</system-reminder>""#),
        attached(&format!(r#""type":"instructions",{files}"#)),
        attached(r#""type":"environment","snapshot":{"workingDirectory":"SECRET"}"#),
        attached(r#""type":"prompt_snapshot","systemPrompt":["SECRET"],"tools":[{"name":"SECRET"}]"#),
        attached(r#""type":"skill_listing","content":"SECRET","names":["SECRET"]"#),
        attached(r#""type":"agent_listing_delta","addedLines":["SECRET"]"#),
        attached(r#""type":"deferred_tools_delta","addedLines":["SECRET"]"#),
        attached(r#""type":"session_context","context":{"gitStatus":"SECRET"}"#),
        attached(r#""type":"remote_session_change","commit":"SECRET"}"#.trim_end_matches('}')),
        attached(r#""type":"model","text":"SECRET""#),
        attached(r#""type":"date","date":"SECRET""#),
        attached(r#""type":"silent_turn_reminder","text":"SECRET""#),
        attached(r#""type":"nested_memory","content":{"content":"SECRET"}"#),
        attached(r#""type":"relevant_memories","memories":[{"content":"SECRET"}]"#),
        attached(r#""type":"output_style","style":"SECRET""#),
        attached(r#""type":"hook_success","content":"SECRET","stdout":"SECRET","command":"SECRET""#),
        attached(r#""type":"hook_additional_context","content":["SECRET"]"#),
        attached(r#""type":"queued_command","prompt":"SECRET","commandMode":"task-notification""#),
        line(r#""type":"api-request","params":{"system":"SECRET"},"tail":["SECRET"]"#),
        line(r#""type":"api-request-blob","message":{"role":"user","content":[{"type":"text","text":"SECRET"}]}"#),
        line(r#""type":"api-request-shape","shape":{"system":[{"type":"text","text":"SECRET"}]}"#),
        line(r#""type":"atis-latch","atis":"SECRET""#),
        line(r#""type":"tools-used","tools":["SECRET"]"#),
        line(r#""type":"cost-state","modelUsage":{"SECRET":{}}"#),
        line(r#""type":"last-prompt","lastPrompt":"SECRET""#),
        line(r#""type":"user","isMeta":true,"message":{"role":"user","content":"SECRET"}"#),
        line(r#""type":"user","origin":{"kind":"channel"},"message":{"role":"user","content":"SECRET"}"#),
        typed(r#""<ide_selection>SECRET</ide_selection>""#),
        typed(r#""<local-command-caveat>SECRET</local-command-caveat>""#),
        line(
            r#""type":"assistant","message":{"id":"m0","model":"<synthetic>","content":[{"type":"text","text":"SECRET"}]}"#,
        ),
        line(r#""type":"assistant","message":{"id":"m1","model":"m","content":[{"type":"text","text":"done"}]}"#),
    ];
    check(Kind::ClaudeCode, &lines.each_ref().map(String::as_str));
}

#[test]
fn nothing_private_comes_out_of_codex() {
    let line = |kind: &str, payload: &str| {
        let second = payload.len() % 50 + 10;
        format!(r#"{{"timestamp":"2026-11-22T07:00:{second}.000Z","type":"{kind}","payload":{{{payload}}}}}"#)
    };
    let said = |role: &str, text: &str| {
        let content = format!(r#"[{{"type":"input_text","text":"{text}"}}]"#);
        line("response_item", &format!(r#""type":"message","role":"{role}","content":{content}"#))
    };
    let lines = [
        r#"{"timestamp":"2026-11-22T07:00:00.000Z","type":"session_meta","payload":{"id":"s1","base_instructions":{"text":"SECRET"},"instructions":"SECRET","user_instructions":"SECRET"}}"#.to_owned(),
        line("turn_context", r#""model":"m","developer_instructions":"SECRET","collaboration_mode":{"settings":{"developer_instructions":"SECRET"}}"#),
        line("world_state", r#""full":true,"state":{"agents_md":{"text":"SECRET"},"host_skills":{"body":"SECRET"}}"#),
        line("inter_agent_communication_metadata", r#""trigger_turn":false,"note":"SECRET""#),
        line("event_msg", r#""type":"thread_settings_applied","thread_settings":{"developer_instructions":"SECRET"}"#),
        line("event_msg", r#""type":"item_completed","item":{"type":"HookPrompt","fragments":[{"text":"SECRET"}]}"#),
        line("response_item", r#""type":"additional_tools","tools":[{"name":"x","description":"SECRET"}]"#),
        line("response_item", r#""type":"agent_message","author":"/root/a","recipient":"/root","content":[{"type":"input_text","text":"SECRET"}]"#),
        said("developer", "SECRET"),
        said("system", "SECRET"),
        said("user", "<environment_context>SECRET</environment_context>"),
        said("user", "# AGENTS.md instructions for /p SECRET"),
        said("user", "<user_instructions>SECRET</user_instructions>"),
        said("user", "fix it"),
        line("event_msg", r#""type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"fix it"}]}"#),
        line("response_item", r#""type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]"#),
    ];
    check(Kind::Codex, &lines.each_ref().map(String::as_str));
}

#[test]
fn nothing_private_comes_out_of_the_copilot_cli() {
    let line = |kind: &str, data: &str| {
        let id = super::common::hash(data);
        format!(r#"{{"type":"{kind}","id":"{id}","timestamp":"2026-11-22T07:00:01.000Z","data":{{{data}}}}}"#)
    };
    let lines = [
        line("session.start", r#""sessionId":"s1","copilotVersion":"1.0.102""#),
        line("system.message", r#""role":"system","content":"SECRET","metadata":{"variables":{"a":"SECRET"}}"#),
        line("system.notification", r#""content":"SECRET""#),
        line("user.message", r#""content":"fix it","transformedContent":"<reminder>SECRET</reminder> fix it""#),
        line("user.message", r#""content":"SECRET","source":"skill-x""#),
        line("skill.invoked", r#""content":"SECRET""#),
        line("hook.start", r#""input":{"prompt":"SECRET"}"#),
        line("hook.end", r#""output":"SECRET""#),
        line("permission.requested", r#""permissionRequest":{"intention":"SECRET"}"#),
        line("subagent.configured", r#""model":"m","instructions":"SECRET""#),
        line("subagent.selected", r#""tools":["SECRET"]"#),
        line("session.custom_agents_updated", r#""agents":[{"prompt":"SECRET"}]"#),
        line("session.skills_loaded", r#""skills":["SECRET"]"#),
        line("session.info", r#""message":"SECRET""#),
        line("session.usage_record", r#""usage":{"apiCallId":"c1","outputTokens":1,"prompt":"SECRET"}"#),
        line("assistant.message", r#""content":"done","reasoningOpaque":"SECRET","apiCallId":"c1""#),
    ];
    check(Kind::CopilotCli, &lines.each_ref().map(String::as_str));
}

#[test]
fn nothing_private_comes_out_of_the_gemini_cli() {
    let message = |id: &str, kind: &str, rest: &str| {
        format!(r#"{{"id":"{id}","timestamp":"2026-11-22T07:00:01.000Z","type":"{kind}",{rest}}}"#)
    };
    let context = message("m1", "user", r#""content":[{"text":"<session_context>\nSECRET\n</session_context>"}]"#);
    let lines = [
        r#"{"sessionId":"s1","projectHash":"h","startTime":"2026-11-22T07:00:00.000Z","kind":"main","memory":"SECRET"}"#
            .to_owned(),
        format!(r#"{{"$set":{{"messages":[{context}],"lastUpdated":"x"}}}}"#),
        r#"{"$set":{"directories":["SECRET"],"systemInstruction":"SECRET"}}"#.to_owned(),
        message("m2", "user", r#""content":[{"text":"fix it SECRET"}],"displayContent":[{"text":"fix it"}]"#),
        message("m3", "info", r#""content":"SECRET""#),
        message("m4", "warning", r#""content":"SECRET""#),
        message("m5", "gemini", r#""content":"done","model":"m""#),
    ];
    check(Kind::GeminiCli, &lines.each_ref().map(String::as_str));
}
