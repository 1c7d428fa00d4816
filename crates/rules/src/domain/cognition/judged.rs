//! What a model finds where a trigger called for a look: words of its own beside those that it quotes.
//!
//! Stands beside what the rules found, and is never mixed with it: nothing is decided on it. Bounded, for it becomes part of
//! a line.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::Judge;
use super::event::ModeJudged;
use super::mind::Firing;
use super::refusal::Refusal;
use annals_kernel::annals::OwnLine;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::share::Share;

/// So many findings, and so many figures, one look of a model has.
pub const MOST_JUDGED: usize = 20;
/// The longest text of each, in characters.
const MOST_CHARS: usize = 4_000;

/// Something that a model found.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgedFinding {
    /// How grave, or of what kind.
    pub kind: Box<str>,
    /// What.
    pub text: Box<str>,
    /// The words that it stands on.
    pub quote: Box<str>,
    /// The entry in which they stand.
    pub source: Option<EntryId>,
    /// How sure the model says it is.
    pub confidence: Option<Share>,
}

impl Firing {
    /// The line that the clone keeps which wrote it: under its id, other words are another's.
    pub fn own_line(&self, session: &SessionId) -> OwnLine {
        (self.id, format!("{session} {} {} {}", self.trigger, self.cause, self.mode))
    }
}

impl Judge {
    /// No more of it, and no longer, than a line holds.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        if self.found.len().max(self.figures.len()) > MOST_JUDGED {
            return Err(Refusal::TooMany { what: "findings", most: MOST_JUDGED });
        }
        let found = self.found.iter().flat_map(|found| [&found.kind, &found.text, &found.quote]);
        let texts = found.chain(self.figures.iter().flat_map(|(name, value)| [name, value])).chain(&self.unread);
        let is_long = texts.into_iter().any(|text| text.chars().nth(MOST_CHARS).is_some());
        if is_long { Err(Refusal::TooMany { what: "a_text", most: MOST_CHARS }) } else { Ok(()) }
    }

    /// What happens where it is taken.
    pub(super) fn event(&self, firing: &Firing, model: &str) -> ModeJudged {
        ModeJudged {
            session: self.session.clone(),
            firing: firing.id,
            trigger: firing.trigger.clone(),
            mode: firing.mode,
            model: model.into(),
            found: u32::try_from(self.found.len()).unwrap_or(u32::MAX),
        }
    }
}
