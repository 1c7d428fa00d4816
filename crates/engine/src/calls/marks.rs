//! What is remembered of a call that is no longer open, while an agent may still speak of it: a file beside those of
//! `local/calls/`, under the key of the call.
//!
//! They are few: those of a session go with it, those that a crash left with the first session after `hook.call_limit_minutes`.

use std::io;
use std::path::{Path, PathBuf};

use super::{CallKey, Engine, EngineError};
use annals_kernel::id::SessionId;
use annals_kernel::time::Timestamp;
use annals_log::LogError;

/// A name of a call that is longer is not kept.
const MOST_BYTES: u64 = 4096;

/// What is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// The call has ended, and its entry is written.
    Ended,
    /// The call has started a sub-agent that is known already.
    Claimed,
    /// A sub-agent is known before it begins: which call has started it.
    Child,
}

/// Which marks are no longer of use.
#[derive(Debug, Clone, Copy)]
pub enum Marks<'m> {
    /// All of a session that has begun or ended.
    Of(&'m SessionId),
    /// Those of ended calls of a session, but for these.
    Ended(&'m SessionId, &'m [CallKey]),
    /// Those that were made before a time.
    Before(Timestamp),
}

impl Mark {
    const ALL: [Self; 3] = [Self::Ended, Self::Claimed, Self::Child];

    fn extension(self) -> &'static str {
        match self {
            Self::Ended => "ended",
            Self::Claimed => "claimed",
            Self::Child => "child",
        }
    }

    fn read(name: &str) -> Option<(CallKey, Self)> {
        let (key, extension) = name.rsplit_once('.')?;
        let mark = Self::ALL.into_iter().find(|mark| mark.extension() == extension)?;
        Some((CallKey::parse(key)?, mark))
    }
}

impl Engine {
    fn mark_path(&self, key: &CallKey, mark: Mark) -> PathBuf {
        self.calls_folder().join(format!("{key}.{}", mark.extension()))
    }

    /// The call has ended, and its entry is written: what else is said of its end is said again.
    pub fn mark_ended(&self, key: &CallKey) -> Result<(), EngineError> {
        let (open, ended) = (self.call_path(key), self.mark_path(key, Mark::Ended));
        self.remove_mark(&self.mark_path(key, Mark::Claimed))?;
        match self.disk().rename(&open, &ended) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.write_in_calls(&ended, b""),
            // It was told before, as hooks that are installed twice do: as an error the event would be put aside, fail
            // again with every command, and hold up all that waits behind it.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.forget_call(key),
            Err(error) => Err(LogError::at("rename", &open)(error).into()),
        }
    }

    /// Whether the entry of a call's end is written already.
    pub fn has_ended(&self, key: &CallKey) -> Result<bool, EngineError> {
        let path = self.mark_path(key, Mark::Ended);
        Ok(self.disk().look(&path).map_err(LogError::at("look at", &path))?.is_some())
    }

    /// Takes an open call for the sub-agent that it has started. Of two that ask at the same time one gets it.
    pub fn claim_call(&self, key: &CallKey) -> Result<bool, EngineError> {
        let path = self.mark_path(key, Mark::Claimed);
        // Making a link is one step that fails where it was made before, so of two processes one claims the call,
        // without a lock.
        match self.disk().link(&self.call_path(key), &path) {
            Ok(()) => Ok(true),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists) => Ok(false),
            Err(error) => Err(LogError::at("write", &path)(error).into()),
        }
    }

    /// Remembers which call has started a sub-agent that has not begun yet.
    pub fn expect_child(&self, session: &SessionId, child: &str, call: &str) -> Result<(), EngineError> {
        self.write_in_calls(&self.mark_path(&CallKey::of(session, child), Mark::Child), call.as_bytes())
    }

    /// Which call has started a sub-agent, where that was remembered; it is no longer after that.
    pub fn expected_child(&self, session: &SessionId, child: &str) -> Result<Option<Box<str>>, EngineError> {
        let call = self.known_child(session, child)?;
        if call.is_some() {
            self.remove_mark(&self.mark_path(&CallKey::of(session, child), Mark::Child))?;
        }
        Ok(call)
    }

    /// Which call has started a sub-agent, where that was remembered.
    fn known_child(&self, session: &SessionId, child: &str) -> Result<Option<Box<str>>, EngineError> {
        self.read_child(&self.mark_path(&CallKey::of(session, child), Mark::Child))
    }

    /// The calls of which it was remembered that they have started a sub-agent.
    pub fn known_children(&self, session: &SessionId) -> Result<Vec<Box<str>>, EngineError> {
        let folder = self.calls_folder();
        let files = self.disk().list(&folder).map_err(LogError::at("list", &folder))?;
        let is_one = |name: &str| Mark::read(name).is_some_and(|(key, mark)| mark == Mark::Child && key.is_of(session));
        let children =
            files.iter().filter(|file| is_one(&file.name)).map(|file| self.read_child(&folder.join(&file.name)));
        children.filter_map(Result::transpose).collect()
    }

    fn read_child(&self, path: &Path) -> Result<Option<Box<str>>, EngineError> {
        let bytes = self.disk().read_at_most(path, MOST_BYTES).map_err(LogError::at("read", path))?;
        Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()).map(Into::into))
    }

    /// Forgets what is no longer of use.
    pub fn forget_marks(&self, which: Marks<'_>) -> Result<(), EngineError> {
        let folder = self.calls_folder();
        for file in self.disk().list(&folder).map_err(LogError::at("list", &folder))? {
            let Some((key, mark)) = Mark::read(&file.name) else { continue };
            let is_useless = match which {
                Marks::Of(session) => key.is_of(session),
                Marks::Ended(session, but) => mark == Mark::Ended && key.is_of(session) && !but.contains(&key),
                Marks::Before(time) => file.look.changed_ns / 1_000_000 < time.millis(),
            };
            if is_useless {
                self.remove_mark(&folder.join(&file.name))?;
            }
        }
        Ok(())
    }

    fn remove_mark(&self, path: &Path) -> Result<(), EngineError> {
        Ok(self.disk().remove(path).map_err(LogError::at("remove", path))?)
    }
}
