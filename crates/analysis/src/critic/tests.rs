//! Every rule of the critic, and what it leaves alone; the machine of tones.

use serde_json::{Value, json};

use super::*;
use crate::testing::{
    broke, edit, failed, id, interrupt, mind, patch, prompt, ran, ran_by_hand, read, said, session, with, write,
};
use annals_rules::domain::cognition::critic::Tone;
use annals_rules::domain::cognition::limits::{DEFAULT_TONE, PER_TRIGGER, SPINNING};
use annals_rules::domain::cognition::metacognition::Progress;

fn found(steps: &[Value]) -> Vec<(CriticSeverity, &'static str, Vec<EntryId>)> {
    let critic = analyse(&session(steps), &with(&CRITIC_CONFIDENCE, json!(0)));
    critic.reviews.into_iter().map(|review| (review.severity, review.aspect, review.entries)).collect()
}

fn ids(numbers: &[usize]) -> Vec<EntryId> {
    numbers.iter().map(|number| id(*number)).collect()
}

/// AFS 4.2: spinning from four repetitions on, and one setting for both who watch.
#[test]
fn the_same_call_with_the_same_result_is_spinning() {
    let look = || ran("git status", "clean");
    let five = [look(), look(), look(), look(), look()];
    assert_eq!(found(&five[..4]), []);
    assert_eq!(found(&five), [(CriticSeverity::Minor, "spinning", ids(&[1, 2, 3, 4, 5]))]);
    let twice = with(&SPINNING, json!(2));
    assert_eq!(analyse(&session(&five[..3]), &twice).reviews.len(), 1);
    assert_eq!(analyse(&session(&five[..2]), &twice).reviews.len(), 0);
    assert_eq!(
        found(&[prompt("Go on."), look(), look(), patch("a.md", "x", "y"), look(), look()]).len(),
        1,
        "only the edit is remarked upon"
    );
    assert_eq!(found(&[look(), look(), ran("git status", "changed"), look(), look()]), []);
    assert_eq!(found(&[look(), look(), prompt("Again, please."), look(), look()]), []);
}

#[test]
fn a_failure_that_repeats_is_named_from_the_second_time_on() {
    let try_it = || broke("pnpm deploy", "exit code 2");
    assert_eq!(found(&[try_it()]), []);
    assert_eq!(found(&[try_it(), try_it()]), [(CriticSeverity::Minor, "repeated failure", ids(&[1, 2]))]);
    let five = [try_it(), try_it(), try_it(), try_it(), try_it()];
    assert_eq!(found(&five), [(CriticSeverity::Major, "repeated failure", ids(&[1, 2, 3, 4, 5]))]);
    let nothing_found = || failed("Grep", json!({ "pattern": "x" }), "exit code 1");
    assert_eq!(found(&[nothing_found(), nothing_found()]), [], "a search that finds nothing has not failed");
}

/// Edit, test, edit, test: what changes is not what is wrong.
#[test]
fn the_same_error_through_edits_is_repetition() {
    let aspects = |error: &dyn Fn(usize) -> String, between: &dyn Fn(usize) -> Value| {
        let round = |number| [between(number), broke("cargo test", &error(number))];
        let steps: Vec<_> = std::iter::once(read("src/a.rs")).chain((0..5).flat_map(round)).collect();
        let found = found(&steps).into_iter().filter(|(_, aspect, _)| *aspect == "repetition");
        found.map(|(severity, _, entries)| (severity, entries)).collect::<Vec<_>>()
    };
    let edits = |number: usize| edit("src/a.rs", &number.to_string(), "x");
    let same = |number: usize| format!("exit code 101\nerror[E0308]: mismatched types at src/a.rs:{number}");
    let repetition = [(CriticSeverity::Major, ids(&[3, 5, 7, 9, 11]))];
    assert_eq!(aspects(&same, &edits), repetition);
    let other = |number: usize| format!("exit code 101\nerror[E030{number}]: some error");
    assert_eq!(aspects(&other, &edits), [], "each round has another error");
    let passes = |number: usize| if number == 2 { ran("cargo test", "ok") } else { edits(number) };
    assert_eq!(aspects(&same, &passes), [], "it passed between");
    let asked = |number: usize| if number == 2 { prompt("Again.") } else { edits(number) };
    assert_eq!(aspects(&same, &asked), [], "somebody asked again");
    assert_eq!(aspects(&|_| "exit code 101".to_owned(), &edits), [], "nobody knows which error it was");
}

/// The limit of edits is that of the trigger (AFS 5.3).
#[test]
fn edits_want_tests_here_where_they_want_them_live() {
    let edits = (0..4).map(|number| edit("src/a.rs", &number.to_string(), "x"));
    let steps = std::iter::once(read("src/a.rs")).chain(edits).chain([said("Here it is.")]);
    let record = session(&steps.collect::<Vec<_>>());
    let of = |own: Value| analyse(&record, &with(&PER_TRIGGER, json!({ "edits-without-tests": own })));
    let count = |own: Value| {
        let critic = of(own);
        critic.reviews.len() + critic.left_out
    };
    assert_eq!(count(json!({ "thresholds": { "edit_count": 4 } })), 1);
    assert_eq!(count(json!({ "thresholds": { "edit_count": 4.5 } })), 0);
}

#[test]
fn an_editor_is_named_with_its_file() {
    let arguments = json!({ "command": "str_replace", "path": "src/a.rs", "old_str": "a", "new_str": "b" });
    let try_it = || failed("str_replace_editor", arguments.clone(), "no match");
    let critic = analyse(&session(&[try_it(), try_it()]), &Settings::default());
    assert!(critic.reviews[0].issue.starts_with("str_replace_editor `src/a.rs` failed"), "{:?}", critic.reviews);
}

#[test]
fn a_claim_that_the_last_test_run_denies_is_false() {
    let failing = ran("cargo test | tail -3", "test result: FAILED. 1 passed; 1 failed");
    let steps = [failing, said("All tests pass.")];
    assert_eq!(found(&steps)[0], (CriticSeverity::Critical, "false claim of success", ids(&[2, 1])));
    let passing = ran("cargo test", "test result: ok. 2 passed");
    assert_eq!(found(&[passing, said("All tests pass.")]), []);
    // The same from a program that writes what was said where results stand.
    let mut output = said("");
    output["operation"]["input"] = json!({});
    output["operation"]["output"] = "All tests pass.".into();
    let steps = [broke("cargo test", "exit code 101"), output];
    assert_eq!(found(&steps)[0], (CriticSeverity::Critical, "false claim of success", ids(&[2, 1])));
}

#[test]
fn a_claim_without_a_run_is_unverified() {
    let steps = [read("src/a.rs"), edit("src/a.rs", "a", "b"), said("All tests pass.")];
    assert_eq!(found(&steps), [(CriticSeverity::Major, "unverified claim", ids(&[3, 2]))]);
    let run = ran("cargo test", "ok");
    let after = [read("src/a.rs"), run, edit("src/a.rs", "a", "b"), said("All tests pass.")];
    assert_eq!(found(&after), [(CriticSeverity::Major, "unverified claim", ids(&[4, 2, 3]))]);
    let twice = [read("src/a.rs"), edit("src/a.rs", "a", "b"), edit("src/a.rs", "b", "c"), said("The bug is fixed.")];
    assert_eq!(found(&twice), [(CriticSeverity::Minor, "unverified claim", ids(&[4, 3]))]);
    let honest = [read("src/a.rs"), edit("src/a.rs", "a", "b"), said("The bug is fixed. I have not run the tests.")];
    assert_eq!(found(&honest), []);
}

/// AFS 5.3: three edits want a test run.
#[test]
fn edits_that_no_check_follows_are_named() {
    let edits = |count: usize| (0..count).map(|number| edit("src/a.rs", &number.to_string(), "x")).collect::<Vec<_>>();
    let with_look = |mut rest: Vec<Value>| {
        rest.insert(0, ran("cat src/a.rs", "fn a"));
        rest.push(said("Here it is."));
        rest
    };
    assert_eq!(found(&with_look(edits(2))), []);
    assert_eq!(found(&with_look(edits(3))), [(CriticSeverity::Major, "edits without tests", ids(&[2, 4]))]);
    let mut checked = with_look(edits(3));
    checked.insert(4, ran("cargo check", ""));
    assert_eq!(found(&checked), []);
    let mut alone = edits(3);
    alone.insert(0, read("src/a.rs"));
    alone.push(said("Here it is."));
    assert_eq!(found(&alone), [(CriticSeverity::Minor, "edits without tests", ids(&[2, 4]))], "nothing could be run");
    let words: Vec<_> = (0..3).map(|number| edit("README.md", &number.to_string(), "x")).collect();
    assert_eq!(found(&words).iter().filter(|(_, aspect, _)| *aspect == "edits without tests").count(), 0);
}

#[test]
fn an_edit_by_a_command_counts_as_one() {
    let sed = || ran("sed -i s/a/b/ src/a.rs", "");
    let mut steps = vec![ran("cat src/a.rs", "fn a"), sed(), sed(), sed(), said("Here it is.")];
    assert_eq!(found(&steps), [(CriticSeverity::Major, "edits without tests", ids(&[2, 4]))]);
    steps.insert(4, ran("cargo check", ""));
    assert_eq!(found(&steps), []);
    let forbidden = [prompt("Fix it, but don't touch src/a.rs."), sed()];
    assert_eq!(found(&forbidden), [(CriticSeverity::Critical, "scope", ids(&[2]))]);
}

/// What is said of checks is true.
#[test]
fn edits_without_tests_say_what_was_run() {
    let issue = |steps: &[Value]| {
        let critic = analyse(&session(steps), &with(&CRITIC_CONFIDENCE, json!(0)));
        critic.reviews.into_iter().find(|review| review.aspect == "edits without tests").expect("it").issue
    };
    let edits = |mut before: Vec<Value>| {
        before.insert(0, read("src/a.rs"));
        before.extend((0..3).map(|number| edit("src/a.rs", &number.to_string(), "x")));
        before.push(said("Here it is."));
        before
    };
    assert_eq!(
        issue(&edits(vec![ran("cargo build", "")])),
        "3 edits of code after the last check that passed.",
        "one passed before"
    );
    assert_eq!(
        issue(&edits(vec![broke("cargo build", "exit code 101")])),
        "3 edits of code, and no check passed in the session."
    );
    assert_eq!(
        issue(&edits(vec![ran_by_hand("ls")])),
        "3 edits of code, and the agent ran no command; 1 command was run by hand."
    );
}

#[test]
fn a_claim_of_checks_is_held_against_the_last_check() {
    let green = || said("All three checks are green:");
    let broken = [broke("pnpm lint", "exit code 1"), green()];
    assert_eq!(found(&broken)[0], (CriticSeverity::Critical, "false claim of success", ids(&[2, 1])));
    assert_eq!(found(&[ran("pnpm lint", ""), green()]), []);
    let missing = broke("cargo check", "exit code 127: sh: cargo: command not found");
    assert_eq!(found(&[ran("pnpm lint", ""), missing, green()]), [], "what is not there says nothing");
    let untried = [broke("pytest", "exit code 127: pytest: command not found"), said("All tests pass.")];
    assert_eq!(found(&untried)[0], (CriticSeverity::Critical, "false claim of success", ids(&[2, 1])));
}

#[test]
fn a_file_that_nobody_looked_at_is_named() {
    let steps = [prompt("Go on."), patch("src/a.rs", "a", "b")];
    assert_eq!(found(&steps), [(CriticSeverity::Minor, "edit without reading", ids(&[2]))]);
    for seen in
        [read("/p/src/a.rs"), ran("cat src/a.rs", "…"), ran("git diff", "+++ b/src/a.rs"), prompt("Fix src/a.rs.")]
    {
        assert_eq!(found(&[prompt("Go on."), seen, patch("src/a.rs", "a", "b")]), []);
    }
    assert_eq!(found(&[write("src/new.rs", "x")]), []);
}

#[test]
fn what_was_to_be_left_alone_is_left_alone() {
    let steps = [prompt("Fix it, but don't touch src/b.rs."), edit("src/b.rs", "a", "b")];
    assert_eq!(found(&steps), [(CriticSeverity::Critical, "scope", ids(&[2]))]);
    assert_eq!(found(&[prompt("Don't change the API. Fix src/b.rs"), edit("src/b.rs", "a", "b")]), []);
}

#[test]
fn a_question_is_no_order() {
    let steps = [prompt("Why is src/a.rs slow?"), edit("src/a.rs", "a", "b")];
    assert_eq!(found(&steps), [(CriticSeverity::Minor, "scope", ids(&[1, 2]))]);
    assert_eq!(found(&[prompt("Why is src/a.rs slow? Can you fix it?"), edit("src/a.rs", "a", "b")]), []);
}

#[test]
fn documents_that_nobody_asked_for_are_a_nitpick() {
    let steps = |asked: &str| [prompt(asked), write("SUMMARY.md", "x")];
    assert_eq!(found(&steps("Fix the parser.")), [(CriticSeverity::Nitpick, "scope", ids(&[2]))]);
    assert_eq!(found(&steps("Fix the parser and write a report.")), []);
}

#[test]
fn commands_that_throw_work_away_must_be_asked_for() {
    for command in [
        "git reset --hard HEAD~1",
        "cd a && git checkout .",
        "git checkout -- src/a.rs",
        "git checkout main -- src/a.rs",
        "git clean -fd",
        "git push --force origin main",
        "git push origin :pears",
        "git push origin --delete pears",
        "git branch -D pears",
        "rm -f .git/index.lock && git commit -m x",
        "rm -rf ~/x",
        "rm -rf /",
        "cd a && rm -r -f *; ls",
        "rm -rf a/.git",
        "rm -rf build .",
        "git commit --no-verify -m x",
        "sudo -u x rm -rf /",
        "timeout -s KILL 5 rm -f -R ~",
        "ssh host 'cd a; rm --recursive --force /etc'",
        "git -C a -c user.name=x push --force",
        "bash <<'E'\ngit reset --hard\nE",
        "git push -o 'a;b' --force",
    ] {
        assert_eq!(
            found(&[prompt("Confirm the plan, and go on."), ran(command, "")]),
            [(CriticSeverity::Critical, "danger", ids(&[2]))],
            "{command}"
        );
    }
    for command in [
        "rm -rf /home/me/pie/build", "rm -rf build .cache", "git checkout -b pears", "git push origin main",
        "git push --dry-run --force", "git restore --staged src/a.rs", "git commit -m 'x; git reset --hard'",
        "cat > a.md <<'E'\ngit reset --hard\nE", "xargs -n 1 echo rm -rf /",
    ] {
        assert_eq!(found(&[prompt("Go on."), ran(command, "")]), [], "{command}");
    }
    assert_eq!(found(&[prompt("Reset it to the last commit."), ran("git reset --hard", "")]), []);
    assert_eq!(found(&[prompt("Go on."), ran("git stash && git reset --hard", "")]), []);
    assert_eq!(found(&[prompt("Go on."), ran("echo 'git reset --hard'", "")]), []);
}

#[test]
fn a_word_within_a_word_asks_for_nothing_nor_does_one_that_is_denied() {
    for asked in ["Find a way of no-force-push.", "Never delete the branch.", "Enforce the style."] {
        let steps = [prompt(asked), ran("git push --force origin main", "")];
        assert_eq!(found(&steps), [(CriticSeverity::Critical, "danger", ids(&[2]))], "{asked}");
    }
    assert_eq!(found(&[prompt("Push with force."), ran("git push --force", "")]), []);
}

#[test]
fn a_lease_is_quoted_as_it_stands() {
    let all = with(&CRITIC_CONFIDENCE, json!(0.0));
    let critic = analyse(&session(&[prompt("Go on."), ran("git push --force-with-lease", "")]), &all);
    assert!(critic.reviews[0].issue.starts_with("`git push --force-with-lease` rewrites"), "{:?}", critic.reviews);
}

#[test]
fn what_a_chain_did_before_it_failed_counts() {
    let failed = |command: &str| found(&[prompt("Go on."), broke(command, "exit code 1")]).len();
    assert_eq!(failed("cd a && git push origin :pears && make pie"), 1);
    assert_eq!(failed("make pie && git push origin :pears"), 0, "the first part may have failed");
    assert_eq!(failed("git push origin :pears"), 0, "it failed itself");
}

#[test]
fn a_test_that_is_switched_off_is_named() {
    let steps = [read("tests/a.rs"), edit("tests/a.rs", "#[test]", "#[test]\n#[ignore]")];
    assert_eq!(found(&steps), [(CriticSeverity::Major, "weakened tests", ids(&[2]))]);
    let steps = [read("tests/a.rs"), edit("tests/a.rs", "x();\nassert_eq!(a, b);", "x();")];
    assert_eq!(found(&steps), [(CriticSeverity::Minor, "weakened tests", ids(&[2]))]);
}

#[test]
fn a_short_request_that_names_files_is_not_for_many_others() {
    let mut steps = vec![prompt("Rename a in src/a.rs.")];
    steps.extend((0..8).map(|number| write(&format!("src/m{number}.rs"), "x")));
    steps.push(ran("cargo test", "ok"));
    assert_eq!(found(&steps), [(CriticSeverity::Minor, "scope", ids(&[1, 2]))]);
}

/// AFS 5.2.4, "Tone Prefixes": the tone chooses what stands before, and nothing else.
#[test]
fn the_findings_are_the_same_in_every_tone() {
    let steps = [edit("src/a.rs", "a", "b")];
    let of = |tone: Tone| analyse(&session(&steps), &with(&DEFAULT_TONE, json!(tone)));
    let harsh = of(Tone::Harsh);
    for tone in Tone::ALL {
        let critic = of(*tone);
        assert_eq!(critic.reviews, harsh.reviews);
        assert_eq!(critic.prefix, tone.prefix());
    }
    assert_eq!(harsh.prefix, "This looks wrong. Point out every flaw:");
}

/// One measure of loops, for the live mind and for the critic (AFS 4.2, 5.2.4).
#[test]
fn the_live_mind_and_the_critic_see_the_same_loops() {
    let error = "error[E0425]: cannot find value";
    let test = || broke("cargo test -p a", error);
    let edit = || edit("src/a.rs", "a", "b");
    let rounds = |times: usize| (0..times).flat_map(|_| [edit(), test()]).collect::<Vec<_>>();
    let between = |step: Value| [rounds(3), vec![step], rounds(2)].concat();
    let as_well = |steps: Vec<Value>, times: usize| steps.into_iter().cycle().take(2 * times).collect::<Vec<_>>();
    let piped = ran("cargo test 2>&1 | tail -3", "error: cannot bake\ntest result: FAILED. 0 passed; 1 failed");
    for (steps, expected) in [
        (rounds(5), true),
        (rounds(4), false),
        ([rounds(5), vec![ran("cargo test", "ok")]].concat(), true),
        ([vec![test(), test()], rounds(3)].concat(), true),
        (between(read("src/b.rs")), true),
        (between(ran("cargo test", "ok")), false),
        (between(broke("cargo test", "error[E0308]: mismatched types")), false),
        (between(broke("cargo build", "error[E0308]: mismatched types")), true),
        (between(prompt("Once more.")), false),
        (between(interrupt()), false),
        (as_well(vec![edit(), broke("sudo -u ci bash -c 'cd b && cargo test -q'", error)], 5), true),
        (as_well(vec![edit(), broke("cargo build", error)], 5), true),
        (as_well(vec![edit(), piped], 5), true),
        (as_well(vec![edit(), broke("cargo test", "exit code 101")], 5), false),
        (as_well(vec![edit(), broke("cargo run", error)], 5), false),
        (as_well(vec![failed("Edit", json!({ "file_path": "a.rs" }), "no match"), test()], 5), false),
    ] {
        let limits = limits::CognitionLimits::of(&Settings::default());
        let spins = |steps: &[Value]| mind(steps).watch.loops.repeats() >= limits.spinning;
        let live = (1..=steps.len()).any(|length| spins(&steps[..length]));
        let told = found(&steps).iter().any(|(_, aspect, _)| *aspect == "repetition");
        assert_eq!((live, told), (expected, expected), "{steps:#?}");
    }
    let progress = mind(&rounds(5)).brief(&limits::CognitionLimits::of(&Settings::default())).progress;
    assert_eq!(progress, Progress::Spinning);
    let once = with(&SPINNING, json!(2));
    assert!(mind(&rounds(3)).brief(&limits::CognitionLimits::of(&once)).progress == Progress::Spinning);
    assert!(analyse(&session(&rounds(3)), &once).reviews.iter().any(|review| review.aspect == "repetition"));
}

/// One notion of code, and one limit (AFS 5.3).
#[test]
fn the_live_mind_and_the_critic_count_edits_of_the_same_files() {
    for (file, expected) in [("src/a.rs", 3), ("README.md", 0), ("Cargo.toml", 0), ("a.json", 0)] {
        let steps = [edit(file, "a", "b"), edit(file, "b", "c"), edit(file, "c", "d"), said("Here it is.")];
        let told = found(&steps).iter().any(|(_, aspect, _)| *aspect == "edits without tests");
        assert_eq!((mind(&steps).watch.edits, told), (expected, expected > 0), "{file}");
    }
}
