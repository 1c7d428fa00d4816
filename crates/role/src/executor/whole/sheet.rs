//! A file as it was read, and the smallest change that makes it another (artoo R3).
//!
//! Only what differs is asked for: lines that stay are not written again, so that nothing which the model was not shown as it
//! is (a secret, the end of a line) is lost.

use annals_kernel::grown::is_grown;
use serde_json::json;

use crate::evidence::call::input_text;
use crate::evidence::plain;
use crate::tool::{ToolName, ToolRequest};
use crate::wanted::file_name;

/// The lines of a file that was read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    lines: Vec<String>,
}

/// What a reading of an empty file says.
const EMPTY: &str = "[empty]";
/// What stands behind a line that was cut.
const CUT: &str = " […]";
/// Around what a model writes: a file that holds such a line has no end there.
const FENCE: &str = "```";
/// Languages of programs, as they stand behind backticks.
const LANGUAGES: &[&str] =
    &["c", "cpp", "go", "java", "javascript", "js", "perl", "php", "py", "python", "ruby", "rust", "typescript", "ts"];
/// Endings of files that hold no program.
const DATA: &[&str] = &[
    "cfg", "conf", "csv", "gitignore", "ini", "json", "lock", "log", "md", "rst", "toml", "tsv", "txt", "xml", "yaml",
    "yml",
];
/// What stands where a secret was: whoever writes it back loses the secret.
const HIDDEN: &str = "[REDACTED_";

impl Sheet {
    /// From what a reading gave; nothing where it is not the whole file, or a model is shown something else.
    pub fn of(output: &str) -> Option<Self> {
        if output.trim() == EMPTY {
            return Some(Self { lines: Vec::new() });
        }
        let line = |(number, line): (usize, &str)| {
            let (count, text) = line.split_once('\t')?;
            let is_next = count.trim().parse() == Ok(number);
            let is_whole = !text.ends_with(CUT) && plain(text) == text && !text.trim_start().starts_with(FENCE);
            (is_next && is_whole).then(|| text.to_owned())
        };
        let lines: Option<Vec<_>> = (1..).zip(output.lines()).map(line).collect();
        lines.filter(|lines| !lines.is_empty()).map(|lines| Self { lines })
    }

    /// Of what is to be written.
    pub fn of_text(text: &str) -> Self {
        Self { lines: text.lines().map(str::to_owned).collect() }
    }

    /// As it is shown.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Whether so much of it is missing in another that this is hardly the same file. So few lines may all be others.
    pub fn is_mostly_gone_in(&self, other: &Self, few: usize) -> bool {
        let (all, is_blank) = (self.said().count(), other.said().next().is_none());
        let kept = self.said().filter(|line| other.said().any(|kept| kept == *line)).count();
        all > few && kept * 2 < all || all > 0 && is_blank
    }

    /// Whether most of it is neither in another nor there with more in the line.
    pub fn is_outgrown_by(&self, other: &Self) -> bool {
        self.staying_in(other) * 2 < self.said().count()
    }

    /// So many of its lines are in another, also with more in them.
    fn staying_in(&self, other: &Self) -> usize {
        self.said().filter(|line| other.has(line)).count()
    }

    /// Whether half of it is gone in another that is no more than half as long.
    pub fn is_cut_down_in(&self, other: &Self) -> bool {
        let (all, left) = (self.said().count(), other.said().count());
        all > 0 && left * 2 <= all && self.staying_in(other) * 2 <= all
    }

    /// Whether no line of it is in another, also not with more in it, and the other says anything.
    pub fn has_nothing_of(&self, other: &Self) -> bool {
        !self.said().any(|line| other.has(line)) && other.said().next().is_some()
    }

    fn has(&self, line: &str) -> bool {
        self.said().any(|more| is_grown(line.trim(), more))
    }

    /// With another behind it; several lines are a part of their own.
    #[must_use]
    pub fn followed_by(&self, other: &Self) -> Self {
        let between = (other.said().nth(1).is_some() && !self.lines.is_empty()).then(String::new);
        Self { lines: self.lines.iter().cloned().chain(between).chain(other.lines.iter().cloned()).collect() }
    }

    /// The lines that say something, without what stands behind them unseen.
    fn said(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty())
    }

    /// The one place of `path` that is to be changed so that this becomes `wanted`; nothing where they say the same.
    pub fn change(&self, wanted: &Self, path: &str) -> Option<ToolRequest> {
        if self.said().eq(wanted.said()) {
            return None;
        }
        let (old, new) = (&self.lines, &wanted.lines);
        let most = old.len().min(new.len());
        let mut head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let same_end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        let mut tail = same_end.min(most - head);
        // A place has to be found again: it is no blank, and stands there once. Lines that go take the end of another along.
        let is_place = |head, tail| self.is_once(head, old.len() - tail) && head < new.len() - tail;
        while head + tail > 0 && !is_place(head, tail) {
            if head > 0 { head -= 1 } else { tail -= 1 }
        }
        let (from, to) = (old[head..old.len() - tail].join("\n"), new[head..new.len() - tail].join("\n"));
        Some(if from.trim().is_empty() || from == self.text() {
            write(path, &format!("{}\n", wanted.text()))
        } else {
            ToolRequest { tool: ToolName::Edit, input: json!({ "path": path, "old": from, "new": to }) }
        })
    }

    /// Whether these lines are no blank and stand there once, also not over one another: the edit would not know which is
    /// meant.
    fn is_once(&self, from: usize, to: usize) -> bool {
        let (text, place) = (self.text(), self.lines[from..to].join("\n"));
        !place.trim().is_empty() && text.find(&place) == text.rfind(&place)
    }
}

/// Whether a change writes back what stands in the place of a secret.
pub fn hides(change: &ToolRequest) -> bool {
    ["new", "content"].iter().any(|name| input_text(change, name).contains(HIDDEN))
}

/// The content of `path` that a model wrote between two lines of backticks; nothing where there is none, or it has no end.
/// The name of the file may stand between such lines of its own before it, or above the content.
pub fn between_fences(answer: &str, path: &str) -> Option<Sheet> {
    let all: Vec<_> = answer.lines().collect();
    let is_name = |line: &str| line.trim().trim_end_matches(':') == path;
    let is_fence = |line: &str| line.trim_start().starts_with(FENCE);
    let mut begin = all.iter().position(|line| is_fence(line))? + 1;
    if all.get(begin).is_some_and(|line| is_name(line)) {
        begin += 1 + usize::from(all.get(begin + 1).is_some_and(|line| is_fence(line)));
    }
    let length = all[begin..].iter().position(|line| is_fence(line))?;
    Some(Sheet { lines: all[begin..begin + length].iter().map(|line| (*line).to_owned()).collect() })
}

/// The language that a model says it wrote, where it is one of programs and the file is of another kind: what is to be done,
/// told in a program, is not the file.
pub fn foreign_language<'a>(answer: &'a str, path: &str) -> Option<&'a str> {
    let mut fences = answer.lines().map(str::trim).filter_map(|line| line.strip_prefix(FENCE));
    let language = fences.next().map(str::trim).filter(|word| LANGUAGES.contains(word))?;
    let name = file_name(path);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let is_data = ending.is_none_or(|ending| DATA.contains(&ending)) && name != "Makefile";
    is_data.then_some(language)
}

/// A file with this content.
pub fn write(path: &str, content: &str) -> ToolRequest {
    ToolRequest { tool: ToolName::Write, input: json!({ "path": path, "content": content }) }
}
