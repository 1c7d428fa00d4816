//! Which thing a text names: its id, or any beginning or end of it that no other has.
//!
//! One rule for every noun; `nouns` has what is particular about each. What lists show of an id can be typed.

mod nouns;

use std::fmt::{Display, Write as _};

pub(super) use self::nouns::{
    AGENT, CANDIDATE, CANON, COUNCIL, DEBATE, ENTRY, FIRING, GOAL, HIVEMIND, ISSUE, KNOWLEDGE, MEGRAM, MESSAGE, NOTICE,
    SESSION, TASK,
};
use super::shell::{Shell, Usage, clean};
use crate::domain::Rooms;
use crate::engine::Engine;
use crate::kernel::id::{AgentId, SessionId};
use crate::kernel::rows::{Key, Row, Rows};
use crate::view::gist::{cut, fold};
use crate::world::World;

/// A kind of thing, in the words of messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Noun {
    /// One of them.
    pub one: &'static str,
    /// Several.
    pub many: &'static str,
    /// The command that lists them.
    pub list: &'static str,
}

/// A kind of thing, and the table that has them.
pub(super) struct Table<K: 'static, V: 'static> {
    /// In words.
    pub noun: Noun,
    /// Where they are.
    pub rows: fn(&World) -> &Rows<K, V>,
    /// Another name of one, which is as good as its id.
    pub alias: fn(&V) -> Option<&str>,
    /// What tells one from another, for people.
    pub title: fn(&Rooms, &K, &V) -> String,
}

/// A thing that a text may name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate<K> {
    /// Its id.
    pub id: K,
    /// Another name of it.
    pub alias: Option<Box<str>>,
    /// What tells it from others.
    pub title: String,
}

impl<K: Display> Candidate<K> {
    /// One without another name.
    pub(super) fn new(id: K, title: impl Into<String>) -> Self {
        Self { id, alias: None, title: title.into() }
    }

    fn is_called(&self, text: &str) -> bool {
        is_same(text, &self.id.to_string()) || self.alias.as_deref() == Some(text)
    }

    fn fits(&self, text: &str) -> bool {
        is_part(text, &self.id.to_string()) || self.alias.as_deref().is_some_and(|alias| is_part(text, alias))
    }
}

impl Noun {
    /// What is said where a text names none.
    pub(super) fn unknown(&self, text: &str) -> Usage {
        Usage(format!("there is no {} {text}; `{}` shows those there are", self.one, self.list))
    }

    /// The one that a text names; none where it names none.
    pub(super) fn pick<K: Display + Clone>(&self, text: &str, all: &[Candidate<K>]) -> Result<Option<K>, Usage> {
        if let Some(whole) = all.iter().find(|candidate| candidate.is_called(text)) {
            return Ok(Some(whole.id.clone()));
        }
        self.only(text, &all.iter().filter(|candidate| candidate.fits(text)).collect::<Vec<_>>())
    }

    /// The only one of those that a text may name; none where there are none.
    pub(super) fn only<K: Display + Clone>(&self, text: &str, fitting: &[&Candidate<K>]) -> Result<Option<K>, Usage> {
        match fitting {
            [] => Ok(None),
            [only] => Ok(Some(only.id.clone())),
            several => Err(self.ambiguous(text, several)),
        }
    }

    fn ambiguous<K: Display>(&self, text: &str, several: &[&Candidate<K>]) -> Usage {
        const SHOWN: usize = 8;
        const TITLE: usize = 60;
        let mut said = format!("{text} stands for {} {}; give more of the id", several.len(), self.many);
        for Candidate { id, title, .. } in several.iter().take(SHOWN) {
            let line = format!("{id}  {}", cut(&fold(title), TITLE));
            write!(said, "\n{}", line.trim_end()).expect("BUG: a string takes all that is written to it");
        }
        if several.len() > SHOWN {
            write!(said, "\nand {} more", several.len() - SHOWN)
                .expect("BUG: a string takes all that is written to it");
        }
        Usage(said)
    }
}

/// Whether case says nothing in an id: those that the program makes are long, and of one case.
fn is_made(id: &str) -> bool {
    const SHORTEST: usize = 16;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.';
    let has = |is: fn(&u8) -> bool| id.as_bytes().iter().any(is);
    id.len() >= SHORTEST && id.bytes().all(is_plain) && !(has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase))
}

fn is_same(text: &str, id: &str) -> bool {
    if is_made(id) { text.eq_ignore_ascii_case(id) } else { text == id }
}

/// Whether a text is a beginning or an end of an id.
fn is_part(text: &str, id: &str) -> bool {
    let first = id.get(..text.len());
    let last = id.len().checked_sub(text.len()).and_then(|start| id.get(start..));
    let is_same = |part: &str| if is_made(id) { part.eq_ignore_ascii_case(text) } else { part == text };
    !text.is_empty() && first.into_iter().chain(last).any(is_same)
}

impl Shell {
    /// The thing of a table that a text names; none where it names none.
    ///
    /// The longer a text is, the less it can stand for an old one, too, when a recent one fits.
    pub(super) fn find<K, V>(&self, engine: &Engine, table: &Table<K, V>, text: &str) -> anyhow::Result<Option<K>>
    where
        K: Key + Display,
        V: Row,
    {
        const TELLING: usize = 8;
        const RECENT: usize = 200;
        let forms = [text.to_owned(), text.to_ascii_uppercase(), text.to_ascii_lowercase()];
        let is_there = |world: &World, form: &str| (table.rows)(world).get(form).is_some_and(|_| is_same(text, form));
        let whole =
            self.ask(engine, |world| forms.iter().find(|form| is_there(world, form)).map(|form| K::from(form)))?;
        if whole.is_some() {
            return Ok(whole);
        }
        let candidate = |world: &World, (id, row): (&K, &V)| {
            let alias = (table.alias)(row);
            let fits = is_part(text, id.borrow()) || alias.is_some_and(|alias| is_part(text, alias));
            let title = || (table.title)(&world.rooms, id, row);
            fits.then(|| Candidate { id: id.clone(), alias: alias.map(Into::into), title: title() })
        };
        let recent = |world: &World| {
            let rows = (table.rows)(world).first_by_rank(RECENT).into_iter();
            rows.filter_map(|row| candidate(world, row)).collect::<Vec<_>>()
        };
        let any =
            |world: &World| (table.rows)(world).iter().filter_map(|row| candidate(world, row)).collect::<Vec<_>>();
        let mut found = if text.len() >= TELLING { self.ask(engine, recent)? } else { Vec::new() };
        if found.len() != 1 {
            found = self.ask(engine, any)?;
        }
        for candidate in &mut found {
            candidate.title = clean(engine, &candidate.title);
        }
        Ok(table.noun.pick(text, &found)?)
    }

    /// The session that a text names: by its id or that of its own tool, or by its place among the latest: `-1`, `last` and
    /// `@` are the last one, `-2` is the one before.
    pub(super) fn find_session(&self, engine: &Engine, text: &str) -> anyhow::Result<SessionId> {
        Ok(self.session_named(engine, text)?.ok_or_else(|| SESSION.noun.unknown(text))?)
    }

    /// The same; none where a text names none.
    pub(super) fn session_named(&self, engine: &Engine, text: &str) -> anyhow::Result<Option<SessionId>> {
        let Some(place) = place(text) else { return self.find(engine, &SESSION, text) };
        self.ask(engine, |world| {
            let latest = world.rooms.session.sessions.first_by_rank(place);
            latest.get(place - 1).map(|(id, _)| (*id).clone())
        })
    }

    /// The agent of the roster that a text names; another name is taken as it is, and looked at by the room.
    pub(super) fn find_agent(&self, engine: &Engine, text: &str) -> anyhow::Result<AgentId> {
        let all = self.ask(engine, |world| {
            let agents = world.rooms.roster.agents.iter();
            agents.map(|(id, agent)| Candidate::new(id.clone(), agent.role.as_str())).collect::<Vec<_>>()
        })?;
        // By its whole name alone: it may be the beginning of an agent's.
        let is_user = text == crate::kernel::actor::USER;
        let found = if is_user { None } else { AGENT.pick(text, &all)? };
        Ok(found.unwrap_or_else(|| AgentId::from(text)))
    }
}

/// The place among the latest sessions that a text says, from 1.
fn place(text: &str) -> Option<usize> {
    match text {
        "@" | "last" => Some(1),
        text => text.strip_prefix('-')?.parse().ok().filter(|place| *place > 0),
    }
}

#[cfg(test)]
mod tests;
