//! What recorded sessions teach: megrams and candidates of knowledge, decided as `system` (issue of every agent that comes
//! after).
//!
//! `analysis` finds them, the rooms keep each once. Asked at the end of a turn and behind an import, never by the fold. Reads
//! the history once, however many sessions there are, and holds only those that are not at their end.

use std::collections::{BTreeMap, BTreeSet};

use super::react::{by_the_rules, due};
use super::{Answer, Engine, EngineError};
use crate::query::filter::Filter;
use crate::withheld::excluded_file;
use annals_analysis::experience::{SessionEnd, experiences};
use annals_analysis::saying::sayings;
use annals_analysis::step::Record;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::{EntryId, NO_SESSION, SessionId};
use annals_kernel::joined::{in_reading_order, join};
use annals_log::read::Flow;
use annals_rules::domain::knowledge::MOST_GATHERED;
use annals_rules::domain::knowledge::command::{Gather, Propose};
use annals_rules::domain::knowledge::settings::EXTRACT_MAX_CHARS;
use annals_rules::domain::memory::command::{Dream, Experience, Learn};
use annals_rules::domain::memory::decide::MOST_LEARNT;
use annals_rules::domain::memory::{self, dream};
use annals_rules::domain::session::state::SessionStatus;
use annals_rules::domain::{Command, Event, knowledge};

/// So often the dreamer works when a session is over: nobody waits then, and the next end goes on.
const DREAMS_AT_AN_END: usize = 2;

/// What was learnt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Learnt {
    /// Sessions that were looked at.
    pub sessions: u64,
    /// Megrams that are new.
    pub megrams: u64,
    /// Candidates of knowledge that are new, or were seen once more.
    pub candidates: u64,
}

impl Learnt {
    fn add(&mut self, answer: &Answer) {
        let is_megram = |event: &&Event| matches!(event, Event::Memory(memory::Event::Written(_)));
        let is_candidate = |event: &&Event| matches!(event, Event::Knowledge(knowledge::Event::Proposed(_)));
        self.megrams += answer.events.iter().filter(is_megram).count() as u64;
        self.candidates += answer.events.iter().filter(is_candidate).count() as u64;
    }
}

/// What sessions teach, before it is kept.
#[derive(Debug, Clone, Default)]
struct Lessons {
    sessions: u64,
    experiences: Vec<Experience>,
    sayings: Vec<Propose>,
}

impl Lessons {
    fn add(&mut self, more: Self) {
        self.sessions += more.sessions;
        self.experiences.extend(more.experiences);
        self.sayings.extend(more.sayings);
    }
}

/// What is known of a session before its entries are read.
#[derive(Debug, Clone, Copy)]
struct SessionShape {
    first: EntryId,
    last: EntryId,
    end: SessionEnd,
    asker: Asker,
}

/// Who asks in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asker {
    Person,
    /// The agent of the session above: what it says is no person's word.
    Agent,
}

impl Engine {
    /// What a session that goes on teaches so far, from the ends of the newest segments.
    pub fn learn(&self, session: &SessionId) -> Result<Learnt, EngineError> {
        let Some(shape) = self.shape(session)? else { return Ok(Learnt::default()) };
        let mut lessons = Lessons::default();
        lessons.add(self.lessons(session, self.recent(session)?, shape));
        let learnt = self.keep_lessons(&lessons)?;
        if shape.end == SessionEnd::Ended {
            self.dream(DREAMS_AT_AN_END)?;
        }
        Ok(learnt)
    }

    /// What sessions teach that came from elsewhere, and are over.
    pub fn learn_all(&self, sessions: &BTreeSet<SessionId>) -> Result<Learnt, EngineError> {
        let mut lessons = Lessons::default();
        self.each_lesson(sessions, &mut |more| lessons.add(more))?;
        self.keep_lessons(&lessons)
    }

    /// Forgets, demotes and promotes what is due, in so many steps at most.
    pub fn dream(&self, most: usize) -> Result<usize, EngineError> {
        for done in 0..most {
            let now = self.clock().now();
            let left = self.ask(|world| dream::left(&world.rooms.memory, now, &world.rooms.config.settings))?;
            if left.pairs == 0 && !left.is_any_faded {
                return Ok(done);
            }
            self.decide_due(memory::Command::from(Dream {}), &SessionId::from(NO_SESSION))?;
        }
        Ok(most)
    }

    /// What sessions teach, one after the other, in the order in which they end.
    fn each_lesson(&self, sessions: &BTreeSet<SessionId>, take: &mut dyn FnMut(Lessons)) -> Result<(), EngineError> {
        let mut shapes: BTreeMap<SessionId, SessionShape> = BTreeMap::new();
        for session in sessions {
            let ended = self.shape(session)?.map(|shape| SessionShape { end: SessionEnd::Ended, ..shape });
            shapes.extend(ended.map(|shape| (session.clone(), shape)));
        }
        let Some(since) = shapes.values().map(|shape| shape.first).min() else { return Ok(()) };
        let until = shapes.values().map(|shape| shape.last).max();
        let mut open: BTreeMap<SessionId, Vec<HistoryEntry>> = BTreeMap::new();
        let filter = Filter { since, until, ..Filter::default() };
        self.reader()?.each(&filter, &mut |found| {
            let entry = found.entry;
            let Some(shape) = shapes.get(&entry.session_id) else { return Flow::More };
            let (session, is_last) = (entry.session_id.clone(), entry.id >= shape.last);
            open.entry(session.clone()).or_default().push(entry);
            let ended = if is_last { open.remove(&session) } else { None };
            if let Some(entries) = ended {
                take(self.lessons(&session, entries, *shape));
            }
            Flow::More
        })?;
        for (session, entries) in open {
            take(self.lessons(&session, entries, shapes[&session]));
        }
        Ok(())
    }

    fn shape(&self, session: &SessionId) -> Result<Option<SessionShape>, EngineError> {
        self.ask(|world| {
            let known = world.rooms.session.session(session)?;
            let is_over = matches!(known.status, SessionStatus::Completed | SessionStatus::Aborted);
            Some(SessionShape {
                first: known.first,
                last: known.last,
                end: if is_over { SessionEnd::Ended } else { SessionEnd::Open },
                asker: if known.parent_session_id.is_some() { Asker::Agent } else { Asker::Person },
            })
        })
    }

    /// What the entries of a session teach.
    fn lessons(&self, session: &SessionId, entries: Vec<HistoryEntry>, shape: SessionShape) -> Lessons {
        let mut entries = join(entries);
        // What is learnt is embedded, and told to models: a call on a file that holds secrets teaches nothing.
        entries.retain(|entry| excluded_file(self.sanitizer(), entry).is_none());
        in_reading_order(&mut entries);
        let record = Record::of(session.as_str(), &entries, Vec::new());
        let most = self.settings().get(&EXTRACT_MAX_CHARS);
        let sayings = if shape.asker == Asker::Person { sayings(&record, shape.end, most) } else { Vec::new() };
        Lessons { sessions: 1, experiences: experiences(&record, shape.end), sayings }
    }

    /// Few decisions, each of many: where the log holds ids ahead of the clock, each costs a fold.
    fn keep_lessons(&self, lessons: &Lessons) -> Result<Learnt, EngineError> {
        let mut learnt = Learnt { sessions: lessons.sessions, ..Learnt::default() };
        let learn = |part: &[Experience]| memory::Command::from(Learn { experiences: part.to_vec() }).into();
        let gather = |part: &[Propose]| knowledge::Command::from(Gather { found: part.to_vec() }).into();
        let commands = lessons.experiences.chunks(MOST_LEARNT).map(learn);
        let mut waiting =
            commands.chain(lessons.sayings.chunks(MOST_GATHERED).map(gather)).collect::<Vec<Command>>().into_iter();
        if waiting.len() > 0 {
            for answer in self.decide_each(&by_the_rules(&SessionId::from(NO_SESSION)), &due(), |_| waiting.next())? {
                learnt.add(&answer);
            }
        }
        Ok(learnt)
    }
}
