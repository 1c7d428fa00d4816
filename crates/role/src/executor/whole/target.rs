//! Which one file a subtask is about, where its words leave no doubt.
//!
//! Reads words and a listing; knows no files.

use crate::plan::SubTask;
use crate::wanted::{is_listed, only_asks};

/// A file that is to be written anew, and what has to be seen for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeTarget {
    /// Below the workspace.
    pub path: String,
    /// The files that are there and are named, the target among them where it is there.
    pub shown: Vec<String>,
}

impl WholeTarget {
    /// Whether the file is there already.
    pub fn is_there(&self) -> bool {
        self.shown.contains(&self.path)
    }
}

/// More files than this are not shown at once.
const MOST_SHOWN: usize = 3;
/// What no new content of a file does, where a request begins with it.
const OTHER_ACTS: &[&str] = &["copy", "delete", "move", "rename", "run"];
/// What comes before the name of a file that is to be made.
const MAKES: &[&str] = &["as", "called", "create", "file", "into", "named"];
/// The longest ending of a file's name.
const ENDING_CHARS: usize = 8;

/// The file that a subtask changes or makes. Nothing where code checks none of it: it may be a question, which changes
/// nothing.
pub fn target(subtask: &SubTask, place: &str) -> Option<WholeTarget> {
    let is_checked = subtask.success_criteria.iter().any(|criterion| criterion.check.is_some());
    if is_checked { meant(&subtask.intent, place) } else { None }
}

/// The same of what a person wants, whom nobody checks: their words tell whether they only ask.
pub fn proposed(subtask: &SubTask, place: &str) -> Option<WholeTarget> {
    if only_asks(&subtask.intent) { None } else { meant(&subtask.intent, place) }
}

fn meant(intent: &str, place: &str) -> Option<WholeTarget> {
    let words = words(intent);
    if words.first().is_none_or(|first| OTHER_ACTS.contains(&first.to_lowercase().as_str())) {
        return None;
    }
    let (there, new) = named(&words, place)?;
    let path = match (there.as_slice(), new.as_slice()) {
        ([only], []) | ([], [only]) => only.text.clone(),
        (_, [only]) if only.before == "into" => only.text.clone(),
        (many, []) => into(many)?,
        _ => return None,
    };
    let shown: Vec<_> = there.into_iter().map(|file| file.text).collect();
    (shown.len() <= MOST_SHOWN).then_some(WholeTarget { path, shown })
}

/// A file, and the word before it.
#[derive(Debug, Clone)]
struct NamedFile {
    text: String,
    before: String,
}

/// The files that are there, and those that are to be made; nothing where a third kind is named, of which that is not clear.
fn named(words: &[&str], place: &str) -> Option<(Vec<NamedFile>, Vec<NamedFile>)> {
    let (mut there, mut new): (Vec<NamedFile>, Vec<NamedFile>) = (Vec::new(), Vec::new());
    for (at, word) in words.iter().enumerate() {
        let text = word.strip_prefix("./").unwrap_or(word).to_owned();
        let before = at.checked_sub(1).map(|before| words[before].to_lowercase()).unwrap_or_default();
        let is_there = is_listed(place, &text) && !text.ends_with('/');
        let is_new = !is_there && MAKES.contains(&before.as_str()) && is_file_name(&text);
        if !is_there && !is_new && is_like_those_of(place, &text) {
            return None;
        }
        let list = if is_there { &mut there } else { &mut new };
        let is_known = list.iter().any(|known| known.text == text);
        if (is_there || is_new) && !is_known {
            list.push(NamedFile { text, before });
        }
    }
    Some((there, new))
}

/// Whether it is a name such as the files here have: with a folder, or with an ending of theirs.
fn is_like_those_of(place: &str, text: &str) -> bool {
    let ending = |name: &str| name.rsplit_once('.').map(|(_, ending)| ending.to_owned());
    is_file_name(text) && (text.contains('/') || place.lines().any(|line| ending(line) == ending(text)))
}

fn into(files: &[NamedFile]) -> Option<String> {
    let mut found = files.iter().filter(|file| file.before == "into");
    let first = found.next()?;
    found.next().is_none().then(|| first.text.clone())
}

/// The words of a text, without what stands around them.
fn words(text: &str) -> Vec<&str> {
    let is_around = |letter: char| letter.is_whitespace() || "\"'`,;()[]<>".contains(letter);
    let bare = text.split(is_around).map(|word| word.trim_end_matches(['.', ':', '!', '?']));
    bare.filter(|word| !word.is_empty()).collect()
}

/// A path with an ending of letters, below the workspace.
fn is_file_name(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or_default();
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let is_plain = text.chars().all(|letter| letter.is_alphanumeric() || "._-/".contains(letter));
    let is_below = !text.starts_with('/') && text.split('/').all(|part| !part.is_empty() && part != "..");
    let is_ending = ending.starts_with(char::is_alphabetic) && ending.chars().count() <= ENDING_CHARS;
    is_plain && is_below && is_ending && !stem.is_empty()
}
