//! Reads the sources and fails on what the house does not allow. `planted` shows that it can fail.
//!
//! What a rule holds is said at the rule; what is let through stands in `EXCEPTIONS` with its reason, and must be there.

mod house;
mod look;
mod names;
mod planted;
mod rooms;
mod said;
mod shape;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use house::{House, Source};
use names::Names;

/// What the house holds every file of the program to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A room stands in the list of rooms.
    UnknownRoom,
    /// A room names the rooms that the list says, and its crate's manifest those crates.
    Arrow,
    /// A pure room asks for no time, file, environment, chance, and prints nothing.
    Machine,
    /// A pure room takes the float functions of `libm`, the same on every machine.
    Float,
    /// A pure room does not depend on the platform, nor on an order that changes from run to run.
    Platform,
    /// A match over an enum of ours names every variant, so that a new one is thought of.
    OwnEnum,
    /// No function takes a bool: nobody can read it where it is called.
    BoolParameter,
    /// No function takes a tuple: its parts have no names.
    TupleParameter,
    /// A type's name stands for one type of its crate, unless every room or command has one of the name.
    SharedName,
    /// No `unwrap` outside tests; what cannot be is `expect("BUG: …")`.
    Unwrap,
    FileLength,
    FunctionLength,
    /// Every file opens with `//!`.
    Silent,
    /// Code stands where its module says.
    Hidden,
    /// A file can be parsed.
    Unparsed,
}

/// One place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Breach {
    place: String,
    line: usize,
    rule: Rule,
    what: String,
}

impl Breach {
    fn new(place: &str, line: usize, rule: Rule, what: String) -> Self {
        Self { place: place.to_owned(), line, rule, what }
    }
}

/// What is let through: the rule, the file, a part of what is said of it, and why.
const EXCEPTIONS: &[(Rule, &str, &str, &str)] = &[(
    Rule::Platform,
    "crates/kernel/src/rows.rs",
    "HashMap",
    "an index with a fixed hasher that is never iterated; a sorted map takes longer in every line of a fold",
)];

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files below a folder, and what they say.
pub fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            // Files below it are what the program is shown, and none of its own.
            if path != root().join("tests/cmd") {
                files.extend(sources(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("the file can be read");
            files.push((path, text));
        }
    }
    files.sort();
    files
}

fn all_sources() -> Vec<(PathBuf, String)> {
    ["src", "crates", "tests", "benches"].iter().flat_map(|name| sources(&root().join(name))).collect()
}

/// The files of the program: those of every crate of the workspace.
pub fn program_sources() -> Vec<(PathBuf, String)> {
    let all = ["src", "crates"].iter().flat_map(|name| sources(&root().join(name)));
    all.filter(|(path, _)| !path.components().any(|part| part.as_os_str() == "examples")).collect()
}

/// The folder of a room: some are a crate of their own.
pub fn folder(room: &str) -> PathBuf {
    match room {
        "domain" | "policy" | "world" => root().join("crates/rules/src").join(room),
        "kernel" | "sanitizer" | "log" | "analysis" | "engine" | "import" | "mcp" | "act" | "llm" | "role"
        | "workspace" => root().join("crates").join(room).join("src"),
        _ => root().join("src").join(room),
    }
}

/// Where a file stands in the house.
fn place(path: &Path) -> String {
    path.strip_prefix(root()).expect("a file of the house").to_string_lossy().replace('\\', "/")
}

/// Whether a file is only built for tests: its module is declared so, or one that it stands in.
pub fn is_test(path: &Path) -> bool {
    READ.tests.contains(&place(path))
}

/// The files that are only built for tests, and the breaches of all: parsed once.
static READ: LazyLock<Reading> = LazyLock::new(|| {
    let sources = program_sources();
    Reading::of(&sources.iter().map(|(path, text)| Source::new(&place(path), text)).collect::<Vec<_>>())
});

/// What the sources show.
#[derive(Debug, Default)]
struct Reading {
    tests: BTreeSet<String>,
    /// The files that nothing builds.
    orphans: BTreeSet<String>,
    /// Which room names which.
    arrows: BTreeSet<(String, String)>,
    breaches: BTreeSet<Breach>,
}

impl Reading {
    fn of(sources: &[Source]) -> Self {
        let house = House::of(sources);
        let tests = sources.iter().filter(|source| house.is_test(&source.module)).map(|source| source.place.clone());
        let orphans =
            sources.iter().filter(|source| !house.is_built(&source.module)).map(|source| source.place.clone());
        let mut reading = Self { tests: tests.collect(), orphans: orphans.collect(), ..Self::default() };
        let mut found = Vec::new();
        let mut names = Names::default();
        for source in sources {
            names.look(&house, source);
            shape::of_any_file(&source.place, &source.text, &mut found);
            shape::look(&house, source, &mut found);
            reading.arrows.extend(look::look(&house, source, &mut found));
        }
        reading.breaches.extend(found.into_iter().chain(names.breaches()));
        reading
    }
}

fn assert_none(found: &BTreeSet<Breach>, rules: &[Rule]) {
    let is_let_through = |breach: &Breach| {
        let fits = |(rule, place, part, _): &(Rule, &str, &str, &str)| {
            *rule == breach.rule && *place == breach.place && breach.what.contains(part)
        };
        EXCEPTIONS.iter().any(fits)
    };
    for rule in rules {
        let wrong = found.iter().filter(|breach| breach.rule == *rule && !is_let_through(breach));
        let wrong: Vec<_> = wrong.map(|Breach { place, line, what, .. }| format!("{place}:{line}: {what}")).collect();
        assert!(wrong.is_empty(), "{rule:?}, {}:\n{}", wrong.len(), wrong.join("\n"));
    }
}

#[test]
fn no_room_names_another_but_by_the_list() {
    assert_none(&READ.breaches, &[Rule::UnknownRoom, Rule::Arrow, Rule::Hidden, Rule::Unparsed]);
}

/// A module that was replaced goes with its file: nobody sees that what stands there is not built.
#[test]
fn every_file_is_built() {
    assert_eq!(READ.orphans, BTreeSet::new());
}

#[test]
fn nothing_pure_asks_the_machine() {
    assert_none(&READ.breaches, &[Rule::Machine, Rule::Float, Rule::Platform]);
}

#[test]
fn matches_parameters_and_panics_are_as_the_house_has_them() {
    assert_none(&READ.breaches, &[Rule::OwnEnum, Rule::BoolParameter, Rule::TupleParameter, Rule::Unwrap]);
}

#[test]
fn a_name_stands_for_one_type_of_its_crate() {
    assert_none(&READ.breaches, &[Rule::SharedName]);
}

#[test]
fn every_file_says_what_it_does_and_is_short() {
    let mut found = READ.breaches.iter().cloned().collect::<Vec<_>>();
    for (path, text) in all_sources() {
        shape::of_any_file(&place(&path), &text, &mut found);
    }
    assert_none(&found.into_iter().collect(), &[Rule::FileLength, Rule::FunctionLength, Rule::Silent]);
}

/// The list says what is so, not what would be allowed, too: an arrow that nobody walks any more is taken out.
#[test]
fn every_arrow_of_the_list_is_walked() {
    let arrows = rooms::ARROWS.iter().flat_map(|(from, to)| to.split_whitespace().map(move |to| (*from, to)));
    let is_walked = |from: &str, to: &str| {
        let walks = |(one, other): &(String, String)| rooms::is(from, one) && rooms::is(to, other);
        READ.arrows.iter().any(walks)
    };
    let idle: Vec<_> = arrows.filter(|(from, to)| !is_walked(from, to)).collect();
    assert!(idle.is_empty(), "{idle:?}");
}

#[test]
fn every_exception_is_still_needed() {
    let is_needed = |(rule, place, part, _): &&(Rule, &str, &str, &str)| {
        READ.breaches.iter().any(|found| found.rule == *rule && found.place == *place && found.what.contains(part))
    };
    let gone: Vec<_> = EXCEPTIONS.iter().filter(|exception| !is_needed(exception)).collect();
    assert!(gone.is_empty(), "{gone:?}");
}

/// The crates of the house that a manifest names, those for tests too.
fn crates_named(manifest: &str) -> Vec<&str> {
    let names = manifest.lines().filter_map(|line| line.strip_prefix("annals-"));
    names.map(|rest| rest.split(['.', ' ', '=']).next().unwrap_or_default()).collect()
}

/// The compiler holds the arrows between crates, and a manifest is what it goes by.
#[test]
fn a_manifest_names_the_crates_that_the_list_says() {
    let folders = fs::read_dir(root().join("crates")).expect("the crates").flatten();
    let mut wrong = Vec::new();
    for folder in folders.filter(|entry| entry.path().join("Cargo.toml").exists()) {
        let name = folder.file_name().to_string_lossy().into_owned();
        let manifest = fs::read_to_string(folder.path().join("Cargo.toml")).expect("the manifest can be read");
        let allowed = rooms::MANIFESTS.iter().find(|(own, _)| *own == name).map(|(_, allowed)| *allowed);
        let Some(allowed) = allowed else {
            wrong.push(format!("{name} is not in the list of crates"));
            continue;
        };
        let more = crates_named(&manifest).into_iter().filter(|other| !allowed.split(' ').any(|name| name == *other));
        wrong.extend(more.filter(|other| *other != name).map(|other| format!("{name} names {other}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
