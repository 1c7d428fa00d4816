//! Messages that wait for the person, and what their word does to them.

use super::*;

#[test]
fn what_is_asked_of_the_person_is_held_until_their_word() {
    let mut desk = Desk::default();
    let id = desk.waits("delete the database");
    desk.taken();
    desk.host(finish(Some(id), TickAction::Ask));
    assert_eq!(desk.state.message(id).map(|message| message.phase), Some(MessagePhase::Held));
    let approve = |approval| Approve { message: id, approval, reason: None };
    let not_user = desk.ask("anna", Standing::Agent(Role::TeamLead), approve(Approval::Yes));
    assert_eq!(not_user, Outcome::refused(Refusal::NotUser { actor: "anna".into() }));
    let approved = Approved { message: id, agent: AGENT.into(), approval: Approval::Yes };
    assert_eq!(desk.user(approve(Approval::Yes)), Outcome::of(approved));
    assert_eq!(
        desk.state.agent(&AGENT.into()).map(|row| (row.waiting.clone(), row.held.clone())),
        Some((vec![id], vec![]))
    );
    let taken_back = Approved { message: id, agent: AGENT.into(), approval: Approval::No };
    assert_eq!(desk.user(approve(Approval::No)), Outcome::of(taken_back));
    desk.host(finish(Some(id), TickAction::Decline));
    let not_held = Refusal::NotHeld { message: id, phase: MessagePhase::Done };
    assert_eq!(desk.user(approve(Approval::Yes)), Outcome::refused(not_held));
}

#[test]
fn a_message_that_waits_may_be_allowed_too_and_waits_once() {
    let mut desk = Desk::default();
    let id = desk.waits("hello");
    desk.user(Approve { message: id, approval: Approval::Yes, reason: None });
    assert_eq!(desk.state.agent(&AGENT.into()).expect("it is there").waiting, [id]);
    let message = desk.state.message(id).expect("it is there");
    assert_eq!((message.approval, message.approved_in), (Some(Approval::Yes), Some(EntryId::new(at(2), 1))));
}

/// The word, its reason and the queue after it.
fn word(desk: &Desk, id: EntryId) -> (MessagePhase, Option<Approval>, Option<&str>, usize) {
    let message = desk.state.message(id).expect("it is there");
    let waiting = desk.state.agent(&AGENT.into()).expect("it is there").waiting.len();
    (message.phase, message.approval, message.approval_reason.as_deref(), waiting)
}

#[test]
fn a_no_ends_a_message_once_who_was_told_to_wait_has_heard_of_it() {
    let mut desk = Desk::default();
    let id = desk.waits("delete the database");
    desk.taken();
    let no = Approve { message: id, approval: Approval::No, reason: Some("not today".into()) };
    desk.host(finish(Some(id), TickAction::Ask));
    desk.user(no.clone());
    assert_eq!(word(&desk, id), (MessagePhase::Waiting, Some(Approval::No), Some("not today"), 1));
    desk.user(no);
    assert_eq!(word(&desk, id).3, 1, "said twice it waits once");
    desk.host(finish(Some(id), TickAction::Decline));
    assert_eq!(word(&desk, id), (MessagePhase::Done, Some(Approval::No), Some("not today"), 0));
    let unheard = desk.waits("hello");
    desk.user(Approve { message: unheard, approval: Approval::No, reason: None });
    assert_eq!(word(&desk, unheard), (MessagePhase::Done, Some(Approval::No), None, 0));
}

#[test]
fn what_is_set_aside_says_why_and_a_yes_allows_nothing_but_another_try() {
    let mut desk = Desk::default();
    let id = desk.waits("a long story");
    desk.taken();
    let aside = || Finish { reason: Some("too long".into()), ..finish(Some(id), TickAction::SetAside) };
    desk.host(aside());
    let held = desk.state.agent(&AGENT.into()).map(|row| (row.waiting.clone(), row.held.clone()));
    assert_eq!(held, Some((vec![], vec![id])));
    let why = |desk: &Desk| desk.state.message(id).and_then(|message| message.set_aside.clone());
    assert_eq!(why(&desk).as_deref(), Some("too long"));
    desk.user(Approve { message: id, approval: Approval::Yes, reason: Some("shorter now".into()) });
    assert_eq!(word(&desk, id), (MessagePhase::Waiting, None, None, 1));
    desk.host(aside());
    for approval in [Approval::No, Approval::Yes] {
        desk.user(Approve { message: id, approval, reason: None });
        assert_eq!(word(&desk, id), (MessagePhase::Waiting, Some(approval), None, 1));
    }
    desk.host(finish(Some(id), TickAction::Respond));
    assert_eq!(why(&desk), None);
}
