//! Given / when / then for the report that is recorded when a session of the work begins and ends.

use serde_json::{Value, json};

use super::swarm::Swarm;
use crate::domain::moderation::event::Reported;
use crate::domain::{Event, moderation};
use crate::policy;

/// What is recorded besides, when a milestone begins and when it ends.
fn beside(swarm: &mut Swarm, kind: &str) -> [Vec<&'static str>; 2] {
    let begin = json!({ "kind": kind, "name": "one" });
    let begun = swarm.tells("mo", "milestones.milestone.begin", &begin).0;
    let ended = swarm.tells("mo", "milestones.milestone.end", &json!({ "kind": kind })).0;
    [begun, ended].map(|names| names.into_iter().skip(1).collect())
}

/// Control-room 9.2, 10.2.
/// Policy `health::session`.
#[test]
fn the_report_is_recorded_when_a_session_begins_and_ends_as_is_configured() {
    const REPORT: &[&str] = &["moderation.report.recorded"];
    const NONE: &[&str] = &[];
    for (is_enabled, frequency, expected) in [
        (true, "both", [REPORT, REPORT]),
        (true, "session-start", [REPORT, NONE]),
        (true, "session-end", [NONE, REPORT]),
        (false, "both", [NONE, NONE]),
    ] {
        let mut swarm = Swarm::new();
        swarm.set("sanity.moderator_session_report_enabled", is_enabled.into());
        swarm.set("sanity.moderator_report_frequency", frequency.into());
        assert_eq!(beside(&mut swarm, "session"), expected, "{is_enabled} {frequency}");
    }
}

/// Control-room 10.2: it is a report of sessions.
#[test]
fn chapters_and_acts_have_no_report() {
    let mut swarm = Swarm::new();
    for kind in ["chapter", "act"] {
        assert_eq!(beside(&mut swarm, kind), [vec![], vec![]] as [Vec<&str>; 2], "{kind}");
    }
}

/// Control-room 9.2.
#[test]
fn what_is_recorded_is_what_the_report_says_then() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &["stuck"]);
    swarm.tells("mo", "issues.issue.freeze", &json!({ "issue": issue, "reason": "a loop" }));
    let fields: Value = json!({ "kind": "session", "name": "one" });
    let decided = swarm.asks("mo", "milestones.milestone.begin", &fields, &json!({}));
    let report = policy::report(&swarm.world.rooms, &swarm.settings);
    assert_eq!((report.issues.frozen, report.issues.stuck), (1, 1));
    let expected = Event::Moderation(moderation::Event::Reported(Reported { report }));
    assert_eq!(decided.events.last(), Some(&expected));
}
