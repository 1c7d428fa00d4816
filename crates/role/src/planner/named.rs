//! A plan in the words of the task, and not of the prompt's example: small models put its folder before each name, and check
//! for its word, or for the words of the task themselves.
//!
//! A path is mended only where no doubt is left: the person names one file of that name, or of one that differs by a letter, and
//! neither the words nor the workspace know the other path or its folder. Command lines stay as they are.

use std::path::Path;

use super::example::EXAMPLE_WORD;
use crate::plan::{Criterion, CriterionCheck, TaskPlan};
use crate::prompt::BadAnswer;
use crate::wanted::{file_name, is_listed, path_words, plain_words, takes_away_file};

/// Words that a file's content seldom begins with where a sentence goes on with them.
const JOINING: &[&str] = &[
    "are", "as", "at", "be", "by", "for", "from", "has", "in", "into", "is", "must", "of", "on", "should", "that",
    "to", "which", "with", "als", "auf", "aus", "ist", "mit", "nach", "soll", "von", "zu",
];

/// What stands for something in the prompt.
const STAND_INS: &[&str] = &["COMMAND", "FILE", "FOLDER", "PATH", "REGEX", "TEXT"];
/// A shorter text may be in a sentence by chance.
const SAID_CHARS: usize = 12;
/// So many words are a sentence and no name.
const SENTENCE_WORDS: usize = 4;
/// Shorter words say nothing of what a file is about.
const TELLING_CHARS: usize = 4;

/// A plan whose checks and tools are about the files that the words name.
#[must_use]
pub fn with_named_paths(mut plan: TaskPlan, words: &str, place: &str) -> TaskPlan {
    let known = KnownPaths { words: path_words(words), place };
    for subtask in &mut plan.subtasks {
        subtask.success_criteria.iter_mut().for_each(|criterion| known.mend(criterion));
        for target in subtask.tools.iter_mut().filter_map(|tool| tool.target.as_mut()) {
            known.mend_path(target);
        }
    }
    plan.task_criteria.iter_mut().for_each(|criterion| known.mend(criterion));
    plan
}

/// An error where a plan checks for the word of the prompt's example, of which the person says nothing.
pub fn require_own_words(plan: &TaskPlan, words: &str) -> Result<(), BadAnswer> {
    let is_asked_for = words.to_lowercase().contains(EXAMPLE_WORD);
    if !is_asked_for && plan.criteria().filter_map(looked_for).any(|text| text.trim() == EXAMPLE_WORD) {
        let problem = format!("ask for the word {EXAMPLE_WORD}, which is the example's: ask for what the task wants");
        return Err(BadAnswer::Field { field: "checks".to_owned(), problem });
    }
    Ok(())
}

/// An error where a plan checks for what was said of the plan before it, of which the person says nothing.
pub fn require_other_words(plan: &TaskPlan, said: &BadAnswer, words: &str) -> Result<(), BadAnswer> {
    let said = said.to_string();
    let is_said = |text: &&str| text.chars().count() >= SAID_CHARS && said.contains(text) && !words.contains(text);
    if plan.criteria().filter_map(looked_for).map(str::trim).any(|text| is_said(&text)) {
        let problem = "ask for what was wrong with the last answer: ask for what the file holds when it is done";
        return Err(BadAnswer::Field { field: "checks".to_owned(), problem: problem.to_owned() });
    }
    Ok(())
}

/// An error where a plan checks for the words of the task, since no file holds what is to be done with it, or wants a file gone
/// that the task does not take away.
pub fn require_meant_checks(plan: &TaskPlan, words: &str) -> Result<(), BadAnswer> {
    let bad = |problem: String| Err(BadAnswer::Field { field: "checks".to_owned(), problem });
    let orders: Vec<_> = plan.subtasks.iter().map(|subtask| &*subtask.intent).chain([words]).map(as_said).collect();
    let is_order = |text: &str| orders.contains(&as_said(text)) || is_cut_out(words, text);
    if plan.criteria().filter_map(looked_for).any(is_order) {
        return bad("ask for the words of the task: ask for what the file holds when it is done".to_owned());
    }
    if let Some(file) = plan.criteria().filter_map(wanted_gone).find(|file| !takes_away_file(words, file)) {
        return bad(format!("ask that {file} is gone, and the task does not take it away: ask for what it holds"));
    }
    Ok(())
}

/// An error where a plan checks a file whose name is none (a sentence, or what stands for a name in the prompt), or where the
/// task names a file that is there, and all that is checked are files of which neither it nor the workspace knows anything:
/// whoever made such a file would be done.
pub fn require_meant_files(plan: &TaskPlan, words: &str, place: &str) -> Result<(), BadAnswer> {
    let bad = |problem: String| Err(BadAnswer::Field { field: "checks".to_owned(), problem });
    let checks = || plan.criteria().filter_map(|criterion| criterion.check.as_ref());
    let files: Vec<_> = checks().filter_map(CriterionCheck::file).collect();
    let runs_any = checks().any(|check| check.command().is_some());
    let is_known = |file: &&str| is_listed(place, file) || words.contains(file);
    let is_none = |file: &&str| STAND_INS.contains(file) || file.split_whitespace().count() >= SENTENCE_WORDS;
    if let Some(file) = files.iter().find(|file| is_none(file) && !is_known(file)) {
        return bad(format!("look at `{file}`, which is no file's name: look at a file of this task"));
    }
    let named = path_words(words).into_iter().find(|word| is_listed(place, word));
    let is_meant = |file: &&str| is_known(file) || shares_a_word(file, words);
    match (named, files.first()) {
        (Some(named), Some(file)) if !runs_any && !files.iter().any(is_meant) => {
            bad(format!("look at {file} alone, and the task names {named}: look at what it is to change"))
        }
        (Some(_) | None, Some(_) | None) => Ok(()),
    }
}

/// Whether a name has a word of a text in it, or the text one of the name: `test_calc.py` of "write tests for calc.py".
fn shares_a_word(name: &str, text: &str) -> bool {
    let (name, text) = (name.to_lowercase(), text.to_lowercase());
    let has_one_of =
        |all: &str, of: &str| plain_words(of).any(|word| word.chars().count() >= TELLING_CHARS && all.contains(&word));
    has_one_of(&text, &name) || has_one_of(&name, &text)
}

/// The file that is to be there no more.
fn wanted_gone(criterion: &Criterion) -> Option<&str> {
    let Some(CriterionCheck::FileAbsent { file, absent: true }) = &criterion.check else { return None };
    Some(file)
}

/// The text that a file is to hold.
fn looked_for(criterion: &Criterion) -> Option<&str> {
    criterion.check.as_ref().and_then(CriterionCheck::text)
}

/// Whether a text is a piece of a sentence of the task, with the word that joins it: "to be Shop" of "it is to be Shop".
/// What stands behind a colon or in quotes is what the sentence speaks of.
fn is_cut_out(words: &str, text: &str) -> bool {
    let (words, text) = (words.to_lowercase(), as_said(text));
    let mut parts = text.split_whitespace();
    let is_joined = parts.next().is_some_and(|first| JOINING.contains(&first)) && parts.next().is_some();
    let before = words.find(&text).map(|at| words[..at].trim_end());
    is_joined && before.is_some_and(|before| before.ends_with(|letter: char| letter.is_alphanumeric() || letter == ','))
}

fn as_said(text: &str) -> String {
    text.trim().trim_end_matches('.').to_lowercase()
}

struct KnownPaths<'k> {
    words: Vec<&'k str>,
    place: &'k str,
}

impl KnownPaths<'_> {
    fn mend(&self, criterion: &mut Criterion) {
        if let Some(
            CriterionCheck::FileContains { file, .. }
            | CriterionCheck::FileMatches { file, .. }
            | CriterionCheck::FileAbsent { file, .. },
        ) = &mut criterion.check
        {
            self.mend_path(file);
        }
    }

    fn mend_path(&self, path: &mut String) {
        if let Some(named) = self.named(path) {
            *path = named.to_owned();
        }
    }

    /// The file that is meant; nothing where the path may be right.
    fn named(&self, path: &str) -> Option<&str> {
        let Some((folder, name)) = path.rsplit_once('/') else { return self.misspelled(path) };
        let is_there = self.place.lines().any(|line| line.starts_with(&format!("{folder}/")));
        if is_there || self.words.iter().any(|word| word.trim_end_matches('/') == folder || *word == path) {
            return None;
        }
        self.only(|word| file_name(word) == name)
    }

    /// The file that is there and named, of which this is no more than a letter away. Another ending is another file.
    fn misspelled(&self, name: &str) -> Option<&str> {
        let is_there = |name: &str| is_listed(self.place, name);
        let is_known = is_there(name) || self.words.contains(&name);
        let is_meant =
            |word: &str| Path::new(word).extension() == Path::new(name).extension() && is_one_letter_off(word, name);
        self.only(|word| is_there(word) && is_meant(word)).filter(|_| !is_known)
    }

    fn only(&self, is_meant: impl Fn(&str) -> bool) -> Option<&str> {
        let mut meant: Vec<_> = self.words.iter().filter(|word| is_meant(word)).collect();
        meant.dedup();
        let [only] = meant.as_slice() else { return None };
        Some(only)
    }
}

/// Whether a letter is missing, too many or another. Digits are none: `a1` and `a2` are two.
fn is_one_letter_off(one: &str, other: &str) -> bool {
    let (one, other): (Vec<_>, Vec<_>) = (one.chars().collect(), other.chars().collect());
    let head = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let most = one.len().min(other.len()) - head;
    let tail = one.iter().rev().zip(other.iter().rev()).take(most).take_while(|(one, other)| one == other).count();
    let (mut one, mut other) = (one[head..one.len() - tail].iter(), other[head..other.len() - tail].iter());
    let differing = [one.next(), other.next()].into_iter().flatten().collect::<Vec<_>>();
    let is_no_more = one.next().is_none() && other.next().is_none();
    is_no_more && !differing.is_empty() && differing.iter().all(|letter| letter.is_alphabetic())
}
