//! What a task that is given up leaves: whole programs, with plans that cannot come true.

use serde_json::Value;

use crate::acting::{Yard, understood};
use crate::program::Run;
use crate::worded::{asked, plan, shell};

/// More answers than any task asks for.
const MANY: usize = 60;

/// Planned in vain as often as it takes; the executor does the same each time.
fn given_up(yard: &Yard, words: &str, does: &Value) -> Run {
    let never = plan("other.txt", "never");
    let rounds = (0..MANY).flat_map(|_| [never.clone(), does.clone()]);
    let script: Vec<_> = std::iter::once(understood()).chain(rounds).collect();
    let ran = asked(yard, words, &script);
    assert_eq!(ran.code, Some(1), "never a claim: {ran:?}");
    ran
}

/// The plans were nonsense, and what the words ask for is there to be looked at.
#[test]
fn what_is_given_up_leaves_a_proposal() {
    let yard = Yard::new();
    let ran = given_up(&yard, "write hello into done.txt", &shell("echo hello > done.txt"));
    let told =
        "proposed: the files hold one more attempt, at the words as they stand; nothing has checked it (unverified)";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    assert!(ran.stdout.contains("proposal: write hello into done.txt"), "it is seen as it goes on: {}", ran.stdout);
    let shown: Value = serde_json::from_str(&yard.annals("task show --json").stdout).expect("JSON");
    let result = &shown["result"];
    assert_eq!(result["directive"], "abandon");
    assert!(result["proposal"].as_str().is_some_and(|id| id.ends_with("-proposal")), "{result}");
    assert!(yard.annals("task diff").stdout.contains("+hello"), "it is there to be looked at");
    let applied = yard.annals("task apply");
    assert_eq!(applied.stdout, "applied: done.txt\n");
    let unshown = "the task was given up: nothing shows that this is what you asked for";
    assert!(applied.stderr.contains(unshown), "a script that looks at no exit code is told: {applied:?}");
    assert_eq!(yard.project.read("done.txt"), "hello\n");
    assert_eq!(yard.annals("replay --all").code, Some(0));
}

/// The adversary: a proposal that takes a file along, or makes a figure up.
#[test]
fn what_no_task_may_do_is_no_proposal() {
    let rows = [
        ("write hello into done.txt", "echo hello > done.txt; rm notes.txt"),
        ("write hello into done.txt", "echo hello > done.txt; echo > notes.txt"),
        ("write hello into done.txt, never touch notes.txt", "echo hello | tee -a done.txt n*.txt"),
        ("write the number of lines of notes.txt into count.txt", "echo 5 > count.txt"),
        ("write hello into done.txt", "git push --force; echo hello > done.txt"),
        ("write a program hello.py that says hello", "echo 'print(' > hello.py"),
    ];
    for (words, command) in rows {
        let yard = Yard::new();
        let ran = given_up(&yard, words, &shell(command));
        assert!(!ran.stdout.contains("proposed: "), "{command}: {}", ran.stdout);
        assert_eq!(yard.annals("task diff").stdout, "", "{command}: it is undone again");
        assert_eq!(yard.annals("replay --all").code, Some(0));
    }
}
