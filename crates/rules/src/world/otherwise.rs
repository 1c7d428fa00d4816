//! What would have been: decisions made anew under another configuration, each in the world that followed from the others.
//!
//! Decides one at a time, on a past that is given, and says which line would stand in the place of the recorded one. What
//! nobody asked then is not asked here either. Does not read the log; `engine::replay` does.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::World;
use super::decision::Outcome;
use super::replay::{Difference, decide_again, is_recorded, readable};
use crate::domain::{Ask, Command};
use crate::policy;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::envelope::Envelope;
use annals_kernel::id::EntryId;
use annals_kernel::json::Json;
use annals_kernel::settings::Settings;

/// Values on top of the configuration that was in force.
#[derive(Debug, Clone, Default)]
pub struct Overlay(pub Settings);

impl Overlay {
    fn over(&self, settings: &Settings) -> Settings {
        let mut all = settings.clone();
        for (key, value) in self.0.iter() {
            all.set(key, Some(value.clone()));
        }
        all
    }
}

/// What becomes of a decision in the world that would have been.
#[derive(Debug, Clone, PartialEq)]
pub enum Course {
    /// What was recorded.
    AsRecorded,
    /// Something else.
    Otherwise(Box<Difference>),
    /// Nobody can say.
    Undecidable(Missing),
}

/// What is not there, so that a command cannot be decided any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// What the command names: it never came to be.
    Thing(Box<str>),
    /// The token of its actor: nobody asked for one then.
    Proof,
}

/// Decides a command anew, after what would have come before it.
pub fn course(past: &mut World, entry: &Envelope<'_>, overlay: &Overlay, gone: &Gone) -> Course {
    let Some(ask) = readable(entry) else { return Course::AsRecorded };
    let settings = overlay.over(&past.settings_for(&ask));
    let replayed = decide_again(past, entry, &ask, &settings);
    if is_recorded(entry, Some(&replayed)) {
        return Course::AsRecorded;
    }
    if let Some(missing) = missing(&ask, &replayed, gone) {
        return Course::Undecidable(missing);
    }
    Course::Otherwise(Box::new(Difference { recorded: entry.output(), replayed: Some(replayed) }))
}

fn missing(ask: &Ask, replayed: &Outcome, gone: &Gone) -> Option<Missing> {
    let thing = gone.named_in(&ask.command.data()).map(Missing::Thing);
    thing.or_else(|| replayed.refusal.as_ref().is_some_and(policy::is_want_of_proof).then_some(Missing::Proof))
}

/// Names of what never came to be: the ids that decisions gave and would not have given.
#[derive(Debug, Clone, Default)]
pub struct Gone(BTreeSet<Box<str>>);

impl Gone {
    /// Learns what a decision does not bring about.
    pub fn learn(&mut self, entry: &Envelope<'_>, course: &Course) {
        let now = match course {
            Course::AsRecorded => return,
            Course::Otherwise(difference) => difference.replayed.as_ref(),
            Course::Undecidable(_) => None,
        };
        let recorded: Option<Outcome> = entry.output();
        let (before, after) = (given(entry.id(), recorded.as_ref()), given(entry.id(), now));
        self.0.extend(before.difference(&after).cloned());
    }

    /// The first of them that fields name.
    fn named_in(&self, fields: &Json) -> Option<Box<str>> {
        let mut found = None;
        each_text(&fields.value(), &mut |text| {
            if found.is_none() {
                found = self.0.get(text).cloned();
            }
        });
        found
    }
}

/// The ids that a decision gave: those in its events, and its own where it was no refusal, as of a comment.
fn given(id: EntryId, outcome: Option<&Outcome>) -> BTreeSet<Box<str>> {
    let own = id.to_string();
    let mut ids = BTreeSet::new();
    let Some(outcome) = outcome else { return ids };
    if outcome.refusal.is_none() {
        ids.insert(own.as_str().into());
    }
    for event in &outcome.events {
        each_text(&event.data.value(), &mut |text| {
            let rest = text.strip_prefix(own.as_str());
            if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
                ids.insert(text.into());
            }
        });
    }
    ids
}

fn each_text(value: &Value, found: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => found(text),
        Value::Array(values) => values.iter().for_each(|value| each_text(value, found)),
        Value::Object(members) => members.values().for_each(|value| each_text(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Which line would stand in the place of a recorded one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StandIn {
    /// The same.
    Itself,
    /// Another.
    Line(String),
    /// None: a "no" without events is not recorded.
    Nothing,
}

impl StandIn {
    /// The line that a decision would have left.
    pub fn of(entry: &Envelope<'_>, course: &Course) -> Self {
        let outcome = match course {
            Course::AsRecorded => return Self::Itself,
            Course::Undecidable(_) => return Self::Nothing,
            Course::Otherwise(difference) => difference.replayed.as_ref(),
        };
        let outcome = outcome.filter(|outcome| !outcome.events.is_empty());
        let recorded = std::str::from_utf8(entry.line()).ok().and_then(|line| HistoryEntry::read(line).ok());
        let Some((outcome, mut entry)) = outcome.zip(recorded) else { return Self::Nothing };
        let operation = &mut entry.operation;
        operation.success = outcome.refusal.is_none();
        operation.error = outcome.refusal.as_ref().map(|refusal| refusal.rule.clone());
        operation.output = Some(Json::of(outcome));
        Self::Line(entry.to_line())
    }
}

impl World {
    /// Takes in the next entry of the world that would have been: what the fold itself reads of the configuration is under
    /// the overlay, too.
    pub fn apply_under(&mut self, entry: &Envelope<'_>, overlay: &Overlay) {
        let is_config = || matches!(readable(entry), Some(Ask { command: Command::Config(_), .. }));
        let is_about_settings = entry.rules().is_some() && is_config();
        if is_about_settings || overlay.0.iter().next().is_none() {
            return self.apply(entry);
        }
        let settings = &mut self.rooms.config.settings;
        let laid_over = overlay.over(settings);
        let recorded = std::mem::replace(settings, laid_over);
        self.rooms.cognition.forget_limits();
        self.apply(entry);
        self.rooms.cognition.forget_limits();
        self.rooms.config.settings = recorded;
    }
}
