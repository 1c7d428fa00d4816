//! Vectors of texts by a model: what is sent, what is kept, and what a search does where the model lies or is not there.

mod server;

use std::path::PathBuf;

use serde_json::{Value, json};

use self::server::{Answering, Server};
use crate::program::{Project, Run, run};

/// A project with a belief and a rule, and a person with a model.
struct Bench {
    project: Project,
    server: Server,
}

impl Bench {
    fn new(answering: Box<Answering>) -> Self {
        let bench = Self { project: Project::new(), server: Server::start(answering) };
        bench.models(&bench.server.url, "");
        bench.does(&["knowledge", "add", "rule", "Never skip the login test."]);
        bench.does(&["hivemind", "add", "decision", "storage", "One postgres."]);
        bench
    }

    fn models(&self, url: &str, more: &str) {
        let text = format!(
            "[models.near]\nbackend = \"openai\"\nurl = \"{url}\"\nembed_model = \"e1\"\nembed_text_prefix = \"text: \"\n\
             embed_query_prefix = \"query: \"\n[models.purposes]\nembedding = \"near\"\n{more}"
        );
        self.project.write("home/.config/annals/config.toml", &text);
    }

    fn annals(&self, words: &[&str]) -> Run {
        run(self.project.command(words.iter().copied()), "")
    }

    fn does(&self, words: &[&str]) -> String {
        let done = self.annals(words);
        assert_eq!(done.code, Some(0), "{words:?}: {}{}", done.stdout, done.stderr);
        done.stdout
    }

    /// The hits of a search, and why nothing was found by meaning.
    fn found(&self, words: &[&str]) -> (Vec<String>, Option<String>) {
        let answer: Value = serde_json::from_str(&self.does(&[&["search", "--json"], words].concat())).expect("JSON");
        let hits = answer["hits"].as_array().expect("hits").iter();
        let told =
            |hit: &Value| format!("{} {}", hit["source"].as_str().expect("one"), hit["kind"].as_str().expect("one"));
        (hits.map(told).collect(), answer["without_semantic"].as_str().map(str::to_owned))
    }

    fn file(&self) -> PathBuf {
        self.project.context().join("history/embeddings/index.db")
    }

    fn inputs(&self) -> Vec<Value> {
        self.server.seen().into_iter().map(|asked| asked["input"].clone()).collect()
    }

    fn answers(&self) -> Vec<Value> {
        let days = self.project.days();
        let lines = days.values().flat_map(|text| text.lines()).map(|line| serde_json::from_str(line).expect("JSON"));
        lines.filter(|entry: &Value| entry["operation"]["name"] == "model_answer").collect()
    }
}

/// Vectors by what stands in a text, the last text first, as a server may.
fn by_words(asked: &Value) -> (u16, String) {
    let texts = asked["input"].as_array().expect("texts").iter().enumerate();
    let has =
        |text: &Value, words: &[&str]| f64::from(u8::from(words.iter().any(|word| text.to_string().contains(word))));
    let vector = |text: &Value| [has(text, &["login", "credential"]), has(text, &["postgres", "database"]), 0.1];
    let rows = texts.map(|(index, text)| json!({ "index": index, "embedding": vector(text) })).rev();
    let rows: Vec<_> = rows.collect();
    (200, json!({ "model": "e1", "data": rows, "usage": { "prompt_tokens": 5 } }).to_string())
}

/// AFS 9.1, 10.2.
#[test]
fn what_means_the_same_is_found_and_what_was_used_up_is_on_the_record() {
    let bench = Bench::new(Box::new(by_words));
    assert_eq!(bench.found(&["credentials"]), (vec![], None), "nothing is asked before something is embedded");
    assert_eq!(bench.inputs(), [Value::Null; 0]);
    let told = bench.does(&["search", "--embed"]);
    assert!(told.contains("2 texts embedded with 5 tokens; 2 vectors of 3 numbers by e1"), "{told}");
    assert_eq!(bench.inputs(), [json!(["text: Never skip the login test.", "text: storage: One postgres."])]);
    assert_eq!(bench.found(&["credentials"]), (vec!["semantic knowledge".to_owned()], None));
    assert_eq!(bench.inputs()[1..], [json!(["query: credentials"])]);
    // What is near, and what is named like the query, is one hit; a filter of entries, or another provider, asks nobody.
    assert_eq!(bench.found(&["storage", "database"]).0, ["semantic belief"]);
    assert_eq!(bench.found(&["credentials", "--failed"]), (vec![], None));
    assert_eq!(bench.found(&["storage", "--by", "fuzzy"]).0, ["fuzzy belief"]);
    assert_eq!(bench.inputs().len(), 3);
    let answers = bench.answers();
    assert_eq!(answers.len(), 1, "a query of a model of this machine that nothing limits costs nothing");
    assert_eq!(answers[0]["operation"]["output"]["vectors"], 2);
    assert_eq!(answers[0]["operation"]["input"]["purpose"], "embedding");
    assert_eq!(
        (&answers[0]["provenance"]["model_id"], answers[0]["operation"]["output"]["dimension"].as_u64()),
        (&json!("e1"), Some(3))
    );
    assert!(bench.does(&["replay", "--all"]).contains("0 differed"));
    assert!(bench.does(&["search", "--embed"]).contains("nothing was missing"));
    assert_eq!(bench.inputs().len(), 3);
}

#[test]
fn a_model_that_lies_or_fails_is_named_and_nothing_of_it_is_kept() {
    let body = |text: &str| (200, text.to_owned());
    let cases: [(&str, Box<Answering>); 7] = [
        ("it has 1 vectors", Box::new(move |_| body(r#"{"data":[{"index":0,"embedding":[1]}]}"#))),
        (
            "it has 2 vectors of lengths {1, 2}",
            Box::new(move |_| body(r#"{"data":[{"embedding":[1]},{"embedding":[1,2]}]}"#)),
        ),
        ("no list of numbers", Box::new(move |_| body(r#"{"data":[{"embedding":["NaN"]},{"embedding":[1]}]}"#))),
        ("cannot be read", Box::new(move |_| body(r#"{"data":[{"embedding":[NaN]},{"embedding":[1]}]}"#))),
        ("has no direction", Box::new(move |_| body(r#"{"data":[{"embedding":[1]},{"embedding":[0]}]}"#))),
        (
            "the indexes",
            Box::new(move |_| body(r#"{"data":[{"index":3,"embedding":[1]},{"index":3,"embedding":[2]}]}"#)),
        ),
        ("status 400", Box::new(|_| (400, r#"{"error":{"message":"no such model"}}"#.to_owned()))),
    ];
    for (why, answering) in cases {
        let bench = Bench::new(answering);
        let failed = bench.annals(&["search", "--embed"]);
        assert_eq!(failed.code, Some(3), "{why}: {}", failed.stderr);
        assert!(
            failed.stderr.contains("near (e1) made no vectors") && failed.stderr.contains(why),
            "{}",
            failed.stderr
        );
        assert!(!bench.file().exists(), "{why}");
        let attempts = bench.answers();
        assert!(attempts.iter().all(|entry| entry["operation"]["success"] == false) && !attempts.is_empty(), "{why}");
    }
}

#[test]
fn where_the_model_is_gone_or_another_the_others_answer_and_a_line_says_why() {
    let bench = Bench::new(Box::new(by_words));
    bench.does(&["search", "--embed"]);
    let others = || vec!["text entry".to_owned(), "fuzzy belief".to_owned()];
    bench.models("http://127.0.0.1:9", "");
    let (found, why) = bench.found(&["storage"]);
    assert_eq!(found, others());
    assert!(why.is_some_and(|why| why.contains("near (e1) made no vectors: no server answers at http://127.0.0.1:9")));
    bench.models(&bench.server.url, "[models.budget.day]\ntokens = 1\n");
    let (found, why) = bench.found(&["storage"]);
    assert_eq!((found, why.as_deref().map(|why| why.contains("has used"))), (others(), Some(true)), "{why:?}");
    bench.models(&bench.server.url, "[models.budget.day]\ntokens = 1000\n");
    assert_eq!(bench.found(&["storage"]).1, None);
    assert_eq!(bench.answers().len(), 2, "what is limited is counted");
    bench.project.write(
        "home/.config/annals/config.toml",
        "[models]\ndefault = \"x\"\n[models.x]\nbackend = \"ollama\"\nmodel = \"m\"\n",
    );
    let (found, why) = bench.found(&["storage"]);
    assert_eq!(found, others(), "the default makes no vectors");
    assert!(why.is_some_and(|why| why.starts_with("no model is configured for embedding")));
    bench.project.write("home/.config/annals/config.toml", "[models.near]\nbackend = \"openai\"\nurl = \"http://127.0.0.1:9\"\nmodel = \"e2\"\n[models.purposes]\nembedding = \"near\"\n");
    assert!(
        bench.found(&["storage"]).1.is_some_and(|why| why.starts_with("the vectors are by e1, and e2 is configured"))
    );
    assert_eq!(bench.inputs().len(), 2);
}

#[test]
fn another_model_or_length_begins_anew_and_says_so() {
    let bench = Bench::new(Box::new(by_words));
    bench.does(&["search", "--embed"]);
    let longer = Server::start(Box::new(|asked| {
        let rows = asked["input"].as_array().expect("texts").iter().map(|_| json!({ "embedding": [1, 2, 3, 4] }));
        (200, json!({ "data": rows.collect::<Vec<_>>() }).to_string())
    }));
    bench.models(&longer.url, "");
    bench.does(&["hivemind", "add", "decision", "more", "Another belief."]);
    assert!(bench.found(&["storage"]).1.is_some_and(|why| why.contains("of 4 numbers, and made some of 3")));
    let told = bench.does(&["search", "--embed"]);
    assert!(told.contains("begun anew: e1 makes vectors of 4 numbers, and made some of 3"), "{told}");
    assert!(told.contains("3 vectors of 4 numbers"), "{told}");
    let config = bench.project.read("home/.config/annals/config.toml");
    bench.project.write("home/.config/annals/config.toml", &config.replace("\"e1\"", "\"e9\""));
    let told = bench.does(&["search", "--embed"]);
    assert!(told.contains("begun anew: the vectors that were there are by e1"), "{told}");
}

/// Vectors say what was said, though no byte of it stands in them: they go with it. A secret never gets there.
#[test]
fn a_scrub_removes_vectors_and_no_secret_is_sent() {
    let bench = Bench::new(Box::new(by_words));
    let key = format!("{}{}", "sk-ant-api03-", "Zq8vN2kXw7RtYb4LmPcD9sGfHj3eUaVi5oKx");
    bench.does(&["hivemind", "add", "fear", "leak", &format!("the key {key} and quagga-0451 are out")]);
    bench.does(&["search", "--embed"]);
    let sent = serde_json::to_string(&bench.inputs()).expect("JSON");
    assert!(sent.contains("quagga-0451") && !sent.contains(&key), "{sent}");
    let kept = std::fs::read(bench.file()).expect("read");
    assert!(!kept.windows(6).any(|bytes| bytes == b"quagga"));
    bench.does(&["scrub", "--value", "quagga-0451", "--yes"]);
    assert!(!bench.file().exists(), "the vectors are gone");
    bench.does(&["search", "--embed"]);
    let sent = serde_json::to_string(bench.inputs().last().expect("one")).expect("JSON");
    assert!(!sent.contains("quagga"), "{sent}");
}

/// A file that came with a repository asks nobody, and what it says is no answer.
#[test]
fn a_file_of_strangers_is_no_reason_to_ask_and_shows_nothing_that_the_log_has_not() {
    let bench = Bench::new(Box::new(by_words));
    for bytes in [&b"ANNALSVE"[..], &[0; 100], &[255; 4096]] {
        std::fs::create_dir_all(bench.file().parent().expect("a folder")).expect("made");
        std::fs::write(bench.file(), bytes).expect("written");
        assert_eq!(bench.found(&["storage", "--by", "fuzzy", "--by", "semantic"]).0, ["fuzzy belief"]);
    }
    assert_eq!(bench.inputs(), [Value::Null; 0]);
    bench.does(&["search", "--embed"]);
    assert_eq!(bench.found(&["database"]).0, ["semantic belief"]);
    // The belief says something else by now: what its vector says is not shown.
    bench.does(&["hivemind", "remove", "storage", "--because", "no"]);
    assert_eq!(bench.found(&["database"]).0, [""; 0]);
}
