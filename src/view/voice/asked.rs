//! What waits for an agent, and what the last session left open. Numbers, ids and our own words alone: whoever wrote a title
//! or a question, nobody reads it here.

use super::PieceText;
use crate::domain::Rooms;
use crate::domain::voice::command::PieceTopic;
use crate::kernel::counted::counted;
use crate::kernel::id::{AgentId, EntryId, SessionId};

/// So many rows of a table are looked at: the latest.
const LOOKED_AT: usize = 200;
/// So many sessions are looked at for one before this: the latest may all be sub-agents of one.
const SESSIONS_LOOKED_AT: usize = 50;
/// So many of them at first.
const FIRST_LOOKED_AT: usize = 4;

/// What this agent is asked for.
pub(super) fn asked(rooms: &Rooms, agent: &AgentId) -> Option<PieceText> {
    let named = [
        (rooms.blind.asked_of(agent).count(), "blind opinion", "annals agent brief"),
        (rooms.advocate.live_of(agent).len(), "dissent task", "annals agent brief"),
        (rooms.council.awaiting(agent, &rooms.roster.standing(agent), LOOKED_AT).len(), "vote", "annals council list"),
        (assigned(rooms, agent), "issue", "annals issue list"),
    ];
    let waiting = named.iter().filter(|(count, ..)| *count > 0);
    let waits: Vec<_> =
        waiting.map(|(count, name, which)| format!("{} (`{which}`)", counted(*count as u64, name))).collect();
    let text = format!("Waits for you: {}.", waits.join(", "));
    (!waits.is_empty()).then(|| PieceText::own(PieceTopic::Asked, format!("asked/{text}"), text))
}

/// Open issues that somebody gave to an agent.
fn assigned(rooms: &Rooms, agent: &AgentId) -> usize {
    let issues = rooms.issue.issues.first_by_rank(LOOKED_AT).into_iter();
    issues.filter(|(_, issue)| !issue.status.has_ended() && issue.assignee.as_ref() == Some(agent)).count()
}

/// What the last session before this one left failing: checks, and errors that came again.
pub(super) fn left_open(rooms: &Rooms, session: Option<&SessionId>) -> Option<PieceText> {
    let before = |most| {
        let known = rooms.session.sessions.first_by_rank(most).into_iter();
        { known }.find(|(id, known)| Some(*id) != session && known.parent_session_id.is_none())
    };
    // Each row is read from the disk: most often it is one of the first.
    let (id, last) = before(FIRST_LOOKED_AT).or_else(|| before(SESSIONS_LOOKED_AT))?;
    let checks = rooms.cognition.minds.get(id.as_str()).map_or(0, |mind| mind.watch.loops.len());
    let errors = repeated(rooms, id);
    let named = [(checks, "failing check"), (errors, "repeated error")];
    let left: Vec<_> =
        named.iter().filter(|(count, _)| *count > 0).map(|(count, name)| counted(*count as u64, name)).collect();
    if left.is_empty() {
        return None;
    }
    // An id that another program gave may be any text.
    let show = match id.as_str().parse::<EntryId>() {
        Ok(id) => format!("annals session show {id}"),
        Err(_) => "annals session list".to_owned(),
    };
    let (left, day) = (left.join(" and "), last.updated_at.day());
    let text = format!("Left open by the last session ({day}): {left} (`{show}`).");
    Some(PieceText::own(PieceTopic::Open, format!("open/{id}/{left}"), text))
}

/// Errors that came more than once in a session, and whose calls have not worked there since.
fn repeated(rooms: &Rooms, session: &SessionId) -> usize {
    let Some(trail) = rooms.dialectic.trails.get(session.as_str()) else { return 0 };
    let mut tasks: Vec<_> = trail.open.iter().map(|open| rooms.dialectic.root(&open.task)).collect();
    tasks.sort();
    tasks.dedup();
    let tasks = tasks.iter().filter_map(|id| rooms.dialectic.task(id));
    tasks.flat_map(annals_rules::domain::dialectic::DebatedTask::repeated).filter(|run| run.session == *session).count()
}
