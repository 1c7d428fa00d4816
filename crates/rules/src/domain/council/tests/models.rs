//! What models say for members: the user alone brings it in, and whose word it is stays to be seen.

use super::super::Refusal;
use super::super::command::{CouncilPurpose, CouncilSide, Give, Plead, Resolve};
use super::super::count::Choice::{Approve, Reject};
use super::super::count::VoteVerdict;
use super::{Room, give, names, resolve, word};

const CAST: &str = "council.vote.cast";

fn for_member(council: &str, member: &str) -> Give {
    Give { member: Some(member.into()), ..give(council, Approve, 1000) }
}

/// AFS 7.2: an agent is spawned for each member.
#[test]
fn the_user_brings_in_what_a_model_said_for_a_member_and_keeps_its_own_vote() {
    let mut room = Room::default();
    let council = room.open(CouncilPurpose::Conflict);
    room.man(&council, &["critic", "anna", "user"]);
    assert_eq!(names(&room.ask_observing("user", for_member(&council, "critic"), &word())), [CAST]);
    assert_eq!(names(&room.vote("user", &council, Reject, 1000)), [CAST], "its own");
    let votes: Vec<_> = room.session(&council).votes.iter().collect();
    let whose: Vec<_> =
        votes.iter().map(|vote| (&*vote.agent_role, vote.cast_by.as_str(), vote.model.as_deref())).collect();
    assert_eq!(whose, [("critic", "user", Some("qwen")), ("user", "user", None)]);
    let again = room.ask_observing("user", for_member(&council, "critic"), &word());
    assert_eq!(again.refusal, Some(Refusal::Voted { member: "critic".into(), vote: "approve".into() }));
}

#[test]
fn nobody_else_brings_in_what_a_model_said_for_another() {
    let mut room = Room::default();
    let council = room.open(CouncilPurpose::Conflict);
    room.man(&council, &["critic", "anna", "user"]);
    let refused = |who: &str| Some(Refusal::NotAMember { who: who.into(), members: "critic, anna, user".into() });
    for (who, member) in [("anna", "critic"), ("system", "critic"), ("user", "bert")] {
        let outcome = room.ask_observing(who, for_member(&council, member), &word());
        assert_eq!(outcome.refusal, refused(who), "{who} for {member}");
    }
    let own = room.ask_observing("anna", for_member(&council, "anna"), &word());
    assert_eq!(names(&own), [CAST], "an agent asks a model for its own seat");
    let twice = room.ask("anna", give(&council, Approve, 1000)).refusal;
    assert_eq!(twice, Some(Refusal::Voted { member: "anna".into(), vote: "approve".into() }));
}

/// AFS 7.1, `debate`.
#[test]
fn models_speak_for_two_members_and_for_the_arbitrator() {
    let mut room = Room::default();
    let council = room.open(CouncilPurpose::Conflict);
    room.man(&council, &["critic", "anna"]);
    room.vote("critic", &council, Approve, 1000);
    room.vote("anna", &council, Reject, 1000);
    let plead = |side, agent: &str| {
        let (argument, agent) = ("so it is".into(), Some(agent.into()));
        Plead { council: council.clone(), side, argument, agent }
    };
    let outcome = room.ask("user", plead(CouncilSide::Pro, "critic"));
    let refused = Refusal::NotAMember { who: "critic".into(), members: "critic, anna".into() };
    assert_eq!(outcome.refusal, Some(refused), "without a word of a model");
    for (side, agent) in [(CouncilSide::Pro, "critic"), (CouncilSide::Con, "anna")] {
        assert_eq!(names(&room.ask_observing("user", plead(side, agent), &word())), ["council.argument.given"]);
    }
    let round = &room.session(&council).rounds()[0];
    assert_eq!((&*round.pro_agent, round.pro_model.as_deref()), ("critic", Some("qwen")));
    assert_eq!((&*round.con_agent, round.con_model.as_deref()), ("anna", Some("qwen")));
    let (decision, synthesis) = (Some(VoteVerdict::Reject), Some("it is riskier".into()));
    let last = Resolve { decision, synthesis, ..resolve(&council) };
    room.ask_observing("user", last, &word());
    let result = room.session(&council).result.clone().expect("decided");
    assert_eq!((result.final_decision, result.model.as_deref()), (VoteVerdict::Reject, Some("qwen")));
}
