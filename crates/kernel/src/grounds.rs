//! What of the evidence of a text is evidence: what code found true, and issues that show something (decision 11).
//!
//! Counts what was looked at; does not look at files, does not know issues and does not say how much is needed.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::grounding::{Checked, Evidence, FileReference};
use super::id::IssueId;

/// How many of the references of a text are evidence, each counted once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Grounds {
    /// Files of the project that are as they were cited.
    pub files: u16,
    /// Other issues, and entries of canon.
    pub others: u16,
}

impl Grounds {
    /// Of a text, with what code found of each cited file, in their order, and whether an issue shows anything. A file that
    /// nobody looked at, that is not as it was cited, or in which nothing stands is no evidence.
    pub fn of(evidence: &Evidence, checked: &[Checked], shows_something: impl Fn(&IssueId) -> bool) -> Self {
        let looked_at = evidence.files.iter().zip(checked).filter(|(file, checked)| shows(file, checked));
        let files: BTreeSet<&str> =
            looked_at.map(|(_, checked)| checked.sha256.as_deref().unwrap_or(&checked.path)).collect();
        let issues: BTreeSet<&IssueId> = evidence.issues.iter().filter(|issue| shows_something(issue)).collect();
        let canon: BTreeSet<&str> = evidence.canon.iter().map(|key| &**key).collect();
        let count = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
        Self { files: count(files.len()), others: count(issues.len() + canon.len()) }
    }

    /// Whether nothing that is cited is evidence.
    pub fn are_none(self) -> bool {
        self == Self::default()
    }

    /// How many references there are, files and others.
    pub fn total(self) -> u32 {
        u32::from(self.files) + u32::from(self.others)
    }
}

fn shows(file: &FileReference, checked: &Checked) -> bool {
    file.path == checked.path && checked.is_verified()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there(path: &str, sha256: &str) -> Checked {
        let sha256 = Some(sha256.into());
        Checked { path: path.into(), exists: true, lines_valid: true, sha256, ..Checked::default() }
    }

    fn grounds(files: &[Checked], issues: &[&str], canon: &[&str]) -> (u16, u16) {
        let reference = |checked: &Checked| FileReference { path: checked.path.clone(), lines: None, quote: None };
        let evidence = Evidence {
            files: files.iter().map(reference).collect(),
            issues: issues.iter().map(|issue| IssueId::from(*issue)).collect(),
            canon: canon.iter().map(|key| Box::from(*key)).collect(),
        };
        let Grounds { files, others } = Grounds::of(&evidence, files, |issue| issue.as_str() != "own");
        (files, others)
    }

    /// Decision 11.
    #[test]
    fn what_is_false_empty_or_the_issue_itself_is_no_evidence() {
        assert_eq!(grounds(&[there("a", "1"), there("b", "2")], &["other"], &["mara"]), (2, 2));
        assert_eq!(grounds(&[Checked { exists: false, ..there("a", "1") }], &[], &[]), (0, 0), "it does not exist");
        assert_eq!(grounds(&[Checked { similarity: Some(500), ..there("a", "1") }], &[], &[]), (0, 0), "a false quote");
        assert_eq!(grounds(&[Checked { lines_valid: false, ..there("a", "1") }], &[], &[]), (0, 0), "no such lines");
        assert_eq!(grounds(&[Checked { is_blank: true, ..there("a", "1") }], &[], &[]), (0, 0), "an empty file");
        assert_eq!(grounds(&[], &["own"], &[]), (0, 0), "the issue itself");
    }

    #[test]
    fn what_is_cited_twice_counts_once() {
        assert_eq!(
            grounds(&[there("a", "1"), there("a", "1"), there("copy-of-a", "1")], &["b", "b"], &["c", "c"]),
            (1, 2)
        );
    }

    #[test]
    fn what_nobody_looked_at_is_no_evidence() {
        let file = FileReference { path: "a".into(), lines: None, quote: None };
        let evidence = Evidence { files: vec![file], ..Evidence::default() };
        for looked_at in [vec![], vec![there("b", "1")]] {
            assert!(Grounds::of(&evidence, &looked_at, |_| true).are_none());
        }
    }
}
