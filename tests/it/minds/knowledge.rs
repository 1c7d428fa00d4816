//! Laws of knowledge: whatever is read, announced and merged, in whatever order, nothing is lost and nothing fades twice.

use std::collections::BTreeMap;

use annals::domain::knowledge::command::{
    Accept, Add, Archive, Consolidate, Expire, Give, Propose, Restore, Retrieve, Supersede,
};
use annals::domain::knowledge::event::Added;
use annals::domain::knowledge::row::Review;
use annals::domain::knowledge::{
    Command, Event, KnowledgeDecay, KnowledgeKind, KnowledgeSource, KnowledgeStatus, Observed, State, decide, learn,
    retrieve,
};
use annals::kernel::actor::Standing;
use annals::kernel::decision::{Cause, Moment};
use annals::kernel::fade::{DAY_MS, power};
use annals::kernel::id::{AgentId, EntryId, SessionId};
use annals::kernel::settings::Settings;
use annals::kernel::share::Share;
use annals::kernel::time::Timestamp;
use proptest::prelude::*;

const START: i64 = 1_760_000_000_000;
const HOUR: i64 = 3_600_000;
const TEXTS: [&str; 6] = ["red sky", "red sea", "green sea", "blue sky over Berlin", "`main.rs` is red", "grey"];

/// Something that is asked, so many hours after what was asked before; numbers stand for entries that there are.
#[derive(Debug, Clone, Copy)]
struct Step {
    hours: u16,
    what: What,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Add(usize, usize, u16, Option<usize>),
    Retrieve(usize),
    Archive(usize),
    Restore(usize),
    Supersede(usize, usize),
    Give(usize),
    Expire,
    Consolidate,
    Propose(usize),
    Accept(usize),
}

fn what() -> impl Strategy<Value = What> {
    prop_oneof![
        4 => (0..6_usize, 0..6_usize, 0..=1000_u16, proptest::option::weighted(0.2, 0..9_usize))
            .prop_map(|(kind, text, confidence, old)| What::Add(kind, text, confidence, old)),
        5 => (0..6_usize).prop_map(What::Retrieve),
        1 => (0..9_usize).prop_map(What::Archive),
        2 => (0..9_usize).prop_map(What::Restore),
        2 => (0..9_usize, 0..9_usize).prop_map(|(old, new)| What::Supersede(old, new)),
        1 => (0..9_usize).prop_map(What::Give),
        4 => Just(What::Expire),
        1 => Just(What::Consolidate),
        1 => (0..6_usize).prop_map(What::Propose),
        1 => (0..3_usize).prop_map(What::Accept),
    ]
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0..500_u16, what()).prop_map(|(hours, what)| Step { hours, what }), 0..most)
}

/// A decision as it stands in the log.
#[derive(Debug, Clone)]
struct Line {
    id: EntryId,
    at: Timestamp,
    events: Vec<Event>,
}

/// A branch that goes on.
#[derive(Clone)]
struct Branch {
    state: State,
    lines: Vec<Line>,
    at: Timestamp,
    chance: u128,
}

impl Branch {
    fn entry(&self, number: usize) -> EntryId {
        let ids: Vec<EntryId> = self.state.entries.iter().filter_map(|(id, _)| id.parse().ok()).collect();
        ids.get(number % ids.len().max(1)).copied().unwrap_or(EntryId::MIN)
    }

    fn command(&self, what: What) -> Command {
        let source = |number: usize| KnowledgeSource {
            session: Some(SessionId::from(format!("s{number}"))),
            entries: vec![EntryId::new(self.at, self.chance)],
            rule: None,
        };
        match what {
            What::Add(kind, text, confidence, old) => Command::from(Add {
                kind: KnowledgeKind::ALL[kind],
                content: TEXTS[text].into(),
                entities: Vec::new(),
                about: None,
                confidence: Some(Share::thousandths(confidence)),
                impact: None,
                source: source(text),
                supersedes: old.map(|number| self.entry(number)),
            }),
            What::Retrieve(text) => Retrieve { query: TEXTS[text].into(), ..Retrieve::default() }.into(),
            What::Archive(number) => Archive { entry: self.entry(number), reason: None }.into(),
            What::Restore(number) => Restore { entry: self.entry(number) }.into(),
            What::Supersede(old, new) => Supersede { entry: self.entry(old), by: self.entry(new) }.into(),
            What::Give(number) => Give { entry: self.entry(number), result: "failed".parse().expect("a word") }.into(),
            What::Expire => Expire {}.into(),
            What::Consolidate => Consolidate {}.into(),
            What::Propose(text) => Command::from(Propose {
                kind: KnowledgeKind::Preference,
                content: TEXTS[text].into(),
                entities: Vec::new(),
                about: None,
                confidence: None,
                impact: None,
                source: source(text),
            }),
            What::Accept(number) => {
                let waiting = self.state.candidates.iter().filter(|(_, one)| one.review == Review::Waiting);
                let candidate = waiting.map(|(id, _)| id.clone()).nth(number).unwrap_or_default();
                Accept { candidate, ..Accept::default() }.into()
            }
        }
    }

    fn play(&mut self, steps: &[Step], settings: &Settings) {
        for step in steps {
            self.at = self.at.plus_millis(i64::from(step.hours) * HOUR + 1);
            self.chance += 2;
            let command = self.command(step.what);
            self.ask(&command, settings);
        }
    }

    fn ask(&mut self, command: &Command, settings: &Settings) -> Vec<Event> {
        let (id, at, actor) = (EntryId::new(self.at, self.chance), self.at, AgentId::from("user"));
        let session = SessionId::from("s");
        let moment = Moment { id, at, actor, standing: Standing::User, session, settings };
        let events = decide(&self.state, command, &Observed::default(), &moment).events;
        let line = Line { id, at, events: events.clone() };
        fold(&mut self.state, &line);
        self.lines.push(line);
        events
    }
}

fn fold(state: &mut State, line: &Line) {
    let actor = AgentId::from("user");
    for event in &line.events {
        state.evolve(event, &Cause { asked: None, id: line.id, at: line.at, actor: &actor });
    }
}

/// Two branches of one beginning, and what they come to when they are merged.
fn merged(base: &[Step], left: &[Step], right: &[Step], settings: &Settings) -> Branch {
    let at = Timestamp::from_millis(START);
    let mut trunk = Branch { state: State::default(), lines: Vec::new(), at, chance: 0 };
    trunk.play(base, settings);
    let (mut one, mut other) = (trunk.clone(), trunk.clone());
    other.chance += 1;
    one.play(left, settings);
    other.play(right, settings);
    let known = trunk.lines.len();
    let mut lines = one.lines;
    lines.extend_from_slice(&other.lines[known..]);
    lines.sort_by_key(|line| line.id);
    let mut state = State::default();
    for line in &lines {
        fold(&mut state, line);
    }
    Branch { state, lines, at: one.at.max(other.at), chance: one.chance.max(other.chance) + 1 }
}

/// What the lines themselves say of an entry, without the room.
#[derive(Debug, Default)]
struct Told {
    initial: f64,
    is_rule: bool,
    touched: i64,
}

fn told(lines: &[Line]) -> BTreeMap<EntryId, Told> {
    let mut told: BTreeMap<EntryId, Told> = BTreeMap::new();
    for line in lines {
        let at = line.at.millis();
        for event in &line.events {
            if let Event::Added(Added { entry, said }) = event {
                let is_rule = said.kind == KnowledgeKind::Rule;
                told.insert(*entry, Told { initial: said.confidence.number(), is_rule, touched: at });
            }
            let touched = match event {
                Event::Retrieved(retrieved) => retrieved.entries.clone(),
                Event::Restored(restored) => vec![restored.entry],
                Event::Added(_)
                | Event::Superseded(_)
                | Event::Archived(_)
                | Event::Faded(_)
                | Event::Given(_)
                | Event::Proposed(_)
                | Event::Accepted(_)
                | Event::Rejected(_) => Vec::new(),
            };
            for id in touched {
                told.get_mut(&id).expect("it was added").touched = at;
            }
        }
    }
    told
}

/// Decision 23, by hand.
fn formula(told: &Told, now: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few years of milliseconds")]
    let days = (now - told.touched).max(0) as f64 / DAY_MS as f64;
    let is_kept = told.is_rule || days <= 30.0;
    if is_kept { told.initial } else { told.initial * power(0.95, days - 30.0) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Decision 23; the bar of the minds: nothing is lost, nothing fades twice.
    #[test]
    fn whatever_is_read_announced_and_merged_confidence_is_the_closed_formula(
        base in steps(20), left in steps(20), right in steps(20), later in 0..3000_i64,
    ) {
        let settings = Settings::default();
        let branch = merged(&base, &left, &right, &settings);
        let (decay, told) = (KnowledgeDecay::of(&settings), told(&branch.lines));
        prop_assert_eq!(told.len(), branch.state.entries.iter().count(), "every entry is there");
        let now = branch.at.plus_millis(later * HOUR);
        for (id, told) in &told {
            let entry = branch.state.entry(*id).expect("it is there");
            prop_assert!((entry.said.confidence.number() - told.initial).abs() < f64::EPSILON, "never written anew");
            let ended = [entry.superseded_by.as_ref().map(|by| by.at), entry.archived.as_ref().map(|by| by.at)];
            let until = ended.into_iter().flatten().fold(now, Timestamp::min).millis();
            let strength = decay.strength(entry, now);
            prop_assert!((strength - formula(told, until)).abs() < 1e-12, "{} is not {}", strength, formula(told, until));
            if let Some(at) = decay.archives_at(entry).filter(|_| entry.is_kept()) {
                prop_assert_eq!(decay.status(entry, now) == KnowledgeStatus::Archived, now >= at);
            }
        }
    }

    /// Decision 23: an announcement changes no entry; each crossing is announced once.
    #[test]
    fn announcements_change_nothing_and_come_to_an_end(base in steps(20), left in steps(20), right in steps(20)) {
        let settings = Settings::default();
        let mut branch = merged(&base, &left, &right, &settings);
        let mut silent = State::default();
        for line in &branch.lines {
            let events = line.events.iter().filter(|event| !matches!(event, Event::Faded(_))).cloned().collect();
            fold(&mut silent, &Line { events, ..line.clone() });
        }
        prop_assert!(silent.entries == branch.state.entries);
        branch.at = branch.at.plus_millis(100 * DAY_MS);
        let mut announced: Vec<EntryId> = Vec::new();
        for _ in 0..5 {
            branch.chance += 1;
            for event in branch.ask(&Expire {}.into(), &settings) {
                if let Event::Faded(faded) = event {
                    announced.extend(faded.entries.iter().map(|one| one.entry));
                }
            }
        }
        let unlike: std::collections::BTreeSet<_> = announced.iter().collect();
        prop_assert_eq!(unlike.len(), announced.len());
    }

    /// What is counted and indexed is what there is; something holds of whatever superseded each other.
    #[test]
    fn what_is_counted_and_found_is_what_there_is(base in steps(25), left in steps(15), right in steps(15)) {
        let settings = Settings::default();
        let branch = merged(&base, &left, &right, &settings);
        let state = &branch.state;
        let entries: Vec<_> = state.entries.iter().map(|(_, entry)| entry).collect();
        let count = |is: &dyn Fn(&annals::domain::knowledge::KnowledgeEntry) -> bool| {
            u64::try_from(entries.iter().filter(|entry| is(entry)).count()).expect("a count")
        };
        prop_assert_eq!(state.totals.all(), count(&|_| true));
        prop_assert_eq!(state.totals.superseded, count(&|entry| entry.superseded_by.is_some()));
        prop_assert_eq!(state.totals.archived, count(&|entry| entry.archived.is_some()));
        let waiting = state.candidates.iter().filter(|(_, one)| one.review == Review::Waiting).count();
        prop_assert_eq!(state.totals.waiting, u64::try_from(waiting).expect("a count"));
        prop_assert!(entries.is_empty() || entries.iter().any(|entry| entry.superseded_by.is_none()));
        for (id, clock) in state.clocks.iter() {
            let entry = state.entries.get(id).expect("its entry");
            prop_assert_eq!((clock.since, clock.is_kept), (entry.touched_at(), entry.is_kept()));
        }
        let kept: usize = state.texts.iter().map(|(_, posting)| posting.ids.len()).sum();
        prop_assert_eq!(kept, entries.iter().filter(|entry| entry.is_kept()).count());
        for text in TEXTS {
            let ask = Retrieve { query: text.into(), ..Retrieve::default() };
            let trace = retrieve::retrieve(state, &ask, &settings, branch.at);
            prop_assert!(trace.stages.iter().all(|stage| stage.before >= stage.after));
            let live = trace.results.iter().all(|id| state.entry(*id).is_some_and(|entry| {
                let status = KnowledgeDecay::of(&settings).status(entry, branch.at);
                matches!(status, KnowledgeStatus::Active | KnowledgeStatus::Decaying)
            }));
            prop_assert!(live, "only what holds comes");
        }
    }

    /// The extractor and the parser of queries take any text.
    #[test]
    fn no_text_makes_the_extractor_or_the_query_fail(text in ".{0,200}", lines in prop::collection::vec("[ a-zA-Z`'’.,!?<>/#*-]{0,40}", 0..8)) {
        for text in [text, lines.join("\n")] {
            let lessons = learn::learn(&text, learn::Way::Prompt);
            prop_assert!(lessons.iter().all(|lesson| !lesson.content.trim().is_empty()));
            let _ = learn::learn(&text, learn::Way::Rejection);
            let ask = Retrieve { query: text.as_str().into(), entities: vec![text.as_str().into()], ..Retrieve::default() };
            let trace = retrieve::retrieve(&State::default(), &ask, &Settings::default(), Timestamp::from_millis(START));
            prop_assert!(trace.results.is_empty());
        }
    }
}
