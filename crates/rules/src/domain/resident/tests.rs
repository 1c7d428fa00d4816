//! Given / when / then for the resident agent.

mod word;

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;

use super::command::{Approve, Deliver, Finish, Override, Release, Send, Take};
use super::event::{Approved, Delivered, Overridden, Queued, Released, Taken};
use super::state::REMEMBERED;
use super::told::LeftOut;
use super::word::{Approval, Delivery, Dimension, DimensionState, MessagePhase, MessageTrust, TickAction, TickTrigger};
use super::{Command, Event, Observed, Refusal, State, decide};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::json::Json;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

const AGENT: &str = "ada";

fn at(second: i64) -> Timestamp {
    Timestamp::from_millis(second * 1_000)
}

/// A world with a clock, and who acts in it.
#[derive(Default)]
struct Desk {
    state: State,
    settings: Settings,
    observed: Observed,
    second: i64,
}

impl Desk {
    fn ask(&mut self, actor: &str, standing: Standing, command: impl Into<Command>) -> Outcome<Event, Refusal> {
        self.second += 1;
        let (id, at, command) = (EntryId::new(at(self.second), 1), at(self.second), command.into());
        let (actor, session) = (AgentId::from(actor), SessionId::from("s"));
        let moment = Moment { id, at, actor, standing, session, settings: &self.settings };
        let outcome = decide(&self.state, &command, &self.observed, &moment);
        for event in &outcome.events {
            let cause = Cause { asked: Some((&command, &self.observed)), id, at, actor: &moment.actor };
            self.state.evolve(event, &cause);
        }
        outcome
    }

    fn user(&mut self, command: impl Into<Command>) -> Outcome<Event, Refusal> {
        self.ask("user", Standing::User, command)
    }

    fn host(&mut self, command: impl Into<Command>) -> Outcome<Event, Refusal> {
        self.ask("system", Standing::System, command)
    }

    /// A message of the user's that waits.
    fn waits(&mut self, content: &str) -> EntryId {
        assert_eq!(self.user(send("user", "ui", content)).refusal, None);
        EntryId::new(at(self.second), 1)
    }

    fn trust_of(&mut self, actor: &str, standing: Standing, from: &str, channel: &str) -> MessageTrust {
        let outcome = self.ask(actor, standing, send(from, channel, "hello"));
        let [Event::Queued(queued)] = &outcome.events[..] else { panic!("queued: {outcome:?}") };
        queued.trust
    }

    fn taken(&mut self) {
        assert_eq!(self.host(take("c1/1")).refusal, None);
    }
}

fn send(from: &str, channel: &str, content: &str) -> Send {
    let metadata = BTreeMap::new();
    Send { agent: AGENT.into(), from: from.into(), channel: channel.into(), content: content.into(), metadata }
}

fn take(owner: &str) -> Take {
    Take { agent: AGENT.into(), owner: owner.into(), ttl_ms: 60_000, take_over: None }
}

fn finish(message: Option<EntryId>, action: TickAction) -> Finish {
    Finish {
        agent: AGENT.into(),
        owner: "c1/1".into(),
        trigger: TickTrigger::Message,
        message,
        action,
        answer: if message.is_some() { "well".into() } else { "".into() },
        delivery: message.map(|_| Delivery::Pending),
        homeostasis: Json::of(&json!({})),
        asked: BTreeMap::new(),
        facts: Vec::new(),
        ms: 7,
        reason: None,
        summary: None,
        left_out: LeftOut::default(),
    }
}

#[test]
fn a_message_waits_and_has_the_id_of_its_entry() {
    let mut desk = Desk::default();
    let id = EntryId::new(at(1), 1);
    let queued = Queued { message: id, agent: AGENT.into(), trust: MessageTrust::Absolute };
    assert_eq!(desk.user(send("user", "ui", "hello")), Outcome::of(queued));
    let message = desk.state.message(id).expect("it is there");
    assert_eq!((&*message.content, message.phase), ("hello", MessagePhase::Waiting));
    assert_eq!(desk.state.agent(&AGENT.into()).expect("it is there").waiting, [id]);
}

#[test]
fn a_message_is_trusted_as_the_lower_of_sender_and_channel() {
    let mut desk = Desk::default();
    desk.settings.set("resident.people", Some(json!({ "boss": "high", "anna": "absolute" })));
    let agent = || Standing::Agent(Role::Critic);
    let rows = [
        ("user", Standing::User, "user", "ui", MessageTrust::Absolute),
        ("user", Standing::User, "user", "api", MessageTrust::High),
        ("user", Standing::User, "user", "smoke", MessageTrust::None),
        ("user", Standing::User, "boss", "ui", MessageTrust::High),
        ("user", Standing::User, "nobody", "ui", MessageTrust::None),
        ("anna", agent(), "anna", "ui", MessageTrust::Medium),
        ("anna", agent(), "boss", "ui", MessageTrust::Medium),
        ("anna", agent(), "user", "ui", MessageTrust::None),
        ("anna", Standing::Stranger, "boss", "ui", MessageTrust::None),
        ("who", Standing::Stranger, "who", "ui", MessageTrust::None),
    ];
    for (actor, standing, from, channel, trust) in rows {
        assert_eq!(desk.trust_of(actor, standing, from, channel), trust, "{actor} for {from} through {channel}");
    }
}

#[test]
fn a_message_says_something_from_somebody_through_a_channel() {
    let bad = [
        send("user", "ui", " "),
        send("", "ui", "hello"),
        send("user", " ", "hello"),
        send("user", "ui", &"x".repeat(16_001)),
        Send { agent: "".into(), ..send("user", "ui", "hello") },
        Send { metadata: [("".into(), "1".into())].into(), ..send("user", "ui", "hello") },
        Send { metadata: [("k".into(), "x".repeat(257).into())].into(), ..send("user", "ui", "hello") },
    ];
    for send in bad {
        let refused = Outcome::refused(Refusal::BadMessage { most: 16_000, names: 256, keys: 32 });
        assert_eq!(Desk::default().user(send), refused);
    }
}

#[test]
fn no_more_messages_wait_than_may() {
    let mut desk = Desk::default();
    desk.settings.set("resident.max_pending", Some(json!(2)));
    desk.waits("one");
    desk.waits("two");
    let refused = Outcome::refused(Refusal::QueueFull { agent: AGENT.into(), most: 2 });
    assert_eq!(desk.user(send("user", "ui", "three")), refused);
}

#[test]
fn two_processes_never_have_one_agent() {
    let mut desk = Desk::default();
    desk.taken();
    let held = Refusal::LeaseHeld { agent: AGENT.into(), owner: "c1/1".into(), until: at(61) };
    assert_eq!(desk.host(take("c1/2")), Outcome::refused(held.clone()));
    assert_eq!(desk.host(take("c2/1")), Outcome::refused(held));
    assert_eq!(desk.host(take("c1/1")).refusal, None); // its own is kept
}

#[test]
fn a_lease_that_ran_out_is_taken_over_and_says_from_whom() {
    let mut desk = Desk::default();
    desk.taken();
    desk.second = 60;
    let taken = Taken { agent: AGENT.into(), owner: "c2/9".into(), until: at(121), from: Some("c1/1".into()) };
    assert_eq!(desk.host(take("c2/9")), Outcome::of(taken));
}

#[test]
fn a_process_of_the_same_clone_that_is_gone_is_taken_over_at_once() {
    let mut desk = Desk::default();
    desk.taken();
    desk.observed.gone = Some("c1/1".into());
    assert!(desk.host(take("c2/1")).refusal.is_some(), "another clone cannot know");
    assert_eq!(desk.host(take("c1/2")).refusal, None);
}

#[test]
fn a_tick_ends_under_a_lease_alone() {
    let mut desk = Desk::default();
    let id = desk.waits("hello");
    let none = Outcome::refused(Refusal::NoLease { agent: AGENT.into(), owner: "c1/1".into() });
    assert_eq!(desk.host(finish(Some(id), TickAction::Respond)), none);
    desk.taken();
    desk.second += 60;
    assert_eq!(desk.host(finish(Some(id), TickAction::Respond)), none);
}

#[test]
fn a_message_is_answered_once() {
    let mut desk = Desk::default();
    let id = desk.waits("hello");
    desk.taken();
    assert_eq!(desk.host(finish(Some(id), TickAction::Respond)).refusal, None);
    let done = Refusal::NotWaiting { message: id, phase: MessagePhase::Done };
    assert_eq!(desk.host(finish(Some(id), TickAction::Respond)), Outcome::refused(done));
    let message = desk.state.message(id).expect("it is there");
    assert_eq!((message.answer.as_deref(), message.delivery), (Some("well"), Some(Delivery::Pending)));
}

#[test]
fn the_person_alone_takes_the_agent_from_a_process_that_they_name() {
    let mut desk = Desk::default();
    desk.taken();
    let over = |from: &str| Take { take_over: Some(from.into()), ..take("c2/1") };
    let not_user = Refusal::NotUser { actor: "system".into() };
    assert_eq!(desk.host(over("c1/1")), Outcome::refused(not_user));
    let held = Refusal::LeaseHeld { agent: AGENT.into(), owner: "c1/1".into(), until: at(61) };
    assert_eq!(desk.user(over("c1/2")), Outcome::refused(held));
    let outcome = desk.user(over("c1/1"));
    let until = at(desk.second).plus_millis(60_000);
    let taken = Taken { agent: AGENT.into(), owner: "c2/1".into(), until, from: Some("c1/1".into()) };
    assert_eq!(outcome, Outcome::of(taken));
}

#[test]
fn a_message_says_who_handed_it_in() {
    let mut desk = Desk::default();
    desk.ask("anna", Standing::Stranger, send("user", "ui", "hello"));
    let message = desk.state.message(EntryId::new(at(1), 1)).expect("it is there");
    assert_eq!((&*message.from, message.sent_by.as_ref().map(AgentId::as_str)), ("user", Some("anna")));
}

#[test]
fn a_state_is_set_by_the_person_and_holds_five_minutes() {
    let mut desk = Desk::default();
    let set = |ttl_ms| Override {
        agent: AGENT.into(),
        dimension: Dimension::ProgressMomentum,
        state: DimensionState::Low,
        ttl_ms,
    };
    let until = at(1).plus_millis(300_000);
    let (dimension, state) = (Dimension::ProgressMomentum, DimensionState::Low);
    let overridden = Overridden { agent: AGENT.into(), dimension, state, until };
    assert_eq!(desk.user(set(None)), Outcome::of(overridden));
    let not_user = Refusal::NotUser { actor: "system".into() };
    assert_eq!(desk.host(set(None)), Outcome::refused(not_user));
    for ttl_ms in [0, 86_400_001] {
        assert_eq!(desk.user(set(Some(ttl_ms))), Outcome::refused(Refusal::BadTtl { ttl_ms, most: 86_400_000 }));
    }
}

#[test]
fn an_answer_is_delivered_until_it_has_arrived() {
    let mut desk = Desk::default();
    let id = desk.waits("hello");
    let nothing = Outcome::refused(Refusal::NothingToDeliver { message: id });
    let deliver = |delivery| Deliver { message: id, delivery, reason: None };
    assert_eq!(desk.host(deliver(Delivery::Delivered)), nothing);
    desk.taken();
    desk.host(finish(Some(id), TickAction::Respond));
    assert_eq!(desk.host(deliver(Delivery::Failed)).refusal, None);
    let delivered = Delivered { message: id, delivery: Delivery::Delivered };
    assert_eq!(desk.host(deliver(Delivery::Delivered)), Outcome::of(delivered));
    assert_eq!(desk.host(deliver(Delivery::Delivered)), nothing);
}

#[test]
fn agents_neither_host_nor_deliver() {
    let mut desk = Desk::default();
    let id = desk.waits("hello");
    desk.taken();
    let commands: [Command; 4] = [
        take("c1/1").into(),
        Release { agent: AGENT.into(), owner: "c1/1".into() }.into(),
        finish(Some(id), TickAction::Respond).into(),
        Deliver { message: id, delivery: Delivery::Delivered, reason: None }.into(),
    ];
    for command in commands {
        let refused = Outcome::refused(Refusal::NotHost { actor: "anna".into() });
        assert_eq!(desk.ask("anna", Standing::Agent(Role::Moderator), command), refused);
    }
}

#[test]
fn who_lets_the_agent_go_has_it_no_more() {
    let mut desk = Desk::default();
    desk.taken();
    let release = || Release { agent: AGENT.into(), owner: "c1/1".into() };
    assert_eq!(desk.host(release()), Outcome::of(Released { agent: AGENT.into(), owner: "c1/1".into() }));
    let none = Refusal::NoLease { agent: AGENT.into(), owner: "c1/1".into() };
    assert_eq!(desk.host(release()), Outcome::refused(none));
}

#[test]
fn the_last_fifty_ticks_are_remembered() {
    let mut desk = Desk::default();
    for _ in 0..REMEMBERED + 3 {
        desk.taken();
        desk.host(finish(None, TickAction::Rest));
    }
    let row = desk.state.agent(&AGENT.into()).expect("it is there");
    assert_eq!((row.activity.len(), row.ticks), (50, 53));
    assert_eq!(row.activity.last().map(|tick| tick.at), Some(at(desk.second)));
}

/// What may happen to an agent, for the law below.
#[derive(Debug, Clone, Copy)]
enum Happens {
    Sends,
    Takes(u8),
    Ticks(u8, TickAction),
    Approves(Approval),
    Waits(u16),
}

fn happens() -> impl Strategy<Value = Happens> {
    let actions = [TickAction::Respond, TickAction::Ask, TickAction::Deny, TickAction::SetAside, TickAction::Decline];
    prop_oneof![
        Just(Happens::Sends),
        (0..3u8).prop_map(Happens::Takes),
        ((0..3u8), prop::sample::select(actions.to_vec())).prop_map(|(owner, action)| Happens::Ticks(owner, action)),
        prop::sample::select(vec![Approval::Yes, Approval::No]).prop_map(Happens::Approves),
        (1..200u16).prop_map(Happens::Waits),
    ]
}

proptest! {
    /// Whatever processes do, each message waits, is held or is done: never two of them, and never none; and an answer
    /// that was given stays.
    #[test]
    fn a_message_stands_in_one_place(all in prop::collection::vec(happens(), 1..60)) {
        let mut desk = Desk::default();
        let mut sent = Vec::new();
        for one in all {
            match one {
                Happens::Sends => sent.push(desk.waits("hello")),
                Happens::Takes(owner) => drop(desk.host(take(&format!("c{owner}/1")))),
                Happens::Ticks(owner, action) => {
                    let next = desk.state.agent(&AGENT.into()).and_then(|row| row.waiting.first().copied());
                    let finish = Finish { owner: format!("c{owner}/1").into(), ..finish(next, action) };
                    desk.host(finish);
                }
                Happens::Approves(approval) => {
                    let row = desk.state.agent(&AGENT.into()).cloned().unwrap_or_default();
                    if let Some(message) = row.held.first().or(row.waiting.last()).copied() {
                        desk.user(Approve { message, approval, reason: None });
                    }
                }
                Happens::Waits(seconds) => desk.second += i64::from(seconds),
            }
            let row = desk.state.agent(&AGENT.into()).cloned().unwrap_or_default();
            for id in &sent {
                let message = desk.state.message(*id).expect("it is there");
                let places = (row.waiting.contains(id), row.held.contains(id));
                let expected = match message.phase {
                    MessagePhase::Waiting => (true, false),
                    MessagePhase::Held => (false, true),
                    MessagePhase::Done => (false, false),
                };
                prop_assert_eq!(places, expected);
            }
        }
    }
}
