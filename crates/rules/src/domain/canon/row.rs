//! One entry of canon with all its versions; one fact with all that is said of it.

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::anchor::Number;
use super::claim::{Claim, differ};
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::rows::Ranked;
use annals_kernel::time::Timestamp;

/// One version of an entry.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Version {
    /// Which.
    #[serde(flatten)]
    pub number: Number,
    /// A line.
    pub title: Box<str>,
    /// What holds, Markdown.
    pub text: Box<str>,
    /// What is claimed.
    pub claims: Vec<Claim>,
    /// The issue that it comes from.
    pub source: Option<IssueId>,
    /// Who made it canon.
    pub by: AgentId,
    /// When.
    pub at: Timestamp,
    /// In which line.
    pub entry: EntryId,
    /// What ended it; none: it holds.
    pub ended: Option<VersionEnded>,
}

/// What ended a version.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct VersionEnded {
    /// When.
    pub at: Timestamp,
    /// The version that took its place; none: it was retired.
    pub by: Option<Number>,
}

/// An entry of canon.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct CanonEntry {
    /// The oldest first.
    pub versions: Vec<Version>,
}

impl CanonEntry {
    /// The versions that hold: one; none where it was retired; several where branches were merged.
    pub fn current(&self) -> impl Iterator<Item = &Version> {
        self.versions.iter().filter(|version| version.ended.is_none())
    }

    /// A version by its number.
    pub fn version(&self, number: Number) -> Option<&Version> {
        self.versions.iter().find(|version| version.number == number)
    }

    /// The latest version, whether it holds or not.
    pub fn latest(&self) -> Option<&Version> {
        self.current().last().or(self.versions.last())
    }

    /// The number that the next version gets.
    pub(crate) fn next_number(&self) -> u32 {
        self.versions.iter().map(|version| version.number.number).max().unwrap_or_default() + 1
    }
}

impl Ranked for CanonEntry {
    /// The latest first.
    fn rank(&self) -> i64 {
        self.versions.iter().map(|version| version.at.millis()).max().unwrap_or_default()
    }
}

/// Who says what of a fact.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Holder {
    /// The entry.
    pub key: Box<str>,
    /// In this version.
    pub version: Number,
    /// What it says.
    pub claim: Claim,
    /// The issue that it comes from.
    pub source: Option<IssueId>,
}

/// What holds of a subject's attribute, as current versions have it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fact(pub Vec<Holder>);

impl Fact {
    /// Whether canon contradicts itself here.
    pub(crate) fn is_disputed(&self) -> bool {
        let holders = self.0.iter().enumerate();
        holders
            .into_iter()
            .any(|(at, one)| self.0[at + 1..].iter().any(|two| differ(&one.claim.value, &two.claim.value)))
    }
}

impl Ranked for Fact {
    /// Those in dispute first.
    fn rank(&self) -> i64 {
        i64::from(self.is_disputed())
    }
}

/// Who noticed a contradiction, in which texts.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Catch {
    /// The first who noticed it in a text, by the text's hash.
    #[always]
    pub texts: Vec<(Box<str>, AgentId)>,
    /// Whose merit it was.
    pub merit: Option<AgentId>,
}

impl Ranked for Catch {
    fn rank(&self) -> i64 {
        0
    }
}
