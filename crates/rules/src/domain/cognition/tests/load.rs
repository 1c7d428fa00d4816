//! States of other programs, and ours as they read them.

use std::collections::BTreeMap;

use super::super::Amount;
use super::super::command::{Feel, Think};
use super::super::emotion::Emotions;
use super::super::goal::{GoalStatus, Goals, Primary, Subgoal};
use super::super::limits::CognitionLimits;
use super::super::load::{BadState, Loaded, part_of};
use super::super::metacognition::{Stated, Strategy};
use super::super::snapshot::MindPart;
use super::room::TestRoom;
use annals_kernel::json::Json;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;

fn limits() -> CognitionLimits {
    CognitionLimits::of(&Settings::default())
}

/// Decision 1: state files of protocol 0.1, and camelCase.
#[test]
fn the_files_of_other_programs_are_read() {
    let meta = r#"{"current_strategy":"incremental","strategy_effectiveness":0.5,"progress_status":"blocked",
        "cognitive_load":{"current":0.0,"items_in_focus":6},"help_seeking":{"uncertainty_threshold":0.3,"current_uncertainty":0.2},
        "self_corrections":[],"flow_state":false,"last_updated":"2025-12-12T12:14:22.521815"}"#;
    let json = |text: &str| Json::from_text(text.to_owned()).expect("JSON");
    assert_eq!(part_of(&json(meta)), Some(MindPart::Metacognition));
    let expected = Stated {
        strategy: Some(Strategy::Incremental),
        effectiveness: Some(Share::thousandths(500)),
        uncertainty: Some(Share::thousandths(200)),
        blocked: Some("another program says so".into()),
        items: Some(6),
        ..Stated::default()
    };
    assert_eq!(Loaded::read(MindPart::Metacognition, &json(meta)), Ok(Loaded::Metacognition(expected)));
    let camel = r#"{"primaryGoal":{"id":"g","description":"d","userStated":"u","status":"odd","progress":1.5},
        "subgoals":[{"id":"h","parentId":"g","description":"e","status":"in_progress","progress":-1,"dependencies":["g"]}],"goalStack":["h"],"lastUpdated":"2025-12-12T12:14:22.521935"}"#;
    let Ok(Loaded::Goals(goals)) = Loaded::read(MindPart::Goals, &json(camel)) else { panic!("goals") };
    let primary = Primary {
        id: "g".into(),
        description: "d".into(),
        user_stated: "u".into(),
        status: GoalStatus::Pending,
        progress: Share::WHOLE,
        success_criteria: Vec::new(),
        constraints: Vec::new(),
    };
    let part = Subgoal {
        id: "h".into(),
        parent_id: "g".into(),
        description: "e".into(),
        status: GoalStatus::InProgress,
        progress: Share::NONE,
        dependencies: vec!["g".into()],
    };
    assert_eq!((goals.primary_goal, goals.subgoals), (Some(primary), vec![part]));
    let empty = r#"{"primary_goal":null,"subgoals":[],"instrumental_goals":[],"goal_stack":[],"conflicts":[]}"#;
    assert_eq!(Loaded::read(MindPart::Goals, &json(empty)), Ok(Loaded::Goals(Goals::default())));
    let mood = r#"{"mood":{"current":"focused","intensity":0.4,"valence":-0.25},"moodHistory":[]}"#;
    let Ok(Loaded::Emotions(felt)) = Loaded::read(MindPart::Emotions, &json(mood)) else { panic!("feelings") };
    assert_eq!(felt.mood.valence, Amount::thousandths(-250));
    assert!(matches!(Loaded::read(MindPart::Emotions, &json(r#"{"mood":7}"#)), Err(BadState::Part { .. })));
    assert_eq!(part_of(&json("[1]")), None);
}

/// AFS 4.1: what a state looks like to other programs.
#[test]
fn a_state_is_written_in_the_schema_of_the_protocol() {
    let mut room = TestRoom::new();
    let feel = Feel {
        session: "s".into(),
        mood: Some("focused".into()),
        anxiety: Some(Share::thousandths(200)),
        ..Feel::default()
    };
    room.agent(feel).expect("felt");
    let text = room.mind().text_of(MindPart::Emotions, &limits()).expect("feelings");
    let back: Emotions = serde_json::from_str(&text).expect("the same schema");
    assert_eq!(Some(&back), room.mind().emotions.as_ref());
    let think = Think { session: "s".into(), strategy: Some(Strategy::Prototype), ..Think::default() };
    assert_eq!(room.agent(think), Ok(vec!["cognitive.thought.stated", "cognitive.metacognition.updated"]));
    let text = room.mind().text_of(MindPart::Metacognition, &limits()).expect("a state");
    let keys: BTreeMap<String, serde_json::Value> = serde_json::from_str(&text).expect("an object");
    let keys: Vec<_> = keys.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "cognitive_load", "current_strategy", "flow_state", "help_seeking", "progress_status", "self_corrections",
            "spin_detection"
        ]
    );
}
