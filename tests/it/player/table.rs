//! The table at which a player sits: a swarm in which every name has a token, some of whom are honest, and two of whom are
//! paid for walking around the rules and know no token but their own.

use annals::domain::{Rooms, RoomsDecided};
use annals::kernel::actor::USER;
use annals::kernel::id::{NO_SESSION, SessionId};
use annals::kernel::json::sha256_hex;
use annals::policy::{DueTurn, due};
use serde_json::{Value, json};

use super::chance::Chance;
use crate::control::desk::Desk;

/// Who is paid.
pub const CROOKS: [&str; 2] = ["anna", "bert"];
/// Who is not.
pub const HONEST: [&str; 6] = [USER, "mo", "lea", "carl", "dora", "erik"];
/// Everybody but the user, with a role, and whether it can dissent.
const STAFF: [(&str, &str, bool); 7] = [
    ("mo", "moderator", false),
    ("lea", "team-lead", false),
    ("carl", "critic", true),
    ("dora", "critic", true),
    ("erik", "continuity", true),
    ("anna", "writer", false),
    ("bert", "critic", true),
];
/// What the rules of breakers would stop a player with, where it plays for something else.
const QUIET: [(&str, &str); 3] = [
    ("sanity.echo", "false"),
    ("sanity.max_comments_per_agent_per_issue", "60"),
    ("sanity.max_comments_per_issue", "300"),
];

/// Something that somebody does, or tries under another name.
#[derive(Debug, Clone)]
pub struct Move {
    /// Who it is.
    pub hand: &'static str,
    /// Who it says to be.
    pub claims: String,
    /// Which command.
    pub name: &'static str,
    /// Its fields.
    pub fields: Value,
    /// What code finds of it.
    pub observed: Value,
    /// So many hours after the one before.
    pub hours: i64,
}

impl Move {
    /// Somebody in its own name.
    pub fn of(hand: &'static str, name: &'static str, fields: Value) -> Self {
        Self { hand, claims: hand.into(), name, fields, observed: json!({}), hours: 0 }
    }

    /// Who is paid tries it under another name, now and then; and time passes.
    pub fn dealt(mut self, chance: &mut Chance) -> Self {
        if CROOKS.contains(&self.hand) && chance.happens(15) {
            self.claims =
                chance.one(&[USER, "mo", "lea", "carl", "anna", "bert", "Anna", "аnna", "system", "ghost"]).into();
        }
        if chance.happens(4) {
            self.hours = chance.one(&[1, 7, 25, 50, 24 * 8]);
        }
        self
    }

    /// Whether it is in its own name.
    pub fn is_own(&self) -> bool {
        self.claims == self.hand
    }

    /// Whether who does it is paid.
    pub fn is_paid(&self) -> bool {
        CROOKS.contains(&self.hand)
    }

    /// Whether who does it may decide for all.
    pub fn is_leads(&self) -> bool {
        self.hand == USER || self.hand == "lea"
    }
}

/// The token of somebody, as others see it.
pub fn seal_of(name: &str) -> String {
    sha256_hex(name.as_bytes())
}

/// The table.
pub struct Table {
    /// The swarm.
    pub desk: Desk,
}

impl Table {
    /// A new swarm under settings, in which names are proved.
    pub fn new(settings: &[(&str, Value)]) -> Self {
        let mut desk = Self::staffed();
        for (key, value) in settings {
            // What is so already is no change.
            desk.ask(USER, "config.value.change", &json!({ "values": { *key: value } }));
        }
        for name in HONEST.iter().chain(&CROOKS) {
            desk.expect(USER, "roster.agent.seal", &json!({ "agent": name, "seal": seal_of(name) }));
        }
        desk.set("roster.require_token", &json!(true));
        Self { desk }
    }

    /// A new swarm in which names are believed.
    pub fn without_tokens() -> Self {
        Self { desk: Self::staffed() }
    }

    fn staffed() -> Desk {
        let mut desk = Desk::default();
        for (agent, role, dissents) in STAFF {
            let add = json!({ "agent": agent, "role": role, "can_be_devils_advocate": dissents });
            desk.expect(USER, "roster.agent.add", &add);
        }
        for (key, value) in QUIET {
            desk.set(key, &value.parse().expect("JSON"));
        }
        desk
    }

    /// What is known.
    pub fn rooms(&self) -> &Rooms {
        self.desk.rooms()
    }

    /// What comes of a move.
    pub fn play(&mut self, mv: &Move) -> RoomsDecided {
        self.wait(mv.hours);
        let mut observed = mv.observed.clone();
        if observed.get("proof").is_none() {
            observed["proof"] = seal_of(mv.hand).into();
        }
        self.desk.ask_with(&mv.claims, mv.name, &mv.fields, &observed)
    }

    /// Time passes.
    pub fn wait(&mut self, hours: i64) {
        self.desk.now += hours * 60;
    }

    /// What the rooms find due, until nothing is.
    pub fn react(&mut self) {
        let session = SessionId::from(NO_SESSION);
        for _ in 0..4 {
            let turn = DueTurn { session: &session, at: self.desk.time(), settings: &self.rooms().config.settings };
            for command in due(self.rooms(), &turn) {
                let fields = command.data().read().expect("fields");
                self.desk.ask_with("system", command.name(), &fields, &json!({ "due": true }));
            }
        }
    }
}
