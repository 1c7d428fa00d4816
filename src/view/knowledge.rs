//! Knowledge as people and programs read it: an entry as it stands at a time, and pages that know no time.
//!
//! Does not print and does not write files.

use std::fmt::Write as _;

use serde::Serialize;

use crate::domain::Rooms;
use crate::domain::knowledge::trace::{EmptyDiagnosis, EmptyReason, Line, Stage};
use crate::domain::knowledge::{
    Candidate, KnowledgeDecay, KnowledgeEntry, KnowledgeKind, KnowledgeSource, KnowledgeStatus,
};
use crate::kernel::counted::counted;
use crate::kernel::id::EntryId;
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;

/// An entry as it stands at a time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KnowledgeInfo {
    /// Which.
    pub id: EntryId,
    /// How it stands.
    pub status: KnowledgeStatus,
    /// How sure one may be of it then.
    pub strength: f64,
    /// When it has faded so far that it is archived, unless it is retrieved; none where it does not fade.
    pub archives_at: Option<Timestamp>,
    /// All that is kept of it.
    #[serde(flatten)]
    pub entry: KnowledgeEntry,
}

impl KnowledgeInfo {
    /// Of an entry, at a time.
    pub(crate) fn of(id: EntryId, entry: &KnowledgeEntry, settings: &Settings, now: Timestamp) -> Self {
        let decay = KnowledgeDecay::of(settings);
        Self {
            id,
            status: decay.status(entry, now),
            strength: decay.strength(entry, now),
            archives_at: decay.archives_at(entry),
            entry: entry.clone(),
        }
    }
}

/// A candidate and its id.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CandidateInfo {
    /// Which.
    pub id: Box<str>,
    /// All that is kept of it.
    #[serde(flatten)]
    pub candidate: Candidate,
}

/// Why an entry came, or did not, in words.
pub fn why(line: &Line) -> String {
    let named = (!line.entities.is_empty()).then(|| format!("names {}", line.entities.join(", ")));
    let holds = (!line.keywords.is_empty()).then(|| {
        let percent = u32::from(line.overlap.in_thousandths()) / 10;
        format!("holds {} ({percent} % of the keywords)", line.keywords.join(", "))
    });
    let shared: Vec<String> = named.into_iter().chain(holds).collect();
    let shared = shared.join("; ");
    match line.dropped_at {
        None | Some(Stage::Index) => shared,
        Some(Stage::FilterType) => format!("is a {}; {shared}", line.kind),
        Some(Stage::FilterPersonal) => format!("about somebody else, who asks is not trusted; {shared}"),
        Some(Stage::FilterSuperseded) => format!("another entry holds instead; {shared}"),
        Some(Stage::FilterArchived) => format!("archived, at {:.3}; {shared}", line.strength),
        Some(Stage::EntityMatch | Stage::KeywordMatch) => format!("too few keywords; {shared}"),
        Some(Stage::Limit) => format!("others come before it; {shared}"),
    }
}

/// Why nothing came, in words.
pub fn diagnosis(found: &EmptyDiagnosis) -> String {
    let said = match found.reason {
        EmptyReason::NothingKnown => "nothing is known yet",
        EmptyReason::NoEntities => "no name in the query is known",
        EmptyReason::NoKeywords => "the query has no keywords",
        EmptyReason::UnknownKeywords => "no entry holds any of the keywords",
        EmptyReason::KeywordMismatch => "entries hold too few of the keywords",
        EmptyReason::OtherType => "what would have come is of another type",
        EmptyReason::Personal => "what would have come is about somebody else, and who asks is not trusted",
        EmptyReason::Superseded => "another entry holds in place of what would have come",
        EmptyReason::Archived => "what would have come is archived",
    };
    let closest: Vec<String> = found.closest.iter().map(ToString::to_string).collect();
    if closest.is_empty() { said.to_owned() } else { format!("{said}; closest: {}", closest.join(", ")) }
}

/// What is kept of where something was learnt, in words.
pub fn origin(source: &KnowledgeSource) -> Option<String> {
    let session = source.session.as_ref().map(|session| format!("session {session}"));
    let entries = (!source.entries.is_empty()).then(|| {
        let ids: Vec<String> = source.entries.iter().map(|id| format!("`{id}`")).collect();
        format!("from {}", ids.join(", "))
    });
    let rule = source.rule.as_ref().map(|rule| format!("by rule {rule}"));
    let parts: Vec<String> = [session, entries, rule].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// All entries of a type as a page: what is stored, no value of a time.
pub fn page(rooms: &Rooms, kind: KnowledgeKind) -> Option<String> {
    let all = rooms.knowledge.entries.iter().filter(|(_, entry)| entry.said.kind == kind);
    let all: Vec<_> = all.collect();
    if all.is_empty() {
        return None;
    }
    let (kept, gone): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, entry)| entry.is_kept());
    let title = kind.as_str();
    let mut text = format!("# Knowledge: {title}\n\n{} kept, {} superseded or put away.\n", kept.len(), gone.len());
    for (id, entry) in kept.iter().rev() {
        section(&mut text, id, entry);
    }
    if !gone.is_empty() {
        text.push_str("\n# Superseded or put away\n");
    }
    for (id, entry) in gone.iter().rev() {
        section(&mut text, id, entry);
    }
    Some(text)
}

fn section(text: &mut String, id: &str, entry: &KnowledgeEntry) {
    let KnowledgeEntry { said, by, extracted_at, last_retrieved_at, retrievals, superseded_by, archived, evidence } =
        entry;
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "\n## `{id}`\n\n{}\n\n- confidence {} since {extracted_at}, by {by}\n",
        said.content.trim_end(),
        said.confidence
    );
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "- {name}: {value}");
    };
    if let Some(impact) = said.impact {
        line("impact", impact.to_string());
    }
    if let Some(about) = &said.about {
        line("about", about.to_string());
    }
    if !said.entities.is_empty() {
        line("entities", said.entities.join(", "));
    }
    if let Some(origin) = origin(&said.source) {
        line("learnt", origin);
    }
    if let Some(last) = last_retrieved_at {
        line("last retrieved", format!("{last}, {retrievals} in all"));
    }
    if evidence.exposed > 0 {
        line(
            "worked with",
            format!(
                "{}: {} helpful, {} harmful",
                counted(evidence.exposed, "time"),
                evidence.helpful,
                evidence.harmful
            ),
        );
    }
    if let Some(superseded) = superseded_by {
        line("superseded", format!("by `{}` on {}", superseded.by, superseded.at.day()));
    }
    if let Some(archived) = archived {
        let reason = archived.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        line("put away", format!("by {} on {}{reason}", archived.by, archived.at.day()));
    }
}
