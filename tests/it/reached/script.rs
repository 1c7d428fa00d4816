//! Transcripts of `tests/cmd`, run once more in folders of their own: what is refused there with `--json`, so that each
//! "no" tells its rule, and with a look at what was recorded.
//!
//! Compares no outputs; `cmd` does.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// One command of a transcript: variables of its environment, arguments, and the lines that it prints.
pub struct Step {
    pub environment: Vec<(String, String)>,
    pub arguments: Vec<String>,
    pub printed: Vec<String>,
}

impl Step {
    fn is_refused(&self) -> bool {
        self.printed.iter().any(|line| line.starts_with("refused: "))
    }
}

/// What a transcript came to.
pub struct Told {
    pub name: String,
    pub steps: Vec<Step>,
    /// The rules that said no, each with its message.
    pub refusals: BTreeSet<(String, String)>,
    /// The events that were recorded: their names and fields.
    pub events: Vec<(String, Value)>,
    /// How many lines the history has, and how many of their decisions come out the same.
    pub replayed: Option<String>,
}

/// Every transcript, told.
pub fn all() -> Vec<Told> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "trycmd")).collect();
    paths.sort();
    std::thread::scope(|scope| {
        let threads: Vec<_> = paths.iter().map(|path| scope.spawn(|| tell(path))).collect();
        threads.into_iter().map(|thread| thread.join().expect("told")).collect()
    })
}

fn tell(path: &Path) -> Told {
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let steps = steps(&fs::read_to_string(path).expect("a transcript"));
    let folder = tempfile::tempdir().expect("a folder");
    copy(&path.with_extension("in"), folder.path());
    let mut refusals = BTreeSet::new();
    for step in &steps {
        let said = run(folder.path(), &name, step, if step.is_refused() { &["--json"] } else { &[] });
        refusals.extend(said.lines().filter_map(refusal));
    }
    let has_history = folder.path().join(".context/history").is_dir();
    let events = if has_history { events(folder.path()) } else { Vec::new() };
    let replayed = has_history.then(|| replayed(folder.path(), &name)).flatten();
    Told { name, steps, refusals, events, replayed }
}

/// Lines with `$ annals`, and what stands below them.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            let mut words = words(command).into_iter().peekable();
            let mut environment = Vec::new();
            while let Some((name, value)) = words.peek().and_then(|word| word.split_once('=')) {
                environment.push((name.to_owned(), value.to_owned()));
                words.next();
            }
            assert_eq!(words.next().as_deref(), Some("annals"), "{line}");
            steps.push(Step { environment, arguments: words.collect(), printed: Vec::new() });
        } else if let Some(step) = steps.last_mut() {
            step.printed.push(line.to_owned());
        }
    }
    steps
}

/// A command line in words, with quotes as in a shell and without its other signs.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for sign in line.chars() {
        match (sign, quote) {
            ('\'' | '"', None) => {
                quote = Some(sign);
                word.get_or_insert_default();
            }
            (sign, Some(open)) if sign == open => quote = None,
            (' ', None) => words.extend(word.take()),
            (sign, _) => word.get_or_insert_default().push(sign),
        }
    }
    words.extend(word);
    words
}

/// Without the file that keeps an empty folder in git: trycmd leaves it out, too.
fn copy(from: &Path, to: &Path) {
    let entries = fs::read_dir(from).into_iter().flatten().map(|entry| entry.expect("an entry"));
    for entry in entries.filter(|entry| entry.file_name() != ".keep") {
        let (old, new) = (entry.path(), to.join(entry.file_name()));
        if old.is_dir() {
            fs::create_dir_all(&new).expect("made");
            copy(&old, &new);
        } else {
            fs::copy(&old, &new).expect("copied");
        }
    }
}

/// What a command prints, in the environment that the transcripts have.
fn run(folder: &Path, name: &str, step: &Step, before: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
    command.args(before).args(&step.arguments).current_dir(folder).env_clear();
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    // What a step sets for itself wins, as it does in trycmd.
    command.envs(crate::cmd::fixed_for(name)).envs(step.environment.iter().map(|(name, value)| (name, value)));
    let output = command.stdin(Stdio::null()).output().expect("ran");
    assert_ne!(output.status.code(), Some(101), "{:?}: {}", step.arguments, String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The rule that said no, and its message, of an answer in JSON.
fn refusal(line: &str) -> Option<(String, String)> {
    let answer: Value = serde_json::from_str(line).ok()?;
    let text = |name: &str| answer["refusal"][name].as_str().map(str::to_owned);
    Some((text("rule")?, text("message")?))
}

/// What was recorded, whether its line can be read or not.
fn events(folder: &Path) -> Vec<(String, Value)> {
    let days: BTreeMap<_, _> = crate::support::day_files(&folder.join(".context"));
    let lines = days.values().flat_map(|text| text.lines());
    let entries = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let lists = entries.filter_map(|entry| entry["operation"]["output"]["events"].as_array().cloned());
    let named = |event: &Value| Some((event["name"].as_str()?.to_owned(), event["data"].clone()));
    lists.flatten().filter_map(|event| named(&event)).collect()
}

/// The last line of a replay of everything; none where the history is of another program, or none.
fn replayed(folder: &Path, name: &str) -> Option<String> {
    let arguments = ["replay", "--all"].map(str::to_owned).into();
    let said = run(folder, name, &Step { environment: Vec::new(), arguments, printed: Vec::new() }, &[]);
    said.lines().rev().find(|line| line.contains(" matched, ")).map(str::to_owned)
}
