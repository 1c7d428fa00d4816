//! From the normal form to the log: joins the two ends of a call, and ends what can no longer end by itself.
//!
//! Does not fold. Does not decide what the agent is told; `run` does.

use std::path::Path;

use crate::engine::calls::{CallKey, Marks, OpenCall};
use crate::engine::intercept::Unfinished;
use crate::engine::settings::{CALL_LIMIT_MINUTES, KEEP_UNKNOWN};
use crate::engine::{Engine, EngineError};
use crate::import::places::Places;
use crate::import::unread::Keeping;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::time::Timestamp;

use super::entries::{Entries, record_of};
use super::event::{Begin, Call, Ending, ToldEvent, What};
use super::{claude_code, codex, rollout};

/// Whether what was recorded is to be signed now: a session has ended, or one that had not was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sealing {
    Due,
    NotDue,
}

/// Records one event.
pub(super) struct Recorder<'e> {
    pub(super) engine: &'e Engine,
    pub(super) entries: Entries<'e>,
    /// Where the agent keeps the session itself.
    pub(super) transcript: Option<&'e Path>,
    /// What paths are shortened by.
    pub(super) places: Places,
}

impl Recorder<'_> {
    /// Records what happened. It counts when this returns.
    pub(super) fn record(&self, what: &What) -> Result<Sealing, EngineError> {
        match what {
            What::SessionBegins(begin) => self.session_begins(begin),
            What::SessionEnds { reason } => {
                // Calls end before their session does, so that none stands behind its end.
                self.recover(Unfinished::WithSession(&self.session()))?;
                self.note(vec![self.entries.session_end(reason)])?;
                self.engine.forget_marks(Marks::Of(&self.session()))?;
                Ok(Sealing::Due)
            }
            What::ChildBegins { .. }
            | What::ChildEnds { .. }
            | What::BackgroundEnds(_)
            | What::TurnEnds
            | What::Interrupted
            | What::Typed(_)
            | What::Said(_)
            | What::CallBegins(_)
            | What::CallEnds(..)
            | What::CallsAnswered(_)
            | What::Compacted { .. }
            | What::ServiceFailed { .. }
            | What::Unknown
            | What::Nothing => self.within(what).map(|()| Sealing::NotDue),
        }
    }

    /// Records what happened while a session went on.
    fn within(&self, what: &What) -> Result<(), EngineError> {
        let entries = &self.entries;
        match what {
            What::ChildBegins { agent_type } => {
                let parent_call = self.parent_call(agent_type.as_deref())?;
                self.note(vec![entries.child_start(agent_type.as_deref(), parent_call.as_deref())])
            }
            What::ChildEnds { said } => {
                self.recover(Unfinished::WithSession(&self.session()))?;
                let said = said.as_deref().map(|text| entries.said(text));
                self.note(said.into_iter().chain([entries.session_end("stop")]).collect())?;
                self.engine.forget_marks(Marks::Of(&self.session()))
            }
            What::Interrupted => {
                self.recover(Unfinished::InSession(&self.session()))?;
                self.note(vec![entries.interrupt()])
            }
            What::Typed(typed) => {
                self.turn_down(Unfinished::BeforePrompt(&self.session(), entries.place.prompt.as_deref()))?;
                self.note(vec![entries.typed(typed)])
            }
            What::Said(text) => {
                self.turn_ends()?;
                self.note(vec![entries.said(text)])
            }
            What::CallBegins(call) => self.call_begins(call),
            What::CallEnds(call, ending) => self.call_ends(call, ending),
            What::CallsAnswered(calls) => self.calls_answered(calls),
            What::Compacted { trigger, summary } => {
                self.note(vec![entries.compaction(trigger.as_deref(), summary.as_deref())])
            }
            What::ServiceFailed { error } => self.note(vec![entries.api_error(error)]),
            What::Unknown => self.note(entries.unknown(self.keeping()).into_iter().collect()),
            What::BackgroundEnds(end) => self.note(vec![entries.background_end(end)]),
            What::TurnEnds => self.turn_ends(),
            What::SessionBegins(_) | What::SessionEnds { .. } | What::Nothing => Ok(()),
        }
    }

    fn keeping(&self) -> Keeping {
        if self.engine.settings().get(&KEEP_UNKNOWN) { Keeping::Whole } else { Keeping::Counts }
    }

    fn note(&self, entries: Vec<HistoryEntry>) -> Result<(), EngineError> {
        self.engine.note(entries.into_iter().map(|entry| self.places.shorten(entry)).collect()).map(drop)
    }

    /// Ends what can no longer end by itself; returns how many calls that were.
    fn recover(&self, which: Unfinished<'_>) -> Result<usize, EngineError> {
        let interrupted = |open: OpenCall| self.accounted(&open).unwrap_or(open.entry);
        self.engine.end_calls(which, self.entries.at, &interrupted)
    }

    fn turn_ends(&self) -> Result<(), EngineError> {
        let prompt = self.entries.place.prompt.as_deref();
        prompt.map_or(Ok(()), |prompt| self.turn_down(Unfinished::OfOtherPrompt(&self.session(), prompt)).map(drop))
    }

    /// Ends calls that still wait for a person's "yes" when that person goes on with something else.
    fn turn_down(&self, which: Unfinished<'_>) -> Result<usize, EngineError> {
        let no = |open: OpenCall| self.accounted(&open).unwrap_or_else(|| self.entries.turned_down(open.entry));
        self.engine.end_calls(which, self.entries.at, &no)
    }

    /// The end of an open call of this session as its transcript tells it, where that can be read.
    fn accounted(&self, open: &OpenCall) -> Option<HistoryEntry> {
        let is_told = self.entries.place.kind == codex::KIND && open.entry.session_id == self.session();
        let rollout = self.transcript.filter(|_| is_told)?;
        let call = Call::of_entry(&open.entry)?;
        let verdict = rollout::account(&**self.engine.disk(), rollout, call.id.as_deref()?).verdict?;
        let ending = Ending { verdict, output: None, duration_ms: None, told: ToldEvent::Plainly };
        Some(self.entries.ended(&call, &ending, Some(open.entry.timestamp)))
    }

    fn session(&self) -> SessionId {
        self.entries.place.session()
    }

    /// What was open when this session was last left, or very long ago in any session, can no longer end.
    fn session_begins(&self, begin: &Begin) -> Result<Sealing, EngineError> {
        let limit = self.engine.settings().get(&CALL_LIMIT_MINUTES).saturating_mul(60_000);
        let limit = self.entries.at.plus_millis(-i64::try_from(limit).unwrap_or(i64::MAX));
        let recovered =
            self.recover(Unfinished::WithSession(&self.session()))? + self.recover(Unfinished::BegunBefore(limit))?;
        self.note(self.entries.session_start(begin))?;
        self.engine.forget_marks(Marks::Of(&self.session()))?;
        self.engine.forget_marks(Marks::Before(limit))?;
        Ok(if recovered > 0 { Sealing::Due } else { Sealing::NotDue })
    }

    /// Keeps the beginning of a call; no lock is taken for it.
    fn call_begins(&self, call: &Call) -> Result<(), EngineError> {
        let mut key = self.key(call);
        if call.id.is_none() {
            let (at, chance) = (self.entries.at.millis(), self.engine.clock().chance() & 0xffff_ffff);
            // In the order of their times, so that of equal calls the oldest ends first (docs/HOOKS.md).
            key = key.numbered(format!("{at:013}-{chance:08x}"));
        }
        let place = self.entries.place;
        let open = OpenCall {
            parent: place.parent(),
            prompt: place.prompt.clone(),
            entry: self.places.shorten(self.entries.begun(call)),
        };
        self.engine.begin_call(&key, open)
    }

    fn key(&self, call: &Call) -> CallKey {
        CallKey::of(&self.session(), &record_of(call))
    }

    /// The beginning of a call, if it was seen: its key, and when it was.
    fn beginning(&self, call: &Call) -> Result<Option<(CallKey, Timestamp)>, EngineError> {
        let key = match &call.id {
            Some(_) => Some(self.key(call)),
            None => self.engine.first_numbered(&self.key(call))?,
        };
        let Some(key) = key else { return Ok(None) };
        Ok(self.engine.open_call(&key)?.map(|open| (key, open.entry.timestamp)))
    }

    fn call_ends(&self, call: &Call, ending: &Ending) -> Result<(), EngineError> {
        let beginning = self.beginning(call)?;
        // Where hooks are installed twice, each of them tells of it.
        if beginning.is_none() && call.id.is_some() && self.engine.has_ended(&self.key(call))? {
            return Ok(());
        }
        self.finish(call, ending, beginning)
    }

    /// A call of whose end another hook has told has its entry. What is left was refused before it ran, most often.
    fn calls_answered(&self, calls: &[(Call, Ending)]) -> Result<(), EngineError> {
        let mut answered = Vec::new();
        for (call, ending) in calls.iter().filter(|(call, _)| call.id.is_some()) {
            let key = self.key(call);
            if !self.engine.has_ended(&key)? {
                self.finish(call, ending, self.beginning(call)?)?;
            }
            answered.push(key);
        }
        self.engine.forget_marks(Marks::Ended(&self.session(), &answered))
    }

    fn finish(&self, call: &Call, ending: &Ending, beginning: Option<(CallKey, Timestamp)>) -> Result<(), EngineError> {
        let began = beginning.as_ref().map(|(_, at)| *at);
        let (judged, ending) = self.judged(call, ending.clone());
        self.note(vec![self.entries.ended(&judged, &ending, began)])?;
        self.expect_child(call, &ending)?;
        // In this order a crash between the two leaves a call that ends a second time, and none that is lost.
        self.has_ended(call, beginning.map(|(key, _)| key))
    }

    /// Whether a call has failed, as far as the hook or the transcript says so.
    pub(super) fn has_failed(&self, what: &What) -> bool {
        if let What::CallEnds(call, ending) = what
            && ending.told == ToldEvent::OutputOnly
        {
            return self.judged(call, ending.clone()).1.has_failed();
        }
        what.has_failed_call()
    }

    /// Records a call that Annals itself refused.
    pub(super) fn denied(&self, call: &Call, reason: &str, decision: Option<EntryId>) -> Result<(), EngineError> {
        self.note(vec![self.entries.denied(call, reason, decision)])?;
        self.has_ended(call, None)
    }

    /// The entry of a call's end is written. Some agents tell of it once more.
    pub(super) fn has_ended(&self, call: &Call, open: Option<CallKey>) -> Result<(), EngineError> {
        if self.entries.place.kind == claude_code::KIND && call.id.is_some() {
            return self.engine.mark_ended(&self.key(call));
        }
        open.map_or(Ok(()), |key| self.engine.forget_call(&key))
    }

    /// What the transcript says of a call of which the hook does not tell how it ended.
    fn judged(&self, call: &Call, ending: Ending) -> (Call, Ending) {
        let known = (ending.told == ToldEvent::OutputOnly).then_some(()).and(self.transcript).zip(call.id.as_deref());
        let Some((rollout, id)) = known else { return (call.clone(), ending) };
        let account = rollout::account(&**self.engine.disk(), rollout, id);
        let call = account.tool.map_or_else(|| call.clone(), |tool| codex::renamed(call.clone(), &tool));
        let ending = match account.verdict {
            Some(verdict) => Ending { told: ToldEvent::Plainly, verdict, ..ending },
            None => ending,
        };
        (call, ending)
    }
}
