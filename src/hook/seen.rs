//! `local/seen.json`: which hooks were seen, how often and when last, so that `doctor` can tell installed from working.
//!
//! Counts are approximate: two hooks at the same moment count as one. Never a reason to fail. What it is given is clean
//! already: names of events that an agent has, and a session under the name that may be written.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Agent;
use crate::kernel::time::Timestamp;
use crate::log::disk::{Disk, Safety};
use crate::log::place::Place;

/// More names than this are not kept: they are not an agent's.
const MOST_EVENTS: usize = 100;

/// What was seen, by agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seen(pub BTreeMap<String, SeenAgent>);

/// What was seen of one agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenAgent {
    /// When last.
    pub last: Timestamp,
    /// The session's id in that tool.
    pub session: String,
    /// By event, as the agent names it; `other` for names that are none of its.
    pub events: BTreeMap<String, SeenEvent>,
}

/// What was seen of one event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenEvent {
    /// How often.
    pub count: u64,
    /// When last.
    pub last: Timestamp,
}

fn path(place: &Place) -> PathBuf {
    place.local().join("seen.json")
}

/// What was seen so far.
pub fn read(disk: &dyn Disk, place: &Place) -> io::Result<Seen> {
    let bytes = disk.read(&path(place))?;
    Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default())
}

/// Counts one event.
pub(super) fn note(
    disk: &dyn Disk,
    place: &Place,
    agent: Agent,
    event: &str,
    session: &str,
    at: Timestamp,
) -> io::Result<()> {
    let mut seen = read(disk, place)?;
    let of_agent = seen.0.entry(agent.name().to_owned()).or_default();
    (of_agent.last, of_agent.session) = (at, session.to_owned());
    if of_agent.events.len() < MOST_EVENTS || of_agent.events.contains_key(event) {
        let of_event = of_agent.events.entry(event.to_owned()).or_default();
        (of_event.count, of_event.last) = (of_event.count + 1, at);
    }
    let bytes = serde_json::to_vec(&seen).map_err(io::Error::other)?;
    disk.replace(&path(place), &bytes, Safety::Cached)
}
