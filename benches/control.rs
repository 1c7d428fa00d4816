//! The control room at its size: 100,000 issues and a million comments, and what a command costs on top of them.
//!
//!     cargo bench --bench control -- FOLDER [ISSUES] [COMMENTS]
//!
//! Makes the world where it is not there yet, by deciding in memory what a swarm would have asked, then runs the program
//! itself. Each figure stands beside a bare write with fdatasync in the same run.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use annals::domain::{Ask, Command};
use annals::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::kernel::time::Timestamp;
use annals::policy;
use annals::world::decision::entry_of;
use annals::world::{Asked, World};
use serde_json::{Value, json};

const AGENTS: usize = 20;
const DAYS: i64 = 30;
const RUNS: usize = 40;

const REASONS: &str = "The parser keeps one token of lookahead, which is why this case of the grammar needs a second pass \
     over every nested list. Splitting it into two productions removes the pass and costs one more entry in the table.";

#[expect(clippy::print_stdout, reason = "a bench tells what it measured")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|text| !text.starts_with("--")).collect();
    let Some(folder) = arguments.first().map(PathBuf::from) else {
        return println!("control: give a folder for the world");
    };
    let number = |place: usize, default: usize| arguments.get(place).map_or(default, |n| n.parse().expect("a number"));
    let (issues, comments) = (number(1, 100_000), number(2, 10));
    if !folder.join(".context/history").is_dir() {
        make(&folder, issues, comments);
    }
    println!("{issues} issues with {comments} comments each");
    run(&folder, &["issue", "stats"]);
    let write = median(|_| bare_write(&folder));
    println!("{:<44} {:>8.2} ms", "write and fdatasync", write);
    let middle = (issues / 2).to_string();
    for arguments in [
        vec!["issue", "list"],
        vec!["issue", "show", &middle],
        vec!["issue", "show", &middle, "--as", "agent3"],
        vec!["health"],
        vec!["issue", "new", "One more"],
    ] {
        let took = median(|_| run(&folder, &arguments));
        println!("{:<44} {took:>8.2} ms  {:+.2} ms", arguments.join(" "), took - write);
    }
    let took = median(|round| {
        let issue = (issues / 3 + round).to_string();
        run(&folder, &["issue", "comment", &issue, REASONS, "--as", "agent19"])
    });
    println!("{:<44} {took:>8.2} ms  {:+.2} ms", "issue comment", took - write);
}

fn median(mut once: impl FnMut(usize) -> Duration) -> f64 {
    let mut all: Vec<_> = (0..RUNS).map(&mut once).collect();
    all.sort();
    all[RUNS / 2].as_secs_f64() * 1000.0
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn run(folder: &Path, arguments: &[&str]) -> Duration {
    let mut process = Process::new(env!("CARGO_BIN_EXE_annals"));
    let start = Instant::now();
    process.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null()).status().expect("run");
    start.elapsed()
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn bare_write(folder: &Path) -> Duration {
    let mut file = File::options().append(true).create(true).open(folder.join("bare")).expect("opened");
    let start = Instant::now();
    file.write_all(&[b'x'; 700]).expect("written");
    file.sync_data().expect("synced");
    start.elapsed()
}

/// Decides in memory, and writes the lines.
struct Maker {
    world: World,
    folder: PathBuf,
    files: std::collections::BTreeMap<String, BufWriter<File>>,
    count: u128,
    total: u128,
}

impl Maker {
    fn ask(&mut self, actor: &str, command: &str, fields: &Value, observed: &Value) -> EntryId {
        self.count += 1;
        let span = u128::try_from(DAYS).expect("days") * 86_400_000;
        let offset = i64::try_from(self.count * span / self.total).expect("milliseconds");
        let at = Timestamp::from_millis(1_792_000_000_000 + offset);
        let id = EntryId::new(at, self.count);
        let command = Command::read(command, &Json::of(fields)).expect("a command");
        let ask = Ask { command, observed: Json::of(observed) };
        let actor = AgentId::from(actor);
        let asked = Asked { id, at, actor: actor.clone(), session: SessionId::from(NO_SESSION) };
        let decided = self.world.decide(&ask, &asked);
        assert_eq!(decided.refusal, None);
        for event in &decided.events {
            policy::take_in(&mut self.world.rooms, event, &policy::From { ask: Some(&ask), id, at, actor: &actor });
        }
        let line = entry_of(&ask, &asked, &decided, 1).to_line();
        let name = format!("{}.jsonl", at.day());
        let path = self.folder.join(&name);
        let file = self.files.entry(name).or_insert_with(|| BufWriter::new(File::create(path).expect("created")));
        writeln!(file, "{line}").expect("written");
        id
    }
}

fn make(folder: &Path, issues: usize, comments: usize) {
    let history = folder.join(".context/history");
    fs::create_dir_all(&history).expect("made");
    let total = (issues * (comments + 1) + AGENTS + 10) as u128;
    let mut maker =
        Maker { world: World::default(), folder: history, files: std::collections::BTreeMap::new(), count: 0, total };
    let values = json!({ "sanity.max_total_comments_per_issue": 1000, "sanity.max_comments_per_agent_per_issue": 100 });
    maker.ask("user", "config.value.change", &json!({ "values": values }), &json!({}));
    fs::write(
        folder.join(".context/config.toml"),
        "[sanity]\nmax_total_comments_per_issue = 1000\nmax_comments_per_agent_per_issue = 100\n",
    )
    .expect("written");
    for number in 0..AGENTS {
        let role = if number == 0 { "moderator" } else { "critic" };
        let add = json!({ "agent": format!("agent{number}"), "role": role, "can_be_devils_advocate": true });
        maker.ask("user", "roster.agent.add", &add, &json!({}));
    }
    let mut open = Vec::new();
    for number in 0..issues {
        let tag = format!("tag{}", number % 200);
        let fields = json!({ "title": format!("Issue {number} about a part of the parser"), "tags": [tag] });
        let author = format!("agent{}", number % AGENTS);
        open.push(maker.ask(&author, "issues.issue.open", &fields, &json!({})));
        // Threads grow side by side, as they do.
        for turn in 0..comments {
            let issue = open[open.len().saturating_sub(1 + turn * 7)];
            comment(&mut maker, (number, turn), issue);
        }
    }
    for file in maker.files.values_mut() {
        file.flush().expect("flushed");
    }
}

fn comment(maker: &mut Maker, (number, turn): (usize, usize), issue: EntryId) {
    let agent = format!("agent{}", (number + turn * 3) % (AGENTS - 1));
    let mut fields = json!({ "issue": issue, "body": format!("{REASONS} ({number}.{turn})") });
    let mut observed = json!({});
    if turn % 4 == 1 {
        fields["evidence"] = json!({ "files": [{ "path": format!("src/part{}.rs", number % 500) }] });
        let checked = json!({ "path": format!("src/part{}.rs", number % 500), "exists": true, "lines_valid": true });
        (fields["citation"], observed) = (json!({ "trigger": "support-proposal" }), json!({ "evidence": [checked] }));
    }
    maker.ask(&agent, "issues.comment.add", &fields, &observed);
}
