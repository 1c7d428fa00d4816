//! What a session was about, counted: files, commands, and functions that were named in backticks (AFS 3.3).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::domain::session::command::Entity;

/// How many entities a summary names.
const NAMED: usize = 40;

/// A longer span of code is no name.
const NAME_CHARS: usize = 80;

/// What was mentioned, and how often; by kind and name.
#[derive(Default)]
pub(super) struct Entities(BTreeMap<(&'static str, String), u64>);

impl Entities {
    fn add(&mut self, kind: &'static str, name: &str) {
        *self.0.entry((kind, name.to_owned())).or_default() += 1;
    }

    /// A call read or wrote a file.
    pub(super) fn file(&mut self, path: &str) {
        if path != "." {
            self.add("file", path);
        }
    }

    /// A command was run.
    pub(super) fn command(&mut self, name: &str) {
        self.add("command", name);
    }

    /// Takes the names out of a text: what stands in single backticks and looks like a file or a function.
    pub(super) fn mentioned_in(&mut self, text: &str) {
        for line in outside_fences(text) {
            for name in line.split('`').skip(1).step_by(2).filter(|name| name.chars().count() <= NAME_CHARS) {
                if is_file(name) {
                    self.file(name);
                } else if is_function(name) {
                    self.add("function", name.split('(').next().unwrap_or(name));
                }
            }
        }
    }

    /// The most mentioned; of equals the first by name.
    pub(super) fn most(&self) -> Vec<Entity> {
        let mut sorted: Vec<_> = self.0.iter().collect();
        sorted.sort_by_key(|((kind, name), mentions)| (Reverse(**mentions), name.clone(), *kind));
        let entity = |((kind, name), mentions): (&(&str, String), &u64)| Entity {
            name: name.as_str().into(),
            kind: (*kind).into(),
            mentions: *mentions,
        };
        sorted.into_iter().take(NAMED).map(entity).collect()
    }
}

/// Lines of prose: blocks of code are left out.
fn outside_fences(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// `src/log/read.rs`, `Cargo.toml`.
fn is_file(name: &str) -> bool {
    let is_path = name.chars().all(|letter| letter.is_alphanumeric() || "/._-+@".contains(letter));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let has_ending = (1..=5).contains(&ending.len()) && ending.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let last = stem.rsplit('/').next().unwrap_or_default();
    is_path && has_ending && !last.is_empty() && !last.contains('.') && !name.starts_with("//")
}

/// `parse()`, `Span::scan`, `read_all`: called, qualified, or more than one word.
fn is_function(name: &str) -> bool {
    let (path, arguments) = name.split_once('(').map_or((name, None), |(path, rest)| (path, Some(rest)));
    let is_name = |part: &str| {
        part.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
            && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let is_path = path.split("::").flat_map(|part| part.split('.')).all(is_name);
    let is_called = arguments.is_some_and(|rest| rest.ends_with(')'));
    is_path && (is_called || arguments.is_none() && (path.contains("::") || path.trim_matches('_').contains('_')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_backticks_are_files_and_functions() {
        let mut entities = Entities::default();
        entities.file("src/a.rs");
        entities.mentioned_in(
            "See `src/a.rs`, `parse(x)`, `Span::scan` and `parse()`, not `a b`, `true` or `1.5`.\n```\n`in_code`\n```\n`read_all`",
        );
        let found: Vec<_> =
            entities.most().into_iter().map(|e| format!("{} {} {}", e.kind, e.name, e.mentions)).collect();
        assert_eq!(found, ["function parse 2", "file src/a.rs 2", "function Span::scan 1", "function read_all 1"]);
    }
}
