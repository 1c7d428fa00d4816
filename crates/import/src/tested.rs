//! The last version of each tool whose transcripts were compared with what was made of them, record by record.
//!
//! A newer one may write types that nobody knows; `annals doctor` says so where it did. Does not look into transcripts.

use super::Kind;

/// The last version of a tool that was tested; `None` where its transcripts name none that could be compared.
pub(crate) fn last(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::ClaudeCode => Some("2.1.330"),
        Kind::Codex => Some("0.169.0"),
        Kind::CopilotCli => Some("1.0.102"),
        // Its transcripts say no version.
        Kind::GeminiCli => Some("0.61.0"),
        Kind::SweAgent | Kind::OpenHands | Kind::Aider => None,
    }
}

/// A version, as far as it is made of numbers: `2.1.330-beta` is 2, 1, 330.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(Vec<u64>);

impl Version {
    /// Reads a version; of what is none, nothing is left.
    pub(crate) fn of(text: &str) -> Self {
        let core = text.trim_start_matches('v').split(['-', '+', ' ']).next().unwrap_or_default();
        Self(core.split('.').map_while(|part| part.parse().ok()).collect())
    }
}

/// Whether a version is newer than the last one that was tested.
pub(crate) fn is_newer(kind: Kind, version: &str) -> bool {
    last(kind).is_some_and(|last| Version::of(version) > Version::of(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(is_newer(Kind::ClaudeCode, "2.1.1000") && is_newer(Kind::Codex, "v1"));
        assert!(!is_newer(Kind::ClaudeCode, "2.1.330") && !is_newer(Kind::ClaudeCode, "2.1.99-beta.7"));
        assert!(!is_newer(Kind::ClaudeCode, "unknown") && !is_newer(Kind::Aider, "99"));
    }
}
