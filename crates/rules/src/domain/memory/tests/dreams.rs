//! What the dreamer does (artoo R5, decision 31).

use super::super::command::{Distilled, Dream};
use super::super::dream::{Left, left};
use super::super::event::{Demoted, Event, Forgotten, Lesson, LessonSource, Pair, Promoted, Reviewed};
use super::super::quantum::{FORGET_BELOW, MacroState, PyramidLevel, Sigma};
use super::super::row::TRACES_A_ROW;
use super::super::{Observed, Refusal};
use super::{Room, close, day, experience, feedback, recall, weighing};
use annals_kernel::settings::AnySetting;
use annals_kernel::share::Share;

const HOUR: f64 = 1.0 / 24.0;

fn reviewed() -> Event {
    Reviewed { pairs: vec![Pair { space: "tool:a".into(), entity: "path:b".into() }] }.into()
}

fn promoted(events: &[Event]) -> Vec<&Promoted> {
    let promoted =
        events.iter().filter_map(|event| if let Event::Promoted(promoted) = event { Some(promoted) } else { None });
    promoted.collect()
}

/// Decision 31: not at birth, and not at the hour itself.
#[test]
fn what_has_faded_is_forgotten_when_it_is_older_than_an_hour() {
    let mut room = Room::default();
    let id = room.write(0.0, experience(MacroState::Refine));
    assert_eq!(room.dream(HOUR), vec![reviewed()]);
    assert!(room.level(&id).is_some());
    let events = room.dream(HOUR + 0.001);
    assert_eq!(events, vec![Forgotten { megrams: vec![id.clone()] }.into()]);
    assert_eq!((room.level(&id), room.state.totals.forgotten), (None, 1));
    assert!(close(room.attention(2.0), 0.0));
    assert_eq!(room.dream(2.0), Vec::new());
}

/// Artoo R5, derived lifetime: 43.944 days from the last recall.
#[test]
fn a_recall_puts_off_forgetting() {
    let mut room = Room::default();
    let id = room.write(0.0, experience(MacroState::Accept));
    room.dream(0.0);
    assert_eq!(room.dream(43.94), Vec::new());
    room.ask("user", 43.9, recall(&id));
    room.dream(44.0);
    assert_eq!(room.dream(87.8), Vec::new());
    assert_eq!(room.dream(87.9), vec![Forgotten { megrams: vec![id] }.into()]);
}

#[test]
fn common_sense_is_never_forgotten() {
    let mut room = Room::default();
    let id = room.write(0.0, weighing(PyramidLevel::CommonSense, 50, 1000));
    room.dream(0.0);
    room.dream(9000.0);
    assert_eq!(room.level(&id), Some(PyramidLevel::CommonSense));
}

/// Artoo, "Key Invariants", and R5: what is timeless has a k again at its trust bankruptcy, and not before.
#[test]
fn common_sense_that_experience_speaks_against_becomes_knowledge() {
    let mut room = Room::default();
    let sense = room.write(0.0, weighing(PyramidLevel::CommonSense, 500, 1000));
    let against = room.write(0.0, weighing(PyramidLevel::Megram, 950, -1000));
    assert!(close(room.decision(0.0), -0.45));
    let events = room.dream(0.0);
    let demoted = Demoted { megrams: vec![sense.clone()], k: Share::thousandths(50) };
    assert_eq!(events, vec![demoted.into(), reviewed()]);
    assert_eq!((room.level(&sense), room.level(&against)), (Some(PyramidLevel::Knowledge), Some(PyramidLevel::Megram)));
    assert_eq!(room.megram(&sense).quantum.k, Share::thousandths(50));
    let totals = &room.state.totals;
    assert_eq!((totals.megrams, totals.knowledge, totals.common), (1, 1, 0));
}

/// Artoo R5, trust bankruptcy: pairs without common sense, and pairs that come to exactly nothing.
#[test]
fn without_common_sense_and_at_nothing_nobody_loses_trust() {
    let mut room = Room::default();
    room.write(0.0, experience(MacroState::Abandon));
    assert_eq!(room.dream(0.0), vec![reviewed()], "untouched");
    let mut room = Room::default();
    let sense = room.write(0.0, weighing(PyramidLevel::CommonSense, 900, 1000));
    room.ask("user", 0.0, feedback(&sense));
    assert_eq!(room.dream(0.0), vec![reviewed()]);
    room.ask("user", 0.0, feedback(&sense));
    assert_eq!(room.dream(0.0).len(), 2);
    assert_eq!(room.level(&sense), Some(PyramidLevel::Knowledge));
}

/// Ours: a constraint is refuted by what is for the thing, not by being against it.
#[test]
fn a_constraint_does_not_refute_itself() {
    let mut room = Room::default();
    let constraint = room.write(0.0, weighing(PyramidLevel::CommonSense, 900, -1000));
    assert_eq!(room.dream(0.0), vec![reviewed()]);
    room.write(1.0, weighing(PyramidLevel::Megram, 950, 1000));
    room.dream(1.0);
    assert_eq!(room.level(&constraint), Some(PyramidLevel::Knowledge));
}

/// Time alone can take the majority from common sense: the dreamer comes back to it.
#[test]
fn common_sense_that_nobody_touches_is_looked_at_again() {
    let mut room = Room::default();
    let sense = room.write(0.0, weighing(PyramidLevel::CommonSense, 500, 1000));
    room.write(0.0, weighing(PyramidLevel::Megram, 950, -1000));
    let fast = super::Write { k: Some(Share::thousandths(500)), ..weighing(PyramidLevel::Megram, 900, 1000) };
    room.write(0.0, fast);
    room.dream(0.0);
    assert_eq!(room.dream(0.9), Vec::new(), "it was looked at a short time ago");
    assert_eq!(room.level(&sense), Some(PyramidLevel::CommonSense));
    room.dream(2.0);
    assert_eq!(room.level(&sense), Some(PyramidLevel::Knowledge));
}

fn repeat(room: &mut Room, state: MacroState, times: usize) {
    for _ in 0..times {
        room.write(0.0, experience(state));
    }
}

/// Artoo R5, consolidation: attention of 5 and a decision of 3; the bounds count.
#[test]
fn much_experience_of_one_kind_becomes_common_sense_once() {
    let mut room = Room::default();
    repeat(&mut room, MacroState::Accept, 5);
    assert_eq!(promoted(&room.dream(0.0)), Vec::<&Promoted>::new(), "4.5");
    room.write(0.0, weighing(PyramidLevel::Knowledge, 500, 0));
    let events = room.dream(0.0);
    let [practice] = promoted(&events)[..] else { panic!("{events:?}") };
    let expected = Promoted {
        megram: practice.megram.clone(),
        lesson: Lesson::Practice,
        space: "tool:a".into(),
        entity: "path:b".into(),
        content: "Prefer tool:a on path:b: it did well 5 times. Lately: it went so".into(),
        source: LessonSource::Plain,
        f: Share::thousandths(900),
        sigma: Sigma::FOR,
        rests_on: 5,
    };
    assert_eq!(*practice, expected);
    let kept = room.megram(&practice.megram);
    assert_eq!((kept.level, kept.quantum.k, kept.rests_on), (PyramidLevel::CommonSense, Share::NONE, Some(5)));
    repeat(&mut room, MacroState::Accept, 5);
    assert_eq!(promoted(&room.dream(0.0)), Vec::<&Promoted>::new(), "it stands");
}

#[test]
fn what_fails_again_and_again_becomes_a_constraint() {
    let mut room = Room::default();
    repeat(&mut room, MacroState::Abandon, 6);
    room.observed = Observed {
        texts: vec![
            Distilled {
                space: "tool:x".into(),
                entity: "path:b".into(),
                text: "of something else".into(),
                model: None,
            },
            Distilled {
                space: "tool:a".into(),
                entity: "path:b".into(),
                text: "never write there".into(),
                model: None,
            },
        ],
    };
    let events = room.dream(0.0);
    let [constraint] = promoted(&events)[..] else { panic!("{events:?}") };
    assert_eq!((constraint.lesson, constraint.source), (Lesson::Constraint, LessonSource::Distilled));
    assert_eq!((&*constraint.content, constraint.sigma), ("never write there", Sigma::AGAINST));
    room.observed = Observed::default();
    assert_eq!(room.dream(0.0), Vec::new());
}

#[test]
fn attention_without_a_decision_promotes_nothing() {
    let mut room = Room::default();
    repeat(&mut room, MacroState::Accept, 5);
    repeat(&mut room, MacroState::Abandon, 5);
    assert_eq!(room.dream(0.0), vec![reviewed()]);
}

/// What was practice and is refuted makes room for the constraint in the same dream.
#[test]
fn a_refuted_practice_makes_room() {
    let mut room = Room::default();
    let practice = room.write(0.0, weighing(PyramidLevel::CommonSense, 500, 1000));
    repeat(&mut room, MacroState::Abandon, 6);
    let events = room.dream(0.0);
    assert_eq!(promoted(&events).len(), 1);
    assert_eq!(room.level(&practice), Some(PyramidLevel::Knowledge));
}

#[test]
fn the_dreamer_works_for_the_user_the_solver_and_those_who_lead() {
    for who in ["user", "system", "ggs", "moderator", "team-lead"] {
        assert_eq!(Room::default().ask(who, 0.0, Dream {}).refusal, None);
    }
    for who in ["writer", "nobody"] {
        let refusal = Room::default().ask(who, 0.0, Dream {}).refusal;
        assert_eq!(refusal, Some(Refusal::NotTheDreamer { actor: who.into() }));
    }
}

/// A dream is bounded, says what is left, and forgets across the rows of a pair.
#[test]
fn what_is_left_waits_for_the_next_dream() {
    let mut room = Room::default();
    let many = usize::from(TRACES_A_ROW) + 3;
    repeat(&mut room, MacroState::ChangePath, many);
    let kept = room.write(0.0, experience(MacroState::Accept));
    assert_eq!(left(&room.state, day(0.0), &room.settings), Left { pairs: 1, is_any_faded: false });
    for _ in 0..2 {
        room.dream(6.0);
        assert_eq!(left(&room.state, day(6.0), &room.settings), Left { pairs: 0, is_any_faded: true });
    }
    room.dream(6.0);
    assert_eq!(left(&room.state, day(6.0), &room.settings), Left { pairs: 0, is_any_faded: false });
    let head = room.state.pair("tool:a", "path:b").expect("a pair").clone();
    assert_eq!((head.megrams, head.rows.len()), (1, 1));
    assert_eq!(room.state.latest(&head, 9), vec![room.megram(&kept)]);
    assert!(close(room.attention(0.0), 0.9));
}

/// Decision 37.
#[test]
fn with_another_threshold_more_or_less_is_forgotten() {
    let mut room = Room::default();
    room.write(0.0, experience(MacroState::ChangePath));
    room.settings.set(FORGET_BELOW.key(), Some(serde_json::json!(0.31)));
    assert_eq!(room.dream(1.0).len(), 2);
    let mut room = Room::default();
    room.write(0.0, experience(MacroState::Refine));
    room.settings.set(FORGET_BELOW.key(), Some(serde_json::json!(0)));
    assert_eq!(room.dream(900.0), vec![reviewed()]);
}
