//! What a process that died left behind: its lease, and an answer that it did not come to deliver.

use super::*;

/// Another process of a clone, on the same disk.
fn taken_by(stage: &ResidentStage, owner: &str) -> Result<Host, HostError> {
    let host = Host { owner: owner.into(), ..stage.host.clone() };
    host.take_locked().map(|()| host)
}

#[test]
fn whoever_has_the_lock_takes_what_any_process_of_its_clone_had() {
    let folder = folder();
    let stage = ResidentStage::on(folder.path(), plain); // c1/1 has it, and nobody else knows its name
    stage.sends("user", "ui", "hello");
    let Err(HostError::Refused(_)) = taken_by(&stage, "c2/1") else { panic!("another clone's process may live") };
    let Err(HostError::Refused(_)) = taken_by(&stage, "c1x/1") else { panic!("nor is a name that begins alike") };
    for owner in ["c1/2", "c1/3"] {
        let host = taken_by(&stage, owner).expect("the processes before are gone");
        host.take_locked().expect("its own");
    }
    let Err(HostError::Refused(_)) = stage.ticks(TickTrigger::Message) else { panic!("c1/1 has it no more") };
}

#[test]
fn an_answer_that_was_not_delivered_before_a_kill_is_delivered_by_the_next_process() {
    let folder = folder();
    let mut stage = ResidentStage::on(folder.path(), plain);
    stage.host.channels = Channels { handlers: std::collections::BTreeMap::new() }; // as killed before it came to that
    let rows = [
        ("ui", "How do I run the tests?", Delivery::Delivered),
        ("api", "How do I run the tests?", Delivery::Delivered),
        ("api", "Delete the database and start over", Delivery::Delivered),
        ("chat", "How do I run the tests?", Delivery::Pending),
    ];
    let sent = rows.map(|(channel, content, _)| stage.sends("user", channel, content));
    for id in sent {
        stage.done();
        assert_eq!(stage.message(id).delivery, Some(Delivery::Pending));
    }
    stage.allows(sent[2]); // it waits again, and its sender has not heard yet that the person is asked
    drop(stage);
    let stage = ResidentStage::at(folder.path(), plain, 2_000_000);
    stage.host.take_locked().expect("taken");
    for (id, (channel, content, expected)) in sent.into_iter().zip(rows) {
        assert_eq!(stage.message(id).delivery, Some(expected), "{channel} {content}");
    }
    let entries = stage.host.engine.ask(|world| world.rooms.resident.totals.clone()).expect("asked");
    stage.host.take_locked().expect("taken");
    assert_eq!(stage.host.engine.ask(|world| world.rooms.resident.totals.clone()).expect("asked"), entries);
}

#[test]
fn what_another_clone_answered_is_not_sent_from_here() {
    let folder = folder();
    let mut stage = ResidentStage::on(folder.path(), plain);
    stage.host.channels = Channels { handlers: std::collections::BTreeMap::new() };
    let id = stage.sends("user", "ui", "How do I run the tests?");
    stage.done();
    stage.is_of_another_clone();
    drop(stage);
    let stage = ResidentStage::at(folder.path(), plain, 2_000_000);
    stage.host.take_locked().expect("taken");
    assert_eq!(stage.message(id).delivery, Some(Delivery::Pending));
}
