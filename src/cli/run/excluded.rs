//! Files whose content no model is told (AFS 11.3, `shouldExcludeFile`): a call on one is refused by its name, and by that of
//! what it leads to; commands find them empty; and what a search shows of one is left out.
//!
//! Where the walls cannot make them empty, and where git's history brings them back, lines of theirs are left out of what a
//! command writes. What it makes of them otherwise is cleaned like everything else, by what secrets look like.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::role::tool::ToolName;
use crate::sanitizer::Sanitizer;

/// What stands around the words of a command.
const AROUND: &[char] = &[' ', '\t', '\n', '"', '\'', '`', '=', '<', '>', '|', ';', '&', '(', ')', '{', '}', ','];
/// What may stand for letters of a name.
const WILD: &[char] = &['*', '?', '['];

/// The excluded file that a call is on, if there is one.
pub(super) fn excluded(sanitizer: &Sanitizer, root: &Path, tool: ToolName, input: &Value) -> Option<String> {
    let text = |member: &str| input.get(member).and_then(Value::as_str);
    match tool {
        ToolName::Read | ToolName::Write | ToolName::Edit | ToolName::Search => {
            text("path").filter(|path| is_excluded(sanitizer, root, path)).map(str::to_owned)
        }
        ToolName::Shell => {
            let is_one = |word: &&str| {
                let is_there = || root.join(word).symlink_metadata().is_ok_and(|about| !about.is_dir());
                let is_named = sanitizer.should_exclude_file(word) && (word.contains(WILD) || is_there());
                is_named || leads_to_excluded(sanitizer, root, word)
            };
            text("command")?.split(AROUND).find(is_one).map(str::to_owned)
        }
        ToolName::Find | ToolName::Glob | ToolName::Fetch => None,
    }
}

/// Whether a file holds secrets by its name, or by that of what it leads to.
pub(in crate::cli) fn is_excluded(sanitizer: &Sanitizer, root: &Path, path: &str) -> bool {
    sanitizer.should_exclude_file(path) || leads_to_excluded(sanitizer, root, path)
}

/// Whatever links are on the way.
fn leads_to_excluded(sanitizer: &Sanitizer, root: &Path, path: &str) -> bool {
    let Some((root, real)) = fs::canonicalize(root).ok().zip(fs::canonicalize(root.join(path)).ok()) else {
        return false;
    };
    let within =
        |path: &Path| sanitizer.should_exclude_file(&path.strip_prefix(&root).unwrap_or(path).to_string_lossy());
    real.is_file() && (within(&real) || links(&root.join(path)).any(|link| within(&link)))
}

/// More links on the way to a file are not followed: no system follows more.
const MOST_LINKS: usize = 40;

/// What a path leads to, link by link: a link may have the name of a file that holds secrets, and what it leads to another.
fn links(path: &Path) -> impl Iterator<Item = PathBuf> {
    let next = |link: &Path| Some(link.parent()?.join(fs::read_link(link).ok()?));
    std::iter::successors(next(path), move |link| next(link)).take(MOST_LINKS)
}

/// More folders are not looked into.
const MOST_FOLDERS: usize = 50_000;

/// The files below a root that hold secrets by their names, as seen from the project's folder in it. No link is followed:
/// what it leads to is not there, or is looked at itself.
pub(super) fn excluded_files(sanitizer: &Sanitizer, root: &Path, project: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders, mut looked_into) = (Vec::new(), VecDeque::from([root.to_owned()]), 0);
    while let Some(folder) = folders.pop_front().filter(|_| looked_into < MOST_FOLDERS) {
        looked_into += 1;
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            let name =
                path.strip_prefix(project).or_else(|_| path.strip_prefix(root)).unwrap_or(&path).to_string_lossy();
            if kind.is_dir() && entry.file_name() != ".git" {
                folders.push_back(path);
            } else if kind.is_file() && sanitizer.should_exclude_file(&name) {
                found.push(path);
            }
        }
    }
    found
}

/// More of one is not read.
const MOST_BYTES: u64 = 256 << 10;
/// More lines are not looked for.
const MOST_LINES: usize = 5_000;
/// Shorter lines could stand anywhere.
const FEWEST_CHARS: usize = 8;

/// The lines of these files that a command is not to show.
pub(super) fn lines_of(files: &[PathBuf]) -> Vec<String> {
    let mut lines = Vec::new();
    for file in files {
        let mut bytes = Vec::new();
        let Ok(opened) = File::open(file) else { continue };
        if opened.take(MOST_BYTES).read_to_end(&mut bytes).is_ok() {
            let text = String::from_utf8_lossy(&bytes);
            let long = text.lines().map(str::trim).filter(|line| line.chars().count() >= FEWEST_CHARS);
            lines.extend(long.map(str::to_owned));
        }
    }
    lines.sort();
    lines.dedup();
    lines.truncate(MOST_LINES);
    lines
}

/// What a command wrote, without lines in which one of these stands.
pub(super) fn without(secret: &[String], output: &str) -> String {
    let found: Vec<_> = secret.iter().filter(|secret| output.contains(secret.as_str())).collect();
    kept(output, |line| !found.iter().any(|secret| line.contains(secret.as_str())))
}

/// The lines `FILE:LINE: TEXT` of a search, without those of excluded files; how many these were stands at the end.
pub(super) fn shown(sanitizer: &Sanitizer, output: &str) -> String {
    kept(output, |line| !sanitizer.should_exclude_file(line.split_once(':').map_or("", |(file, _)| file)))
}

fn kept(output: &str, is_kept: impl Fn(&str) -> bool) -> String {
    let kept: Vec<_> = output.lines().filter(|line| is_kept(line)).collect();
    match output.lines().count() - kept.len() {
        0 => output.to_owned(),
        left_out => format!("{}\n[{left_out} lines of files that hold secrets are not shown]", kept.join("\n")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sanitizer::Config;

    #[test]
    fn a_call_on_a_file_that_holds_secrets_is_refused_by_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("deploy.key"), "x").expect("written");
        fs::write(folder.path().join("plain.txt"), "x").expect("written");
        for (to, at) in [
            ("deploy.key", "cfg.txt"),
            ("cfg.txt", "notes.txt"),
            (".", "all"),
            ("plain.txt", ".env"),
            (".env", "settings.txt"),
            ("loop.txt", "loop.txt"),
        ] {
            std::os::unix::fs::symlink(to, folder.path().join(at)).expect("linked");
        }
        let sanitizer = Sanitizer::new(Config::default()).expect("the rules are sound");
        let rows = [
            (ToolName::Read, json!({ "path": "config/.env" }), Some("config/.env")),
            (ToolName::Read, json!({ "path": ".env.example" }), None),
            (ToolName::Edit, json!({ "path": "a/id_rsa", "old": "a", "new": "b" }), Some("a/id_rsa")),
            (ToolName::Shell, json!({ "command": "base64 <deploy.key" }), Some("deploy.key")),
            (ToolName::Shell, json!({ "command": "cat .en* .env*" }), Some(".env*")),
            (ToolName::Shell, json!({ "command": "jq .key a.json" }), None),
            (ToolName::Shell, json!({ "command": "openssl rsa -in new.key" }), None),
            (ToolName::Search, json!({ "pattern": "TOKEN" }), None),
            (ToolName::Search, json!({ "pattern": "TOKEN", "path": "deploy.key" }), Some("deploy.key")),
            // Links, and links to links, and on the way.
            (ToolName::Read, json!({ "path": "notes.txt" }), Some("notes.txt")),
            (ToolName::Read, json!({ "path": "all/notes.txt" }), Some("all/notes.txt")),
            (ToolName::Search, json!({ "pattern": "x", "path": "notes.txt" }), Some("notes.txt")),
            (ToolName::Shell, json!({ "command": "cat ./all/notes.txt" }), Some("./all/notes.txt")),
            (ToolName::Read, json!({ "path": "settings.txt" }), Some("settings.txt")),
            (ToolName::Read, json!({ "path": "loop.txt" }), None),
            (ToolName::Read, json!({ "path": "plain.txt" }), None),
            (ToolName::Shell, json!({ "command": "ls all" }), None),
        ];
        for (tool, input, file) in rows {
            assert_eq!(excluded(&sanitizer, folder.path(), tool, &input).as_deref(), file, "{tool} {input}");
        }
    }

    #[test]
    fn files_that_hold_secrets_are_found_and_no_link_is_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("a/.git")).expect("made");
        for name in [".env", "a/deploy.key", "a/.git/x.key", "a/b.rs"] {
            fs::write(folder.path().join(name), "x").expect("written");
        }
        std::os::unix::fs::symlink("/", folder.path().join("all")).expect("linked");
        let sanitizer = Sanitizer::new(Config::default()).expect("the rules are sound");
        let mut found = excluded_files(&sanitizer, folder.path(), folder.path());
        found.sort();
        assert_eq!(found, [folder.path().join(".env"), folder.path().join("a/deploy.key")]);
    }

    #[test]
    fn a_search_shows_nothing_of_them_and_says_so() {
        let sanitizer = Sanitizer::new(Config::default()).expect("the rules are sound");
        let found = "src/a.rs:3: token\n.env:1: TOKEN=x\nb/.env:2: TOKEN=y";
        assert_eq!(shown(&sanitizer, found), "src/a.rs:3: token\n[2 lines of files that hold secrets are not shown]");
        assert_eq!(shown(&sanitizer, "src/a.rs:3: token"), "src/a.rs:3: token");
    }
    #[test]
    fn a_command_shows_no_line_of_theirs_wherever_it_stands() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(".env");
        fs::write(&file, "A=1\n  TOKEN=whale-1  \r\n").expect("written");
        let lines = lines_of(&[file, folder.path().join("not-there")]);
        assert_eq!(lines, ["TOKEN=whale-1"]);
        let shown = without(&lines, "./.env:2:  TOKEN=whale-1\nA=1\n+TOKEN=whale-1\nok");
        assert_eq!(shown, "A=1\nok\n[2 lines of files that hold secrets are not shown]");
        assert_eq!(without(&[], "a\nb\n"), "a\nb\n");
    }
}
