//! What would have been under another configuration (DESIGN 1): `replay --set sanity.preset=strict`.

use annals::kernel::settings::Settings;
use annals::world::otherwise::{Course, Missing, Overlay};
use serde_json::{Value, json};

use super::desk::{Desk, REASONS, rule};

fn overlay(values: &[(&str, Value)]) -> Overlay {
    let mut settings = Settings::default();
    for (key, value) in values {
        settings.set(key, Some(value.clone()));
    }
    Overlay(settings)
}

/// The rule that would have stopped a command, where another outcome would have come.
fn told(course: Course) -> Option<String> {
    match course {
        Course::AsRecorded => None,
        Course::Otherwise(difference) => {
            let refusal = difference.replayed.and_then(|outcome| outcome.refusal);
            Some(refusal.map_or_else(|| "taken".to_owned(), |refusal| refusal.rule.to_string()))
        }
        Course::Undecidable(Missing::Thing(name)) => Some(format!("without {name}")),
        Course::Undecidable(Missing::Proof) => Some("without proof".to_owned()),
    }
}

#[test]
fn a_stricter_preset_stops_more() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    for actor in ["critic", "writer", "critic"] {
        assert_eq!(rule(&desk.comment(actor, &issue)), None);
    }
    let mut told: Vec<_> =
        desk.otherwise(&overlay(&[("sanity.preset", json!("strict"))])).into_iter().map(told).collect();
    let last = told.pop().expect("a line");
    assert_eq!(last.as_deref(), Some("breakers.comment-budget-exceeded"), "the second comment of one agent");
    assert!(told.iter().all(Option::is_none), "{told:?}");
}

/// Taken alone, the last comment would come out as it was recorded: only in the world where the first was taken, too, is it
/// the third of its agent.
#[test]
fn what_follows_is_decided_in_the_world_that_would_have_been() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let short = desk.ask("critic", "issues.comment.add", &json!({ "issue": issue, "body": "Agreed." }));
    assert_eq!(rule(&short), Some("breakers.insufficient-substance"));
    assert_eq!(rule(&desk.comment("critic", &issue)), None);
    assert_eq!(rule(&desk.comment("critic", &issue)), None);
    let laid = overlay(&[("sanity.min_comment_length", json!(0)), ("sanity.min_unique_words", json!(0))]);
    let told: Vec<_> = desk.otherwise(&laid).into_iter().map(told).collect();
    let last: Vec<_> = told[told.len() - 3..].iter().map(Option::as_deref).collect();
    assert_eq!(last, [Some("taken"), None, Some("breakers.comment-budget-exceeded")]);
}

#[test]
fn a_command_about_what_never_came_to_be_can_no_longer_be_decided() {
    let mut desk = Desk::staffed();
    let opened = desk.expect("user", "issues.issue.open", &json!({ "title": "Timeline", "body": REASONS }));
    let data: Value = opened.events[0].data().read().expect("JSON");
    let issue = data["issue"].as_str().expect("an issue").to_owned();
    let comment = desk.ask("critic", "issues.comment.add", &json!({ "issue": issue, "body": REASONS }));
    assert_eq!(rule(&comment), None);
    let other = desk.expect("user", "issues.issue.open", &json!({ "title": "Stack" }));
    assert_eq!(other.refusal, None);
    let told: Vec<_> = desk.otherwise(&overlay(&[("issues.max_length", json!(20))])).into_iter().map(told).collect();
    let without = format!("without {issue}");
    let last: Vec<_> = told[told.len() - 3..].iter().map(Option::as_deref).collect();
    assert_eq!(last, [Some("issues.too_long"), Some(without.as_str()), Some("taken")], "the last has another number");
}

#[test]
fn a_token_that_nobody_asked_for_is_missing() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    assert_eq!(rule(&desk.comment("critic", &issue)), None);
    let told: Vec<_> =
        desk.otherwise(&overlay(&[("roster.require_token", json!(true))])).into_iter().map(told).collect();
    assert_eq!(told.last().expect("a line").as_deref(), Some("without proof"));
}
