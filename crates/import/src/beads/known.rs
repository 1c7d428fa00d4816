//! What is there already of a file of beads, and what is still to be asked for.
//!
//! Asks the world; does not change it.

use std::collections::BTreeMap;

use super::{Bead, Beads, End, Stage, source};
use annals_kernel::fold;
use annals_kernel::grounding::{Citation, Evidence, Stance};
use annals_kernel::id::{AgentId, IssueId};
use annals_rules::domain::Rooms;
use annals_rules::domain::issue::command::{Close, Comment, Link, Open, Start};
use annals_rules::domain::issue::status::{IssueStatus, LinkKind};
use annals_rules::domain::issue::{Command, Issue};

/// What the project knows of a bead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BeadStanding {
    /// It is not there.
    New,
    /// It is there, and says the same.
    Same(IssueId),
    /// It is there, and something about it is different: here or there somebody went on.
    Differs(IssueId),
}

impl BeadStanding {
    /// The issue that it became.
    pub fn issue(&self) -> Option<&IssueId> {
        match self {
            Self::New => None,
            Self::Same(issue) | Self::Differs(issue) => Some(issue),
        }
    }
}

/// What the project knows of each bead, in the order of the file.
pub fn standings(beads: &Beads, rooms: &Rooms) -> Vec<BeadStanding> {
    beads.issues.iter().map(|bead| standing(bead, rooms)).collect()
}

fn standing(bead: &Bead, rooms: &Rooms) -> BeadStanding {
    let known = rooms.issue.sources.get(&source(&bead.id)).and_then(|twins| twins.0.first());
    let Some(id) = known else { return BeadStanding::New };
    match rooms.issue.issue(id) {
        Some(issue) if is_same(bead, issue) => BeadStanding::Same(id.clone()),
        Some(_) | None => BeadStanding::Differs(id.clone()),
    }
}

fn is_same(bead: &Bead, issue: &Issue) -> bool {
    let has_stage = match bead.stage {
        Stage::Open => issue.status == IssueStatus::Open,
        Stage::Begun => issue.status == IssueStatus::InProgress,
        Stage::Closed(_) => issue.status == IssueStatus::Closed,
    };
    let has = |tag: &str| issue.tags.iter().any(|own| fold::are_same(own, &fold::tag(tag)));
    let has_tags = bead.tags.iter().all(|tag| has(tag));
    has_stage
        && has_tags
        && issue.title == bead.title
        && issue.priority == bead.priority
        && issue.assignee.as_ref().map(AgentId::as_str) == bead.assignee.as_deref()
        && issue.thread.len() == bead.comments.len()
}

/// Opens an issue.
pub fn open(bead: &Bead) -> Command {
    Command::Open(Open {
        title: bead.title.clone(),
        body: bead.body.clone(),
        assignee: bead.assignee.as_deref().map(AgentId::from),
        priority: bead.priority,
        tags: bead.tags.clone(),
        source: Some(source(&bead.id)),
        ..Open::default()
    })
}

/// What makes an issue that was just opened into what the bead is. Links lead to those that are there; whichever of two
/// comes second makes the link.
pub fn rest(bead: &Bead, issue: &IssueId, known: &BTreeMap<Box<str>, IssueId>) -> Vec<Command> {
    let mut commands: Vec<_> = bead.comments.iter().map(|text| comment(issue, text)).collect();
    let links = bead.links.iter().filter_map(|(kind, end, other)| Some(link(*kind, *end, issue, known.get(other)?)));
    commands.extend(links);
    match &bead.stage {
        Stage::Open => {}
        Stage::Begun => commands.push(Command::Start(Start { issue: issue.clone() })),
        Stage::Closed(why) => {
            commands.push(Command::Close(Close { issue: issue.clone(), reason: Some(why.clone()) }));
        }
    }
    commands
}

fn comment(issue: &IssueId, text: &str) -> Command {
    Command::Comment(Comment {
        issue: issue.clone(),
        body: text.into(),
        stance: Stance::Neutral,
        impact: None,
        evidence: Evidence::default(),
        action: None,
        citation: Citation::default(),
    })
}

fn link(kind: LinkKind, end: End, issue: &IssueId, other: &IssueId) -> Command {
    let (from, to) = match end {
        End::From => (issue, other),
        End::To => (other, issue),
    };
    Command::Link(Link { issue: from.clone(), kind, to: to.clone() })
}
