//! Records payloads that have waited.

use std::path::{Path, PathBuf};

use super::super::Agent;
use super::super::entries::Entries;
use super::super::event::What;
use super::super::payload::Payload;
use super::super::record::Recorder;
use super::super::spool::WaitingPayload;
use crate::engine::{Engine, EngineError};
use crate::import::places::Places;
use crate::kernel::time::Timestamp;

/// What paths are shortened by.
pub(super) fn places(engine: &Engine, home: Option<&str>) -> Places {
    let project = engine.place().context().parent().map(|path| path.to_string_lossy().into_owned());
    Places::of(project.as_deref(), home)
}

/// Records a payload that has waited, with the time at which it came.
pub(in crate::hook) fn record_late(engine: &Engine, agent: Agent, waiting: &WaitingPayload) -> Result<(), EngineError> {
    let Some(payload) = agent.payload(&waiting.payload) else { return Ok(()) };
    let event = agent.read(&payload).renamed(|name| engine.clean_name(name));
    let (place, at, transcript): (_, Timestamp, Option<PathBuf>) = (&event.place, waiting.at, transcript(&payload));
    let entries = Entries { place, at, payload: &waiting.payload };
    let places = places(engine, waiting.home.as_deref());
    let recorder = Recorder { engine, entries, transcript: transcript.as_deref().map(Path::new), places };
    match (&event.what, &waiting.denied) {
        (What::CallBegins(call), Some(reason)) => recorder.denied(call, reason, None),
        // The call has long begun; its end, if it comes, says all of it.
        (What::CallBegins(_), None) => Ok(()),
        (what, _) => recorder.record(what).map(drop),
    }
}

pub(super) fn transcript(payload: &Payload<'_>) -> Option<PathBuf> {
    payload.transcript_path.name().map(|path| PathBuf::from(path.as_ref()))
}
