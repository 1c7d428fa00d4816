//! The power goes at every step of every command: what counted is there, and nothing is corrupted.

use annals::engine::EngineError;
use annals::kernel::id::EntryId;

use super::PARTS;
use super::disk::SimDisk;
use super::platter::{Left, Trouble};
use super::project::{LIFE, bare, check, configured, findings};

const OS: &str = "[history]\ndurability = \"os\"\n";

/// Runs the commands of a life until one fails; returns the entries that count.
fn live(disk: &SimDisk, name: &str) -> (Vec<EntryId>, Result<(), EngineError>) {
    let mut counted = Vec::new();
    for (number, command) in LIFE.iter().enumerate() {
        match command(disk, &format!("{name} {number}")) {
            Ok(ids) => counted.extend(ids),
            Err(error) => return (counted, Err(error)),
        }
    }
    (counted, Ok(()))
}

fn left(step: u64) -> [Left; 4] {
    [Left::Synced, Left::Everything, Left::Some(step), Left::Some(step + 1_000_000)]
}

/// Cuts the power at every step of one part of them, and looks at what is left.
fn cut_everywhere(part: u64, project: impl Fn() -> SimDisk, look: impl Fn(&SimDisk, &[EntryId])) {
    let whole = project();
    whole.fail(Trouble::None);
    let (counted, ended) = live(&whole, "first");
    ended.expect("nothing goes wrong");
    look(&whole.restart(Left::Synced), &counted);
    let steps = whole.steps();
    assert!(steps > 50, "a life has more than {steps} steps");
    for step in (part..steps).step_by(PARTS) {
        let disk = project();
        disk.fail(Trouble::PowerCut(step));
        let (counted, _) = live(&disk, "first");
        for left in left(step) {
            let what = format!("power cut at step {step} of {steps}, {left:?} left");
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| look(&disk.restart(left), &counted)));
            done.unwrap_or_else(|panic| {
                let why = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                panic!("{what}: {why}")
            });
        }
    }
}

spread! {
    what_counts_survives_a_power_cut_at_any_step: cut_and_keep;
    life_goes_on_after_every_process_was_killed_at_any_step: kill_and_go_on;
    without_syncs_lines_may_be_lost_and_nothing_else: cut_without_syncs;
}

fn cut_and_keep(part: u64) {
    cut_everywhere(part, bare, |disk, counted| {
        let counted = check(disk, counted, "after");
        assert_eq!(findings(disk), [""; 0]);
        let again = disk.restart(Left::Synced);
        check(&again, &counted, "after that");
        assert_eq!(findings(&again), [""; 0]);
    });
}

fn kill_and_go_on(part: u64) {
    let whole = bare();
    live(&whole, "first").1.expect("nothing goes wrong");
    for step in (part..whole.steps()).step_by(PARTS) {
        let disk = bare();
        disk.fail(Trouble::PowerCut(step));
        let (mut counted, _) = live(&disk, "first");
        let disk = disk.restart(Left::Everything);
        let (more, ended) = live(&disk, "second");
        ended.expect("nothing goes wrong");
        counted.extend(more);
        check(&disk, &counted, "after");
        assert_eq!(findings(&disk), [""; 0], "killed at step {step}");
    }
}

fn cut_without_syncs(part: u64) {
    cut_everywhere(
        part,
        || configured(OS),
        |disk, _| {
            check(disk, &[], "after");
            let lost = |finding: &String| finding.contains(" removed: ") || finding.contains(" cut off: ");
            let rest: Vec<_> = findings(disk).into_iter().filter(|finding| !lost(finding)).collect();
            assert_eq!(rest, [""; 0]);
        },
    );
}
