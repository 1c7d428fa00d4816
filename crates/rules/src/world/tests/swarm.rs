//! A swarm in memory, for tests of what joins rooms: commands are decided and taken in, a second apart.

use serde_json::{Value, json};

use crate::domain::roster::command::Add;
use crate::domain::{Ask, Asking, Command, Event, RoomsDecided};
use crate::policy;
use crate::world::{Asked, RULES_VERSION, World};
use annals_kernel::actor::Role;
use annals_kernel::grounding::{Evidence, FileReference, Impact, Stance};
use annals_kernel::id::{AgentId, EntryId, IssueId, SessionId};
use annals_kernel::json::Json;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// A world, its settings, and its time.
pub(super) struct Swarm {
    pub(super) world: World,
    pub(super) settings: Settings,
    pub(super) at: Timestamp,
}

impl Swarm {
    /// A healthy swarm: a moderator, a writer, two critics, and one for continuity; the last three can dissent.
    pub(super) fn new() -> Self {
        let mut swarm = Self::empty();
        swarm.set("swarm.mode", "editor".into());
        for (agent, role) in [
            ("mo", Role::Moderator),
            ("anna", Role::Writer),
            ("bert", Role::Writer),
            ("carl", Role::Critic),
            ("dora", Role::Critic),
            ("erik", Role::Continuity),
        ] {
            let can_be_devils_advocate = matches!(role, Role::Critic | Role::Continuity);
            let agent = AgentId::from(agent);
            swarm.does("user", Add { agent, name: None, role, model: None, program: None, can_be_devils_advocate });
        }
        swarm
    }

    /// Nobody but the user.
    pub(super) fn empty() -> Self {
        let at = "2026-11-21T03:10:00.000Z".parse().expect("a time");
        let mut swarm = Self { world: World::default(), settings: Settings::default(), at };
        // Comments of these tests say the same words; what becomes of such is tested beside the breakers.
        swarm.set("sanity.echo", false.into());
        swarm
    }

    /// Sets a setting.
    pub(super) fn set(&mut self, key: &str, value: Value) {
        self.settings.set(key, Some(value));
    }

    /// Asks, and takes in what was decided.
    pub(super) fn ask(&mut self, actor: &str, command: impl Into<Wrapped>, observed: &Json) -> RoomsDecided {
        self.at = self.at.plus_millis(1000);
        let (id, actor, session) = (EntryId::new(self.at, 7), AgentId::from(actor), SessionId::from("s"));
        let ask = Ask { command: command.into().0, observed: observed.clone() };
        let asked = Asked { id, at: self.at, actor: actor.clone(), session };
        let decided = self.world.decide_under(&ask, &asked, &self.settings);
        let asking = Asking::of(&ask);
        let rules = RULES_VERSION.into();
        let from = policy::EventSource { asking: Some(&asking), id, at: self.at, actor: &actor, rules };
        for event in &decided.events {
            policy::take_in(&mut self.world.rooms, event, &from);
        }
        decided
    }

    /// Asks by the name of a command.
    pub(super) fn asks(&mut self, actor: &str, name: &str, fields: &Value, observed: &Value) -> RoomsDecided {
        let command = Command::read(name, &Json::of(fields)).expect("a command");
        self.ask(actor, Wrapped(command), &Json::of(observed))
    }

    /// What happens, by name, and the rule that says no.
    pub(super) fn tells(&mut self, actor: &str, name: &str, fields: &Value) -> (Vec<&'static str>, String) {
        let decided = self.asks(actor, name, fields, &json!({}));
        (Self::names(&decided.events), decided.refusal.map(|refusal| refusal.rule.into()).unwrap_or_default())
    }

    /// Asks what is not refused, where every file that is cited is there, and gives what happened.
    pub(super) fn does(&mut self, actor: &str, command: impl Into<Wrapped>) -> Vec<Event> {
        let command = command.into();
        let observed = seen(&command.0);
        let decided = self.ask(actor, command, &observed);
        assert_eq!(decided.refusal, None);
        decided.events
    }

    /// Asks what is refused, and gives the rule.
    pub(super) fn fails(&mut self, actor: &str, command: impl Into<Wrapped>) -> String {
        let decided = self.ask(actor, command, &Json::empty_object());
        decided.refusal.map(|refusal| refusal.rule.into()).unwrap_or_default()
    }

    /// Opens an issue, by the user.
    pub(super) fn opens(&mut self, title: &str, tags: &[&str]) -> IssueId {
        use crate::domain::issue::command::Open;
        let tags = tags.iter().map(|tag| (*tag).into()).collect();
        let open = Open { title: title.into(), tags, ..Open::default() };
        let events = self.does("user", open);
        let Some(Event::Issue(event)) = events.first() else { panic!("nothing was opened: {events:?}") };
        event.issue().clone()
    }

    /// An issue about the swarm itself: a rule raises it.
    pub(super) fn raises(&mut self) -> IssueId {
        let issue = self.opens("What is challenged", &[]);
        let events = self.does("mo", crate::domain::advocate::command::Assign { issue, agent: None });
        let raised = events.iter().find_map(|event| {
            let Event::Issue(crate::domain::issue::Event::Raised(raised)) = event else { return None };
            Some(raised.issue.clone())
        });
        raised.expect("a task")
    }

    /// The names of what happened.
    pub(super) fn names(events: &[Event]) -> Vec<&'static str> {
        events.iter().map(Event::name).collect()
    }
}

/// What code finds where every file that is cited is there.
fn seen(command: &Command) -> Json {
    let files = command.said().map(|said| said.evidence().files.as_slice()).unwrap_or_default();
    let there = |file: &FileReference| json!({ "path": file.path, "exists": true, "lines_valid": true });
    if files.is_empty() {
        return Json::empty_object();
    }
    Json::of(&json!({ "evidence": files.iter().map(there).collect::<Vec<_>>() }))
}

/// A command of any room, by its fields.
pub(super) struct Wrapped(Command);

macro_rules! wrapped {
    ($( $room:ident: $($type:ident),*; )*) => {
        $($( impl From<crate::domain::$room::command::$type> for Wrapped {
            fn from(command: crate::domain::$room::command::$type) -> Self {
                Self(Command::from(crate::domain::$room::Command::from(command)))
            }
        } )*)*
    };
}

impl From<crate::domain::notice::Acknowledge> for Wrapped {
    fn from(command: crate::domain::notice::Acknowledge) -> Self {
        Self(crate::domain::notice::Command::from(command).into())
    }
}

wrapped! {
    advocate: Assign, Release;
    roster: Add, Change;
    issue: Open, Edit, Comment, Resolve, Close, Reopen, Freeze, Unfreeze, Mark, Read;
}

/// A comment that no breaker stops.
pub(super) fn comment(
    issue: &IssueId,
    stance: Stance,
    impact: Option<Impact>,
    files: u8,
    issues: &[IssueId],
) -> crate::domain::issue::command::Comment {
    const BODY: &str = "The reactor timeline in chapter three gives the second crew four days, while the log of the \
        station says five; I would keep the log, because two later scenes quote it, and change the chapter with one line.";
    let file = |count: u8| FileReference { path: format!("chapter-{count}.md").into(), lines: None, quote: None };
    let evidence = Evidence { files: (0..files).map(file).collect(), issues: issues.to_vec(), canon: Vec::new() };
    crate::domain::issue::command::Comment {
        issue: issue.clone(),
        body: BODY.into(),
        stance,
        impact,
        evidence,
        action: None,
        citation: annals_kernel::grounding::Citation::default(),
    }
}
