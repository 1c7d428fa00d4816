//! Where an entry that is offered comes from: whose word it is, what it was learnt from, and to whom it came how often.
//!
//! Read from the log: the state keeps how often, and not to whom. Looks only.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Weighed;
use crate::act::resident::session_of;
use crate::engine::Engine;
use crate::engine::query::filter::Filter;
use crate::kernel::actor::{SYSTEM, USER};
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::{AgentId, EntryId};
use crate::log::read::Flow;

/// The decision that a retrieval is.
const RETRIEVE: &str = "knowledge.entry.retrieve";

/// Where an entry comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PromotionOrigin {
    entry: EntryId,
    /// Whose word it is.
    author: AgentId,
    /// Who accepted it, where another proposed it.
    accepted_by: Option<AgentId>,
    /// By which rule it was found, where one found it.
    rule: Option<Box<str>>,
    /// What it was learnt from.
    learnt_from: Vec<LearntFrom>,
    /// To whom it came.
    came_to: Vec<CameTo>,
}

/// An entry of the history from which something was learnt.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LearntFrom {
    entry: EntryId,
    /// Who did it; none where it is not in the history.
    by: Option<AgentId>,
    /// What sort of step it is.
    kind: Box<str>,
}

/// How often something came to one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CameTo {
    who: Box<str>,
    times: u64,
    /// Whether it counts for a promotion: that of the person, and of hooks and the loop.
    counts: bool,
}

/// Whom something came to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Reader {
    /// The person.
    Person,
    /// A hook or the loop, by the rules.
    Rules,
    /// An agent.
    Agent(Box<str>),
    /// A resident agent, for a message of whoever wrote it.
    Resident(Box<str>),
}

impl Reader {
    fn of(entry: &HistoryEntry) -> Self {
        let actor = entry.provenance.agent_id.as_ref().map_or(USER, AgentId::as_str);
        let prefix = session_of(&AgentId::from(""));
        let resident = entry.session_id.as_str().strip_prefix(prefix.as_str());
        match (actor, resident) {
            (USER, _) => Self::Person,
            (SYSTEM, Some(name)) => Self::Resident(name.into()),
            (SYSTEM, None) => Self::Rules,
            (agent, _) => Self::Agent(agent.into()),
        }
    }

    fn counts(&self) -> bool {
        match self {
            Self::Person | Self::Rules => true,
            Self::Agent(_) | Self::Resident(_) => false,
        }
    }

    fn name(&self) -> Box<str> {
        match self {
            Self::Person => USER.into(),
            Self::Rules => SYSTEM.into(),
            Self::Agent(name) => name.clone(),
            Self::Resident(name) => format!("the resident {name}").into(),
        }
    }
}

/// To whom entries came, and how often.
#[derive(Debug, Default)]
pub(super) struct Retrievals(BTreeMap<EntryId, BTreeMap<Reader, u64>>);

impl Retrievals {
    /// Of all entries, up to one of the log.
    pub(super) fn read(engine: &Engine, until: EntryId) -> anyhow::Result<Self> {
        let mut all = Self::default();
        let until = Some(until).filter(|until| *until != EntryId::MAX);
        let filter = Filter { names: vec![RETRIEVE.to_owned()], until, ..Filter::default() };
        engine.reader()?.each(&filter, &mut |found| {
            all.take(&found.entry);
            Flow::More
        })?;
        Ok(all)
    }

    fn take(&mut self, entry: &HistoryEntry) {
        if !entry.annals.is_decision() {
            return;
        }
        let output = entry.operation.output.as_ref().map(crate::kernel::json::Json::value).unwrap_or_default();
        let events = output["events"].as_array().into_iter().flatten();
        let ids = events.flat_map(|event| event["data"]["entries"].as_array().into_iter().flatten());
        for id in ids.filter_map(|id| id.as_str()?.parse().ok()) {
            *self.0.entry(id).or_default().entry(Reader::of(entry)).or_default() += 1;
        }
    }

    /// How often it came to those that count.
    pub(super) fn counted(&self, id: EntryId) -> u64 {
        let readers = self.0.get(&id).into_iter().flatten();
        readers.filter(|(reader, _)| reader.counts()).map(|(_, times)| times).sum()
    }

    fn told(&self, id: EntryId) -> Vec<CameTo> {
        let readers = self.0.get(&id).into_iter().flatten();
        readers.map(|(reader, times)| CameTo { who: reader.name(), times: *times, counts: reader.counts() }).collect()
    }
}

/// Where each of these entries comes from.
pub(super) fn origins(
    engine: &Engine,
    retrievals: &Retrievals,
    weighed: &[&Weighed],
) -> anyhow::Result<Vec<PromotionOrigin>> {
    let ids: BTreeSet<EntryId> = weighed.iter().flat_map(|one| one.entry.said.source.entries.iter().copied()).collect();
    let found = engine.reader()?.by_id(ids, EntryId::MAX)?;
    let learnt = |id: &EntryId| {
        let entry = found.get(id).and_then(|found| found.first()).map(|found| &found.entry);
        let by = entry.and_then(|entry| entry.provenance.agent_id.clone());
        let kind = entry.map_or("not in the history", |entry| entry.operation.kind.as_str());
        LearntFrom { entry: *id, by, kind: kind.into() }
    };
    let origin = |one: &&Weighed| PromotionOrigin {
        entry: one.standing.entry,
        author: one.author.clone(),
        accepted_by: (one.author != one.entry.by).then(|| one.entry.by.clone()),
        rule: one.entry.said.source.rule.clone(),
        learnt_from: one.entry.said.source.entries.iter().map(learnt).collect(),
        came_to: retrievals.told(one.standing.entry),
    };
    Ok(weighed.iter().map(origin).collect())
}

impl PromotionOrigin {
    /// In a line.
    pub(super) fn in_words(&self) -> String {
        let Self { entry, author, accepted_by, rule, learnt_from, came_to } = self;
        let whose = match accepted_by {
            Some(by) => format!("proposed by {author}, accepted by {by}"),
            None => format!("said by {author}"),
        };
        let rule = rule.as_ref().map(|rule| format!("; found by the rule {rule}")).unwrap_or_default();
        let from: Vec<_> = learnt_from.iter().map(LearntFrom::in_words).collect();
        let from = if from.is_empty() { String::new() } else { format!("; learnt from {}", from.join(", ")) };
        let came: Vec<_> = came_to.iter().map(CameTo::in_words).collect();
        format!("{entry}: {whose}{rule}{from}; came to {}", came.join(", "))
    }
}

impl LearntFrom {
    fn in_words(&self) -> String {
        let by = self.by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
        format!("{} ({}{by})", self.entry, self.kind)
    }
}

impl CameTo {
    fn in_words(&self) -> String {
        let Self { who, times, counts } = self;
        format!("{who} {times}{}", if *counts { "" } else { " (does not count)" })
    }
}
