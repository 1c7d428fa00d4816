//! Which commands read, and what they are asked for here. A new command reads, unless it stands in the list of those
//! that write; one that needs arguments must be given them here.

use clap::Command;

use super::hostile::Hostile;

/// Commands that decide, record or write files; what they print comes of what they are given.
const WRITING: &[&str] = &[
    "access grant", "access revoke", "advocate assign", "advocate release", "agent add", "agent edit", "agent token",
    "archive", "audit", "blind close", "blind open", "blind reveal", "blind submit", "canon promote", "canon retire",
    "canon state", "cognition answer", "cognition contradict", "cognition correct", "cognition fact add",
    "cognition fact drop", "cognition fact verify", "cognition feel", "cognition goal add", "cognition goal back",
    "cognition goal focus", "cognition goal progress", "cognition goal reconcile", "cognition goal status",
    "cognition import", "cognition settle", "cognition think", "cognition tone", "cognition unknown", "completions",
    "config accept", "config set", "council confirm", "council debate", "council inform", "council open",
    "council resolve", "council vote", "credit award", "credit slice", "debate advocate", "debate approve",
    "debate critic", "debate disable", "debate enable", "debate fail", "debate outcome", "debate request",
    "debate reset", "debate resolve", "debate same", "debate succeed", "demo", "exec", "forget", "goal drop",
    "goal set", "help", "history acknowledge", "history mend-clock", "history settle", "hivemind access",
    "hivemind add", "hivemind contest", "hivemind nominate", "hivemind remove", "hivemind settle",
    "hivemind supersede", "hivemind sync", "hook", "import", "init", "issue close", "issue comment", "issue edit",
    "issue freeze", "issue import beads", "issue link", "issue mark", "issue new", "issue reopen", "issue resolve",
    "issue start", "issue unfreeze", "knowledge accept", "knowledge add", "knowledge archive", "knowledge consolidate",
    "knowledge extract", "knowledge feedback", "knowledge propose", "knowledge reject", "knowledge restore",
    "knowledge supersede", "man", "memory dream", "memory feedback", "memory learn", "memory recall", "memory write",
    "message approve", "message deliver", "message send", "milestone begin", "milestone end", "model ask",
    "moderate assist", "moderate challenge", "moderate consolidate", "moderate escalate", "moderate freedom",
    "moderate freeze-tag", "moderate profile", "moderate unfreeze-tag", "notice ack", "record", "remember", "render",
    "resident override", "resident run", "resident tick", "run", "scrub", "seal", "session abort", "session complete",
    "session resume", "session start", "session suspend", "setup", "task abort", "task apply", "task drop",
    "task keep", "triggers accept", "triggers deny", "triggers judge", "trust add", "trust import", "trust remove",
];

/// Every command that does something, by its words.
pub fn every_command() -> Vec<Vec<String>> {
    let mut found = Vec::new();
    collect(&annals::cli::commands(), &[], &mut found);
    found
}

fn collect(command: &Command, path: &[String], found: &mut Vec<Vec<String>>) {
    let below: Vec<_> = command.get_subcommands().collect();
    let path = |name: &str| [path, &[name.to_owned()]].concat();
    for sub in below {
        let path = path(sub.get_name());
        if !sub.has_subcommands() || !sub.is_subcommand_required_set() {
            found.push(path.clone());
        }
        collect(sub, &path, found);
    }
}

/// Whether a command only reads.
pub fn is_reading(command: &str) -> bool {
    !WRITING.contains(&command)
}

/// Every command that reads, with what it is asked for, once for each way of asking.
pub fn commands(log: &Hostile) -> Vec<(Vec<String>, Vec<String>)> {
    let all = every_command();
    let unknown: Vec<_> = WRITING.iter().filter(|name| !all.iter().any(|path| path.join(" ") == **name)).collect();
    assert!(unknown.is_empty(), "no such commands: {unknown:?}");
    let reading = all.into_iter().filter(|path| is_reading(&path.join(" ")));
    reading.flat_map(|path| ways(log, &path.join(" ")).into_iter().map(move |way| (path.clone(), way))).collect()
}

/// The arguments that a command is asked with here.
fn ways(log: &Hostile, command: &str) -> Vec<Vec<String>> {
    let one = |event: &str, pointer: &str| log.one(event, pointer);
    let ways = |texts: &[&str]| texts.iter().map(|text| vec![(*text).to_owned()]).collect::<Vec<_>>();
    match command {
        "session show" | "session summary" | "analyse" => sessions(log, command),
        "replay" => {
            recorded(log, "\"cognitive.goal").into_iter().next_back().map(|last| vec![last]).into_iter().collect()
        }
        "cognition" | "cognition show" => with(&["--session"], &recorded(log, "\"cognitive.")),
        "log" | "knowledge review" => vec![vec!["--all".into()]],
        "search" | "recall" => ways(&["a", "e"]),
        "blame" => ways(&[".context/config.toml"]),
        "blind show" => vec![Vec::new(), vec![one("blind.pass.opened", "/issue")]],
        "show" => vec![some_of_each(log)],
        "issue show" => ways(&["1", "2", "3", "5"]),
        "agent brief" | "credit profile" => {
            log.told("roster.agent.changed", "/agent").into_iter().take(3).map(|id| vec![id]).collect()
        }
        "topic show" => vec![vec![one("issues.issue.open", "/tags/0")]],
        "canon show" => vec![vec![one("canon.entry.established", "/key")]],
        "council show" => vec![vec![one("council.session.created", "/council")]],
        "debate show" => vec![vec![one("dialectic.debate.requested", "/debate")]],
        "hivemind show" => vec![vec![one("hivemind.entry.added", "/entry/key")]],
        "knowledge show" => vec![vec![one("knowledge.entry.added", "/entry")]],
        "memory potentials" | "memory plot" => {
            vec![vec![one("memory.megram.written", "/space"), one("memory.megram.written", "/entity")]]
        }
        "canon check" | "knowledge search" | "knowledge trace" | "debate gate" => {
            vec![vec![format!("Seryn's eyes are green.{}", log.mark)]]
        }
        "access" => vec![vec![format!("memory/x{}", log.mark)]],
        "evidence check" => vec![vec![format!("a.rs{}", log.mark)]],
        "why" => vec![vec!["config.settings".into()], vec![format!("x{}", log.mark)]],
        "task show" | "task diff" | "task why" => vec![vec![one("tasks.task.begun", "/task")]],
        "task compare" => {
            let ids = log.told("tasks.task.begun", "/task");
            vec![ids.into_iter().take(1).cycle().take(2).collect()]
        }
        "resident status" => vec![vec!["--agent".to_owned(), one("resident.message.queued", "/agent")]],
        "message show" => vec![vec![one("resident.message.queued", "/message")]],
        "scenario" => {
            vec![vec![concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scenarios/a-colleague.toml").to_owned()]]
        }
        "ggs explain" => {
            vec![["--d", "0.5", "--p", "0.2", "--omega", "0.2"].map(str::to_owned).to_vec()]
        }
        "config get" => ways(&["sanity.preset"]),
        "swarm replay" => vec![vec![concat!(env!("CARGO_MANIFEST_DIR"), "/examples/echo-chamber.jsonl").to_owned()]],
        _ => vec![Vec::new()],
    }
}

fn with(options: &[&str], values: &[String]) -> Vec<Vec<String>> {
    let way = |value: &String| options.iter().map(|option| (*option).to_owned()).chain([value.clone()]).collect();
    values.iter().take(2).map(way).collect()
}

/// Sessions of entries of a name.
fn recorded(log: &Hostile, event: &str) -> Vec<String> {
    let found = log.lines().filter(|line| line.contains(event)).map(session);
    found.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

fn session(line: &str) -> String {
    super::meaning(line)["session_id"].as_str().expect("a session").to_owned()
}

fn sessions(log: &Hostile, command: &str) -> Vec<Vec<String>> {
    let record = log.lines().find(|line| line.contains("please fix it")).map(session).expect("a record");
    match command {
        "analyse" => ["critic", "eval", "metrics"]
            .iter()
            .map(|mode| vec![record.clone(), "--mode".into(), (*mode).into()])
            .collect(),
        "session summary" => vec![vec![record]],
        _ => vec![vec![record.clone()], vec![record, "--full".into()]],
    }
}

/// An entry of every name.
fn some_of_each(log: &Hostile) -> Vec<String> {
    let mut names = std::collections::BTreeMap::new();
    for line in log.lines() {
        let value = super::meaning(line);
        names
            .entry(value["operation"]["name"].to_string())
            .or_insert_with(|| value["id"].as_str().expect("an id").to_owned());
    }
    names.into_values().collect()
}
