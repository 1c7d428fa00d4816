//! Public keys and signatures as OpenSSH writes them, so that `ssh-keygen` and git can check ours and we theirs.
//!
//! Only ed25519. Holds no private key: `engine::keys` reads those. Does not know what is signed; `kernel::signed` does.

mod signature;
pub mod signers;
mod wire;

use std::fmt;
use std::str::FromStr;

use ed25519_dalek::VerifyingKey;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

pub use self::signature::{BadSignature, SshSignature};
pub use self::wire::{Strings, put};
use super::base64;

/// The name of the only kind of key that signs here.
pub const KIND: &str = "ssh-ed25519";

/// A public key of ed25519, written as `ssh-ed25519 AAAA…`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

/// Why a text is no public key that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BadKey {
    /// Another algorithm.
    #[error("a key of kind {0} signs no heads: only ssh-ed25519 does")]
    Kind(Box<str>),
    /// Base64 or the bytes in it are damaged.
    #[error("it is no public key: write it as ssh-ed25519 AAAA…")]
    Damaged,
    /// A point of small order, for which anybody can make signatures.
    #[error("the key is weak: anybody can sign for it")]
    Weak,
}

impl PublicKey {
    /// A key by its 32 bytes; none where they are no point of the curve, or a weak one.
    pub fn from_bytes(bytes: [u8; 32]) -> Result<Self, BadKey> {
        let key = VerifyingKey::from_bytes(&bytes).map_err(|_| BadKey::Damaged)?;
        if key.is_weak() { Err(BadKey::Weak) } else { Ok(Self(bytes)) }
    }

    /// The 32 bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Kind and key, as OpenSSH hashes and sends them.
    pub fn blob(&self) -> Vec<u8> {
        let mut blob = Vec::new();
        put(&mut blob, KIND.as_bytes());
        put(&mut blob, &self.0);
        blob
    }

    /// Reads what `blob` has written.
    pub fn from_blob(blob: &[u8]) -> Result<Self, BadKey> {
        let mut strings = Strings::of(blob);
        let kind = strings.string().ok_or(BadKey::Damaged)?;
        if kind != KIND.as_bytes() {
            return Err(BadKey::Kind(String::from_utf8_lossy(kind).chars().take(40).collect()));
        }
        let bytes = strings.string().filter(|_| strings.is_at_end()).ok_or(BadKey::Damaged)?;
        Self::from_bytes(bytes.try_into().map_err(|_| BadKey::Damaged)?)
    }

    /// Kind and Base64, as two words of a line; what stands behind them is a comment.
    pub(crate) fn from_words(kind: &str, text: &str) -> Result<Self, BadKey> {
        if kind != KIND {
            return Err(BadKey::Kind(kind.chars().take(40).collect()));
        }
        Self::from_blob(&base64::decode(text).ok_or(BadKey::Damaged)?)
    }

    /// As `ssh-keygen -l` names it.
    pub fn fingerprint(&self) -> Fingerprint {
        let text = base64::encode(&Sha256::digest(self.blob()));
        Fingerprint(format!("SHA256:{}", text.trim_end_matches('=')).into())
    }

    fn verifying(&self) -> Option<VerifyingKey> {
        VerifyingKey::from_bytes(&self.0).ok()
    }
}

impl FromStr for PublicKey {
    type Err = BadKey;

    /// `ssh-ed25519 AAAA…`, with or without a comment behind it.
    fn from_str(text: &str) -> Result<Self, BadKey> {
        let mut words = text.split_ascii_whitespace();
        let (Some(kind), Some(key)) = (words.next(), words.next()) else { return Err(BadKey::Damaged) };
        Self::from_words(kind, key)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{KIND} {}", base64::encode(&self.blob()))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for PublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for PublicKey {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PublicKey".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A public key, as OpenSSH writes it.",
            "pattern": "^ssh-ed25519 [A-Za-z0-9+/]+=*"
        })
    }
}

/// A key by its hash, as people compare it: `SHA256:…`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Fingerprint(Box<str>);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by `ssh-keygen -t ed25519`, its fingerprint by `ssh-keygen -l`.
    const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGyjNRzwGZCDNHwjpDAvegU18A2Kz/4hLJI7dcASejW5";
    const FINGERPRINT: &str = "SHA256:H9mqrkKdZ/sgIJYpM36Sp0Y8U0YDQkHb7hU4eFR1pZA";

    #[test]
    fn a_key_reads_writes_and_is_named_as_ssh_does() {
        let key: PublicKey = format!("{KEY} ann@example").parse().expect("a key");
        assert_eq!((key.to_string().as_str(), key.fingerprint().to_string().as_str()), (KEY, FINGERPRINT));
    }

    #[test]
    fn what_is_no_key_of_ours_says_why() {
        let weak = format!("{KIND} {}", base64::encode(&PublicKey([0; 32]).blob()));
        for (text, why) in [
            ("", BadKey::Damaged),
            (KIND, BadKey::Damaged),
            ("ssh-rsa AAAAB3NzaC1yc2E=", BadKey::Kind("ssh-rsa".into())),
            ("ssh-ed25519 AAAAB3NzaC1yc2E=", BadKey::Kind("ssh-rsa".into())),
            (&KEY[..KEY.len() - 4], BadKey::Damaged),
            (&weak, BadKey::Weak),
        ] {
            assert_eq!(text.parse::<PublicKey>(), Err(why), "{text}");
        }
    }
}
