//! Patches: as `apply_patch` takes them, and as `diff -u` and `git diff` print them.
//!
//! Does not look for the places in a file; `hunk` does.

use serde_json::Value;

use super::deed::{Before, Deed, Done, Ended, Hunk, HunkLine, Side, What};
use super::place::within;
use super::text::Text;

const BEGIN: &str = "*** Begin Patch";

/// What the call of a tool that takes a patch did; `None` for any other tool.
pub(crate) fn deeds(call: &Done<'_>) -> Option<Vec<Deed>> {
    let takes_patches = call.tool.rsplit("__").next().is_some_and(|name| name.eq_ignore_ascii_case("apply_patch"));
    if !takes_patches {
        return None;
    }
    let text = |key: &&str| call.input.get(key).and_then(Value::as_str);
    let patch = ["input", "patch", "arguments", "command"].iter().find_map(text).unwrap_or_default();
    Some(if call.ended == Ended::Well { of_patch(patch, "") } else { Vec::new() })
}

/// What a patch in the form of `apply_patch` does; paths are from a folder.
pub(crate) fn of_patch(patch: &str, folder: &str) -> Vec<Deed> {
    let Some(at) = patch.find(BEGIN) else { return Vec::new() };
    let mut reader = PatchReader { folder, ..PatchReader::default() };
    for line in patch[at..].lines().skip(1).take_while(|line| line.trim_end() != "*** End Patch") {
        reader.take(line);
    }
    reader.end();
    reader.deeds
}

#[derive(Default)]
struct PatchReader<'p> {
    folder: &'p str,
    deeds: Vec<Deed>,
    open: Option<OpenFile>,
}

struct OpenFile {
    path: String,
    moved: Option<String>,
    added: Option<String>,
    hunks: Vec<Hunk>,
}

impl PatchReader<'_> {
    fn take(&mut self, line: &str) {
        let head = |head: &str| line.strip_prefix(head).map(|path| within(self.folder, path.trim()));
        if let Some(path) = head("*** Add File: ") {
            self.begin(path, Some(String::new()));
        } else if let Some(path) = head("*** Update File: ") {
            self.begin(path, None);
        } else if let Some(path) = head("*** Delete File: ") {
            self.end();
            self.deeds.push(Deed::new(&path, What::Removed));
        } else if let Some(path) = head("*** Move to: ") {
            self.open.iter_mut().for_each(|file| file.moved = Some(path.clone()));
        } else if let Some(file) = &mut self.open {
            file.take(line);
        }
    }

    fn begin(&mut self, path: String, added: Option<String>) {
        self.end();
        self.open = Some(OpenFile { path, moved: None, added, hunks: Vec::new() });
    }

    fn end(&mut self) {
        let Some(file) = self.open.take() else { return };
        match file.added {
            Some(text) => self.deeds.push(Deed::new(&file.path, What::Whole(Text::of(&text), Before::Unsaid))),
            None if file.hunks.is_empty() => {}
            None => self.deeds.push(Deed::new(&file.path, What::Hunks(file.hunks))),
        }
        if let Some(to) = file.moved {
            self.deeds.push(Deed::new(&file.path, What::Moved(to)));
        }
    }
}

impl OpenFile {
    fn take(&mut self, line: &str) {
        if let Some(text) = &mut self.added {
            if let Some(line) = line.strip_prefix('+') {
                text.push_str(line);
                text.push('\n');
            }
            return;
        }
        if let Some(below) = line.strip_prefix("@@") {
            let below = Some(below.trim()).filter(|below| !below.is_empty()).map(str::to_owned);
            self.hunks.push(Hunk { below, ..Hunk::default() });
            return;
        }
        if line == "*** End of File" {
            return;
        }
        if self.hunks.is_empty() {
            self.hunks.push(Hunk::default());
        }
        let hunk = self.hunks.last_mut().expect("BUG: one was just put there");
        // An empty line without its blank is context, as Codex takes it.
        hunk.lines.push(hunk_line(line).unwrap_or_else(|| HunkLine { side: Side::Both, text: line.to_owned() }));
    }
}

fn hunk_line(line: &str) -> Option<HunkLine> {
    let (side, text) = match line.chars().next()? {
        '+' => (Side::New, &line[1..]),
        '-' => (Side::Old, &line[1..]),
        ' ' => (Side::Both, &line[1..]),
        _ => return None,
    };
    Some(HunkLine { side, text: text.strip_suffix('\r').unwrap_or(text).to_owned() })
}

/// What a patch in the form of `diff -u` does; so many parts of each path are left out, as `patch -p1` does.
pub(crate) fn of_diff(diff: &str, folder: &str, left_out: usize) -> Vec<Deed> {
    let (mut deeds, mut heads, mut hunks) = (Vec::new(), [String::new(), String::new()], Vec::<Hunk>::new());
    let mut end = |heads: &[String; 2], hunks: &mut Vec<Hunk>| {
        let hunks = std::mem::take(hunks);
        if !hunks.is_empty() {
            deeds.extend(changed(heads, hunks, folder, left_out));
        }
    };
    let mut left = 0;
    for line in diff.lines() {
        if left == 0 && line.starts_with("--- ") {
            end(&heads, &mut hunks);
            heads[0] = head(line);
        } else if left == 0 && line.starts_with("+++ ") {
            heads[1] = head(line);
        } else if let Some((first, count)) = line.strip_prefix("@@ -").and_then(numbers) {
            hunks.push(Hunk { first: Some(first), ..Hunk::default() });
            left = count;
        } else if let (Some(hunk), Some(line)) = (hunks.last_mut().filter(|_| left > 0), hunk_line(line)) {
            left = left.saturating_sub(if line.side == Side::Both { 2 } else { 1 });
            hunk.lines.push(line);
        }
    }
    end(&heads, &mut hunks);
    deeds
}

fn head(line: &str) -> String {
    line[4..].split('\t').next().unwrap_or_default().trim().to_owned()
}

/// `10,2 +12,3 @@`: the first old line, and how many lines both sides have.
fn numbers(rest: &str) -> Option<(usize, usize)> {
    let (old, rest) = rest.split_once(" +")?;
    let new = rest.split(' ').next()?;
    let count = |side: &str| side.split_once(',').map_or(Some(1), |(_, count)| count.parse::<usize>().ok());
    let first = old.split(',').next()?.parse().ok()?;
    Some((first, count(old)? + count(new)?))
}

fn changed([old, new]: &[String; 2], hunks: Vec<Hunk>, folder: &str, left_out: usize) -> Option<Deed> {
    let path = |head: &str| {
        let parts: Vec<&str> = head.split('/').collect();
        within(
            folder,
            &parts.get(left_out..).filter(|parts| !parts.is_empty()).map_or(head.into(), |parts| parts.join("/")),
        )
    };
    let news = || hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.side != Side::Old);
    match (old.as_str(), new.as_str()) {
        (_, "/dev/null") => Some(Deed::new(&path(old), What::Removed)),
        ("/dev/null", new) => {
            let text: String = news().flat_map(|line| [line.text.as_str(), "\n"]).collect();
            Some(Deed::new(&path(new), What::Whole(Text::of(&text), Before::Absent)))
        }
        (_, "") => None,
        (_, new) => Some(Deed::new(&path(new), What::Hunks(hunks))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(side: Side, text: &str) -> HunkLine {
        HunkLine { side, text: text.to_owned() }
    }

    #[test]
    fn a_patch_adds_updates_moves_and_deletes() {
        let patch = "*** Begin Patch\n*** Add File: n.rs\n+a\n+\n*** Update File: a.rs\n*** Move to: b.rs\n@@ fn x\n b\n-c\n+d\n\n@@\n-e\n*** Delete File: o.rs\n*** End Patch";
        let hunks = vec![
            Hunk {
                first: None,
                below: Some("fn x".to_owned()),
                lines: vec![line(Side::Both, "b"), line(Side::Old, "c"), line(Side::New, "d"), line(Side::Both, "")],
            },
            Hunk { lines: vec![line(Side::Old, "e")], ..Hunk::default() },
        ];
        let expected = [
            Deed::new("s/n.rs", What::Whole(Text::of("a\n\n"), Before::Unsaid)),
            Deed::new("s/a.rs", What::Hunks(hunks)),
            Deed::new("s/a.rs", What::Moved("s/b.rs".to_owned())),
            Deed::new("s/o.rs", What::Removed),
        ];
        assert_eq!(of_patch(patch, "s"), expected);
        assert_eq!(of_patch("no patch", ""), []);
    }

    #[test]
    fn a_diff_has_numbers_and_heads() {
        let diff = "diff --git a/a.rs b/a.rs\n--- a/a.rs\n+++ b/a.rs\n@@ -3,2 +3,2 @@ fn\n x\n--- y\n+z\n--- /dev/null\n+++ b/n.rs\n@@ -0,0 +1 @@\n+n\n";
        let hunk = Hunk {
            first: Some(3),
            below: None,
            lines: vec![line(Side::Both, "x"), line(Side::Old, "-- y"), line(Side::New, "z")],
        };
        let expected = [
            Deed::new("a.rs", What::Hunks(vec![hunk])),
            Deed::new("n.rs", What::Whole(Text::of("n\n"), Before::Absent)),
        ];
        assert_eq!(of_diff(diff, "", 1), expected);
    }
}
