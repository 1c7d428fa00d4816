//! Files whose content no model is told (AFS 11.3, `shouldExcludeFile`): a call on one is refused, and what a search shows of
//! one is left out.
//!
//! By names: what a command prints of such a file all the same is cleaned like everything else, by what secrets look like.

use std::collections::VecDeque;
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
        ToolName::Read | ToolName::Write | ToolName::Edit => {
            text("path").filter(|path| sanitizer.should_exclude_file(path)).map(str::to_owned)
        }
        ToolName::Shell => {
            let is_one = |word: &&str| {
                let is_there = || root.join(word).symlink_metadata().is_ok_and(|about| !about.is_dir());
                sanitizer.should_exclude_file(word) && (word.contains(WILD) || is_there())
            };
            text("command")?.split(AROUND).find(is_one).map(str::to_owned)
        }
        ToolName::Find | ToolName::Glob | ToolName::Search | ToolName::Fetch => None,
    }
}

/// More folders are not looked into.
const MOST_FOLDERS: usize = 50_000;

/// The files below a folder that hold secrets by their names. No link is followed: what it leads to is not there, or is looked
/// at itself.
pub(super) fn excluded_files(sanitizer: &Sanitizer, root: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders, mut looked_into) = (Vec::new(), VecDeque::from([root.to_owned()]), 0);
    while let Some(folder) = folders.pop_front().filter(|_| looked_into < MOST_FOLDERS) {
        looked_into += 1;
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
            if kind.is_dir() && entry.file_name() != ".git" {
                folders.push_back(path);
            } else if kind.is_file() && sanitizer.should_exclude_file(&name) {
                found.push(path);
            }
        }
    }
    found
}

/// The lines `FILE:LINE: TEXT` of a search, without those of excluded files; how many these were stands at the end.
pub(super) fn shown(sanitizer: &Sanitizer, output: &str) -> String {
    let is_kept = |line: &&str| {
        let file = line.split_once(':').map_or("", |(file, _)| file);
        !sanitizer.should_exclude_file(file)
    };
    let kept: Vec<_> = output.lines().filter(is_kept).collect();
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
        std::fs::write(folder.path().join("deploy.key"), "x").expect("written");
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
        ];
        for (tool, input, file) in rows {
            assert_eq!(excluded(&sanitizer, folder.path(), tool, &input).as_deref(), file, "{tool} {input}");
        }
    }

    #[test]
    fn files_that_hold_secrets_are_found_and_no_link_is_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("a/.git")).expect("made");
        for name in [".env", "a/deploy.key", "a/.git/x.key", "a/b.rs"] {
            std::fs::write(folder.path().join(name), "x").expect("written");
        }
        std::os::unix::fs::symlink("/", folder.path().join("all")).expect("linked");
        let sanitizer = Sanitizer::new(Config::default()).expect("the rules are sound");
        let mut found = excluded_files(&sanitizer, folder.path());
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
}
