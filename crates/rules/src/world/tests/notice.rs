//! Given / when / then for notices.

use super::swarm::{Swarm, comment};
use crate::domain::Event;
use crate::domain::issue::command::{Comment, Freeze};
use crate::domain::notice::{self, Acknowledge, Acknowledged, Event as Notice, Matter};
use annals_kernel::grounding::Stance;
use annals_kernel::id::AgentId;

/// Who hears of which freezes, and why these were.
fn freezes(swarm: &Swarm) -> Vec<(String, String)> {
    let notices = swarm.world.rooms.notice.notices.iter();
    let freeze = |notice: &notice::Notice| match &notice.posted.matter {
        Some(Matter::Freeze { reason, .. }) => Some((notice.posted.to.to_string(), reason.to_string())),
        Some(_) | None => None,
    };
    notices.filter_map(|(_, notice)| freeze(notice)).collect()
}

/// Control-room 3.3, 9.1.
/// Policy `notices::of_freeze`.
#[test]
fn a_breaker_that_freezes_tells_the_user_and_the_moderator() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    let calm = comment(&issue, Stance::Neutral, None, 0, &[]);
    let body = format!("This is URGENT and CRITICAL. {}", calm.body).into();
    swarm.fails("anna", Comment { body, ..calm });
    let reason = "escalation-language".to_owned();
    assert_eq!(freezes(&swarm), [("user".to_owned(), reason.clone()), ("mo".to_owned(), reason)]);
}

#[test]
fn who_freezes_an_issue_is_not_told_of_it() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    swarm.does("mo", Freeze { issue, reason: "a loop".into() });
    assert_eq!(freezes(&swarm), [("user".to_owned(), "a loop".to_owned())]);
}

#[test]
fn a_notice_is_acknowledged_once_by_the_one_whom_it_is_for() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    swarm.does("user", Freeze { issue, reason: "a loop".into() });
    let notice: Box<str> = swarm.world.rooms.notice.notices.iter().next().expect("a notice").0.clone();
    let ack = Acknowledge { notice: notice.clone() };
    assert_eq!(swarm.world.rooms.notice.totals.waiting, [(AgentId::from("mo"), 1)].into());
    assert_eq!(swarm.fails("anna", ack.clone()), "notices.not_for_you");
    assert_eq!(swarm.fails("mo", Acknowledge { notice: "x".into() }), "notices.unknown_notice");
    assert_eq!(swarm.does("mo", ack.clone()), [Event::Notice(Notice::Acknowledged(Acknowledged { notice }))]);
    assert_eq!(swarm.fails("user", ack), "notices.heard");
    // The user hears that somebody tried to acknowledge what is for another.
    assert_eq!(swarm.world.rooms.notice.totals.waiting, [(AgentId::from("user"), 1)].into());
}
