//! A signed head: what a writer's key says of its last line and of all that it had seen then (decision 47).
//!
//! Makes and checks the bytes that are signed. Does not look whether the lines are there; `log::verify` does.

use std::collections::BTreeMap;

use ed25519_dalek::SigningKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::annals::{Head, LineHash};
use super::envelope::Envelope;
use super::grounding::words;
use super::id::WriterId;
use super::json::{Json, canonical};
use super::ssh::{BadKey, BadSignature, PublicKey, SshSignature};
use super::time::Timestamp;

/// The command of which an entry is made that holds a signed head.
pub const SIGN: &str = "history.head.sign";

/// The event that holds it.
pub(crate) const SIGNED: &str = "history.head.signed";

/// A longer entry is no signed head of ours.
const MOST_BYTES: usize = 1 << 20;

words! {
    /// How a head is signed.
    pub enum Algorithm {
        /// Ed25519 over SHA-512, as an SSH signature.
        Ed25519 = "ed25519",
    }
}

/// What is signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Statement {
    /// The writer.
    pub writer: WriterId,
    /// The count of its last line.
    pub n: u64,
    /// The hash of that line, and by the chain of all before it.
    pub hash: LineHash,
    /// Heads of other writers that it had seen and that none of its lines tells of yet: with those that its lines
    /// tell of, its whole causal past.
    #[serde(default)]
    #[schemars(with = "BTreeMap<WriterId, (u64, LineHash)>")]
    pub seen: BTreeMap<WriterId, Head>,
    /// When.
    pub at: Timestamp,
}

/// Fields of `history.head.signed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignedHead {
    /// What is signed: these fields, and no others.
    #[serde(flatten)]
    pub statement: Statement,
    /// How.
    pub algorithm: Algorithm,
    /// By whom, as OpenSSH writes a public key.
    pub key: PublicKey,
    /// An SSH signature (SSHSIG) in the namespace `annals-head-v1`, in Base64.
    pub signature: SshSignature,
}

/// Why an entry holds no signed head.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadHead {
    /// Its output is not that of such an entry.
    #[error("it holds no signed head that can be read")]
    Unreadable,
    /// The signature does not hold.
    #[error(transparent)]
    Signature(#[from] BadSignature),
}

impl Statement {
    /// The bytes that are signed: the canonical JSON of the fields.
    pub fn bytes(&self) -> Vec<u8> {
        canonical(self).into_bytes()
    }

    /// Writer, count and hash, as `annals verify --head` takes them.
    pub fn head(&self) -> String {
        format!("{}:{}:{}", self.writer, self.n, self.hash)
    }

    /// Signs it.
    pub fn sign(self, key: &SigningKey) -> Result<SignedHead, BadKey> {
        let public = PublicKey::from_bytes(key.verifying_key().to_bytes())?;
        let signature = SshSignature::make(key, &self.bytes());
        Ok(SignedHead { statement: self, algorithm: Algorithm::Ed25519, key: public, signature })
    }
}

impl SignedHead {
    /// Checks that the key has signed these fields.
    pub fn check(&self) -> Result<(), BadSignature> {
        self.signature.check(&self.key, &self.statement.bytes())
    }

    /// The signed head that an entry holds, checked; none where it is another decision.
    pub fn of(entry: &Envelope<'_>) -> Option<Result<Self, BadHead>> {
        if entry.name() != SIGN {
            return None;
        }
        let read =
            Some(entry).filter(|entry| entry.line().len() <= MOST_BYTES).and_then(Envelope::output::<SignedOutput>);
        let Some(output) = read else { return Some(Err(BadHead::Unreadable)) };
        // Where a rule has said no there is none.
        let signed = output.events.into_iter().find(|event| *event.name == *SIGNED)?;
        let head: Result<Self, _> = signed.data.read();
        Some(head.map_err(|_| BadHead::Unreadable).and_then(|head| Ok(head.check().map(|()| head)?)))
    }
}

/// The output of a decision, as far as it is asked for here.
#[derive(Deserialize)]
struct SignedOutput {
    events: Vec<Wire>,
}

#[derive(Deserialize)]
struct Wire {
    name: Box<str>,
    data: Json,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement() -> Statement {
        Statement {
            writer: "k3f9x2ab".into(),
            n: 42,
            hash: LineHash::of(b"line"),
            seen: [("4p07xe7k".into(), Head { count: 7, hash: LineHash::of(b"other") })].into(),
            at: "2026-11-21T03:10:00.123Z".parse().expect("a time"),
        }
    }

    #[test]
    fn the_signed_bytes_are_the_canonical_json_of_the_statement() {
        let text = String::from_utf8(statement().bytes()).expect("text");
        let expected = concat!(
            r#"{"at":"2026-11-21T03:10:00.123Z","hash":"@A@","n":42,"#,
            r#""seen":{"4p07xe7k":[7,"@B@"]},"writer":"k3f9x2ab"}"#
        );
        let hash = |text: &str| LineHash::of(text.as_bytes()).to_string();
        assert_eq!(text, expected.replace("@A@", &hash("line")).replace("@B@", &hash("other")));
    }

    #[test]
    fn no_field_can_be_changed_without_breaking_the_signature() {
        let signed = statement().sign(&SigningKey::from_bytes(&[3; 32])).expect("signed");
        assert_eq!(signed.check(), Ok(()));
        let changes: [fn(&mut Statement); 5] = [
            |one| one.writer = "k3f9x2ac".into(),
            |one| one.n = 41,
            |one| one.hash = LineHash::of(b"another"),
            |one| one.seen.clear(),
            |one| one.at = one.at.plus_millis(1),
        ];
        for change in changes {
            let mut changed = signed.clone();
            change(&mut changed.statement);
            assert_eq!(changed.check(), Err(BadSignature::OtherText), "{changed:?}");
        }
    }
}
