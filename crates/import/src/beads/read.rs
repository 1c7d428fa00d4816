//! Lines of `issues.jsonl` → beads. Tombstones and what has no place among our issues are counted.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::Deserialize;
use serde_json::Value;

use super::texts;
use super::{Bead, Beads, End, Left, Stage, leave};
use crate::records::{Found, each_record};
use annals_kernel::fold;
use annals_rules::domain::issue::meta::META_TAG;
use annals_rules::domain::issue::status::{IssuePriority, LinkKind};

/// Why a file is none of beads.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadFile {
    /// No line of it is an issue.
    #[error("no line of it is an issue of beads: give the issues.jsonl of a .beads folder")]
    NoIssues,
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A line of the file, as far as we know it.
#[derive(Deserialize)]
pub(super) struct BeadLine {
    id: Box<str>,
    title: String,
    status: String,
    #[serde(default)]
    priority: Option<u64>,
    #[serde(default)]
    pub(super) issue_type: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) design: String,
    #[serde(default)]
    pub(super) acceptance_criteria: String,
    #[serde(default)]
    pub(super) notes: String,
    #[serde(default)]
    pub(super) created_at: String,
    #[serde(default)]
    pub(super) created_by: String,
    #[serde(default)]
    pub(super) closed_at: String,
    #[serde(default)]
    pub(super) close_reason: String,
    #[serde(default)]
    assignee: String,
    #[serde(default)]
    labels: Vec<Box<str>>,
    #[serde(default)]
    dependencies: Vec<Dependency>,
    #[serde(default)]
    comments: Vec<BeadComment>,
    /// Told by the times in front of texts, or of no use.
    #[serde(default, rename = "updated_at")]
    _updated_at: Value,
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Dependency {
    depends_on_id: Box<str>,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
pub(super) struct BeadComment {
    #[serde(default)]
    pub(super) author: String,
    #[serde(default)]
    pub(super) text: String,
    #[serde(default)]
    pub(super) created_at: String,
}

/// Reads a file.
pub fn read(bytes: &[u8]) -> Result<Beads, BadFile> {
    let (mut lines, mut left, mut input) = (Vec::new(), Left::new(), bytes);
    each_record(&mut input, |found| {
        match found {
            Found::Record { text, .. } => match serde_json::from_str::<BeadLine>(&text) {
                Ok(line) => lines.push(line),
                Err(_) => leave(&mut left, "lines that are no issue"),
            },
            Found::Other { .. } => leave(&mut left, "lines that are no issue"),
        }
        Ok::<_, io::Error>(())
    })?;
    if lines.is_empty() {
        return Err(BadFile::NoIssues);
    }
    Ok(all(lines, left))
}

fn all(lines: Vec<BeadLine>, mut left: Left) -> Beads {
    let is_gone = |line: &BeadLine| line.status == "tombstone";
    let (gone, mut lines): (Vec<_>, Vec<_>) = lines.into_iter().partition(is_gone);
    for line in &gone {
        leave(&mut left, "tombstones");
        line.dependencies.iter().for_each(|_| leave(&mut left, "dependencies of tombstones"));
        line.comments.iter().for_each(|_| leave(&mut left, "comments on tombstones"));
    }
    lines.sort_by_key(|line| texts::instant(&line.created_at));
    let ids = Ids {
        known: lines.iter().map(|line| line.id.clone()).collect(),
        gone: gone.into_iter().map(|line| line.id).collect(),
    };
    let (mut issues, mut taken) = (Vec::new(), BTreeSet::new());
    for line in lines {
        if taken.insert(line.id.clone()) {
            issues.push(bead(&line, &ids, &mut left));
        } else {
            leave(&mut left, "second lines of the same issue");
        }
    }
    mirror(&mut issues);
    Beads { issues, left }
}

/// The issues of a file.
struct Ids {
    known: BTreeSet<Box<str>>,
    /// Tombstones.
    gone: BTreeSet<Box<str>>,
}

fn bead(line: &BeadLine, ids: &Ids, left: &mut Left) -> Bead {
    for (field, value) in &line.others {
        if !texts::is_empty(value) {
            leave(left, format!("field {field}"));
        }
    }
    let title = texts::title(&line.title);
    if *title != *line.title {
        leave(left, "titles beyond one line or 200 characters (whole in the text)");
    }
    Bead {
        id: line.id.clone(),
        body: texts::body(line, (*title != *line.title).then_some(&line.title)),
        title,
        priority: priority(line.priority, left),
        tags: tags(line, left),
        assignee: Some(line.assignee.as_str()).filter(|name| !name.is_empty()).map(Into::into),
        stage: stage(line, left),
        comments: line.comments.iter().map(texts::comment).collect(),
        links: line.dependencies.iter().filter_map(|dependency| link(line, dependency, ids, left)).collect(),
    }
}

/// Its labels and its type, but for what rules alone give.
fn tags(line: &BeadLine, left: &mut Left) -> BTreeSet<Box<str>> {
    let all = line.labels.iter().cloned().chain(texts::tag(&line.issue_type));
    let (taken, kept): (BTreeSet<_>, BTreeSet<_>) = all.partition(|tag| !fold::are_same(&fold::tag(tag), META_TAG));
    for tag in kept {
        leave(left, format!("label {tag} (only rules give it)"));
    }
    taken
}

/// 0 is the most urgent; 4 is the backlog.
fn priority(number: Option<u64>, left: &mut Left) -> IssuePriority {
    match number {
        Some(0) => IssuePriority::Critical,
        Some(1) => IssuePriority::High,
        Some(2) | None => IssuePriority::Normal,
        Some(3 | 4) => IssuePriority::Low,
        Some(_) => {
            leave(left, "priorities beyond 4 (taken as normal)");
            IssuePriority::Normal
        }
    }
}

fn stage(line: &BeadLine, left: &mut Left) -> Stage {
    match line.status.as_str() {
        "open" => Stage::Open,
        "in_progress" | "hooked" => Stage::Begun,
        "closed" => Stage::Closed(texts::ending(line)),
        other => {
            leave(left, format!("status {other} (taken as open)"));
            Stage::Open
        }
    }
}

fn link(line: &BeadLine, dependency: &Dependency, ids: &Ids, left: &mut Left) -> Option<(LinkKind, End, Box<str>)> {
    let other = dependency.depends_on_id.clone();
    let (kind, end) = match dependency.kind.as_str() {
        // The other one blocks this one.
        "blocks" => (LinkKind::Blocks, End::To),
        "parent-child" | "parent_child" => (LinkKind::Parent, End::From),
        "discovered-from" => (LinkKind::DiscoveredFrom, End::From),
        "related" | "relates-to" => (LinkKind::Related, End::From),
        unknown => {
            leave(left, format!("dependencies {unknown}"));
            return None;
        }
    };
    if ids.known.contains(&other) && other != line.id {
        return Some((kind, end, other));
    }
    let why = if other == line.id {
        "itself"
    } else if ids.gone.contains(&other) {
        "tombstones"
    } else {
        "issues that are not in the file"
    };
    leave(left, format!("dependencies on {why}"));
    None
}

/// Each end knows the link, so that whichever comes second makes it.
fn mirror(issues: &mut [Bead]) {
    let places: BTreeMap<Box<str>, usize> =
        issues.iter().enumerate().map(|(place, bead)| (bead.id.clone(), place)).collect();
    let all: Vec<_> = issues.iter().map(|bead| (bead.id.clone(), bead.links.clone())).collect();
    for (id, links) in all {
        for (kind, end, other) in links {
            let end = if end == End::From { End::To } else { End::From };
            issues[places[&other]].links.insert((kind, end, id.clone()));
        }
    }
}
