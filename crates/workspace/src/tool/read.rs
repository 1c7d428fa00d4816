//! `read`: some lines of a file, with their numbers.
//!
//! Never holds more than it shows, however large the file, and however long its lines.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

use serde::Deserialize;

use super::search::is_binary;
use super::{Ended, cut_line, said, worked};
use crate::beneath::NotReached;
use crate::name::shown as shown_path;
use crate::workspace::Workspace;

/// Where nothing is said.
const USUAL_LINES: u64 = 400;
/// More are not shown at once.
const MOST_LINES: u64 = 2_000;
/// The most characters of a line.
const MOST_WIDTH: usize = 1_000;
/// The most bytes of all lines.
const MOST_BYTES: usize = 64 << 10;

#[derive(Deserialize)]
pub(super) struct ReadInput {
    path: PathBuf,
    from_line: Option<u64>,
    lines: Option<u64>,
}

/// A line, as far as it is kept.
struct LinePart {
    bytes: Vec<u8>,
    /// Whether more of it was left out.
    is_cut: bool,
}

pub(super) fn read(workspace: &Workspace, input: &ReadInput) -> Ended {
    let file = workspace.here().file(&input.path).map_err(said)?;
    let mut lines = BufReader::with_capacity(super::search::LOOKED_AT, file);
    let at = |error| NotReached::io(&input.path, error).to_string();
    if is_binary(lines.fill_buf().map_err(at)?) {
        let bytes = workspace.here().about_followed(&input.path).map_err(said)?.bytes;
        return Err(format!("{} is a binary file of {bytes} bytes: nothing of it is shown", shown_path(&input.path)));
    }
    let from = input.from_line.unwrap_or(1).max(1);
    let most = input.lines.unwrap_or(USUAL_LINES).clamp(1, MOST_LINES);
    let (mut shown, mut number) = (String::new(), 0);
    while let Some(part) = next_line(&mut lines).map_err(at)? {
        number += 1;
        if number < from {
            continue;
        }
        if number >= from + most || shown.len() >= MOST_BYTES {
            return worked(format!("{shown}[… more lines from {number} on …]\n"));
        }
        let text = String::from_utf8_lossy(&part.bytes);
        let text = cut_line(text.trim_end_matches('\r'), MOST_WIDTH);
        let more = if part.is_cut { " […]" } else { "" };
        shown.extend([&format!("{number:>6}\t{text}"), more, "\n"]);
    }
    if shown.is_empty() {
        return worked(if number == 0 { "[empty]".to_owned() } else { format!("[it ends at line {number}]") });
    }
    worked(shown)
}

/// Reads a line to its end, and keeps its beginning.
fn next_line(from: &mut impl BufRead) -> std::io::Result<Option<LinePart>> {
    // A character has at most four bytes.
    const KEPT: u64 = 4 * MOST_WIDTH as u64 + 1;
    let mut bytes = Vec::new();
    if from.by_ref().take(KEPT).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let mut is_cut = false;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else {
        loop {
            let part = from.fill_buf()?;
            let end = memchr::memchr(b'\n', part);
            let length = end.map_or(part.len(), |end| end + 1);
            is_cut |= end.map_or(length > 0, |end| end > 0);
            from.consume(length);
            if end.is_some() || length == 0 {
                break;
            }
        }
    }
    Ok(Some(LinePart { bytes, is_cut }))
}
