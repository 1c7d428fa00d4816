//! What sessions were told, and what that cost.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::command::{Command, MuteSpan, Observed, Occasion, Piece};
use super::event::{Event, Given};
use annals_kernel::decision::Cause;
use annals_kernel::id::SessionId;
use annals_kernel::rows::{Ranked, Rows};
use annals_kernel::time::Timestamp;

/// So many pieces of a session are remembered; of more the oldest may be told again.
const MOST_HEARD: usize = 400;

/// A silence that a person asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Silence {
    /// For how long.
    pub span: MuteSpan,
    /// Since when.
    pub at: Timestamp,
}

/// What one session was told.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ToldSession {
    /// The keys of the pieces, the oldest first.
    pub heard: Vec<Box<str>>,
    /// How often it was told something.
    #[sparse]
    pub times: u32,
    /// What that cost, in tokens.
    #[sparse]
    pub tokens: u64,
    /// When last.
    pub at: Option<Timestamp>,
    /// Whether it is to be told nothing.
    pub silence: Option<Silence>,
}

impl ToldSession {
    /// Whether it has heard a piece.
    pub fn has_heard(&self, key: &str) -> bool {
        self.heard.iter().any(|heard| **heard == *key)
    }

    fn hears(&mut self, piece: &Piece) {
        if !self.has_heard(&piece.key) {
            self.heard.push(piece.key.clone());
        }
        let over = self.heard.len().saturating_sub(MOST_HEARD);
        self.heard.drain(..over);
    }
}

impl Ranked for ToldSession {
    /// The one that was told last comes first.
    fn rank(&self) -> i64 {
        self.at.map_or(0, Timestamp::millis)
    }
}

/// What an occasion has cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Spent {
    /// How often something was told.
    pub times: u64,
    /// In how many pieces.
    pub pieces: u64,
    /// How many pieces were left out.
    pub withheld: u64,
    /// In tokens.
    pub tokens: u64,
}

/// What the voice has cost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// By occasion.
    pub spent: BTreeMap<Occasion, Spent>,
}

/// What was told.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Counts.
    pub totals: Totals,
    /// By session.
    pub sessions: Rows<SessionId, ToldSession>,
}

impl State {
    /// What a session was told.
    pub fn session(&self, session: &SessionId) -> Option<&ToldSession> {
        self.sessions.get(session.as_str())
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        match event {
            Event::Given(given) => self.given(given, cause.at),
            Event::Muted(muted) => {
                let silence = Silence { span: muted.span, at: cause.at };
                self.sessions.entry(muted.session.as_str(), ToldSession::default).silence = Some(silence);
            }
            Event::Unmuted(unmuted) => {
                self.sessions.entry(unmuted.session.as_str(), ToldSession::default).silence = None;
            }
        }
    }

    fn given(&mut self, given: &Given, at: Timestamp) {
        let spent = self.totals.spent.entry(given.occasion).or_default();
        spent.times += 1;
        spent.pieces += given.pieces.len() as u64;
        spent.withheld += u64::from(given.withheld);
        spent.tokens += u64::from(given.tokens);
        let told = self.sessions.entry(given.session.as_str(), ToldSession::default);
        told.times = told.times.saturating_add(1);
        told.tokens += u64::from(given.tokens);
        told.at = Some(at);
        given.pieces.iter().for_each(|piece| told.hears(piece));
    }
}
