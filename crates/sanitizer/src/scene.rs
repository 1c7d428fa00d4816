//! What is in force while one value is cleaned: the groups of rules, one's own patterns, the kind of file.

use super::class::Group;
use super::config::Patterns;
use super::custom::Custom;
use super::edit::Edit;

/// What is looked for in a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene<'a> {
    pub patterns: Patterns,
    pub custom: &'a [Custom],
    pub content: Content,
}

/// Where the value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// From anywhere.
    Ordinary,
    /// From a file that is known to be secret: every value in it is.
    SecretFile,
}

impl Scene<'_> {
    /// Whether a finding counts.
    pub(super) fn wants(&self, edit: &Edit) -> bool {
        match edit.class.group() {
            Group::ApiKeys => self.patterns.api_keys,
            Group::Credentials => self.patterns.credentials,
            Group::Pii => self.patterns.pii,
            Group::Custom => true,
        }
    }

    /// Whether every string has to be looked at, not only those with a keyword in them.
    pub(super) fn looks_everywhere(&self) -> bool {
        self.patterns.pii || !self.custom.is_empty() || self.content == Content::SecretFile
    }
}
