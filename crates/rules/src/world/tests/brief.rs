//! Given / when / then for the health report.

use serde_json::json;

use super::swarm::{Swarm, comment};
use crate::domain::moderation::report::{Blocking, Issues, SwarmReport};
use crate::policy::report;
use annals_kernel::decision::Refusal;
use annals_kernel::grounding::Stance;
use annals_kernel::id::AgentId;

impl Swarm {
    fn health(&self) -> SwarmReport {
        report(&self.world.rooms, &self.settings)
    }
}

/// Control-room 9.2.
#[test]
fn the_health_report_counts() {
    let mut swarm = Swarm::new();
    let healthy = swarm.health();
    assert_eq!((healthy.blocking, healthy.agents.len()), (None, 6));
    for tag in ["stuck", "needs-canon-review", "pacing"] {
        swarm.opens(tag, &[tag]);
    }
    let agreed = swarm.opens("Her eyes are amber", &["needs-canon-review", "stuck"]);
    for agent in ["anna", "bert"] {
        swarm.does(agent, comment(&agreed, Stance::Support, None, 2, &[]));
    }
    let frozen = swarm.opens("A loop", &[]);
    swarm.tells("mo", "issues.issue.freeze", &json!({ "issue": frozen, "reason": "a loop" }));
    let sick = swarm.health();
    assert_eq!(sick.issues, Issues { open: 4, frozen: 1, stuck: 2, ended: 0, pending_canon: 1 });
    assert_eq!(sick.notices, [(AgentId::from("user"), 1)].into());
    swarm.tells("user", "issues.issue.close", &json!({ "issue": agreed }));
    assert_eq!(swarm.health().issues, Issues { open: 3, frozen: 1, stuck: 1, ended: 1, pending_canon: 1 });
    swarm.set("sanity.enabled", false.into());
    let off = Refusal::of("roster.circuit_breakers_disabled", &json!({ "error": "CIRCUIT_BREAKERS_DISABLED" }));
    assert_eq!(swarm.health().blocking, Some(Blocking::Rule(off)));
}

/// Control-room 9.1, 9.2.
/// Policy `health::record`.
#[test]
fn the_moderator_can_record_the_report() {
    let mut swarm = Swarm::new();
    let recorded = swarm.tells("mo", "moderation.report.record", &json!({}));
    assert_eq!(recorded.0, ["moderation.report.called", "moderation.report.recorded"]);
    assert_eq!(swarm.tells("anna", "moderation.report.record", &json!({})).1, "moderation.not_privileged");
}
