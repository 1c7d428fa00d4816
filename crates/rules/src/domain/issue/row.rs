//! One issue: what the rules need of it, and in which entries its texts stand.

use std::collections::BTreeSet;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::meta::{META_TAG, Meta};
use super::number::Label;
use super::status::{EpistemicStatus, IssuePriority, IssueStatus, LinkKind, Usefulness};
use annals_kernel::actor::USER;
use annals_kernel::grounding::{Evidence, Impact, Stance, words};
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::rows::Ranked;
use annals_kernel::time::Timestamp;

words! {
    /// What kind of text stands in a thread.
    pub enum RemarkKind {
        /// A comment.
        Comment = "comment",
        /// The text that resolved the issue.
        Resolution = "resolution",
        /// What was said when it was unfrozen.
        Guidance = "guidance",
        /// An opinion of a blind pass, shown when the pass opened.
        Opinion = "opinion",
    }
}

/// A text in a thread. Its words stand in its entry.
#[sparse]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadRemark {
    /// The entry.
    pub id: EntryId,
    /// Who: a place in `voices`.
    pub voice: u32,
    /// What kind.
    pub kind: RemarkKind,
    /// For, against, or neither.
    pub stance: Stance,
    /// How much it would change.
    pub impact: Option<Impact>,
    /// How many files it cites, and how many issues and entries of canon, as far as they are evidence.
    #[sparse]
    pub cited: (u16, u16),
}

/// How many files, and how many issues and entries of canon, are cited.
pub fn count_of(evidence: &Evidence) -> (u16, u16) {
    let count = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
    (count(evidence.files.len()), count(evidence.issues.len() + evidence.canon.len()))
}

/// A freeze that goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Freeze {
    /// Since when.
    pub at: Timestamp,
    /// The rule, or the reason that somebody gave.
    pub reason: Box<str>,
    /// From when on anyone may act again.
    pub until: Timestamp,
}

/// Something that was said about the use of an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Mark {
    /// In which entry.
    pub entry: EntryId,
    /// By whom.
    pub by: AgentId,
    /// Applied or irrelevant.
    pub usefulness: Usefulness,
}

/// A change of title or text.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// In which entry.
    pub entry: EntryId,
    /// By whom.
    pub by: AgentId,
    /// The title before, where it is another now.
    pub title_was: Option<Box<str>>,
    /// The entry with the text before, where it is another now.
    pub text_was: Option<EntryId>,
}

/// One issue.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// What people call it.
    #[serde(flatten)]
    pub label: Label,
    /// A line.
    pub title: Box<str>,
    /// Who opened it.
    pub author: AgentId,
    /// Who is to take care of it.
    pub assignee: Option<AgentId>,
    /// How much it matters.
    pub priority: IssuePriority,
    /// Tags, with `#`.
    pub tags: BTreeSet<Box<str>>,
    /// Issues that it has to do with.
    pub related: BTreeSet<IssueId>,
    /// Where it is in its life.
    pub status: IssueStatus,
    /// How well founded it is.
    pub epistemic: EpistemicStatus,
    /// How much the proposal would change.
    pub impact: Option<Impact>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When something happened to it last.
    pub updated_at: Timestamp,
    /// When it last touched the real project: it was applied, or cited a file that was there.
    pub touched_at: Timestamp,
    /// The entry in which its text stands.
    pub text: EntryId,
    /// Changes of title and text, the latest last.
    pub revisions: Vec<Revision>,
    /// Who spoke, in the order of their first words.
    pub voices: Vec<AgentId>,
    /// What was said.
    pub thread: Vec<ThreadRemark>,
    /// Where in the thread the present epoch begins (decision 13).
    #[serde(default)]
    pub epoch_from: u32,
    /// How often it was frozen.
    #[serde(default)]
    pub freezes: u32,
    /// The freeze that goes on.
    pub freeze: Option<Freeze>,
    /// How it depends on others.
    pub links: BTreeSet<(LinkKind, IssueId)>,
    /// Issues that it waits for, whether they have ended or not.
    pub waits_for: BTreeSet<IssueId>,
    /// What was said about its use.
    pub marks: Vec<Mark>,
    /// What it is about, where a rule opened it.
    pub meta: Option<Meta>,
}

impl Ranked for Issue {
    /// Those that go on first, then the important, then the latest.
    fn rank(&self) -> i64 {
        const MILLIS_BITS: u32 = 44;
        let goes_on = i64::from(!self.status.has_ended());
        let priority = self.priority as i64;
        let millis = self.updated_at.millis().clamp(0, (1 << MILLIS_BITS) - 1);
        (goes_on << 3 | priority) << MILLIS_BITS | millis
    }
}

/// A freeze from this one on is ended by user, moderator or team lead alone (decision 13).
const LAST_OWN_THAW: u32 = 3;

impl Issue {
    /// Who said something.
    pub fn author_of(&self, remark: &ThreadRemark) -> &AgentId {
        &self.voices[remark.voice as usize]
    }

    /// What was said since the last thaw or unfreezing: budgets and ping-pong count from there (decision 13).
    pub fn epoch(&self) -> &[ThreadRemark] {
        self.thread.get(self.epoch_from as usize..).unwrap_or_default()
    }

    /// Whether an agent opened it, and nobody else said anything there, marked it or changed its words.
    pub(crate) fn is_made_alone_by(&self, agent: &AgentId) -> bool {
        // To give a claim its evidence an agent could otherwise open an issue and cite it.
        let others = self.marks.iter().map(|mark| &mark.by).chain(self.revisions.iter().map(|revision| &revision.by));
        self.author == *agent && self.voices.iter().chain(others).all(|other| other == agent)
    }

    /// Whether it is about the swarm itself: a rule opened it, and said so.
    pub fn is_meta(&self) -> bool {
        self.meta.is_some() && self.tags.contains(META_TAG)
    }

    /// Whether a freeze is over by its time, so that the next action thaws it.
    pub fn is_thawing(&self, now: Timestamp) -> bool {
        let is_over = self.freeze.as_ref().is_some_and(|freeze| now > freeze.until);
        is_over && self.freezes < LAST_OWN_THAW
    }

    /// Those other than the author who support it now, and whether anybody opposes it now: the last word counts. Support
    /// is for the words that it had: it ends with their change, and opposition does not.
    pub(crate) fn voters(&self) -> (BTreeSet<&AgentId>, BTreeSet<&AgentId>) {
        let (mut support, mut oppose) = (BTreeSet::new(), BTreeSet::new());
        let revised = self.revisions.last().map(|revision| revision.entry);
        for remark in &self.thread {
            let who = self.author_of(remark);
            match remark.stance {
                Stance::Support => {
                    oppose.remove(who);
                    if revised.is_none_or(|revised| remark.id > revised) {
                        support.insert(who);
                    }
                }
                Stance::Oppose => {
                    support.remove(who);
                    oppose.insert(who);
                }
                Stance::Neutral => {}
            }
        }
        support.remove(&self.author);
        (support, oppose)
    }

    /// The epistemic status that its supporters give it (control-room 6.1).
    pub fn founded(&self) -> EpistemicStatus {
        let (support, oppose) = self.voters();
        match (support.len(), oppose.is_empty()) {
            (0, _) => EpistemicStatus::Draft,
            (1, _) | (_, false) => EpistemicStatus::Tentative,
            (_, true) => EpistemicStatus::Agreed,
        }
    }

    /// From what to what the word of one more brings it (control-room 6.1): never to canon and never from it. What is
    /// agreed falls by an opposition, but for what a rule opened.
    pub fn moved(&self, actor: &AgentId, stance: Stance) -> Option<(EpistemicStatus, EpistemicStatus)> {
        let (from, mut with) = (self.epistemic, self.clone());
        let kind = RemarkKind::Comment;
        with.say(actor, ThreadRemark { id: EntryId::MAX, voice: 0, kind, stance, impact: None, cited: (0, 0) });
        let to = with.founded();
        let falls = from == EpistemicStatus::Agreed && stance == Stance::Oppose && !self.is_meta();
        match () {
            () if falls => Some((from, EpistemicStatus::Tentative)),
            () => (to > from && from < EpistemicStatus::Agreed).then_some((from, to)),
        }
    }

    /// Whether so many oppose it as support it, or the user does: then no agent decides it for itself.
    pub fn is_contested(&self) -> bool {
        let (support, oppose) = self.voters();
        let is_users = oppose.iter().any(|who| who.as_str() == USER);
        !self.is_meta() && !oppose.is_empty() && (is_users || oppose.len() >= support.len())
    }

    pub(super) fn say(&mut self, who: &AgentId, remark: ThreadRemark) {
        let place = self.voices.iter().position(|voice| voice == who).unwrap_or_else(|| {
            self.voices.push(who.clone());
            self.voices.len() - 1
        });
        let voice = u32::try_from(place).expect("BUG: more than 4 billion voices");
        self.thread.push(ThreadRemark { voice, ..remark });
    }

    pub(super) fn begin_epoch(&mut self) {
        self.freeze = None;
        self.status = IssueStatus::Open;
        self.epoch_from = u32::try_from(self.thread.len()).expect("BUG: more than 4 billion comments");
    }
}
