//! Real swarms and real engineering text against the rules, where `ANNALS_TRANSCRIPTS` names their folder.
//!
//! `docs/CONTROL.md` has the figures; with `--nocapture` these tests print them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::*;
use crate::domain::breaker::limits::PRESET;
use crate::domain::breaker::state::verdict;
use crate::domain::breaker::thread::Thread;
use crate::domain::breaker::{self, Discussion, Draft, Ground, Preset, judge};
use crate::import::swarm::Conversation;
use crate::kernel::decision::Cause;
use crate::kernel::grounding::Stance;
use crate::kernel::grounds::Grounds;
use crate::kernel::id::{AgentId, EntryId, IssueId};
use crate::kernel::settings::{AnySetting as _, Settings};
use crate::kernel::time::Timestamp;
use crate::testing::transcripts;

fn how(after_freeze: AfterFreeze, preset: Preset) -> How {
    let mut settings = Settings::default();
    settings.set(PRESET.key(), Some(preset.as_str().into()));
    How { settings, stance: Stance::Neutral, after_freeze }
}

/// The conversations of the benchmark, by shape.
fn who_and_when(root: &Path) -> BTreeMap<&'static str, Vec<Conversation>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let files = fs::read_dir(root.join("multi-agent/who-and-when")).expect("the folder");
    for file in files.map(|file| file.expect("a file").path()) {
        let conversation = Conversation::read(&fs::read(&file).expect("read")).expect("a conversation");
        all.entry(conversation.shape.as_str()).or_default().push(conversation);
    }
    all
}

fn autodream(root: &Path) -> Conversation {
    let path = root.join("multi-agent/autodream-swarm/inbox-messages.jsonl");
    Conversation::read(&fs::read(path).expect("read")).expect("a conversation")
}

/// Letters in which at least every hundredth word praises, as the collection counts them.
fn praise_loop(root: &Path) -> Conversation {
    let path = root.join("multi-agent/autodream-swarm/inbox-messages.jsonl");
    let text = fs::read_to_string(path).expect("read");
    let number = |letter: &Value, key: &str| letter[key].as_u64().unwrap_or(0);
    let praises = |line: &&str| {
        let letter: Value = serde_json::from_str(line).expect("a letter");
        number(&letter, "praise_words") * 100 >= number(&letter, "words").max(1)
    };
    let lines: Vec<&str> = text.lines().filter(praises).collect();
    Conversation::read(lines.join("\n").as_bytes()).expect("a conversation")
}

/// Sums over many conversations under the same rules.
#[derive(Default)]
struct Sums {
    conversations: usize,
    messages: usize,
    stopped: usize,
    words: u64,
    saved: u64,
    rules: BTreeMap<String, Count>,
    first_stops: Vec<usize>,
    first_freezes: Vec<usize>,
}

impl Sums {
    fn of(conversations: &[Conversation], how: &How) -> Self {
        let mut sums = Self { conversations: conversations.len(), ..Self::default() };
        for report in conversations.iter().map(|conversation| play(conversation, how)) {
            sums.messages += report.messages.len();
            sums.stopped += usize::try_from(report.stopped).expect("few");
            sums.words += report.words.written;
            sums.saved += report.words.saved;
            for (rule, count) in &report.rules {
                let sum = sums.rules.entry(rule.to_string()).or_default();
                *sum = Count { stopped: sum.stopped + count.stopped, violated: sum.violated + count.violated };
            }
            sums.first_stops.extend(report.first_stop.map(|stop| stop.message));
            sums.first_freezes.extend(report.first_freeze.map(|stop| stop.message));
        }
        sums.first_stops.sort_unstable();
        sums.first_freezes.sort_unstable();
        sums
    }

    /// A row of a table.
    fn row(&self, name: &str) -> String {
        let middle = |places: &[usize]| match places.get(places.len() / 2) {
            Some(place) if self.conversations == 1 => place.to_string(),
            Some(place) => format!("{place} (in {} of {})", places.len(), self.conversations),
            None => "-".to_owned(),
        };
        let mut rules: Vec<_> = self.rules.iter().filter(|(_, count)| count.stopped > 0).collect();
        rules.sort_by_key(|(_, count)| std::cmp::Reverse(count.stopped));
        let rules =
            rules.iter().map(|(rule, count)| format!("{rule} {}", percent(count.stopped, self.messages as u64)));
        format!(
            "| {name} | {} | {} | {} | {} | {} | {} |\n",
            self.messages,
            percent(self.stopped as u64, self.messages as u64),
            middle(&self.first_stops),
            middle(&self.first_freezes),
            percent(self.saved, self.words),
            rules.collect::<Vec<_>>().join(", ")
        )
    }
}

fn percent(part: u64, whole: u64) -> String {
    let thousandths = (part * 1000 + whole / 2) / whole.max(1);
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}

#[expect(clippy::print_stderr, reason = "tests only: the tables that the documentation has")]
fn show(table: &str) {
    let head = "messages | stopped | first stop | first freeze | words saved | stopped by";
    eprintln!("| | {head} |\n|---|---|---|---|---|---|---|\n{table}");
}

/// Control-room 4.1, on swarms that nobody made for us.
#[test]
fn real_swarms_are_stopped_early() {
    let Some(root) = transcripts() else { return };
    let mut swarms = who_and_when(&root);
    swarms.insert("autodream, all letters", vec![autodream(&root)]);
    swarms.insert("autodream, praise", vec![praise_loop(&root)]);
    let mut table = String::new();
    for (after, what) in [(AfterFreeze::Holds, "freezes hold"), (AfterFreeze::IsLifted, "--thaw")] {
        for preset in Preset::ALL {
            for (name, conversations) in &swarms {
                let sums = Sums::of(conversations, &how(after, *preset));
                table.push_str(&sums.row(&format!("{name}, {preset}, {what}")));
                if name.starts_with("autodream") && matches!(preset, Preset::Standard | Preset::Strict) {
                    assert!(sums.first_stops[0] <= sums.messages / 10, "{name}, {preset}");
                }
            }
        }
    }
    show(&table);
}

/// Every text of beads, as the first comment on an issue of its own: what somebody wrote, and what a program filled in.
fn engineering(root: &Path) -> [(&'static str, Vec<Conversation>); 2] {
    const FORMS: [&str; 8] = ["merge-request", "molecule", "agent", "message", "gate", "rig", "event", "role"];
    let text = fs::read_to_string(root.join("beads/gastownhall-beads/issues.jsonl")).expect("read");
    let (mut written, mut filled) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let issue: Value = serde_json::from_str(line).expect("an issue");
        let comments = issue["comments"].as_array().into_iter().flatten().map(|comment| &comment["text"]);
        let is_form = FORMS.contains(&issue["issue_type"].as_str().unwrap_or_default());
        let own = if is_form { &mut filled } else { &mut written };
        own.extend(issue["description"].as_str().filter(|text| !text.trim().is_empty()).map(alone));
        written.extend(comments.filter_map(Value::as_str).map(alone));
    }
    [("written", written), ("filled in", filled)]
}

fn alone(text: &str) -> Conversation {
    let line = serde_json::json!({ "speaker": "engineer", "text": text }).to_string();
    Conversation::read(line.as_bytes()).expect("a conversation")
}

/// Control-room 10.1: what the presets make of text that should pass.
#[test]
fn real_engineering_text_is_seldom_frozen() {
    let Some(root) = transcripts() else { return };
    let texts = engineering(&root);
    let mut table = String::new();
    for preset in Preset::ALL {
        let mut frozen = 0;
        for (kind, conversations) in &texts {
            let sums = Sums::of(conversations, &how(AfterFreeze::Holds, *preset));
            table.push_str(&sums.row(&format!("{kind}, {preset}")));
            frozen += sums.first_freezes.len();
        }
        let all: usize = texts.iter().map(|(_, conversations)| conversations.len()).sum();
        assert!(*preset == Preset::Strict || frozen * 50 <= all, "{preset}: {frozen} of {all} are frozen");
    }
    show(&table);
}

/// Improvement D: how many texts freeze where one agent writes all of them, at their times.
fn frozen_for_one_agent(root: &Path, settings: &Settings) -> (usize, usize) {
    let beads = fs::read_to_string(root.join("beads/gastownhall-beads/issues.jsonl")).expect("read");
    let issues = beads.lines().map(|line| serde_json::from_str::<Value>(line).expect("an issue"));
    let said = |issue: Value| {
        let at: Timestamp = issue["created_at"].as_str()?.parse().expect("a time");
        Some((at, issue["description"].as_str().filter(|text| !text.trim().is_empty())?.to_owned()))
    };
    let mut texts: Vec<_> = issues.filter_map(said).collect();
    texts.sort();
    let (mut state, mut frozen) = (breaker::State::default(), 0);
    let author = AgentId::from("engineer");
    for (at, body) in &texts {
        let draft = Draft {
            author: &author,
            body,
            stance: Stance::Neutral,
            impact: None,
            grounds: Grounds::default(),
            ground: Ground::Known,
        };
        let alone = Discussion { turns: &[], known: &Thread::default() };
        let checks = judge(&draft, &alone, &state.limits(&author, *at, settings));
        let Some((event, _)) = verdict(&IssueId::default(), &author, checks) else { continue };
        frozen += usize::from(matches!(event, breaker::Event::Tripped(_)));
        state.evolve(&event, &Cause { asked: None, id: EntryId::MIN, at: *at, actor: &author });
    }
    (frozen, texts.len())
}

#[test]
fn dampening_makes_one_agent_freeze_more_than_many() {
    let Some(root) = transcripts() else { return };
    let (standard, all) = frozen_for_one_agent(&root, &how(AfterFreeze::Holds, Preset::Standard).settings);
    let (ours, _) = frozen_for_one_agent(&root, &how(AfterFreeze::Holds, Preset::Engineering).settings);
    show(&format!("| one agent, frozen | {all} | standard {standard} | engineering {ours} | | | |"));
    assert!(ours * 50 <= all, "{ours} of {all} are frozen");
}
