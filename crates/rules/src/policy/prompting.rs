//! Whether somebody else prompted what an agent looked up: the entry that a citation says it answers is there, and is not
//! the agent's own (control-room 11.2).

use super::credits::same_hands;
use crate::domain::Rooms;
use crate::domain::issue::Issue;
use annals_kernel::actor::SYSTEM;
use annals_kernel::grounding::{Citation, Trigger};
use annals_kernel::id::{AgentId, EntryId, IssueId};

/// Why something was looked up, where the entry that it answers shows it. Whose task it is to challenge a consensus was
/// asked by that task.
pub(super) fn prompted(rooms: &Rooms, id: &IssueId, citation: &Citation, agent: &AgentId) -> Option<Trigger> {
    let trigger = citation.trigger?;
    let has_task = || rooms.advocate.live(id).is_some_and(|task| task.agent == *agent);
    let is_asked = trigger == Trigger::ChallengeConsensus && has_task() || answers(rooms, id, citation, agent);
    is_asked.then_some(trigger)
}

/// Whether the entry that is named opened the issue or stands in its thread, by somebody else: the one who is said to have
/// asked, where that is said.
fn answers(rooms: &Rooms, id: &IssueId, citation: &Citation, agent: &AgentId) -> bool {
    let by = citation.trigger_ref.as_deref().and_then(|entry| author_of(rooms, id, entry));
    let Some(by) = by else { return false };
    let is_said = citation.triggered_by.as_ref().is_none_or(|said| said == by);
    is_said && by != agent && by.as_str() != SYSTEM && same_hands(rooms, by, agent).is_none()
}

/// Who said what stands in an entry of an issue.
fn author_of<'r>(rooms: &'r Rooms, id: &IssueId, entry: &str) -> Option<&'r AgentId> {
    let issue: &Issue = rooms.issue.issue(id)?;
    if entry == id.as_str() {
        return Some(&issue.author);
    }
    let entry = EntryId::parse(entry.as_bytes())?;
    issue.thread.iter().find(|remark| remark.id == entry).map(|remark| issue.author_of(remark))
}
