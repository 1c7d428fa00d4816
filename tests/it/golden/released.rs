//! Logs as 0.1.0 wrote them, when refusals were sentences: what they fold to, and what becomes of their decisions.

use annals::kernel::json::{canonical, sha256_hex};
use annals::world::World;
use annals::world::replay::PassedOver;
use serde_json::Value;

use super::{reader, replay};
use crate::support::day_files;

/// Where each is kept, and what the state of 0.1.0 hashed to, without what is taken out of it below.
const LOGS: [(&str, &str); 3] = [
    ("first", "f0c0782fa25aa5102603309ba05ac3a4ebe94c27de105f410e728311d0e11c49"),
    ("control", "6b6680b3ce065ab103a56cac5df4c14177f7874ccf8ef328b62c556645eee4ad"),
    ("minds", "119958daa79bb63616a3c3d1a92f033f5dee28f7881ce8f228c32117822075af"),
];

fn log(name: &str) -> crate::support::Project {
    let project = crate::support::Project::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/0.1.0").join(name);
    project.set_files(&day_files(&folder));
    project
}

/// But for what later rules find in the same lines: edits that a person stopped, checks that ran whatever they ended with,
/// loops of edits and checks that fail, when a call failed, when triggers fire, what asked for a task, and commands that are hard
/// to undo.
#[test]
fn the_state_of_each_hashes_as_it_did() {
    for (name, hash) in LOGS {
        let world = reader(&log(name)).ask(|world: &World| serde_json::to_value(world)).expect("asked");
        let mut world = world.expect("JSON");
        let minds = world.pointer_mut("/cognition/minds").and_then(Value::as_object_mut);
        for (_, mind) in minds.into_iter().flatten() {
            let watch = mind["watch"].as_object_mut().expect("a watch");
            for key in ["edits", "failed_at", "loops", "said", "same_tool", "tests", "unfamiliar"] {
                watch.remove(key);
            }
            let mind = mind.as_object_mut().expect("a mind");
            for key in ["late", "pending", "tallies", "holding"] {
                mind.remove(key);
            }
        }
        let trails = world.pointer_mut("/dialectic/trails").and_then(Value::as_object_mut);
        for (_, trail) in trails.into_iter().flatten() {
            for later in ["asked", "staked"] {
                trail.as_object_mut().expect("a trail").remove(later);
            }
        }
        // Rooms that came later have nothing in these lines.
        world.as_object_mut().expect("rooms").remove("voice");
        world.as_object_mut().expect("rooms").remove("task");
        world.as_object_mut().expect("rooms").remove("resident");
        world["dialectic"].as_object_mut().expect("a room").remove("ends");
        let told = "what later rules count in these lines is taken out above; any other difference changes what old lines mean";
        assert_eq!(sha256_hex(canonical(&world).as_bytes()), hash, "{name}: {told}");
    }
}

#[test]
fn their_decisions_are_counted_as_made_under_older_rules() {
    for (name, _) in LOGS {
        let report = replay(&log(name));
        let older = report.passed_over.get(PassedOver::OlderRules.as_str()).copied().unwrap_or_default();
        assert!(report.decisions > 200 && older == report.decisions, "{name}: {older} of {}", report.decisions);
        assert!(report.differed.is_empty(), "{name}");
    }
}

/// Sentences are no part of a decision: whoever adds or corrects one changes no outcome.
#[test]
fn a_sentence_in_a_refusal_makes_no_difference() {
    for log in &super::LOGS {
        let (project, mut changed) = (log.copy(), 0);
        for (name, text) in log.files() {
            let lines = text.lines().map(|line| {
                let with = line.replacen(r#""refusal":{"#, r#""refusal":{"message":"no","hint":"ask","#, 1);
                changed += usize::from(with != line);
                with + "\n"
            });
            let lines: String = lines.collect();
            std::fs::write(project.history(&name), lines).expect("written");
        }
        let report = replay(&project);
        assert!(changed > 5, "{}: {changed}", log.folder);
        assert_eq!((report.differed.len(), report.matched), (0, report.decisions), "{}", log.folder);
    }
}
