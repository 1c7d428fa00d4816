//! Signatures as `ssh-keygen -Y sign` makes them (OpenSSH, PROTOCOL.sshsig): with key, namespace and hash inside.
//!
//! The namespace keeps a signature that was made for something else, a commit, a login, from being taken for one of ours.

use std::fmt;

use ed25519_dalek::{Signature, Signer as _, SigningKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256, Sha512};

use super::wire::{Strings, put};
use super::{BadKey, KIND, PublicKey};
use crate::base64;

/// What our signatures are made for.
pub(crate) const NAMESPACE: &str = "annals-head-v1";

const MAGIC: &[u8; 6] = b"SSHSIG";
const VERSION: u32 = 1;
const SHA512: &str = "sha512";
const SHA256: &str = "sha256";

/// A signature: the Base64 that stands between the lines of an armoured one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct SshSignature(Box<str>);

/// Why a signature does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BadSignature {
    /// It cannot be read.
    #[error("the signature is damaged")]
    Damaged,
    /// The key in it cannot be used.
    #[error("the key of the signature: {0}")]
    Key(#[from] BadKey),
    /// It is by another key than the one that stands beside it.
    #[error("the signature is by another key than the one it names")]
    OtherKey,
    /// It was made for something else.
    #[error("the signature is for {0:?}, not for {NAMESPACE}")]
    Namespace(String),
    /// What was signed is something else.
    #[error("the signature is not of this text")]
    OtherText,
}

impl fmt::Debug for SshSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for SshSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The parts of a signature.
struct Parts<'b> {
    key: PublicKey,
    namespace: &'b [u8],
    hash: &'b [u8],
    signature: Signature,
}

impl SshSignature {
    /// Signs a text.
    pub fn make(key: &SigningKey, text: &[u8]) -> Self {
        let public = PublicKey(key.verifying_key().to_bytes());
        let signature = key.sign(&signed_bytes(SHA512.as_bytes(), &Sha512::digest(text)));
        let mut inner = Vec::new();
        put(&mut inner, KIND.as_bytes());
        put(&mut inner, &signature.to_bytes());
        let mut blob = MAGIC.to_vec();
        blob.extend(VERSION.to_be_bytes());
        for part in [&public.blob(), NAMESPACE.as_bytes(), b"", SHA512.as_bytes(), &inner] {
            put(&mut blob, part);
        }
        Self(base64::encode(&blob).into())
    }

    /// Checks that a key has signed a text, for us and for nothing else.
    pub fn check(&self, key: &PublicKey, text: &[u8]) -> Result<(), BadSignature> {
        let blob = base64::decode(&self.0).ok_or(BadSignature::Damaged)?;
        let parts = Parts::read(&blob)?;
        if parts.namespace != NAMESPACE.as_bytes() {
            let named = String::from_utf8_lossy(parts.namespace).chars().take(40).collect();
            return Err(BadSignature::Namespace(named));
        }
        if parts.key != *key {
            return Err(BadSignature::OtherKey);
        }
        let signed = match parts.hash {
            hash if hash == SHA512.as_bytes() => signed_bytes(hash, &Sha512::digest(text)),
            hash if hash == SHA256.as_bytes() => signed_bytes(hash, &Sha256::digest(text)),
            _ => return Err(BadSignature::Damaged),
        };
        let key = key.verifying().ok_or(BadSignature::Damaged)?;
        key.verify_strict(&signed, &parts.signature).map_err(|_| BadSignature::OtherText)
    }
}

impl<'b> Parts<'b> {
    fn read(blob: &'b [u8]) -> Result<Self, BadSignature> {
        let mut strings = Strings::of(blob);
        let [key, namespace, hash, inner] = Self::strings(&mut strings).ok_or(BadSignature::Damaged)?;
        let signature = Self::ed25519(inner).ok_or(BadSignature::Damaged)?;
        Ok(Self { key: PublicKey::from_blob(key)?, namespace, hash, signature })
    }

    /// Key, namespace, name of the hash, and signature.
    fn strings(strings: &mut Strings<'b>) -> Option<[&'b [u8]; 4]> {
        strings.skip(MAGIC)?;
        strings.number().filter(|version| *version == VERSION)?;
        let (key, namespace) = (strings.string()?, strings.string()?);
        strings.string().filter(|reserved| reserved.is_empty())?;
        let (hash, inner) = (strings.string()?, strings.string()?);
        strings.is_at_end().then_some([key, namespace, hash, inner])
    }

    fn ed25519(inner: &[u8]) -> Option<Signature> {
        let mut strings = Strings::of(inner);
        strings.string().filter(|kind| *kind == KIND.as_bytes())?;
        let bytes = strings.string().filter(|_| strings.is_at_end())?;
        Signature::from_slice(bytes).ok()
    }
}

/// What the key itself signs: never the text, so that no other use of the key can be led to sign it.
fn signed_bytes(hash: &[u8], digest: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for part in [NAMESPACE.as_bytes(), b"", hash, digest] {
        put(&mut bytes, part);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made with `ssh-keygen -Y sign -n annals-head-v1` of the text `text`, and with `-n git`.
    const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGyjNRzwGZCDNHwjpDAvegU18A2Kz/4hLJI7dcASejW5";
    const SIGNATURE: &str = "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgbKM1HPAZkIM0fCOkMC96BTXwDYrP/iEskjt1wBJ6NbkAAAAOYW5uYWxzLWhlYWQtdjEAAAAAAAAABnNoYTUxMgAAAFMAAAALc3NoLWVkMjU1MTkAAABAlGz0bQ7EkaBe3z4fXoqwik8RePGpGzrnNPZ5lXzwNNi6zFF2ME3pI5ukdLvMmLXix4oEY3HVWEeFIucn96rtDg==";
    const FOR_GIT: &str = "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgbKM1HPAZkIM0fCOkMC96BTXwDYrP/iEskjt1wBJ6NbkAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5AAAAQDwcNh26pfmnuokSMsvGy0+dbyBnzJK6Kby2bKAVLhybxXYfjkqi6D12mwb6L1+dTpqRWP/opE0+RwRAPacLugs=";

    fn signature(text: &str) -> SshSignature {
        SshSignature(text.into())
    }

    #[test]
    fn a_signature_of_ssh_keygen_holds_for_its_text_and_key_alone() {
        let key: PublicKey = KEY.parse().expect("a key");
        assert_eq!(signature(SIGNATURE).check(&key, b"text"), Ok(()));
        assert_eq!(signature(SIGNATURE).check(&key, b"texts"), Err(BadSignature::OtherText));
        let other = PublicKey(SigningKey::from_bytes(&[7; 32]).verifying_key().to_bytes());
        assert_eq!(signature(SIGNATURE).check(&other, b"text"), Err(BadSignature::OtherKey));
    }

    #[test]
    fn the_same_key_signs_as_ssh_keygen_does() {
        let own = SigningKey::from_bytes(&[
            61, 48, 64, 123, 70, 207, 14, 126, 214, 155, 56, 114, 58, 200, 29, 115, 229, 42, 197, 235, 82, 180, 180,
            159, 180, 60, 1, 189, 197, 68, 162, 192,
        ]);
        assert_eq!(PublicKey(own.verifying_key().to_bytes()), KEY.parse().expect("a key"));
        assert_eq!(SshSignature::make(&own, b"text"), signature(SIGNATURE));
    }

    #[test]
    fn a_signature_that_was_made_for_a_commit_is_none_of_ours() {
        let key: PublicKey = KEY.parse().expect("a key");
        assert_eq!(signature(FOR_GIT).check(&key, b"text"), Err(BadSignature::Namespace("git".to_owned())));
    }

    #[test]
    fn every_changed_byte_of_a_signature_is_seen() {
        let own = SigningKey::from_bytes(&[9; 32]);
        let key = PublicKey(own.verifying_key().to_bytes());
        let made = SshSignature::make(&own, b"text");
        assert_eq!(made.check(&key, b"text"), Ok(()));
        let blob = base64::decode(&made.0).expect("Base64");
        for at in 0..blob.len() {
            let mut changed = blob.clone();
            changed[at] ^= 1;
            let changed = signature(&base64::encode(&changed));
            assert!(changed.check(&key, b"text").is_err(), "byte {at}");
        }
        assert_eq!(
            signature(&base64::encode(&blob[..blob.len() - 1])).check(&key, b"text"),
            Err(BadSignature::Damaged)
        );
    }
}
