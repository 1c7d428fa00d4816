//! What models were asked for one command, and what became of each answer, for people and in JSON.
//!
//! An answer that cannot be used is said to be none. Decides nothing itself.

use serde::Serialize;

use super::Unheard;
use crate::cli::decided::Decided;
use crate::cli::output::Output;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::engine::Answer;
use crate::kernel::counted::counted;
use crate::kernel::model_word::ModelWord;
use crate::role::prompt::BadAnswer;

/// What models were asked, and what came of it.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Judgements {
    asked: Vec<Judgement>,
}

/// What came of one question.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Judgement {
    /// For whom a model was asked.
    who: String,
    /// What it said; none where no answer came.
    word: Option<ModelWord>,
    /// Why that is of no use.
    unheard: Option<String>,
    /// The decision that rests on it.
    decided: Option<Decided>,
}

/// An answer of a model, read.
pub(in crate::cli) enum HeardWord<T> {
    /// It says something.
    Clear {
        /// As it came.
        word: ModelWord,
        /// What it says.
        says: T,
    },
    /// It is of no use.
    Nothing {
        /// As it came; none where none did.
        word: Option<ModelWord>,
        /// Why.
        why: Unheard,
    },
}

impl<T> HeardWord<T> {
    /// Reads an answer that is on the record.
    pub(in crate::cli) fn read(
        word: Result<ModelWord, Unheard>,
        read: impl FnOnce(&str) -> Result<T, BadAnswer>,
    ) -> Self {
        let word = match word {
            Ok(word) => word,
            Err(why) => return Self::Nothing { word: None, why },
        };
        match read(&word.answer) {
            Ok(says) => Self::Clear { word, says },
            Err(bad) => Self::Nothing { word: Some(word), why: bad.into() },
        }
    }
}

impl Judgements {
    /// A model was asked for somebody and gave nothing that can be used.
    pub(in crate::cli) fn unheard(
        &mut self,
        shell: &mut Shell,
        who: &str,
        word: Option<ModelWord>,
        unheard: &Unheard,
    ) -> std::io::Result<()> {
        if !shell.wants_json() {
            shell.out.say(format_args!("{who}: nothing that counts: {unheard}"))?;
        }
        self.asked.push(Judgement { who: who.to_owned(), word, unheard: Some(unheard.to_string()), decided: None });
        Ok(())
    }

    /// What a model said was decided on.
    pub(in crate::cli) fn decided(
        &mut self,
        shell: &mut Shell,
        who: &str,
        word: ModelWord,
        answer: &Answer,
        tell: impl FnOnce(&mut Output) -> std::io::Result<()>,
    ) -> anyhow::Result<()> {
        if !shell.wants_json() {
            shell.report(answer, tell)?;
            shell.out.say(format_args!("  {}", by(&word)))?;
        }
        let decided = Some(Decided::of(answer));
        self.asked.push(Judgement { who: who.to_owned(), word: Some(word), unheard: None, decided });
        Ok(())
    }

    /// Whether anything was decided.
    fn has_come_to_something(&self) -> bool {
        self.asked.iter().any(|one| matches!(one.decided, Some(Decided::Done { .. })))
    }

    /// Ends the command: where nothing was decided, it was refused.
    pub(in crate::cli) fn end(self, shell: &mut Shell) -> Done {
        if shell.wants_json() {
            shell.out.answer(&self)?;
        }
        Ok(if self.has_come_to_something() { CommandOutcome::Done } else { CommandOutcome::Refused })
    }
}

/// By which model, in what time, for how much, and over how much of what it was to judge.
pub(in crate::cli) fn by(word: &ModelWord) -> String {
    let (read, written) = (counted(word.tokens_in, "token"), word.tokens_out);
    let unseen = if word.left_out == 0 { String::new() } else { format!("; {}", unseen(word.left_out)) };
    format!(
        "by {}, {} ms, {read} read, {written} written; the answer is entry {}{unseen}",
        word.model, word.ms, word.entry
    )
}

/// That a word is not one over the whole.
pub(in crate::cli) fn unseen(chars: u64) -> String {
    format!("not judged as a whole: {} of it left out", counted(chars, "character"))
}
