//! What a hook answers: what is known, told to the agent at the right moment, and recorded.
//!
//! Never a reason to fail: what cannot be recorded is not told. `view::voice` chooses and words; this asks and decides.

use crate::analysis::claims_success;
use crate::analysis::step::Record;
use crate::domain::voice::command::{Give, MuteSpan, Occasion, Piece};
use crate::domain::voice::settings::{AtStop, ENABLED, LEAVE_OUT, STOP, SUB_AGENTS, budget};
use crate::domain::voice::{self, ToldSession};
use crate::engine::query::expand::Expansion;
use crate::engine::query::filter::Filter;
use crate::engine::settings::INTERCEPTION;
use crate::engine::{Engine, EngineError};
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::record::Input;
use crate::view::story;
use crate::view::voice as words;
use crate::view::voice::{Fitted, Listener, PieceText, Quoted};

use super::HookAnswer;
use super::event::{HookEvent, Typed, What};
use super::record::Recorder;

/// What a payload says beside the event.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Said {
    /// A session goes on behind a compaction: what was told before is gone.
    pub(crate) is_compacted: bool,
    /// The agent was kept from stopping once already.
    pub(crate) was_blocked: bool,
}

/// One answer in the making.
pub(super) struct Voice<'v> {
    pub(super) engine: &'v Engine,
    pub(super) recorder: Recorder<'v>,
    pub(super) event: &'v HookEvent,
    pub(super) said: Said,
}

impl Voice<'_> {
    /// What the agent, or the person, is told.
    pub(super) fn answer(&self) -> Result<HookAnswer, EngineError> {
        let settings = self.engine.settings();
        if !self.is_heard() || !settings.get(&INTERCEPTION) {
            return Ok(HookAnswer::Go);
        }
        let Some(occasion) = self.occasion() else { return Ok(HookAnswer::Go) };
        match (&self.event.what, budget(occasion)) {
            (What::Said(text), _) => self.at_stop(text),
            (_, Some(budget)) if settings.get(budget) > 0 => self.context(occasion, settings.get(budget)),
            _ => Ok(HookAnswer::Go),
        }
    }

    /// Whether words reach anybody here: the voice is on, and sub-agents are told where that is set.
    fn is_heard(&self) -> bool {
        let settings = self.engine.settings();
        settings.get(&ENABLED) && (self.event.place.root.is_none() || settings.get(&SUB_AGENTS))
    }

    fn occasion(&self) -> Option<Occasion> {
        match &self.event.what {
            _ if self.said.is_compacted => Some(Occasion::Start),
            What::SessionBegins(_) | What::ChildBegins { .. } => Some(Occasion::Start),
            What::Typed(Typed::Prompt(_)) => Some(Occasion::Prompt),
            what @ (What::CallEnds(..) | What::CallsAnswered(_)) => {
                self.recorder.has_failed(what).then_some(Occasion::Failure)
            }
            What::Said(_) => Some(Occasion::Stop),
            What::SessionEnds { .. }
            | What::ChildEnds { .. }
            | What::Typed(Typed::Command { .. } | Typed::Shell(_))
            | What::BackgroundEnds(_)
            | What::TurnEnds
            | What::Interrupted
            | What::CallBegins(_)
            | What::Compacted { .. }
            | What::ServiceFailed { .. }
            | What::Nothing
            | What::Unknown => None,
        }
    }

    fn context(&self, occasion: Occasion, budget: u32) -> Result<HookAnswer, EngineError> {
        let session = self.event.place.session();
        let (pieces, told) =
            self.engine.ask(|world| (self.pieces(&world.rooms, occasion), told(&world.rooms, &session)))?;
        let fitted = self.tell(occasion, pieces, told.as_ref(), budget)?;
        Ok(fitted.map_or(HookAnswer::Go, |fitted| self.beside(&fitted)))
    }

    /// What an agent reads beside what it is given anyway.
    fn beside(&self, fitted: &Fitted) -> HookAnswer {
        HookAnswer::Context { event: self.event.name.clone(), text: fitted.text() }
    }

    /// Records what of some pieces is new, wanted and within a budget; none where there is nothing, where a person wants
    /// silence, or where it cannot be recorded: then it is not told.
    fn tell(
        &self,
        occasion: Occasion,
        pieces: Vec<PieceText>,
        told: Option<&ToldSession>,
        budget: u32,
    ) -> Result<Option<Fitted>, EngineError> {
        if pieces.is_empty() || self.is_silent(told)? {
            return Ok(None);
        }
        let fitted = fitted(self.engine, pieces, told.filter(|_| !self.said.is_compacted), budget)?;
        if fitted.is_empty() {
            return Ok(None);
        }
        let given = fitted.pieces.iter().map(PieceText::piece).collect();
        let is_recorded = self.give(occasion, given, fitted.others.saturating_add(fitted.over))?;
        Ok(Some(fitted).filter(|_| is_recorded))
    }

    fn pieces(&self, rooms: &crate::domain::Rooms, occasion: Occasion) -> Vec<PieceText> {
        let (at, settings) = (self.engine.clock().now(), self.engine.settings());
        let session = self.event.place.session();
        let listener = Listener { agent: &self.event.place.agent, session: Some(&session), at, settings };
        match (occasion, &self.event.what) {
            (Occasion::Start, _) => words::start(rooms, listener),
            (Occasion::Prompt, What::Typed(Typed::Prompt(text))) => words::prompt(rooms, &session, text, listener),
            (Occasion::Failure, _) => words::failure(rooms, &session),
            (Occasion::Prompt | Occasion::Stop | Occasion::Call, _) => Vec::new(),
        }
    }

    /// A word before a call; where it is told in the answer that lets the call run, the agent reads it with what came of it.
    pub(super) fn before_call(&self, piece: PieceText) -> Result<HookAnswer, EngineError> {
        if !self.is_heard() {
            return Ok(HookAnswer::Go);
        }
        let session = self.event.place.session();
        let told = self.engine.ask(|world| told(&world.rooms, &session))?;
        let fitted = self.tell(Occasion::Call, vec![piece], told.as_ref(), u32::MAX)?;
        Ok(fitted.map_or(HookAnswer::Go, |fitted| self.beside(&fitted)))
    }

    /// Whether a person wants silence. One for a prompt covers the next prompt and what follows it.
    fn is_silent(&self, told: Option<&ToldSession>) -> Result<bool, EngineError> {
        let Some(silence) = told.and_then(|told| told.silence) else { return Ok(false) };
        if silence.span == MuteSpan::Session {
            return Ok(true);
        }
        let session = Some(self.event.place.session());
        let (kinds, since) = (vec![Input::Prompt.name().to_owned()], EntryId::new(silence.at, 0));
        let filter = Filter { session, names: kinds, since, ..Filter::default() };
        Ok(self.engine.reader()?.newest(&filter, 2)?.len() < 2)
    }

    /// Whether it is in the log now: nothing is told that nobody can read there.
    fn give(&self, occasion: Occasion, pieces: Vec<Piece>, withheld: u32) -> Result<bool, EngineError> {
        let session = self.event.place.session();
        let command = voice::Command::from(Give { session: session.clone(), occasion, pieces, withheld });
        Ok(self.engine.decide_due(command, &session)?.entry.is_some())
    }

    /// A claim that the record contradicts is told once: to the person, or, where that is set, to the agent.
    fn at_stop(&self, text: &str) -> Result<HookAnswer, EngineError> {
        let at_stop = self.engine.settings().get(&STOP);
        if at_stop == AtStop::Off {
            return Ok(HookAnswer::Go);
        }
        // Most messages claim nothing, and cost no reading of the record.
        let contradicted = if claims_success(text) { self.contradicted()? } else { None };
        let is_block = at_stop == AtStop::Block && !self.said.was_blocked;
        match contradicted.map(|fitted| fitted.text()) {
            Some(text) if is_block => Ok(HookAnswer::Block(text)),
            Some(text) => Ok(HookAnswer::Tell(text)),
            None => self.waiting(),
        }
    }

    fn contradicted(&self) -> Result<Option<Fitted>, EngineError> {
        let session = self.event.place.session();
        let told = self.engine.ask(|world| told(&world.rooms, &session))?;
        if self.is_silent(told.as_ref())? {
            return Ok(None);
        }
        let found = words::contradicted(&record(self.engine, &session)?, self.engine.settings());
        self.tell(Occasion::Stop, found.into_iter().collect(), told.as_ref(), u32::MAX)
    }

    /// What the person said that may hold from now on, told to the person, each sentence once.
    fn waiting(&self) -> Result<HookAnswer, EngineError> {
        let session = self.event.place.session();
        let (pieces, told) =
            self.engine.ask(|world| (words::waiting(&world.rooms, &session), told(&world.rooms, &session)))?;
        let left_out = self.engine.settings().get(&LEAVE_OUT);
        let fresh: Vec<PieceText> =
            pieces.into_iter().filter(|piece| piece.is_wanted(told.as_ref(), &left_out)).collect();
        if fresh.is_empty() || self.is_silent(told.as_ref())? {
            return Ok(HookAnswer::Go);
        }
        let is_recorded = self.give(Occasion::Stop, fresh.iter().map(PieceText::piece).collect(), 0)?;
        Ok(if is_recorded { HookAnswer::Tell(words::waiting_line(&fresh)) } else { HookAnswer::Go })
    }
}

fn told(rooms: &crate::domain::Rooms, session: &SessionId) -> Option<ToldSession> {
    rooms.voice.session(session).cloned()
}

/// The pieces that are new, wanted, and this clone's user's, within a budget.
pub fn fitted(
    engine: &Engine,
    pieces: Vec<PieceText>,
    told: Option<&ToldSession>,
    budget: u32,
) -> Result<Fitted, EngineError> {
    let own = engine.own_words()?;
    let is_own = |quoted: &Quoted| own.has(quoted.entry, &quoted.words);
    Ok(words::fit(pieces, told, &engine.settings().get(&LEAVE_OUT), budget, is_own))
}

/// What the session did lately.
pub(super) fn record(engine: &Engine, session: &SessionId) -> Result<Record, EngineError> {
    let mut expansion = Expansion::default();
    let mut entries = engine.recent(session)?;
    for entry in &mut entries {
        expansion.entry(engine, entry);
    }
    story::in_reading_order(&mut entries);
    Ok(Record::of(session.as_str(), &entries, Vec::new()))
}
