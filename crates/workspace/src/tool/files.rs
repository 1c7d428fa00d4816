//! `find` and `glob`: files by their names.
//!
//! Lists the first of them in the order of their paths, and says how many more there are. What git ignores is not listed.

use std::ops::ControlFlow;
use std::path::Path;

use globset::GlobBuilder;
use serde::Deserialize;

use super::{Ended, said, worked};
use crate::beneath::Kind;
use crate::name::shown;
use crate::walk::{Passing, walk};
use crate::workspace::Workspace;

/// More are counted.
const MOST_LISTED: usize = 200;

#[derive(Deserialize)]
pub(super) struct FindInput {
    name: String,
}

#[derive(Deserialize)]
pub(super) struct GlobInput {
    pattern: String,
}

/// Upper and lower case count as the same.
pub(super) fn find(workspace: &Workspace, input: &FindInput) -> Ended {
    let part = input.name.to_lowercase();
    if part.is_empty() {
        return Err("`name` is empty".to_owned());
    }
    list(workspace, |path| path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().contains(&part)))
}

/// A pattern without `/` is one of names, in whichever folder.
pub(super) fn glob(workspace: &Workspace, input: &GlobInput) -> Ended {
    let pattern = input.pattern.trim_start_matches("./");
    if pattern.starts_with('/') || pattern.split('/').any(|part| part == "..") {
        return Err(format!("{pattern:?} leads out of the workspace: patterns are relative to it"));
    }
    let anywhere = if pattern.contains('/') { pattern.to_owned() } else { format!("**/{pattern}") };
    let glob = GlobBuilder::new(&anywhere).literal_separator(true).build().map_err(said)?.compile_matcher();
    list(workspace, |path| glob.is_match(path))
}

fn list(workspace: &Workspace, fits: impl Fn(&Path) -> bool) -> Ended {
    let mut lines = Vec::new();
    let mut more = 0_u64;
    let unread = walk(workspace.here(), Path::new("."), Passing::Ignored, workspace.rules(), &mut |found| {
        if found.about.kind != Kind::Folder && fits(&found.path) {
            if lines.len() < MOST_LISTED { lines.push(shown(&found.path)) } else { more += 1 }
        }
        ControlFlow::Continue(())
    });
    let unread = unread.map_err(said)?;
    if lines.is_empty() {
        lines.push("no file".to_owned());
    }
    if more > 0 {
        lines.push(format!("[… {more} more files left out …]"));
    }
    if unread > 0 {
        lines.push(format!("[{unread} folders could not be read]"));
    }
    worked(lines.join("\n"))
}
