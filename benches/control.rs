//! The control room at its size: 100,000 issues and a million comments, and what a command costs on top of them.
//!
//!     cargo bench --bench control -- FOLDER [ISSUES] [COMMENTS]
//!
//! Makes the world where it is not there yet, then runs the program itself. Each figure stands beside a bare write with
//! fdatasync in the same run.

mod world;

use std::fs;
use std::path::{Path, PathBuf};

use annals::kernel::id::EntryId;
use serde_json::json;

use self::world::{Maker, Measure};

const AGENTS: usize = 20;

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
    world::run(&folder, &["config", "accept", "--all"].map(str::to_owned));
    world::run(&folder, &["issue".to_owned(), "stats".to_owned()]);
    let measure = Measure::new(&folder);
    let middle = (issues / 2).to_string();
    measure.say_plain(&["issue", "list"]);
    measure.say_plain(&["issue", "show", &middle]);
    measure.say_plain(&["issue", "show", &middle, "--as", "agent3"]);
    measure.say_plain(&["health"]);
    measure.say_plain(&["issue", "new", "One more"]);
    measure.say("issue comment", |round| {
        let issue = (issues / 3 + round).to_string();
        ["issue", "comment", &issue, REASONS, "--as", "agent19"].map(str::to_owned).into()
    });
}

fn make(folder: &Path, issues: usize, comments: usize) {
    let mut maker = Maker::new(folder, issues * (comments + 1) + AGENTS + 10);
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
    maker.finish();
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
