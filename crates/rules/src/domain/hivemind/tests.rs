//! Given / when / then for hivemind.

mod decay;
mod rules;
mod sync;

use super::command::{Access, Add, Contest, ContestVerdict, Nominate, Observed, Remove, Rise, Settle, Supersede};
use super::row::{EntryCategory, NewEntry};
use super::{Command, Event, Refusal, State, decide};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::fade::DAY_MS;
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

fn day(number: i64) -> Timestamp {
    Timestamp::from_millis(number * DAY_MS)
}

fn id(at: Timestamp) -> EntryId {
    EntryId::new(at, 1)
}

/// A log with a clock that is set by hand.
#[derive(Default)]
struct Scene {
    state: State,
    settings: Settings,
    offers: Vec<NewEntry>,
}

impl Scene {
    /// Decides at a time, and takes in what was decided.
    fn ask(&mut self, who: &str, at: Timestamp, command: impl Into<Command>) -> Outcome<Event, Refusal> {
        let (command, observed) = (command.into(), Observed { offers: std::mem::take(&mut self.offers) });
        let session = SessionId::from("s");
        let (actor, standing) = (AgentId::from(who), standing(who));
        let moment = Moment { id: id(at), at, actor, standing, session, settings: &self.settings };
        let outcome = decide(&self.state, &command, &observed, &moment);
        for event in &outcome.events {
            self.take_in(who, at, event);
        }
        outcome
    }

    fn take_in(&mut self, who: &str, at: Timestamp, event: &Event) {
        let actor = AgentId::from(who);
        self.state.evolve(event, &Cause { asked: None, id: id(at), at, actor: &actor });
    }

    fn does(&mut self, who: &str, at: Timestamp, command: impl Into<Command>) {
        let outcome = self.ask(who, at, command);
        assert!(outcome.refusal.is_none() && !outcome.events.is_empty(), "{outcome:?}");
    }

    fn refuses(&mut self, who: &str, at: Timestamp, command: impl Into<Command>) -> Refusal {
        let outcome = self.ask(who, at, command);
        assert_eq!(outcome.events, [], "a refusal changes nothing");
        outcome.refusal.expect("a refusal")
    }
}

fn standing(who: &str) -> Standing {
    match who {
        "user" => Standing::User,
        "lead" => Standing::Agent(Role::TeamLead),
        "nobody" => Standing::Stranger,
        _ => Standing::Agent(Role::Critic),
    }
}

fn add(category: EntryCategory, key: &str, value: &str) -> Add {
    let (key, value) = (key.into(), value.into());
    Add { category, key, value, confidence: None, reason: None, tags: Vec::new(), related: Vec::new() }
}

fn sure(thousandths: u16, add: Add) -> Add {
    Add { confidence: Some(Share::thousandths(thousandths)), ..add }
}

fn access(key: &str) -> Access {
    Access { key: key.into(), reason: None }
}

fn contest(key: &str, alternative: &str) -> Contest {
    Contest { key: key.into(), reason: "measured".into(), alternative: Some(alternative.into()) }
}

fn nominate(key: &str, rise: Rise) -> Nominate {
    Nominate { key: key.into(), rise, reason: "used every day".into() }
}

fn supersede(key: &str, value: &str) -> Supersede {
    Supersede { key: key.into(), value: value.into(), confidence: None, reason: None }
}

fn settle(key: &str, verdict: ContestVerdict) -> Settle {
    Settle { key: key.into(), verdict }
}

fn remove(key: &str) -> Remove {
    Remove { key: key.into(), reason: "wrong".into() }
}
