//! What a mode found, without a sentence: for the entry that says so, the notice, and whoever learns from it.
//!
//! Leaves out what is no finding about the work: scores of prompts, what went well, who gave work to whom. `told` has all of it.

use std::collections::BTreeMap;

use super::Analysis;
use super::eval::is_against;
use super::metrics::Metrics;
use super::told::Finding;
use annals_kernel::id::EntryId;
use annals_rules::domain::cognition::conclusion::{ModeFinding, Recommended};

impl Analysis {
    /// What it found, the gravest first.
    pub fn found(&self) -> Vec<ModeFinding> {
        match self {
            Self::Critic(critic) => critic.reviews.iter().map(of_review).collect(),
            Self::Review(review) => review.comments.iter().map(of_comment).collect(),
            Self::Documentation(documentation) => of_documentation(documentation),
            Self::Emotional(felt) => of_feelings(felt),
            Self::Metrics(metrics) => of_findings(metrics.findings.iter().filter(|found| found.kind != "delegation")),
            Self::Eval(eval) => of_findings(eval.evidence.iter().filter(|found| is_against(found))),
            Self::Tom(tom) => {
                tom.markers_detected.iter().filter(|found| found.marker.is_negative()).map(of_marker).collect()
            }
            Self::Synergy(_) => Vec::new(),
        }
    }

    /// Its figures, as far as they could be computed.
    pub fn figures(&self) -> BTreeMap<Box<str>, Box<str>> {
        let told = self.told().figures.into_iter();
        told.filter_map(|figure| Some((figure.name.into(), figure.value.value()?.as_str().into()))).collect()
    }

    /// Another arrangement of agents than the one that the session has (AFS 7.3).
    pub fn recommended(&self) -> Option<Recommended> {
        if let Self::Metrics(metrics) = self { metrics.other_arrangement() } else { None }
    }
}

impl Metrics {
    /// The arrangement that the formula chooses, where the session has another.
    fn other_arrangement(&self) -> Option<Recommended> {
        let (current, proposed) = (self.architecture.value()?, self.recommended_architecture.value()?);
        let because = self.because()?;
        (current != proposed).then(|| Recommended {
            current: current.as_str().into(),
            proposed: proposed.as_str().into(),
            because: because.into(),
        })
    }
}

fn finding(kind: &str, grade: Option<&str>, target: Option<&str>, sources: Vec<EntryId>) -> ModeFinding {
    let target = target.filter(|target| !target.is_empty()).map(Into::into);
    ModeFinding { kind: kind.into(), grade: grade.map(Into::into), target, sources }
}

fn of_review(review: &super::critic::Review) -> ModeFinding {
    let target = review.location.as_ref().map(|location| location.file.as_str());
    finding(review.aspect, Some(review.severity.as_str()), target, review.entries.clone())
}

fn of_comment(comment: &super::review::Comment) -> ModeFinding {
    let (grade, file) = (comment.severity.as_str(), comment.location.file.as_str());
    finding(comment.category.as_str(), Some(grade), Some(file), vec![comment.entry])
}

fn of_documentation(found: &super::documentation::Documentation) -> Vec<ModeFinding> {
    let wanting = found.snippets_needing_comments.iter();
    let wanting = wanting.map(|one| finding("wants a comment", None, Some(&one.location.file), vec![one.entry]));
    let poor = found.existing_comment_issues.iter();
    let poor = poor.map(|one| finding(one.issue.as_str(), None, Some(&one.location.file), vec![one.entry]));
    wanting.chain(poor).collect()
}

/// What was made good is over.
fn of_feelings(felt: &super::emotional::Emotional) -> Vec<ModeFinding> {
    let open = felt.frustrations.iter().filter(|one| one.resolved != Some(true)).map(|one| ("frustration", one));
    let all = open.chain(felt.fears.iter().map(|one| ("fear", one)));
    all.map(|(kind, one)| finding(kind, None, None, one.entries.clone())).collect()
}

fn of_findings<'f>(found: impl Iterator<Item = &'f Finding>) -> Vec<ModeFinding> {
    found.map(|found| finding(&found.kind, None, None, found.entries.clone())).collect()
}

fn of_marker(found: &super::tom::FoundMarker) -> ModeFinding {
    finding(found.marker.as_str(), None, None, vec![found.entry])
}
