//! All rooms together: one state, one command, one event.
//!
//! Does not fold and does not order; `world` does.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use super::asking::{Ask, Asking, BadObservation};
use super::rooms::rooms;
use super::{
    access, advocate, blind, breaker, canon, cognition, config, council, credit, dialectic, erasure, history, hivemind,
    issue, knowledge, memory, milestone, moderation, notice, reliability, resident, roster, session, signature, task,
    team, topic, usage, voice,
};
use annals_kernel::call::Finished;
use annals_kernel::decision::{Cause, Moment, Outcome, Refusal};
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::json::Json;
use annals_kernel::refusal::RuleDoc;
use annals_kernel::report::Report;
use annals_kernel::rows::{Rows, Store, Table};
use annals_kernel::settings::AnySetting;
use annals_kernel::time::Timestamp;
use annals_kernel::wire::{BadWire, WireDoc};

rooms! {
    /// Sessions.
    session { asks Session by Anybody; keeps totals: session::Totals; tables sessions, reports; }
    /// Who may write where.
    access { asks Access by Anybody; keeps: access::State; settings access::policy::SETTINGS; }
    /// Tokens and money.
    usage { keeps totals: usage::Totals; tables sessions; }
    /// Configuration in force.
    config { asks Config by Anybody; keeps: config::State; }
    /// What was taken out of the history.
    erasure { asks Erasure by Anybody; keeps: erasure::State; }
    /// What was decided about the log itself.
    history { asks History by Anybody; keeps: history::State; }
    /// The agents of the swarm.
    roster { asks Roster by Anybody; keeps: roster::State; settings roster::health::SETTINGS; }
    /// Issues.
    issue { asks Issue by Member; keeps totals: issue::Totals; tables issues, numbers, sources; settings issue::decide::SETTINGS, issue::decay::SETTINGS; }
    /// Circuit breakers.
    breaker { tells Breaker; keeps totals: breaker::Totals; tables threads; settings breaker::limits::SETTINGS; }
    /// Canon.
    canon { asks Canon by Member; keeps totals: canon::Totals; tables entries, facts, catches; settings canon::decide::SETTINGS; }
    /// Sessions, chapters and acts of the work.
    milestone { asks Milestone by Member; keeps open: milestone::OpenMilestones; tables milestones; }
    /// Credits of agents.
    credit { asks Credit by Member; keeps totals: credit::Totals; tables ledgers, ended; settings credit::formula::SETTINGS, credit::reason::SETTINGS, credit::profile::SETTINGS, credit::decide::SETTINGS, credit::goal::SETTINGS; }
    /// How reliable agents are.
    reliability { tells Reliability; keeps: reliability::State; settings reliability::ladder::SETTINGS, reliability::record::SETTINGS; }
    /// Credits of the team.
    team { tells Team; keeps totals: team::Totals; tables achievements; settings team::SETTINGS; }
    /// Notices.
    notice { asks Notice by Member; keeps totals: notice::Totals; tables notices; }
    /// Dissent.
    advocate { asks Advocate by Member; tables challenges, duties; settings advocate::trigger::SETTINGS, advocate::decide::SETTINGS, advocate::state::SETTINGS; }
    /// Blind passes.
    blind { asks Blind by Member; tables passes, asked; settings blind::SETTINGS; }
    /// Topics.
    topic { tells Topic; keeps totals: topic::Totals; tables tags; settings topic::SETTINGS; }
    /// What the moderator does.
    moderation { asks Moderation by Member; keeps: moderation::State; settings moderation::SETTINGS, moderation::report::SETTINGS; }
    /// The minds of sessions.
    cognition { asks Cognition by Anybody; tables minds; settings cognition::limits::SETTINGS, cognition::goal::SETTINGS, cognition::snapshot::SETTINGS; }
    /// Debates, and what failed before them.
    dialectic {
        asks Dialectic by Anybody; keeps totals: dialectic::Totals; tables tasks, debates, trails, ends; settings dialectic::limits::SETTINGS;
    }
    /// What the swarm believes.
    hivemind { asks Hivemind by Member; keeps totals: hivemind::Totals; tables entries, expiring; settings hivemind::settings::SETTINGS; }
    /// What was learnt by doing.
    memory { asks Memory by Anybody; keeps totals: memory::Totals; tables pairs, traces, megrams; settings memory::quantum::SETTINGS; }
    /// Councils.
    council { asks Council by Member; keeps totals: council::Totals; tables sessions, running; settings council::settings::SETTINGS; }
    /// What was learnt.
    knowledge {
        asks Knowledge by Member; keeps totals: knowledge::Totals;
        tables entries, clocks, words, entities, texts, candidates; settings knowledge::settings::SETTINGS;
    }
    /// What agents were told.
    voice { asks Voice by Anybody; keeps totals: voice::Totals; tables sessions; settings voice::settings::SETTINGS; }
    /// Tasks of the control loop.
    task { asks Task by Anybody; keeps totals: task::Totals; tables tasks; settings task::settings::SETTINGS; }
    /// Resident agents, and the messages to them.
    resident { asks Resident by Anybody; keeps totals: resident::Totals; tables agents, messages; settings resident::settings::SETTINGS; }
    /// Signed heads.
    signature { asks Signature by Anybody; tables heads; }
}

impl Rooms {
    /// Tries something out: whatever it changes is taken back, also where it panics.
    pub(crate) fn try_out<T>(&mut self, attempt: impl FnOnce(&mut Self) -> T) -> T {
        let trial = Trial::begin(self);
        attempt(&mut *trial.rooms)
    }
}

/// Changes that are taken back in the end.
struct Trial<'r> {
    rooms: &'r mut Rooms,
    heads: Heads,
    aside: cognition::Aside,
}

impl<'r> Trial<'r> {
    fn begin(rooms: &'r mut Rooms) -> Self {
        for (_, table) in rooms.tables_mut() {
            table.begin_trial();
        }
        let (heads, aside) = (rooms.heads(), rooms.cognition.take_aside());
        Self { rooms, heads, aside }
    }
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        for (_, table) in self.rooms.tables_mut() {
            table.end_trial();
        }
        self.rooms.set_heads(std::mem::take(&mut self.heads));
        self.rooms.cognition.put_aside(std::mem::take(&mut self.aside));
    }
}

/// Who may give a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// A member of the swarm: it is about what is the swarm's.
    Member,
    /// Any agent. The solver is a part of the machine, no member of the swarm; memory itself turns strangers away. An agent
    /// that argues, or says what it thinks, may be a sub-agent of one program: it needs no place in the swarm.
    Anybody,
}

impl Command {
    /// What it would bring into the thread of an issue; nothing where it says nothing there.
    pub fn said(&self) -> Option<issue::ThreadText<'_>> {
        let Self::Issue(command) = self else { return None };
        command.said()
    }
}

/// What was decided, in any room.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RoomsDecided {
    /// What happened.
    pub events: Vec<Event>,
    /// Why what was asked did not.
    pub refusal: Option<Refusal>,
}

/// What the rooms read in an entry without knowing what came before: the costly part, for whatever thread has time.
#[derive(Debug, Default)]
pub struct HeardEntry {
    call: Option<Finished<'static>>,
    task: Option<Box<dialectic::HeardTask>>,
}

impl HeardEntry {
    /// Reads an entry.
    pub fn of(entry: &Envelope<'_>) -> Self {
        let call = Finished::in_envelope(entry);
        let task = dialectic::HeardTask::of(entry, call.as_ref());
        Self { call: call.map(Finished::into_owned), task: task.map(Box::new) }
    }

    /// The files that its call changed.
    pub fn written(&self) -> &[Box<str>] {
        self.call.as_ref().map_or(&[], |finished| &finished.written)
    }

    /// Whether there is nothing in it.
    pub fn is_nothing(&self) -> bool {
        self.call.is_none() && self.task.is_none()
    }
}

impl Rooms {
    /// Leaves nothing in memory of the rooms that take in what was heard: minds, tasks, debates. Nothing else in the fold asks
    /// for their rows; whoever does asks the store.
    pub fn leave_minds_to(&mut self, store: &Arc<dyn Store>) {
        let absent = Self::above(Heads::default(), store);
        (self.cognition, self.dialectic) = (absent.cognition, absent.dialectic);
    }

    /// Forgets what these rooms know.
    pub fn forget_minds(&mut self) {
        (self.cognition, self.dialectic) = Default::default();
    }

    /// Takes in one entry, whoever wrote it, the files that its call changed, and what it reports of another tool's
    /// session; says whether that is new. Tokens are told once, whatever they stand beside.
    pub fn observe(&mut self, entry: &Envelope<'_>, written: &[Box<str>], report: Option<Report>) -> session::Told {
        self.usage.observe(entry);
        self.session.observe(entry, written, report)
    }

    /// Takes in what was heard in an entry.
    pub fn think(&mut self, entry: &Envelope<'_>, heard: &HeardEntry) {
        let (call, settings) = (heard.call.as_ref(), &self.config.settings);
        self.cognition.observe(entry, call, settings);
        self.dialectic.observe(entry, call, heard.task.as_deref(), settings);
    }
}
