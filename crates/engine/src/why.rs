//! Which lines stand behind a value: the history is folded again, and whatever changes the value is named.
//!
//! Knows no room: it looks at the state from outside. Does not print.

use serde::Serialize;
use serde_json::Value;

use super::amend::amendments;
use super::{Engine, EngineError};
use annals_kernel::envelope::Envelope;
use annals_kernel::id::EntryId;
use annals_kernel::json::tree;
use annals_kernel::time::Timestamp;
use annals_log::LogError;
use annals_log::order::{Ordered, UnreadPart, behind};
use annals_log::read::Flow;
use annals_log::segment::Segment;
use annals_rules::world::World;

/// A value of the state: keys that lead to it, as `annals state` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuePath(Vec<String>);

/// A line that changed a value.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Reason {
    /// The entry.
    pub entry: EntryId,
    /// Its time.
    pub at: Timestamp,
    /// What it was.
    pub name: String,
    /// Where it stands.
    pub segment: String,
    /// On which line.
    pub line: u64,
    /// The value after it; `null` for none.
    pub value: Value,
}

impl ValuePath {
    /// Keys with dots or slashes. A key that holds dots itself is found as well, as long as it is written in full.
    pub fn new(text: &str) -> Self {
        Self(text.split(['.', '/']).map(str::to_owned).collect())
    }

    /// A row of a session in a room, and what is in it.
    pub fn of_session(room: &str, session: &str, rest: &[&str]) -> Self {
        let keys = [room, "sessions", session].into_iter().chain(rest.iter().copied());
        Self(keys.map(str::to_owned).collect())
    }

    /// The session whose row it leads into. Only that session's own entries can change it.
    fn session(&self) -> Option<&str> {
        match self.0.as_slice() {
            [_, table, session, ..] if table == "sessions" => Some(session),
            _ => None,
        }
    }

    /// The value before any line; `null` for none.
    pub fn default_value(&self) -> Value {
        self.value(&World::default())
    }

    fn value(&self, world: &World) -> Value {
        let mut keys = self.0.iter().map(String::as_str);
        let room = keys.next().unwrap_or_default();
        let whole = match (room, self.session()) {
            ("session", Some(id)) => tree(&world.rooms.session.sessions.get(id)),
            ("usage", Some(id)) => tree(&world.rooms.usage.sessions.get(id)),
            ("session", None) => in_totals(&world.rooms.session.totals),
            ("usage", None) => in_totals(&world.rooms.usage.totals),
            ("access", _) => tree(&world.rooms.access),
            ("config", _) => tree(&world.rooms.config),
            ("erasure", _) => tree(&world.rooms.erasure),
            ("history", _) => tree(&world.rooms.history),
            ("oddities", _) => tree(&world.oddities),
            _ => Value::Null,
        };
        let skipped = if self.session().is_some() { 3 } else { 1 };
        lead(&whole, self.0.get(skipped..).unwrap_or_default()).cloned().unwrap_or_default()
    }
}

fn in_totals(totals: &impl Serialize) -> Value {
    serde_json::json!({ "totals": totals })
}

/// Follows keys into a value; neighbouring keys are joined with a dot where a member is called so.
fn lead<'v>(value: &'v Value, keys: &[String]) -> Option<&'v Value> {
    if keys.is_empty() {
        return Some(value);
    }
    if let (Value::Array(items), Ok(index)) = (value, keys[0].parse::<usize>()) {
        return lead(items.get(index)?, &keys[1..]);
    }
    (1..=keys.len()).find_map(|count| lead(value.get(keys[..count].join("."))?, &keys[count..]))
}

impl Engine {
    /// The lines that changed a value, up to an entry, in the order of the fold.
    pub fn why(&self, path: &ValuePath, until: EntryId) -> Result<Vec<Reason>, EngineError> {
        let (disk, history) = (&**self.disk(), self.place().history());
        let segments = Segment::list(disk, history).map_err(LogError::at("list", history))?;
        let (until, amendments) = (self.turn_of(until)?, self.ask(|world| amendments(&world.rooms))?);
        let start = || Tracker { value: path.default_value(), ..Tracker::default() };
        let state = std::cell::RefCell::new(start());
        let mut begin_again = || *state.borrow_mut() = start();
        let mut ordered = Ordered::new(disk, history, &amendments);
        ordered.each(
            segments.into_iter().map(UnreadPart::whole).collect(),
            &mut begin_again,
            &mut |placed, segment| {
                if placed.turn > until {
                    return behind(placed.turn, segment);
                }
                state.borrow_mut().take(path, &placed.envelope, segment, placed.line);
                Flow::More
            },
        )?;
        Ok(state.into_inner().reasons)
    }
}

#[derive(Default)]
struct Tracker {
    world: World,
    value: Value,
    reasons: Vec<Reason>,
}

impl Tracker {
    fn take(&mut self, path: &ValuePath, entry: &Envelope<'_>, segment: &str, line: u64) {
        // Folding the entries of one session alone gives its row the same value, in a part of the time.
        if path.session().is_some_and(|session| entry.session() != session) {
            return;
        }
        self.world.apply(entry);
        let value = path.value(&self.world);
        if value != self.value {
            self.reasons.push(Reason {
                entry: entry.id(),
                at: entry.at(),
                name: entry.name().into_owned(),
                segment: segment.to_owned(),
                line,
                value: value.clone(),
            });
            self.value = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_with_dots_are_found() {
        let value = serde_json::json!({ "settings": { "history.rotation": "daily", "list": [1, { "a": 2 }] } });
        let at = |text: &str| lead(&value, &ValuePath::new(text).0).cloned();
        assert_eq!(at("settings.history.rotation"), Some("daily".into()));
        assert_eq!(at("settings/list/1/a"), Some(2.into()));
        assert_eq!(at("settings.history"), None);
    }
}
