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
        // the last line before the hole's end, as `extensions.annals.lost` names it.
        /// Take note that lines of a writer are lost: the hole is no finding any more.
        Acknowledge = "history.hole.acknowledge" derive(Eq) {
            /// Whose lines are lost.
            #[serde(rename = "w")]
            writer: WriterId,
            /// The count of its last line that is known to have been.
            n: u64,
            /// The hash of that line.
            #[serde(rename = "p")]
            hash: LineHash,
            /// How they were lost.
            why: Option<Box<str>>,
        },
        /// Say which of several lines with one id counts.
        Settle = "history.conflict.settle" {
            /// The id that several lines have.
            id: EntryId,
            /// The hash of the line that counts.
            hash: LineHash,
        },
        /// Have lines of a writer count as of another time, because its clock was wrong.
        MendClock = "history.clock.mend" derive(Eq) {
            /// Whose clock was wrong.
            #[serde(rename = "w")]
            writer: WriterId,
            /// The count of its first line with a wrong time.
            from: u64,
            /// The count of the last of them.
            to: u64,
            /// How many milliseconds later they count than they say; negative where the clock was ahead.
            shift: i64,
        },
    }
}

/// What was found out before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// The hashes of the lines that have the id which is to be settled, where they are more than one.
    pub versions: Vec<LineHash>,
}
