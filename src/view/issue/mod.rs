//! Issues as people and programs read them: a row of a list, and a whole thread with its texts.
//!
//! The state knows which entries hold the texts; they are looked up here. Does not print.

pub mod markdown;
pub mod report;
pub mod text;
pub mod title;

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::Serialize;

use self::text::Texts;
use crate::domain::Rooms;
use crate::domain::issue::Issue;
use crate::domain::issue::decay::{Faded, Fading};
use crate::domain::issue::meta::Meta;
use crate::domain::issue::row::{Mark, RemarkKind, Revision, ThreadRemark};
use crate::domain::issue::status::{EpistemicStatus, IssuePriority, IssueStatus, LinkKind};
use crate::engine::{Engine, EngineError};
use crate::kernel::entry::HistoryEntry;
use crate::kernel::grounding::{Checked, Citation, Evidence, Impact, Stance};
use crate::kernel::id::{AgentId, EntryId, IssueId};
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;

/// An issue in a list.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IssueInfo {
    /// What people call it.
    pub number: String,
    /// Its id.
    pub id: IssueId,
    /// A line.
    pub title: Box<str>,
    /// Where it is in its life.
    pub status: IssueStatus,
    /// How well founded it is.
    pub epistemic_status: EpistemicStatus,
    /// How much it matters.
    pub priority: IssuePriority,
    /// Who opened it.
    pub author: AgentId,
    /// Who is to take care of it.
    #[always]
    pub assignee: Option<AgentId>,
    /// With `#`.
    #[always]
    pub tags: Vec<Box<str>>,
    /// Texts in its thread.
    pub comments: usize,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When something happened to it last.
    pub updated_at: Timestamp,
    /// What it counts as, where it touched nothing real for long; a view does not know the time.
    pub faded: Option<Faded>,
    /// When it will count as what; in a view, which does not know the time.
    pub fading: Option<Fading>,
}

impl IssueInfo {
    /// Of an issue, with the title that people read.
    pub fn of(id: &IssueId, issue: &Issue, title: Box<str>) -> Self {
        Self {
            number: issue.label.to_string(),
            id: id.clone(),
            title,
            status: issue.status,
            epistemic_status: issue.epistemic,
            priority: issue.priority,
            author: issue.author.clone(),
            assignee: issue.assignee.clone(),
            tags: issue.tags.iter().cloned().collect(),
            comments: issue.thread.len(),
            opened_at: issue.opened_at,
            updated_at: issue.updated_at,
            faded: None,
            fading: None,
        }
    }

    /// What it counts as, and what it was given.
    pub(crate) fn priority_now(&self) -> String {
        match self.faded {
            None => self.priority.to_string(),
            Some(Faded::Lower(lower)) => format!("{lower} (was {})", self.priority),
            Some(Faded::Archived) => format!("archived (was {})", self.priority),
        }
    }
}

/// A whole issue.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Thread {
    /// As in a list.
    #[serde(flatten)]
    pub info: IssueInfo,
    /// Markdown.
    pub body: String,
    /// The freeze that goes on.
    pub frozen: Option<FreezeInfo>,
    /// How it depends on others.
    pub links: Vec<LinkInfo>,
    /// What was said.
    pub thread: Vec<RemarkInfo>,
    /// How title and text changed.
    pub revisions: Vec<RevisionInfo>,
    /// What was said about its use.
    pub marks: Vec<Mark>,
}

/// A change of title or text.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RevisionInfo {
    /// The entry.
    pub id: EntryId,
    /// When it was changed.
    pub at: Timestamp,
    /// By whom.
    pub by: AgentId,
    /// The title before, where that changed.
    pub title_was: Option<Box<str>>,
    /// The entry that holds the text before, where that changed.
    pub text_was: Option<EntryId>,
}

/// A freeze that goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FreezeInfo {
    /// The rule, or the reason that somebody gave.
    pub reason: Box<str>,
    /// From when on anyone may act again.
    pub until: Timestamp,
    /// How often it was frozen.
    pub freezes: u32,
}

/// How an issue depends on another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LinkInfo {
    /// `blocks`, `blocked-by`, `parent`, …
    pub kind: &'static str,
    /// What people call the other.
    pub number: String,
    /// The other.
    pub issue: IssueId,
    /// A line.
    pub title: Box<str>,
    /// Where the other is in its life.
    pub status: IssueStatus,
}

/// A text of a thread.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RemarkInfo {
    /// The entry in which it stands.
    pub id: EntryId,
    /// When it was said.
    pub at: Timestamp,
    /// By whom.
    pub author: AgentId,
    /// What kind of text.
    pub kind: RemarkKind,
    /// For, against, or neither.
    pub stance: Stance,
    /// How much it would change.
    pub impact: Option<Impact>,
    /// Markdown.
    pub body: String,
    /// What it stands on.
    pub evidence: Evidence,
    /// Why that was looked up.
    pub citation: Citation,
    /// What code found out about the files.
    pub checked: Vec<Checked>,
}

/// An issue and what is needed beside it.
#[derive(Debug, Clone)]
pub struct IssueRows {
    id: IssueId,
    issue: Issue,
    title: Box<str>,
    others: BTreeMap<IssueId, (String, Box<str>, IssueStatus)>,
}

impl IssueRows {
    /// Of an issue, where it is known.
    pub fn of(rooms: &Rooms, id: &IssueId) -> Option<Self> {
        let issue = rooms.issue.issue(id)?.clone();
        let linked = issue.links.iter().map(|(_, to)| to);
        let named = linked.chain(&issue.waits_for).chain(&issue.related);
        let about = issue.meta.iter().flat_map(Meta::named);
        let others = named.chain(about).filter_map(|other| {
            let row = rooms.issue.issue(other)?;
            Some((other.clone(), (row.label.to_string(), title::title(rooms, row), row.status)))
        });
        let (others, title) = (others.collect(), title::title(rooms, &issue));
        Some(Self { id: id.clone(), issue, title, others })
    }

    /// What it counts as at a time, where it touched nothing real for long.
    pub fn faded(&self, now: Timestamp, settings: &Settings) -> Option<Faded> {
        self.issue.faded(now, settings)
    }

    /// When it counts as what.
    pub fn fading(&self, settings: &Settings) -> Option<Fading> {
        self.issue.fading(settings)
    }

    /// The entries in which its texts stand.
    pub fn entries(&self) -> Vec<EntryId> {
        let reported = report::entries(&self.issue);
        let said = self.issue.thread.iter().map(|remark| remark.id);
        let revised = self.issue.revisions.iter().map(|revision| revision.entry);
        std::iter::once(self.issue.text).chain(said).chain(revised).chain(reported).collect()
    }

    /// What people call another issue.
    pub fn number_of(&self, other: &IssueId) -> String {
        self.others.get(other).map_or_else(|| other.to_string(), |(number, ..)| format!("#{number}"))
    }

    fn links(&self) -> Vec<LinkInfo> {
        let own = self.issue.links.iter().map(|(kind, to)| (kind.as_str(), to));
        let waits = self.issue.waits_for.iter().map(|from| ("blocked-by", from));
        let related = self.issue.related.iter().map(|to| (LinkKind::Related.as_str(), to));
        let info = |(kind, id): (&'static str, &IssueId)| {
            let (number, title, status) = self.others.get(id)?.clone();
            Some(LinkInfo { kind, number, issue: id.clone(), title, status })
        };
        own.chain(waits).chain(related).filter_map(info).collect()
    }

    /// The whole thread, with the texts of these entries.
    pub fn thread(&self, entries: &BTreeMap<EntryId, HistoryEntry>) -> Thread {
        let issue = &self.issue;
        let texts = Texts(entries);
        let body = match &issue.meta {
            Some(meta) => report::body(self, meta, &texts),
            None => texts.body(issue.text),
        };
        let frozen = issue.freeze.as_ref().map(|freeze| FreezeInfo {
            reason: freeze.reason.clone(),
            until: freeze.until,
            freezes: issue.freezes,
        });
        let thread = issue.thread.iter().map(|remark| self.remark(remark, &texts)).collect();
        let (info, marks) = (IssueInfo::of(&self.id, issue, self.title.clone()), issue.marks.clone());
        let revisions = issue.revisions.iter().map(|revision| revised(revision, &texts)).collect();
        Thread { info, body, frozen, links: self.links(), thread, revisions, marks }
    }

    fn remark(&self, remark: &ThreadRemark, texts: &Texts<'_>) -> RemarkInfo {
        let said = texts.said(remark.id);
        RemarkInfo {
            id: remark.id,
            at: texts.at(remark.id),
            author: self.issue.author_of(remark).clone(),
            kind: remark.kind,
            stance: remark.stance,
            impact: remark.impact,
            body: said.body,
            evidence: said.evidence,
            citation: said.citation,
            checked: said.checked,
        }
    }
}

fn revised(revision: &Revision, texts: &Texts<'_>) -> RevisionInfo {
    let Revision { entry: id, by, title_was, text_was } = revision.clone();
    RevisionInfo { id, at: texts.at(id), by, title_was, text_was }
}

/// An issue with all its texts.
pub fn thread(engine: &Engine, rows: &IssueRows) -> Result<Thread, EngineError> {
    Ok(rows.thread(&engine.entries(&rows.entries())?))
}
