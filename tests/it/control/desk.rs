//! A world in memory and a clock: what is asked is decided and taken in, as the engine does it, without a disk.
//!
//! When a desk is put away, everything that was decided on it is written as lines, decided again from them, and folded:
//! each scenario is a test of replay, too.

use annals::domain::{Ask, Asking, Command, Event, Rooms, RoomsDecided};
use annals::kernel::id::{AgentId, EntryId, IssueId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::kernel::time::Timestamp;
use annals::log::batch::Batch;
use annals::policy;
use annals::world::decision::entry_of;
use annals::world::otherwise::{Course, Gone, Overlay, StandIn, course};
use annals::world::replay::{ReplayVerdict, replay};
use annals::world::{Asked, RULES_VERSION, World};
use serde_json::{Value, json};

/// A world in memory and a clock.
#[derive(Debug, Clone, Default)]
pub struct Desk {
    pub world: World,
    /// In minutes.
    pub now: i64,
    count: u128,
    lines: Vec<String>,
}

impl Drop for Desk {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.replay(|verdict, line| assert_eq!(verdict, ReplayVerdict::Matched, "{line}"));
            let as_recorded = |course: &Course| *course == Course::AsRecorded;
            assert!(self.otherwise(&Overlay::default()).iter().all(as_recorded), "nothing is laid over");
        }
    }
}

impl Desk {
    /// A healthy swarm: `mod`, `critic` who can dissent, `writer`, `editor`.
    pub fn staffed() -> Self {
        let mut desk = Self::default();
        for (agent, role, dissents) in [
            ("mod", "moderator", false),
            ("critic", "critic", true),
            ("writer", "writer", false),
            ("editor", "editor", false),
        ] {
            let add = json!({ "agent": agent, "role": role, "can_be_devils_advocate": dissents });
            desk.expect("user", "roster.agent.add", &add);
        }
        // Comments of these tests say the same words; what becomes of such is tested beside the breakers.
        desk.set("sanity.echo", &json!(false));
        desk
    }

    pub fn rooms(&self) -> &Rooms {
        &self.world.rooms
    }

    /// The time of the last entry.
    pub fn time(&self) -> Timestamp {
        Timestamp::from_millis(1_795_000_000_000 + self.now * 60_000)
    }

    /// Asks, and takes in what was decided.
    pub fn ask_with(&mut self, actor: &str, command: &str, fields: &Value, observed: &Value) -> RoomsDecided {
        self.now += 1;
        self.count += 1;
        let at = self.time();
        let id = EntryId::new(at, self.count);
        let command = Command::read(command, &Json::of(fields)).expect("a command");
        let ask = Ask { command, observed: Json::of(observed) };
        let actor = AgentId::from(actor);
        let asked = Asked { id, at, actor: actor.clone(), session: SessionId::from(NO_SESSION) };
        let decided = self.world.decide(&ask, &asked);
        self.lines.push(entry_of(&ask, &asked, &decided, 0).to_line());
        let asking = Asking::of(&ask);
        for event in &decided.events {
            policy::take_in(
                &mut self.world.rooms,
                event,
                &policy::EventSource { asking: Some(&asking), id, at, actor: &actor, rules: RULES_VERSION.into() },
            );
        }
        decided
    }

    /// Decides every line again, and folds what was recorded.
    fn replay(&self, mut judge: impl FnMut(ReplayVerdict, &str)) {
        let mut world = World::default();
        for line in &self.lines {
            let batch = Batch::decode(format!("{line}\n").into_bytes(), 0);
            let entry = batch.entries().next().expect("an entry");
            judge(replay(&mut world, &entry.envelope), line);
            world.apply(&entry.envelope);
        }
        let state = |rooms: &Rooms| serde_json::to_value(rooms.heads()).map(without_counts).expect("JSON");
        assert_eq!(state(&world.rooms), state(&self.world.rooms));
        assert!(world.rooms.issue == self.world.rooms.issue, "the issues differ");
    }

    /// What becomes of every line under another configuration, each in the world that follows from those before.
    pub fn otherwise(&self, overlay: &Overlay) -> Vec<Course> {
        let (mut world, mut gone) = (World::default(), Gone::default());
        let mut take = |line: &String| {
            let batch = Batch::decode(format!("{line}\n").into_bytes(), 0);
            let entry = batch.entries().next().expect("an entry").envelope;
            let found = course(&mut world, &entry, overlay, &gone);
            gone.learn(&entry, &found);
            match StandIn::of(&entry, &found) {
                StandIn::Itself => world.apply_under(&entry, overlay),
                StandIn::Line(line) => {
                    let batch = Batch::decode(format!("{line}\n").into_bytes(), 0);
                    world.apply_under(&batch.entries().next().expect("an entry").envelope, overlay);
                }
                StandIn::Nothing => {}
            }
            found
        };
        self.lines.iter().map(&mut take).collect()
    }

    /// Asks where every file that is cited is there.
    pub fn ask(&mut self, actor: &str, command: &str, fields: &Value) -> RoomsDecided {
        let there = |file: &Value| json!({ "path": file["path"], "exists": true, "lines_valid": true });
        let files = fields["evidence"]["files"].as_array();
        let observed = files.map(|files| json!({ "evidence": files.iter().map(there).collect::<Vec<_>>() }));
        self.ask_with(actor, command, fields, &observed.unwrap_or_else(|| json!({})))
    }

    /// Asks what must not be refused.
    pub fn expect(&mut self, actor: &str, command: &str, fields: &Value) -> RoomsDecided {
        let decided = self.ask(actor, command, fields);
        assert_eq!(decided.refusal, None, "{command} by {actor}");
        decided
    }

    /// Asks what must be refused: by which rule.
    pub fn refused(&mut self, actor: &str, command: &str, fields: &Value) -> String {
        let decided = self.ask(actor, command, fields);
        decided.refusal.unwrap_or_else(|| panic!("{command} by {actor} was allowed")).rule.into()
    }

    /// Opens an issue by the user.
    pub fn open(&mut self, title: &str) -> IssueId {
        let decided = self.expect("user", "issues.issue.open", &json!({ "title": title }));
        let data: Value = decided.events[0].data().read().expect("JSON");
        IssueId::from(data["issue"].as_str().expect("an issue"))
    }

    /// Comments with reasons enough, on nothing in particular.
    pub fn comment(&mut self, actor: &str, issue: &IssueId) -> RoomsDecided {
        self.ask(actor, "issues.comment.add", &json!({ "issue": issue, "body": REASONS }))
    }

    /// Sets a value of the configuration.
    pub fn set(&mut self, key: &str, value: &Value) {
        self.expect("user", "config.value.change", &json!({ "values": { key: value } }));
    }
}

/// A comment that satisfies the rules of substance of every preset.
pub const REASONS: &str = "The parser keeps one token of lookahead, which is why the third case of the grammar needs a \
     second pass over every nested list. Splitting that case into two productions removes the pass, costs one more \
     entry in the table, and leaves error messages as they are; the tests of the lexer already cover both shapes. \
     Next step: try it on the two largest files.";

/// Entries are counted by the fold alone.
fn without_counts(mut heads: Value) -> Value {
    heads.as_object_mut().expect("an object").remove("session");
    heads.as_object_mut().expect("an object").remove("usage");
    heads
}

/// The names of events.
pub fn names(decided: &RoomsDecided) -> Vec<&'static str> {
    decided.events.iter().map(Event::name).collect()
}

/// The rule of a refusal.
pub fn rule(decided: &RoomsDecided) -> Option<&str> {
    decided.refusal.as_ref().map(|refusal| &*refusal.rule)
}
