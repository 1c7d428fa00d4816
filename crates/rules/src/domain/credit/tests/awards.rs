//! Who may award what to whom.

use super::super::command::{Complete, Slice};
use super::super::event::{Completed, Refused};
use super::super::reason::Heading;
use super::*;

fn refusal(award: &Award, by: &str, refusal: Refusal) -> Outcome<Event, Refusal> {
    let rule = refusal.rule().into();
    Outcome::refused_with(Refused { agent: award.agent.clone(), by: by.into(), reason: award.reason, rule }, refusal)
}

fn amount(outcome: &Outcome<Event, Refusal>) -> Option<i64> {
    let Some(Event::Awarded(awarded)) = outcome.events.last() else { return None };
    Some(awarded.amount.in_thousandths())
}

/// Control-room 11.6.
#[test]
fn nobody_awards_credits_to_itself_whatever_the_reason() {
    for reason in CreditReason::ALL {
        for actor in ["writer", "mod", "assistant"] {
            let award = award(actor, *reason);
            let outcome = ask(&mut swarm(), actor, 1, award.clone());
            assert_eq!(outcome, refusal(&award, actor, Refusal::SelfAward { agent: actor.into() }), "{reason}");
        }
    }
}

/// Control-room 11.6, decision 16: heading by heading, and every refusal is a security event.
#[test]
fn each_reason_is_awarded_by_those_of_its_heading_alone() {
    for reason in CreditReason::ALL {
        for (actor, own) in [
            ("user", Some(Heading::User)),
            ("mod", Some(Heading::Moderator)),
            ("critic", Some(Heading::Agents)),
            ("assistant", Some(Heading::Agents)),
            ("system", None),
            ("stranger", None),
        ] {
            let award = award("writer", *reason);
            let mut state = swarm();
            state.unfrozen(&issue(), &"mod".into());
            let outcome = ask(&mut state, actor, 1, award.clone());
            let heading = reason.heading();
            let is_own = own == Some(heading) || actor == "mod" && heading == Heading::Agents;
            let by = || AgentId::from(actor);
            let why = match (is_own, actor) {
                (true, _) => None,
                (false, "stranger") => Some(Refusal::Stranger { by: by() }),
                (false, _) if heading == Heading::System => Some(Refusal::SystemOnly { reason: *reason }),
                (false, _) => Some(Refusal::NotEntitled { by: by(), reason: *reason, heading }),
            };
            match why {
                Some(why) => assert_eq!(outcome, refusal(&award, actor, why), "{reason} by {actor}"),
                None => assert_eq!(outcome.refusal, None, "{reason} by {actor}"),
            }
        }
    }
}

/// Control-room 11.5: by hand no more often than it went well.
#[test]
fn an_unfreezing_that_went_well_pays_once() {
    let (reason, mut state) = (CreditReason::CleanUnfreeze, swarm());
    let praise = || award("writer", reason);
    let without = Award { about: AwardSubject::default(), ..praise() };
    assert_eq!(ask(&mut state, "mod", 1, without.clone()), refusal(&without, "mod", Refusal::NoIssue { reason }));
    assert_eq!(ask(&mut state, "mod", 2, praise()), refusal(&praise(), "mod", Refusal::NotDue { reason }));
    state.unfrozen(&issue(), &"mod".into());
    assert_eq!(amount(&ask(&mut state, "mod", 3, praise())), Some(1000));
    assert_eq!(ask(&mut state, "mod", 4, praise()), refusal(&praise(), "mod", Refusal::NotDue { reason }));
}

/// Control-room 11.5.
#[test]
fn fixed_amounts_are_those_of_the_document() {
    let settings = Settings::default();
    let fixed =
        CreditReason::ALL.iter().map(|reason| (reason.as_str(), reason.fixed(&settings).in_thousandths() / 1000));
    let fixed: Vec<_> = fixed.filter(|(_, amount)| *amount != 0).collect();
    let document = [
        ("consulted-devils-advocate", 1),
        ("issue-applied-in-work", 2),
        ("comment-under-budget", 1),
        ("prevented-user-conflict", 3),
        ("proposal-accepted-by-user", 3),
        ("user-marked-helpful", 2),
        ("clean-unfreeze", 1),
        ("peer-marked-helpful", 1),
        ("evidence-failed-verification", -2),
        ("circuit-breaker-triggered", -1),
        ("issue-marked-leech", -1),
        ("hallucination-detected", -3),
    ];
    assert_eq!(fixed, document);
}

/// Decision 16.
#[test]
fn what_the_moderator_may_say_is_held_between_1_and_3() {
    for (reason, sign) in [(CreditReason::ModeratorCommendation, 1), (CreditReason::ModeratorPenalty, -1)] {
        for (said, meant) in [(None, 1), (Some(2), 2), (Some(100), 3), (Some(0), 1), (Some(-2), 2), (Some(i64::MIN), 3)]
        {
            let award = Award { amount: said, ..award("writer", reason) };
            assert_eq!(amount(&ask(&mut swarm(), "mod", 1, award)), Some(sign * meant * 1000), "{reason} {said:?}");
        }
    }
}

#[test]
fn others_do_not_say_how_many() {
    let award = Award { amount: Some(50), ..award("writer", CreditReason::UserMarkedHelpful) };
    let outcome = ask(&mut swarm(), "user", 1, award.clone());
    assert_eq!(outcome, refusal(&award, "user", Refusal::FixedAmount { reason: CreditReason::UserMarkedHelpful }));
}

/// Control-room 14: the user takes part, but earns nothing.
#[test]
fn the_user_earns_nothing() {
    let award = award("user", CreditReason::PeerMarkedHelpful);
    let outcome = ask(&mut swarm(), "critic", 1, award.clone());
    assert_eq!(outcome, refusal(&award, "critic", Refusal::UserEarnsNothing));
}

#[test]
fn nobody_outside_the_roster_earns_anything() {
    let award = award("ghost", CreditReason::UserMarkedHelpful);
    let outcome = ask(&mut swarm(), "user", 1, award.clone());
    assert_eq!(outcome, refusal(&award, "user", Refusal::UnknownAgent { agent: "ghost".into() }));
}

/// Decision 16: gold 1, silver 0.75, bronze 0.5, none 0.25.
#[test]
fn the_thanks_of_a_peer_weigh_as_much_as_its_tier() {
    for (verified, failed, penalised, expected) in
        [(100, 2, 2, 1000), (100, 10, 10, 750), (100, 25, 20, 500), (100, 60, 30, 250), (3, 0, 0, 250)]
    {
        let mut state = swarm();
        for event in citing("critic", verified, failed) {
            take(&mut state, 1, event);
        }
        take(&mut state, 1, awarded("critic", 2000, CreditReason::UserMarkedHelpful, "user"));
        for action in 0..100u64 {
            let entry = EntryId::new(Timestamp::from_millis(0), u128::from(action) + 1);
            state.acted(&"critic".into(), &"m".into(), entry, Timestamp::from_millis(0));
            if action < penalised {
                state.penalised(&"critic".into(), &"m".into(), entry);
            }
        }
        let thanks = ask(&mut state, "critic", 2, award("writer", CreditReason::PeerMarkedHelpful));
        assert_eq!(amount(&thanks), Some(expected), "{verified} verified, {failed} failed, {penalised} penalised");
    }
}

/// Control-room 11.6: two cannot thank each other rich.
#[test]
fn thanks_are_said_once_for_an_issue() {
    let mut state = swarm();
    let thanks = award("writer", CreditReason::PeerMarkedHelpful);
    assert_eq!(ask(&mut state, "critic", 1, thanks.clone()).refusal, None);
    let again = ask(&mut state, "critic", 2, thanks.clone());
    let why = Refusal::ThankedAlready { by: "critic".into(), agent: "writer".into() };
    assert_eq!(again, refusal(&thanks, "critic", why));
    let nothing = Award { about: AwardSubject::default(), ..thanks };
    let why = Refusal::NoIssue { reason: CreditReason::PeerMarkedHelpful };
    assert_eq!(ask(&mut state, "critic", 3, nothing.clone()), refusal(&nothing, "critic", why));
    assert_eq!(state.totals.refused, 2);
}

fn cut(total: u32, slices: u32) -> Slice {
    Slice { issue: issue(), doer: "writer".into(), total, slices }
}

fn done() -> Complete {
    Complete { issue: issue(), doer: "writer".into() }
}

/// Control-room 11.4.1.
#[test]
fn a_task_of_ten_in_five_slices_earns_two_a_slice_and_ten_in_all() {
    let mut state = swarm();
    assert_eq!(ask(&mut state, "assistant", 1, cut(10, 5)).refusal, None);
    for number in 1..=5 {
        let outcome = ask(&mut state, "assistant", 1 + u64::from(number), done());
        let part = Completed { issue: issue(), doer: "writer".into(), number };
        let share = awarded("writer", 2000, CreditReason::AssistedSlice, "assistant");
        assert_eq!(outcome, Outcome { events: vec![part.into(), share.into()], refusal: None });
    }
    assert_eq!(ask(&mut state, "assistant", 9, done()).refusal, Some(Refusal::NoPart { doer: "writer".into() }));
    assert_eq!(
        ask(&mut state, "assistant", 10, cut(10, 5)).refusal,
        Some(Refusal::CutAlready { doer: "writer".into() })
    );
    assert_eq!(state.totals.tally(&"writer".into(), None).credits, Credits::whole(10));
}

#[test]
fn only_the_assistant_and_the_user_cut_tasks_and_never_for_themselves() {
    let mut state = swarm();
    let not = |actor: &str| Some(Refusal::NotTheAssistant { actor: actor.into() });
    assert_eq!(ask(&mut state, "mod", 1, cut(10, 5)).refusal, not("mod"));
    let own = Slice { doer: "assistant".into(), ..cut(10, 5) };
    assert_eq!(ask(&mut state, "assistant", 2, own).refusal, Some(Refusal::SelfAward { agent: "assistant".into() }));
    assert_eq!(ask(&mut state, "user", 3, cut(4, 2)).refusal, None);
    let by_itself = ask(&mut state, "writer", 4, done());
    let award = award("writer", CreditReason::AssistedSlice);
    assert_eq!(by_itself, refusal(&award, "writer", Refusal::SelfAward { agent: "writer".into() }));
    assert_eq!(
        ask(&mut state, "critic", 5, done()),
        refusal(&award, "critic", Refusal::NotTheAssistant { actor: "critic".into() })
    );
}

#[test]
fn a_task_has_credits_and_slices_and_not_too_many() {
    for (total, slices) in [(10, 0), (0, 5)] {
        let refusal = ask(&mut swarm(), "assistant", 1, cut(total, slices)).refusal;
        assert_eq!(refusal, Some(Refusal::BadSlices { total, slices }));
    }
    for (total, slices) in [(21, 5), (10, 21)] {
        let refusal = ask(&mut swarm(), "assistant", 1, cut(total, slices)).refusal;
        assert_eq!(refusal, Some(Refusal::TooLarge { most: 20 }));
    }
}
