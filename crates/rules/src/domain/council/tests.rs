//! Given / when / then for councils.

mod counting;
mod models;
mod seats;
mod sessions;

use super::command::{CouncilPurpose, CouncilSide, Give, Open, Plead, Resolve};
use super::count::Choice;
use super::event::Manned;
use super::{Command, CouncilSession, Event, Observed, Refusal, State, decide};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::model_word::ModelWord;
use annals_kernel::settings::{AnySetting, Settings};
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// Councils, and who asks them what.
#[derive(Default)]
struct Room {
    state: State,
    settings: Settings,
    count: u32,
}

impl Room {
    fn with(values: &[(&dyn AnySetting, serde_json::Value)]) -> Self {
        let mut room = Self::default();
        for (setting, value) in values {
            room.settings.set(setting.key(), Some(value.clone()));
        }
        room
    }

    fn ask(&mut self, who: &str, command: impl Into<Command>) -> Outcome<Event, Refusal> {
        self.ask_observing(who, command, &Observed::default())
    }

    fn ask_observing(
        &mut self,
        who: &str,
        command: impl Into<Command>,
        observed: &Observed,
    ) -> Outcome<Event, Refusal> {
        self.count += 1;
        let at = Timestamp::from_millis(i64::from(self.count) * 1000);
        let standing = match who {
            "user" => Standing::User,
            "system" => Standing::System,
            "lead" => Standing::Agent(Role::TeamLead),
            "carl" => Standing::Agent(Role::Critic),
            _ => Standing::Agent(Role::Writer),
        };
        let (id, actor, session) = (EntryId::new(at, 1), who.into(), SessionId::from("s"));
        let moment = Moment { id, at, actor, standing, session, settings: &self.settings };
        let outcome = decide(&self.state, &command.into(), observed, &moment);
        for event in &outcome.events {
            self.state.evolve(event, &Cause { asked: None, id, at, actor: &moment.actor });
        }
        outcome
    }

    /// Calls a council; its id.
    fn open(&mut self, purpose: CouncilPurpose) -> Box<str> {
        let outcome = self.ask("user", opening(purpose, "the-key"));
        let Some(Event::Created(created)) = outcome.events.first() else { panic!("{outcome:?}") };
        created.council.clone()
    }

    fn vote(&mut self, who: &str, council: &str, vote: Choice, confidence: u16) -> Outcome<Event, Refusal> {
        self.ask(who, give(council, vote, confidence))
    }

    /// Time passes.
    fn wait(&mut self, hours: u32) {
        self.count += hours * 3600;
    }

    /// The seats of a council are taken.
    fn man(&mut self, council: &str, members: &[&str]) {
        let members = members.iter().map(|member| Box::from(*member)).collect();
        let (id, at) = (EntryId::MIN, EntryId::MIN.time());
        let (manned, actor) = (Manned { council: council.into(), members }, "system".into());
        self.state.evolve(&manned.into(), &Cause { asked: None, id, at, actor: &actor });
    }

    fn plead(&mut self, who: &str, council: &str, side: CouncilSide) -> Outcome<Event, Refusal> {
        self.ask(who, Plead { council: council.into(), side, argument: "so it is".into(), agent: None })
    }

    fn session(&self, council: &str) -> &CouncilSession {
        self.state.session(council).expect("a council")
    }
}

fn opening(purpose: CouncilPurpose, key: &str) -> Open {
    Open { purpose, key: key.into(), reason: "it is wrong".into(), current: "a".into(), proposed: "b".into() }
}

fn give(council: &str, vote: Choice, confidence: u16) -> Give {
    let confidence = Share::thousandths(confidence);
    Give { council: council.into(), member: None, vote, confidence, rationale: "because".into() }
}

/// What a model said.
fn word() -> Observed {
    let (purpose, model, prompt, answer) = ("council".into(), "qwen".into(), "0".into(), "{}".into());
    let word = ModelWord {
        entry: EntryId::MIN,
        purpose,
        model,
        prompt,
        tokens_in: 1,
        tokens_out: 1,
        left_out: 0,
        ms: 1,
        answer,
    };
    Observed { model: Some(word) }
}

fn resolve(council: &str) -> Resolve {
    Resolve { council: council.into(), decision: None, confidence: None, synthesis: None }
}

fn names(outcome: &Outcome<Event, Refusal>) -> Vec<&'static str> {
    assert_eq!(outcome.refusal, None);
    outcome.events.iter().map(Event::name).collect()
}
