//! From what an engine folds, and how much at once: whoever is not to be held up, as a hook, has a bound.

use super::{Cache, Live};
use crate::{Engine, EngineError};
use annals_log::order::UnreadPart;

/// How many bytes may be folded at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// As many as there are.
    Any,
    /// So many; where more are not folded yet, nothing is, and whoever asked hears it. Of a packed day nobody knows how
    /// much is in it before it is read, so that it is always too much.
    AtMost(u64),
}

impl Engine {
    /// With or without the checkpoint.
    #[must_use]
    pub fn with_cache(self, cache: Cache) -> Self {
        Self { cache, ..self }
    }

    /// Says how much may be folded at once.
    #[must_use]
    pub fn with_effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }
}

impl Effort {
    fn check(self, parts: &[UnreadPart]) -> Result<(), EngineError> {
        let Self::AtMost(most) = self else { return Ok(()) };
        let bytes = parts.iter().map(UnreadPart::bytes).sum();
        let is_too_much = bytes > most || parts.iter().any(UnreadPart::is_packed);
        if is_too_much { Err(EngineError::TooMuchToFold { bytes, most }) } else { Ok(()) }
    }
}

impl Live {
    /// What is to be folded, where that is not too much.
    pub(super) fn bounded_news(&mut self) -> Result<Vec<UnreadPart>, EngineError> {
        let parts = self.news()?;
        self.effort.check(&parts)?;
        Ok(parts)
    }
}
