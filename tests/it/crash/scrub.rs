//! The power goes at every step of a scrub: each line is as it was or clean, and the next scrub ends what that one began.

use std::collections::BTreeSet;
use std::path::Path;

use annals::engine::EngineError;
use annals::engine::scrub::{Request, ScrubMode, Scrubbed, What};
use annals::log::position::IdSource;

use super::PARTS;
use super::disk::SimDisk;
use super::platter::{Left, Trouble};
use super::project::{bare, context, findings, process};
use crate::support::{step, user};

const NOW: &str = "2026-11-20T12:00:00Z";
const SECRET: &str = "zebra-quagga-0451";

/// Lines, a large value, a call that has not ended, a torn end, a view.
fn leaked() -> SimDisk {
    let disk = bare();
    let texts =
        [format!("echo {SECRET}"), "ls".to_owned(), format!("{} {SECRET}", "x ".repeat(30_000)), "pwd".to_owned()];
    for (number, text) in texts.iter().enumerate() {
        let engine = process(&disk, NOW, &number.to_string()).expect("opened");
        engine.record(step("s", text), IdSource::Minted).expect("recorded");
        engine.store_checkpoint().expect("stored");
    }
    for name in ["local/calls/a-b.json", "history/.torn/x.jsonl", "issues/0001-x.md"] {
        disk.put(&context().join(name), format!("\"{SECRET}\"").as_bytes());
    }
    disk
}

fn scrub(disk: &SimDisk, seed: &str) -> Result<Scrubbed, EngineError> {
    let request = Request {
        what: What::Value(SECRET.to_owned()),
        confirmed_by: "ann".to_owned(),
        reason: None,
        mode: ScrubMode::Scrub,
        elsewhere: Vec::new(),
        views: BTreeSet::new(),
    };
    process(disk, NOW, seed)?.scrub(&request, &user())
}

/// The files that hold it.
fn holding(disk: &SimDisk) -> Vec<String> {
    let holds = |path: &Path, bytes: &[u8]| {
        let is_packed = path.extension().is_some_and(|ending| ending == "zst");
        let bytes = if is_packed { zstd::decode_all(bytes).expect("unpacked") } else { bytes.to_vec() };
        String::from_utf8_lossy(&bytes).contains(SECRET)
    };
    let files = disk.below(&context()).into_iter().filter(|(path, bytes)| holds(path, bytes));
    files.map(|(path, _)| path.display().to_string()).collect()
}

spread! { a_scrub_that_lost_its_power_is_ended_by_the_next: cut_and_scrub_again; }

fn cut_and_scrub_again(part: u64) {
    let before = leaked();
    let whole = before.copy();
    assert!(holding(&whole).len() >= 5, "{:?}", holding(&whole));
    whole.fail(Trouble::None);
    scrub(&whole, "first").expect("nothing goes wrong");
    assert_eq!((holding(&whole), findings(&whole)), (Vec::new(), Vec::new()));
    let steps = whole.steps();
    assert!(steps > 20, "a scrub has more than {steps} steps");
    for step in (part..steps).step_by(PARTS) {
        let disk = before.copy();
        disk.fail(Trouble::PowerCut(step));
        let _ = scrub(&disk, "first");
        for left in [Left::Synced, Left::Everything, Left::Some(step)] {
            let disk = disk.restart(left);
            scrub(&disk, "second").expect("nothing goes wrong");
            assert_eq!(holding(&disk), [""; 0], "step {step} of {steps}, {left:?} left");
            assert_eq!(findings(&disk), [""; 0], "step {step} of {steps}, {left:?} left");
        }
    }
}
