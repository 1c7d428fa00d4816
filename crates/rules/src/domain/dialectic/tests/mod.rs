//! Given what happened, when something is asked, then events or a refusal; and what recorded sessions add.

mod counts;
mod debates;
mod gates;
mod recorded;
mod reports;

use super::command::{Argue, DebateKind, Fail, Position, Request, Resolve};
use super::csp::{self, Message};
use super::gate::{GateAnswer, Question};
use super::{Command, Event, Observed, Refusal, State, decide};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::settings::{AnySetting, Settings};
use annals_kernel::time::Timestamp;

const TASK: &str = "Fix the authentication test";
const TASK_ID: &str = "2fba088a8d564d54";

/// A state, and the minute that it is.
struct Desk {
    state: State,
    minute: i64,
    settings: Settings,
}

fn at(minute: i64) -> Timestamp {
    Timestamp::from_millis(1_763_700_000_000 + minute * 60_000)
}

impl Desk {
    fn new() -> Self {
        Self { state: State::default(), minute: 0, settings: Settings::default() }
    }

    fn set(&mut self, setting: &dyn AnySetting, value: impl Into<serde_json::Value>) {
        self.settings.set(setting.key(), Some(value.into()));
    }

    /// Decides, and takes in what was decided.
    fn ask_as(&mut self, actor: &str, command: impl Into<Command>, observed: &Observed) -> Outcome<Event, Refusal> {
        self.minute += 1;
        let command = command.into();
        let standing = match actor {
            "user" => Standing::User,
            "system" => Standing::System,
            "lead" => Standing::Agent(Role::TeamLead),
            _ => Standing::Agent(Role::Writer),
        };
        let moment = Moment {
            id: EntryId::new(at(self.minute), 1),
            at: at(self.minute),
            actor: AgentId::from(actor),
            standing,
            session: SessionId::from("s"),
            settings: &self.settings,
        };
        let outcome = decide(&self.state, &command, observed, &moment);
        for event in &outcome.events {
            let asked = Some((&command, observed));
            self.state.evolve(event, &Cause { asked, id: moment.id, at: moment.at, actor: &moment.actor });
        }
        outcome
    }

    fn ask(&mut self, command: impl Into<Command>) -> Outcome<Event, Refusal> {
        self.ask_as("user", command, &Observed::default())
    }

    /// What is asked happens; its first event is told.
    fn done(&mut self, command: impl Into<Command>) -> Event {
        let outcome = self.ask(command);
        assert_eq!(outcome.refusal, None);
        outcome.events.into_iter().next().expect("an event")
    }

    /// What another branch decided happens here, too.
    fn take(&mut self, event: &Event) {
        self.minute += 1;
        let at = at(self.minute);
        let cause = Cause { asked: None, id: EntryId::new(at, 1), at, actor: &AgentId::from("user") };
        self.state.evolve(event, &cause);
    }

    fn refused(&mut self, command: impl Into<Command>) -> &'static str {
        let outcome = self.ask(command);
        assert_eq!(outcome.events, []);
        outcome.refusal.map_or("nothing", |refusal| refusal.rule())
    }

    fn fail(&mut self, error: &str) -> Vec<Event> {
        self.ask(Fail { task: TASK.into(), error: error.into(), approach: Some("as before".into()) }).events
    }

    fn request(&mut self, request: Request) -> Box<str> {
        let event = self.done(request);
        let Event::Requested(requested) = event else { panic!("{event:?}") };
        requested.debate
    }

    fn argue(&mut self, debate: &str, line: &str) -> Outcome<Event, Refusal> {
        self.ask(argue(debate, line))
    }

    fn resolve(&mut self, debate: &str) -> super::event::ResolvedDebate {
        let event = self.done(Resolve { debate: debate.into(), ..Resolve::default() });
        let Event::Resolved(resolution) = event else { panic!("{event:?}") };
        resolution
    }

    fn gate(&self, task: &str) -> GateAnswer {
        self.gate_with(task, None, false)
    }

    fn gate_with(&self, task: &str, plan: Option<&str>, is_off: bool) -> GateAnswer {
        let facts = super::command::Facts::default();
        let (at, settings) = (at(self.minute + 1), &self.settings);
        let task = &self.state.named(task).expect("a task");
        self.state.gate(&Question {
            task,
            plan,
            facts: &facts,
            voice: super::stakes::RequestVoice::User,
            is_off,
            at,
            settings,
        })
    }

    /// The verdict, and how many failures.
    fn says(&self, task: &str) -> (&'static str, u32) {
        let gate = self.gate(task);
        (gate.verdict.as_str(), gate.failures)
    }
}

fn argue(debate: &str, line: &str) -> Argue {
    let position = match csp::parse(line) {
        Ok(Message::Claim(claim)) => Position::Claim(claim),
        Ok(Message::Objection(objection)) => Position::Objection(objection),
        Ok(Message::Diagnosis(diagnosis)) => Position::Diagnosis(diagnosis),
        Ok(Message::Doubt(doubt)) => Position::Doubt(doubt),
        other => panic!("{line}: {other:?}"),
    };
    Argue { debate: debate.into(), position }
}

fn about(task: &str, kind: DebateKind) -> Request {
    Request {
        task: task.into(),
        kind,
        plan: None,
        rounds: None,
        stakes: None,
        facts: super::command::Facts::default(),
        attempts: Vec::new(),
        errors: Vec::new(),
    }
}

const CLAIM: &str = "CLAIM:it is unused SUPPORTS:[grep] CONFIDENCE:0.9";
const SLIGHT: &str = "OBJECTION:a nit SEVERITY:low RISKS:[] COUNTER:none";
const DIAGNOSIS: &str = "DIAGNOSIS:wrong resolver FIX:use vite-tsconfig-paths DIFF_FROM_PREVIOUS:another tool";
const DOUBT: &str = "PATTERN:paths again BLIND_SPOT:none SHOULD_ESCALATE:false";
