//! Many tasks at once in one process. `ANNALS_TASKS` says how many.

use std::collections::BTreeSet;
use std::sync::Arc;

use annals_role::ggs::Terminal;
use annals_rules::domain::task::TaskPhase;
use tokio::task::JoinSet;

use super::paper::{RunStage, folder, goes_well};
use crate::journal::{Journal, Step};
use crate::runner::RunEnd;

/// Tasks of one run of the tests.
const TASKS: usize = 12;

#[expect(clippy::disallowed_methods, reason = "it says how long the test is to play")]
fn wanted() -> usize {
    let wanted = std::env::var_os("ANNALS_TASKS").and_then(|count| count.to_str()?.parse().ok());
    wanted.unwrap_or(TASKS)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_tasks_at_once_no_message_is_lost() {
    let count = wanted();
    let folder = folder();
    let stage = Arc::new(RunStage::on(folder.path(), goes_well));
    let mut running = JoinSet::new();
    for _ in 0..count {
        let stage = Arc::clone(&stage);
        running.spawn(async move { stage.begin().await });
    }
    let mut ended = BTreeSet::new();
    while let Some(end) = running.join_next().await {
        let RunEnd::Ended { task, result } = end.expect("it does not panic").expect("it runs") else { panic!() };
        assert_eq!(result.directive, Terminal::Accept);
        ended.insert(task);
    }
    assert_eq!(ended.len(), count);
    // Messages have numbers, and the room refuses one that leaves a gap.
    let rows = stage.runner.engine.ask(|world| {
        let row = |task: &String| world.rooms.task.task(task).map(|row| (row.phase, row.messages));
        ended.iter().map(row).collect::<Option<BTreeSet<_>>>()
    });
    let rows = rows.expect("asked").expect("each is there");
    assert_eq!(rows.iter().map(|(phase, _)| *phase).collect::<BTreeSet<_>>(), BTreeSet::from([TaskPhase::Ended]));
    let one = ended.first().expect("one of them");
    let recorded = Journal::look(&stage.runner.engine, one).expect("read");
    let numbers = recorded.steps.iter().filter_map(|step| match step {
        Step::Said { n, .. } => Some(*n),
        Step::Came(_) => None,
    });
    let numbers: Vec<_> = numbers.collect();
    assert_eq!(numbers, (1..=u32::try_from(numbers.len()).expect("few")).collect::<Vec<_>>());
    assert_eq!(rows.iter().map(|(_, messages)| u64::from(*messages)).collect::<BTreeSet<_>>().len(), 1);
}
