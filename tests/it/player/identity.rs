//! The player of identity: paid for acting as somebody else, for the user's word out of an agent's shell, for a second name
//! that looks like a first, for a place in the roster, a token or a setting that is not its to give, and for an attempt
//! that nobody sees.

use std::collections::{BTreeMap, BTreeSet};

use annals::domain::config::Event as Config;
use annals::domain::roster::Event as Roster;
use annals::domain::{Event, RoomsDecided};
use annals::kernel::actor::Standing;
use annals::policy::STANDING_RULES;
use serde_json::{Value, json};

use super::chance::Chance;
use super::table::{CROOKS, HONEST, Move, Table, seal_of};
use super::{Family, never};
use crate::control::desk::{REASONS, rule};

/// Names that a person takes for one that is known.
const ALIKE: [&str; 14] = [
    "Anna", "аnna", "ａnna", "an\u{200b}na", "Carl", "саrl", "USER", "uѕer", "ｕser", "System", "mо", "Lea", "1ea",
    "ANNA",
];
/// Names that are nobody's.
const NEW: [&str; 4] = ["zoe", "yuri", "xena", "walt"];
/// So many names a day are kept for a rule.
const MOST_NAMES: usize = 32;

/// Whether names are proved.
#[derive(Clone, Copy, PartialEq)]
enum Tokens {
    On,
    /// Whoever is paid acts out of a shell that is marked, and the user has no token.
    Off,
}

/// What was seen.
pub(super) struct Identity {
    tokens: Tokens,
    /// Who was seen trying what on a day.
    seen: BTreeMap<(i64, String), BTreeSet<String>>,
}

fn name(chance: &mut Chance) -> &'static str {
    if chance.happens(60) { chance.one(&ALIKE) } else { chance.one(&NEW) }
}

fn command(chance: &mut Chance) -> (&'static str, Value) {
    let agent = chance.one(&["anna", "bert", "carl", "mo", "user", "zoe"]);
    match chance.below(14) {
        0 | 1 => ("roster.agent.add", json!({ "agent": name(chance), "role": chance.one(&["critic", "moderator"]) })),
        2 => ("roster.agent.change", json!({ "agent": agent, "name": name(chance) })),
        3 => ("roster.agent.change", json!({ "agent": agent, "role": "team-lead" })),
        4 => ("roster.agent.seal", json!({ "agent": agent, "seal": seal_of("anna") })),
        5 => {
            let key = chance.one(&["roster.require_token", "sanity.echo", "swarm.mode"]);
            let value = if key == "swarm.mode" { json!("team") } else { json!(false) };
            ("config.value.change", json!({ "values": { key: value } }))
        }
        6 => ("issues.issue.open", json!({ "title": "A thought" })),
        7 => ("credits.goal.set", json!({ "metric": "issues-resolved", "target": 3, "description": "more" })),
        8 => ("cognition.mode.accept", json!({ "session": "s", "mode": "council" })),
        9 => ("canon.issue.promote", json!({ "issue": "i", "title": "Eyes", "key": "eyes", "text": "Amber." })),
        10 => ("hivemind.entry.add", json!({ "key": "k", "value": REASONS, "layer": "project" })),
        11 => ("moderation.tag.freeze", json!({ "tag": "plot", "reason": "enough" })),
        12 => ("council.session.open", json!({ "purpose": "conflict", "key": "k", "reason": "r", "proposed": "p" })),
        _ => ("issues.issue.read", json!({ "issue": "i" })),
    }
}

impl Family for Identity {
    fn begin(chance: &mut Chance) -> (Table, Self) {
        let tokens = chance.one(&[Tokens::On, Tokens::On, Tokens::Off]);
        let table = if tokens == Tokens::On { Table::new(&[]) } else { Table::without_tokens() };
        (table, Self { tokens, seen: BTreeMap::new() })
    }

    fn next(&mut self, _: &Table, chance: &mut Chance) -> Move {
        let hand = if chance.happens(80) { chance.one(&CROOKS) } else { chance.one(&HONEST) };
        let (name, fields) = loop {
            let (name, fields) = command(chance);
            let is_read = annals::domain::Command::read(name, &annals::kernel::json::Json::of(&fields)).is_ok();
            // The honest give nobody a role, and set nothing: the game is about those who may not.
            let is_of_leads =
                name.starts_with("config.") || name == "roster.agent.change" && fields.get("role").is_some();
            if is_read && (CROOKS.contains(&hand) || !is_of_leads) {
                break (name, fields);
            }
        };
        let mut mv = Move::of(hand, name, fields).dealt(chance);
        if !mv.is_paid() && name == "roster.agent.seal" {
            mv.fields["seal"] = seal_of(mv.fields["agent"].as_str().unwrap_or_default()).into();
        }
        if mv.is_paid() && chance.happens(40) {
            mv.claims = chance.one(&["user", "user", "mo", "lea", "carl", "zoe", "Anna", "аnna", "system"]).into();
        }
        if mv.is_paid() && self.tokens == Tokens::Off {
            mv.claims = chance.one(&["user", mv.hand]).into();
        }
        if mv.is_paid() && (self.tokens == Tokens::Off || chance.happens(70)) {
            mv.observed["shell"] = chance.one(&["codex", "claude-code", "gemini"]).into();
        }
        if mv.is_paid() && chance.happens(20) {
            mv.observed["proof"] = chance.one(&[Value::Null, json!("ab"), json!(seal_of("nobody"))]);
        }
        mv
    }

    fn judge(&mut self, table: &Table, mv: &Move, decided: &RoomsDecided) -> Result<(), String> {
        for event in &decided.events {
            match event {
                Event::Roster(Roster::Changed(changed)) => {
                    never(!mv.is_leads(), "somebody changed the roster")?;
                    let asked = [&mv.fields["agent"], &mv.fields["name"]].map(|name| name.as_str().unwrap_or_default());
                    let is_alike = |name: &&str| ALIKE.contains(name) && *name != changed.agent.as_str();
                    let is_new = mv.name == "roster.agent.add" && ALIKE.contains(&asked[0]);
                    never(is_new, format!("{} joined", changed.agent))?;
                    let is_anothers = asked.iter().any(is_alike) && !stands_for(asked[1], changed.agent.as_str());
                    never(is_anothers, format!("{} is called {}", changed.agent, asked[1]))?;
                }
                Event::Roster(Roster::Sealed(_)) => never(!mv.is_leads(), "somebody made a token")?,
                Event::Config(Config::Changed(_)) => never(!mv.is_leads(), "somebody changed a setting")?,
                _ => {}
            }
        }
        self.seen(table, mv, decided)
    }
}

/// Whether a name is the own one of an agent in other letters, which it may be called.
fn stands_for(name: &str, agent: &str) -> bool {
    let own: &[&str] = match agent {
        "anna" => &["Anna", "аnna", "ａnna", "an\u{200b}na", "ANNA"],
        "carl" => &["Carl", "саrl"],
        "mo" => &["mо"],
        _ => &[],
    };
    own.contains(&name)
}

impl Identity {
    /// The first attempt of a day against a rule is in the log, and no second one.
    fn seen(&mut self, table: &Table, mv: &Move, decided: &RoomsDecided) -> Result<(), String> {
        let day = table.desk.time().millis().div_euclid(86_400_000);
        for event in &decided.events {
            let Event::Roster(Roster::Barred(barred)) = event else { continue };
            let known = self.seen.entry((day, barred.rule.to_string())).or_default();
            never(!known.insert(barred.actor.to_string()), "an attempt was recorded twice on a day")?;
        }
        let Some(rule) = rule(decided).filter(|rule| STANDING_RULES.contains(rule)) else { return Ok(()) };
        let standing = table.rooms().roster.standing(&mv.claims.as_str().into());
        let is_claim = ["roster.not_proved", "roster.not_the_user_here"].contains(&rule);
        let is_attempt =
            (standing.is_agent() || is_claim && standing != Standing::System) && mv.name != "issues.issue.read";
        let known = self.seen.get(&(day, rule.to_owned()));
        let shell = mv.observed["shell"].as_str().filter(|_| mv.claims == "user");
        let who = shell.unwrap_or(&mv.claims);
        let is_known = known.is_some_and(|known| known.contains(who) || known.len() >= MOST_NAMES);
        never(is_attempt && mv.is_paid() && !is_known, format!("{who} tried against {rule}, and nobody sees it"))
    }
}
