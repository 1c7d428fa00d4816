//! Sentences for refusals, made of their rule and data: one table for the command line and hooks (decision 53).
//!
//! Nothing here is recorded, compared or decided on: a corrected sentence changes no replay.

mod access;
mod advocate;
mod blind;
mod breaker;
mod canon;
mod cognition;
mod config;
mod council;
mod credit;
mod dialectic;
mod erasure;
mod history;
mod hivemind;
mod issue;
mod knowledge;
mod log;
mod memory;
mod milestone;
mod moderation;
mod notice;
mod resident;
mod roster;
mod session;
mod signature;
mod task;
#[cfg(test)]
mod tests;
mod voice;

use annals_sparse::sparse;
use serde::Serialize;
use serde_json::Value;

pub(crate) use self::breaker::said_of;
use crate::kernel::decision::Refusal;

/// What is said of one rule. `{name}` stands for a fact, `{name:words}` for one that is written with `_` for blanks,
/// `{name:phrase}` for one that another stands for.
struct Words {
    rule: &'static str,
    says: &'static str,
    hint: &'static str,
}

impl Words {
    const fn of(rule: &'static str, says: &'static str, hint: &'static str) -> Self {
        Self { rule, says, hint }
    }
}

/// By room. Of several rows for one rule the first counts whose facts are all there.
const TABLES: [&[Words]; 26] = [
    access::WORDS,
    advocate::WORDS,
    blind::WORDS,
    breaker::WORDS,
    canon::WORDS,
    cognition::WORDS,
    config::WORDS,
    council::WORDS,
    credit::WORDS,
    dialectic::WORDS,
    erasure::WORDS,
    history::WORDS,
    hivemind::WORDS,
    issue::WORDS,
    knowledge::WORDS,
    log::WORDS,
    memory::WORDS,
    milestone::WORDS,
    moderation::WORDS,
    notice::WORDS,
    resident::WORDS,
    roster::WORDS,
    session::WORDS,
    signature::WORDS,
    task::WORDS,
    voice::WORDS,
];

type Shows = fn(&Value) -> String;

/// Lists of facts, and what is made of each, by its name in sentences.
const LISTS: [(&str, &str, Shows); 3] = [
    ("violations", "violations", breaker::shown),
    ("violations", "advice", breaker::advice),
    ("conflicts", "conflicts", canon::shown),
];

/// A refusal as people and other programs are told of it.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToldRefusal {
    /// The rule and its facts.
    #[serde(flatten)]
    pub refusal: Refusal,
    /// The fact, in words.
    pub message: String,
    /// What can be done about it.
    pub hint: Option<String>,
}

/// What is said of each rule, with its facts in braces.
pub fn templates() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLES.iter().copied().flatten().map(|words| (words.rule, words.says))
}

/// Puts a refusal into words. One of a later version is named by its rule and its facts.
pub fn told(refusal: &Refusal) -> ToldRefusal {
    let data = refusal.data.value();
    let mut facts = data.clone();
    for (list, name, shown) in LISTS {
        if let Some(items) = data.get(list).filter(|items| items.is_array()) {
            facts[name] = shown(items).into();
        }
    }
    let mut rows = TABLES.iter().copied().flatten().filter(|words| words.rule == &*refusal.rule);
    let said = rows.find_map(|words| Some((filled(words.says, &facts)?, filled(words.hint, &facts)?)));
    let (message, hint) = match said {
        Some((message, hint)) => (message, Some(hint)),
        None if refusal.data.is_empty_object() => (format!("rule {}", refusal.rule), None),
        None => (format!("rule {}: {}", refusal.rule, shown(&facts)), None),
    };
    ToldRefusal { refusal: refusal.clone(), message, hint }
}

/// Puts facts into a sentence; `None` where one is missing.
fn filled(words: &str, facts: &Value) -> Option<String> {
    let mut parts = words.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}')?;
        let (name, form) = name.split_once(':').unwrap_or((name, ""));
        let fact = facts.pointer(&format!("/{}", name.replace('.', "/"))).filter(|fact| !fact.is_null())?;
        text += &in_form(shown(fact), form);
        text += rest;
    }
    Some(text)
}

/// Words that stand for others in a sentence.
const PHRASES: [(&str, &str); 6] = [
    ("user_and_lead", "the user and the team lead do"),
    ("user", "the user does"),
    ("read_only", "read-only"),
    ("writable", "writable, not executable"),
    ("executable", "executable, not writable"),
    ("closed", "for Annals alone"),
];

fn in_form(fact: String, form: &str) -> String {
    match form {
        "words" => fact.replace('_', " "),
        "phrase" => PHRASES.iter().find(|(word, _)| *word == fact).map_or(fact, |(_, phrase)| (*phrase).to_owned()),
        _ => fact,
    }
}

fn shown(fact: &Value) -> String {
    match fact {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let pairs = members.iter().map(|(name, value)| format!("{name}: {}", shown(value)));
            pairs.collect::<Vec<_>>().join(", ")
        }
        Value::Bool(_) | Value::Number(_) => fact.to_string(),
    }
}
