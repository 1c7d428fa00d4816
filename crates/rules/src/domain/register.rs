//! All rooms together: one state, one command, one event.
//!
//! Does not fold and does not order; `world` does.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::asking::{Ask, Asking, BadObservation};
use super::join::join;
use super::{
    access, advocate, blind, breaker, canon, cognition, config, council, credit, dialectic, erasure, history, hivemind,
    issue, knowledge, memory, milestone, moderation, notice, reliability, roster, session, signature, team, topic,
    usage,
};
use annals_kernel::call::Call;
use annals_kernel::decision::{Cause, Moment, Outcome, Refusal};
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::json::Json;
use annals_kernel::report::Report;
use annals_kernel::rows::{self, Lent, Table};
use annals_kernel::settings::AnySetting;
use annals_kernel::time::Timestamp;
use annals_kernel::wire::{BadWire, WireDoc};

/// Every setting that a room reads.
pub static SETTINGS: LazyLock<Vec<&'static dyn AnySetting>> = LazyLock::new(|| {
    let own: &[&[&dyn AnySetting]] = &[
        access::SETTINGS,
        advocate::SETTINGS,
        blind::SETTINGS,
        breaker::LIMITS,
        canon::SETTINGS,
        cognition::SETTINGS,
        credit::SETTINGS,
        dialectic::SETTINGS,
        issue::SETTINGS,
        memory::SETTINGS,
        knowledge::SETTINGS,
        moderation::SETTINGS,
        reliability::SETTINGS,
        roster::SETTINGS,
        team::SETTINGS,
        topic::SETTINGS,
        hivemind::SETTINGS,
        council::SETTINGS,
    ];
    own.concat()
});

/// The states of all rooms.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Rooms {
    /// Sessions.
    pub session: session::State,
    /// Who may write where.
    pub access: access::State,
    /// Tokens and money.
    pub usage: usage::State,
    /// Configuration in force.
    pub config: config::State,
    /// What was taken out of the history.
    pub erasure: erasure::State,
    /// What was decided about the log itself.
    pub history: history::State,
    /// The agents of the swarm.
    pub roster: roster::State,
    /// Issues.
    pub issue: issue::State,
    /// Circuit breakers.
    pub breaker: breaker::State,
    /// Canon.
    pub canon: canon::State,
    /// Sessions, chapters and acts of the work.
    pub milestone: milestone::State,
    /// Credits of agents.
    pub credit: credit::State,
    /// How reliable agents are.
    pub reliability: reliability::State,
    /// Credits of the team.
    pub team: team::State,
    /// Notices.
    pub notice: notice::State,
    /// Dissent.
    pub advocate: advocate::State,
    /// Blind passes.
    pub blind: blind::State,
    /// Topics.
    pub topic: topic::State,
    /// What the moderator has set.
    pub moderation: moderation::State,
    /// The minds of sessions.
    pub cognition: cognition::State,
    /// Debates, and what failed before them.
    pub dialectic: dialectic::State,
    /// What was learnt.
    pub hivemind: hivemind::State,
    /// What was learnt by doing.
    pub memory: memory::State,
    /// Councils.
    pub council: council::State,
    /// What was learnt.
    pub knowledge: knowledge::State,
    /// Signed heads.
    pub signature: signature::State,
}

/// What the rooms know beside the rows of their tables: small, and always in memory.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Heads {
    session: session::state::Totals,
    access: access::State,
    usage: usage::Totals,
    config: config::State,
    erasure: erasure::State,
    history: history::State,
    roster: roster::State,
    issue: issue::state::Totals,
    breaker: breaker::state::Totals,
    canon: canon::state::Totals,
    milestone: milestone::state::Open,
    credit: credit::state::Totals,
    reliability: reliability::State,
    team: team::state::Totals,
    notice: notice::Totals,
    topic: topic::Totals,
    moderation: moderation::State,
    dialectic: dialectic::state::Totals,
    hivemind: hivemind::state::Totals,
    memory: memory::state::Totals,
    council: council::state::Totals,
    knowledge: knowledge::state::Totals,
}

impl Rooms {
    /// What is always in memory.
    pub fn heads(&self) -> Heads {
        Heads {
            session: self.session.totals.clone(),
            access: self.access.clone(),
            usage: self.usage.totals.clone(),
            config: self.config.clone(),
            erasure: self.erasure.clone(),
            history: self.history.clone(),
            roster: self.roster.clone(),
            issue: self.issue.totals.clone(),
            breaker: self.breaker.totals.clone(),
            canon: self.canon.totals.clone(),
            milestone: self.milestone.open.clone(),
            credit: self.credit.totals.clone(),
            reliability: self.reliability.clone(),
            team: self.team.totals.clone(),
            notice: self.notice.totals.clone(),
            topic: self.topic.totals.clone(),
            moderation: self.moderation.clone(),
            dialectic: self.dialectic.totals.clone(),
            hivemind: self.hivemind.totals.clone(),
            memory: self.memory.totals.clone(),
            council: self.council.totals.clone(),
            knowledge: self.knowledge.totals.clone(),
        }
    }

    /// Rooms of whose tables nothing is in memory yet.
    pub fn from_heads(heads: Heads) -> Self {
        Self {
            session: session::State::absent(heads.session),
            access: heads.access,
            usage: usage::State { totals: heads.usage, sessions: rows::Rows::absent() },
            config: heads.config,
            erasure: heads.erasure,
            history: heads.history,
            roster: heads.roster,
            issue: issue::State::absent(heads.issue),
            breaker: breaker::State::absent(heads.breaker),
            canon: canon::State::absent(heads.canon),
            milestone: milestone::State::absent(heads.milestone),
            credit: credit::State::absent(heads.credit),
            reliability: heads.reliability,
            team: team::State::absent(heads.team),
            notice: notice::State::absent(heads.notice),
            advocate: advocate::State::absent(),
            blind: blind::State::absent(),
            topic: topic::State::absent(heads.topic),
            moderation: heads.moderation,
            cognition: cognition::State::absent(),
            dialectic: dialectic::State::absent(heads.dialectic),
            hivemind: hivemind::State::absent(heads.hivemind),
            memory: memory::State::absent(heads.memory),
            council: council::State::absent(heads.council),
            knowledge: knowledge::State::absent(heads.knowledge),
            signature: signature::State::absent(),
        }
    }
}

/// Lists the tables, once.
macro_rules! tables {
    ($( $name:literal = $room:ident.$table:ident, )*) => {
        impl Rooms {
            /// The tables, by name.
            pub fn tables(&self) -> Vec<(&'static str, &dyn Table)> {
                vec![$( ($name, &self.$room.$table as &dyn Table), )*]
            }

            /// The tables, by name, to be changed.
            pub fn tables_mut(&mut self) -> Vec<(&'static str, &mut dyn Table)> {
                vec![$( ($name, &mut self.$room.$table as &mut dyn Table), )*]
            }

            /// Rooms that know what these know, and of their tables only the rows that they turn out to need.
            #[must_use]
            pub fn sketch(&self) -> Self {
                Self::from_heads(self.heads())
            }

            /// Brings what a run on a copy of these rooms asked for and did not find from the rooms that have it.
            pub fn bring_asked(&mut self, run: &Self, whole: &Self) -> Lent {
                let mut lent = Lent::Nothing;
                $( if self.$room.$table.bring_asked(&run.$room.$table.take_notes(), &whole.$room.$table) == Lent::Rows {
                    lent = Lent::Rows;
                } )*
                lent
            }
        }
    };
}

tables! {
    "session.sessions" = session.sessions,
    "session.reports" = session.reports,
    "usage.sessions" = usage.sessions,
    "issue.issues" = issue.issues,
    "issue.numbers" = issue.numbers,
    "issue.sources" = issue.sources,
    "breaker.threads" = breaker.threads,
    "canon.entries" = canon.entries,
    "canon.facts" = canon.facts,
    "canon.catches" = canon.catches,
    "milestone.milestones" = milestone.milestones,
    "credit.ledgers" = credit.ledgers,
    "credit.ended" = credit.ended,
    "team.achievements" = team.achievements,
    "notice.notices" = notice.notices,
    "advocate.challenges" = advocate.challenges,
    "advocate.duties" = advocate.duties,
    "blind.passes" = blind.passes,
    "blind.asked" = blind.asked,
    "topic.tags" = topic.tags,
    "cognition.minds" = cognition.minds,
    "dialectic.tasks" = dialectic.tasks,
    "dialectic.debates" = dialectic.debates,
    "dialectic.trails" = dialectic.trails,
    "hivemind.entries" = hivemind.entries,
    "hivemind.expiring" = hivemind.expiring,
    "memory.pairs" = memory.pairs,
    "memory.traces" = memory.traces,
    "memory.megrams" = memory.megrams,
    "council.sessions" = council.sessions,
    "council.running" = council.running,
    "knowledge.entries" = knowledge.entries,
    "knowledge.clocks" = knowledge.clocks,
    "knowledge.words" = knowledge.words,
    "knowledge.entities" = knowledge.entities,
    "knowledge.texts" = knowledge.texts,
    "knowledge.candidates" = knowledge.candidates,
    "signature.heads" = signature.heads,
}

impl Command {
    /// What it would bring into the thread of an issue; nothing where it says nothing there.
    pub fn said(&self) -> Option<issue::Said<'_>> {
        let Self::Issue(command) = self else { return None };
        command.said()
    }
}

/// What was decided, in any room.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decided {
    /// What happened.
    pub events: Vec<Event>,
    /// Why what was asked did not.
    pub refusal: Option<Refusal>,
}

join! {
    /// Sessions.
    Session(session),
    /// Who may write where.
    Access(access),
    /// Configuration.
    Config(config),
    /// What was taken out of the history.
    Erasure(erasure),
    /// What counts of the log itself.
    History(history),
    /// The agents of the swarm.
    Roster(roster),
    /// Issues.
    Issue(issue),
    /// Canon.
    Canon(canon),
    /// Sessions, chapters and acts of the work.
    Milestone(milestone),
    /// Credits of agents.
    Credit(credit),
    /// Notices.
    Notice(notice),
    /// Dissent.
    Advocate(advocate),
    /// Blind passes.
    Blind(blind),
    /// What the moderator does.
    Moderation(moderation),
    /// The minds of sessions.
    Cognition(cognition),
    /// Debates, and what failed before them.
    Dialectic(dialectic),
    /// What was learnt.
    Hivemind(hivemind),
    /// What was learnt by doing.
    Memory(memory),
    /// Councils.
    Council(council),
    /// What was learnt.
    Knowledge(knowledge),
    /// Signed heads.
    Signature(signature),
    ;
    /// Circuit breakers.
    Breaker(breaker),
    /// How reliable agents are.
    Reliability(reliability),
    /// Credits of the team.
    Team(team),
    /// Topics.
    Topic(topic),
}

/// What the rooms read in an entry without knowing what came before: the costly part, for whatever thread has time.
#[derive(Debug, Default)]
pub struct Heard {
    call: Option<Call<'static>>,
    task: Option<Box<dialectic::Heard>>,
}

impl Heard {
    /// Reads an entry.
    pub fn of(entry: &Envelope<'_>) -> Self {
        let call = Call::in_envelope(entry);
        let task = dialectic::Heard::of(entry, call.as_ref());
        Self { call: call.map(Call::into_owned), task: task.map(Box::new) }
    }

    /// Whether there is nothing in it.
    pub fn is_nothing(&self) -> bool {
        self.call.is_none() && self.task.is_none()
    }
}

impl Rooms {
    /// The tables of the rooms that take in what was heard: minds, tasks, debates. Nothing else in the fold asks for them.
    pub const MINDS: [&str; 4] = ["cognition.minds", "dialectic.tasks", "dialectic.debates", "dialectic.trails"];

    /// Leaves of these rooms nothing in memory, so that whoever asks for a row of theirs is heard.
    pub fn forget_minds(&mut self) {
        self.cognition = cognition::State::absent();
        self.dialectic = dialectic::State::absent(dialectic::state::Totals::default());
    }

    /// Takes in one entry, whoever wrote it, the files that its call changed, and what it reports of another tool's
    /// session; says whether that is new. Tokens are told once, whatever they stand beside.
    pub fn observe(&mut self, entry: &Envelope<'_>, written: &[Box<str>], report: Option<Report>) -> session::Told {
        self.usage.observe(entry);
        self.session.observe(entry, written, report)
    }

    /// Takes in what was heard in an entry.
    pub fn think(&mut self, entry: &Envelope<'_>, heard: &Heard) {
        let (call, settings) = (heard.call.as_ref(), &self.config.settings);
        self.cognition.observe(entry, call, settings);
        self.dialectic.observe(entry, call, heard.task.as_deref(), settings);
    }
}
