//! Who may speak and silence, what a session remembers, and what that costs.

use std::collections::BTreeMap;

use super::command::{Give, Mute, MuteSpan, Occasion, Piece, PieceTopic, Unmute};
use super::state::{Silence, Spent, State};
use super::{Command, Event, Observed, Refusal, ToldSession, decide};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

fn at(minute: i64) -> Timestamp {
    Timestamp::from_millis(minute * 60_000)
}

/// Decides, and takes in what was decided.
fn ask(state: &mut State, standing: Standing, minute: i64, command: impl Into<Command>) -> Outcome<Event, Refusal> {
    let (settings, command, observed) = (Settings::default(), command.into(), Observed::default());
    let (id, at) = (EntryId::new(at(minute), 1), at(minute));
    let moment = Moment { id, at, actor: "who".into(), standing, session: here(), settings: &settings };
    let outcome = decide(state, &command, &observed, &moment);
    for event in &outcome.events {
        state.evolve(event, &Cause { asked: None, id, at, actor: &moment.actor });
    }
    outcome
}

fn here() -> SessionId {
    SessionId::from("s")
}

fn give(keys: &[&str]) -> Give {
    let piece = |key: &&str| Piece { topic: PieceTopic::Canon, key: (*key).into(), tokens: 10 };
    Give { session: here(), occasion: Occasion::Start, pieces: keys.iter().map(piece).collect(), withheld: 1 }
}

fn mute(span: MuteSpan) -> Mute {
    Mute { session: here(), span: Some(span) }
}

#[test]
fn what_was_told_is_remembered_and_counted() {
    let mut state = State::default();
    for (minute, keys) in [(1, &["a", "b"][..]), (2, &["b", "c"])] {
        assert_eq!(ask(&mut state, Standing::System, minute, give(keys)).refusal, None);
    }
    let heard = ["a", "b", "c"].map(Box::from).to_vec();
    let told = ToldSession { heard, times: 2, tokens: 40, at: Some(at(2)), silence: None };
    assert_eq!(state.session(&here()), Some(&told));
    let spent = Spent { times: 2, pieces: 4, withheld: 2, tokens: 40 };
    assert_eq!(state.totals.spent, BTreeMap::from([(Occasion::Start, spent)]));
}

#[test]
fn only_the_rules_speak_and_only_the_user_silences() {
    let agent = || Standing::Agent(Role::TeamLead);
    for standing in [Standing::User, agent(), Standing::Stranger] {
        let refusal = ask(&mut State::default(), standing, 1, give(&["a"])).refusal;
        assert_eq!(refusal, Some(Refusal::NotSystem { actor: "who".into() }));
    }
    for standing in [Standing::System, agent(), Standing::Stranger] {
        let refusal = ask(&mut State::default(), standing, 1, mute(MuteSpan::Session)).refusal;
        assert_eq!(refusal, Some(Refusal::NotUser { actor: "who".into() }));
    }
    let nothing = ask(&mut State::default(), Standing::System, 1, give(&[])).refusal;
    assert_eq!(nothing, Some(Refusal::Nothing { session: here() }));
}

#[test]
fn a_silent_session_is_told_nothing_until_the_silence_ends() {
    let mut state = State::default();
    let unmute = || Unmute { session: here() };
    let refusal = ask(&mut state, Standing::User, 1, unmute()).refusal;
    assert_eq!(refusal, Some(Refusal::NotMuted { session: here() }));
    ask(&mut state, Standing::User, 2, mute(MuteSpan::Session));
    assert_eq!(
        state.session(&here()).and_then(|told| told.silence),
        Some(Silence { span: MuteSpan::Session, at: at(2) })
    );
    let refusal = ask(&mut state, Standing::System, 3, give(&["a"])).refusal;
    assert_eq!(refusal, Some(Refusal::Silent { session: here() }));
    assert_eq!(ask(&mut state, Standing::User, 4, unmute()).refusal, None);
    assert_eq!(ask(&mut state, Standing::System, 5, give(&["a"])).refusal, None);
    // How far a silence for one prompt goes, whoever knows the prompts says.
    ask(&mut state, Standing::User, 6, mute(MuteSpan::Prompt));
    assert_eq!(ask(&mut state, Standing::System, 7, give(&["b"])).refusal, None);
}

/// A session cannot fill the state.
#[test]
fn of_many_pieces_the_latest_are_remembered() {
    let mut state = State::default();
    let keys: Vec<String> = (0..500).map(|number| format!("k{number}")).collect();
    ask(&mut state, Standing::System, 1, give(&keys.iter().map(String::as_str).collect::<Vec<_>>()));
    let told = state.session(&here()).expect("it was told");
    assert_eq!((told.heard.len(), told.has_heard("k0"), told.has_heard("k499")), (400, false, true));
}
