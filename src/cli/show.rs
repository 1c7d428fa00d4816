//! `annals show`: entries in full, with their large values in place.

use annals_sparse::sparse;
use serde::Serialize;
use serde_json::Value;

use super::line::{Line, Style};
use super::named::{Candidate, ENTRY};
use super::shell::{CommandOutcome, Done, Shell, clean};
use crate::engine::Engine;
use crate::engine::query::expand::Expansion;
use crate::engine::query::filter::Filter;
use crate::engine::query::{Found, Reader};
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::EntryId;
use crate::kernel::joined::completed;
use crate::view::gist::{duration, gist, refused};
use crate::view::pretty;

/// Arguments of `annals show`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Ids, or the beginning or end of them
    #[arg(required = true, value_name = "ENTRY")]
    entries: Vec<String>,
    /// The line as it stands in its file
    #[arg(long, conflicts_with = "json")]
    raw: bool,
}

impl Arguments {
    /// One entry by its id.
    pub(super) fn of(id: &str) -> Self {
        Self { entries: vec![id.to_owned()], raw: false }
    }
}

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Documents {
    entries: Vec<Document>,
    /// What could not be read.
    troubles: Vec<String>,
}

/// An entry with its large values in place, and where it stands.
#[sparse]
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Document {
    segment: String,
    line: u64,
    entry: HistoryEntry,
    /// Entries that say more of it.
    completed_by: Vec<EntryId>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let until = shell.until()?;
    let mut reader = engine.reader()?;
    let mut expansion = Expansion::default();
    let mut documents = Vec::new();
    // All whole ids in one pass: the log was once read for each of them.
    let mut by_id = reader.by_id(arguments.entries.iter().filter_map(|text| whole_id(text)).collect(), until)?;
    for (number, text) in arguments.entries.iter().enumerate() {
        let mut found = match whole_id(text).and_then(|id| by_id.remove(&id)) {
            Some(found) => only(text, found)?,
            None => find(&mut reader, text, until)?,
        };
        let more = if arguments.raw { Vec::new() } else { reader.completions_of(&found.entry)? };
        if arguments.raw {
            shell.out.raw(&found.original)?;
            shell.out.raw(b"\n")?;
        } else if shell.wants_json() {
            documents.push(document(&engine, &found, &more, &mut expansion));
        } else {
            if number > 0 {
                shell.out.line("")?;
            }
            found.entry = completed(found.entry, &more);
            print(shell, &engine, &found, &mut expansion)?;
            for completion in &more {
                let said = format_args!("{:<9} {} of {}", "completed", completion.id, completion.timestamp);
                shell.out.styled(&Line::of(Style::Dim, "  ").then(said))?;
            }
        }
    }
    if shell.wants_json() {
        let troubles = expansion.troubles.clone();
        shell.out.answer(&Documents { entries: documents, troubles })?;
    }
    expansion.troubles.iter().try_for_each(|trouble| shell.out.say(trouble))?;
    Ok(CommandOutcome::Done)
}

/// One entry by its id, else by the beginning of it (which carries the time), else by the end of it.
pub(super) fn find(reader: &mut Reader<'_>, text: &str, until: EntryId) -> anyhow::Result<Found> {
    let upper = text.to_ascii_uppercase();
    let padded = |letter: &str| format!("{upper}{}", letter.repeat(26usize.saturating_sub(upper.len()))).parse();
    let mut found = match (padded("0"), padded("Z")) {
        (Ok(first), Ok(last)) => {
            reader.all(&Filter { named: Some((first, last)), until: Some(until), ..Filter::default() })?
        }
        (Ok(_) | Err(_), _) => Vec::new(),
    };
    if found.is_empty() && upper.len() < 26 {
        found = reader.all(&Filter { id_end: Some(upper), until: Some(until), ..Filter::default() })?;
    }
    only(text, found)
}

fn whole_id(text: &str) -> Option<EntryId> {
    text.to_ascii_uppercase().parse().ok()
}

/// The one entry that a text may name.
fn only(text: &str, mut found: Vec<Found>) -> anyhow::Result<Found> {
    let candidates = found.iter().map(|found| Candidate::new(found.entry.id, gist(&found.entry))).collect::<Vec<_>>();
    let only = ENTRY.only(text, &candidates.iter().collect::<Vec<_>>())?.map(|_| found.remove(0));
    Ok(only.ok_or_else(|| ENTRY.unknown(text))?)
}

/// The id of an entry that a text names. A whole id may name none.
pub(super) fn entry_id(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<EntryId> {
    let found = || Ok::<_, anyhow::Error>(find(&mut engine.reader()?, text, shell.until()?)?.entry.id);
    whole_id(text).map_or_else(found, Ok)
}

fn document(engine: &Engine, found: &Found, more: &[HistoryEntry], expansion: &mut Expansion) -> Document {
    let mut entry = found.entry.clone();
    expansion.entry(engine, &mut entry);
    let completed_by = more.iter().map(|completion| completion.id).collect();
    Document { segment: found.at.segment.clone(), line: found.at.line, entry, completed_by }
}

fn print(shell: &mut Shell, engine: &Engine, found: &Found, expansion: &mut Expansion) -> std::io::Result<()> {
    let (entry, operation) = (&found.entry, &found.entry.operation);
    let (ending, style) = if operation.success { ("ok", Style::Green) } else { ("✗ failed", Style::Red) };
    let title = format!("{} {} {}", entry.id, operation.kind, operation.name);
    shell.out.styled(&Line::of(Style::Bold, title).then("  ").and(style, ending))?;
    for (name, value) in facts(found) {
        shell
            .out
            .styled(&Line::plain("  ").and(Style::Dim, format_args!("{name:<9}")).then(format_args!(" {value}")))?;
    }
    let input = expansion.value(engine, &operation.input);
    part(shell, engine, "input", &input)?;
    if let Some(output) = &operation.output {
        let output = expansion.value(engine, output);
        part(shell, engine, "output", &output)?;
    }
    if let Some(error) = &operation.error {
        let refused = operation.output.as_ref().and_then(|output| refused(&output.value()));
        part(shell, engine, "error", &Value::from(refused.unwrap_or_else(|| error.to_string())))?;
    }
    Ok(())
}

/// What is known of an entry beside what went in and came out.
fn facts(found: &Found) -> Vec<(&'static str, String)> {
    let entry = &found.entry;
    let provenance = &entry.provenance;
    let list =
        |texts: &Option<Vec<Box<str>>>| texts.as_ref().filter(|texts| !texts.is_empty()).map(|texts| texts.join(", "));
    let source = entry.annals.source.as_ref().map(|source| {
        let line = source.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{} {}{line} ({})", source.kind, source.file.as_deref().unwrap_or("-"), source.record)
    });
    let facts = [
        ("time", Some(entry.timestamp.to_string())),
        ("session", Some(entry.session_id.to_string())),
        ("agent", provenance.agent_id.as_ref().map(ToString::to_string)),
        ("model", provenance.model_id.as_ref().map(ToString::to_string)),
        ("parent", provenance.parent_entry_id.map(|id| id.to_string())),
        ("took", entry.operation.duration_ms.map(duration)),
        ("files", list(&entry.metadata.files_touched)),
        ("tags", list(&entry.metadata.tags)),
        (
            "redacted",
            entry.metadata.redacted.filter(|redacted| *redacted).map(|_| "something was taken out".to_owned()),
        ),
        ("usage", entry.annals.usage.map(|usage| serde_json::to_string(&usage).unwrap_or_default())),
        ("source", source),
        ("line", Some(format!("history/{}:{}", found.at.segment, found.at.line))),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn part(shell: &mut Shell, engine: &Engine, name: &str, value: &Value) -> std::io::Result<()> {
    let lines = pretty::lines(value, 4);
    if lines.is_empty() {
        return Ok(());
    }
    shell.out.styled(&Line::plain("  ").and(Style::Dim, name))?;
    let text = clean(engine, &lines.join("\n"));
    shell.out.page(&text)
}
