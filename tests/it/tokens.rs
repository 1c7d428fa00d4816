//! Tokens: in a clone those count that were given there, or that it found when it first looked; what a merge brings
//! later waits for the user. And of what holds by `local/settings` alone nothing says that the user entered it.

use std::fs;

use annals::kernel::json::sha256_hex;
use serde_json::{Value, json};

use crate::program::{Project, Run};

fn refused(answer: &Run) {
    assert_eq!(answer.code, Some(1), "{answer:?}");
    assert!(answer.stderr.contains("user did not show its token"), "{}", answer.stderr);
}

/// Puts the lines of a clone beside those of another, as a merge does.
fn merge(from: &Project, to: &Project) {
    for (name, text) in from.days() {
        let line: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
        let writer = line["extensions"]["annals"]["w"].as_str().expect("a writer");
        let name = name.replace(".jsonl", &format!(".{writer}.1.jsonl"));
        fs::write(to.context().join("history").join(name), text).expect("written");
    }
}

/// A line that gives `user` another token, as anybody can write it who reads the log: what proves the user is the seal,
/// and that stands there.
fn forge(project: &Project, token: &str) {
    let days = project.days();
    let lines: Vec<Value> =
        days.values().flat_map(|text| text.lines()).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let is_seal = |line: &&Value| {
        line["operation"]["name"] == "roster.agent.seal" && line["operation"]["input"]["command"]["agent"] == "user"
    };
    let mut line = lines.iter().find(is_seal).expect("a seal").clone();
    let last = lines.last().expect("a line");
    let id = last["id"].as_str().expect("an id");
    let (old, new) = (line["operation"]["input"]["command"]["seal"].clone(), sha256_hex(token.as_bytes()));
    line["id"] = json!(format!("{}ZZZ", &id[..id.len() - 3]));
    line["timestamp"] = last["timestamp"].clone();
    line["operation"]["input"] = json!({ "command": { "agent": "user", "seal": new }, "observed": { "proof": old } });
    line["operation"]["output"]["events"][0]["data"]["seal"] = json!(new);
    line["extensions"]["annals"] = json!({ "v": 1, "r": 1, "w": "evilevil", "n": 1, "p": "0".repeat(32) });
    let name = days.keys().last().expect("a day").replace(".jsonl", ".evilevil.1.jsonl");
    fs::write(project.context().join("history").join(name), line.to_string() + "\n").expect("written");
}

const WAITS: &str = "the log has another token of user; it does not count here: `annals agent token user --accept`";

#[test]
fn a_merged_line_takes_no_token_from_the_user() {
    let project = Project::new();
    let token = project.done("agent token user");
    project.done("config set roster.require_token true");
    forge(&project, "mine");
    refused(&project.with_token("mine", "config set sanitization.enabled false"));
    assert_eq!(project.done("config get sanitization.enabled"), "true\n");
    let status = project.done("status");
    assert!(status.contains(WAITS), "{status}");
    let doctor = project.annals(["doctor"], "").stdout;
    assert!(doctor.contains("the log has another token than counts in this clone: user"), "{doctor}");
    // The user's own counts on, for what weakens as for what the file says.
    project.write(".context/config.toml", "[session]\nidle_minutes = 7\n");
    assert_eq!(project.with_token(&token, "config set sanitization.enabled false").code, Some(0));
    assert_eq!(project.done("config get sanitization.enabled"), "false\n");
    let names: Vec<_> = project.entries().iter().map(|entry| entry.operation.name.to_string()).collect();
    assert!(names.contains(&"config.file.adopt".to_owned()), "{names:?}");
    project.done("replay --all");
    // Only who has it lets another count.
    refused(&project.with_token("mine", "agent token user --accept"));
    refused(&project.annals(["agent", "token", "user", "--accept"], ""));
    let answer = project.with_token(&token, "agent token user --accept");
    assert_eq!(
        (answer.code, answer.stdout.as_str()),
        (Some(0), "the token of user that the log has counts here now\n")
    );
    assert!(!project.done("status").contains("another token"));
    refused(&project.with_token(&token, "config set sanitization.enabled true"));
    assert_eq!(project.with_token("mine", "config set sanitization.enabled true").code, Some(0));
    assert_eq!(project.with_token("mine", "agent token user --accept").stderr, "no other token of user waits\n");
    project.done("replay --all");
}

/// One person, two clones: what was given in one is accepted in the other, and then counts in both.
#[test]
fn a_token_that_the_user_gave_in_another_clone_is_accepted_here() {
    let (laptop, desktop) = (Project::new(), Project::new());
    desktop.done("session start One");
    let token = laptop.done("agent token user");
    laptop.done("config set roster.require_token true");
    merge(&laptop, &desktop);
    assert!(desktop.done("status").contains(WAITS));
    refused(&desktop.with_token(&token, "config set sanity.preset light"));
    assert_eq!(desktop.with_token(&token, "agent token user --accept").code, Some(0));
    assert_eq!(desktop.with_token(&token, "config set sanity.preset light").code, Some(0));
    refused(&desktop.annals(["config", "set", "sanity.preset", "standard"], ""));
    merge(&desktop, &laptop);
    assert!(!laptop.done("status").contains("another token"), "it is the same one");
    assert_eq!(laptop.with_token(&token, "session start Two").code, Some(0));
    for project in [&laptop, &desktop] {
        project.done("verify");
        project.done("replay --all");
    }
}

/// Whoever clones a project finds its user's token in the log; from the first decision on no other takes its place.
#[test]
fn a_new_clone_holds_to_the_token_that_it_finds() {
    let project = Project::new();
    let token = project.done("agent token user");
    project.done("config set roster.require_token true");
    fs::remove_dir_all(project.context().join("local")).expect("removed");
    refused(&project.with_token("mine", "config set sanity.preset light"));
    assert_eq!(project.with_token(&token, "config set roster.require_token true").code, Some(0));
    forge(&project, "mine");
    refused(&project.with_token("mine", "config set sanity.preset light"));
    assert_eq!(project.with_token(&token, "config set sanity.preset light").code, Some(0));
    project.done("replay --all");
}

/// Who leads gives tokens to agents, and no token to the user that counts.
#[test]
fn a_token_that_a_lead_gives_the_user_waits() {
    let project = Project::new();
    project.done("agent add lea --role team-lead");
    let token = project.done("agent token user");
    let theirs = project.done("--as lea agent token user");
    assert!(project.done("status").contains(WAITS));
    project.done("config set roster.require_token true");
    refused(&project.with_token(&theirs, "config set sanity.preset light"));
    assert_eq!(project.with_token(&token, "config set sanity.preset light").code, Some(0));
    project.done("replay --all");
}

/// Whoever writes `local/settings` by hand is this machine's user, as far as anybody can tell; but nothing says that the
/// user entered it.
#[test]
fn what_no_entry_says_is_not_said_to_be_entered() {
    use std::os::unix::fs::MetadataExt;
    let project = Project::new();
    project.write(".context/config.toml", "[sanitization]\nenabled = false\n");
    project.done("session start One");
    let entry = project.last().id;
    let number = fs::metadata(project.context().join("local")).expect("there").ino();
    let forged = json!({ "folder": number,
        "entered": { "sanitization.enabled": { "value": false, "entry": entry } } });
    fs::write(project.context().join("local/settings"), forged.to_string()).expect("written");
    let says = "in force by local/settings, though no entry here says so: sanitization.enabled = false";
    let (status, doctor) = (project.done("status"), project.annals(["doctor"], "").stdout);
    assert!(status.contains(says) && !status.contains("because the user entered it here"), "{status}");
    assert!(doctor.contains(says) && !doctor.contains("because the user entered it here"), "{doctor}");
    project.done("config accept --all");
    project.done("config set sanitization.enabled false");
    let status = project.done("status");
    assert!(status.contains("in force because the user entered it here: sanitization.enabled = false"), "{status}");
    project.done("config set sanitization.enabled true");
    assert_eq!(project.done("config get sanitization.enabled"), "true\n");
}

/// What the user entered when it was not yet known to weaken is not asked for again.
#[test]
fn what_was_entered_before_it_was_guarded_holds() {
    use std::os::unix::fs::MetadataExt;
    let project = Project::new();
    project.done("config set canon.required_votes_for_agent_promotion 1");
    let number = fs::metadata(project.context().join("local")).expect("there").ino();
    let earlier = json!({ "entered": {}, "folder": number });
    fs::write(project.context().join("local/settings"), earlier.to_string()).expect("written");
    assert_eq!(project.done("config get canon.required_votes_for_agent_promotion"), "1\n");
    assert!(project.done("status").contains("in force because the user entered it here: canon.required_votes"));
}
