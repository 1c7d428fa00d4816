//! Criteria that code decides, and what it says where it cannot.

use std::time::Duration;

use serde_json::{Value, json};

use super::world::{Tools, World};
use crate::{Check, CheckGiver, CheckOutcome, check};

fn outcome(tools: &Tools<'_>, criterion: &Value) -> (CheckOutcome, String) {
    let criterion: Check = serde_json::from_value(criterion.clone()).unwrap();
    let result = check(&tools.toolbox(), &criterion, CheckGiver::Model);
    (result.outcome, result.evidence)
}

#[test]
fn files_are_looked_at() {
    use CheckOutcome::{CouldNotRun, Met, Unmet};
    let world = World::of(&[("a.txt", "one\ntwo\n")]);
    let workspace = world.workspace();
    let tools = Tools::of(&world, &workspace);
    for (criterion, expected) in [
        (json!({"file": "a.txt", "contains": "two"}), Met),
        (json!({"file": "a.txt", "contains": "three"}), Unmet),
        (json!({"file": "b.txt", "contains": "two"}), Unmet),
        (json!({"file": "a.txt", "matches": "^t.o$"}), Met),
        (json!({"file": "a.txt", "matches": "^three$"}), Unmet),
        (json!({"file": "a.txt", "matches": "("}), CouldNotRun),
        (json!({"file": "a.txt", "absent": false}), Met),
        (json!({"file": "a.txt", "absent": true}), Unmet),
        (json!({"file": "b.txt", "absent": true}), Met),
        (json!({"file": "a.txt/b", "absent": true}), Met),
        (json!({"file": "/etc/passwd", "absent": true}), CouldNotRun),
        (json!({"file": "../secret/key", "contains": "key"}), CouldNotRun),
        (json!({"file": ".git/config", "absent": true}), CouldNotRun),
    ] {
        let (found, evidence) = outcome(&tools, &criterion);
        assert_eq!(found, expected, "{criterion}: {evidence}");
    }
}

/// Small models write `Hello` for `hello`, again and again, and are told no more than that it is not there.
#[test]
fn what_is_nearly_there_is_said() {
    let world = World::of(&[("a.txt", "Größe\nHello there\n")]);
    let workspace = world.workspace();
    let tools = Tools::of(&world, &workspace);
    let said = |contains: &str| outcome(&tools, &json!({ "file": "a.txt", "contains": contains }));
    let unmet = |evidence: &str| (CheckOutcome::Unmet, evidence.to_owned());
    let told = "a.txt does not hold \"hello\", but \"Hello\": upper and lower case count";
    assert_eq!(said("hello"), unmet(told));
    let told = "a.txt does not hold \"Hellothere\", but \"Hello there\": white space counts";
    assert_eq!(said("Hellothere"), unmet(told));
    assert_eq!(said("there\n\nHello"), unmet("a.txt does not hold \"there\\n\\nHello\""));
    assert_eq!(said("goodbye"), unmet("a.txt does not hold \"goodbye\""));
}

#[test]
fn commands_are_run() {
    use CheckOutcome::{CouldNotRun, Met, Unmet};
    let world = World::of(&[("a.txt", "one\ntwo\n")]);
    let workspace = world.workspace();
    let Some(mut tools) = Tools::walled(&world, &workspace) else { return };
    tools.limits.deadline = Duration::from_secs(2);
    for (criterion, expected) in [
        (json!({"run": "grep -q two a.txt"}), Met),
        (json!({"run": "grep -q three a.txt"}), Unmet),
        (json!({"run": "exit 3", "expect_exit": 3}), Met),
        (json!({"run": "no-such-program"}), CouldNotRun),
        (json!({"run": "no-such-program", "expect_exit": 127}), Met),
        (json!({"run": "sleep 60"}), Unmet),
        (json!({"run": "kill -9 $$"}), Unmet),
        (json!({"command_output": "wc -l < a.txt", "matches": "^2$"}), Met),
        (json!({"command_output": "echo on stderr >&2", "matches": "on stderr"}), Met),
        (json!({"command_output": "cat a.txt", "matches": "three"}), Unmet),
        (json!({"command_output": "cat a.txt", "matches": "["}), CouldNotRun),
    ] {
        let (found, evidence) = outcome(&tools, &criterion);
        assert_eq!(found, expected, "{criterion}: {evidence}");
        assert!(!evidence.is_empty());
    }
}

/// "The check" of a planner that deletes what is to be deleted, and makes what is to be made.
#[test]
fn a_check_that_does_the_work_itself_shows_nothing() {
    use CheckOutcome::{CouldNotRun, Met};
    let world = World::of(&[("a.txt", "one\n"), ("b.txt", "two\n"), ("c.txt", "three\n")]);
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    for (line, expected) in [
        ("python3 -c \"import os; os.remove('b.txt')\"", CouldNotRun),
        ("python3 -c \"open('out.txt', 'w').write('done')\"", CouldNotRun),
        ("python3 - <<'END'\nopen('c.txt', 'a').write('more')\nEND", CouldNotRun),
        ("python3 -c \"assert open('a.txt').read() == 'one\\n'\"", Met),
    ] {
        let (found, evidence) = outcome(&tools, &json!({ "run": line }));
        assert_eq!(found, expected, "{line}: {evidence}");
        assert_eq!(evidence.contains("changes files itself"), expected == CouldNotRun, "{evidence}");
    }
}
