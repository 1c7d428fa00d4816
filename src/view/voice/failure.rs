//! What an agent is told after a call has failed as it failed before.

use super::PieceText;
use crate::domain::Rooms;
use crate::domain::voice::command::PieceTopic;
use crate::kernel::counted::counted;
use crate::kernel::id::{EntryId, SessionId};

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
    let gate = PieceText::own(PieceTopic::Gate, format!("gate/{}/{}", run.fingerprint, run.count), text);
    std::iter::once(gate).chain(ended(rooms, &run.fingerprint)).collect()
}

/// What ended the same error before: where to look, because what was called and changed there are words of the log.
fn ended(rooms: &Rooms, fingerprint: &str) -> Option<PieceText> {
    let end = rooms.dialectic.ends.get(fingerprint)?;
    // An id that another program gave may be any text.
    let session =
        end.session.as_str().parse::<EntryId>().map_or_else(|_| String::new(), |id| format!(" --session {id}"));
    let text = format!(
        "This error has ended {} before. What was done the last time, from the failure to the success: `annals log \
         --all{session} --since {} --until {}`.",
        counted(end.times.into(), "time"),
        end.failed_at,
        end.at
    );
    Some(PieceText::own(PieceTopic::Ended, format!("ended/{fingerprint}/{}", end.worked), text))
}
