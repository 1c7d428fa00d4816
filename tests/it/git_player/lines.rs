//! Which of the player's entries stand in a file, known by the mark in each.

use std::collections::BTreeMap;

/// An entry of the player's: a number that stands in its line.
pub type Mark = u32;

/// The marks of whole lines, and the large value of each that has one.
pub type Marks = BTreeMap<Mark, Option<String>>;

/// How a mark is written.
pub fn written(mark: Mark) -> String {
    format!("mark-{mark:06}")
}

/// The marks in a segment, packed or not; none in another file.
pub fn marks_in(path: &str, bytes: Vec<u8>) -> Marks {
    let bytes = match path.rsplit_once(".jsonl") {
        Some((_, ".zst")) => zstd::decode_all(bytes.as_slice()).unwrap_or_default(),
        Some((_, "")) => bytes,
        Some(_) | None => return Marks::new(),
    };
    marks(&String::from_utf8_lossy(&bytes))
}

/// The marks in the text of a segment; what stands behind the last newline is no line yet.
fn marks(text: &str) -> Marks {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().filter_map(|line| Some((mark(line)?, blob(line)))).collect()
}

fn mark(line: &str) -> Option<Mark> {
    line.split("mark-").nth(1)?.get(..6)?.parse().ok()
}

fn blob(line: &str) -> Option<String> {
    line.contains("$blob").then(|| line.split("\"sha256\":\"").nth(1)?.get(..64).map(str::to_owned)).flatten()
}
