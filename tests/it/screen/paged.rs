//! What is longer than a terminal goes through a pager, whole; what is shorter goes straight, and so does all in a pipe.

use super::{Terminal, plain, shown};
use crate::program::Project;

/// On a terminal of 40 rows where somebody types, with a pager that marks what it shows.
fn paged(project: &Project, arguments: &[&str], pager: &str) -> Option<String> {
    let Terminal { master, slave } = Terminal::new(100)?;
    let mut command = project.command(arguments);
    let another = || slave.try_clone().expect("another handle");
    command.env("TERM", "xterm").env("PAGER", pager).stdin(another()).stdout(another()).stderr(slave);
    Some(plain(&shown(command, master)))
}

fn project_of(entries: usize) -> Project {
    let project = Project::new();
    let lines = (0..entries).map(|number| {
        format!("{{\"session_id\":\"s\",\"operation\":{{\"type\":\"note\",\"name\":\"n{number}\",\"input\":{{}},\"success\":true}}}}\n")
    });
    let recorded = project.annals(["record", "--stdin"], &lines.collect::<String>());
    assert_eq!(recorded.code, Some(0), "{}", recorded.stderr);
    project
}

/// The numbers of the entries of which a text tells, in their order.
fn numbers(text: &str) -> Vec<usize> {
    let number = |word: &str| word.strip_prefix('n')?.parse().ok();
    text.split_whitespace().filter_map(number).collect()
}

#[test]
fn what_is_longer_than_the_terminal_goes_through_a_pager_whole() {
    const MARK: &str = "sed 's/^/| /'";
    let rows = [(3, MARK, 0), (100, MARK, 101), (100, "cat", 0), (100, "", 0)];
    for (entries, pager, marked) in rows {
        let project = project_of(entries);
        let Some(text) = paged(&project, &["log", "--all"], pager) else { return };
        assert_eq!(numbers(&text), (0..entries).collect::<Vec<_>>(), "{entries} by {pager:?}: {text}");
        // With the line that names the zone.
        let marks = text.lines().filter(|line| line.starts_with("| ")).count();
        assert_eq!(marks, marked, "{entries} by {pager:?}: {text}");
        assert!(!text.contains("overflow") && !text.contains("panicked"), "{text}");
    }
}

#[test]
fn a_pager_that_ends_early_or_is_not_there_ends_the_command_in_peace() {
    let project = project_of(100);
    for pager in ["head -n 2", "true", "no-such-pager-anywhere"] {
        let Some(text) = paged(&project, &["log", "--all"], pager) else { return };
        assert!(!text.contains("annals:") && !text.contains("overflow"), "{pager}: {text}");
    }
}
