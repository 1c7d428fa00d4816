//! Notices: what somebody should hear of, stored until it is acknowledged (control-room 9.1, 12.2).
//!
//! Owns `notices.*`. Does not decide what is worth a notice; policies do. Sends nothing anywhere.

mod matter;

use std::collections::BTreeMap;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::refusal::refusal;
use annals_kernel::rows::{Ranked, Rows};
use annals_kernel::time::Timestamp;
use annals_kernel::wire::wire;

pub use self::matter::{CouncilRequest, Matter};

wire! {
    /// What can be asked of notices.
    pub enum Command {
        /// Say that one was heard.
        Acknowledge = "notices.notice.acknowledge" {
            /// Which.
            notice: Box<str>,
        },
    }
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}

words! {
    /// How much a notice matters, the least first.
    pub enum NoticeLevel {
        /// Good to know.
        Info = "info",
        /// Somebody should look at it.
        Warning = "warning",
        /// Somebody must decide.
        Critical = "critical",
    }
}

wire! {
    /// What happened to notices.
    pub enum Event {
        /// There is one.
        Posted = "notices.notice.posted" derive(Eq) {
            /// For whom: an agent, or `user`.
            to: AgentId,
            /// How much it matters.
            level: NoticeLevel,
            /// What it says.
            matter: Option<Matter>,
            /// A line: only in entries from before edges made it of the matter.
            #[sparse]
            title: Box<str>,
            /// More of it: as the title.
            #[sparse]
            body: Box<str>,
            /// The issue that it is about.
            about: Option<IssueId>,
        },
        /// It was heard.
        Acknowledged = "notices.notice.acknowledged" {
            /// Which.
            notice: Box<str>,
        },
    }
}

/// One notice.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Notice {
    /// What was posted.
    #[serde(flatten)]
    pub posted: Posted,
    /// When.
    pub at: Timestamp,
    /// Who heard it, and when.
    pub heard: Option<(AgentId, Timestamp)>,
}

impl Ranked for Notice {
    /// Those that wait first, the latest first.
    fn rank(&self) -> i64 {
        // As many bits as the time of an id has.
        const MILLIS_BITS: u32 = 48;
        let waits = i64::from(self.heard.is_none());
        waits << MILLIS_BITS | self.at.millis().clamp(0, (1 << MILLIS_BITS) - 1)
    }
}

/// Counts of notices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// How many wait, by whom they are for.
    pub waiting: BTreeMap<AgentId, u64>,
}

/// All notices.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Counts.
    pub totals: Totals,
    /// By the id of the entry that posted it, with `.1`, `.2`, … where it posted several.
    pub notices: Rows<Box<str>, Notice>,
}

impl State {
    /// A notice by its id.
    pub fn notice(&self, id: &str) -> Option<&Notice> {
        self.notices.get(id)
    }

    fn next_id(&self, entry: EntryId) -> Box<str> {
        let mut ids = (0_usize..).map(|count| IssueId::of(entry, count));
        let free = ids.find(|id| self.notice(id.as_str()).is_none());
        free.expect("BUG: a decision posted every notice there can be").as_str().into()
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        match event {
            Event::Posted(posted) => {
                let id = self.next_id(cause.id);
                *self.totals.waiting.entry(posted.to.clone()).or_default() += 1;
                self.notices.entry(&id, || Notice { posted: posted.clone(), at: cause.at, heard: None });
            }
            Event::Acknowledged(acknowledged) => self.acknowledged(&acknowledged.notice, cause),
        }
    }

    fn acknowledged(&mut self, id: &str, cause: &Cause<'_, Command, Observed>) {
        let Some(notice) = self.notices.get_mut(id).filter(|notice| notice.heard.is_none()) else { return };
        notice.heard = Some((cause.actor.clone(), cause.at));
        if let Some(waiting) = self.totals.waiting.get_mut(&notice.posted.to) {
            *waiting = waiting.saturating_sub(1);
        }
        self.totals.waiting.retain(|_, waiting| *waiting > 0);
    }
}

refusal! {
    /// Why a notice stays as it is.
    pub enum Refusal {
        /// There is no such notice.
        UnknownNotice = "notices.unknown_notice" { notice: Box<str> },
        /// It is for somebody else.
        NotForYou = "notices.not_for_you" { notice: Box<str>, to: AgentId, actor: AgentId },
        /// It was heard before.
        Heard = "notices.heard" { notice: Box<str>, by: AgentId },
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, _: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    let Command::Acknowledge(Acknowledge { notice: id }) = command;
    let (notice, actor) = (id.clone(), moment.actor.clone());
    let Some(found) = state.notice(id) else { return Outcome::refused(Refusal::UnknownNotice { notice }) };
    let to = found.posted.to.clone();
    if to != actor && !moment.standing.is_lead() {
        return Outcome::refused(Refusal::NotForYou { notice, to, actor });
    }
    match &found.heard {
        Some((by, _)) => Outcome::refused(Refusal::Heard { notice, by: by.clone() }),
        None => Outcome::of(Acknowledged { notice }),
    }
}
