//! What of the sources is read as text: snapshots that wait, names of events, ways to the screen, tests that name each rule.
//!
//! Arrows and shapes are `look`'s and `shape`'s.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{all_sources, folder, is_test, program_sources, root, sources};

/// The room of a file of the program, and its sub-room if it is one of the domain.
fn room(path: &Path) -> (String, Option<String>) {
    let below = path.strip_prefix(root()).expect("a file of the program");
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned());
    let parts: Vec<_> = parts.filter(|part| !["src", "crates", "rules"].contains(&part.as_str())).collect();
    (parts.first().cloned().unwrap_or_default(), parts.get(1).cloned())
}

#[test]
fn no_snapshot_waits_for_a_review() {
    fn waiting(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting(&path, found);
            } else if path.to_string_lossy().ends_with(".snap.new") || path.to_string_lossy().ends_with(".pending-snap")
            {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    for name in ["src", "crates", "tests", "snapshots"] {
        waiting(&root().join(name), &mut found);
    }
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn event_and_command_names_have_three_parts_and_are_given_once() {
    let mut seen = BTreeSet::new();
    for doc in annals::domain::event_docs().chain(annals::domain::command_docs()) {
        assert_eq!(doc.name.split('.').count(), 3, "{}", doc.name);
        assert!(
            doc.name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '.' || letter == '_'),
            "{}",
            doc.name
        );
        assert!(seen.insert(doc.name), "{} is given twice", doc.name);
    }
}

/// Whatever is printed passes `cli::output`, which makes it harmless; a text with sequences of its own would be shown as
/// letters. What stands here is another program's output, or is asked for as it is.
#[test]
fn nothing_reaches_the_screen_but_through_the_output() {
    const WAYS_OUT: [&str; 8] =
        ["io::stdout()", "io::stderr()", "println!", "print!(", ".print()", "ProgressBar", "\\x1b[", "\\u{1b}["];
    const OUTPUT: [&str; 4] = ["src/cli/output.rs", "src/cli/pager.rs", "src/cli/progress.rs", "src/view/escape.rs"];
    // What a command that is run prints.
    const NOT_OURS: [&str; 4] = [
        "src/tool/run.rs", "crates/workspace/src/confine/cell.rs", "crates/workspace/src/confine/warden.rs",
        "src/cli/run/agent/within.rs",
    ];
    const RAW: [&str; 3] = ["src/cli/sanitize.rs", "src/cli/show.rs", "src/cli/task/diff.rs"];
    let mut wrong = Vec::new();
    for (path, text) in program_sources() {
        let name = path.strip_prefix(root()).expect("below").to_string_lossy().into_owned();
        if [&OUTPUT[..], &NOT_OURS].concat().contains(&name.as_str()) {
            continue;
        }
        let of_program = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
        for (number, line) in of_program.enumerate().filter(|_| !is_test(&path)) {
            let is_way = WAYS_OUT.iter().any(|way| line.contains(way));
            let is_raw = line.contains("out.raw(") && !RAW.contains(&name.as_str());
            if is_way || is_raw {
                wrong.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a file says for tests alone; of a file of tests, all of it.
fn tests_of(path: &Path, text: &str) -> String {
    if is_test(path) {
        return text.to_owned();
    }
    text.find("mod tests {").map(|at| text[at..].to_owned()).unwrap_or_default()
}

/// The files of a module that its file declares, and all below them.
fn files_of_module(path: &Path, name: &str) -> Vec<(PathBuf, String)> {
    let stem = path.file_stem().unwrap_or_default();
    let folder = path.parent().expect("a folder");
    let folder =
        if ["mod", "lib", "main"].iter().any(|own| *own == stem) { folder.to_owned() } else { folder.join(stem) };
    let own = folder.join(format!("{name}.rs"));
    let below = folder.join(name);
    let mut files = if below.is_dir() { sources(&below) } else { Vec::new() };
    files.extend(fs::read_to_string(&own).ok().map(|text| (own, text)));
    files
}

fn has_a_test(text: &str) -> bool {
    ["#[test]", "proptest! {", "#[tokio::test"].iter().any(|mark| text.contains(mark))
}

#[test]
fn no_module_of_tests_is_without_one() {
    let mut empty = Vec::new();
    for (path, text) in all_sources() {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (number, pair) in lines.windows(2).enumerate().filter(|(_, pair)| pair[0] == "#[cfg(test)]") {
            let Some(name) = pair[1].split("mod ").nth(1).filter(|_| pair[1].contains("mod ")) else { continue };
            let tests = match name.split_once([';', ' ']) {
                Some((_, "{")) => lines[number..].join("\n"),
                Some((name, _)) if name != "testing" => {
                    files_of_module(&path, name).into_iter().map(|(_, text)| text).collect()
                }
                Some(_) | None => continue,
            };
            if !has_a_test(&tests) {
                empty.push(format!("{}:{}: {}", path.display(), number + 2, pair[1]));
            }
        }
    }
    assert!(empty.is_empty(), "{}", empty.join("\n"));
}

/// The rules of a text that declares refusals: variant and wire name.
fn rules(text: &str) -> Vec<(String, String)> {
    let block = |part: &str, end: &str| part.split(end).next().unwrap_or_default().to_owned();
    let declared = text.split("refusal! {\n").skip(1).map(|part| block(part, "\n}\n"));
    let matched = text.split("fn rule(&self)").skip(1).map(|part| block(part, "\n    }\n"));
    let rule = |line: &str| {
        let line = line.trim().trim_start_matches("Self::");
        let (variant, rest) = line.split_once(" = \"").or_else(|| line.split_once(" => \""))?;
        let variant = variant.split_whitespace().next().filter(|word| word.starts_with(char::is_uppercase))?;
        Some((variant.to_owned(), rest.split('"').next()?.to_owned()))
    };
    declared.chain(matched).flat_map(|block| block.lines().filter_map(rule).collect::<Vec<_>>()).collect()
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|found| found == word)
}

/// A rule is named by its variant in the tests of its room, or by its wire name there or where rooms meet.
#[test]
fn every_rule_has_a_test_that_names_it() {
    let meeting = [folder("world").join("tests"), root().join("tests/it")].map(|folder| sources(&folder));
    let meeting: String = meeting.into_iter().flatten().map(|(_, text)| text).collect();
    let (mut count, mut unnamed) = (0, Vec::new());
    for floor in ["domain", "policy"] {
        let files = sources(&folder(floor));
        for (path, text) in &files {
            let own = room(path);
            let of_room = files.iter().filter(|(path, _)| floor == "domain" && room(path) == own);
            let tests: String = of_room.map(|(path, text)| tests_of(path, text)).collect();
            for (variant, rule) in rules(text) {
                count += 1;
                let quoted = format!("\"{rule}\"");
                if !has_word(&tests, &variant) && !tests.contains(&quoted) && !meeting.contains(&quoted) {
                    unnamed.push(format!("{}: {variant}, {rule}", path.display()));
                }
            }
        }
    }
    assert!(count > 200, "only {count} rules were found");
    assert!(unnamed.is_empty(), "{}", unnamed.join("\n"));
}

/// Each stands, as the register has it and in backticks, above a test.
#[test]
fn every_policy_and_every_guard_has_a_test_that_names_it() {
    let register = fs::read_to_string(folder("policy").join("mod.rs")).expect("the register can be read");
    let guards = register.split("const GUARDS").nth(1).and_then(|part| part.split("];").next()).unwrap_or_default();
    let guards = guards.lines().map(|line| line.trim().trim_end_matches(',')).filter(|line| line.contains("::"));
    let listed: Vec<&str> = guards.chain(annals::policy::POLICIES.iter().map(|policy| policy.name)).collect();
    assert!(listed.len() > 45, "only {} were found", listed.len());
    let folders = [folder("policy"), folder("world").join("tests"), root().join("tests/it")];
    let texts: Vec<_> = folders.iter().flat_map(|folder| sources(folder)).collect();
    let is_above_a_test = |text: &str, name: &str| {
        text.match_indices("#[test]").any(|(at, _)| {
            let lines = text[..at].lines().rev();
            let mut above = lines.take_while(|line| line.trim().starts_with("///") || line.trim().is_empty());
            above.any(|line| line.contains(name))
        })
    };
    let is_named = |listed: &&str| texts.iter().any(|(_, text)| is_above_a_test(text, &format!("`{listed}`")));
    let unnamed: Vec<_> = listed.into_iter().filter(|listed| !is_named(listed)).collect();
    assert!(unnamed.is_empty(), "{}", unnamed.join("\n"));
}

/// A new room is a folder, its `mod` and a row of `rooms!`: no other file goes through all of them.
#[test]
fn only_the_register_lists_all_rooms() {
    let register = fs::read_to_string(folder("domain").join("register.rs")).expect("the register can be read");
    let words: Vec<&str> = register.split_whitespace().collect();
    let rooms: BTreeSet<&str> = words
        .windows(2)
        .filter(|pair| ["asks", "tells"].contains(&pair[0]))
        .map(|pair| pair[1].trim_end_matches(';'))
        .collect();
    assert!(rooms.len() > 24, "only {} rooms were found", rooms.len());
    let lists = |text: &str, kind: &str| rooms.iter().filter(|room| text.contains(&format!("{kind}::{room}("))).count();
    let most = |text: &str| lists(text, "Event").max(lists(text, "Command"));
    // The command line has commands of its own.
    let others = program_sources().into_iter().filter(|(path, _)| !path.starts_with(folder("cli")));
    let listing: Vec<_> = others.filter(|(_, text)| most(text) > rooms.len() / 2).collect();
    let listing: Vec<_> = listing.iter().map(|(path, _)| path.display().to_string()).collect();
    assert!(listing.is_empty(), "{}", listing.join("\n"));
}
