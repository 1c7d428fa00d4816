//! From arguments to a command of the domain: ids are found among what there is, `-` is read from stdin.
//!
//! Does not know any command: rows and schemas say what its fields are.

use anyhow::Context as _;
use clap::ArgMatches;
use serde_json::{Map, Value};

use super::Decision;
use super::field::Field;
use super::line::{ArgumentPlace, HERE, Reads};
use crate::cli::shell::{Shell, text_of};
use crate::cli::{cognition, council, debate, goal, issue, knowledge, memory, show};
use crate::domain::Command;
use crate::engine::Engine;
use crate::kernel::json::Json;

/// A command that is being read.
pub(super) struct Reading<'a> {
    /// What was typed beside it.
    pub shell: &'a Shell,
    /// Where names are looked up.
    pub engine: &'a Engine,
    /// The fields that were read so far.
    pub fields: Map<String, Value>,
}

/// The command that arguments ask for.
pub(super) fn command(
    shell: &Shell,
    engine: &Engine,
    decision: &Decision,
    matches: &ArgMatches,
) -> anyhow::Result<Command> {
    let mut reading = Reading { shell, engine, fields: Map::new() };
    for field in decision.fields() {
        if let Some(value) = reading.value(&field, matches)? {
            put(&mut reading.fields, field.token.path, value);
        }
    }
    let command = Command::read(decision.command, &Json::of(&reading.fields));
    command.with_context(|| format!("BUG: the arguments of {} do not fit its fields", decision.command))
}

/// Puts a value where its path says.
fn put(fields: &mut Map<String, Value>, path: &str, value: Value) {
    let name = |part: &str| part.replace('-', "_");
    match path.split_once('.') {
        None => {
            fields.insert(name(path), value);
        }
        Some((holder, rest)) => {
            let held = fields.entry(name(holder)).or_insert_with(|| Map::new().into());
            put(held.as_object_mut().expect("BUG: a path leads through objects"), rest, value);
        }
    }
}

impl Reading<'_> {
    fn value(&self, field: &Field, matches: &ArgMatches) -> anyhow::Result<Option<Value>> {
        let token = &field.token;
        if token.place == ArgumentPlace::Nowhere {
            return Ok(token.default.map(Value::from));
        }
        if field.is_flag() {
            let is_set = matches.get_flag(token.name);
            let word = token.flag().map(|(without, with)| if is_set { with } else { without });
            return Ok(word.map_or(Some(is_set.into()), |word| Some(word.into()).filter(|_| !word.is_empty())));
        }
        if let Reads::Named(HERE) = token.reads {
            let (shell, engine) = (self.shell, self.engine);
            let session = if token.place == ArgumentPlace::Above {
                cognition::here(shell, engine, matches.get_one::<String>(token.name).map(String::as_str))?
            } else {
                debate::here(shell, engine, matches.get_one(token.name).and_then(Value::as_str))?
            };
            return Ok(Some(session.as_str().into()));
        }
        let given = matches.get_many::<Value>(token.name).into_iter().flatten();
        let mut values = given.map(|value| self.resolved(field, value)).collect::<anyhow::Result<Vec<_>>>()?;
        let default = || token.default.map(Value::from);
        Ok(if field.is_list { Some(values.into()) } else { values.pop().or_else(default) })
    }

    /// A value as its field holds it.
    fn resolved(&self, field: &Field, value: &Value) -> anyhow::Result<Value> {
        let Some(text) = value.as_str() else { return Ok(value.clone()) };
        Ok(match field.token.reads {
            Reads::Stdin => text_of(text)?.into(),
            Reads::Trimmed => text_of(text)?.trim().into(),
            Reads::Named(noun) => finder(noun).expect("BUG: a row names a noun that there is")(self, text)?.into(),
            Reads::Plain => match field.named.as_deref().and_then(finder) {
                Some(find) => find(self, text)?.into(),
                None => text.into(),
            },
        })
    }
}

/// How the id is found that a text names.
type Finder = fn(&Reading<'_>, &str) -> anyhow::Result<String>;

/// The nouns of rows, and types of fields that are ids.
const NOUNS: [(&str, Finder); 13] = [
    ("AgentId", |at, text| Ok(at.shell.find_agent(at.engine, text)?.to_string())),
    ("EntryId", |at, text| Ok(show::entry_id(at.shell, at.engine, text)?.to_string())),
    ("IssueId", |at, text| Ok(issue::find(at.shell, at.engine, text)?.to_string())),
    ("SessionId", |at, text| Ok(at.shell.find_session(at.engine, text)?.to_string())),
    ("council", |at, text| Ok(council::one(at.shell, at.engine, text)?.into())),
    ("deadline", |at, text| goal::deadline(at.shell, text)),
    ("debate", |at, text| Ok(debate::find(at.shell, at.engine, text)?.into())),
    ("goal", |at, text| Ok(goal::find(at.shell, at.engine, text)?.into())),
    (HERE, |at, text| Ok(cognition::here(at.shell, at.engine, Some(text))?.to_string())),
    ("knowledge", |at, text| Ok(knowledge::entry(at.shell, at.engine, text)?.to_string())),
    ("megram", |at, text| Ok(memory::one(at.shell, at.engine, text)?.into())),
    ("text", |_, text| Ok(text.to_owned())),
    ("thing", |at, text| {
        let session = at.fields.get("session").and_then(Value::as_str).unwrap_or_default();
        Ok(cognition::thing(at.shell, at.engine, session, text)?.into())
    }),
];

/// How things of a noun, or of a type, are found.
pub(super) fn finder(noun: &str) -> Option<Finder> {
    NOUNS.iter().find(|(name, _)| *name == noun).map(|(_, find)| *find)
}
