//! All issues.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::command::{Command, Edit, Observed, Open};
use super::event::{CommentAdded, Edited, Event, Opened, Raised, Resolved};
use super::number::Label;
use super::row::{Freeze, Issue, Mark, RemarkKind, Revision, ThreadRemark, count_of};
use super::status::{EpistemicStatus, IssuePart, IssueStatus, LinkKind, Usefulness};
use annals_kernel::decision::Cause;
use annals_kernel::grounding::{Evidence, Stance};
use annals_kernel::grounds::Grounds;
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::rows::{Ranked, Rows};

/// Counts of all issues.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// Issues by where they are in their lives.
    pub by_status: BTreeMap<IssueStatus, u64>,
    /// The highest number that was given.
    pub last_number: u64,
    /// Texts in all threads.
    pub remarks: u64,
    /// Issues that go on and are tagged as stuck (control-room 9.2).
    pub stuck: u64,
    /// Issues that are agreed, and tagged to be looked at before they become canon (control-room 9.2).
    pub pending_canon: u64,
}

impl Totals {
    /// Counts an issue where it waits for the moderator, or counts it no more.
    fn count_waiting(&mut self, issue: &Issue, count: impl Fn(&mut u64)) {
        if issue.tags.contains("#stuck") && !issue.status.has_ended() {
            count(&mut self.stuck);
        }
        if issue.tags.contains("#needs-canon-review") && issue.epistemic == EpistemicStatus::Agreed {
            count(&mut self.pending_canon);
        }
    }
}

/// The issues of one number: one, but for those of branches that were merged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Twins(pub Vec<IssueId>);

impl Ranked for Twins {
    fn rank(&self) -> i64 {
        0
    }
}

/// All issues.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Counts.
    pub totals: Totals,
    /// Issues by id.
    pub issues: Rows<IssueId, Issue>,
    /// Issues by number.
    pub numbers: Rows<Box<str>, Twins>,
    /// Issues by where they were known before.
    pub sources: Rows<Box<str>, Twins>,
}

type Why<'c> = Cause<'c, Command, Observed>;

impl State {
    /// An issue by its id.
    pub fn issue(&self, id: &IssueId) -> Option<&Issue> {
        self.issues.get(id.as_str())
    }

    /// The id of an issue by what people call it.
    pub fn by_label(&self, label: Label) -> Option<&IssueId> {
        self.numbers.get(label.number.to_string().as_str())?.0.get(label.twin as usize)
    }

    /// The number that the next issue gets.
    pub(crate) fn next_number(&self) -> u64 {
        self.totals.last_number + 1
    }

    /// The id of the next issue that a decision opens.
    pub(crate) fn next_id(&self, entry: EntryId) -> IssueId {
        let ids = (0..).map(|count| IssueId::of(entry, count));
        ids.into_iter().find(|id| self.issue(id).is_none()).expect("BUG: a decision opened every issue there can be")
    }

    /// Whether an issue shows something to an agent that cites it on another: it is not that other one, and the agent
    /// has not made it alone (decision 11).
    pub fn is_evidence(&self, cited: &IssueId, on: &IssueId, by: &AgentId) -> bool {
        cited != on && self.issue(cited).is_some_and(|issue| !issue.is_made_alone_by(by))
    }

    /// Whether an issue waits for nobody: those that it waits for have ended, or are not known.
    pub fn is_ready(&self, issue: &Issue) -> bool {
        let has_ended = |id: &IssueId| self.issue(id).is_none_or(|other| other.status.has_ended());
        matches!(issue.status, IssueStatus::Open | IssueStatus::InProgress) && issue.waits_for.iter().all(has_ended)
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Why<'_>) {
        match event {
            Event::Opened(opened) => {
                if let Some(Command::Open(open)) = cause.command() {
                    self.opened(opened, open, cause);
                }
            }
            Event::Raised(raised) => self.raised(raised, cause),
            Event::Linked(linked) => self.linked(&linked.issue, linked.kind, &linked.to),
            Event::Unlinked(unlinked) => self.unlinked(&unlinked.issue, unlinked.kind, &unlinked.to),
            Event::TurnedAway(_) | Event::TextRefused(_) | Event::Refuted(_) => {}
            Event::WasRead(read) => drop(self.issues.get_mut(read.issue.as_str())),
            Event::Edited(_)
            | Event::CommentAdded(_)
            | Event::EpistemicChanged(_)
            | Event::Resolved(_)
            | Event::Closed(_)
            | Event::Reopened(_)
            | Event::Started(_)
            | Event::Frozen(_)
            | Event::Thawed(_)
            | Event::Unfrozen(_)
            | Event::Marked(_)
            | Event::OpinionRevealed(_) => self.changed(event, cause),
        }
    }

    fn opened(&mut self, opened: &Opened, open: &Open, cause: &Why<'_>) {
        if let Some(source) = &open.source {
            self.sources.entry(source, Twins::default).0.push(opened.issue.clone());
        }
        let tags = opened.tags.clone();
        let issue = Issue {
            title: open.title.clone(),
            assignee: open.assignee.clone(),
            priority: open.priority,
            tags: tags.unwrap_or_else(|| open.tags.iter().map(|tag| tagged(tag)).collect()),
            related: open.related.clone(),
            impact: open.impact,
            ..new(cause.actor, cause)
        };
        self.put(&opened.issue, opened.number, issue);
    }

    fn raised(&mut self, raised: &Raised, cause: &Why<'_>) {
        let issue = Issue {
            title: raised.title.clone(),
            assignee: Some(raised.assignee.clone()),
            priority: raised.priority,
            tags: raised.tags.clone(),
            related: raised.meta.about().cloned().into_iter().collect(),
            meta: Some(raised.meta.clone()),
            epistemic: EpistemicStatus::Agreed,
            ..new(&AgentId::from(annals_kernel::actor::SYSTEM), cause)
        };
        self.put(&raised.issue, raised.number, issue);
    }

    fn put(&mut self, id: &IssueId, number: u64, issue: Issue) {
        let twins = self.numbers.entry(number.to_string().as_str(), Twins::default);
        if !twins.0.contains(id) {
            twins.0.push(id.clone());
        }
        let twin = twins.0.iter().position(|twin| twin == id).and_then(|place| u32::try_from(place).ok());
        let label = Label { number, twin: twin.unwrap_or_default() };
        self.totals.last_number = self.totals.last_number.max(number);
        *self.totals.by_status.entry(issue.status).or_default() += 1;
        self.totals.count_waiting(&issue, |count| *count += 1);
        self.issues.entry(id.as_str(), || Issue { label, ..issue });
    }

    fn changed(&mut self, event: &Event, cause: &Why<'_>) {
        let Some(issue) = self.issues.get_mut(event.issue().as_str()) else { return };
        let (before, remarks) = (issue.status, issue.thread.len());
        self.totals.count_waiting(issue, |count| *count = count.saturating_sub(1));
        issue.updated_at = cause.at;
        issue.evolve(event, cause);
        self.totals.count_waiting(issue, |count| *count += 1);
        self.totals.remarks += (issue.thread.len() - remarks) as u64;
        if issue.status != before {
            let after = issue.status;
            if let Some(count) = self.totals.by_status.get_mut(&before) {
                *count = count.saturating_sub(1);
            }
            self.totals.by_status.retain(|_, count| *count > 0);
            *self.totals.by_status.entry(after).or_default() += 1;
        }
    }

    fn linked(&mut self, id: &IssueId, kind: LinkKind, to: &IssueId) {
        if let Some(issue) = self.issues.get_mut(id.as_str()) {
            issue.links.insert((kind, to.clone()));
        }
        if let Some(other) = self.issues.get_mut(to.as_str())
            && kind == LinkKind::Blocks
        {
            other.waits_for.insert(id.clone());
        }
    }

    fn unlinked(&mut self, id: &IssueId, kind: LinkKind, to: &IssueId) {
        if let Some(issue) = self.issues.get_mut(id.as_str()) {
            issue.links.remove(&(kind, to.clone()));
        }
        if let Some(other) = self.issues.get_mut(to.as_str())
            && kind == LinkKind::Blocks
        {
            other.waits_for.remove(id);
        }
    }
}

/// A tag as it was typed, with `#`: so lines from before name it, and those that do not say otherwise.
pub fn tagged(tag: &str) -> Box<str> {
    if tag.starts_with('#') { tag.into() } else { format!("#{tag}").into() }
}

fn new(author: &AgentId, cause: &Why<'_>) -> Issue {
    Issue {
        label: Label { number: 0, twin: 0 },
        title: Box::default(),
        author: author.clone(),
        assignee: None,
        priority: super::status::IssuePriority::default(),
        tags: BTreeSet::default(),
        related: BTreeSet::default(),
        status: IssueStatus::Open,
        epistemic: EpistemicStatus::Draft,
        impact: None,
        opened_at: cause.at,
        updated_at: cause.at,
        touched_at: cause.at,
        text: cause.id,
        revisions: Vec::new(),
        voices: Vec::new(),
        thread: Vec::new(),
        epoch_from: 0,
        freezes: 0,
        freeze: None,
        links: BTreeSet::default(),
        waits_for: BTreeSet::default(),
        marks: Vec::new(),
        meta: None,
    }
}

impl Issue {
    fn evolve(&mut self, event: &Event, cause: &Why<'_>) {
        match event {
            Event::Edited(edited) => self.edited(edited, cause),
            Event::CommentAdded(added) => self.commented(added, cause),
            Event::EpistemicChanged(changed) => self.epistemic = changed.to,
            Event::Resolved(resolved) => self.resolved(resolved, cause),
            Event::Closed(_) => (self.status, self.freeze) = (IssueStatus::Closed, None),
            Event::Started(_) => self.status = IssueStatus::InProgress,
            Event::Frozen(frozen) => {
                self.freezes += 1;
                let (reason, until) = (frozen.reason.clone(), frozen.until);
                (self.status, self.freeze) = (IssueStatus::Frozen, Some(Freeze { at: cause.at, reason, until }));
            }
            Event::Thawed(_) => self.begin_epoch(),
            // No new epoch (decision 13): whoever closes and reopens gets no new comments by that.
            Event::Reopened(_) => self.status = IssueStatus::Open,
            Event::Unfrozen(_) => {
                self.begin_epoch();
                self.say(cause.actor, remark(cause.id, RemarkKind::Guidance, Stance::Neutral));
                self.epoch_from += 1;
            }
            Event::Marked(marked) => {
                let mark = Mark { entry: cause.id, by: cause.actor.clone(), usefulness: marked.usefulness };
                self.marks.push(mark);
                if marked.usefulness == Usefulness::Applied {
                    self.touched_at = cause.at;
                }
            }
            Event::OpinionRevealed(opinion) => {
                let text = remark(cause.id, RemarkKind::Opinion, opinion.stance);
                self.say(&opinion.agent, text);
            }
            Event::Opened(_)
            | Event::Raised(_)
            | Event::TurnedAway(_)
            | Event::TextRefused(_)
            | Event::Refuted(_)
            | Event::Linked(_)
            | Event::Unlinked(_)
            | Event::WasRead(_) => {}
        }
    }

    fn edited(&mut self, edited: &Edited, cause: &Why<'_>) {
        let Some(Command::Edit(edit)) = cause.command() else { return };
        self.revised(edited, cause);
        if let Some(title) = &edit.title {
            self.title.clone_from(title);
        }
        if edit.body.is_some() {
            self.text = cause.id;
        }
        if let Some(assignee) = &edit.assignee {
            self.assignee = Some(assignee.clone()).filter(|agent| !agent.as_str().is_empty());
        }
        self.priority = edit.priority.unwrap_or(self.priority);
        self.tags = edited.tags.clone().unwrap_or_else(|| self.retagged(edit));
    }

    /// The tags that it has after an edit, as they are typed.
    pub(crate) fn retagged(&self, edit: &Edit) -> BTreeSet<Box<str>> {
        let gone: BTreeSet<_> = edit.untag.iter().map(|tag| tagged(tag)).collect();
        let all = self.tags.iter().cloned().chain(edit.tags.iter().map(|tag| tagged(tag)));
        all.filter(|tag| !gone.contains(tag)).collect()
    }

    /// Keeps what its words were.
    fn revised(&mut self, edited: &Edited, cause: &Why<'_>) {
        if edited.words.is_empty() {
            return;
        }
        let is = |part: IssuePart| edited.words.contains(&part);
        let title_was = is(IssuePart::Title).then(|| self.title.clone());
        let text_was = is(IssuePart::Text).then_some(self.text);
        self.revisions.push(Revision { entry: cause.id, by: cause.actor.clone(), title_was, text_was });
    }

    fn commented(&mut self, added: &CommentAdded, cause: &Why<'_>) {
        let Some((Command::Comment(comment), observed)) = cause.asked else { return };
        let cited = cited(&comment.evidence, added.grounds);
        let text = remark(cause.id, RemarkKind::Comment, comment.stance);
        self.say(cause.actor, ThreadRemark { impact: comment.impact, cited, ..text });
        self.impact = self.impact.max(comment.impact);
        self.touched(observed, cause);
    }

    fn resolved(&mut self, resolved: &Resolved, cause: &Why<'_>) {
        (self.status, self.freeze) = (IssueStatus::Resolved, None);
        if let Some((Command::Resolve(resolve), observed)) = cause.asked {
            let cited = cited(&resolve.evidence, resolved.grounds);
            let text = remark(cause.id, RemarkKind::Resolution, Stance::Neutral);
            self.say(cause.actor, ThreadRemark { cited, ..text });
            self.touched(observed, cause);
        }
    }

    /// A file that is there ties the issue to the project (improvement A).
    fn touched(&mut self, observed: &Observed, cause: &Why<'_>) {
        if observed.evidence.iter().any(annals_kernel::grounding::Checked::is_verified) {
            self.touched_at = cause.at;
        }
    }
}

fn remark(id: EntryId, kind: RemarkKind, stance: Stance) -> ThreadRemark {
    ThreadRemark { id, voice: 0, kind, stance, impact: None, cited: (0, 0) }
}

/// How much of what a text cites counts: what the event says, or, in lines from before, all of it.
fn cited(evidence: &Evidence, grounds: Option<Grounds>) -> (u16, u16) {
    grounds.map_or_else(|| count_of(evidence), |grounds| (grounds.files, grounds.others))
}
