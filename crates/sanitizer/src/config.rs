//! How the sanitizer is configured (AFS 13.6), and what can be wrong with that.

use serde::{Deserialize, Serialize};

/// What is looked for. Every key has a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Whether anything is looked for at all.
    pub enabled: bool,
    /// Which built-in rules are on.
    pub patterns: Patterns,
    /// Rules of one's own.
    pub custom_patterns: Vec<CustomPattern>,
    /// Tools whose input and output is left as it is.
    pub excluded_tools: Vec<String>,
    /// Globs of files whose content is secret, besides those that are known to be.
    pub excluded_files: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: true,
            patterns: Patterns::default(),
            custom_patterns: Vec::new(),
            excluded_tools: Vec::new(),
            excluded_files: Vec::new(),
        }
    }
}

/// The groups of built-in rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Patterns {
    /// Keys and tokens of services.
    pub api_keys: bool,
    /// Passwords, secrets, private keys, credentials in URLs.
    pub credentials: bool,
    /// E-mail addresses and phone numbers.
    pub pii: bool,
}

impl Default for Patterns {
    fn default() -> Self {
        Self { api_keys: true, credentials: true, pii: false }
    }
}

/// A rule from the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomPattern {
    /// What it is called in findings.
    pub name: String,
    /// A regular expression; where it has a group, only the first group is replaced.
    pub pattern: String,
    /// What is written instead, as it stands; `[REDACTED]` where it is not given.
    #[serde(default = "default_replacement")]
    pub replacement: String,
}

fn default_replacement() -> String {
    super::Class::Custom.marker().to_owned()
}

/// Why a sanitizer cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A custom pattern is not a regular expression.
    #[error("custom pattern {name:?} is not a regular expression: {problem}")]
    Pattern {
        /// Its name.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A custom pattern finds something in every text.
    #[error("custom pattern {name:?} matches the empty text")]
    MatchesNothing {
        /// Its name.
        name: String,
    },
}
