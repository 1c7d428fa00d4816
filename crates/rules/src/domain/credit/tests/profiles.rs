//! Totals, rates, streaks, tiers and leaderboards.

use super::super::board::BoardPlace;
use super::super::profile::{Blame, GivenCredits, StretchTally, Tier};
use super::*;
use annals_kernel::credits::Rate;
use annals_kernel::period::Period;

fn tally(verified: u64, cited: u64, penalised: u64, actions: u64) -> StretchTally {
    let helpful = (CreditReason::PeerMarkedHelpful, GivenCredits { times: 1, credits: Credits::whole(1) });
    StretchTally { verified, cited, actions, penalised, by_reason: [helpful].into(), ..StretchTally::default() }
}

/// Control-room 11.8: who is borne out by nobody could cite for ever.
#[test]
fn a_tier_needs_somebody_else() {
    for reason in CreditReason::ALL {
        let given = [(*reason, GivenCredits { times: 1, credits: Credits::ZERO })].into();
        let alone = StretchTally { by_reason: given, ..tally(100, 100, 0, 100) };
        let expected = if reason.needs_another() { Tier::Gold } else { Tier::None };
        assert_eq!(alone.tier(&Settings::default()), expected, "{reason}");
    }
    let nothing = StretchTally { by_reason: std::collections::BTreeMap::new(), ..tally(100, 100, 0, 100) };
    assert_eq!(nothing.tier(&Settings::default()), Tier::None);
}

/// Control-room 11.8, decision 18.
#[test]
fn tiers_are_those_of_the_document_and_their_bounds_belong_to_the_worse_side() {
    for (counts, tier) in [
        ((96, 100, 4, 100), Tier::Gold),
        ((95, 100, 4, 100), Tier::Silver),
        ((96, 100, 5, 100), Tier::Silver),
        ((86, 100, 14, 100), Tier::Silver),
        ((85, 100, 14, 100), Tier::Bronze),
        ((71, 100, 24, 100), Tier::Bronze),
        ((70, 100, 24, 100), Tier::None),
        ((100, 100, 25, 100), Tier::None),
        ((4, 4, 0, 100), Tier::None),
        ((100, 100, 0, 4), Tier::None),
        ((5, 5, 0, 5), Tier::Gold),
    ] {
        let (verified, cited, penalised, actions) = counts;
        assert_eq!(tally(verified, cited, penalised, actions).tier(&Settings::default()), tier, "{counts:?}");
    }
}

/// Decision 18.
#[test]
fn rates_of_fewer_than_five_are_unknown() {
    let few = tally(4, 4, 4, 4);
    assert_eq!((few.verification().thousandths(), few.penalty().thousandths()), (None, None));
    assert_eq!(tally(4, 5, 1, 5).verification(), Rate::new(4, 5));
    assert_eq!(tally(4, 5, 1, 5).penalty().thousandths(), Some(200));
}

/// Control-room 11.8.
#[test]
fn a_streak_goes_on_until_a_citation_is_false() {
    let mut state = swarm();
    // Each on an issue of its own, so that no file is cited twice.
    let all = [citing("writer", 7, 0), citing("writer", 3, 0), citing("writer", 0, 1), citing("writer", 2, 0)];
    for (issue, event) in all.into_iter().flatten().filter(|event| !event.citations.is_empty()).enumerate() {
        let about = AwardSubject::issue(&IssueId::from(issue.to_string()));
        take(&mut state, 1, Awarded { about, ..event });
    }
    let record = state.totals.current(&"writer".into()).expect("a record");
    assert_eq!((record.streak, record.longest_streak), (2, 10));
    assert_eq!(record.lifetime.verification(), Rate::new(12, 13));
}

/// Control-room 11.8: one action is penalised once, whatever it costs; other penalties count as actions of their own.
#[test]
fn a_penalty_is_for_the_action_at_hand_or_for_one_of_its_own() {
    let (mut state, agent, model) = (swarm(), AgentId::from("writer"), "m".into());
    let (first, second) = (EntryId::new(Timestamp::from_millis(1), 1), EntryId::new(Timestamp::from_millis(2), 1));
    state.acted(&agent, &model, first, first.time());
    assert_eq!(state.penalised(&agent, &model, first), Blame::Action);
    assert_eq!(state.penalised(&agent, &model, first), Blame::Again);
    assert_eq!(state.penalised(&agent, &model, second), Blame::Else);
    assert_eq!(state.totals.tally(&agent, None).penalty(), Rate::new(2, 2));
}

/// Control-room 11.8, 11.10: credits of the session, chapter, act and of all time.
#[test]
fn each_period_counts_for_itself() {
    let mut state = swarm();
    let give = |state: &mut State, minute| {
        take(state, minute, awarded("writer", 1000, CreditReason::UserMarkedHelpful, "user"));
    };
    give(&mut state, 1);
    state.begun(Period::Chapter);
    give(&mut state, 2);
    state.begun(Period::Session);
    give(&mut state, 3);
    state.over(Period::Session, moment("user", 4, &Settings::default()).id);
    give(&mut state, 4);
    give(&mut state, 5);
    let credits = |period| state.totals.tally(&"writer".into(), period).credits;
    let periods = [Some(Period::Session), Some(Period::Chapter), Some(Period::Act), None];
    assert_eq!(
        periods.map(credits),
        [2000, 4000, 0, 5000].map(Credits::thousandths),
        "what follows from an end counts"
    );
    state.begun(Period::Session);
    assert_eq!(state.totals.tally(&"writer".into(), Some(Period::Session)), StretchTally::default());
}

/// Control-room 12.4: a model begins anew, and an agent that comes back to one goes on.
#[test]
fn the_tier_is_that_of_the_model_that_the_agent_has_now() {
    let (mut state, settings) = (swarm(), Settings::default());
    take(&mut state, 1, citing("writer", 9, 0)[0].clone());
    take(&mut state, 1, awarded("writer", 1000, CreditReason::PeerMarkedHelpful, "critic"));
    for number in 1..=9 {
        let entry = EntryId::new(Timestamp::from_millis(number), 1);
        state.acted(&"writer".into(), &"m".into(), entry, entry.time());
    }
    let tier = |state: &State| state.totals.tier(&"writer".into(), &settings);
    assert_eq!(tier(&state), Tier::Gold);
    state.joined(&"writer".into(), &"other".into());
    assert_eq!(tier(&state), Tier::None);
    state.joined(&"writer".into(), &"m".into());
    assert_eq!(tier(&state), Tier::Gold);
}

fn place(rank: usize, agent: &str, credits: i64, top: Option<(CreditReason, u64)>, streak: u64) -> BoardPlace {
    BoardPlace {
        rank,
        agent: agent.into(),
        credits: Credits::whole(credits),
        top_contribution: top,
        streak,
        tier: Tier::None,
    }
}

/// Control-room 11.10, 15.3.
#[test]
fn the_leaderboard_names_rank_credits_top_contribution_and_streak() {
    let mut state = swarm();
    let many = Awarded { amount: Credits::whole(5), ..citing("writer", 5, 0)[0].clone() };
    take(&mut state, 1, many);
    take(&mut state, 2, awarded("critic", 2000, CreditReason::UserMarkedHelpful, "user"));
    take(&mut state, 3, awarded("mod", 2000, CreditReason::UserMarkedHelpful, "user"));
    take(&mut state, 4, awarded("assistant", -1000, CreditReason::CircuitBreakerTriggered, "system"));
    let expected = [
        place(1, "writer", 5, Some((CreditReason::EvidenceVerified, 5)), 5),
        place(2, "critic", 2, Some((CreditReason::UserMarkedHelpful, 1)), 0),
        place(2, "mod", 2, Some((CreditReason::UserMarkedHelpful, 1)), 0),
        place(4, "assistant", -1, None, 0),
    ];
    assert_eq!(state.totals.board(None, &Settings::default()), expected);
    assert_eq!(state.totals.board(Some(Period::Act), &Settings::default()), []);
    assert_eq!(state.totals.mvp(None, &Settings::default()), Some("writer".into()));
}

/// Control-room 15.3.
#[test]
fn whoever_is_penalised_less_than_before_the_period_has_improved() {
    let mut state = swarm();
    let act = |state: &mut State, agent: &str, number: i64, penalised: bool| {
        let entry = EntryId::new(Timestamp::from_millis(number), 1);
        state.acted(&agent.into(), &"m".into(), entry, entry.time());
        if penalised {
            state.penalised(&agent.into(), &"m".into(), entry);
        }
    };
    (0..10).for_each(|number| act(&mut state, "writer", number, number < 5));
    (0..10).for_each(|number| act(&mut state, "critic", number, number < 2));
    state.begun(Period::Session);
    (10..20).for_each(|number| act(&mut state, "writer", number, number < 12));
    (10..20).for_each(|number| act(&mut state, "critic", number, false));
    assert_eq!(state.totals.most_improved(Period::Session), Some(("writer".into(), 300)));
    assert_eq!(state.totals.most_improved(Period::Act), None);
}
