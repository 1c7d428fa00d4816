//! Looks again at what comments cited: what was true then may not be now (decision 14).
//!
//! Reads the lines of comments and the files that they name. Records nothing.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::check_within;
use super::quote::CompareBudget;
use crate::query::expand::Expansion;
use crate::query::filter::Filter;
use crate::{Engine, EngineError};
use annals_kernel::entry::HistoryEntry;
use annals_kernel::grounding::{Checked, Evidence, FileReference, words};
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::time::Timestamp;
use annals_log::read::Flow;

/// The commands whose evidence is looked at before they are decided.
const COMMANDS: [&str; 2] = ["issues.comment.add", "issues.issue.resolve"];

words! {
    /// What has become of a citation.
    pub enum CitationVerdict {
        /// The file is as it was.
        StillTrue = "still-true",
        /// The file has changed, but what was cited still stands there.
        StillHolds = "still-holds",
        /// It was true then, and is not now.
        TrueThen = "was-true-then",
        /// The file is gone.
        Gone = "gone",
        /// It was not true when it was cited, or nobody looked.
        NeverVerified = "never-verified",
    }
}

impl CitationVerdict {
    fn of(then: Option<&Checked>, now: &Checked) -> Self {
        let Some(then) = then.filter(|then| then.is_verified()) else { return Self::NeverVerified };
        match (now.is_verified(), now.exists) {
            (true, _) if now.sha256 == then.sha256 => Self::StillTrue,
            (true, _) => Self::StillHolds,
            (false, true) => Self::TrueThen,
            (false, false) => Self::Gone,
        }
    }

    /// Whether what was cited can be relied on.
    pub fn holds(self) -> bool {
        matches!(self, Self::StillTrue | Self::StillHolds)
    }
}

/// A citation, then and now.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Rechecked {
    /// The comment.
    pub entry: EntryId,
    /// Its time.
    pub at: Timestamp,
    /// Who cited.
    pub by: Option<AgentId>,
    /// In which issue.
    pub issue: IssueId,
    /// What was cited.
    pub reference: FileReference,
    /// What has become of it.
    pub verdict: CitationVerdict,
    /// What was found out then; none where nobody looked.
    pub then: Option<Checked>,
    /// What is found out now.
    pub now: Checked,
}

/// What became of citations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LookedAgain {
    /// Each of them.
    pub citations: Vec<Rechecked>,
    /// How many quotes were compared to the letter only, because there are too many, or they are too long.
    pub cut_short: usize,
}

/// What of a comment or resolution is needed here.
#[derive(Deserialize)]
struct Input {
    command: Citing,
    #[serde(default)]
    observed: Seen,
}

#[derive(Deserialize)]
struct Citing {
    issue: IssueId,
    #[serde(default)]
    evidence: Evidence,
}

#[derive(Default, Deserialize)]
struct Seen {
    #[serde(default)]
    evidence: Vec<Checked>,
}

/// Looks again at what these texts of threads cited (all of them where none are named), up to an entry.
pub fn recheck(
    engine: &Engine,
    project: &Path,
    texts: Option<&BTreeSet<EntryId>>,
    until: EntryId,
) -> Result<LookedAgain, EngineError> {
    let first = texts.map_or(Some(EntryId::MIN), |texts| texts.first().copied());
    let Some(since) = first else { return Ok(LookedAgain::default()) };
    let last = texts.and_then(|texts| texts.last().copied()).unwrap_or(EntryId::MAX);
    let names = COMMANDS.map(str::to_owned).to_vec();
    let filter = Filter { names, named: Some((since, last)), until: Some(until), ..Filter::default() };
    // One effort for all of them, so that many comments together cannot hold it up.
    let (mut citations, mut expansion, mut effort) = (Vec::new(), Expansion::default(), CompareBudget::of_many());
    engine.reader()?.each(&filter, &mut |line| {
        let is_wanted = texts.is_none_or(|texts| texts.contains(&line.entry.id)) && line.entry.operation.success;
        if is_wanted {
            let look = |effort: &mut CompareBudget| look_again(engine, project, &line.entry, &mut expansion, effort);
            citations.extend(effort.of_one(look));
        }
        Flow::More
    })?;
    Ok(LookedAgain { citations, cut_short: effort.cut_short })
}

fn look_again(
    engine: &Engine,
    project: &Path,
    entry: &HistoryEntry,
    expansion: &mut Expansion,
    effort: &mut CompareBudget,
) -> Vec<Rechecked> {
    let input = expansion.json(engine, &entry.operation.input);
    let Ok(Input { command, observed }) = input.read::<Input>() else { return Vec::new() };
    let now = check_within(project, &command.evidence, effort);
    let mut then = observed.evidence.into_iter();
    let both = command.evidence.files.into_iter().zip(now);
    let looked = both.map(|(reference, now)| {
        // What was found out stands in the order of the citations; where it does not, nobody has looked.
        let then = then.next().filter(|then| then.path == reference.path);
        let verdict = CitationVerdict::of(then.as_ref(), &now);
        let by = entry.provenance.agent_id.clone();
        Rechecked {
            entry: entry.id,
            at: entry.timestamp,
            by,
            issue: command.issue.clone(),
            reference,
            verdict,
            then,
            now,
        }
    });
    looked.collect()
}
