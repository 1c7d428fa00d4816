//! Given / when / then for knowledge.

mod decay;
mod entries;
mod names;
mod promote;
mod retrieve;
mod review;
mod settle;

use super::command::{Add, Retrieve};
use super::event::Added;
use super::row::{Effect, KnowledgeKind, KnowledgeSource};
use super::{Command, Event, Observed, Refusal, State, decide};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::fade::DAY_MS;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// A state, and what is configured.
#[derive(Default)]
struct Bench {
    state: State,
    settings: Settings,
    asked: u32,
}

/// Who asks, when, and with what was found out.
struct WhoAsks<'o> {
    standing: Standing,
    at: Timestamp,
    by: &'o str,
    observed: &'o Observed,
}

/// The so-manyeth day.
fn day(number: i64) -> Timestamp {
    Timestamp::from_millis(1_700_000_000_000 + number * DAY_MS)
}

fn agent(role: &str) -> Standing {
    Standing::Agent(Role::from(Box::<str>::from(role)))
}

fn share(thousandths: u16) -> Share {
    Share::thousandths(thousandths)
}

fn fact(content: &str) -> Add {
    Add {
        kind: KnowledgeKind::Fact,
        content: content.into(),
        entities: Vec::new(),
        about: None,
        confidence: Some(share(800)),
        impact: None,
        source: KnowledgeSource::default(),
        supersedes: None,
    }
}

fn look_for(query: &str) -> Retrieve {
    Retrieve { query: query.into(), ..Retrieve::default() }
}

impl Bench {
    fn set(&mut self, key: &str, value: serde_json::Value) {
        self.settings.set(key, Some(value));
    }

    /// Decides, and takes in what was decided.
    fn ask_as(&mut self, standing: Standing, at: Timestamp, command: impl Into<Command>) -> Outcome<Event, Refusal> {
        self.ask_observed(standing, at, command, &Observed::default())
    }

    fn ask_observed(
        &mut self,
        standing: Standing,
        at: Timestamp,
        command: impl Into<Command>,
        observed: &Observed,
    ) -> Outcome<Event, Refusal> {
        self.ask_with(WhoAsks { standing, at, by: "who", observed }, &command.into())
    }

    fn ask_by(&mut self, by: &str, standing: Standing, at: Timestamp, command: impl Into<Command>) {
        let asking = WhoAsks { standing, at, by, observed: &Observed::default() };
        let outcome = self.ask_with(asking, &command.into());
        assert_eq!(outcome.refusal, None);
    }

    fn ask_with(&mut self, asking: WhoAsks<'_>, command: &Command) -> Outcome<Event, Refusal> {
        let WhoAsks { standing, at, by, observed } = asking;
        self.asked += 1;
        let actor = by.into();
        let (id, session) = (EntryId::new(at, u128::from(self.asked)), SessionId::from("s"));
        let moment = Moment { id, at, actor, standing, session, settings: &self.settings };
        let outcome = decide(&self.state, command, observed, &moment);
        for event in &outcome.events {
            let asked = Some((command, observed));
            self.state.evolve(event, &Cause { asked, id, at, actor: &moment.actor });
        }
        outcome
    }

    fn ask(&mut self, number: i64, command: impl Into<Command>) -> Outcome<Event, Refusal> {
        self.ask_as(Standing::User, day(number), command)
    }

    fn no(&mut self, number: i64, command: impl Into<Command>) -> Option<Refusal> {
        self.ask(number, command).refusal
    }

    /// Adds an entry that must be allowed.
    fn add(&mut self, number: i64, add: Add) -> EntryId {
        let outcome = self.ask(number, add);
        let added = outcome.events.iter().find_map(|event| {
            let Event::Added(Added { entry, .. }) = event else { return None };
            Some(*entry)
        });
        added.unwrap_or_else(|| panic!("it was not added: {outcome:?}"))
    }

    /// Retrieves, and says what came.
    fn came(&mut self, number: i64, ask: Retrieve) -> Vec<EntryId> {
        let outcome = self.ask(number, ask);
        match outcome.events.first() {
            Some(Event::Retrieved(retrieved)) => retrieved.entries.clone(),
            other => panic!("it was no retrieval: {other:?}"),
        }
    }
}
