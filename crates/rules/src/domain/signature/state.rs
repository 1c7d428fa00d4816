//! The last signed head of each writer and key.
//!
//! By both, so that nobody can make it look as if another's key had signed more: without the key there is no row of it.

use serde::{Deserialize, Serialize};

use super::command::{Command, Observed};
use super::event::Event;
use annals_kernel::annals::LineHash;
use annals_kernel::decision::Cause;
use annals_kernel::id::{EntryId, WriterId};
use annals_kernel::rows::{Ranked, Rows};
use annals_kernel::ssh::{Fingerprint, PublicKey};
use annals_kernel::time::Timestamp;

/// A writer's last signed head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signed {
    /// The writer.
    pub writer: WriterId,
    /// The count of the line.
    pub n: u64,
    /// Its hash.
    pub hash: LineHash,
    /// By which key.
    pub key: Fingerprint,
    /// When.
    pub at: Timestamp,
    /// The entry that holds the signature.
    pub entry: EntryId,
}

impl Ranked for Signed {
    /// The latest first.
    fn rank(&self) -> i64 {
        self.at.millis()
    }
}

/// What is known of signed heads.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// By writer and key.
    pub heads: Rows<Box<str>, Signed>,
}

impl State {
    /// The last head of a writer that a key has signed.
    pub fn last(&self, writer: &WriterId, key: &PublicKey) -> Option<&Signed> {
        self.heads.get(&row_of(writer, &key.fingerprint()))
    }

    /// The keys by which a writer's heads were signed.
    pub fn keys(&self, writer: &WriterId) -> Vec<&Fingerprint> {
        self.heads.iter().filter(|(_, signed)| signed.writer == *writer).map(|(_, signed)| &signed.key).collect()
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        let Event::Signed(head) = event;
        let (statement, key) = (&head.statement, head.key.fingerprint());
        // Whoever may write a line may claim a signature in it.
        if head.check().is_err() {
            return;
        }
        let signed = Signed {
            writer: statement.writer.clone(),
            n: statement.n,
            hash: statement.hash,
            key,
            at: statement.at,
            entry: cause.id,
        };
        let row = self.heads.entry(&row_of(&signed.writer, &signed.key), || signed.clone());
        // A merge may bring an older one later.
        if row.n <= signed.n {
            *row = signed;
        }
    }
}

fn row_of(writer: &WriterId, key: &Fingerprint) -> Box<str> {
    format!("{writer} {key}").into()
}
