//! Given / when / then for signed heads.

use ed25519_dalek::SigningKey;

use super::command::Sign;
use super::*;
use annals_kernel::actor::Standing;
use annals_kernel::annals::LineHash;
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::{AgentId, EntryId, NO_SESSION, SessionId, WriterId};
use annals_kernel::settings::Settings;
use annals_kernel::signed::{SignedHead, Statement};
use annals_kernel::ssh::{BadSignature, SshSignature};
use annals_kernel::time::Timestamp;

fn statement(n: u64) -> Statement {
    let at = Timestamp::from_millis(1000);
    let hash = LineHash::of(n.to_string().as_bytes());
    Statement { writer: "k3f9x2ab".into(), n, hash, seen: [].into(), at }
}

fn signed(n: u64, key: u8) -> SignedHead {
    statement(n).sign(&SigningKey::from_bytes(&[key; 32])).expect("signed")
}

fn sign(n: u64) -> Command {
    Sign { head: statement(n).head().into() }.into()
}

fn given(events: &[SignedHead]) -> State {
    let (mut state, actor) = (State::default(), AgentId::from("system"));
    for (number, event) in (1..).zip(events) {
        let id = EntryId::new(Timestamp::from_millis(1000), number);
        state.evolve(&event.clone().into(), &Cause { asked: None, id, at: id.time(), actor: &actor });
    }
    state
}

fn ask(state: &State, command: &Command, signed: Option<SignedHead>) -> Outcome<Event, Refusal> {
    let settings = Settings::default();
    let id = EntryId::new(Timestamp::from_millis(2000), 9);
    let moment = Moment {
        id,
        at: id.time(),
        actor: AgentId::from("system"),
        standing: Standing::System,
        session: SessionId::from(NO_SESSION),
        settings: &settings,
    };
    decide(state, command, &Observed { signed }, &moment)
}

#[test]
fn a_signature_that_holds_is_kept() {
    let head = signed(7, 1);
    assert_eq!(ask(&State::default(), &sign(7), Some(head.clone())), Outcome::of(head));
}

#[test]
fn what_is_signed_must_be_what_was_asked_and_the_signature_must_hold() {
    let (state, head) = (State::default(), |n| Box::from(statement(n).head()));
    assert_eq!(ask(&state, &sign(7), None), Outcome::refused(Refusal::Missing { head: head(7) }));
    let other = Refusal::OtherHead { head: head(8), signed: head(7) };
    assert_eq!(ask(&state, &sign(8), Some(signed(7, 1))), Outcome::refused(other));
    let forged = SignedHead { signature: signed(8, 1).signature, ..signed(7, 1) };
    let refusal = Refusal::Invalid { problem: BadSignature::OtherText };
    assert_eq!(ask(&state, &sign(7), Some(forged)), Outcome::refused(refusal));
}

#[test]
fn a_line_before_the_last_signed_one_is_not_signed_again() {
    let state = given(&[signed(7, 1)]);
    for n in [6, 7] {
        let refusal = Refusal::Behind { writer: "k3f9x2ab".into(), n, last: 7 };
        assert_eq!(ask(&state, &sign(n), Some(signed(n, 1))), Outcome::refused(refusal));
    }
    assert_eq!(ask(&state, &sign(8), Some(signed(8, 1))), Outcome::of(signed(8, 1)));
}

#[test]
fn a_stranger_can_neither_hold_up_a_key_nor_claim_it() {
    let claimed = SignedHead { signature: signed(1, 2).signature, ..signed(99, 1) };
    let state = given(&[signed(90, 2), claimed]);
    let (writer, key) = (WriterId::from("k3f9x2ab"), signed(7, 1).key);
    assert_eq!(state.last(&writer, &key), None);
    assert_eq!(ask(&state, &sign(7), Some(signed(7, 1))), Outcome::of(signed(7, 1)));
    assert_eq!(state.keys(&writer), [&signed(90, 2).key.fingerprint()]);
}

#[test]
fn an_older_head_that_a_merge_brings_later_changes_nothing() {
    assert_eq!(given(&[signed(9, 1), signed(7, 1)]).heads, given(&[signed(9, 1)]).heads);
}

#[test]
fn a_damaged_signature_does_not_hold() {
    let text = SshSignature::clone(&signed(7, 1).signature).to_string();
    let damaged: SshSignature = serde_json::from_value(serde_json::json!(text[1..])).expect("a text");
    let head = SignedHead { signature: damaged, ..signed(7, 1) };
    let refusal = Refusal::Invalid { problem: BadSignature::Damaged };
    assert_eq!(ask(&State::default(), &sign(7), Some(head)), Outcome::refused(refusal));
}
