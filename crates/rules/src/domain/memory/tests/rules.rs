//! Who may write, remember and contradict.

use super::super::command::{Consult, Experience, ExperienceRule, Learn, Write};
use super::super::event::{Denied, Event, Recalled};
use super::super::quantum::{MATRIX, MacroState, PyramidLevel, Quantum, Sigma};
use super::super::{Refusal, State};
use super::{Room, close, day, experience, feedback, recall, weighing};
use annals_kernel::decision::{Cause, Outcome};
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::settings::AnySetting;
use annals_kernel::share::Share;

/// Artoo R5: the solver alone writes; that somebody else wanted to is recorded.
#[test]
fn the_solver_alone_writes() {
    for who in ["user", "writer", "moderator", "team-lead", "nobody"] {
        let mut room = Room::default();
        let outcome = room.ask(who, 0.0, experience(MacroState::Accept));
        let denied = Denied { space: "tool:a".into(), entity: "path:b".into() };
        let refusal = Refusal::NotTheSolver { actor: who.into() };
        assert_eq!(outcome, Outcome::refused_with(denied, refusal));
        assert_eq!((room.state.totals.denied, room.state.totals.pairs), (1, 0));
    }
    for who in ["ggs", "system"] {
        assert_eq!(Room::default().ask(who, 0.0, experience(MacroState::Accept)).refusal, None);
    }
}

/// Artoo R5: a write without an id and without a level.
#[test]
fn the_engine_gives_the_id_and_the_level_is_m() {
    let mut room = Room::default();
    let id = room.write(0.0, experience(MacroState::ChangePath));
    let megram = room.megram(&id);
    assert_eq!(megram.id.parse::<EntryId>().map(EntryId::time), Ok(day(0.0)), "decision 32");
    assert_eq!((megram.level, megram.state), (PyramidLevel::Megram, Some(MacroState::ChangePath)));
    assert_eq!((megram.created_at, megram.last_recalled_at), (day(0.0), None));
}

/// Artoo, "Key Invariants", and R5, the pyramid.
#[test]
fn only_common_sense_is_timeless_and_laws_are_not_written() {
    let refusal = |write: Write| Room::default().ask("ggs", 0.0, write).refusal;
    let with = |level, k: u16| Write { k: Some(Share::thousandths(k)), ..weighing(level, 500, 1000) };
    assert_eq!(refusal(with(PyramidLevel::CommonSense, 0)), None);
    assert_eq!(refusal(with(PyramidLevel::Knowledge, 50)), None);
    let bad = |level, k: &str| Some(Refusal::BadRate { level, k: k.into() });
    assert_eq!(refusal(with(PyramidLevel::CommonSense, 50)), bad(PyramidLevel::CommonSense, "0.05"));
    assert_eq!(refusal(with(PyramidLevel::Megram, 0)), bad(PyramidLevel::Megram, "0"));
    assert_eq!(refusal(weighing(PyramidLevel::Thinking, 500, 1000)), Some(Refusal::Law));
    let mut room = Room::default();
    let id =
        room.write(0.0, Write { state: Some(MacroState::Success), ..weighing(PyramidLevel::CommonSense, 500, 1000) });
    assert_eq!(room.megram(&id).quantum.k, Share::NONE, "whatever the state says");
}

#[test]
fn what_is_written_weighs_and_says_something() {
    let refusal = |write: Write| Room::default().ask("ggs", 0.0, write).refusal;
    let plain = experience(MacroState::Accept);
    let long = "x".repeat(301);
    for bad in ["", "a\nb", "a\u{1f}b", &long] {
        let what = |what| Some(Refusal::BadTag { what, most: 300 });
        assert_eq!(refusal(Write { space: bad.into(), ..plain.clone() }), what("space"));
        assert_eq!(refusal(Write { entity: bad.into(), ..plain.clone() }), what("entity"));
    }
    for bad in [String::new(), "x".repeat(4001)] {
        assert_eq!(refusal(Write { content: bad.into(), ..plain.clone() }), Some(Refusal::BadContent { most: 4000 }));
    }
    assert_eq!(refusal(Write { state: None, ..plain.clone() }), Some(Refusal::NoWeight));
    assert_eq!(refusal(Write { state: None, f: Some(Share::WHOLE), ..plain }), Some(Refusal::NoWeight));
}

#[test]
fn a_pair_has_only_so_much_common_sense() {
    let mut room = Room::default();
    for _ in 0..8 {
        room.write(0.0, weighing(PyramidLevel::CommonSense, 500, 1000));
    }
    let refusal = room.ask("ggs", 0.0, weighing(PyramidLevel::CommonSense, 500, 1000)).refusal;
    let full = Refusal::Full { space: "tool:a".into(), entity: "path:b".into(), most: 8 };
    assert_eq!(refusal, Some(full));
}

/// Decision 37.
#[test]
fn the_matrix_is_configuration() {
    let mut room = Room::default();
    room.settings.set(MATRIX.key(), Some(serde_json::json!({ "accept": { "f": 0.4, "sigma": -0.5, "k": 0.3 } })));
    let (own, other) = (experience(MacroState::Accept), experience(MacroState::Success));
    let (own, other) = (room.write(0.0, own), room.write(0.0, other));
    let (f, sigma, k) = (Share::thousandths(400), Sigma::thousandths(-500), Share::thousandths(300));
    assert_eq!(room.megram(&own).quantum, Quantum { f, sigma, k });
    assert_eq!(room.megram(&other).quantum.f, Share::thousandths(800), "what is not set is as in the document");
}

/// Decision 36.
#[test]
fn a_recall_starts_the_clock_anew() {
    let mut room = Room::default();
    let id = room.write(0.0, experience(MacroState::Accept));
    assert!(close(room.attention(7.0), 0.9 * libm::exp(-0.35)));
    assert_eq!(room.ask("writer", 7.0, recall(&id)), Outcome::of(Recalled { megrams: vec![id.clone()] }));
    assert!(close(room.attention(7.0), 0.9));
    assert_eq!(room.megram(&id).last_recalled_at, Some(day(7.0)));
    assert!(close(room.attention(14.0), 0.9 * libm::exp(-0.35)));
}

/// Artoo, "Key Invariants", and R5, `QueryC`; decision 36: what is timeless only learns when.
#[test]
fn to_consult_common_sense_is_to_recall_it() {
    let mut room = Room::default();
    let consult = || Consult { space: "tool:a".into(), entity: "path:b".into() };
    let (space, entity) = ("tool:a".into(), "path:b".into());
    assert_eq!(room.ask("user", 0.0, consult()).refusal, Some(Refusal::NoCommonSense { space, entity }));
    room.write(0.0, experience(MacroState::Accept));
    let id = room.write(0.0, weighing(PyramidLevel::CommonSense, 500, 1000));
    let before = (room.attention(5.0), room.decision(5.0));
    assert_eq!(room.ask("critic", 5.0, consult()), Outcome::of(Recalled { megrams: vec![id.clone()] }));
    assert_eq!((room.attention(5.0), room.decision(5.0)), before);
    assert_eq!(room.megram(&id).last_recalled_at, Some(day(5.0)));
    assert_eq!(room.ask("nobody", 6.0, consult()).refusal, Some(Refusal::Stranger { actor: "nobody".into() }));
}

#[test]
fn what_is_not_there_is_not_recalled() {
    let mut room = Room::default();
    let id = room.write(0.0, experience(MacroState::Refine));
    let unknown = Refusal::UnknownMegram { megram: "01".into() };
    assert_eq!(room.ask("user", 0.0, recall("01")).refusal, Some(unknown));
    room.dream(1.0);
    let forgotten = Refusal::Forgotten { megram: id.clone(), at: day(1.0) };
    assert_eq!(room.ask("user", 2.0, recall(&id)).refusal, Some(forgotten.clone()));
    assert_eq!(room.ask("user", 2.0, feedback(&id)).refusal, Some(forgotten));
    let bad = Some(Refusal::BadCount { most: 16 });
    for count in [0, 17] {
        let megrams = (0..count).map(|number| number.to_string().into()).collect();
        assert_eq!(room.ask("user", 2.0, super::Recall { megrams }).refusal, bad);
    }
}

/// Artoo R5, `RecordNegativeFeedback`: a copy against it is appended; nothing is changed.
#[test]
fn feedback_appends_a_copy_with_the_opposite_sign() {
    for (sigma, opposite) in [(1000, -1000), (500, -1000), (0, -1000), (-1000, 1000)] {
        let mut room = Room::default();
        let id = room.write(0.0, weighing(PyramidLevel::Megram, 900, sigma));
        let outcome = room.ask("writer", 0.0, feedback(&id));
        let [Event::Written(written)] = &outcome.events[..] else { panic!("{outcome:?}") };
        assert_eq!((written.against.as_ref(), written.f), (Some(&id), Share::thousandths(900)));
        assert_eq!((written.level, written.sigma), (PyramidLevel::Megram, Sigma::thousandths(opposite)));
        assert_eq!(room.megram(&id).quantum.sigma, Sigma::thousandths(sigma));
    }
    let mut room = Room::default();
    let id = room.write(0.0, weighing(PyramidLevel::Megram, 900, 1000));
    room.ask("user", 0.0, feedback(&id));
    assert!(close(room.decision(0.0), 0.0) && close(room.attention(0.0), 1.8));
    assert_eq!(room.ask("nobody", 0.0, feedback(&id)).refusal, Some(Refusal::Stranger { actor: "nobody".into() }));
}

#[test]
fn what_is_said_against_common_sense_fades() {
    let mut room = Room::default();
    let id = room.write(0.0, weighing(PyramidLevel::CommonSense, 900, 1000));
    room.ask("user", 0.0, feedback(&id));
    assert!(close(room.decision(0.0), 0.0));
    assert!(room.decision(20.0) > 0.5, "trust comes back where nobody repeats it");
}

/// A log that was merged or changed by hand is folded all the same.
#[test]
fn nothing_in_a_log_is_taken_in_twice_or_comes_back() {
    let mut room = Room::default();
    let id = room.write(0.0, experience(MacroState::Refine));
    let outcome = room.ask("ggs", 0.0, experience(MacroState::Refine));
    let again = outcome.events[0].clone();
    let cause = Cause { asked: None, id: EntryId::MIN, at: day(3.0), actor: &"ggs".into() };
    let before = room.state.clone();
    room.state.evolve(&again, &cause);
    assert_eq!(room.state, before);
    room.dream(1.0);
    assert_eq!((room.state.totals.megrams, room.state.totals.forgotten), (0, 2));
    let before = room.state.clone();
    for event in [again, Recalled { megrams: vec![id.clone(), "no".into()] }.into()] {
        room.state.evolve(&event, &cause);
    }
    room.state.evolve(&super::super::event::Forgotten { megrams: vec![id] }.into(), &cause);
    assert_eq!(room.state, before);
    assert_ne!(room.state, State::default());
}

/// What was learnt already is nothing new, and of more than the rule allows at once nothing is.
#[test]
fn what_is_learnt_is_learnt_once_and_in_portions() {
    let lesson = |number: u128| Experience {
        session: SessionId::from("s"),
        rule: ExperienceRule::Mended,
        cause: EntryId::new(day(1.0), number),
        space: "tool:cargo test".into(),
        entity: "env:local".into(),
        content: "`cargo test` failed once; it worked after changing a.rs".into(),
        state: MacroState::Refine,
        sources: vec![EntryId::new(day(1.0), number)],
    };
    let learn = |count: u128| Learn { experiences: (1..=count).map(lesson).collect() };
    let mut room = Room::default();
    assert_eq!(room.ask("writer", 2.0, learn(1)).refusal, Some(Refusal::NotTheSolver { actor: "writer".into() }));
    assert_eq!(room.ask("system", 2.0, learn(129)).refusal, Some(Refusal::TooMuch { most: 128 }));
    assert_eq!(room.ask("system", 2.0, learn(2)).events.len(), 2);
    assert_eq!(room.ask("system", 3.0, learn(2)).refusal, Some(Refusal::NothingNew));
    assert_eq!(room.ask("system", 3.0, learn(3)).events.len(), 1);
}
