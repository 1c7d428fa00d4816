//! Given / when / then for topics.

use serde_json::json;

use super::swarm::Swarm;
use crate::domain::Event;
use crate::domain::issue::meta::Meta;
use crate::domain::topic::{Event as Happened, Flagged, Topic};
use annals_kernel::id::IssueId;

impl Swarm {
    fn reads(&mut self, issue: &IssueId, times: usize) -> Vec<&'static str> {
        let mut names = Vec::new();
        for _ in 0..times {
            names.extend(self.tells("anna", "issues.issue.read", &json!({ "issue": issue })).0);
        }
        names
    }

    fn topic(&self, tag: &str) -> Topic {
        self.world.rooms.topic.topic(tag).copied().unwrap_or_default()
    }
}

/// Control-room 8.1.
/// Policies `topics::watch` and `topics::report`.
#[test]
fn a_tag_that_is_circled_without_results_is_reported_once_per_crossing() {
    let mut swarm = Swarm::new();
    let issues: Vec<_> = (0..5).map(|count| swarm.opens(&format!("Proposal {count}"), &["pacing"])).collect();
    let read = swarm.reads(&issues[0], 19);
    assert_eq!(read.iter().filter(|name| name.starts_with("topics.")).count(), 0);
    let crossing = ["issues.issue.accessed", "topics.tag.flagged", "issues.issue.raised", "notices.notice.posted"];
    assert_eq!(swarm.reads(&issues[0], 1), crossing);
    assert_eq!(swarm.reads(&issues[1], 1), ["issues.issue.accessed"], "once");
    assert_eq!(swarm.world.rooms.topic.totals.flagged, ["#pacing".into()].into());
    let report = swarm.world.rooms.issue.issues.iter().find_map(|(_, issue)| issue.meta.clone());
    let tag = "#pacing".into();
    assert_eq!(report, Some(Meta::Leech { tag, issues: 5, accesses: 20, applied: 0, irrelevant: 0 }));
    for issue in &issues[..3] {
        swarm.tells("user", "issues.issue.mark", &json!({ "issue": issue, "usefulness": "applied" }));
    }
    assert!(swarm.world.rooms.topic.totals.flagged.is_empty(), "3 of 21 is more than a tenth");
    let again = swarm.reads(&issues[0], 10);
    assert_eq!(again.iter().filter(|name| **name == "topics.tag.flagged").count(), 1, "and once more at 3 of 31");
}

#[test]
fn what_is_counted_is_said() {
    let mut swarm = Swarm::new();
    swarm.set("topics.leech_min_issues", 1.into());
    swarm.set("topics.leech_min_accesses", 2.into());
    let issue = swarm.opens("Proposal", &["pacing"]);
    swarm.reads(&issue, 1);
    let decided = swarm.asks("bert", "issues.issue.read", &json!({ "issue": issue }), &json!({}));
    let counts = Topic { issues: 1, accesses: 2, applied: 0, irrelevant: 0 };
    assert_eq!(decided.events[1], Event::Topic(Happened::Flagged(Flagged { tag: "#pacing".into(), counts })));
}

#[test]
fn an_issue_counts_under_the_tags_that_it_has_and_as_what_it_was_marked_last() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("Proposal", &["pacing"]);
    swarm.tells("user", "issues.issue.edit", &json!({ "issue": issue, "tags": ["tone", "pacing"], "untag": ["x"] }));
    swarm.tells("user", "issues.issue.read", &json!({ "issue": issue }));
    swarm.reads(&issue, 1);
    for usefulness in ["applied", "irrelevant"] {
        swarm.tells("user", "issues.issue.mark", &json!({ "issue": issue, "usefulness": usefulness }));
    }
    let both = Topic { issues: 1, accesses: 1, applied: 0, irrelevant: 1 };
    assert_eq!([swarm.topic("#pacing"), swarm.topic("#tone")], [both, both]);
    swarm.tells("user", "issues.issue.edit", &json!({ "issue": issue, "untag": ["tone"] }));
    assert_eq!(swarm.topic("#tone").issues, 0);
}

#[test]
fn issues_about_the_swarm_and_a_swarm_that_does_not_want_it_are_left_alone() {
    let mut swarm = Swarm::new();
    swarm.set("topics.leech_min_issues", 1.into());
    swarm.set("topics.leech_min_accesses", 1.into());
    let meta = swarm.raises();
    swarm.tells("mo", "issues.issue.edit", &json!({ "issue": meta, "tags": ["pacing"] }));
    assert_eq!(swarm.reads(&meta, 1), ["issues.issue.accessed"]);
    assert_eq!(swarm.topic("#pacing"), Topic::default());
    swarm.set("sanity.leech_detection_enabled", false.into());
    let issue = swarm.opens("Proposal", &["pacing"]);
    assert_eq!(swarm.reads(&issue, 1), ["issues.issue.accessed"]);
}
