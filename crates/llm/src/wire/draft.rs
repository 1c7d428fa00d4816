//! An answer that is being put together from what a stream says.
//!
//! Knows when it is complete; what it says is not read.

use serde_json::Value;

use super::trouble::Trouble;
use crate::answer::{Finish, RawAnswer};
use crate::model::{Delta, Deltas};

/// Takes one part of an answer into the draft. One a backend; it also reads an answer that came whole.
pub type Piece = fn(&Value, &mut Draft, &mut Deltas<'_>) -> Result<(), Trouble>;

/// An answer so far.
#[derive(Debug, Default)]
pub struct Draft {
    /// The model, as the server named it.
    pub model: String,
    /// Tokens of the question.
    pub tokens_in: Option<u64>,
    /// Tokens of the answer.
    pub tokens_out: Option<u64>,
    /// What it cost.
    pub nano_usd: Option<u64>,
    /// Why it ended, once that is said.
    pub finish: Option<Finish>,
    /// Whether nothing more is to come.
    pub is_ended: bool,
    text: String,
    thinking: String,
}

impl Draft {
    /// More of the answer.
    pub fn say(&mut self, text: &str, deltas: &mut Deltas<'_>) {
        if !text.is_empty() {
            self.text.push_str(text);
            deltas(Delta::Text(text));
        }
    }

    /// More of the thoughts.
    pub fn think(&mut self, text: &str, deltas: &mut Deltas<'_>) {
        if !text.is_empty() {
            self.thinking.push_str(text);
            deltas(Delta::Thinking(text));
        }
    }

    /// A refusal instead of an answer.
    pub fn refuse(&mut self, words: &str, deltas: &mut Deltas<'_>) {
        if !words.is_empty() {
            self.say(words, deltas);
            self.finish = Some(Finish::Refused);
        }
    }

    /// The whole of the answer, where it is said once more at the end.
    pub fn replace_text(&mut self, text: String) {
        self.text = text;
    }

    /// The first name counts; later pieces may leave it out.
    pub fn name(&mut self, model: &str) {
        if self.model.is_empty() {
            model.clone_into(&mut self.model);
        }
    }

    /// A refusal stays one, whatever else is given as the reason.
    pub fn finish(&mut self, finish: Finish) {
        if self.finish != Some(Finish::Refused) {
            self.finish = Some(finish);
        }
    }

    /// The answer, if it is complete.
    pub fn complete(self, raw: String) -> Option<RawAnswer> {
        let finish = match self.finish {
            Some(finish) => finish,
            None if self.is_ended => Finish::Other(String::new()),
            None => return None,
        };
        let (thoughts, text) = without_thoughts(&self.text);
        let thinking = self.thinking + thoughts;
        Some(RawAnswer {
            text: text.to_owned(),
            thinking: (!thinking.is_empty()).then_some(thinking),
            finish,
            model: self.model,
            tokens_in: self.tokens_in,
            tokens_out: self.tokens_out,
            nano_usd: self.nano_usd,
            raw,
        })
    }
}

/// Some servers leave thoughts in the text, before it, between tags. Thoughts that never end leave no text.
fn without_thoughts(text: &str) -> (&str, &str) {
    let Some(begun) = text.trim_start().strip_prefix("<think>") else {
        return ("", text);
    };
    let (thoughts, rest) = begun.split_once("</think>").unwrap_or((begun, ""));
    (thoughts.trim(), rest.trim_start())
}
