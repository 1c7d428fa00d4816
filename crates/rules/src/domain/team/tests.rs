//! Given / when / then for the credits of the team.

use super::event::Awarded;
use super::{State, TeamReason};
use annals_kernel::credits::Credits;
use annals_kernel::decision::Cause;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::period::Period;
use annals_kernel::time::Timestamp;

fn awarded(reason: TeamReason, cause: &str) -> Awarded {
    let amount = Credits::whole(reason.default_amount());
    Awarded { amount, reason, cause: cause.into(), about: "".into(), agent: None }
}

fn take(state: &mut State, minute: i64, awarded: Awarded) {
    let at = Timestamp::from_millis(minute * 60_000);
    let system = AgentId::from("system");
    state.evolve(&awarded.into(), &Cause { asked: None, id: EntryId::new(at, 1), at, actor: &system });
}

/// Control-room 14.4, 15.1, 15.2.
#[test]
fn amounts_are_those_of_the_document_and_five_where_it_gives_none() {
    let amounts = TeamReason::ALL.iter().map(|reason| (reason.as_str(), reason.default_amount()));
    let document = [
        ("team-canon-integrity", 2),
        ("clean-chapter-completion", 10),
        ("all-agents-gold-tier", 10),
        ("collective-goal-achieved", 5),
        ("zero-penalties-session", 5),
        ("successful-da-challenge", 5),
    ];
    assert_eq!(amounts.collect::<Vec<_>>(), document);
}

/// Control-room 15: what two branches both saw counts once.
#[test]
fn each_cause_counts_once_for_a_reason() {
    let mut state = State::default();
    for cause in ["a", "a", "b", "a"] {
        take(&mut state, 1, awarded(TeamReason::CleanChapter, cause));
    }
    take(&mut state, 2, awarded(TeamReason::AllGold, "a"));
    assert_eq!(state.totals.credits, Credits::whole(30));
    assert_eq!(state.totals.by_reason, [(TeamReason::CleanChapter, 2), (TeamReason::AllGold, 1)].into());
    assert!(state.has(TeamReason::AllGold, "a") && !state.has(TeamReason::AllGold, "b"));
}

/// Control-room 15.3.
#[test]
fn what_follows_from_the_end_of_a_period_counts_in_it() {
    let mut state = State::default();
    take(&mut state, 1, awarded(TeamReason::GoalAchieved, "before"));
    state.begun(Period::Session);
    state.over(Period::Session, EntryId::new(Timestamp::from_millis(2 * 60_000), 1));
    take(&mut state, 2, awarded(TeamReason::ZeroPenalties, "the session"));
    take(&mut state, 3, awarded(TeamReason::GoalAchieved, "after"));
    let credits = [Some(Period::Session), Some(Period::Act), None].map(|period| state.credits(period));
    assert_eq!(credits, [5, 0, 15].map(Credits::whole));
}
