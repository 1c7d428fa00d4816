//! Which session a text stands for: its id, either end of it, or the id that its own tool gave it.

use anyhow::anyhow;

use super::shell::Usage;
use crate::domain::session::Session;
use crate::engine::live::Live;
use crate::kernel::id::SessionId;
use crate::world::World;

/// A session by its id, the beginning or end of it, or the id that its own tool gave it.
pub fn find_session(live: &mut Live, text: &str) -> anyhow::Result<SessionId> {
    session_by(text, |question| Ok(live.ask(question)?))
}

/// A question to the world that finds sessions.
type Search<'q> = dyn FnMut(&World) -> Vec<SessionId> + 'q;

/// The longer a text is, the less it can stand for an old session, too, when a recent one fits.
pub(super) fn session_by(
    text: &str,
    mut ask: impl FnMut(&mut Search<'_>) -> anyhow::Result<Vec<SessionId>>,
) -> anyhow::Result<SessionId> {
    const TELLING: usize = 8;
    const RECENT: usize = 200;
    let exact = SessionId::from(text);
    let same = |world: &World| world.rooms.session.session(&exact).map(|_| exact.clone()).into_iter().collect();
    let recent = |world: &World| those_like(text, world.rooms.session.sessions.first_by_rank(RECENT));
    let any = |world: &World| those_like(text, world.rooms.session.sessions.iter());
    let mut found = ask(&mut { same })?;
    if found.is_empty() && text.len() >= TELLING {
        found = ask(&mut { recent })?;
    }
    if found.len() != 1 {
        found = ask(&mut { any })?;
    }
    match found.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(anyhow!(Usage(format!("there is no session {text}; `annals session list` shows those there are")))),
        several => Err(anyhow!(Usage(format!("{text} stands for {} sessions; give more of the id", several.len())))),
    }
}

fn those_like<'w>(text: &str, sessions: impl IntoIterator<Item = (&'w SessionId, &'w Session)>) -> Vec<SessionId> {
    let upper = text.to_ascii_uppercase();
    let is_part = |id: &str| [text, &upper].iter().any(|part| id.starts_with(*part) || id.ends_with(*part));
    let is_native = |session: &Session| session.native.as_ref().is_some_and(|(_, native)| native.starts_with(text));
    let fits = sessions.into_iter().filter(|(id, session)| is_part(id.as_str()) || is_native(session));
    fits.map(|(id, _)| id.clone()).collect()
}
