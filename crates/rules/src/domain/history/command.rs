//! What can be asked about the log itself.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::annals::LineHash;
use annals_kernel::id::{EntryId, WriterId};
use annals_kernel::wire::wire;

wire! {
    /// What can be asked about the log itself.
    pub enum Command {
        /// Take note that lines of a writer are lost: the hole is no finding any more.
        Acknowledge(Acknowledge) = "history.hole.acknowledge",
        /// Say which of several lines with one id counts.
        Settle(Settle) = "history.conflict.settle",
        /// Have lines of a writer count as of another time, because its clock was wrong.
        MendClock(MendClock) = "history.clock.mend",
    }
}

/// Fields of `history.hole.acknowledge`: the last line before the hole's end, as `extensions.annals.lost` names it.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Acknowledge {
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

/// Fields of `history.conflict.settle`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settle {
    /// The id that several lines have.
    pub id: EntryId,
    /// The hash of the line that counts.
    pub hash: LineHash,
}

/// Fields of `history.clock.mend`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MendClock {
    /// Whose clock was wrong.
    #[serde(rename = "w")]
    pub writer: WriterId,
    /// The count of its first line with a wrong time.
    pub from: u64,
    /// The count of the last of them.
    pub to: u64,
    /// How many milliseconds later they count than they say; negative where the clock was ahead.
    pub shift: i64,
}

/// What was found out before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// The hashes of the lines that have the id which is to be settled, where they are more than one.
    pub versions: Vec<LineHash>,
}
