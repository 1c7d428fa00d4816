//! Given / when / then for memory.

mod cases;
mod dreams;
mod rules;

use super::command::{Dream, Feedback, Recall, Write};
use super::quantum::{MacroState, PyramidLevel, Sigma};
use super::state::Megram;
use super::{Command, Event, Observed, Refusal, State, decide};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::fade::DAY_MS;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// So many days after the first.
fn day(days: f64) -> Timestamp {
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a few days")]
    let millis = (days * DAY_MS as f64) as i64;
    Timestamp::from_millis(1_763_700_000_000 + millis)
}

/// Memory, and who asks it what.
#[derive(Default)]
struct Room {
    state: State,
    settings: Settings,
    observed: Observed,
    count: u128,
}

impl Room {
    fn ask(&mut self, who: &str, days: f64, command: impl Into<Command>) -> Outcome<Event, Refusal> {
        self.count += 1;
        let at = day(days);
        let standing = match who {
            "user" => Standing::User,
            "system" => Standing::System,
            "nobody" | "ggs" => Standing::Stranger,
            role => Standing::Agent(Role::from(Box::<str>::from(role))),
        };
        let (id, actor, session) = (EntryId::new(at, self.count), who.into(), SessionId::from("s"));
        let moment = Moment { id, at, actor, standing, session, settings: &self.settings };
        let outcome = decide(&self.state, &command.into(), &self.observed, &moment);
        for event in &outcome.events {
            let cause = Cause { asked: None, id: moment.id, at: moment.at, actor: &moment.actor };
            self.state.evolve(event, &cause);
        }
        outcome
    }

    /// The solver writes; the id of what it wrote.
    fn write(&mut self, days: f64, write: Write) -> Box<str> {
        let outcome = self.ask("ggs", days, write);
        let [Event::Written(written)] = &outcome.events[..] else { panic!("{outcome:?}") };
        written.megram.clone()
    }

    fn dream(&mut self, days: f64) -> Vec<Event> {
        let outcome = self.ask("ggs", days, Dream {});
        assert_eq!(outcome.refusal, None);
        outcome.events
    }

    fn decision(&self, days: f64) -> f64 {
        self.state.potentials("tool:a", "path:b", day(days)).decision
    }

    fn attention(&self, days: f64) -> f64 {
        self.state.potentials("tool:a", "path:b", day(days)).attention
    }

    fn megram(&self, id: &str) -> Megram {
        self.state.megram(id).expect("a megram")
    }

    fn level(&self, id: &str) -> Option<PyramidLevel> {
        self.state.megram(id).map(|megram| megram.level)
    }
}

/// An experience with one pair.
fn experience(state: MacroState) -> Write {
    Write {
        level: None,
        space: "tool:a".into(),
        entity: "path:b".into(),
        content: "it went so".into(),
        state: Some(state),
        f: None,
        sigma: None,
        k: None,
    }
}

/// The same with a level, a strength and a sign of its own.
fn weighing(level: PyramidLevel, f: u16, sigma: i16) -> Write {
    let (f, sigma) = (Some(Share::thousandths(f)), Some(Sigma::thousandths(sigma)));
    Write { level: Some(level), state: None, f, sigma, ..experience(MacroState::Accept) }
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-6
}

fn recall(id: &str) -> Recall {
    Recall { megrams: vec![id.into()] }
}

fn feedback(id: &str) -> Feedback {
    Feedback { megram: id.into(), content: "that was wrong".into() }
}
