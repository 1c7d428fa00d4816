//! What means harm is refused and recorded, and nothing that was there is lost: the program itself, as agents would run
//! it (control-room 11.3, 11.6; decisions 14, 16).

use std::path::Path;

use annals::kernel::entry::HistoryEntry;
use serde_json::{Value, json};

use super::desk::{Desk, REASONS, names, rule};
use crate::program::{Project, Run, run};

/// A project with a swarm, an issue, and a comment on it that must survive.
struct Scene {
    project: Project,
}

impl Scene {
    fn new() -> Self {
        let scene = Self { project: Project::new() };
        scene.project.write("src/a.rs", "fn main() {}\n");
        for agent in ["mo --role moderator", "carl --role critic --devils-advocate", "wil --role writer"] {
            scene.done(&format!("agent add {agent}"));
        }
        // Comments of these tests say the same words.
        scene.done("config set sanity.echo false");
        scene.done("issue new Timeline");
        let said = scene.as_agent("wil", &["issue", "comment", "1", REASONS]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        scene
    }

    fn done(&self, words: &str) -> String {
        let run = self.project.annals(words.split(' '), "");
        assert_eq!(run.code, Some(0), "{words}: {}", run.stderr);
        run.stdout
    }

    fn as_agent(&self, agent: &str, words: &[&str]) -> Run {
        self.project.annals(["--as", agent].iter().chain(words), "")
    }

    fn with_token(&self, agent: &str, token: &str, words: &[&str]) -> Run {
        let mut command = self.project.command(["--as", agent].iter().chain(words));
        command.env("ANNALS_TOKEN", token);
        run(command, "")
    }

    /// The names of the events of the last line, and the rule that refused, if one did.
    fn last(&self) -> (Vec<String>, Option<String>) {
        let HistoryEntry { operation, .. } = self.project.last();
        let output: Value = operation.output.expect("an output").value();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let events = output["events"].as_array().expect("a list").iter().map(|event| text(&event["name"])).collect();
        (events, output.get("refusal").map(|refusal| text(&refusal["rule"])))
    }

    /// What was there before is there still, the log is whole, and every decision is made again as it was.
    fn is_whole(&self) {
        let shown = self.done("issue show 1");
        assert!(shown.contains(REASONS), "{shown}");
        self.done("verify");
        self.done("replay --all");
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.is_whole();
        }
    }
}

/// Control-room 11.3, decision 14: what lies outside the project is not read, and is no evidence.
#[test]
fn a_path_that_leaves_the_project_is_no_evidence() {
    let scene = Scene::new();
    for (path, escape) in [("../../../../etc/passwd", "parent"), ("/etc/passwd", "absolute"), ("src/../../x", "parent")]
    {
        let words = ["issue", "comment", "1", REASONS, "--impact", "structural", "--file", path];
        let answer = scene.as_agent("carl", &words);
        assert_eq!(answer.code, Some(1), "{path}");
        let (events, refusal) = scene.last();
        assert_eq!(events[..2], ["breakers.comment.rejected", "credits.credit.awarded"]);
        assert_eq!(refusal.as_deref(), Some("breakers.missing-evidence-for-impact"));
        let input: Value = scene.project.last().operation.input.value();
        assert_eq!(input["observed"]["evidence"][0]["escape"], escape);
        assert_eq!(input["observed"]["evidence"][0].get("sha256"), None);
    }
}

/// Control-room 11.3, decision 14: where no evidence is needed, the text is kept, and says that the path was not read.
#[cfg(unix)]
#[test]
fn a_symbolic_link_out_of_the_project_is_not_followed() {
    let scene = Scene::new();
    let outside = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(outside.path(), "a secret of somebody else\n").expect("written");
    link(outside.path(), &scene.project.path().join("src/out.rs"));
    link(outside.path().parent().expect("a folder"), &scene.project.path().join("away"));
    let name = outside.path().file_name().expect("a name").to_string_lossy().into_owned();
    for path in ["src/out.rs".to_owned(), format!("away/{name}")] {
        let quote = ["--quote", "a secret of somebody else"];
        let words = [&["issue", "comment", "1", REASONS, "--file", &path][..], &quote].concat();
        assert_eq!(scene.as_agent("carl", &words).code, Some(0));
        let input: Value = scene.project.last().operation.input.value();
        let checked = &input["observed"]["evidence"][0];
        assert_eq!((&checked["escape"], &checked["exists"]), (&json!("link-out"), &json!(false)));
        assert_eq!((&checked["similarity"], checked.get("sha256")), (&json!(0), None));
    }
    let shown = scene.done("issue show 1");
    assert_eq!(shown.matches("not looked at").count(), 2, "{shown}");
}

#[cfg(unix)]
fn link(to: &Path, from: &Path) {
    std::os::unix::fs::symlink(to, from).expect("a link");
}

/// Nobody reads ten megabytes: the thread stays as it is, the attempt is recorded, its text beside the line.
#[test]
fn a_comment_of_ten_megabytes_is_refused_and_recorded() {
    let scene = Scene::new();
    let text = "blah ".repeat(2 << 20);
    let answer = scene.project.annals(["--as", "carl", "issue", "comment", "1", "-"], &text);
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    assert!(answer.stderr.contains("50000 characters at most"), "{}", answer.stderr);
    assert_eq!(scene.last(), (vec!["issues.text.refused".to_owned()], Some("issues.too_long".to_owned())));
    let lines: usize = scene.project.days().values().map(String::len).sum();
    assert!(lines < 100_000, "{lines} bytes of lines");
}

/// Nothing that an agent says moves a terminal's cursor or ends a text.
#[test]
fn a_nul_in_a_text_reaches_no_terminal() {
    let scene = Scene::new();
    let text = format!("{REASONS}\0{REASONS}");
    assert_eq!(scene.project.annals(["--as", "carl", "issue", "comment", "1", "-"], &text).code, Some(0));
    let shown = scene.done("issue show 1");
    assert!(!shown.contains('\0') && shown.contains(r"files.\u{0}The"), "a terminal gets no NUL: {shown}");
}

/// Decisions 14, 16: a name alone is not believed where tokens are required; not that of the rules either.
#[test]
fn a_forged_moderator_is_refused_and_recorded() {
    let scene = Scene::new();
    let token = scene.done("agent token mo");
    let own = scene.done("agent token carl");
    scene.done("config set roster.require_token true");
    let events = ["roster.actor.forged", "roster.actor.barred", "notices.notice.posted"].map(str::to_owned);
    let forged = |told: usize| (events[..told].to_vec(), Some("roster.not_proved".to_owned()));
    let words = ["issue", "resolve", "1", "It is over.", "--force", "I say so"];
    assert_eq!(scene.as_agent("system", &words).code, Some(2));
    // The user is told of the first, and each is recorded once a day.
    for (name, told) in [("mo", 3), ("nobody", 2)] {
        assert_eq!(scene.as_agent(name, &words).code, Some(1), "{name}");
        assert_eq!(scene.last(), forged(told), "{name}");
        assert_eq!(scene.with_token(name, own.trim(), &words).code, Some(1), "{name}");
        assert_eq!(scene.last(), forged(told), "{name}");
    }
    let words = ["config", "set", "roster.require_token", "false"];
    assert_eq!(scene.as_agent("mo", &words).code, Some(1));
    assert_eq!(scene.last(), forged(2));
    let health = scene.done("health");
    assert!(health.contains("acted as mo without its token, 1 time:"), "{health}");
    assert!(health.contains("barred   roster.not_proved: mo, nobody"), "{health}");
    let words = ["issue", "freeze", "1", "--reason", "let us think"];
    assert_eq!(scene.with_token("mo", token.trim(), &words).code, Some(0));
}

/// Control-room 11.6: an agent is not paid by itself, under whatever name it asks.
#[test]
fn an_award_to_oneself_through_another_name_is_refused_and_recorded() {
    let scene = Scene::new();
    scene.done("agent add Carl- --role critic");
    let words = ["credit", "award", "carl", "--reason", "peer-marked-helpful", "--issue", "1"];
    for (name, why) in
        [("carl", "credits.self_award"), ("Carl-", "credits.same_hands"), ("ghost", "credits.not_a_member")]
    {
        assert_eq!(scene.as_agent(name, &words).code, Some(1), "{name}");
        let (events, refusal) = scene.last();
        assert_eq!(events, ["credits.award.refused"], "{name}");
        assert!(refusal.is_some_and(|rule| rule == why || name == "ghost"), "{name}");
    }
    let words = ["credit", "award", "carl", "--reason", "evidence-verified", "--issue", "1"];
    let before = scene.last();
    for name in ["system", "System", " system "] {
        assert_eq!(scene.as_agent(name, &words).code, Some(2), "{name}");
    }
    assert_eq!(scene.last(), before, "nothing is recorded");
    assert!(scene.done("credit profile carl").contains("0 credits"));
}

/// Control-room 14.1: settings are the user's; an agent does not loosen the rules that bind it.
#[test]
fn agents_do_not_change_the_configuration() {
    let scene = Scene::new();
    for name in ["carl", "mo", "nobody"] {
        let answer = scene.as_agent(name, &["config", "set", "sanity.preset", "light"]);
        assert_eq!(answer.code, Some(1));
        assert!(
            answer.stderr.contains("only the user or the team lead changes the configuration"),
            "{}",
            answer.stderr
        );
    }
    assert_eq!(scene.done("config get sanity.preset").trim(), "standard");
    assert!(!scene.project.read(".context/config.toml").contains("light\""));
}

/// Decision 14: the library may hand in what no argument can hold.
#[test]
fn a_quote_with_a_nul_is_a_text_like_any_other() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let files = json!([{ "path": "src/a.rs", "quote": "fn\u{0}main" }]);
    let comment = json!({ "issue": issue, "body": REASONS, "evidence": { "files": files } });
    let observed =
        json!({ "evidence": [{ "path": "src/a.rs", "exists": true, "lines_valid": true, "similarity": 400 }] });
    let decided = desk.ask_with("writer", "issues.comment.add", &comment, &observed);
    assert_eq!(rule(&decided), None);
    assert!(names(&decided).contains(&"issues.comment.added"));
}
