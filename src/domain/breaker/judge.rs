//! The seven rules, held against a comment and the thread that it would come into (control-room 3.2, decisions 6 to 11).

use std::collections::BTreeSet;

use super::limits::Limits;
use super::rule::{Check, Found, Rule, Severity};
use crate::kernel::grounding::{Evidence, Impact, words};
use crate::kernel::id::AgentId;

words! {
    /// What kind of text it is.
    pub enum DraftKind {
        /// A comment.
        Comment = "comment",
        /// The text that resolves an issue: the two rules of substance do not bind it (decision 7).
        Resolution = "resolution",
    }
}

/// A comment that is not in the thread yet.
#[derive(Debug, Clone, Copy)]
pub struct Draft<'d> {
    /// What kind of text it is.
    pub kind: DraftKind,
    /// Who says it.
    pub author: &'d AgentId,
    /// What it says.
    pub body: &'d str,
    /// How much it would change.
    pub impact: Option<Impact>,
    /// What it stands on.
    pub evidence: &'d Evidence,
    /// How many of its files are none of the project's: they are not looked at, and no evidence (decision 14).
    pub escaped: usize,
}

/// A comment of the thread.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'t> {
    /// Who said it.
    pub author: &'t AgentId,
}

/// Holds every rule against a comment, in the order of control-room 3.2.
pub fn judge(draft: &Draft<'_>, thread: &[Turn<'_>], limits: &Limits) -> Vec<Check> {
    let mut checks = vec![budget(draft, thread, limits), total(thread, limits)];
    if draft.kind == DraftKind::Comment {
        checks.extend([substance(draft, limits), vocabulary(draft, limits)]);
    }
    checks.extend([escalation(draft, limits), ping_pong(draft, thread, limits), evidence(draft, limits)]);
    checks
}

fn check(rule: Rule, (value, limit): (usize, usize), violation: Option<Severity>, found: Found) -> Check {
    Check { rule, value: value as u64, limit: limit as u64, violation, found, message: None }
}

fn freeze_if(is_violated: bool) -> Option<Severity> {
    is_violated.then_some(Severity::Freeze)
}

fn reject_if(is_violated: bool) -> Option<Severity> {
    is_violated.then_some(Severity::Reject)
}

fn budget(draft: &Draft<'_>, thread: &[Turn<'_>], limits: &Limits) -> Check {
    let (used, most) =
        (thread.iter().filter(|turn| turn.author == draft.author).count(), limits.max_per_agent as usize);
    let found = Found { agent: Some(draft.author.clone()), ..Found::default() };
    check(Rule::CommentBudgetExceeded, (used, most), freeze_if(used >= most), found)
}

fn total(thread: &[Turn<'_>], limits: &Limits) -> Check {
    let (has, most) = (thread.len(), limits.max_total as usize);
    check(Rule::IssueCommentLimit, (has, most), freeze_if(has >= most), Found::default())
}

fn substance(draft: &Draft<'_>, limits: &Limits) -> Check {
    let (length, least) = (draft.body.chars().count(), limits.min_length as usize);
    check(Rule::InsufficientSubstance, (length, least), reject_if(length < least), Found::default())
}

fn vocabulary(draft: &Draft<'_>, limits: &Limits) -> Check {
    let (words, least) = (unique_words(draft.body), limits.min_unique_words as usize);
    check(Rule::LowVocabulary, (words, least), reject_if(words < least), Found::default())
}

/// Runs of `\w`, lower-cased, each counted once (decision 8).
pub fn unique_words(text: &str) -> usize {
    words_of(text).into_iter().collect::<BTreeSet<_>>().len()
}

/// Unicode's `\w`: letters, marks, digits, connectors. Marks stand only behind what they mark.
fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || ('\u{300}'..='\u{36f}').contains(&letter)
}

fn words_of(text: &str) -> Vec<String> {
    text.split(|letter: char| !is_word(letter)).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn escalation(draft: &Draft<'_>, limits: &Limits) -> Check {
    let words = words_of(draft.body);
    let said = limits.keywords.iter().filter(|keyword| says(&words, keyword));
    let keywords: Vec<Box<str>> = said.map(|keyword| keyword.as_str().into()).collect();
    let (count, most) = (keywords.len(), limits.max_keywords as usize);
    let found = Found { keywords, ..Found::default() };
    check(Rule::EscalationLanguage, (count, most), freeze_if(count > most), found)
}

/// Whether a keyword of one or more whole words is said (decision 9).
fn says(words: &[String], keyword: &str) -> bool {
    let keyword = words_of(keyword);
    !keyword.is_empty() && words.windows(keyword.len()).any(|window| window == keyword)
}

/// Alternations in the trailing run that holds only the author and the one who spoke last (decision 10).
fn ping_pong(draft: &Draft<'_>, thread: &[Turn<'_>], limits: &Limits) -> Check {
    let most = limits.max_alternations as usize;
    let other = thread.last().map(|turn| turn.author).filter(|author| *author != draft.author);
    let alternations = other.map_or(0, |other| alternations(draft.author, other, thread));
    let found = Found { agent: Some(draft.author.clone()), other: other.cloned(), ..Found::default() };
    check(Rule::PingPongDetected, (alternations, most), freeze_if(alternations > most), found)
}

fn alternations(author: &AgentId, other: &AgentId, thread: &[Turn<'_>]) -> usize {
    let run = thread.iter().rev().map(|turn| turn.author).take_while(|name| *name == author || *name == other);
    let run: Vec<_> = std::iter::once(author).chain(run).collect();
    run.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

fn evidence(draft: &Draft<'_>, limits: &Limits) -> Check {
    let severity = if limits.freeze_on_missing_evidence { Severity::Freeze } else { Severity::Reject };
    let files = draft.evidence.files.len().saturating_sub(draft.escaped);
    let others = draft.evidence.issues.len() + draft.evidence.canon.len();
    let Some(impact) = draft.impact.filter(|impact| *impact >= limits.evidence_from) else {
        let found = Found { impact: Some(limits.evidence_from), ..Found::default() };
        return check(Rule::MissingEvidenceForImpact, (files + others, 0), None, found);
    };
    let (is_grounded, least) = match impact {
        Impact::CanonChanging => (files > 0 && others > 0, 2),
        // A reference to canon is one to the issue that it came from.
        Impact::Structural | Impact::Minor | Impact::Cosmetic => (files + others > 0, 1),
    };
    let found = Found { impact: Some(impact), files: Some(files as u64), ..Found::default() };
    check(Rule::MissingEvidenceForImpact, (files + others, least), (!is_grounded).then_some(severity), found)
}
