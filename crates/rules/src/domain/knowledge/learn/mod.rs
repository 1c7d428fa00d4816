//! Finds what may be learnt in what a person said, by rules, without a model: corrections, preferences, rules,
//! decisions, procedures, facts.
//!
//! English and German, and for eyes that prefer to miss something: questions, pasted code, output and documents are passed
//! over. What is found is a candidate, never knowledge.

mod correct;
mod german;
mod held;
mod order;
mod rules;
mod sentence;
#[cfg(test)]
mod tests;

use super::command::Propose;
use super::row::{KnowledgeKind, KnowledgeSource};
use annals_kernel::cut::head;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::own_words::own_words;

/// More is not learnt from one text.
const MOST_LESSONS: usize = 12;
/// A longer text is read as far as this, in bytes.
const READ_BYTES: usize = 256 * 1024;

/// In which way somebody said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// As a prompt.
    Prompt,
    /// As the reason for which a call was turned down.
    Rejection,
}

/// Something that may be learnt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearntLesson {
    /// What sort of knowledge.
    pub kind: KnowledgeKind,
    /// The sentence that says so, without what only leads to it.
    pub content: String,
    /// Whom it is about, where it says so.
    pub about: Option<&'static str>,
    /// Which rule found it.
    pub rule: &'static str,
}

impl LearntLesson {
    /// As a candidate, learnt from an entry of a session; what configuration says of its type holds.
    pub fn candidate(self, session: SessionId, entry: EntryId) -> Propose {
        let Self { kind, content, about, rule } = self;
        let source = KnowledgeSource { session: Some(session), entries: vec![entry], rule: Some(rule.into()) };
        let (content, about) = (content.into(), about.map(Into::into));
        Propose { kind, content, entities: Vec::new(), about, confidence: None, impact: None, source }
    }
}

/// What may be learnt from a text, in its order, each once.
pub fn learn(text: &str, way: Way) -> Vec<LearntLesson> {
    let own = own_words(head(text, READ_BYTES));
    let sentences = sentence::split(&own);
    let mut lessons: Vec<LearntLesson> = Vec::new();
    let mut rest = sentences.as_slice();
    while let [sentence, after @ ..] = rest {
        rest = after;
        let Some((lesson, took)) = rules::lesson(sentence, after.first(), way) else { continue };
        rest = &after[took..];
        let is_known = lessons.iter().any(|known| known.content == lesson.content);
        if !is_known && lessons.len() < MOST_LESSONS {
            lessons.push(lesson);
        }
    }
    lessons
}

/// Whether a prompt sets right what was done before it, in its first sentences.
pub fn sets_right(prompt: &str) -> bool {
    /// Whoever sets something right begins with it.
    const FIRST: usize = 2;
    let own = own_words(prompt);
    let sentences = sentence::split(&own);
    let first = own.split_whitespace().next().unwrap_or_default().to_lowercase();
    // Two words are no sentence, and say it all the same.
    let is_no =
        ["no", "no,", "no.", "no!", "nope", "nope,", "nein", "nein,", "wrong", "undo", "revert"].contains(&&*first);
    is_no && !own.trim_start().to_lowercase().starts_with("no problem")
        || sentences.iter().take(FIRST).any(rules::sets_right)
}
