//! `annals why`: the lines behind a session, or behind any value that `annals state` shows; what an event causes; the
//! sessions behind a commit or a file.

mod origin;

use std::collections::BTreeMap;

use serde_json::Value;

use self::origin::Meant;
use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::event_docs;
use crate::engine::Engine;
use crate::engine::why::{Reason, ValuePath};
use crate::kernel::id::{EntryId, SessionId};
use crate::policy::{self, On};

/// Arguments of `annals why`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A session, a value of the state, as in config.settings.history.rotation, the name of an event (what it causes), a commit or a file (the sessions behind it)
    value: String,
    /// How many lines to name, the last ones
    #[arg(short = 'n', long, default_value_t = 20)]
    lines: usize,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    if event_docs().any(|doc| doc.name == arguments.value) {
        return about_event(shell, &arguments.value);
    }
    let engine = shell.engine()?;
    let until = shell.until()?;
    let session = session_named(shell, &engine, &arguments.value)?;
    match origin::meant(shell, &arguments.value, session)? {
        Some(Meant::Session(session)) => return about_session(shell, &engine, &session, until),
        Some(Meant::Commit(commit)) => return origin::about_commit(shell, &engine, &commit),
        Some(Meant::File(file)) => return origin::about_file(shell, &engine, file),
        None => {}
    }
    let path = path(shell, &engine, &arguments.value)?;
    let reasons = engine.why(&path, until)?;
    let default = path.default_value();
    if reasons.is_empty() && !default.is_null() && !shell.wants_json() {
        shell.out.say(format_args!("no line has changed {}: it is {default}", arguments.value))?;
        return Ok(CommandOutcome::Done);
    }
    if reasons.is_empty() && default.is_null() {
        if let Some(gone) = origin::gone(shell, &engine, &arguments.value)? {
            return origin::tell_file(shell, &gone);
        }
        return Err(Usage(format!(
            "no line stands behind {}; `annals state` shows the values, and no file and no commit is called so",
            arguments.value
        ))
        .into());
    }
    if shell.wants_json() {
        shell.out.answer(&Lines { value: &arguments.value, reasons: &reasons })?;
        return Ok(CommandOutcome::Done);
    }
    let left_out = reasons.len().saturating_sub(arguments.lines);
    if left_out > 0 {
        shell.out.say(format_args!("{left_out} earlier lines; -n shows more"))?;
    }
    let rows: Vec<_> = reasons[left_out..].iter().map(|reason| row(reason, &short(&reason.value))).collect();
    shell.out.table(&[Goes(1, "line"), Key("entry"), Key("time"), Key("what"), Text("then")], &rows)?;
    Ok(CommandOutcome::Done)
}

/// The lines behind a value, in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Lines<'l> {
    value: &'l str,
    reasons: &'l [Reason],
}

/// What an event causes, in this order.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Caused<'c> {
    event: &'c str,
    causes: Vec<&'static str>,
}

/// The parts of a session's row.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Parts<'p> {
    session: &'p SessionId,
    parts: BTreeMap<String, Part>,
}

#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Part {
    /// How many lines changed it.
    lines: usize,
    /// The last of them.
    last: EntryId,
    value: Value,
}

/// What rooms learn from an event, and the policies that react to it.
fn about_event(shell: &mut Shell, event: &str) -> Done {
    let hears = |on: &On| on.docs.is_empty() || on.names().any(|name| name == event);
    let then: Vec<_> = policy::subscriptions().filter(|(_, on)| hears(on)).map(|(name, _)| name).collect();
    if shell.wants_json() {
        shell.out.answer(&Caused { event, causes: then })?;
    } else {
        shell.out.say(format_args!("after {event}, in this order:"))?;
        then.iter().try_for_each(|name| shell.out.line(name))?;
    }
    Ok(CommandOutcome::Done)
}

/// What has the form of a value cannot be a session: those have no dots.
fn session_named(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Option<SessionId>> {
    if text.contains(['.', '/']) { Ok(None) } else { shell.session_named(engine, text) }
}

/// A value of a session may be written `SESSION/stats/failed_calls`.
fn path(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<ValuePath> {
    let mut parts = text.split('/');
    let first = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    match session_named(shell, engine, first)? {
        Some(session) if !rest.is_empty() => Ok(ValuePath::of_session("session", session.as_str(), &rest)),
        Some(_) | None => Ok(ValuePath::new(text)),
    }
}

fn row(reason: &Reason, then: &str) -> Vec<String> {
    let place = format!("history/{}:{}", reason.segment, reason.line);
    vec![place, reason.entry.to_string(), reason.at.to_string(), reason.name.clone(), then.to_owned()]
}

fn short(value: &Value) -> String {
    const CHARS: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= CHARS { text } else { text.chars().take(CHARS).chain(['…']).collect() }
}

/// For each part of a session's row the last line that changed it, and how many did.
fn about_session(shell: &mut Shell, engine: &Engine, session: &SessionId, until: EntryId) -> Done {
    let reasons = engine.why(&ValuePath::of_session("session", session.as_str(), &[]), until)?;
    let mut last: BTreeMap<String, (usize, &Reason, Value)> = BTreeMap::new();
    let mut before = Value::Null;
    for reason in &reasons {
        for (key, value) in changed(&before, &reason.value) {
            let count = last.get(&key).map_or(0, |(count, ..)| *count);
            last.insert(key, (count + 1, reason, value));
        }
        before = reason.value.clone();
    }
    if shell.wants_json() {
        let part = |(key, (lines, reason, value)): (String, (usize, &Reason, Value))| {
            (key, Part { lines, last: reason.entry, value })
        };
        shell.out.answer(&Parts { session, parts: last.into_iter().map(part).collect() })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = last
        .iter()
        .map(|(key, (count, reason, value))| {
            let place = format!("history/{}:{}", reason.segment, reason.line);
            vec![key.clone(), short(value), count.to_string(), place, reason.entry.to_string(), reason.name.clone()]
        })
        .collect();
    shell.out.table(
        &[Key("part"), Text("value"), Goes(1, "lines"), Goes(2, "last line"), Key("entry"), Key("what")],
        &rows,
    )?;
    Ok(CommandOutcome::Done)
}

/// The parts that differ, with their new values; counts one level down.
fn changed(before: &Value, after: &Value) -> Vec<(String, Value)> {
    let mut parts = Vec::new();
    for (key, value) in after.as_object().into_iter().flatten() {
        let old = before.get(key).unwrap_or(&Value::Null);
        if key == "stats" {
            let inner = value.as_object().into_iter().flatten();
            let differs = inner.filter(|(name, value)| old.get(name.as_str()) != Some(value));
            parts.extend(differs.map(|(name, value)| (format!("stats/{name}"), value.clone())));
        } else if old != value {
            parts.push((key.clone(), value.clone()));
        }
    }
    parts
}
