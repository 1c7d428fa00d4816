//! What a person can do about an error of the engine.

use std::path::Path;

use crate::engine::EngineError;
use crate::engine::keys::KeyError;
use crate::log::git::{GitEnvironment, Repository};

/// Whether git has a `.context` for a folder that a sparse checkout leaves out whole.
fn is_left_out(from: &Path) -> bool {
    let indexes = from.ancestors().filter_map(|folder| {
        let repository = Repository::discover(&folder.join(".context"), &GitEnvironment::default()).ok()??;
        repository.index().ok()
    });
    indexes.into_iter().any(|index| index.leaves_out(""))
}

/// A hint, where there is one.
pub(super) fn of(error: &anyhow::Error) -> Option<&'static str> {
    match error.downcast_ref::<EngineError>()? {
        EngineError::NoContext { from } if is_left_out(from) => {
            Some("git's sparse checkout leaves it out: `git sparse-checkout add` brings a folder")
        }
        EngineError::NoContext { .. } => Some("`annals init` makes one"),
        EngineError::Config(_) | EngineError::Pattern(_) => Some("`annals config list` shows keys and types"),
        EngineError::Key(KeyError::Gone { .. }) => {
            Some("put it back, or say `annals seal --new-key`: everyone who trusted the old key must trust the new one")
        }
        EngineError::Key(_)
        | EngineError::Observation(_)
        | EngineError::Log(_)
        | EngineError::TooShort { .. }
        | EngineError::NoPattern { .. }
        | EngineError::NotAText { .. }
        | EngineError::LinkedContext { .. }
        | EngineError::UnknownCall { .. }
        | EngineError::TooMuchToFold { .. } => None,
    }
}
