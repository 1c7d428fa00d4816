//! What the user decided about the log itself.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::{Acknowledge, MendClock, Settle};
use annals_kernel::annals::LineHash;
use annals_kernel::id::{EntryId, WriterId};
use annals_kernel::wire::wire;

wire! {
    /// What the user decided about the log itself.
    pub enum Event {
        /// Lines of a writer are lost, and the user knows.
        Acknowledged(Acknowledged) = "history.hole.acknowledged",
        /// Of several lines with one id this one counts.
        Settled(Settled) = "history.conflict.settled",
        /// Lines of a writer count as of another time.
        Mended(Mended) = "history.clock.mended",
    }
}

/// Fields of `history.hole.acknowledged`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Acknowledged {
    /// Whose lines are lost.
    #[serde(rename = "w")]
    pub writer: WriterId,
    /// The count of its last line that is known to have been.
    pub n: u64,
    /// The hash of that line.
    #[serde(rename = "p")]
    pub hash: LineHash,
    /// How they were lost.
    pub why: Option<Box<str>>,
}

impl From<Acknowledge> for Acknowledged {
    fn from(Acknowledge { writer, n, hash, why }: Acknowledge) -> Self {
        Self { writer, n, hash, why }
    }
}

/// Fields of `history.conflict.settled`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settled {
    /// The id that several lines have.
    pub id: EntryId,
    /// The hash of the line that counts.
    pub hash: LineHash,
}

impl From<Settle> for Settled {
    fn from(Settle { id, hash }: Settle) -> Self {
        Self { id, hash }
    }
}

/// Fields of `history.clock.mended`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mended {
    /// Whose clock was wrong.
    #[serde(rename = "w")]
    pub writer: WriterId,
    /// The count of its first line with a wrong time.
    pub from: u64,
    /// The count of the last of them.
    pub to: u64,
    /// How many milliseconds later they count than they say.
    pub shift: i64,
}

impl From<MendClock> for Mended {
    fn from(MendClock { writer, from, to, shift }: MendClock) -> Self {
        Self { writer, from, to, shift }
    }
}
