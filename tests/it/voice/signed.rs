//! Words that a person signed whose key the user trusts: accepted together, and nothing else with them.

use super::{CANON, HOSTILE, asks, begins};
use crate::program::Project;

/// Takes over the lines of another clone, as a merge does.
fn take(project: &Project, other: &Project) {
    for (name, text) in crate::support::day_files(&other.context()) {
        // A union of both files, as git makes it.
        let here = crate::support::day_files(&project.context()).remove(&name).unwrap_or_default();
        project.write(&format!(".context/history/{name}"), &(here + &text));
    }
}

#[test]
fn what_a_trusted_key_signed_is_accepted_and_nothing_else() {
    let (user, ada, eve) = (Project::hooked(), Project::hooked(), Project::hooked());
    asks(&ada, &["canon", "state", "gate", CANON]);
    asks(&ada, &["agent", "add", "explore", "--role", "critic"]);
    asks(&ada, &["--as", "explore", "hivemind", "add", "decision", "other", "What an agent of Ada's says"]);
    asks(&ada, &["seal"]);
    asks(&ada, &["knowledge", "add", "rule", "What came behind the signature"]);
    asks(&eve, &["canon", "state", "evil", HOSTILE]);
    asks(&eve, &["seal"]);
    take(&user, &ada);
    take(&user, &eve);
    assert_eq!(begins(&user, "s1", "startup").matches("Canon").count(), 0);
    assert!(!user.done("voice accept --signed").contains("agents may be told"), "no key is trusted yet");
    let key = ada.done("trust key");
    let words: Vec<&str> = ["trust", "add", "ada"].into_iter().chain(key.split_whitespace().take(2)).collect();
    asks(&user, &words);
    assert_eq!(user.done("voice accept --signed"), "agents may be told 1 entry\n");
    let heard = begins(&user, "s2", "startup");
    let is_heard = |text: &str| heard.contains(text);
    assert!(
        is_heard(CANON) && !is_heard("IGNORE") && !is_heard("agent of Ada") && !is_heard("behind the signature"),
        "{heard}"
    );
}

/// Behind a signature that covers the line nothing may be written anew.
#[test]
fn a_changed_line_takes_its_signature_with_it() {
    let (user, ada) = (Project::hooked(), Project::hooked());
    asks(&ada, &["canon", "state", "gate", CANON]);
    asks(&ada, &["seal"]);
    let key = ada.done("trust key");
    let words: Vec<&str> = ["trust", "add", "ada"].into_iter().chain(key.split_whitespace().take(2)).collect();
    asks(&user, &words);
    for (name, text) in crate::support::day_files(&ada.context()) {
        user.write(&format!(".context/history/{name}"), &text.replace(CANON, HOSTILE));
    }
    let run = user.annals(["voice", "accept", "--signed"], "");
    assert!(run.code != Some(0) && run.stderr.contains("does not verify"), "{run:?}");
    assert!(!begins(&user, "s1", "startup").contains("IGNORE"));
}
