//! Commits that are to show that an issue was applied, by the program and the git of the machine.

use std::process::Command;

use crate::program::Project;

fn git(project: &Project, date: Option<&str>, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=A", "-c", "user.email=a@localhost", "-c", "init.defaultBranch=main"]).args(arguments);
    git.current_dir(project.path()).env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let output = git.envs(date.map(|date| ("GIT_COMMITTER_DATE", date))).output().expect("git");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Decision 15: the time of a commit is observed, and what was there before the issue shows nothing.
#[test]
fn an_old_commit_shows_nothing_and_a_new_one_is_recorded_with_its_time() {
    let project = Project::new();
    project.done("agent add critic --role critic");
    git(&project, None, &["init", "-q"]);
    let commit = |date| {
        git(&project, date, &["commit", "-q", "--allow-empty", "-m", "x"]);
        git(&project, None, &["rev-parse", "HEAD"])
    };
    let old = commit(Some("2001-02-03T04:05:06Z"));
    project.done("issue new Lexer");
    let mark = |hash: &str| project.annals(["issue", "mark", "1", "applied", "--commit", hash, "--as", "critic"], "");
    let refused = mark(&old);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(refused.stderr.contains("the commit is of 2001-02-03T04:05:06.000Z"), "{}", refused.stderr);
    let taken = mark(&commit(None));
    assert_eq!((taken.code, &*taken.stdout), (Some(0), "#1 is applied\n"), "{}", taken.stderr);
    assert!(project.days().into_values().any(|day| day.contains("\"committed_at\":")));
    assert_eq!(project.annals(["replay", "--all"], "").code, Some(0));
}
