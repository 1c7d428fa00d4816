//! What a clone keeps of its user's consent: its own alone, whatever a repository, a merge or a forged line says.

use std::fs;

use super::done;
use crate::program::Project;

/// Entries of versions that kept no `local/settings`: those of this clone's own writer count, others' do not.
#[test]
fn what_was_entered_before_is_found_in_the_own_lines() {
    let project = Project::new();
    done(&project, "config set sanity.preset light");
    let settings = project.context().join("local/settings");
    fs::remove_file(&settings).expect("removed");
    assert_eq!(done(&project, "config get sanity.preset"), "light\n");
    assert!(settings.exists(), "it is looked for once");
    fs::write(&settings, "torn").expect("written");
    assert_eq!(done(&project, "config get sanity.preset"), "standard\n", "what cannot be read counts for nothing");
    fs::remove_dir_all(project.context().join("local")).expect("removed");
    done(&project, "session start One");
    assert_eq!(done(&project, "config get sanity.preset"), "standard\n", "a new clone has a new writer");
    done(&project, "config accept sanity.preset");
    assert_eq!(done(&project, "config get sanity.preset"), "light\n");
}

/// Anybody can write a line in the name of this clone's writer: it is its own where the remembered head leads to it.
#[test]
fn a_consent_that_is_forged_in_the_name_of_this_clone_counts_for_nothing() {
    let (theirs, ours) = (Project::new(), Project::new());
    done(&theirs, "config set sanitization.enabled false");
    done(&ours, "session start One");
    let writer = |project: &Project| {
        let text: String = project.days().into_values().collect();
        text.split("\"w\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a writer").to_owned()
    };
    for (name, text) in theirs.days() {
        let text = text.replace(&writer(&theirs), &writer(&ours));
        fs::write(ours.context().join("history").join(format!("{}.forged.jsonl", &name[..10])), text).expect("written");
    }
    fs::copy(theirs.context().join("config.toml"), ours.context().join("config.toml")).expect("copied");
    assert_eq!(done(&ours, "config get sanitization.enabled"), "true\n");
    assert!(ours.context().join("local/settings").exists(), "it was looked for");
}

/// A repository may bring a folder `local/` with all that stands in that of a clone which accepted everything.
#[test]
fn a_consent_that_came_with_a_repository_counts_for_nothing() {
    let theirs = Project::new();
    done(&theirs, "config set sanitization.enabled false");
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
        assert_eq!(done(&ours, "config get sanitization.enabled"), "true\n", "without {without:?}");
    }
    assert_eq!(done(&theirs, "config get sanitization.enabled"), "false\n");
}
