//! Every command has examples in its help, and they do what they say: each is run in a copy of one small project.
//!
//! A word in capitals stands for an id of that project; `world.sh` prints them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use crate::screen::every_command;

const EXAMPLES: &str = include_str!("../../src/cli/help/examples.txt");
const WORLD: &str = include_str!("examples/world.sh");
/// What has to be done before an example of a command makes sense.
const BEFORE: &str = include_str!("examples/before.txt");

/// Lines below their titles, `[session show]`.
fn sections(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut title = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(name) => name.clone_into(&mut title),
            None => found.entry(title.clone()).or_default().push(line.to_owned()),
        }
    }
    found
}

fn shell(script: &str, folder: &Path, home: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_annals")).parent().expect("a folder");
    let script = format!("PATH=\"{}:$PATH\"\n{script}", program.display());
    let mut command = Command::new("sh");
    command.arg("-ec").arg(script).current_dir(folder).env("HOME", home).env("LC_ALL", "C");
    for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "ANNALS_SESSION"]
        .into_iter()
        .chain(annals::cli::agents_variables())
    {
        command.env_remove(name);
    }
    command.stdin(std::process::Stdio::null()).output().expect("a shell")
}

static PROJECT: LazyLock<World> = LazyLock::new(World::new);

/// The project of the examples, made once.
pub fn world() -> &'static World {
    &PROJECT
}

/// The examples of each command.
pub fn examples() -> BTreeMap<String, Vec<String>> {
    sections(EXAMPLES)
}

/// What has to be done before the examples of a command.
pub fn before(command: &str) -> Vec<String> {
    sections(BEFORE).remove(command).unwrap_or_default()
}

/// A project in which each kind of thing is there once, and the ids that stand for capitals.
pub struct World {
    folder: tempfile::TempDir,
    ids: Vec<(String, String)>,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let made = shell(WORLD, &place(folder.path(), "project"), &place(folder.path(), "home"));
        let said = String::from_utf8_lossy(&made.stdout).into_owned();
        assert!(made.status.success(), "{said}\n{}", String::from_utf8_lossy(&made.stderr));
        let ids = said.lines().filter_map(|line| line.strip_prefix("ID ")?.split_once('='));
        let ids: Vec<_> = ids.map(|(name, id)| (name.to_owned(), id.to_owned())).collect();
        let empty: Vec<_> = ids.iter().filter(|(_, id)| id.is_empty()).collect();
        assert!(empty.is_empty() && !ids.is_empty(), "{empty:?} of {ids:?}\n{said}");
        Self { folder, ids }
    }

    fn with_ids(&self, before: &[String], example: &str) -> String {
        let word = |word: &str| {
            let id = self.ids.iter().find(|(name, _)| name == word);
            let is_variable = before.iter().any(|line| line.starts_with(&format!("{word}=")));
            match id {
                Some((_, id)) => id.clone(),
                None if is_variable => format!("\"${word}\""),
                None => word.to_owned(),
            }
        };
        example.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }

    /// Runs an example in a copy of the project.
    fn play(&self, before: &[String], example: &str) -> Output {
        let copy = tempfile::tempdir().expect("a folder");
        for name in ["project", "home"] {
            copy_folder(&self.folder.path().join(name), &copy.path().join(name));
        }
        let script = before.iter().map(String::as_str).chain([example]).map(|line| self.with_ids(before, line) + "\n");
        shell(&script.collect::<String>(), &copy.path().join("project"), &copy.path().join("home"))
    }

    /// What an example prints in a copy of the project.
    pub fn ask(&self, before: &[String], example: &str) -> String {
        String::from_utf8_lossy(&self.play(before, example).stdout).into_owned()
    }

    /// What examples that only read print, one after another in one copy.
    pub fn ask_all(&self, examples: &[String]) -> String {
        let script: Vec<_> = examples.iter().map(|line| format!("{} || true", self.with_ids(&[], line))).collect();
        self.ask(&[], &script.join("\n"))
    }

    /// Runs an example, and says what was wrong.
    fn run(&self, before: &[String], example: &str) -> Option<String> {
        let done = self.play(before, example);
        let told =
            || format!("{example}\n{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        (!done.status.success()).then(told)
    }
}

fn place(folder: &Path, name: &str) -> PathBuf {
    let place = folder.join(name);
    fs::create_dir(&place).expect("made");
    place
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).expect("made");
    for entry in fs::read_dir(from).expect("read") {
        let entry = entry.expect("read");
        let to = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), &to).expect("copied");
        }
    }
}

#[test]
fn every_command_has_an_example_that_names_it() {
    let examples = sections(EXAMPLES);
    let commands: Vec<_> = every_command().iter().map(|path| path.join(" ")).collect();
    let without: Vec<_> = commands.iter().filter(|command| !examples.contains_key(*command)).collect();
    assert!(without.is_empty(), "no examples: {without:?}");
    let unknown: Vec<_> = examples.keys().filter(|command| !commands.contains(command)).collect();
    assert!(unknown.is_empty(), "examples of no command: {unknown:?}");
    let wrong = examples.iter().flat_map(|(command, lines)| {
        let named = format!("annals {command}");
        lines.iter().filter(move |line| !line.contains(&named)).collect::<Vec<_>>()
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<&String>::new(), "examples that do not name their command");
}

/// Whether an example would wait for entries, or for messages, without end.
pub fn goes_on(line: &str) -> bool {
    ["--follow", "resident run"].iter().any(|words| line.contains(words))
}

/// In parts, so that they run side by side.
fn run_part(part: usize) {
    const PARTS: usize = 4;
    let examples = examples();
    let mine = examples.iter().enumerate().filter(|(number, _)| number % PARTS == part);
    let failed = mine.flat_map(|(_, (command, lines))| {
        let before = before(command);
        let ends = lines.iter().filter(|line| !goes_on(line));
        ends.filter_map(|line| world().run(&before, line)).collect::<Vec<_>>()
    });
    let failed: Vec<_> = failed.collect();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn examples_work_first_part() {
    run_part(0);
}

#[test]
fn examples_work_second_part() {
    run_part(1);
}

#[test]
fn examples_work_third_part() {
    run_part(2);
}

#[test]
fn examples_work_fourth_part() {
    run_part(3);
}
