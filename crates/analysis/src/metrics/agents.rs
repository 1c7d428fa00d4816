//! Who worked in a session and below it, who talked with whom, and what shape that has (AFS 5.2.3).

use std::collections::{BTreeMap, BTreeSet};

use crate::step::{Record, Step, What};
use annals_kernel::call::CallKind;
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;

words! {
    /// How agents are arranged (AFS 5.2.3).
    pub enum Architecture {
        /// One agent, one thing after the other.
        Single = "single",
        /// Several that do not talk with each other.
        Independent = "independent",
        /// One gives work to the others.
        Centralized = "centralized",
        /// All may talk with all.
        Decentralized = "decentralized",
        /// One gives work, and the others talk with each other.
        Hybrid = "hybrid",
    }
}

/// Agents and what passed between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Agents {
    /// Who acted.
    pub names: BTreeSet<Box<str>>,
    /// Who gave work to whom.
    pub given: BTreeMap<(Box<str>, Box<str>), Vec<EntryId>>,
    /// Who spoke where whom could read it, or answered whom.
    pub said: BTreeMap<(Box<str>, Box<str>), Vec<EntryId>>,
    /// Work that was given, and whether it came back well.
    pub delegations: Vec<Delegation>,
    /// What agents said and called.
    pub acts: usize,
}

/// Work that one agent gave another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delegation {
    /// The entry that gave it.
    pub entry: EntryId,
    /// Whether an answer came back.
    pub end: End,
}

/// What became of work that was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// An answer came back.
    Answered,
    /// It failed, or nothing came back.
    Lost,
}

impl Agents {
    /// Of a session and all below it.
    pub(crate) fn of(record: &Record) -> Self {
        let mut agents = Self::default();
        for record in record.all() {
            agents.speak(&record.steps);
            let mut calls = record.steps.iter().filter(|step| is_delegation(step));
            for child in &record.children {
                agents.give(record, child, calls.next());
            }
            // A call without a session below is judged by its own answer.
            for step in calls {
                let is_lost = step.call().is_none_or(|call| !call.is_ok());
                agents
                    .delegations
                    .push(Delegation { entry: step.id, end: if is_lost { End::Lost } else { End::Answered } });
            }
        }
        agents
    }

    /// Within one session every speaker hears the one before.
    fn speak(&mut self, steps: &[Step]) {
        let mut last: Option<&str> = None;
        for step in steps.iter().filter(|step| is_of_agent(step)) {
            self.names.insert(step.agent.clone());
            self.acts += 1;
            if let Some(before) = last.filter(|before| step.said().is_some() && **before != *step.agent) {
                self.said.entry((step.agent.clone(), before.into())).or_default().push(step.id);
            }
            if step.said().is_some() {
                last = Some(&step.agent);
            }
        }
    }

    /// A session below another was given its work, by a call where the record has one, and what it says goes back. The
    /// calls and the sessions are in the same order.
    fn give(&mut self, above: &Record, below: &Record, call: Option<&Step>) {
        let begins =
            above.steps.iter().find(|step| matches!(&step.what, What::Began(began) if began.session == below.session));
        let begins = begins.or(below.steps.first()).map(|step| step.id);
        let last = below.steps.iter().rev().find(|step| step.said().is_some()).map(|step| step.id);
        let answered: Vec<_> = last.into_iter().collect();
        let gave_back = call.and_then(Step::call).is_some_and(|call| call.is_ok() && is_answer(&call.output));
        let has_failed = call.and_then(Step::call).is_some_and(|call| !call.is_ok());
        if let Some(entry) = call.map(|step| step.id).or(begins) {
            let is_lost = has_failed || answered.is_empty() && !gave_back;
            self.delegations.push(Delegation { entry, end: if is_lost { End::Lost } else { End::Answered } });
        }
        let (Some(giver), Some(worker)) = (main_agent(&above.steps), main_agent(&below.steps)) else { return };
        self.given.entry((giver.clone(), worker.clone())).or_default().extend(begins);
        if !answered.is_empty() {
            self.said.entry((worker, giver)).or_default().extend(answered);
        }
    }

    /// Messages between agents: work that was given, and what was answered.
    pub(crate) fn messages(&self) -> usize {
        self.given.values().chain(self.said.values()).map(Vec::len).sum()
    }

    /// What shape it has.
    pub(crate) fn architecture(&self) -> Option<Architecture> {
        if self.names.len() < 2 {
            return self.names.first().map(|_| Architecture::Single);
        }
        let pairs: BTreeSet<_> = self.given.keys().chain(self.said.keys()).map(ordered).collect();
        if pairs.is_empty() {
            return Some(Architecture::Independent);
        }
        let givers: BTreeSet<&str> = self.given.keys().map(|(giver, _)| &**giver).collect();
        let is_led = |(left, right): &(&str, &str)| givers.contains(left) || givers.contains(right);
        Some(match (givers.is_empty(), pairs.iter().all(is_led)) {
            (true, _) => Architecture::Decentralized,
            (false, true) => Architecture::Centralized,
            (false, false) => Architecture::Hybrid,
        })
    }
}

fn ordered(pair: &(Box<str>, Box<str>)) -> (&str, &str) {
    if pair.0 <= pair.1 { (&pair.0, &pair.1) } else { (&pair.1, &pair.0) }
}

fn is_delegation(step: &Step) -> bool {
    is_of_agent(step) && step.call().is_some_and(|call| call.kind == CallKind::Delegate)
}

/// Work that goes on in the background is only acknowledged.
fn is_answer(output: &str) -> bool {
    let output = output.trim();
    let is_receipt = ["launched", "in the background"].iter().any(|word| output.contains(word));
    !output.is_empty() && !is_receipt
}

fn is_of_agent(step: &Step) -> bool {
    let acts = matches!(step.what, What::Said(_) | What::Called(_));
    acts && !step.is_of_person() && !step.is_of_system()
}

/// Who acted most in a session.
fn main_agent(steps: &[Step]) -> Option<Box<str>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for step in steps.iter().filter(|step| is_of_agent(step)) {
        *counts.entry(&step.agent).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(name, _)| name.into())
}
