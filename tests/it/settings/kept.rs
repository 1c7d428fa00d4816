//! What a clone keeps of its user's consent: its own alone, whatever a repository, a merge or a forged line says.

use std::fs;

use crate::program::Project;

/// Entries of versions that kept no `local/settings`: those of this clone's own writer count, others' do not.
#[test]
fn what_was_entered_before_is_found_in_the_own_lines() {
    let project = Project::new();
    project.done("config set sanity.preset light");
    let settings = project.context().join("local/settings");
    fs::remove_file(&settings).expect("removed");
    assert_eq!(project.done("config get sanity.preset"), "light\n");
    assert!(settings.exists(), "it is looked for once");
    fs::write(&settings, "torn").expect("written");
    assert_eq!(project.done("config get sanity.preset"), "standard\n", "what cannot be read counts for nothing");
    fs::remove_dir_all(project.context().join("local")).expect("removed");
    project.done("session start One");
    assert_eq!(project.done("config get sanity.preset"), "standard\n", "a new clone has a new writer");
    project.done("config accept sanity.preset");
    assert_eq!(project.done("config get sanity.preset"), "light\n");
}

/// Anybody can write a line in the name of this clone's writer: it is its own where the remembered head leads to it.
#[test]
fn a_consent_that_is_forged_in_the_name_of_this_clone_counts_for_nothing() {
    let (theirs, ours) = (Project::new(), Project::new());
    theirs.done("config set sanitization.enabled false");
    ours.done("session start One");
    let writer = |project: &Project| {
        let text: String = project.days().into_values().collect();
        text.split("\"w\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a writer").to_owned()
    };
    for (name, text) in theirs.days() {
        let text = text.replace(&writer(&theirs), &writer(&ours));
        fs::write(ours.context().join("history").join(format!("{}.forged.jsonl", &name[..10])), text).expect("written");
    }
    fs::copy(theirs.context().join("config.toml"), ours.context().join("config.toml")).expect("copied");
    assert_eq!(ours.done("config get sanitization.enabled"), "true\n");
    assert!(ours.context().join("local/settings").exists(), "it was looked for");
}

/// A repository may bring a folder `local/` with all that stands in that of a clone which accepted everything.
#[test]
fn a_consent_that_came_with_a_repository_counts_for_nothing() {
    let theirs = Project::new();
    theirs.done("config set sanitization.enabled false");
    for without in ["", "settings"] {
        let ours = Project::new();
        for folder in ["history", "local"] {
            let (from, to) = (theirs.context().join(folder), ours.context().join(folder));
            for file in fs::read_dir(from).expect("a folder").map(|file| file.expect("a file")) {
                if file.path().is_file() && file.file_name() != without {
                    fs::copy(file.path(), to.join(file.file_name())).expect("copied");
                }
            }
        }
        fs::copy(theirs.context().join("config.toml"), ours.context().join("config.toml")).expect("copied");
        assert_eq!(ours.done("config get sanitization.enabled"), "true\n", "without {without:?}");
    }
    assert_eq!(theirs.done("config get sanitization.enabled"), "false\n");
}

/// Git replaces what it is told to ignore where a branch has it: what the user entered stands below git's directory, too.
#[test]
fn a_branch_that_brings_a_folder_local_takes_back_nothing_that_the_user_entered() {
    let (ours, branch) = (Project::new(), "git checkout -q -b theirs && rm -rf .context/local");
    let sh = |script: &str| {
        let mut sh = std::process::Command::new("sh");
        sh.arg("-ec").arg(script).current_dir(ours.path()).env("HOME", ours.path()).env("GIT_CONFIG_NOSYSTEM", "1");
        assert!(sh.status().expect("sh runs").success(), "{script}");
    };
    sh("git init -q -b main && git config user.name a && git config user.email a@annals.test");
    ours.done("config set sanitization.patterns.pii true");
    ours.done("config set roster.require_token true");
    let token = ours.done("agent token user");
    sh("git add -A && git commit -q -m one");
    let brought = [
        ("mkdir .context/local && echo {} > .context/local/settings", "light"),
        ("ln -s /tmp .context/local", "strict"),
    ];
    for (local, preset) in brought {
        sh(&format!("cp -R .context/local .git/kept && {branch} && {local} && echo > .context/config.toml"));
        sh("git add -A && git add -f .context/local && git commit -q -m theirs && rm -rf .context/local");
        sh("git checkout -q -f main && rm -rf .context/local && mv .git/kept .context/local");
        sh("git merge -q --no-edit theirs && git branch -q -d theirs");
        assert_eq!(ours.done("config get sanitization.patterns.pii"), "true\n", "{local}");
        let refused = ours.with_token("theirs", "config set sanitization.enabled false");
        assert!(refused.stderr.contains("user did not show its token"), "{local}: {refused:?}");
        let given = ours.with_token(token.trim(), &format!("config set sanity.preset {preset}"));
        assert_eq!(given.code, Some(0), "{local}: {given:?}");
        sh("git rm -rq --cached .context/local && git commit -q -m gone");
    }
}
