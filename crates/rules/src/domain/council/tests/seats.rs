//! Who has a seat, and how many of them must speak (decision 56).

use serde_json::json;

use super::super::Refusal;
use super::super::command::{CouncilPurpose, Give};
use super::super::count::Choice::Approve;
use super::super::settings::{AGENTS, QUORUM};
use super::{Room, give, names};

const CAST: &str = "council.vote.cast";

/// Decision 56: a quorum above the council would be reached by nobody.
#[test]
fn a_quorum_is_at_most_the_council() {
    for (agents, quorum) in [(json!(["a", "b"]), 2), (json!(["a"]), 1), (json!([]), 1)] {
        let mut room = Room::with(&[(&AGENTS, agents), (&QUORUM, json!(15))]);
        let council = room.open(CouncilPurpose::Conflict);
        assert_eq!(room.session(&council).config.quorum, quorum);
    }
}

/// Decision 56: whose seat it is speaks, not whoever has the name of the seat for a role.
#[test]
fn in_a_council_that_is_manned_a_role_has_no_vote() {
    let mut room = Room::default();
    let council = room.open(CouncilPurpose::Conflict);
    room.man(&council, &["critic", "anna", "user"]);
    let refused = Refusal::NotAMember { who: "carl".into(), members: "critic, anna, user".into() };
    assert_eq!(room.vote("carl", &council, Approve, 1000).refusal, Some(refused));
    assert_eq!(names(&room.vote("anna", &council, Approve, 1000)), [CAST]);
    let for_anna = Give { member: Some("critic".into()), ..give(&council, Approve, 1000) };
    let refused = |who: &str| Some(Refusal::NotAMember { who: who.into(), members: "critic, anna, user".into() });
    assert_eq!(room.ask("user", for_anna.clone()).refusal, refused("user"), "nobody brings in the vote of another");
    assert_eq!(room.ask("system", for_anna).refusal, refused("system"));
    assert_eq!(names(&room.vote("user", &council, Approve, 1000)), [CAST]);
    assert_eq!(room.session(&council).awaited().collect::<Vec<_>>(), ["critic"]);
}

/// Two seats, one by its name and one by its role, are two votes of one agent.
#[test]
fn an_agent_votes_once_whatever_seats_it_could_have() {
    let mut room = Room::with(&[(&AGENTS, json!(["carl", "critic", "anna"]))]);
    let council = room.open(CouncilPurpose::Conflict);
    assert_eq!(names(&room.vote("carl", &council, Approve, 1000)), [CAST]);
    let as_critic = Give { member: Some("critic".into()), ..give(&council, Approve, 1000) };
    let voted = Refusal::Voted { member: "carl".into(), vote: "approve".into() };
    assert_eq!(room.ask("carl", as_critic).refusal, Some(voted));
}
