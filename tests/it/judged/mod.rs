//! Models where the documents ask for one: votes, arguments, summaries, analyses, sealed opinions and claims, by a script.
//!
//! Each answer is on the record before it is read, and an observation of the decision that rests on it; replay asks nobody.

mod forgotten;
mod promoted;
mod settled;
mod triggered;
mod whole;
mod withheld;

use std::process::Command;

use serde_json::{Value, json};

use crate::program::{Project, Run, run};

/// A project with a swarm, and a place for what is sealed beside it.
struct Bench {
    project: Project,
    state: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { project: Project::new(), state: tempfile::tempdir().expect("a folder") };
        for role in ["explore", "critic", "general", "moderator"] {
            bench.does(&["agent", "add", role, "--role", role]);
        }
        bench.does(&["agent", "edit", "critic", "--devils-advocate", "yes"]);
        bench
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.project.command(words.iter().copied());
        command.env("XDG_STATE_HOME", self.state.path()).env("HOME", self.state.path().join("home"));
        command
    }

    fn annals(&self, words: &[&str]) -> Run {
        run(self.command(words), "")
    }

    fn does(&self, words: &[&str]) -> String {
        let done = self.annals(words);
        assert_eq!(done.code, Some(0), "{words:?}: {}{}", done.stdout, done.stderr);
        done.stdout
    }

    /// Asks with a script of answers, one a question.
    fn judged(&self, words: &[&str], answers: &[(&str, Value)]) -> Run {
        let lines: Vec<_> =
            answers.iter().map(|(role, answer)| json!({ "role": role, "answer": answer }).to_string()).collect();
        self.project.write("script.jsonl", &lines.join("\n"));
        self.annals(&[words, &["--by-model", "--model", "scripted:script.jsonl"]].concat())
    }

    /// Entries by their names, in order.
    fn entries(&self, name: &str) -> Vec<Value> {
        let days = self.project.days();
        let lines = days.values().flat_map(|text| text.lines()).map(|line| serde_json::from_str(line).expect("JSON"));
        lines.filter(|entry: &Value| entry["operation"]["name"] == name).collect()
    }

    fn replays(&self) {
        let told = self.does(&["replay", "--all"]);
        assert!(told.contains("0 differed"), "{told}");
    }
}

/// The word of a model that a decision rests on is the answer of an entry before it.
fn rests_on(decision: &Value, answers: &[Value]) {
    let word = &decision["operation"]["input"]["observed"]["model"];
    let answer = answers.iter().find(|answer| answer["id"] == word["entry"]).expect("its answer");
    assert!(answer["id"].as_str() < decision["id"].as_str(), "before it was read");
    assert_eq!(answer["operation"]["output"]["text"], word["answer"]);
    assert_eq!(answer["operation"]["input"]["prompt"], word["prompt"]);
    assert_eq!((&word["model"], word["prompt"].as_str().map(str::len)), (&json!("scripted:script.jsonl"), Some(64)));
    assert!(word["tokens_in"].as_u64() > Some(10) && word["tokens_out"].as_u64() > Some(1), "{word}");
}

fn vote(word: &str, confidence: f64) -> (&'static str, Value) {
    ("council", json!({ "reason": "so it is", "vote": word, "confidence": confidence }))
}

const CONTEST: [&str; 7] =
    ["hivemind", "contest", "build-tool", "--because", "no Makefile is left", "--alternative", "cargo xtask"];

fn contested(bench: &Bench) {
    bench.does(&["hivemind", "add", "decision", "build-tool", "make", "--as", "explore"]);
    bench.does(&CONTEST);
}

/// AFS 7.2, 7.1.
#[test]
fn members_vote_by_model_and_a_tie_is_argued_and_arbitrated_by_models() {
    let bench = Bench::new();
    contested(&bench);
    let none = bench.annals(&["council", "vote", "build-tool", "--by-model"]);
    assert_eq!(none.code, Some(2), "{}", none.stderr);
    assert!(none.stderr.contains("no model is configured for council"), "{}", none.stderr);
    let some = [vote("approve", 0.8), ("council", json!("I would rather not.")), vote("reject", 0.8)];
    let voted = bench.judged(&["council", "vote", "build-tool"], &some);
    assert_eq!((voted.code, voted.stdout.lines().count()), (Some(0), 2), "{}{}", voted.stdout, voted.stderr);
    assert!(
        voted.stderr.contains("critic: nothing that counts: the answer holds no readable JSON"),
        "{}",
        voted.stderr
    );
    let last = bench.judged(&["council", "vote", "build-tool"], &[vote("abstain", 0.5)]);
    assert!(last.stdout.contains("tie: 0.8 for it, 0.8 against it"), "{}", last.stdout);
    let plea = |text: &str| ("council", json!({ "argument": text }));
    let argued = bench.judged(&["council", "debate", "build-tool"], &[plea("faster"), plea("riskier")]);
    assert!(argued.stdout.contains("explore has spoken for it\nround 1 of the debate: general has spoken against it"));
    let end = ("council", json!({ "synthesis": "risk counts", "decision": "reject", "confidence": 0.7 }));
    let ended = bench.judged(&["council", "resolve", "build-tool"], &[end]);
    assert!(ended.stdout.contains("decided: reject with 0.7, by arbitration"), "{}{}", ended.stdout, ended.stderr);
    let shown = bench.does(&["council", "show", "build-tool"]);
    assert!(shown.contains("- explore: approve with 0.8 (the model scripted:script.jsonl): so it is"), "{shown}");
    let answers = bench.entries("model_answer");
    assert_eq!(answers.len(), 7, "that which could not be read, too");
    for name in ["council.vote.give", "council.argument.give", "council.session.resolve"] {
        let decisions = bench.entries(name);
        assert!(!decisions.is_empty(), "{name}");
        for decision in &decisions {
            rests_on(decision, &answers);
        }
    }
    bench.replays();
}

#[test]
fn a_budget_holds_for_judgements_and_an_agent_asks_for_its_own_seat() {
    let bench = Bench::new();
    contested(&bench);
    let folder = bench.state.path().join("home/.config/annals");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("config.toml"), "[models.budget.day]\ntokens = 1\n").expect("written");
    let spent = bench.judged(&["council", "vote", "build-tool"], &[vote("approve", 1.0)]);
    // No question is asked that may use up more than is left.
    assert_eq!(spent.stdout.matches("approve").count() + spent.stderr.matches("explore: approve").count(), 0);
    assert_eq!(spent.stderr.matches("nothing that counts: the budget is used up").count(), 3, "{}", spent.stderr);
    std::fs::remove_file(folder.join("config.toml")).expect("removed");
    let own = bench.judged(&["council", "vote", "build-tool", "--as", "critic"], &[vote("approve", 1.0)]);
    assert_eq!(own.stdout, "critic: approve with 1\n", "{}", own.stderr);
    let other = bench.judged(&["council", "vote", "build-tool", "--as", "moderator"], &[vote("approve", 1.0)]);
    assert_eq!(other.code, Some(2), "{}", other.stderr);
}

/// Dialectic, "Sub-Agent Invocation".
#[test]
fn a_debate_is_argued_by_models_and_the_rules_say_what_it_comes_to() {
    let bench = Bench::new();
    let begun =
        bench.does(&["debate", "request", "drop the sessions table", "--plan", "one migration", "--stakes", "high"]);
    let id = begun.lines().next().expect("an id");
    let claim = json!({ "claim": "nothing reads it", "supports": ["grep"], "confidence": 0.9 });
    let early = bench.judged(&["debate", "critic", id], &[("dialectic", json!({}))]);
    assert_eq!(early.code, Some(2), "it is the advocate's turn, and nobody is asked: {}", early.stderr);
    assert_eq!(bench.judged(&["debate", "advocate", id], &[("dialectic", claim)]).code, Some(0));
    let objection = json!({ "objection": "a job reads it", "severity": "medium", "risks": [], "counter": "hm" });
    assert_eq!(bench.judged(&["debate", "critic", id], &[("dialectic", objection)]).code, Some(0));
    let word = json!({ "actionable": "no", "rationale": "nobody says what to do" });
    let resolved = bench.judged(&["debate", "resolve", id], &[("dialectic", word)]);
    assert!(resolved.stdout.starts_with("actionable: "), "{}{}", resolved.stdout, resolved.stderr);
    assert!(resolved.stdout.contains("RATIONALE \"nobody says what to do\""), "{}", resolved.stdout);
    let shown = bench.does(&["debate", "show", id]);
    assert!(shown.contains("advocate (the model scripted:script.jsonl): CLAIM"), "{shown}");
    let answers = bench.entries("model_answer");
    for name in ["dialectic.position.take", "dialectic.debate.resolve"] {
        bench.entries(name).iter().for_each(|decision| rests_on(decision, &answers));
    }
    bench.replays();
}

fn session(bench: &Bench) -> String {
    let id = bench.does(&["session", "start", "Mend the login"]).trim().to_owned();
    let said = |kind: &str, name: &str, input: Value| {
        let input = input.to_string();
        bench.does(&["record", "--session", &id, "--type", kind, "--name", name, "--input", &input]);
    };
    said("user_input", "prompt", json!({ "text": "Mend src/login.rs" }));
    said("agent_message", "message", json!({ "text": "I mended src/login.rs. All tests pass." }));
    id
}

/// AFS 3.3, 5.2.
#[test]
fn a_summary_and_an_analysis_by_a_model_stand_beside_those_of_the_rules() {
    let bench = Bench::new();
    let id = session(&bench);
    let entities = json!([{ "name": "src/login.rs", "type": "file" }, { "name": "Redis", "type": "concept" }]);
    let said = json!({ "title": "The login", "summary": "It was mended.", "entities": entities });
    let told = bench.judged(&["session", "summary", &id], &[("summary", said)]);
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    assert!(told.stdout.contains("Mend the login  by the rules"), "{}", told.stdout);
    assert!(told.stdout.contains("The login  by the model scripted:script.jsonl"), "{}", told.stdout);
    assert!(told.stderr.contains("dropped: 1 entity that the session does not mention"), "{}", told.stderr);
    bench.does(&["render"]);
    let page = bench.project.read(&format!(".context/history/summaries/{id}.md"));
    assert!(
        page.contains("## By the model scripted:script.jsonl") && page.contains("| src/login.rs | file | 2 |"),
        "{page}"
    );
    let answers = bench.entries("model_answer");
    bench.entries("history.summary.write").iter().for_each(|decision| rests_on(decision, &answers));

    let figures = json!({ "prompt_quality.clarity": 0.4, "response_quality.correctness": 9 });
    let eval = bench.judged(&["analyse", &id, "--mode", "eval", "--json"], &[("eval", figures)]);
    let eval: Value = serde_json::from_str(&eval.stdout).expect("JSON");
    let figure = |at: usize| eval["by_model"]["figures"][at].clone();
    assert_eq!((&figure(0)["name"], &figure(0)["value"]), (&json!("prompt_quality.clarity"), &json!(0.4)));
    assert_eq!(figure(3)["value"], Value::Null, "9 is no share");
    let finding = |quote: &str| json!({ "kind": "major", "text": "unproved", "quote": quote });
    let findings = json!({ "findings": [finding("All tests pass."), finding("rm -rf /")] });
    let critic = bench.judged(&["analyse", &id, "--mode", "critic"], &[("critic", findings)]);
    assert!(critic.stdout.contains("major  unproved \"All tests pass.\" ["), "{}", critic.stdout);
    assert!(critic.stderr.contains("dropped: 1 finding whose quote is not in what it was shown"), "{}", critic.stderr);
    bench.replays();
}

/// AFS 5.2: seven modes ask a model, and the eighth says why it asks none.
#[test]
fn every_mode_of_analysis_asks_a_model_or_says_why_not() {
    let bench = Bench::new();
    let id = session(&bench);
    let finding = |kind: &str, quote: &str| json!({ "kind": kind, "text": "so it is", "quote": quote });
    let both =
        |kind: &str| json!({ "findings": [finding(kind, "Mend src/login.rs"), finding(kind, "All tests pass.")] });
    for (mode, answer, figures, findings) in [
        ("eval", json!({ "response_quality.helpfulness": 0.7 }), 1, 0),
        ("emotional", json!({ "mood.valence": 0.1 }), 1, 0),
        // Only words of the person show what the person thinks of another mind.
        ("tom", both("goal_inference"), 0, 1),
        ("critic", both("minor"), 0, 2),
        ("review", both("minor"), 0, 2),
        ("documentation", both("missing"), 0, 2),
        ("synergy", json!({ "human_solo_ability": 0.5, "combined_performance": 0.9, "findings": [] }), 3, 0),
    ] {
        let told = bench.judged(&["analyse", &id, "--mode", mode, "--json"], &[(mode, answer)]);
        assert_eq!(told.code, Some(0), "{mode}: {}", told.stderr);
        let told: Value = serde_json::from_str(&told.stdout).expect("JSON");
        let (said, found) = (&told["by_model"]["figures"], &told["by_model"]["findings"]);
        let said = said.as_array().expect("figures").iter().filter(|figure| !figure["value"].is_null()).count();
        assert_eq!((said, found.as_array().map(Vec::len)), (figures, Some(findings)), "{mode}: {told}");
    }
    let beside = json!({ "human_solo_ability": 0.5, "combined_performance": 0.9, "findings": [] });
    let synergy = bench.judged(&["analyse", &id, "--mode", "synergy"], &[("synergy", beside)]);
    assert!(synergy.stdout.contains("ai_boost\t0.4\tnot computable: results of this person"), "{}", synergy.stdout);
    for (mode, why) in
        [("metrics", "the mode metrics asks no model: it counts"), ("none", "the mode none looks at nothing")]
    {
        let none = bench.judged(&["analyse", &id, "--mode", mode], &[("*", json!({}))]);
        assert!(none.code == Some(2) && none.stderr.contains(why), "{}", none.stderr);
    }
    bench.replays();
}

/// Control-room 7.1, decision 40.
#[test]
fn an_opinion_by_a_model_is_sealed_until_the_pass_is_closed() {
    let bench = Bench::new();
    let text = "Move the check of passwords from the form into the model; clients that skip the form are not checked.";
    bench.does(&["issue", "new", "The login check", "--body", text]);
    bench.does(&["blind", "open", "1", "--agent", "critic", "--agent", "explore"]);
    let opinion = |words: &str| {
        let body = format!(
            "{words} The model is the only place that every client goes through, so a check there cannot be \
                            skipped; the next step is a test with an empty password against the server itself."
        );
        ("council", json!({ "opinion": body, "stance": "support" }))
    };
    let given = bench.judged(&["blind", "submit", "1", "--as", "critic"], &[opinion("Unheard-of.")]);
    assert_eq!(given.code, Some(0), "{}{}", given.stdout, given.stderr);
    let log = || bench.project.days().into_values().collect::<String>();
    assert!(!log().contains("Unheard-of"), "it is sealed, the raw answer, too");
    let sealed = |answer: &Value| {
        let output = &answer["operation"]["output"];
        (output["sealed"].clone(), output["seal"].as_str().map(str::len), output["text"].clone())
    };
    assert_eq!(sealed(&bench.entries("model_answer")[0]), (json!(true), Some(64), Value::Null));
    let last = bench.judged(&["blind", "submit", "1"], &[opinion("Likewise.")]);
    assert!(last.stdout.contains("the opinion of critic stands in the thread"), "{}{}", last.stdout, last.stderr);
    let revealed = bench.entries("blind.opinion.reveal");
    let opinion = &revealed[0]["operation"]["input"]["observed"]["opinion"];
    assert!(opinion["model"]["answer"].as_str().is_some_and(|answer| answer.contains("Unheard-of")), "{opinion}");
    assert_eq!(bench.entries("model_answer").len(), 2, "each stands in its opinion, and not again");
    bench.replays();
}

/// Decision 65: what came is an entry, whatever it was worth, and sealed like an opinion until the pass is closed.
#[test]
fn answers_of_a_blind_pass_that_come_to_no_opinion_are_on_the_record_when_it_is_closed() {
    let bench = Bench::new();
    let text = "Move the check of passwords from the form into the model; clients that skip the form are not checked.";
    bench.does(&["issue", "new", "The login check", "--body", text]);
    bench.does(&["blind", "open", "1", "--agent", "critic", "--agent", "explore", "--agent", "general"]);
    let short = json!({ "opinion": "TOOSHORT yes.", "stance": "support" });
    let given = [
        ("council", json!("UNREADABLE words")),
        ("council", short),
        ("council", json!({ "opinion": 7, "other": "ODD" })),
    ];
    let asked = bench.judged(&["blind", "submit", "1"], &given);
    assert_eq!(asked.code, Some(1), "{}{}", asked.stdout, asked.stderr);
    let words = ["UNREADABLE words", "TOOSHORT", "ODD"];
    let log = || bench.project.days().into_values().collect::<String>();
    assert!(!words.iter().any(|word| log().contains(word)), "sealed");
    let brought = bench.annals(&["blind", "reveal", "1"]);
    assert!(!words.iter().any(|word| log().contains(word)), "the pass goes on: {}", brought.stderr);
    bench.does(&["blind", "close", "1"]);
    let answers = bench.entries("model_answer");
    let (sealed, told) = answers.split_at(3);
    for (word, seal) in words.iter().zip(sealed.iter().map(|answer| &answer["operation"]["output"]["seal"])) {
        let told = told.iter().find(|answer| answer["operation"]["input"]["seal"] == *seal).expect("told");
        assert!(told["operation"]["output"]["text"].as_str().is_some_and(|text| text.contains(word)), "{told}");
    }
    assert_eq!(told.len(), 3);
    assert_eq!(std::fs::read_dir(bench.state.path().join("annals/blind")).expect("the drawer").count(), 0);
    bench.annals(&["blind", "reveal", "1"]);
    assert_eq!(bench.entries("model_answer").len(), 6, "once");
    bench.replays();
}

/// Control-room 7.1: who is asked hears nothing that was said since, in whatever way.
#[test]
fn a_blind_question_shows_the_issue_as_it_stood_when_the_pass_was_opened() {
    let bench = Bench::new();
    let text = "Move the check of passwords from the form into the model; clients that skip the form are not checked.";
    bench.does(&["issue", "new", "The login check", "--body", text, "--tag", "login"]);
    bench.does(&["blind", "open", "1", "--agent", "critic", "--agent", "explore"]);
    let asked = || bench.judged(&["blind", "submit", "1", "--as", "explore"], &[("council", json!("no"))]);
    assert_eq!(asked().code, Some(1));
    bench.does(&["issue", "edit", "1", "--tag", "critic-opposes", "--as", "critic"]);
    bench.does(&["issue", "edit", "1", "--title", "The critic says no", "--body", "This is wrong, says the critic."]);
    assert_eq!(asked().code, Some(1));
    let answers = bench.entries("model_answer");
    let prompts: Vec<_> = answers.iter().map(|answer| &answer["operation"]["input"]["prompt"]).collect();
    assert_eq!(prompts.len(), 2);
    assert_eq!(prompts[0], prompts[1], "the same words, by their hash");
}

/// Control-room 14.2.
#[test]
fn claims_by_a_model_are_proposals_and_each_quotes_the_text() {
    let bench = Bench::new();
    bench.does(&["canon", "state", "seryn-eyes", "Seryn's eyes are amber"]);
    let claim =
        |value: &str, quote: &str| json!({ "subject": "Seryn", "attribute": "eyes", "value": value, "quote": quote });
    let claims = json!({ "claims": [claim("green", "green as the sea"), claim("blue", "blue as ice")] });
    let text = "She looked at him, green as the sea and just as cold.";
    let told = bench.judged(&["canon", "check", text], &[("canon", claims)]);
    assert!(told.stdout.contains("\"Seryn | eyes | green\": green as the sea\n  canon says amber"), "{}", told.stdout);
    assert!(told.stderr.contains("dropped: 1 claim whose quote is not in the text"), "{}", told.stderr);
    assert_eq!(told.code, Some(0), "nothing is decided on it: {}", told.stdout);
    let taken = bench.annals(&["canon", "check", text, "--claim", "Seryn | eyes | green"]);
    assert_eq!(taken.code, Some(1), "{}", taken.stdout);
}

/// Artoo R5: the rules say what becomes common sense, a model words it.
#[test]
fn a_lesson_by_a_model_is_an_observation_of_the_dream_that_it_is_for() {
    let bench = Bench::new();
    for text in ["it hung", "it hung again", "permission denied", "it hung", "read-only", "it hung"] {
        bench.does(&[
            "memory", "write", "--tool", "shell", "--path", "/etc/hosts", "--state", "abandon", "--text", text, "--as",
            "ggs",
        ]);
    }
    let unread = bench.judged(&["memory", "dream"], &[("distil", json!("hm")), ("distil", json!("hm"))]);
    assert_eq!(unread.code, Some(0), "what a model cannot word is made of the experiences: {}", unread.stderr);
    assert!(unread.stderr.contains("no words by a model"), "{}", unread.stderr);
    let dreams = bench.entries("memory.dream.run");
    assert!(dreams[0]["operation"]["output"].to_string().contains("\"plain\""), "{dreams:?}");
    for text in ["slow", "it never ended", "timed out", "it never ended", "it never ended", "slow"] {
        bench.does(&[
            "memory", "write", "--tool", "shell", "--path", "deploy.sh", "--state", "abandon", "--text", text, "--as",
            "ggs",
        ]);
    }
    let lesson = json!({ "lesson": "Never run deploy.sh by hand." });
    let dreamt = bench.judged(&["memory", "dream", "--all"], &[("distil", lesson)]);
    assert!(dreamt.stdout.contains("Never run deploy.sh by hand."), "{}{}", dreamt.stdout, dreamt.stderr);
    let answers = bench.entries("model_answer");
    let log: String = bench.project.days().into_values().collect();
    let id = answers.last().expect("an answer")["id"].as_str().expect("an id");
    let rests = log.lines().filter(|line| line.contains("memory.megram.promoted") && line.contains(id));
    assert_eq!(rests.count(), 1, "the dream names the answer that it rests on");
    bench.replays();
}
