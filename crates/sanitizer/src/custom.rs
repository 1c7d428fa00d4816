//! Patterns from the configuration.

use memchr::memmem;
use regex::Regex;

use super::config::{ConfigError, CustomPattern};
use super::edit::Edit;

/// A pattern, ready to be used.
#[derive(Debug, Clone)]
pub(super) struct Custom {
    name: String,
    shape: Regex,
    replacement: String,
}

impl TryFrom<&CustomPattern> for Custom {
    type Error = ConfigError;

    fn try_from(pattern: &CustomPattern) -> Result<Self, ConfigError> {
        let CustomPattern { name, pattern, replacement } = pattern.clone();
        let shape = match Regex::new(&pattern) {
            Ok(shape) => shape,
            Err(problem) => return Err(ConfigError::Pattern { name, problem: problem.to_string() }),
        };
        if shape.is_match("") {
            return Err(ConfigError::MatchesNothing { name });
        }
        Ok(Self { name, shape, replacement })
    }
}

impl Custom {
    /// Edits for all that the pattern finds and that is not already its replacement.
    pub(super) fn find(&self, text: &str, edits: &mut Vec<Edit>) {
        for found in self.shape.captures_iter(text) {
            let Some(secret) = found.get(1).or_else(|| found.get(0)) else { continue };
            if !secret.is_empty() && !self.is_replaced(text, secret.start(), secret.end()) {
                edits.push(Edit::custom(secret.range(), &self.name, &self.replacement));
            }
        }
    }

    /// Whether the range lies inside of an earlier replacement.
    fn is_replaced(&self, text: &str, start: usize, end: usize) -> bool {
        let replacement = self.replacement.as_bytes();
        let from = end.saturating_sub(replacement.len());
        let to = (start + replacement.len()).min(text.len());
        // A longer secret lies in no replacement, and its ends are too far apart for one.
        end - start <= replacement.len()
            && memmem::find(&text.as_bytes()[from..to], replacement)
                .is_some_and(|at| from + at <= start && end <= from + at + replacement.len())
    }
}
