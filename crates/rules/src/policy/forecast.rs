//! What each reference of a text would earn or cost, before it is said.
//!
//! Asks the same rules that judge it afterwards; decides nothing.

use annals_sparse::sparse;
use serde::Serialize;

use super::citations::{Weight, context, weigh};
use crate::domain::{Ask, Rooms};
use annals_kernel::credits::Credits;
use annals_kernel::decision::Moment;
use annals_kernel::grounding::{Checked, FileReference, Trigger};
use annals_kernel::id::IssueId;

/// What the references of a text would come to.
#[sparse(marked)]
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Forecast {
    /// Why the files were looked up, as far as an entry shows it; none where no file is cited.
    #[sparse]
    pub trigger: Option<Trigger>,
    /// Files.
    pub files: Vec<FileForecast>,
    /// Issues and entries of canon.
    pub others: Vec<OtherForecast>,
}

/// What a cited file would come to.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct FileForecast {
    /// As it is cited.
    pub reference: FileReference,
    /// What code found.
    pub checked: Checked,
    /// What that counts as.
    pub weight: Weight,
    /// What it would earn, or cost, at once; none for whom credits do not count.
    pub credits: Option<Credits>,
}

/// What a cited issue or entry of canon would come to: it earns nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct OtherForecast {
    /// The id of an issue, or the key of an entry of canon.
    pub reference: Box<str>,
    /// Whether it is evidence: the issue itself is none, and none that whoever cites it has made alone.
    pub is_evidence: bool,
}

/// What the references of a text would come to; nothing where a command says nothing.
pub fn forecast(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Forecast {
    let Some(said) = ask.command.said() else { return Forecast::default() };
    let (id, evidence) = (said.issue(), said.evidence());
    let counts = rooms.roster.agent(&moment.actor).is_some();
    let file = |(reference, weighed): (&FileReference, super::citations::Weighed)| FileForecast {
        reference: reference.clone(),
        checked: weighed.checked,
        weight: weighed.weight,
        credits: counts.then_some(weighed.worth),
    };
    let files: Vec<_> = evidence.files.iter().zip(weigh(rooms, id, ask, moment)).map(file).collect();
    let is_evidence = |cited: &IssueId| rooms.issue.is_evidence(cited, id, &moment.actor);
    let issue = |cited: &IssueId| OtherForecast { reference: cited.as_str().into(), is_evidence: is_evidence(cited) };
    let canon = |key: &str| OtherForecast { reference: key.into(), is_evidence: true };
    let others = evidence.issues.iter().map(issue).chain(evidence.canon.iter().map(|key| canon(key))).collect();
    let trigger = (!files.is_empty()).then(|| context(rooms, id, ask, &moment.actor).0);
    Forecast { trigger, files, others }
}
