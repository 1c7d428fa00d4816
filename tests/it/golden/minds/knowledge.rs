//! What was learnt of the person and the project.

use serde_json::{Value, json};

use super::super::control::{NOTHING, ask, seen, set, user, with};
use super::Step;

fn add(kind: &str, content: &str, more: Value) -> Step {
    user("knowledge.entry.add", with(json!({ "kind": kind, "content": content }), more))
}

fn propose(actor: &'static str, content: &str, entry: &str) -> Step {
    let source = json!({ "session": "s", "entries": [entry], "rule": "prefer" });
    ask(actor, "knowledge.candidate.propose", json!({ "kind": "preference", "content": content, "source": source }))
}

/// Stands for the entry that says so.
fn known(content: &str) -> String {
    format!("<known {content}>")
}

fn on(actor: &'static str, command: &'static str, content: &str) -> Step {
    ask(actor, command, json!({ "entry": known(content) }))
}

fn search(actor: &'static str, query: &str) -> Step {
    ask(actor, "knowledge.entry.retrieve", json!({ "query": query }))
}

fn supersede(old: &str, by: &str) -> Step {
    user("knowledge.entry.supersede", json!({ "entry": known(old), "by": known(by) }))
}

fn candidate(actor: &'static str, command: &'static str, content: &str) -> Step {
    ask(actor, command, json!({ "candidate": format!("<candidate {content}>") }))
}

fn feedback(actor: &'static str, content: &str, result: &str) -> Step {
    ask(actor, "knowledge.feedback.give", json!({ "entry": known(content), "result": result }))
}

const ACCEPT: &str = "knowledge.candidate.accept";
const REJECT: &str = "knowledge.candidate.reject";
const ARCHIVE: &str = "knowledge.entry.archive";
const RESTORE: &str = "knowledge.entry.restore";

/// What is added, superseded, put away, and what is refused of it.
fn entries() -> Vec<Step> {
    vec![
        ask("nobody", "knowledge.entry.retrieve", json!({ "query": "anything" })),
        // No agent acts where nobody can dissent.
        user("roster.agent.change", json!({ "agent": "critic", "can_be_devils_advocate": true })),
        search("general", "anything"),
        add("fact", "The port is 80", json!({ "confidence": 0.8 })),
        add("fact", "The port is 8080", json!({ "confidence": 0.8, "supersedes": known("The port is 80") })),
        add("fact", "The host is Alpha", json!({ "about": "host", "entities": ["alpha", "ALPHA", "beta"] })),
        add("rule", "Never push to main", json!({})),
        add("procedure", "To release, run `make dist`", json!({ "source": { "session": "s", "entries": [NOTHING] } })),
        add("fact", "the port is  8080.", json!({})),
        add("fact", "...", json!({})),
        add("fact", &"x".repeat(2001), json!({})),
        add("fact", "A name", json!({ "entities": ["a\nb"] })),
        ask("general", "knowledge.entry.add", json!({ "kind": "fact", "content": "An agent's" })),
        set(json!({ "knowledge.agents_may_add": true })),
        ask("general", "knowledge.entry.add", json!({ "kind": "fact", "content": "The agent's own" })),
        set(json!({ "knowledge.agents_may_add": null })),
        supersede("The port is 80", "The host is Alpha"),
        supersede("The port is 8080", "The port is 8080"),
        user("knowledge.entry.supersede", json!({ "entry": NOTHING, "by": known("The port is 8080") })),
        on("general", ARCHIVE, "The host is Alpha"),
        on("user", ARCHIVE, "The host is Alpha"),
        on("user", ARCHIVE, "The host is Alpha"),
        on("mod", RESTORE, "The host is Alpha"),
        on("mod", RESTORE, "The host is Alpha"),
        feedback("general", "The port is 8080", "success"),
        feedback("general", "The port is 8080", "failed"),
        feedback("critic", "The port is 8080", "neutral"),
    ]
}

/// What comes, and what does not.
fn retrievals() -> Vec<Step> {
    vec![
        search("general", "on which port does it listen"),
        search("general", "what does Alpha do"),
        search("general", "zebra"),
        search("general", " "),
        ask("general", "knowledge.entry.retrieve", json!({ "entities": ["beta"], "kind": "fact", "limit": 1 })),
        set(json!({ "retrieval.min_keyword_overlap": 0.6, "retrieval.entity_weight": 5, "retrieval.max_entries": 1 })),
        search("general", "port push"),
        search("general", "release port main"),
        set(
            json!({ "retrieval.min_keyword_overlap": null, "retrieval.entity_weight": null, "retrieval.max_entries": null }),
        ),
        set(json!({ "retrieval.stop_words": ["port"] })),
        search("general", "port"),
        set(json!({ "retrieval.stop_words": null })),
    ]
}

/// What is proposed, and what becomes of it.
fn reviews() -> Vec<Step> {
    let joined = |entry: u32| json!({ "source": { "session": format!("s{entry}") }, "confidence": 0.7 });
    vec![
        propose("general", "I prefer tabs", NOTHING),
        propose("general", "I prefer tabs", NOTHING),
        propose("explore", "i prefer tabs.", "01KAGMC4R00000000000000001"),
        propose("explore", "I prefer spaces", NOTHING),
        propose("explore", "I prefer neither", NOTHING),
        candidate("general", ACCEPT, "I prefer tabs"),
        candidate("user", ACCEPT, "I prefer tabs"),
        candidate("user", REJECT, "I prefer tabs"),
        candidate("mod", REJECT, "I prefer spaces"),
        propose("explore", "I prefer spaces", "01KAGMC4R00000000000000002"),
        user(ACCEPT, json!({ "candidate": "0123456789abcdef" })),
        add("fact", "Use pnpm", joined(1)),
        add("fact", "use pnpm", joined(2)),
        user("knowledge.entry.consolidate", json!({})),
        add("fact", "use pnpm.", joined(3)),
        user("knowledge.entry.consolidate", json!({})),
        user("knowledge.entry.consolidate", json!({})),
        candidate("user", ACCEPT, "use pnpm."),
    ]
}

/// What fades, in an hour here.
fn fading() -> Vec<Step> {
    let fast = json!({
        "memory.decay.decay_start_days": 0, "memory.decay.decay_factor": 0.001, "memory.decay.archive_threshold": 0.6,
    });
    let slow = json!({
        "memory.decay.decay_start_days": null, "memory.decay.decay_factor": null, "memory.decay.archive_threshold": null,
    });
    vec![
        user("knowledge.entry.expire", json!({})),
        set(fast),
        Step::Wait(1_800_000),
        search("general", "on which port does it listen"),
        Step::Wait(2_700_000),
        user("knowledge.entry.expire", json!({})),
        user("knowledge.entry.expire", json!({})),
        search("general", "Use pnpm"),
        on("user", RESTORE, "To release, run `make dist`"),
        search("general", "how do I release"),
        Step::Wait(3_700_000),
        search("general", "on which port does it listen"),
        set(json!({ "memory.decay.exempt_types": ["fact"] })),
        search("general", "on which port does it listen"),
        set(json!({ "memory.decay.exempt_types": null, "memory.decay.enabled": false })),
        user("knowledge.entry.expire", json!({})),
        search("general", "Use pnpm"),
        set(json!({ "memory.decay.enabled": null })),
        set(slow),
        search("general", "Use pnpm"),
    ]
}

/// What the rules find in the record of a session.
fn gather(actor: &'static str, found: &[(&str, &str)]) -> Step {
    let propose = |(content, entry): &(&str, &str)| {
        let source = json!({ "session": "s", "entries": [entry], "rule": "always-never" });
        json!({ "kind": "rule", "content": content, "source": source })
    };
    ask(actor, "knowledge.record.gather", json!({ "found": found.iter().map(propose).collect::<Vec<_>>() }))
}

fn gathered() -> Vec<Step> {
    const ONE: &str = "01KAHAS0RB0000000000000001";
    const OTHER: &str = "01KAHAS0RB0000000000000002";
    let text = "Always run the unit tests before a commit";
    vec![
        gather("user", &[(text, ONE)]),
        gather("system", &[]),
        gather("system", &[(text, ONE), ("", ONE), ("Always run the unit tests before the commit!", OTHER)]),
        gather("system", &[(text, ONE)]),
        gather("system", &[("Never run the unit tests before a commit", ONE)]),
        propose("explore", "Small functions with a name of their own", ONE),
        propose("explore", "Small functions with a name of their own!", OTHER),
        propose("explore", "small functions, each with a name of their own", OTHER),
        gather("system", &[(text, ONE); 129]),
    ]
}

/// Which of two that contradict each other holds.
pub fn settled() -> Vec<Step> {
    const OLD: &str = "The queue holds 100 jobs at most";
    const NEW: &str = "The queue holds 200 jobs at most";
    const OTHER: &str = "The cellar is dry";
    let settle = |actor, other: &str, observed| {
        let pair = json!({ "entry": known(OLD), "other": known(other) });
        seen(actor, "knowledge.contradiction.settle", pair, observed)
    };
    let own = || json!({ "entry": {}, "other": { "own": true, "sessions": 2 } });
    vec![
        add("fact", OLD, json!({})),
        add("fact", NEW, json!({})),
        add("fact", OTHER, json!({})),
        settle("mod", NEW, own()),
        settle("user", OTHER, own()),
        settle("user", NEW, json!({})),
        settle("user", NEW, own()),
        settle("user", NEW, own()),
    ]
}

/// The first writer.
pub fn first_day() -> Vec<Step> {
    [entries(), retrievals(), reviews(), fading(), gathered()].into_iter().flatten().collect()
}

/// The second writer, who does not know what the first does meanwhile.
pub fn elsewhere() -> Vec<Step> {
    vec![
        supersede("The port is 8080", "The host is Alpha"),
        candidate("user", ACCEPT, "I prefer neither"),
        search("there", "how do I release"),
        on("user", ARCHIVE, "The agent's own"),
    ]
}

/// The first writer, meanwhile.
pub fn meanwhile() -> Vec<Step> {
    vec![
        search("here", "what does Alpha do"),
        supersede("The host is Alpha", "The port is 8080"),
        candidate("user", REJECT, "I prefer neither"),
        search("here", "The agent's own"),
    ]
}

/// A writer who has seen both.
pub fn afterwards() -> Vec<Step> {
    vec![
        search("both", "on which port does Alpha listen"),
        search("both", "I prefer neither"),
        on("user", RESTORE, "The agent's own"),
        search("both", "The agent's own"),
    ]
}
