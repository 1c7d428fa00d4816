//! What came of a command that decides, in JSON.
//!
//! Does not decide and does not print.

use serde::Serialize;

use crate::engine::Answer;
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;
use crate::view::refusal::{ToldRefusal, told};

/// What came of a command that decides, in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(in crate::cli) enum Decided {
    /// It was done.
    Done {
        /// The entry that records it; none where nothing had to be recorded.
        entry: Option<EntryId>,
        /// What happened.
        events: Vec<Happened>,
    },
    /// A rule said no.
    Refused {
        /// The entry that records the refusal, where it is recorded.
        entry: Option<EntryId>,
        /// Which rule, why, and what can be done.
        refusal: ToldRefusal,
    },
}

/// An event, as `annals schema --events` has it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Happened {
    name: &'static str,
    data: Json,
}

impl Decided {
    /// Of an answer of the engine.
    pub(in crate::cli) fn of(answer: &Answer) -> Self {
        match &answer.refusal {
            None => {
                let happened = answer.events.iter().map(|event| Happened { name: event.name(), data: event.data() });
                Self::Done { entry: answer.entry, events: happened.collect() }
            }
            Some(refusal) => Self::Refused { entry: answer.entry, refusal: told(refusal) },
        }
    }
}
