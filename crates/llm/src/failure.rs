//! Why a model gave no answer, as data that can be recorded.
//!
//! Who was chosen, and why nobody could be, stands in `models`. What an answer lacks is for its reader to say.

use serde::{Deserialize, Serialize};

/// How much of what came is kept with an error.
pub(crate) const KEPT_BYTES: usize = 64 * 1024;

/// Why a model gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "why", rename_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs, reason = "each field is a part of the sentence above it")]
pub enum ModelError {
    /// Nothing listens there, or its certificate is not trusted.
    #[error("no server answers at {at}: {reason}")]
    Unreachable { at: String, reason: String },
    /// The connection ended before the answer did.
    #[error("the answer of {at} broke off: {reason}")]
    Broken { at: String, reason: String, received: String },
    /// The server says no, with an HTTP status, or with an error inside an answer that stands for one.
    #[error("{at} answers with status {status}: {said}")]
    Status { at: String, status: u16, said: String, retry_after_ms: Option<u64> },
    /// A server that sends us on may want our key.
    #[error("{at} sends on to {to}, which is not followed; write the address that answers")]
    Redirected { at: String, to: String },
    /// What came is no answer.
    #[error("the answer of {at} cannot be read: {reason}")]
    Unreadable { at: String, reason: String, received: String },
    /// More came than anything needs.
    #[error("the answer of {at} is longer than {limit} bytes")]
    TooLarge { at: String, limit: usize, received: String },
    /// The time for the whole of it, retries included, is over.
    #[error("no answer within {ms} ms")]
    Deadline { ms: u64 },
    /// Not even a first byte came in the time after which another is asked.
    #[error("no first byte within {ms} ms")]
    Slow { ms: u64 },
    /// Nobody wants the answer any more.
    #[error("cancelled")]
    Cancelled,
    /// The variable named in the configuration is not set, or holds what no key is.
    #[error("the variable {variable} holds no key")]
    NoKey { variable: String },
    /// A command line tool is not installed.
    #[error("{program} cannot be started: {reason}")]
    NoProgram { program: String, reason: String },
    /// A command line tool is not logged in.
    #[error("{program} requires `{command}`")]
    NotLoggedIn { program: String, command: String },
    /// A command line tool failed.
    #[error("{program} failed: {said}")]
    ProgramFailed { program: String, said: String, received: String },
    /// There is no place for the files of a call.
    #[error("no folder for a call can be made: {reason}")]
    NoScratch { reason: String },
    /// A script has said all it has for a role.
    #[error("the script {file} has no answer left for {role}")]
    ScriptEnded { file: String, role: String },
    /// A script wants it to fail here.
    #[error("the script says: {said}")]
    Scripted { said: String },
    /// A run is replayed that asks more than was recorded.
    #[error("no answer is recorded under \"{key}\"")]
    NotRecorded { key: String },
    /// It is not asked: that could use up more than is left, and lastingly where there is no room tomorrow, either.
    #[error("{name} is not asked: {reason}")]
    OverBudget { name: String, reason: String, is_lasting: bool },
    /// The backend has no vectors.
    #[error("{name} makes no vectors of texts")]
    CannotEmbed { name: String },
}

impl ModelError {
    /// Whether the same question may be answered a little later.
    pub fn is_transient(&self) -> bool {
        if let Self::Status { status, .. } = self {
            return is_transient(*status);
        }
        matches!(self, Self::Unreachable { .. } | Self::Broken { .. })
    }

    /// When the server wants to be asked again.
    pub fn retry_after_ms(&self) -> Option<u64> {
        if let Self::Status { retry_after_ms, .. } = self { *retry_after_ms } else { None }
    }

    /// The beginning of what came before it failed, for the log.
    pub fn received(&self) -> Option<&str> {
        if let Self::Broken { received, .. }
        | Self::Unreadable { received, .. }
        | Self::TooLarge { received, .. }
        | Self::ProgramFailed { received, .. }
        | Self::Status { said: received, .. } = self
        {
            Some(received)
        } else {
            None
        }
    }
}

/// What asks for patience. 501 and 505 say that it will never be done.
fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 409 | 429) || (matches!(status, 500..=599) && !matches!(status, 501 | 505))
}

/// The beginning of what came.
pub(crate) fn kept(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(KEPT_BYTES)]).into_owned()
}
