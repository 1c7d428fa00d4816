//! The test of the test: breaches planted in a house of paper, each in a disguise, and each must be found, and nothing else.
//!
//! Beside them stands what looks alike and is allowed.

use super::house::Source;
use super::{Breach, Reading, Rule};

/// The house in which they are planted: rooms, and an enum of ours.
const HOUSE: &[(&str, &str)] = &[
    (
        "src/lib.rs",
        "//! A.\npub use annals_engine as engine;\npub use annals_rules::domain;\npub mod cli;\npub mod view;\n",
    ),
    ("src/cli/mod.rs", "//! A.\npub fn run() {}\n"),
    ("src/view/mod.rs", "//! A.\npub use crate::engine::*;\n"),
    ("crates/engine/src/lib.rs", "//! A.\npub use annals_log::pen::Pen;\n"),
    ("crates/log/src/pen.rs", "//! A.\npub struct Pen;\n"),
    ("crates/kernel/src/lib.rs", "//! A.\npub mod entry;\n"),
    ("crates/kernel/src/entry.rs", "//! A.\npub enum Kind { Prompt, Message }\n"),
    ("crates/rules/src/domain/mod.rs", "//! A.\npub mod council;\npub mod issue;\npub use council::Vote;\n"),
    ("crates/rules/src/domain/council/mod.rs", "//! A.\npub struct Vote;\n"),
    ("crates/rules/src/domain/council/tests.rs", "//! A.\n"),
    ("crates/rules/src/policy/mod.rs", "//! A.\n"),
];

const ISSUE: &str = "crates/rules/src/domain/issue/mod.rs";
const KERNEL: &str = "crates/kernel/src/time.rs";
const ANALYSIS: &str = "crates/analysis/src/lib.rs";
const LOG: &str = "crates/log/src/lib.rs";
const VIEW: &str = "src/view/plot.rs";
const CLI: &str = "src/cli/show.rs";

/// Where it is planted, what, and the rule that it breaks.
const BREACHES: &[(&str, &str, Rule)] = &[
    // Rooms.
    ("src/server/mod.rs", "pub fn serve() {}", Rule::UnknownRoom),
    ("src/server.rs", "pub fn serve() {}", Rule::UnknownRoom),
    ("crates/connector/src/lib.rs", "pub fn find() {}", Rule::UnknownRoom),
    ("crates/rules/src/part/mod.rs", "pub fn play() {}", Rule::UnknownRoom),
    // Arrows between crates and within one.
    (LOG, "use annals_engine::Engine;", Rule::Arrow),
    (LOG, "use annals_rules::domain;", Rule::Arrow),
    (LOG, "extern crate annals_sanitizer;", Rule::Arrow),
    (LOG, "extern crate annals_sanitizer as soap;", Rule::Arrow),
    (LOG, "fn f() { annals_engine::open(); }", Rule::Arrow),
    (LOG, "fn f() -> ::annals_engine::Engine { loop {} }", Rule::Arrow),
    (LOG, "fn f() { assert!(annals_engine::is_open()); }", Rule::Arrow),
    (LOG, "#[derive(annals_engine::Ask)]\nstruct S;", Rule::Arrow),
    (LOG, "#[derive(Serialize)]\nstruct S { #[serde(with = \"annals_engine::hex\")] key: String }", Rule::Arrow),
    (LOG, "macro_rules! open { () => { annals_engine::open() } }", Rule::Arrow),
    (ISSUE, "use crate::domain::council::Vote;", Rule::Arrow),
    (ISSUE, "use crate::domain::{issue, council};", Rule::Arrow),
    (ISSUE, "use crate::{domain::{issue, council::{self, Vote as Ballot}}};", Rule::Arrow),
    (ISSUE, "use super::council;", Rule::Arrow),
    (ISSUE, "use super::council::*;", Rule::Arrow),
    (ISSUE, "mod inner { use super::super::council::Vote; }", Rule::Arrow),
    (ISSUE, "fn f() { self::super::council::open(); }", Rule::Arrow),
    (ISSUE, "fn f() { use super::super::policy as p; p::of(); }", Rule::Arrow),
    (ISSUE, "impl From<<super::council::Vote as Into<u8>>::Out> for Issue {}", Rule::Arrow),
    (ISSUE, "wire! { enum Event { Opened(crate::{policy::Opened, domain::issue::Row}) = \"a.b.c\" } }", Rule::Arrow),
    ("crates/rules/src/policy/of.rs", "use crate::world::World;", Rule::Arrow),
    (VIEW, "use crate::cli;", Rule::Arrow),
    (VIEW, "use crate as house;\nfn f() { house::cli::run(); }", Rule::Arrow),
    (VIEW, "pub(in crate::cli) fn f() {}", Rule::Arrow),
    ("src/tool/mod.rs", "use crate::view::Pen;", Rule::Arrow),
    // A chain: the floor may name the room, the room beside it may not.
    (ISSUE, "use super::Vote;", Rule::Arrow),
    (ISSUE, "fn f(vote: crate::domain::Vote) {}", Rule::Arrow),
    (LOG, "include!(\"../../engine/src/lib.rs\");", Rule::Hidden),
    (LOG, "#[path = \"../../engine/src/lib.rs\"]\nmod engine;", Rule::Hidden),
    // The machine.
    (KERNEL, "use std::fs;", Rule::Machine),
    (KERNEL, "use std::{fs};", Rule::Machine),
    (KERNEL, "use std::{collections::BTreeMap, time::SystemTime as Stamp};", Rule::Machine),
    (KERNEL, "use std::*;", Rule::Machine),
    (KERNEL, "use std as s;", Rule::Machine),
    (KERNEL, "extern crate std as s;\nfn f() { s::fs::read(\"a\"); }", Rule::Machine),
    (KERNEL, "fn f() { ::std::thread::yield_now(); }", Rule::Machine),
    (KERNEL, "fn f() -> bool { matches!(std::env::var(\"A\"), Ok(_)) }", Rule::Machine),
    (KERNEL, "fn f() { let at = Instant::now(); }", Rule::Machine),
    (KERNEL, "fn f() { let at = chrono::Utc::now(); }", Rule::Machine),
    (KERNEL, "fn f() { println!(\"here\"); }", Rule::Machine),
    (KERNEL, "const HOME: Option<&str> = option_env!(\"HOME\");", Rule::Machine),
    (KERNEL, "use getrandom::fill;", Rule::Machine),
    (KERNEL, "extern crate rand;", Rule::Machine),
    (ISSUE, "use std::io::{self, Read};", Rule::Machine),
    // Floats.
    (ISSUE, "fn f(x: f64) -> f64 { f64::powf(x, 0.5) }", Rule::Float),
    (ISSUE, "fn f(x: f64) -> f64 { x.powf(0.5) }", Rule::Float),
    (ISSUE, "fn f(x: f64) -> f64 { <f64>::exp(x) }", Rule::Float),
    (ISSUE, "type F = f64;\nfn f(x: F) -> F { F::ln(x) }", Rule::Float),
    (ANALYSIS, "fn f(x: f64) -> Vec<f64> { [x].into_iter().map(f64::tanh).collect() }", Rule::Float),
    (ANALYSIS, "fn f(x: f64) -> String { format!(\"{}\", x.exp()) }", Rule::Float),
    // The platform.
    (KERNEL, "#[cfg(target_os = \"linux\")]\nfn f() {}", Rule::Platform),
    (KERNEL, "#[cfg_attr(all(unix, not(miri)), inline)]\nfn f() {}", Rule::Platform),
    (KERNEL, "fn f() -> bool { cfg!(windows) }", Rule::Platform),
    (KERNEL, "fn f(x: u64) -> [u8; 8] { x.to_ne_bytes() }", Rule::Platform),
    (KERNEL, "fn f(x: [u8; 8]) -> u64 { u64::from_ne_bytes(x) }", Rule::Platform),
    (KERNEL, "use std::collections::{BTreeMap, HashMap as Map};", Rule::Platform),
    (KERNEL, "use std::hash::RandomState;", Rule::Platform),
    // Matches over our enums.
    (CLI, "fn f(k: Kind) -> u8 { match k { Kind::Prompt => 1, _ => 2 } }", Rule::OwnEnum),
    (CLI, "fn f(k: &Kind) -> u8 { match k { &annals::kernel::entry::Kind::Prompt => 1, other => 2 } }", Rule::OwnEnum),
    (
        CLI,
        "use annals_kernel::entry::Kind as K;\nfn f(k: K) -> u8 { match k { K::Prompt => 1, (_) => 2 } }",
        Rule::OwnEnum,
    ),
    (CLI, "use annals_kernel::entry::Kind::*;\nfn f(k: K) -> u8 { match k { Prompt => 1, _ => 2 } }", Rule::OwnEnum),
    (
        CLI,
        "enum Own { A(u8), B }\nimpl Own { fn f(&self) -> u8 { match self { Self::A(n) => *n, _ => 2 } } }",
        Rule::OwnEnum,
    ),
    (CLI, "fn f(k: Kind) { println!(\"{}\", match k { Kind::Prompt => 1, _ => 2 }); }", Rule::OwnEnum),
    // Parameters.
    (CLI, "fn f(name: &str, is_long: bool) {}", Rule::BoolParameter),
    (CLI, "trait Show { fn f(&self, is_long: bool); }", Rule::BoolParameter),
    (CLI, "impl S { pub(super) const fn f(self, is_long: bool) -> Self { self } }", Rule::BoolParameter),
    (CLI, "fn f(span: (usize, usize)) {}", Rule::TupleParameter),
    (CLI, "fn f((from, to): (usize, usize)) {}", Rule::TupleParameter),
    // Panics.
    (VIEW, "struct Plot;\nmod inner { pub(super) enum Plot {} }", Rule::SharedName),
    (KERNEL, "type Kind = u8;", Rule::SharedName),
    (KERNEL, "wire! { #[derive(Debug)] pub struct Kind { name: u8 } }", Rule::SharedName),
    (CLI, "fn f(x: Option<u8>) -> u8 { x.unwrap() }", Rule::Unwrap),
    (CLI, "fn f(x: Vec<Option<u8>>) -> Vec<u8> { x.into_iter().map(Option::unwrap).collect() }", Rule::Unwrap),
    (CLI, "fn f(x: Option<u8>) -> String { format!(\"{}\", x.unwrap()) }", Rule::Unwrap),
    (CLI, "fn f(x: Option<u8>) -> u8 { x.expect(\"there is one\") }", Rule::Unwrap),
    (CLI, "#[cfg(not(test))]\nfn f(x: Result<u8, u8>) -> u8 { x.unwrap_err() }", Rule::Unwrap),
    (CLI, "fn f() { todo!() }", Rule::Unwrap),
    // Text.
    (CLI, "fn f( {", Rule::Unparsed),
];

/// What looks like a breach and is none.
const ALLOWED: &[(&str, &str)] = &[
    (ISSUE, "use super::issue::Row;\nuse crate::domain::issue;\nuse annals_kernel::entry::Kind;"),
    (ISSUE, "// use super::council;\nconst TEXT: &str = \"crate::domain::council\";"),
    ("crates/rules/src/policy/of.rs", "use crate::domain::{council::Vote, issue};"),
    (VIEW, "use crate::engine::Engine;\nfn f(pen: super::Pen) {}"),
    (KERNEL, "use std::collections::BTreeMap;\n#[cfg(test)]\nmod tests { use std::fs; fn f(x: f64) { x.exp(); } }"),
    (KERNEL, "fn f(x: f64) -> f64 { libm::exp(x).sqrt() }\nfn g(x: u64) -> [u8; 8] { x.to_le_bytes() }"),
    (LOG, "use std::fs;\nfn f() { let at = std::time::Instant::now(); }\n#[cfg(unix)]\nfn g() {}"),
    (CLI, "fn f(k: Kind) -> u8 { match k { Kind::Prompt => 1, _ if true => 3, Kind::Message => 2 } }"),
    (CLI, "fn f(k: &str, o: Option<Kind>) -> u8 { match k { \"a\" => 1, _ => match o { Some(_) => 1, None => 2 } } }"),
    (CLI, "impl Read for S { fn read(&self, all: bool) {} }\nfn f(is: impl Fn(bool) -> bool) {}"),
    (CLI, "#[test]\nfn f() { x.unwrap(); }\n#[cfg(test)]\nimpl S { fn g(all: bool) {} }"),
    (CLI, "fn f(x: Option<u8>) -> u8 { x.expect(\"BUG: the caller has looked\") }"),
    (VIEW, "pub struct Kind;\npub struct State;\nmod inner { pub struct State; }"),
    (KERNEL, "fn f() { struct Kind; }\n#[cfg(test)]\nmod tests { struct Kind; }"),
    ("crates/rules/src/domain/council/tests.rs", "use super::Vote;"),
];

fn read(place: &str, text: &str) -> Reading {
    let house = HOUSE.iter().filter(|(other, _)| *other != place);
    let sources = house.map(|(place, text)| Source::new(place, text)).chain([Source::new(place, text)]);
    Reading::of(&sources.collect::<Vec<_>>())
}

/// What is found, without the lines.
fn found(place: &str, text: &str) -> Vec<(String, Rule)> {
    let mut found: Vec<_> =
        read(place, text).breaches.into_iter().map(|Breach { place, rule, .. }| (place, rule)).collect();
    found.dedup();
    found
}

#[test]
fn every_planted_breach_is_found_and_nothing_else() {
    let of_one = |(place, snippet, rule): &(&str, &str, Rule)| {
        let found = found(place, &format!("//! A.\n{snippet}\n"));
        (found != [((*place).to_owned(), *rule)]).then(|| format!("{place}: {snippet}\n  {rule:?}, but {found:?}"))
    };
    let wrong: Vec<_> = BREACHES.iter().filter_map(of_one).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_looks_like_a_breach_is_let_through() {
    let of_one = |(place, snippet): &(&str, &str)| {
        let found = found(place, &format!("//! A.\n{snippet}\n"));
        (!found.is_empty()).then(|| format!("{place}: {snippet}\n  {found:?}"))
    };
    let wrong: Vec<_> = ALLOWED.iter().filter_map(of_one).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_long_file_a_long_function_and_a_silent_file_are_found() {
    let line = "    work();\n";
    let function = |lines: usize| format!("//! A.\nfn f() {{\n    // Why.\n\n{}}}\n", line.repeat(lines));
    let file = |lines: usize| format!("//! A.\n{}", "fn f() {}\n".repeat(lines - 1));
    let cases = [
        (function(70), None),
        (function(71), Some(Rule::FunctionLength)),
        (format!("{}\nimpl S {{ fn g() {{\n{}}}\n}}\n", file(2), line.repeat(71)), Some(Rule::FunctionLength)),
        (file(400), None),
        (file(401), Some(Rule::FileLength)),
        ("fn f() {}\n".to_owned(), Some(Rule::Silent)),
        ("/// A.\nfn f() {}\n".to_owned(), Some(Rule::Silent)),
        ("//!\nfn f() {}\n".to_owned(), Some(Rule::Silent)),
    ];
    for (text, rule) in cases {
        let expected: Vec<_> = rule.map(|rule| (CLI.to_owned(), rule)).into_iter().collect();
        assert_eq!(found(CLI, &text), expected, "{} lines", text.lines().count());
    }
}

/// The line of a breach is where it stands, and what it says names it.
#[test]
fn a_breach_says_where_it_is_and_what() {
    let reading = read(ISSUE, "//! A.\n\nuse super::{\n    issue,\n    council as c,\n};\n");
    let what = "domain::issue names domain::council: annals_rules::domain::council".to_owned();
    assert_eq!(reading.breaches.into_iter().collect::<Vec<_>>(), [Breach::new(ISSUE, 5, Rule::Arrow, what)]);
}

#[test]
fn a_file_that_no_module_names_is_found() {
    const PEN: &str = "crates/log/src/pen.rs";
    assert!(read(LOG, "//! A.\npub mod disk;\n").orphans.contains(PEN));
    for named in ["pub mod pen;", "#[cfg(test)]\nmod pen;"] {
        let orphans = read(LOG, &format!("//! A.\n{named}\n")).orphans;
        assert!(!orphans.contains(PEN) && !orphans.contains(LOG), "{named}");
    }
}
