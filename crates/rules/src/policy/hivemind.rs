//! Hivemind among the other rooms: at the end of a session, and with a tick of the resident agent, it is said what has
//! expired (AFS 13.2, decision 21).

use super::Setting;
use crate::domain::hivemind::settings::CHECK_INTERVAL;
use crate::domain::{Event, Rooms, resident, session};

/// So many expiries are announced at once; the next end or tick, or `annals hivemind expire`, announces more.
const MOST: usize = 8;

/// Announces expiries when a session is completed, unless that was done a short time ago.
pub(super) fn expire(rooms: &Rooms, _: &session::event::Completed, setting: &Setting<'_>) -> Vec<Event> {
    announced(rooms, setting)
}

/// The same with a tick, so that a world without sessions hears of it, too.
pub(super) fn expire_by_tick(rooms: &Rooms, _: &resident::event::Ticked, setting: &Setting<'_>) -> Vec<Event> {
    announced(rooms, setting)
}

fn announced(rooms: &Rooms, setting: &Setting<'_>) -> Vec<Event> {
    let (now, interval) = (setting.moment.at, setting.moment.settings.get(&CHECK_INTERVAL));
    let last = rooms.hivemind.totals.announced_at;
    if rooms.hivemind.totals.all() == 0 || last.is_some_and(|last| now.since(last) < interval) {
        return Vec::new();
    }
    rooms.hivemind.expiries(now, MOST).into_iter().map(|expired| Event::Hivemind(expired.into())).collect()
}
