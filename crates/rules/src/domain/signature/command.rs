//! What can be asked: to keep a signature of a head. It is made before, by whoever holds the key.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::signed::SignedHead;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked.
    pub enum Command {
        /// Keep the signature of a writer's head.
        Sign = "history.head.sign" {
            /// Writer, count and hash of the line that is signed, with colons between them.
            head: Box<str>,
        },
    }
}

/// What was found out before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// The signature, and what it is of.
    pub signed: Option<SignedHead>,
}
