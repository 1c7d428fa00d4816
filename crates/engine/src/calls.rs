//! Calls that have begun and not ended: each a small file in `local/calls/`, so that a crash forgets none (decision 2).
//!
//! Each file holds the entry as it will be if the call never ends. Does not record it; `intercept` does.

mod marks;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

pub use self::marks::Marks;
use super::{Engine, EngineError};
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::SessionId;
use annals_kernel::json::sha256_hex;
use annals_log::LogError;
use annals_log::disk::Safety;

/// Names an open call: a hash of its session and one of its own id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallKey(String);

impl CallKey {
    /// The call of this id in a session.
    pub fn of(session: &SessionId, call: &str) -> Self {
        Self(format!("{}-{}", short_hash(session.as_str()), short_hash(call)))
    }

    /// One of several calls that cannot be told apart: the same tool with the same input, at the same time.
    #[must_use]
    pub fn numbered(&self, order: impl fmt::Display) -> Self {
        Self(format!("{}.{order}", self.0))
    }

    /// Whether it names a call of a session.
    pub fn is_of(&self, session: &SessionId) -> bool {
        self.0.split('-').next() == Some(short_hash(session.as_str()).as_str())
    }

    fn is_numbered(&self, of: &Self) -> bool {
        self.0.strip_prefix(&of.0).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Reads what `Display` wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '.';
        // Keys come from file names in `local/` and become paths again: nothing in them may lead out of the folder.
        (text.len() <= 120 && text.contains('-') && text.chars().all(fits)).then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

fn short_hash(text: &str) -> String {
    // Ids of agents may hold any character and be of any length; a file name may not.
    sha256_hex(text.as_bytes())[..20].to_owned()
}

/// A call that has begun.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenCall {
    /// The session above that of the call, which ends it, too.
    pub parent: Option<SessionId>,
    /// The prompt for which it was made, where the agent names it.
    pub prompt: Option<Box<str>>,
    /// The entry that it makes if it never ends; its time is that of the beginning.
    pub entry: HistoryEntry,
}

impl OpenCall {
    /// Whether the end of a session ends it.
    pub fn belongs_to(&self, session: &SessionId) -> bool {
        self.entry.session_id == *session || self.parent.as_ref() == Some(session)
    }
}

impl Engine {
    fn calls_folder(&self) -> PathBuf {
        self.place().local().join("calls")
    }

    fn call_path(&self, key: &CallKey) -> PathBuf {
        self.calls_folder().join(format!("{key}.json"))
    }

    /// Keeps the beginning of a call, without secrets. It takes no lock and reads no log.
    pub fn begin_call(&self, key: &CallKey, call: OpenCall) -> Result<(), EngineError> {
        // A secret must not reach the disk here either, where the call may wait for days.
        let call = OpenCall { entry: self.sanitize(call.entry), ..call };
        let bytes = serde_json::to_vec(&call).expect("BUG: an open call does not serialize");
        let path = self.call_path(key);
        self.write_in_calls(&path, &bytes)
    }

    fn write_in_calls(&self, path: &Path, bytes: &[u8]) -> Result<(), EngineError> {
        // No sync: a hook runs before every call, and a power cut ends the call as well. An empty file that it leaves
        // is passed over by `open_calls`.
        let write = || self.disk().replace(path, bytes, Safety::Cached);
        let written = write().or_else(|error| {
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            self.disk().create_folder(&self.calls_folder())?;
            write()
        });
        Ok(written.map_err(LogError::at("write", path))?)
    }

    /// The call of this key, if it has begun and not ended.
    pub fn open_call(&self, key: &CallKey) -> Result<Option<OpenCall>, EngineError> {
        let path = self.call_path(key);
        let bytes = self.disk().read(&path).map_err(LogError::at("read", &path))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// The first of the calls that were numbered under this key.
    pub fn first_numbered(&self, key: &CallKey) -> Result<Option<CallKey>, EngineError> {
        Ok(self.call_keys()?.into_iter().find(|found| found.is_numbered(key)))
    }

    /// The call has ended, and its entry is written.
    pub fn forget_call(&self, key: &CallKey) -> Result<(), EngineError> {
        let path = self.call_path(key);
        Ok(self.disk().remove(&path).map_err(LogError::at("remove", &path))?)
    }

    /// Every open call, in the order of the keys. What cannot be read (a power cut leaves empty files) comes as `None`.
    pub fn open_calls(&self) -> Result<Vec<(CallKey, Option<OpenCall>)>, EngineError> {
        let keys = self.call_keys()?.into_iter();
        keys.map(|key| self.open_call(&key).map(|call| (key, call))).collect()
    }

    fn call_keys(&self) -> Result<Vec<CallKey>, EngineError> {
        let folder = self.calls_folder();
        let files = self.disk().list(&folder).map_err(LogError::at("list", &folder))?;
        let keys = files.iter().filter_map(|file| file.name.strip_suffix(".json").and_then(CallKey::parse));
        Ok(keys.collect())
    }
}
