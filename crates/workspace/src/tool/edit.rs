//! `edit`: one place of a file.
//!
//! Works on bytes, so that what is no UTF-8 stays as it is. Where the place is not the only one, or is not there, nothing is
//! changed, and it is said how often it occurs and what is most like it.

use std::path::PathBuf;

use memchr::memmem::Finder;
use serde::Deserialize;

use super::nearest::nearest;
use super::{Ended, said, worked};
use crate::beneath::Content;
use crate::name::shown;
use crate::workspace::{Reached, Workspace};

/// Larger files are not edited.
const MOST_BYTES: u64 = 16 << 20;
/// More places are not listed.
const MOST_LISTED: usize = 10;

#[derive(Deserialize)]
pub(super) struct EditInput {
    path: PathBuf,
    old: String,
    new: String,
}

pub(super) fn edit(workspace: &Workspace, input: &EditInput) -> Ended {
    let EditInput { path, old, new } = input;
    if old.is_empty() {
        return Err("`old` is empty: a new file is made with `write`".to_owned());
    }
    if old == new {
        return Err("`old` and `new` are the same: nothing would change".to_owned());
    }
    // Where a link is read, it could not be written.
    drop(workspace.here().own_file(path).map_err(said)?);
    let bytes = workspace.here().bytes(path, MOST_BYTES).map_err(said)?;
    let places = places(&bytes, old.as_bytes());
    let [place] = places[..] else { return Err(not_once(&bytes, old, &places)) };
    if is_done_at(&bytes, place, input) {
        let line = line_of(&bytes, place);
        return worked(format!(
            "`new` stands in line {line} already, and nothing was changed: to have it twice, say more of what stands around it"
        ));
    }
    let changed = [&bytes[..place], new.as_bytes(), &bytes[place + old.len()..]].concat();
    let put = || workspace.here().put(path, Content::Bytes(&changed), None);
    workspace.working(Reached::One(path), put).map_err(said)?.map_err(said)?;
    let line = line_of(&bytes, place);
    worked(format!("line {line} of {} changed: {} bytes instead of {}", shown(path), new.len(), old.len()))
}

/// Where it begins; also places that overlap, for there it would not be clear which is meant.
fn places(bytes: &[u8], old: &[u8]) -> Vec<usize> {
    let finder = Finder::new(old);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = finder.find(&bytes[from..]) {
        found.push(from + at);
        from += at + 1;
    }
    found
}

/// Whether the one place is a part of `new` that is there: the same edit was made before.
fn is_done_at(bytes: &[u8], place: usize, input: &EditInput) -> bool {
    let within = places(input.new.as_bytes(), input.old.as_bytes());
    within.into_iter().filter(|at| *at <= place).any(|at| bytes[place - at..].starts_with(input.new.as_bytes()))
}

fn not_once(bytes: &[u8], old: &str, places: &[usize]) -> String {
    if places.is_empty() {
        let near = nearest(&String::from_utf8_lossy(bytes), old);
        let near = near.map_or("nothing in it is like that".to_owned(), |near| near.to_string());
        return format!("`old` does not occur: {near}");
    }
    let lines: Vec<String> = places.iter().take(MOST_LISTED).map(|at| line_of(bytes, *at).to_string()).collect();
    let more = if places.len() > MOST_LISTED { ", …" } else { "" };
    format!(
        "`old` occurs {} times, in lines {}{more}: say more of what stands around it",
        places.len(),
        lines.join(", ")
    )
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1
}
