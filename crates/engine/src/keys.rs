//! The key that signs heads: in the state directory of the person, never in `.context` (decision 47).
//!
//! One file in the form of OpenSSH, so that `ssh-keygen` reads it; for nobody else to read. Signs nothing itself.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use ed25519_dalek::{SECRET_KEY_LENGTH, SigningKey};

use annals_kernel::base64;
use annals_kernel::ssh::{KIND, PublicKey, Strings, put};

const BEGIN: &str = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END: &str = "-----END OPENSSH PRIVATE KEY-----";
const MAGIC: &[u8] = b"openssh-key-v1\0";
const NONE: &[u8] = b"none";
/// Letters of a line.
const WIDTH: usize = 70;
/// What is padded to a whole number of blocks.
const BLOCK: usize = 8;
/// No key of this kind is longer.
const MOST_BYTES: u64 = 16 << 10;

/// Why a key cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The system says no.
    #[error("cannot {doing} the key {}: {source}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others may read it, or put another one in its place.
    #[error("others may use the key {} (mode {mode:04o}): chmod go-rwx {}", path.display(), path.display())]
    Open {
        /// The file or folder.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// It is no such key.
    #[error("the key {} cannot be used: {why}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// There is none, though this clone has signed.
    #[error("the key {} is gone, with which this clone has signed until now ({fingerprint})", path.display())]
    Gone {
        /// Where it was.
        path: PathBuf,
        /// The key that it was.
        fingerprint: String,
    },
    /// Nobody says where the state directory is.
    #[error("there is no place for a key: set XDG_STATE_HOME or HOME")]
    NoPlace,
}

/// Where a person's key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyFile(PathBuf);

impl KeyFile {
    /// Below a state directory.
    pub fn below(state: &Path) -> Self {
        Self(state.join("annals/keys/id_ed25519"))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The key; `None` where there is none yet.
    pub fn load(&self) -> Result<Option<SigningKey>, KeyError> {
        let mut file = match File::open(&self.0) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(self.failed("read", source)),
        };
        self.check_modes(&file)?;
        let mut text = String::new();
        let read = (&mut file).take(MOST_BYTES).read_to_string(&mut text);
        match read {
            Ok(_) => read_key(&text).map(Some).map_err(|why| KeyError::Broken { path: self.0.clone(), why }),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err(KeyError::Broken { path: self.0.clone(), why: "it is no text" })
            }
            Err(source) => Err(self.failed("read", source)),
        }
    }

    /// The key; makes one from what nobody can guess where there is none yet.
    pub fn load_or_make(&self, secret: impl FnOnce() -> [u8; SECRET_KEY_LENGTH]) -> Result<SigningKey, KeyError> {
        if let Some(key) = self.load()? {
            return Ok(key);
        }
        let key = SigningKey::from_bytes(&secret());
        self.store(&key).map_err(|source| self.failed("make", source))?;
        // Whoever was faster has made the one that counts.
        self.load()?.ok_or_else(|| self.failed("read", io::ErrorKind::NotFound.into()))
    }

    /// The file appears whole or not at all, and never takes the place of another.
    fn store(&self, key: &SigningKey) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let folder = self.0.parent().expect("BUG: a key has a folder");
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = folder.join(format!(".id_ed25519.{}-{number}.tmp", std::process::id()));
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
        let stored = file
            .write_all(write_key(key).as_bytes())
            .and_then(|()| file.sync_all())
            // A link fails where a key is there already; a rename would replace it, and heads signed by two processes
            // at once would have two keys.
            .and_then(|()| fs::hard_link(&temporary, &self.0));
        // The first error says more than this one would.
        let _ = fs::remove_file(&temporary);
        match stored {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            other => other.and_then(|()| File::open(folder)?.sync_all()),
        }
    }

    /// Who may write the folder may put another key there; who may read the file may sign.
    fn check_modes(&self, file: &File) -> Result<(), KeyError> {
        let folder = self.0.parent().expect("BUG: a key has a folder");
        let of_file = file.metadata().map_err(|source| self.failed("look at", source))?.mode();
        let of_folder = fs::metadata(folder).map_err(|source| self.failed("look at", source))?.mode();
        // Refused as `ssh` refuses it: a signature that others could have made proves nothing.
        for (path, mode, closed) in [(&*self.0, of_file, 0o077), (folder, of_folder, 0o022)] {
            if mode & closed != 0 {
                return Err(KeyError::Open { path: path.to_owned(), mode: mode & 0o7777 });
            }
        }
        Ok(())
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> KeyError {
        KeyError::Io { doing, path: self.0.clone(), source }
    }
}

/// The public half.
pub fn public(key: &SigningKey) -> PublicKey {
    PublicKey::from_bytes(key.verifying_key().to_bytes()).expect("BUG: a key that was made is weak")
}

/// What `ssh-keygen` would write, without a passphrase.
fn write_key(key: &SigningKey) -> String {
    let own = public(key);
    let mut secret = Vec::new();
    // Two equal numbers show who decrypts that it worked. There is nothing to decrypt here.
    secret.extend([0; 8]);
    put(&mut secret, KIND.as_bytes());
    put(&mut secret, own.bytes());
    put(&mut secret, &key.to_keypair_bytes());
    put(&mut secret, b"annals");
    // OpenSSH pads with 1, 2, 3, and refuses a key that is padded otherwise.
    secret.extend((1..).take(secret.len().next_multiple_of(BLOCK) - secret.len()));
    let mut blob = MAGIC.to_vec();
    for part in [NONE, NONE, b""] {
        put(&mut blob, part);
    }
    blob.extend(1_u32.to_be_bytes());
    put(&mut blob, &own.blob());
    put(&mut blob, &secret);
    let text = base64::encode(&blob);
    let lines = text.as_bytes().chunks(WIDTH).map(String::from_utf8_lossy).collect::<Vec<_>>();
    format!("{BEGIN}\n{}\n{END}\n", lines.join("\n"))
}

fn read_key(text: &str) -> Result<SigningKey, &'static str> {
    let inner = text.trim().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END));
    let inner = inner.ok_or("it is no private key of OpenSSH")?;
    let letters: String = inner.split_ascii_whitespace().collect();
    let blob = base64::decode(&letters).ok_or("its Base64 is damaged")?;
    let mut strings = Strings::of(&blob);
    strings.skip(MAGIC).ok_or("it is no private key of OpenSSH")?;
    if strings.string() != Some(NONE) {
        return Err("it has a passphrase, and nobody is there to type it");
    }
    let (_, _, count) = (strings.string(), strings.string(), strings.number());
    let own = strings.string().filter(|_| count == Some(1)).ok_or("it is cut short")?;
    let own = PublicKey::from_blob(own).map_err(|_| "it is no key of ed25519")?;
    let secret = strings.string().filter(|_| strings.is_at_end()).ok_or("it is cut short")?;
    let key = secret_of(secret).ok_or("its private half is damaged")?;
    if public(&key) == own { Ok(key) } else { Err("its two halves do not belong together") }
}

fn secret_of(section: &[u8]) -> Option<SigningKey> {
    let mut strings = Strings::of(section);
    let is_read = strings.number()? == strings.number()?;
    strings.string().filter(|kind| is_read && *kind == KIND.as_bytes())?;
    strings.string()?;
    let pair = strings.string()?.try_into().ok()?;
    strings.string()?;
    let is_padded = strings.rest().iter().zip(1..).all(|(byte, number): (&u8, u8)| *byte == number);
    SigningKey::from_keypair_bytes(pair).ok().filter(|_| is_padded && strings.rest().len() < BLOCK)
}

#[cfg(test)]
mod tests;
