//! Checks that a task would forge, and checks that would do the work themselves.

use serde_json::{Value, json};

use super::world::{Tools, World, all_of, put};
use crate::CheckOutcome::{CouldNotRun, Met, Unmet};
use crate::{Check, CheckGiver, CheckOutcome, check};

fn found(tools: &Tools<'_>, giver: CheckGiver, criterion: &Value) -> (CheckOutcome, String) {
    let criterion: Check = serde_json::from_value(criterion.clone()).unwrap();
    let result = check(&tools.toolbox(), &criterion, giver);
    (result.outcome, result.evidence)
}

fn run(tools: &Tools<'_>, giver: CheckGiver, line: &str) -> (CheckOutcome, String) {
    found(tools, giver, &json!({ "run": line }))
}

const TEST: &str = "import unittest\nfrom calc import add\n\n\nclass Sum(unittest.TestCase):\n    def test_sum(self):\n        \
                    self.assertEqual(add(2, 3), 5)\n";

fn calc() -> World {
    World::of(&[("calc.py", "def add(a, b):\n    return a - b\n"), ("test_calc.py", TEST)])
}

/// Each leaves something where no diff shows it.
#[test]
fn what_a_task_leaves_outside_of_its_files_decides_no_check() {
    let site = "$(python3 -c 'import site; print(site.getusersitepackages())')";
    let user_custom = format!("mkdir -p {site}; echo 'import os; os._exit(0)' > {site}/usercustomize.py");
    let user_path = format!("mkdir -p {site}; echo 'import os; os._exit(0)' > {site}/x.pth");
    for (forging, line) in [
        (user_custom.as_str(), "python3 -m unittest -q test_calc"),
        (user_path.as_str(), "python3 -m unittest -q test_calc"),
        ("mkdir -p ~/bin; printf '#!/bin/sh\\nexit 0\\n' > ~/bin/mend; chmod +x ~/bin/mend", "~/bin/mend"),
        ("echo ok > ~/seal", "grep -q ok ~/seal"),
        ("echo ok > /tmp/seal", "grep -q ok /tmp/seal"),
        ("echo ok > /var/tmp/seal", "grep -q ok /var/tmp/seal"),
        ("echo ok > \"$TMPDIR/seal\"", "grep -q ok \"$TMPDIR/seal\""),
        ("echo x > new.txt; git config --global core.excludesFile ~/all; echo '*' > ~/all", CLEAN),
        ("echo x > new.txt; mkdir -p ~/.config/git; echo '*' > ~/.config/git/ignore", CLEAN),
        ("echo x > new.txt; echo '*' >> .git/info/exclude", CLEAN),
        ("echo x >> calc.py; git update-index --assume-unchanged calc.py", CLEAN),
        ("echo x >> calc.py; git add .; git commit -qm x", CLEAN),
        ("git config alias.proves '!true'", "git proves"),
        (
            "rm -rf .git; mkdir g; git init -q g; mv g/.git .elsewhere; ln -s .elsewhere .git",
            "git log -1 | grep -q wrong",
        ),
    ] {
        let world = calc();
        let workspace = world.workspace();
        let Some(tools) = Tools::walled(&world, &workspace) else { return };
        tools.shell(forging);
        for giver in [CheckGiver::Person, CheckGiver::Model] {
            let (outcome, evidence) = run(&tools, giver, line);
            assert_ne!(outcome, Met, "{forging}: {evidence}");
        }
    }
}

/// Nothing is changed, and no file is new.
const CLEAN: &str = "test -z \"$(git status --porcelain)\"";

#[test]
fn a_check_sees_git_as_it_is_without_the_task() {
    let world = calc();
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    for line in
        [CLEAN, "git log -1 --format=%s | grep -q begin", "git diff --exit-code", "git ls-files | grep -q calc.py"]
    {
        let (outcome, evidence) = run(&tools, CheckGiver::Model, line);
        assert_eq!(outcome, Met, "{line}: {evidence}");
    }
    tools.shell("git add . && git commit -qm mine --allow-empty");
    assert_eq!(run(&tools, CheckGiver::Person, "git log -1 --format=%s | grep -q begin").0, Met);
    assert!(tools.shell("git log -1 --format=%s").output.contains("mine"), "the task keeps its own");
}

/// What a check changes is as it was behind it, whoever gave the check; twice the same is found.
#[test]
fn a_check_leaves_everything_as_it_was() {
    for line in [
        "test -s d.txt || ! dd if=notes.txt of=d.txt",
        "test -s ~/zz || ! dd if=notes.txt of=$HOME/zz",
        "test -s /var/tmp/zz || ! dd if=notes.txt of=/var/tmp/zz",
        "python3 -c \"import os,sys; p=os.path.expanduser('~/zz'); r=os.path.exists(p); open(p,'w'); sys.exit(not r)\"",
        "test -d d || ! mkdir -p d/e",
        "test ! -s notes.txt || ! truncate -s 0 notes.txt",
        "test ! -e notes.txt || ! rm notes.txt",
        "test -x notes.txt || ! chmod +x notes.txt",
        "test -L notes.txt || ! ln -sf own.txt notes.txt",
        "test -d notes.txt || ! (rm notes.txt && mkdir notes.txt && touch notes.txt/a)",
        "test -f sub || ! (rm -r sub && touch sub)",
        "test ! -d sub || ! rm -r sub",
        "! grep -q mine own.txt || ! sed -i d own.txt",
        "! grep -q mine own.txt || ! git stash -uq",
        "test -s hid/d.txt || ! (mkdir hid && echo '*' > hid/.gitignore && echo x > hid/d.txt)",
        "test -s d.txt || ! (echo d.txt >> .gitignore && echo x > d.txt)",
        "test ! -r sub/a.txt || ! (echo x > sub/b.txt; chmod 0 sub)",
    ] {
        let world = World::of(&[("notes.txt", "notes\n"), ("sub/a.txt", "a\n"), (".gitignore", "*.log\n")]);
        let workspace = world.workspace();
        let Some(tools) = Tools::walled(&world, &workspace) else { return };
        tools.shell("echo mine > own.txt; echo more >> sub/a.txt");
        let files = || {
            let mut all = all_of(workspace.path());
            all.retain(|path, _| !path.starts_with(workspace.path().join(".git")));
            all
        };
        let was = files();
        for giver in [CheckGiver::Person, CheckGiver::Model, CheckGiver::Person] {
            let (outcome, evidence) = run(&tools, giver, line);
            assert_ne!(outcome, Met, "{line}: {evidence}");
            assert_eq!(files(), was, "{line}");
        }
    }
}

#[test]
fn what_a_check_makes_shows_nothing_unless_the_person_gave_it() {
    let world = World::of(&[("notes.txt", "notes\n"), (".gitignore", "*.log\n")]);
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    for (line, by_model) in [
        ("dd if=notes.txt of=d.txt && test -s d.txt", CouldNotRun),
        ("sed -n 'w d.txt' notes.txt", CouldNotRun),
        ("uniq notes.txt d.txt", CouldNotRun),
        ("sort -uo d.txt notes.txt && cat d.txt", CouldNotRun),
        ("echo notes.txt | xargs -I{} cp {} d.txt", CouldNotRun),
        ("gzip -k notes.txt && test -s notes.txt.gz", CouldNotRun),
        ("mkdir __pycache__ && echo x > __pycache__/a.pyc", Met),
        ("echo x > build.log", Met),
        ("echo x > Cargo.lock", Met),
        ("touch notes.txt", Met),
        ("test ! -e d.txt && test ! -e __pycache__ && test ! -e Cargo.lock && test -e build.log", Met),
    ] {
        assert_eq!(run(&tools, CheckGiver::Person, line).0, Met, "{line}");
        let again = if line.contains("> build.log") { "rm -f build.log" } else { "true" };
        tools.shell(again);
        let (outcome, evidence) = run(&tools, CheckGiver::Model, line);
        assert_eq!(outcome, by_model, "{line}: {evidence}");
        assert_eq!(evidence.contains("changes files itself"), by_model == CouldNotRun, "{evidence}");
    }
    assert_eq!(workspace.changed().unwrap(), [], "nothing of it is the task's");
}

/// Without a `.gitignore`: the caches that a test run leaves were brought into the project.
#[test]
fn what_a_test_run_leaves_is_no_part_of_the_diff() {
    let world = calc();
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    put(workspace.path(), "calc.py", "def add(a, b):\n    return a + b\n");
    for giver in [CheckGiver::Model, CheckGiver::Person] {
        let (outcome, evidence) = run(&tools, giver, "python3 -m unittest -q test_calc");
        assert_eq!(outcome, Met, "{evidence}");
    }
    let changed: Vec<_> = workspace.apply().unwrap().into_iter().map(|file| file.path).collect();
    assert_eq!(changed, [std::path::PathBuf::from("calc.py")]);
    assert!(!world.project().join("__pycache__").exists());
}

/// Others may have changed the same, so nothing is put back; but a line that changed files there never shows anything.
#[test]
fn in_a_folder_without_git_a_check_that_changed_files_shows_nothing_later_either() {
    let world = World::folder_of(&[("notes.txt", "notes\n")]);
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    let line = "test -s d.txt || ! dd if=notes.txt of=d.txt";
    for expected in ["changes files itself", "changed files itself before"] {
        let (outcome, evidence) = run(&tools, CheckGiver::Model, line);
        assert_eq!(outcome, CouldNotRun, "{evidence}");
        assert!(evidence.contains(expected), "{evidence}");
    }
    assert_eq!(run(&tools, CheckGiver::Model, "test -s notes.txt").0, Met);
    assert_eq!(run(&tools, CheckGiver::Model, "test ! -s notes.txt").0, Unmet);
}
