//! What an agent is told after a call has failed as it failed before.

use super::PieceText;
use crate::domain::Rooms;
use crate::domain::voice::command::PieceTopic;
use crate::kernel::id::SessionId;

/// The words at the second equal failure in a session, and at each doubling: who is told at every one hears none. Numbers
/// and our own words alone.
pub fn failure(rooms: &Rooms, session: &SessionId) -> Vec<PieceText> {
    let trail = rooms.dialectic.trails.get(session.as_str());
    let tasks = trail.iter().flat_map(|trail| trail.open.iter().map(|open| rooms.dialectic.root(&open.task)));
    let known = tasks.filter_map(|id| rooms.dialectic.task(&id));
    let runs = known.flat_map(|task| &task.runs).filter(|run| run.session == *session && run.count >= 2);
    let Some(run) = runs.max_by_key(|run| run.entry).filter(|run| run.count.is_power_of_two()) else {
        return Vec::new();
    };
    let text = format!(
        "The same error has come {} times in this session, and nothing has put it right. Before another attempt say what \
         is different this time, and what would show that the approach is wrong. `annals debate failures` lists what was \
         tried; `annals debate request` has it argued.",
        run.count
    );
    vec![PieceText::own(PieceTopic::Gate, format!("gate/{}/{}", run.fingerprint, run.count), text)]
}
