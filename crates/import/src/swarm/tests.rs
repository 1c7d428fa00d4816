//! What each shape becomes, and what is none.

use super::*;

fn spoken(conversation: &Conversation) -> Vec<String> {
    let line = |message: &SwarmMessage| {
        let time = &message.at.to_string()[..16];
        format!("{time} {}: {}", message.speaker, message.text)
    };
    conversation.messages.iter().map(line).collect()
}

#[test]
fn lines_of_ours_keep_times_stance_and_impact() {
    let text = concat!(
        r#"{"speaker":"ada","text":"One.","time":"2026-11-21T10:00:00Z","stance":"support","impact":"minor"}"#,
        "\n",
        r#"{"speaker":"Bo Li (critic)","text":"Two."}"#,
        "\n",
        r#"{"speaker":"human","text":"Three.","time":"2026-11-21T12:00:00+01:00"}"#,
    );
    let conversation = Conversation::read(text.as_bytes()).expect("a conversation");
    assert_eq!(
        spoken(&conversation),
        ["2026-11-21T10:00 ada: One.", "2026-11-21T10:01 Bo-Li: Two.", "2026-11-21T11:00 user: Three."]
    );
    assert_eq!(conversation.shape, Shape::Lines);
    let first = &conversation.messages[0];
    assert_eq!((first.stance, first.impact), (Some(Stance::Support), Some(Impact::Minor)));
}

#[test]
fn a_wrong_line_of_ours_is_named() {
    for (line, problem) in [
        (r#"{"speaker":"ada"}"#, "line 2: missing field `text` at line 1 column 17"),
        (r#"{"speaker":" ","text":"x"}"#, "line 2: the speaker has no name"),
        (r#"{"speaker":"a","text":"x","stance":"yes"}"#, "line 2: \"yes\" is none of support, oppose, neutral"),
        (
            r#"{"speaker":"a","text":"x","time":"noon"}"#,
            "line 2: \"noon\" is not a time: write it as 2026-11-21T03:10:00.123Z",
        ),
        ("null", "line 2: it is no JSON object"),
    ] {
        let text = format!("{{\"speaker\":\"ada\",\"text\":\"One.\"}}\n{line}\n");
        let error = Conversation::read(text.as_bytes()).expect_err("a wrong line");
        assert_eq!(error.to_string(), problem);
    }
}

#[test]
fn what_is_no_conversation_is_refused() {
    for text in ["", "{}\n", "hello", r#"{"type":"session_meta"}"#, "[1,2]"] {
        assert!(matches!(Conversation::read(text.as_bytes()), Err(BadConversation::Unknown)), "{text}");
    }
    assert!(matches!(Conversation::read(br#"{"history":[]}"#), Err(BadConversation::Empty)));
}

#[test]
fn who_and_when_knows_speakers_by_name_or_by_role() {
    let named = br#"{"question":"How many?","history":[
        {"content":"We count.","name":"Counting_Expert","role":"assistant"},
        {"content":"exitcode: 0","name":"Computer_terminal","role":"user"},
        {"content":"Seven.","role":""}]}"#;
    let conversation = Conversation::read(named).expect("a conversation");
    assert_eq!(
        spoken(&conversation),
        ["2026-01-05T00:00 Counting_Expert: We count.", "2026-01-05T00:01 system: exitcode: 0"]
    );
    assert_eq!(conversation.passed_over, [SwarmPassedOver { line: 3, reason: "nobody speaks" }]);
    assert_eq!((conversation.shape, conversation.topic.as_deref()), (Shape::AlgorithmGenerated, Some("How many?")));

    let by_role = br#"{"history":[{"content":"Count.","role":"human"},
        {"content":"A plan.","role":"Orchestrator (thought)"},{"content":"Go.","role":"Orchestrator (-> WebSurfer)"}]}"#;
    let conversation = Conversation::read(by_role).expect("a conversation");
    let speakers: Vec<_> = conversation.messages.iter().map(|message| message.speaker.as_str()).collect();
    assert_eq!(
        (conversation.shape, speakers.as_slice()),
        (Shape::HandCrafted, &["user", "Orchestrator", "Orchestrator"][..])
    );
}

#[test]
fn a_letter_of_autodream_is_its_senders_whatever_title_it_bears() {
    let letter = |from: &str, file: &str| {
        format!(
            r#"{{"path":"agent_workspaces/Agent-4/inbox/{file}","added":"2025-10-10T05:35:08-05:00","owner":"Agent-4","from_":{from},"body":"Done."}}"#
        )
    };
    let letters = [
        letter(r#""Agent-6 (C-055 Swarm Coordinator)""#, "a.md"),
        letter(r#""AGENT-7""#, "a.md"),
        letter(r#""Captain Agent-4""#, "a.md"),
        letter(r#""CAPTAIN""#, "a.md"),
        letter(r#""Test Service (via Discord)""#, "a.md"),
        letter("null", "msg_agent6_agent7_noticed.md"),
        letter("null", "C2A_SEEN.md"),
        letter("null", "MISSION.md"),
        "{\"subject\":1}".to_owned(),
    ];
    let conversation = Conversation::read(letters.join("\n").as_bytes()).expect("a conversation");
    let speakers: Vec<_> = conversation.messages.iter().map(|message| message.speaker.as_str()).collect();
    assert_eq!(speakers, ["Agent-6", "Agent-7", "Agent-4", "Agent-4", "Test-Service", "Agent-6", "Agent-4", "unknown"]);
    assert_eq!(conversation.messages[0].at.to_string(), "2025-10-10T10:35:08.000Z");
    assert_eq!(conversation.passed_over, [SwarmPassedOver { line: 9, reason: "no letter" }]);
}
