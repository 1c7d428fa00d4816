//! What kinds of secret there are, and what stands in their place (AFS 11.1 and 11.3).

use serde::{Deserialize, Serialize};

/// What a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Class {
    /// A key of a service.
    ApiKey,
    /// A token that stands for a person or a session.
    Token,
    /// A secret of another kind.
    Secret,
    /// A password.
    Password,
    /// A private key, as a block of text.
    PrivateKey,
    /// An e-mail address.
    Email,
    /// A phone number.
    Phone,
    /// What a pattern from the configuration found.
    Custom,
}

/// What can be switched on and off (AFS 13.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    ApiKeys,
    Credentials,
    Pii,
    Custom,
}

impl Class {
    /// What is written in the place of a secret. A custom pattern brings its own.
    pub fn marker(self) -> &'static str {
        match self {
            Self::ApiKey => "[REDACTED_API_KEY]",
            Self::Token => "[REDACTED_TOKEN]",
            Self::Secret => "[REDACTED_SECRET]",
            Self::Password => "[REDACTED_PASSWORD]",
            Self::PrivateKey => "[REDACTED_PRIVATE_KEY]",
            Self::Email => "[REDACTED_EMAIL]",
            Self::Phone => "[REDACTED_PHONE]",
            Self::Custom => "[REDACTED]",
        }
    }

    pub(super) fn group(self) -> Group {
        match self {
            Self::ApiKey | Self::Token => Group::ApiKeys,
            Self::Secret | Self::Password | Self::PrivateKey => Group::Credentials,
            Self::Email | Self::Phone => Group::Pii,
            Self::Custom => Group::Custom,
        }
    }
}
