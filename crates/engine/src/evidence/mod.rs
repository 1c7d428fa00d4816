//! Looks whether what a comment cites stands where it says: by code, which nobody can talk into anything
//! (control-room 11.3, decision 14).
//!
//! Reads files of the project and no others. What it finds is an observation, recorded with the command; what a citation
//! is worth is for rules to say.

mod confine;
pub mod quote;
pub mod recheck;
pub mod say;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use self::confine::Lies;
use self::quote::CompareBudget;
use annals_kernel::grounding::{Checked, Escape, Evidence, FileReference, Lines};
use annals_kernel::json::sha256_hex;
use annals_log::disk::{Disk as _, RealDisk, Shut};

/// A larger file is no text that anybody would cite.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Looks at each cited file of a project (the folder that holds `.context`), in the order of the evidence.
pub fn check(project: &Path, evidence: &Evidence) -> Vec<Checked> {
    check_within(project, evidence, &mut CompareBudget::default())
}

fn check_within(project: &Path, evidence: &Evidence, effort: &mut CompareBudget) -> Vec<Checked> {
    evidence.files.iter().map(|reference| check_one(project, reference, effort)).collect()
}

fn check_one(project: &Path, reference: &FileReference, effort: &mut CompareBudget) -> Checked {
    let unread = Checked {
        path: reference.path.clone(),
        similarity: quoted(reference).map(|_| 0),
        lines_valid: reference.lines.is_none(),
        ..Checked::default()
    };
    let content = match confine::find(project, &reference.path) {
        Err(escape) => return Checked { escape: Some(escape), lines_valid: false, ..unread },
        Ok(Lies::Nowhere) => return unread,
        Ok(Lies::At { project, file }) => read(&project, &file),
    };
    match content {
        Content::Nothing => unread,
        Content::TooLarge => not_a_text(unread),
        Content::Bytes(bytes) => {
            let unread = Checked { sha256: Some(sha256_hex(&bytes).into()), ..unread };
            match String::from_utf8(bytes) {
                Ok(text) => compare(&text, reference, Checked { exists: true, ..unread }, effort),
                Err(_) => not_a_text(unread),
            }
        }
    }
}

fn not_a_text(unread: Checked) -> Checked {
    Checked { escape: Some(Escape::NotAText), exists: true, lines_valid: false, ..unread }
}

/// What is quoted; white space alone is nothing.
fn quoted(reference: &FileReference) -> Option<&str> {
    reference.quote.as_deref().filter(|quote| !quote.trim().is_empty())
}

fn compare(text: &str, reference: &FileReference, found: Checked, effort: &mut CompareBudget) -> Checked {
    let lines_valid = reference.lines.is_none_or(|lines| are_there(lines, text));
    let cited = reference.lines.map_or(Cow::Borrowed(text), |lines| Cow::Owned(cited(lines, text)));
    let similarity = quoted(reference).map(|quote| quote::similarity(quote, &cited, effort));
    Checked { lines_valid, similarity, is_blank: is_blank(&cited), ..found }
}

/// White space, what controls, and what has no width show nothing.
fn is_blank(text: &str) -> bool {
    const WITHOUT_WIDTH: &str = "\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{ad}";
    text.chars().all(|letter| letter.is_whitespace() || letter.is_control() || WITHOUT_WIDTH.contains(letter))
}

/// Lines count from 1, and the last is not before the first.
fn are_there(lines: Lines, text: &str) -> bool {
    let last = lines.end.unwrap_or(lines.start);
    lines.start >= 1 && last >= lines.start && last as usize <= text.lines().count()
}

/// What stands in the cited lines, as far as they are there.
fn cited(lines: Lines, text: &str) -> String {
    let (first, last) = (lines.start as usize, lines.end.unwrap_or(lines.start) as usize);
    if first == 0 || last < first {
        return String::new();
    }
    text.lines().skip(first - 1).take(last - first + 1).collect::<Vec<_>>().join("\n")
}

enum Content {
    Nothing,
    TooLarge,
    Bytes(Vec<u8>),
}

/// A folder, a pipe or a file that cannot be opened is no file that could be cited; a pipe is never opened. A name on the
/// way that became a link since it was looked at is not followed.
fn read(project: &Path, file: &Path) -> Content {
    if !file.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Content::Nothing;
    }
    let disk = Arc::new(RealDisk).below(project);
    match disk.read_at_most(file, MOST_BYTES) {
        Ok(Some(bytes)) => Content::Bytes(bytes),
        Err(error) if matches!(Shut::of(&error), Some(Shut::TooLarge { .. })) => Content::TooLarge,
        Ok(None) | Err(_) => Content::Nothing,
    }
}
