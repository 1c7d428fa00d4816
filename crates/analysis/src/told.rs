//! How a result reads: figures with what they are of, and findings with the entries that they stand on.

use serde::Serialize;

use super::computed::Computed;
use annals_kernel::id::EntryId;

/// A result, to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// Figures.
    pub figures: Vec<Figure>,
    /// What was found, the gravest first.
    pub findings: Vec<Finding>,
    /// What a reader must know of the whole, in a sentence each.
    pub notes: Vec<String>,
}

/// A figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// As it is called in the protocol, with its group: `prompt_quality.clarity`.
    pub name: &'static str,
    /// Its value.
    pub value: Computed<String>,
    /// What it is of.
    pub of: String,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Finding {
    /// How grave, or of what kind, in a word.
    pub kind: String,
    /// What.
    pub text: String,
    /// The entries that it stands on.
    pub entries: Vec<EntryId>,
}

impl Told {
    /// Adds a figure.
    pub fn figure<T: ToString + Clone>(&mut self, name: &'static str, value: &Computed<T>, of: impl Into<String>) {
        self.figures.push(Figure { name, value: value.clone().map(|value| value.to_string()), of: of.into() });
    }

    /// Adds a finding.
    pub fn find(&mut self, kind: impl Into<String>, text: impl Into<String>, entries: &[EntryId]) {
        self.findings.push(Finding { kind: kind.into(), text: text.into(), entries: entries.to_vec() });
    }
}
