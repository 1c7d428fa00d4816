//! What becomes of a council.

use super::super::command::{Argue, Confirm, CouncilPurpose, CouncilSide, Give, Inform, Open, Resolve, UserAnswer};
use super::super::count::{Choice, VoteCount, VoteVerdict};
use super::super::event::{Cast, Conclusion, Event, Lapsed, Means, Resolved};
use super::super::refusal::Leads;
use super::super::settings::{
    AGENTS, ARBITRATOR, DEBATE_ON_TIE, MAX_ROUNDS, QUORUM, Rules, SIZE, THRESHOLD, VOTING_HOURS,
};
use super::super::{CouncilStatus, Refusal};
use super::{Room, give, names, opening, resolve};
use annals_kernel::decision::Cause;
use annals_kernel::id::EntryId;
use annals_kernel::settings::AnySetting;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

use Choice::{Abstain, Approve, Reject};
use serde_json::{Value, json};

const CAST: &str = "council.vote.cast";
const TIED: &str = "council.session.tied";
const DEBATE: &str = "council.debate.opened";
const RESOLVED: &str = "council.session.resolved";

/// AFS 7.1, 13.2: the defaults.
#[test]
fn a_council_has_the_rules_of_the_document_unless_configured_otherwise() {
    let mut room = Room::default();
    let council = room.open(CouncilPurpose::Conflict);
    let expected = Rules {
        council_agents: vec!["explore".into(), "critic".into(), "general".into()],
        council_size: 3,
        quorum: 2,
        threshold: Share::thousandths(670),
        debate_on_tie: true,
        max_debate_rounds: 3,
        arbitrator: "user".into(),
        voting_hours: Some(24),
    };
    assert_eq!(room.session(&council).config, expected);
    room.settings.set("hivemind.council.threshold", Some(json!(0.5)));
    assert_eq!(room.session(&council).config, expected, "what is configured later is for later councils");
    let agents = json!(["a", "b", "a", "", "c", "d"]);
    let mut other =
        Room::with(&[(&SIZE, json!(3)), (&AGENTS, agents), (&MAX_ROUNDS, json!(99)), (&ARBITRATOR, json!("d"))]);
    let council = other.open(CouncilPurpose::Conflict);
    let rules = &other.session(&council).config;
    assert_eq!(rules.council_agents, ["a", "b", "c"].map(Box::from));
    assert_eq!((rules.max_debate_rounds, rules.arbitrator.as_str()), (10, "d"));
}

#[test]
fn rules_that_make_no_sense_cannot_be_set() {
    let problem = |setting: &dyn AnySetting, value: Value| setting.check(&value).map_err(|bad| bad.problem).err();
    let of = |problem: &str| Some(problem.to_owned());
    assert_eq!(problem(&THRESHOLD, json!(0.3)), of("0.3 is not within 0.5 and 1"));
    assert_eq!(problem(&QUORUM, json!(0)), of("0 is not within 1 and 15"));
    assert_eq!(problem(&SIZE, json!(99)), of("99 is not within 1 and 15"));
    assert_eq!(problem(&MAX_ROUNDS, json!(11)), of("11 is not within 0 and 10"));
    assert_eq!(problem(&VOTING_HOURS, json!(0)), of("0 is not within 1 and 720"));
    let bounds: [(&dyn AnySetting, Value); 5] = [
        (&THRESHOLD, json!(0.5)),
        (&QUORUM, json!(15)),
        (&SIZE, json!(1)),
        (&MAX_ROUNDS, json!(0)),
        (&VOTING_HOURS, json!(720)),
    ];
    assert!(bounds.into_iter().all(|(setting, value)| problem(setting, value).is_none()));
}

/// AFS 7.2.
#[test]
fn the_last_vote_decides() {
    let mut room = Room::default();
    let council = room.open(CouncilPurpose::Conflict);
    assert_eq!(names(&room.vote("explore", &council, Approve, 1000)), [CAST]);
    assert_eq!(names(&room.vote("general", &council, Reject, 980)), [CAST]);
    let last = room.vote("critic", &council, Approve, 1000);
    let cast = Cast {
        council: council.clone(),
        member: "critic".into(),
        vote: Approve,
        confidence: Share::WHOLE,
        rationale: "because".into(),
        model: None,
    };
    let resolved = Resolved {
        council: council.clone(),
        key: "the-key".into(),
        by: Means::Votes,
        count: VoteCount { approve: 2000, reject: 980, voices: 3 },
        result: Conclusion {
            final_decision: VoteVerdict::Approve,
            confidence: Share::thousandths(671),
            rationale: "".into(),
            model: None,
        },
        synthesis: None,
    };
    assert_eq!(last.events, vec![Event::from(cast), resolved.clone().into()]);
    let session = room.session(&council);
    assert_eq!((session.status, session.result.as_ref()), (CouncilStatus::Approved, Some(&resolved.result)));
    assert_eq!(room.state.totals.open, 0);
    let over = Refusal::Over { council: council.clone(), status: CouncilStatus::Approved };
    assert_eq!(room.vote("explore", &council, Approve, 1).refusal, Some(over));
}

/// AFS 7.2, decision 20: who abstains does not count for the quorum; too few decide nothing.
#[test]
fn without_a_quorum_the_votes_are_a_tie() {
    let mut room = Room::default();
    let council = room.open(CouncilPurpose::Conflict);
    room.vote("explore", &council, Abstain, 1000);
    room.vote("critic", &council, Approve, 1000);
    let early = room.ask("user", resolve(&council)).refusal;
    assert_eq!(early, Some(Refusal::NoQuorum { voices: 1, quorum: 2 }));
    assert_eq!(names(&room.vote("general", &council, Abstain, 1000)), [CAST, TIED, DEBATE]);
}

#[test]
fn the_votes_are_counted_early_once_the_quorum_is_there() {
    let mut room = Room::default();
    let council = room.open(CouncilPurpose::Conflict);
    room.vote("explore", &council, Reject, 900);
    room.vote("critic", &council, Reject, 100);
    let forced = Resolve { decision: Some(VoteVerdict::Approve), ..resolve(&council) };
    assert_eq!(room.ask("user", forced).refusal, Some(Refusal::VotesDecide));
    let until = room.session(&council).votes_until();
    for who in ["explore", "general", "anna"] {
        assert_eq!(room.ask(who, resolve(&council)).refusal, Some(Refusal::TooEarly { until }));
    }
    assert_eq!(names(&room.ask("lead", resolve(&council))), [RESOLVED]);
    assert_eq!(room.session(&council).status, CouncilStatus::Rejected);
}

/// A vote that never comes holds nothing up.
#[test]
fn when_its_time_is_over_anybody_closes_a_council_whatever_votes_are_in() {
    let mut room = Room::with(&[(&VOTING_HOURS, json!(2))]);
    let council = room.open(CouncilPurpose::Conflict);
    room.vote("explore", &council, Approve, 900);
    let few = Refusal::NoQuorum { voices: 1, quorum: 2 };
    for who in ["user", "lead", "explore"] {
        assert_eq!(room.ask(who, resolve(&council)).refusal, Some(few.clone()));
    }
    room.wait(2);
    assert_eq!(names(&room.ask("explore", resolve(&council))), [TIED, DEBATE]);
    assert_eq!(room.ask("user", word(&council)).refusal, Some(Refusal::NoRound));
    room.wait(2);
    assert_eq!(names(&room.ask("user", word(&council))), [RESOLVED], "and so is that of the debate");
}

/// AFS 7.2: who is no member has no vote; a member votes once, in its name, or before seats were taken in its role.
#[test]
fn each_member_has_one_vote() {
    let mut room = Room::default();
    let council = room.open(CouncilPurpose::Conflict);
    let refused = |who: &str| Some(Refusal::NotAMember { who: who.into(), members: "explore, critic, general".into() });
    assert_eq!(room.vote("anna", &council, Approve, 1000).refusal, refused("anna"));
    assert_eq!(room.vote("user", &council, Approve, 1000).refusal, refused("user"));
    let as_member = |member: &str| Give { member: Some(member.into()), ..give(&council, Approve, 1000) };
    assert_eq!(room.ask("anna", as_member("critic")).refusal, refused("anna"));
    assert_eq!(room.ask("user", as_member("anna")).refusal, refused("user"));
    assert_eq!(names(&room.vote("carl", &council, Approve, 1000)), [CAST], "a critic");
    let voted = Refusal::Voted { member: "critic".into(), vote: "approve".into() };
    assert_eq!(room.vote("critic", &council, Reject, 1000).refusal, Some(voted));
    assert_eq!(room.ask("user", as_member("critic")).refusal, refused("user"));
    assert_eq!(names(&room.ask("general", as_member("general"))), [CAST]);
    let session = room.session(&council);
    let cast: Vec<_> = session.votes.iter().map(|vote| (&*vote.agent_role, vote.cast_by.as_str())).collect();
    assert_eq!(cast, [("critic", "carl"), ("general", "general")]);
    assert_eq!(session.awaited().collect::<Vec<_>>(), ["explore"]);
}

const GIVEN: &str = "council.argument.given";

/// Both sides speak, in one order and the other.
fn round(room: &mut Room, council: &str, first: CouncilSide) {
    let who = |side| if side == CouncilSide::Pro { "explore" } else { "general" };
    for side in [first, first.other()] {
        assert_eq!(names(&room.plead(who(side), council, side)), [GIVEN]);
    }
}

fn word(council: &str) -> Resolve {
    Resolve { decision: Some(VoteVerdict::Reject), synthesis: Some("it stays".into()), ..resolve(council) }
}

fn tie(room: &mut Room) -> Box<str> {
    let council = room.open(CouncilPurpose::Conflict);
    for (who, vote) in [("explore", Approve), ("critic", Approve), ("general", Reject)] {
        room.vote(who, &council, vote, 1000);
    }
    council
}

/// AFS 7.1, 7.2: a tie is debated, and the arbitrator ends the debate.
#[test]
fn a_tie_is_debated_where_that_is_configured() {
    let mut room = Room::with(&[(&ARBITRATOR, json!("judge"))]);
    let council = tie(&mut room);
    assert_eq!(room.session(&council).status, CouncilStatus::Debating);
    let late = room.vote("critic", &council, Approve, 1000).refusal;
    assert_eq!(late, Some(Refusal::NotVoting { status: CouncilStatus::Debating }));
    assert_eq!(room.ask("judge", word(&council)).refusal, Some(Refusal::NoRound));
    for first in [CouncilSide::Pro, CouncilSide::Con, CouncilSide::Pro] {
        round(&mut room, &council, first);
    }
    assert_eq!(room.plead("explore", &council, CouncilSide::Pro).refusal, Some(Refusal::NoMoreRounds { most: 3 }));
    let arbitrator = Some("judge".into());
    let not = Refusal::NotTheArbitrator { actor: "explore".into(), arbitrator, leads: Leads::All };
    assert_eq!(room.ask("explore", word(&council)).refusal, Some(not));
    assert_eq!(room.ask("judge", resolve(&council)).refusal, Some(Refusal::NoSynthesis));
    assert_eq!(names(&room.ask("judge", word(&council))), [RESOLVED]);
    let session = room.session(&council);
    assert_eq!((session.status, session.audit.decided_by), (CouncilStatus::Rejected, Some(Means::Arbitration)));
    assert_eq!(session.rounds().iter().map(|round| round.round).collect::<Vec<_>>(), [1, 2, 3]);
    let synthesis = session.debate.as_ref().and_then(|debate| debate.final_synthesis.as_deref());
    assert_eq!(synthesis, Some("it stays"));
    let result = session.result.as_ref().expect("a result");
    assert_eq!(result.confidence, Share::thousandths(333), "as sure as the votes for it");
}

/// AFS 7.1: who speaks for a side is who says it, and nobody speaks for both.
#[test]
fn one_act_speaks_for_one_side_by_its_own_actor() {
    let mut room = Room::default();
    let council = tie(&mut room);
    let [pro_argument, con_argument, pro_agent, con_agent] = ["for", "against", "explore", "critic"].map(Box::from);
    let both = Argue { council: council.clone(), pro_argument, con_argument, pro_agent, con_agent };
    for who in ["user", "lead", "explore"] {
        assert_eq!(room.ask(who, both.clone()).refusal, Some(Refusal::OneSide));
    }
    assert_eq!(names(&room.plead("explore", &council, CouncilSide::Pro)), [GIVEN]);
    let plea = room.session(&council).unanswered().cloned().expect("a plea");
    assert_eq!((plea.side, &*plea.agent, &*plea.argument), (CouncilSide::Pro, "explore", "so it is"));
    let taken = Refusal::SideTaken { side: CouncilSide::Pro, who: "explore".into() };
    assert_eq!(room.plead("anna", &council, CouncilSide::Pro).refusal, Some(taken));
    let both = Some(Refusal::BothSides { who: "explore".into() });
    assert_eq!(room.plead("explore", &council, CouncilSide::Con).refusal, both.clone());
    assert_eq!(room.ask("user", word(&council)).refusal, Some(Refusal::NoRound), "half a round is none");
    assert_eq!(names(&room.plead("critic", &council, CouncilSide::Con)), [GIVEN]);
    assert_eq!(room.plead("explore", &council, CouncilSide::Con).refusal, both, "not in another round either");
    let held: Vec<_> = room.session(&council).rounds().to_vec();
    let [round] = &*held else { panic!("{held:?}") };
    assert_eq!((round.round, &*round.pro_agent, &*round.con_agent), (1, "explore", "critic"));
    assert_eq!(room.session(&council).unanswered(), None);
}

/// Decision 20: else the tie stands until somebody who leads ends it.
#[test]
fn a_tie_stands_where_no_debate_is_configured() {
    let mut room = Room::with(&[(&DEBATE_ON_TIE, json!(false))]);
    let council = tie(&mut room);
    assert_eq!(room.session(&council).status, CouncilStatus::Tie);
    let none = Refusal::NotDebating { status: CouncilStatus::Tie };
    assert_eq!(room.plead("explore", &council, CouncilSide::Pro).refusal, Some(none));
    let not = Refusal::NotTheArbitrator { actor: "explore".into(), arbitrator: None, leads: Leads::All };
    assert_eq!(room.ask("explore", word(&council)).refusal, Some(not));
    assert_eq!(room.ask("lead", resolve(&council)).refusal, Some(Refusal::NoDecision));
    let sure = Resolve { confidence: Some(Share::thousandths(900)), ..word(&council) };
    assert_eq!(names(&room.ask("lead", sure)), [RESOLVED]);
    let session = room.session(&council);
    assert_eq!(session.audit.decided_by, Some(Means::LastWord));
    assert_eq!(session.result.as_ref().map(|result| result.confidence), Some(Share::thousandths(900)));
    let mut room = Room::with(&[(&MAX_ROUNDS, json!(0))]);
    let council = tie(&mut room);
    assert_eq!(room.session(&council).status, CouncilStatus::Tie, "a debate without rounds is none");
}

#[test]
fn another_threshold_decides_otherwise() {
    let mut room = Room::with(&[(&THRESHOLD, json!(0.6))]);
    let council = tie(&mut room);
    assert_eq!(room.session(&council).status, CouncilStatus::Approved);
}

/// AFS 7.3: never automatic.
#[test]
fn a_recommendation_is_confirmed_by_the_user_and_by_nobody_else() {
    let mut room = Room::default();
    let council = room.open(CouncilPurpose::Architecture);
    for who in ["explore", "critic", "general"] {
        assert_eq!(names(&room.vote(who, &council, Approve, 1000)), [CAST], "advice");
    }
    assert_eq!(room.ask("user", resolve(&council)).refusal, Some(Refusal::NeedsConfirmation));
    let confirm = |answer| Confirm { council: council.clone(), answer, note: "why centralized?".into() };
    for who in ["lead", "explore", "system"] {
        let refusal = Refusal::NotTheArbitrator { actor: who.into(), arbitrator: None, leads: Leads::User };
        assert_eq!(room.ask(who, confirm(UserAnswer::Approve)).refusal, Some(refusal));
    }
    assert_eq!(names(&room.ask("user", confirm(UserAnswer::MoreInfo))), ["council.information.requested"]);
    let inform = || Inform { council: council.clone(), text: "the parts are independent".into() };
    assert_eq!(names(&room.ask("explore", inform())), ["council.information.given"]);
    for _ in 0..4 {
        room.ask("explore", inform());
    }
    assert_eq!(room.ask("explore", inform()).refusal, Some(Refusal::Enough { most: 6 }));
    assert_eq!(room.ask("user", confirm(UserAnswer::MoreInfo)).refusal, Some(Refusal::Enough { most: 6 }));
    assert_eq!(names(&room.ask("user", confirm(UserAnswer::Approve))), [RESOLVED]);
    let session = room.session(&council);
    assert_eq!((session.status, session.audit.decided_by), (CouncilStatus::Approved, Some(Means::Confirmation)));
    let conflict = room.open(CouncilPurpose::Conflict);
    let none = Refusal::NoRecommendation { purpose: CouncilPurpose::Conflict };
    let of = Confirm { council: conflict.clone(), answer: UserAnswer::Approve, note: "x".into() };
    assert_eq!(room.ask("user", of).refusal, Some(none.clone()));
    assert_eq!(room.ask("user", Inform { council: conflict, text: "x".into() }).refusal, Some(none));
}

#[test]
fn what_is_said_is_neither_empty_nor_endless() {
    let mut room = Room::default();
    let long: Box<str> = "x".repeat(4001).into();
    for bad in ["", " ", "a\nb", " a", &"k".repeat(201)] {
        let refusal = room.ask("user", opening(CouncilPurpose::Conflict, bad)).refusal;
        assert_eq!(refusal, Some(Refusal::BadKey { most: 200 }), "{bad:?}");
    }
    let text = |what| Some(Refusal::BadText { what, most: 4000 });
    let plain = opening(CouncilPurpose::Conflict, "k");
    assert_eq!(room.ask("user", Open { reason: " ".into(), ..plain.clone() }).refusal, text("reason"));
    assert_eq!(room.ask("user", Open { proposed: "".into(), ..plain.clone() }).refusal, text("proposal"));
    assert_eq!(room.ask("user", Open { current: long.clone(), ..plain }).refusal, text("present_state"));
    let council = room.open(CouncilPurpose::Conflict);
    let mute = Give { rationale: long, ..give(&council, Approve, 1000) };
    assert_eq!(room.ask("explore", mute).refusal, text("rationale"));
    let unknown = Refusal::UnknownCouncil { council: "01".into() };
    assert_eq!(room.vote("explore", "01", Approve, 1000).refusal, Some(unknown));
    let open = Refusal::OpenAlready { key: "the-key".into(), council };
    assert_eq!(room.ask("user", opening(CouncilPurpose::Conflict, "the-key")).refusal, Some(open));
}

/// Two branches that voted and resolved differently: what came earlier counts.
#[test]
fn of_two_branches_the_earlier_counts() {
    let mut room = Room::default();
    let council = room.open(CouncilPurpose::Conflict);
    room.vote("explore", &council, Approve, 1000);
    room.vote("critic", &council, Approve, 1000);
    room.ask("user", resolve(&council));
    let decided = room.state.clone();
    let user = "user".into();
    let cause = Cause { asked: None, id: EntryId::MAX, at: Timestamp::from_millis(9_000_000), actor: &user };
    let conclusion = Conclusion {
        final_decision: VoteVerdict::Reject,
        confidence: Share::WHOLE,
        rationale: "no".into(),
        model: None,
    };
    let late: [Event; 3] = [
        Cast {
            council: council.clone(),
            member: "general".into(),
            vote: Reject,
            confidence: Share::WHOLE,
            rationale: "no".into(),
            model: None,
        }
        .into(),
        Resolved {
            council: council.clone(),
            key: "the-key".into(),
            by: Means::LastWord,
            count: VoteCount::default(),
            result: conclusion,
            synthesis: None,
        }
        .into(),
        Lapsed { council: "never called".into(), key: "the-key".into(), reason: "none".into() }.into(),
    ];
    for event in &late {
        room.state.evolve(event, &cause);
    }
    assert_eq!(room.state, decided);
}
