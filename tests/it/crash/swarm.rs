//! Many processes that decide on one session: none of their decisions is lost or doubled, and all are in one order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use annals::domain::session::{self, command::Resume, command::Start, command::Suspend};
use annals::engine::clock::Clock;
use annals::engine::{Answer, Engine};
use annals::kernel::id::SessionId;
use annals::kernel::json::Json;
use annals::log::disk::RealDisk;

use crate::program::Project;
use crate::support::{findings_of, user, world_hash};

const PROCESSES: usize = 32;
const DECISIONS: usize = 100;

/// Tells a process of this very test that it is one of the swarm: the context and the session.
const CALL: &str = "ANNALS_TEST_SWARM";

fn engine(context: &Path) -> Engine {
    Engine::open(Arc::new(RealDisk), context, Clock::default()).expect("opened")
}

fn decide(engine: &Engine, command: impl Into<session::Command>) -> Answer {
    engine.decide(command.into(), &Json::empty_object(), &user()).expect("decided")
}

/// Suspends the session, or resumes it where somebody else has suspended it; prints what was decided.
#[expect(clippy::print_stdout, reason = "the process that started this one reads it")]
fn take_part(context: &Path, session: &str) {
    let (engine, session) = (engine(context), SessionId::from(session));
    let mut count = 0;
    while count < DECISIONS {
        let suspend = decide(&engine, Suspend { session: session.clone(), reason: None });
        let answer = match suspend.entry {
            Some(_) => suspend,
            None => decide(&engine, Resume { session: session.clone() }),
        };
        if let Some(id) = answer.entry {
            println!("decided {id}");
            count += 1;
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a process of the swarm is told so by its environment")]
fn thirty_two_processes_decide_on_one_session() {
    if let Some((context, session)) = std::env::var(CALL).ok().as_deref().and_then(|call| call.split_once('|')) {
        return take_part(Path::new(context), session);
    }
    let project = Project::new();
    let start = Start { title: None, parent_session_id: None, project_id: None };
    let started = decide(&engine(&project.context()), start);
    let session = started.entry.expect("recorded").to_string();
    let call = format!("{}|{session}", project.context().display());
    let name = "crash::swarm::thirty_two_processes_decide_on_one_session";
    let process = |_| {
        let mut command = Command::new(std::env::current_exe().expect("this test"));
        command.args([name, "--exact", "--nocapture"]).env(CALL, &call).stdout(Stdio::piped());
        command.spawn().expect("started")
    };
    let swarm: Vec<_> = (0..PROCESSES).map(process).collect();
    let mut counted = Vec::new();
    for process in swarm {
        let ended = process.wait_with_output().expect("ended");
        assert!(ended.status.success());
        let text = String::from_utf8(ended.stdout).expect("text");
        counted.extend(text.lines().filter_map(|line| Some(line.split_once("decided ")?.1.to_owned())));
    }
    look(&project, &session, &counted);
}

fn look(project: &Project, session: &str, counted: &[String]) {
    let unique: BTreeSet<_> = counted.iter().collect();
    assert_eq!((counted.len(), unique.len()), (PROCESSES * DECISIONS, PROCESSES * DECISIONS));
    let entries = project.entries();
    let decided: Vec<_> = entries.iter().filter(|entry| entry.operation.name.starts_with("history.session.")).collect();
    let ids: BTreeSet<_> = decided.iter().map(|entry| entry.id.to_string()).collect();
    assert_eq!((decided.len(), ids.len()), (PROCESSES * DECISIONS + 1, PROCESSES * DECISIONS + 1));
    assert!(counted.iter().all(|id| ids.contains(id)), "a decision is lost");
    assert!(decided.iter().all(|entry| entry.session_id.as_str() == session));
    // The order is total: ids rise from line to line, each writer's chain counts on, and suspended and resumed alternate.
    assert!(entries.is_sorted_by(|one, next| one.id < next.id), "ids do not rise");
    let mut counts = BTreeMap::new();
    for link in entries.iter().filter_map(|entry| entry.annals.link.as_ref()) {
        assert_eq!(counts.insert(&link.writer, link.count).unwrap_or(0) + 1, link.count);
    }
    assert_eq!(counts.len(), 1, "one clone is one writer");
    let names: Vec<_> = decided.iter().skip(1).map(|entry| entry.operation.name.to_string()).collect();
    assert!(
        names.chunks(2).all(|pair| pair == ["history.session.suspend", "history.session.resume"]),
        "they do not alternate"
    );
    assert_eq!(findings_of(&project.context()), [""; 0]);
    world_hash(&project.context());
}
