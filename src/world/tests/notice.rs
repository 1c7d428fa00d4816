//! Given / when / then for notices.

use super::swarm::{Swarm, comment};
use crate::domain::issue::command::{Comment, Freeze};
use crate::domain::notice::{Acknowledge, Acknowledged, Event as Notice};
use crate::domain::{Event, notice};
use crate::kernel::grounding::Stance;
use crate::kernel::id::AgentId;

fn titles(swarm: &Swarm) -> Vec<(String, String)> {
    let notices = swarm.world.rooms.notice.notices.iter();
    notices.map(|(_, notice)| (notice.posted.to.to_string(), notice.posted.title.to_string())).collect()
}

/// Control-room 3.3, 9.1.
#[test]
fn a_breaker_that_freezes_tells_the_user_and_the_moderator() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    let calm = comment(&issue, Stance::Neutral, None, 0, &[]);
    let body = format!("This is URGENT and CRITICAL. {}", calm.body).into();
    swarm.fails("anna", Comment { body, ..calm });
    let title = "issue #1 is frozen: escalation-language".to_owned();
    assert_eq!(titles(&swarm), [("user".to_owned(), title.clone()), ("mo".to_owned(), title)]);
}

#[test]
fn who_freezes_an_issue_is_not_told_of_it() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    swarm.does("mo", Freeze { issue, reason: "a loop".into() });
    assert_eq!(titles(&swarm), [("user".to_owned(), "issue #1 is frozen: a loop".to_owned())]);
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
    assert_eq!(swarm.world.rooms.notice.totals, notice::Totals::default());
}
