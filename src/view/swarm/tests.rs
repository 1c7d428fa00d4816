//! Conversations against the rules, message by message.

use super::*;
use crate::domain::breaker::limits::{ECHO, MIN_LENGTH, MIN_UNIQUE_WORDS, PRESET};
use crate::import::swarm::Conversation;
use crate::kernel::grounding::Stance;
use crate::kernel::settings::{AnySetting, Settings};

/// Long enough, with words enough, and different each time.
fn substance(topic: &str) -> String {
    format!(
        "On {topic}: the reader of chapter three knows nothing about pumps, valves or the second loop yet, so that the \
         scene behind it explains what was planted, and a shorter one would lose the turn; I would move both paragraphs."
    )
}

/// Speakers and texts, a minute apart.
fn said(lines: &[(&str, &str)]) -> Conversation {
    let line = |(speaker, text): &(&str, &str)| serde_json::json!({ "speaker": speaker, "text": text }).to_string();
    let text: Vec<_> = lines.iter().map(line).collect();
    Conversation::read(text.join("\n").as_bytes()).expect("a conversation")
}

fn how(after_freeze: AfterFreeze, settings: &[(&dyn AnySetting, serde_json::Value)]) -> How {
    let mut all = Settings::default();
    for (setting, value) in settings {
        all.set(setting.key(), Some(value.clone()));
    }
    How { settings: all, stance: Stance::Neutral, after_freeze }
}

fn verdicts(report: &Report) -> Vec<String> {
    let line = |heard: &Heard| {
        let rule = heard.rule.as_deref().unwrap_or_default();
        format!("{} {} {rule}", heard.speaker, heard.verdict).trim_end().to_owned()
    };
    report.messages.iter().map(line).collect()
}

/// Control-room 4.1: seven short messages that say nothing, louder each time.
#[test]
fn an_echo_chamber_is_stopped_from_its_first_message_on() {
    let conversation = Conversation::read(include_bytes!("../../../examples/echo-chamber.jsonl")).expect("the example");
    let report = play(&conversation, &how(AfterFreeze::Holds, &[]));
    assert_eq!((report.messages.len(), report.stopped, report.words.let_through), (7, 7, 0));
    assert_eq!(report.first_stop.as_ref().map(|stop| stop.message), Some(1));
    assert!(report.rules["escalation-language"].violated >= 2);
}

/// Control-room 3.4, 10.1: what is long enough for the light preset is stopped by its noise, and the freeze holds.
#[test]
fn behind_a_freeze_everything_is_turned_away_unless_it_is_lifted() {
    let noise = format!("{} This is URGENT and CRITICAL, it MUST be done IMMEDIATELY.", substance("the reactor"));
    let (quiet, other) = (substance("the harbour"), substance("the lamp"));
    let conversation = said(&[("ada", &noise), ("bo", &quiet), ("user", "Slowly."), ("cy", &other)]);
    let light = (&PRESET as &dyn AnySetting, "light".into());
    let report = play(&conversation, &how(AfterFreeze::Holds, std::slice::from_ref(&light)));
    assert_eq!(
        verdicts(&report),
        [
            "ada froze escalation-language", "bo turned-away issues.frozen", "user passed",
            "cy turned-away issues.frozen"
        ]
    );
    let report = play(&conversation, &how(AfterFreeze::IsLifted, &[light]));
    assert_eq!(verdicts(&report), ["ada froze escalation-language", "bo passed", "user passed", "cy passed"]);
}

/// Control-room 3.1, decision 13: a freeze is over by the times of the conversation.
#[test]
fn a_freeze_ends_when_its_time_is_over() {
    let lines = [
        r#"{"speaker":"ada","text":"A.","time":"2026-11-21T10:00:00Z"}"#,
        r#"{"speaker":"ada","text":"B.","time":"2026-11-21T10:01:00Z"}"#,
        r#"{"speaker":"ada","text":"C.","time":"2026-11-21T10:02:00Z"}"#,
        r#"{"speaker":"bo","text":"D.","time":"2026-11-21T10:31:00Z"}"#,
        r#"{"speaker":"bo","text":"E.","time":"2026-11-21T10:33:00Z"}"#,
    ];
    let conversation = Conversation::read(lines.join("\n").as_bytes()).expect("a conversation");
    let loose = [
        (&MIN_LENGTH as &dyn AnySetting, 0.into()),
        (&MIN_UNIQUE_WORDS as &dyn AnySetting, 0.into()),
        (&ECHO as &dyn AnySetting, false.into()),
    ];
    let report = play(&conversation, &how(AfterFreeze::Holds, &loose));
    assert_eq!(
        verdicts(&report),
        ["ada passed", "ada passed", "ada froze comment-budget-exceeded", "bo turned-away issues.frozen", "bo passed"]
    );
    let freeze = FirstStop { message: 3, rule: "comment-budget-exceeded".into(), words_before: 2 };
    assert_eq!((report.first_stop.clone(), report.first_freeze.clone()), (Some(freeze.clone()), Some(freeze)));
    assert_eq!(report.words, ReportWords { written: 5, let_through: 3, saved: 2 });
    let ada = Speaker { messages: 3, stopped: 1, words: ReportWords { written: 3, let_through: 2, saved: 1 } };
    assert_eq!(report.speakers["ada"], ada);
}

#[test]
fn what_goes_on_as_it_should_passes() {
    let two = "The harbour has another trouble: boats of the first book lie there with their old names, although the \
        second book sank two of them, and nobody of the crew says a word; either the storm is told again in a line, or the \
        boats get new names, which would touch four scenes.";
    let report = play(&said(&[("ada", &substance("the reactor")), ("bo", two)]), &how(AfterFreeze::Holds, &[]));
    assert_eq!((report.stopped, report.first_stop, report.rules.len()), (0, None, 0));
}

#[test]
fn nobody_takes_the_place_of_those_who_watch() {
    let lines = [("annals/moderator", "Go on."), ("annals/advocate", "Yes.")];
    let report = play(&said(&lines), &how(AfterFreeze::Holds, &[]));
    assert_eq!(
        verdicts(&report),
        ["annals-moderator rejected insufficient-substance", "annals-advocate rejected insufficient-substance"]
    );
}
