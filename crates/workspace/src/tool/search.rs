//! `search`: lines that match an expression.
//!
//! In files that are texts; what git ignores is passed over, unless it is named itself.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;

use super::{Ended, cut_line, said, worked};
use crate::beneath::{Beneath, Kind};
use crate::name::shown;
use crate::walk::{Passing, walk};
use crate::workspace::Workspace;

/// More lines are counted.
const MOST_LINES: usize = 200;
/// The most characters of a line.
const MOST_WIDTH: usize = 300;
/// Larger files are not searched.
const MOST_BYTES: u64 = 16 << 20;
/// The most that an expression may take in memory.
const MOST_EXPRESSION: usize = 8 << 20;
/// Where a NUL stands before this, a file is no text.
pub(super) const LOOKED_AT: usize = 8 << 10;

#[derive(Deserialize)]
pub(super) struct SearchInput {
    pattern: String,
    path: Option<PathBuf>,
}

/// What was found so far.
#[derive(Default)]
struct Hits {
    lines: Vec<String>,
    more: u64,
    binary: u64,
    passed_over: u64,
}

pub(super) fn search(workspace: &Workspace, input: &SearchInput) -> Ended {
    let expression = expression(&input.pattern)?;
    let (root, mut hits) = (workspace.here(), Hits::default());
    let from = input.path.as_deref().unwrap_or_else(|| Path::new("."));
    if root.about_followed(from).map_err(said)?.kind == Kind::Folder {
        walk(root, from, Passing::Ignored, workspace.rules(), &mut |found| {
            if found.about.kind == Kind::File {
                hits.search(root, &found.path, &expression);
            }
            ControlFlow::Continue(())
        })
        .map_err(said)?;
    } else {
        hits.search(root, from, &expression);
    }
    worked(hits.told())
}

/// An expression as tools and checks take it: `^` and `$` are of lines.
pub(crate) fn expression(pattern: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(pattern).multi_line(true).crlf(true).size_limit(MOST_EXPRESSION).build();
    built.map_err(|error| format!("the expression cannot be read: {error}"))
}

impl Hits {
    fn search(&mut self, root: &Beneath, path: &Path, expression: &Regex) {
        let Ok(bytes) = root.bytes(path, MOST_BYTES) else {
            self.passed_over += 1;
            return;
        };
        if is_binary(&bytes) {
            self.binary += 1;
            return;
        }
        if !expression.is_match(&bytes) {
            return;
        }
        for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            if !expression.is_match(line) {
                continue;
            }
            if self.lines.len() == MOST_LINES {
                self.more += 1;
                continue;
            }
            let line = String::from_utf8_lossy(line);
            let line = cut_line(line.trim_end_matches('\r'), MOST_WIDTH);
            self.lines.push(format!("{}:{}: {line}", shown(path), at + 1));
        }
    }

    fn told(mut self) -> String {
        if self.lines.is_empty() {
            self.lines.push("no line".to_owned());
        }
        for (count, what) in [
            (self.more, "more lines left out"),
            (self.binary, "binary files passed over"),
            (self.passed_over, "files that are too large or cannot be read passed over"),
        ] {
            if count > 0 {
                self.lines.push(format!("[… {count} {what} …]"));
            }
        }
        self.lines.join("\n")
    }
}

/// Whether it is no text, by its beginning.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(LOOKED_AT)].contains(&0)
}
