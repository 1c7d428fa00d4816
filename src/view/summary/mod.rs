//! A summary of a session without a model (AFS 3.3): what was asked, what changed, what ran, what failed, how it ended.
//!
//! Pure, and extractive: every word of it stands in an entry. Bounded, for it becomes part of a line.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::gist::{cut, error_line, first_line, words};
use crate::domain::session::Session;
use crate::domain::session::command::Summary;
use crate::kernel::call::{command_line, program};
use crate::kernel::entry::HistoryEntry;
use crate::kernel::record::{Input, Kind, Speech};

mod entity;

use self::entity::Entities;

/// How many items a list shows; the rest is counted.
const LISTED: usize = 20;

/// How many characters a line shows.
const LINE_CHARS: usize = 160;

/// How many characters of the last message are kept.
const LAST_CHARS: usize = 600;

/// What was gathered from the entries.
#[derive(Default)]
struct Gathered {
    asked: Vec<String>,
    /// What was typed while the agent worked and has made no prompt yet.
    queued: Vec<String>,
    commands: BTreeMap<String, u64>,
    failures: BTreeMap<String, u64>,
    ending: Option<String>,
    entities: Entities,
}

/// Summarizes a session from its entries, in the order of the fold.
pub fn summarize(session: &Session, entries: &[HistoryEntry]) -> Summary {
    let mut gathered = Gathered::default();
    for entry in entries {
        gathered.take(entry);
    }
    let title = session.title.as_ref().map(|title| title.as_str().to_owned());
    let title =
        title.or_else(|| gathered.asked.first().cloned()).unwrap_or_else(|| "A session without a prompt".into());
    Summary { title: cut(&title, 80).into(), body: gathered.body(session).into(), entities: gathered.entities.most() }
}

impl Gathered {
    fn take(&mut self, entry: &HistoryEntry) {
        match entry.record() {
            Kind::Call => self.call(entry),
            Kind::Input(input @ (Input::Prompt | Input::Queued)) => self.prompt(entry, input),
            Kind::Input(Input::Interrupt) => self.ending = Some("A person stopped the agent.".to_owned()),
            Kind::Speech(Speech::Message) => self.message(entry),
            Kind::Input(_) | Kind::Speech(_) | Kind::Event(_) | Kind::State | Kind::Other => {}
        }
    }

    /// What waited for its turn may have made a prompt then: it was asked once.
    fn prompt(&mut self, entry: &HistoryEntry, input: Input) {
        let Some(text) = words(entry) else { return };
        let asked = cut(&first_line(&text), LINE_CHARS);
        match self.queued.iter().position(|queued| *queued == text) {
            Some(waited) if input == Input::Prompt => drop(self.queued.remove(waited)),
            Some(_) | None => self.asked.push(asked),
        }
        if input == Input::Queued {
            self.queued.push(text.clone());
        }
        self.entities.mentioned_in(&text);
        self.ending = None;
    }

    fn message(&mut self, entry: &HistoryEntry) {
        let Some(text) = words(entry) else { return };
        self.entities.mentioned_in(&text);
        self.ending = Some(cut(text.trim(), LAST_CHARS));
    }

    fn call(&mut self, entry: &HistoryEntry) {
        let operation = &entry.operation;
        for file in entry.metadata.files_touched.iter().flatten() {
            self.entities.file(file);
        }
        if let Some(command) = command_line(&operation.name, operation.input.text())
            && let Some(name) = program(&command)
        {
            self.entities.command(&name);
            *self.commands.entry(name).or_default() += 1;
        }
        if !operation.success {
            let error = operation.error.as_deref().map(error_line).unwrap_or_default();
            let failure = format!("{}: {}", operation.name, cut(&error, LINE_CHARS));
            *self.failures.entry(failure).or_default() += 1;
        }
    }

    fn body(&self, session: &Session) -> String {
        let files = session.stats.files_modified.iter().map(|file| format!("`{file}`"));
        let ending = match (&self.ending, self.asked.is_empty()) {
            (Some(ending), _) => ending,
            (None, false) => "The last prompt was not answered.",
            (None, true) => "",
        };
        let sections = [
            ("Asked", bullets(&self.asked)),
            ("Files changed", bullets(files)),
            ("Commands run", bullets(counted(&self.commands, "`"))),
            ("Failures", bullets(counted(&self.failures, ""))),
            ("How it ended", ending.to_owned()),
        ];
        let told = sections.iter().filter(|(_, text)| !text.is_empty());
        told.map(|(title, text)| format!("## {title}\n\n{}\n", text.trim_end())).collect::<Vec<_>>().join("\n")
    }
}

/// The most frequent first, each between two marks.
fn counted(counts: &BTreeMap<String, u64>, mark: &str) -> Vec<String> {
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by_key(|(name, count)| (Reverse(**count), *name));
    let times = |count: u64| if count == 1 { String::new() } else { format!(" ({count}×)") };
    sorted.iter().map(|(name, count)| format!("{mark}{name}{mark}{}", times(**count))).collect()
}

fn bullets<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<T> = items.into_iter().collect();
    let shown = items.iter().take(LISTED).map(|item| format!("- {}\n", item.as_ref()));
    let rest = items.len().saturating_sub(LISTED);
    shown.chain((rest > 0).then(|| format!("- … and {rest} more\n"))).collect()
}

#[cfg(test)]
mod tests;
