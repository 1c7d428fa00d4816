//! What an issue still owes: citations that wait for an outcome, parts of a task, thanks that were given
//! (control-room 11.4.1, 11.7; decision 15).

use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::command::Slice;
use super::event::{Awarded, Cited, Settling, Waited};
use super::formula::{QuoteFinding, citation_credits, slices};
use super::reason::CreditReason;
use annals_kernel::credits::Credits;
use annals_kernel::grounding::CitationOutcome;
use annals_kernel::id::{AgentId, EntryId, ModelId};
use annals_kernel::rows::Ranked;
use annals_kernel::settings::Settings;

/// A citation, and who made it.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptCitation {
    /// Who.
    pub agent: AgentId,
    /// With which model.
    pub model: ModelId,
    /// The citation, as it was judged last.
    #[serde(flatten)]
    pub cited: Cited,
    /// Whether somebody else cited the same file later.
    #[serde(default)]
    pub is_shared: bool,
    /// Whether its issue ended before it led to anything: nothing makes it worth more any more.
    #[sparse]
    pub has_lapsed: bool,
}

impl KeptCitation {
    /// Whether it may still lead to something, and has not yet. What its author says of it is no outcome.
    pub fn waits(&self) -> bool {
        !self.has_lapsed && matches!(self.cited.outcome, CitationOutcome::NoActionYet | CitationOutcome::NoAction)
    }

    /// What it is worth with an outcome, where that is more than it was.
    fn raised(&self, outcome: CitationOutcome, settings: &Settings) -> Option<Credits> {
        let worth = citation_credits(self.cited.finding, self.cited.trigger, outcome, settings);
        (!self.has_lapsed && worth > self.cited.worth).then_some(worth)
    }
}

/// A task that was cut into parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitTask {
    /// Whole credits.
    pub total: u32,
    /// How many parts.
    pub slices: u32,
    /// How many are done.
    pub done: u32,
    /// The entry in which the last of them was done.
    #[serde(default)]
    pub done_in: EntryId,
}

/// What an issue still owes.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ledger {
    /// Citations, each once per agent and file.
    pub citations: Vec<KeptCitation>,
    /// The entry that resolved it first.
    pub resolved_in: Option<EntryId>,
    /// Who unfroze it, if that was the last that was said about a freeze.
    pub unfrozen_by: Option<AgentId>,
    /// Reasons for which it pays once, and has paid.
    pub paid: BTreeSet<CreditReason>,
    /// Who thanked whom.
    pub thanked: BTreeSet<(AgentId, AgentId)>,
    /// Parts of a task, by who does it.
    pub tasks: BTreeMap<AgentId, SplitTask>,
}

impl Ranked for Ledger {
    fn rank(&self) -> i64 {
        0
    }
}

/// What an upgrade gives one agent with one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Upgrade {
    /// Who.
    pub agent: AgentId,
    /// With which model.
    pub model: ModelId,
    /// How many credits more.
    pub amount: Credits,
    /// The citations, as they are judged now.
    pub citations: Vec<Cited>,
}

impl Ledger {
    /// Whether an agent cited a file here before: the same path, or the same content (decision 15).
    pub(crate) fn has_cited(&self, agent: &AgentId, file: &str, sha256: Option<&str>) -> bool {
        self.citations.iter().any(|kept| kept.agent == *agent && kept.cited.is_of(file, sha256))
    }

    /// What follows where citations led to something; it never takes anything away (control-room 11.7).
    pub(crate) fn upgrades(
        &self,
        settings: &Settings,
        outcome: impl Fn(&KeptCitation) -> Option<CitationOutcome>,
    ) -> Vec<Upgrade> {
        let mut upgrades: BTreeMap<(&AgentId, &ModelId), Upgrade> = BTreeMap::new();
        for kept in &self.citations {
            let Some(outcome) = outcome(kept) else { continue };
            let Some(worth) = kept.raised(outcome, settings) else { continue };
            let upgrade = upgrades.entry((&kept.agent, &kept.model)).or_insert_with(|| Upgrade {
                agent: kept.agent.clone(),
                model: kept.model.clone(),
                amount: Credits::ZERO,
                citations: Vec::new(),
            });
            upgrade.amount += worth - kept.cited.worth;
            upgrade.citations.push(Cited { outcome, worth, ..kept.cited.clone() });
        }
        upgrades.into_values().collect()
    }

    /// What waits no more where an issue ends, beside what an upgrade gives: what led to nothing, and what led to something
    /// that is worth no more. `outcome` says what each came to; nothing is decided where there is none.
    pub fn settled(
        &self,
        settings: &Settings,
        outcome: Option<&impl Fn(&KeptCitation) -> Option<CitationOutcome>>,
    ) -> Vec<Waited> {
        // Citations once waited for ever on an issue that had ended, and a mark years later paid for them.
        let settle = |kept: &KeptCitation| {
            let (because, outcome) = match outcome.map(|outcome| outcome(kept)) {
                None => (Settling::Undecided, None),
                Some(None) => (Settling::OwnWord, None),
                Some(Some(outcome)) if kept.raised(outcome, settings).is_some() => return None,
                Some(Some(outcome)) => (Settling::WorthNoMore, Some(outcome)),
            };
            Some(Waited { agent: kept.agent.clone(), file: kept.cited.file.clone(), because, outcome })
        };
        self.citations.iter().filter(|kept| kept.waits()).filter_map(settle).collect()
    }

    /// What led to something in another branch is not what waits.
    pub(super) fn settle(&mut self, citations: &[Waited]) {
        for kept in self.citations.iter_mut().filter(|kept| kept.waits()) {
            let is_it = |waited: &&Waited| waited.agent == kept.agent && waited.file == kept.cited.file;
            let Some(waited) = citations.iter().find(is_it) else { continue };
            match waited.outcome {
                Some(outcome) => kept.cited.outcome = outcome,
                None => kept.has_lapsed = true,
            }
        }
    }

    /// Somebody cites files: what others cited of them is shared now.
    pub(super) fn share(&mut self, actor: &AgentId, files: &[(&str, Option<&str>)]) {
        for kept in self.citations.iter_mut().filter(|kept| kept.agent != *actor) {
            kept.is_shared |= files.iter().any(|(file, sha256)| kept.cited.is_of(file, *sha256));
        }
    }

    pub(super) fn take(&mut self, awarded: &Awarded) {
        let reason = awarded.reason;
        if reason == CreditReason::EvidenceOutcomeUpgrade {
            self.upgrade(awarded);
        } else if reason.is_of_citations() {
            self.keep(awarded);
        } else if reason == CreditReason::PeerMarkedHelpful {
            self.thanked.insert((awarded.by.clone(), awarded.agent.clone()));
        } else {
            self.paid.insert(reason);
        }
    }

    fn keep(&mut self, awarded: &Awarded) {
        for cited in awarded.citations.iter().filter(|cited| cited.finding != QuoteFinding::Failed) {
            let (agent, model) = (awarded.agent.clone(), awarded.model.clone());
            self.citations.push(KeptCitation {
                agent,
                model,
                cited: cited.clone(),
                is_shared: false,
                has_lapsed: false,
            });
        }
    }

    fn upgrade(&mut self, awarded: &Awarded) {
        for cited in &awarded.citations {
            let is_it = |kept: &&mut KeptCitation| kept.agent == awarded.agent && kept.cited.file == cited.file;
            if let Some(kept) = self.citations.iter_mut().find(is_it) {
                kept.cited = cited.clone();
            }
        }
    }

    pub(super) fn cut(&mut self, slice: &Slice) {
        let task = SplitTask { total: slice.total, slices: slice.slices, done: 0, done_in: EntryId::default() };
        self.tasks.entry(slice.doer.clone()).or_insert(task);
    }

    pub(super) fn done(&mut self, doer: &AgentId, number: u32, entry: EntryId) {
        if let Some(task) = self.tasks.get_mut(doer).filter(|task| (task.done + 1..=task.slices).contains(&number)) {
            (task.done, task.done_in) = (number, entry);
        }
    }

    /// What counts of an award: all of it, but where two branches both gave what is given once. Nothing where none of it
    /// does.
    pub(super) fn due(&self, awarded: &Awarded, entry: EntryId) -> Option<Awarded> {
        let reason = awarded.reason;
        if reason == CreditReason::AssistedSlice {
            return self.part_due(awarded, entry);
        }
        if reason == CreditReason::EvidenceOutcomeUpgrade {
            return cited_due(awarded, |cited| self.more(&awarded.agent, cited));
        }
        if reason.is_of_citations() && reason != CreditReason::EvidenceFailedVerification {
            let is_known = |cited: &Cited| self.has_cited(&awarded.agent, &cited.file, cited.sha256.as_deref());
            return cited_due(awarded, |cited| (!is_known(cited)).then_some(cited.worth));
        }
        let has_thanked = || self.thanked.contains(&(awarded.by.clone(), awarded.agent.clone()));
        let is_due = if reason == CreditReason::PeerMarkedHelpful {
            !has_thanked()
        } else if reason == CreditReason::CommentUnderBudget {
            // Two branches that each resolved the issue were both paid for it; after the merge the earlier entry
            // counts.
            self.resolved_in.is_none_or(|first| first == entry)
        } else {
            !reason.pays_once() || !self.paid.contains(&reason)
        };
        is_due.then(|| awarded.clone())
    }

    /// The part of the task, as it was cut first.
    fn part_due(&self, awarded: &Awarded, entry: EntryId) -> Option<Awarded> {
        let task = self.tasks.get(&awarded.agent).filter(|task| task.done_in == entry)?;
        let shares = slices(Credits::whole(task.total.into()), task.slices).ok()?;
        let amount = *shares.get(task.done.checked_sub(1)? as usize)?;
        Some(Awarded { amount, ..awarded.clone() })
    }

    /// How much more a citation is worth than it was.
    fn more(&self, agent: &AgentId, cited: &Cited) -> Option<Credits> {
        let kept = self.citations.iter().find(|kept| kept.agent == *agent && kept.cited.file == cited.file)?;
        (cited.worth > kept.cited.worth).then(|| cited.worth - kept.cited.worth)
    }
}

/// An award for those of its citations that count.
fn cited_due(awarded: &Awarded, worth: impl Fn(&Cited) -> Option<Credits>) -> Option<Awarded> {
    let due = awarded.citations.iter().filter_map(|cited| Some((cited.clone(), worth(cited)?)));
    let (citations, worths): (Vec<_>, Vec<_>) = due.unzip();
    let amount = worths.into_iter().sum();
    (!citations.is_empty()).then(|| Awarded { amount, citations, ..awarded.clone() })
}
