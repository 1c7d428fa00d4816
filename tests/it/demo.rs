//! `annals demo`: every step does what it says, and nothing is written over.

use crate::program::Project;

#[test]
fn every_step_is_shown_and_holds() {
    let project = Project::bare();
    let run = project.annals(["demo", "here"], "");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{}", run.stdout);
    let steps: Vec<_> =
        run.stdout.lines().filter(|line| line.starts_with(|letter: char| letter.is_ascii_digit())).collect();
    assert_eq!(
        steps,
        [
            "1. A project", "2. Sessions that are there already", "3. Reading", "4. Deciding", "5. Minds",
            "6. Verifying", "7. Replaying", "8. Travelling in time", "9. Merging",
        ]
    );
    let mores = run.stdout.lines().filter(|line| line.starts_with("more: ")).count();
    assert_eq!(mores, steps.len(), "each step names commands that show more");
    let history = project.path().join("here/reactor/.context/history");
    let days = std::fs::read_dir(history).expect("a history").filter_map(Result::ok);
    let text: String = days.filter_map(|day| std::fs::read_to_string(day.path()).ok()).collect();
    assert!(!text.contains("warm-Coolant-77"), "the password of the example is in the history");
}

#[test]
fn a_folder_that_is_not_empty_stays_as_it_is() {
    let project = Project::bare();
    project.write("here/mine.txt", "mine");
    let run = project.annals(["demo", "here"], "");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("is not empty"), "{}", run.stderr);
    assert_eq!(std::fs::read_dir(project.path().join("here")).expect("a folder").count(), 1);
}
