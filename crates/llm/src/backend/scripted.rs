//! Answers out of a file, in order by role: with it a run needs no model.
//!
//! One JSON a line: `{"role": "planner", "answer": …}`. An answer that is no text is sent as its JSON is written. `*` as a role
//! serves those that have no answer left. `error` in place of `answer` fails there; `thinking`, `finish` and `delay_ms`
//! may stand beside an answer. The role `embedding` is answered once for all: an object has a vector for each word, and
//! that of a text is the sum of those whose words stand in it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::answer::{Finish, RawAnswer, Vectors};
use crate::availability::Availability;
use crate::clean::{CleanRequest, CleanTexts};
use crate::config::BadModel;
use crate::failure::ModelError;
use crate::model::{Delta, Deltas, Model, Pending};
use crate::purpose::{Place, Purpose};

/// The role that serves all others.
const ANY_ROLE: &str = "*";

/// A script and how far it is.
pub struct Scripted {
    name: String,
    file: String,
    left: Mutex<BTreeMap<String, VecDeque<Line>>>,
}

/// One line of a script.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    role: String,
    #[serde(default)]
    answer: Option<Box<RawValue>>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    thinking: Option<String>,
    #[serde(default)]
    finish: Option<Finish>,
    #[serde(default)]
    delay_ms: u64,
}

impl Scripted {
    /// Reads a script from a file.
    pub fn open(name: &str, file: &str) -> Result<Self, BadModel> {
        let bad = |reason: String| BadModel::Script { file: file.to_owned(), reason };
        let text = std::fs::read_to_string(file).map_err(|error| bad(error.to_string()))?;
        Self::parse(name, file, &text)
    }

    /// Reads a script from a text. `file` is what it is called in errors.
    pub fn parse(name: &str, file: &str, text: &str) -> Result<Self, BadModel> {
        let mut left: BTreeMap<String, VecDeque<Line>> = BTreeMap::new();
        for (at, text) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let bad =
                |reason: &str| BadModel::Script { file: file.to_owned(), reason: format!("line {}: {reason}", at + 1) };
            let line: Line = serde_json::from_str(text).map_err(|error| bad(&error.to_string()))?;
            if line.role != ANY_ROLE && line.role.parse::<Purpose>().is_err() {
                return Err(bad(&format!("there is no role {:?}", line.role)));
            }
            if line.answer.is_some() == line.error.is_some() {
                return Err(bad("there is to be either an answer or an error"));
            }
            left.entry(line.role.clone()).or_default().push_back(line);
        }
        Ok(Self { name: name.to_owned(), file: file.to_owned(), left: Mutex::new(left) })
    }

    /// Passes over what a role was answered in an earlier run that is gone on with.
    pub fn skip(&self, role: &str, answers: usize) {
        (0..answers).for_each(|_| drop(self.next(role)));
    }

    fn next(&self, role: &str) -> Option<Line> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |left: &mut BTreeMap<String, VecDeque<Line>>, role| left.get_mut(role).and_then(VecDeque::pop_front);
        of(&mut left, role).or_else(|| of(&mut left, ANY_ROLE))
    }

    async fn play(&self, asked: &CleanRequest, deltas: &mut Deltas<'_>) -> Result<RawAnswer, ModelError> {
        let role = role(asked.purpose()).as_str();
        let ended = || ModelError::ScriptEnded { file: self.file.clone(), role: role.to_owned() };
        let line = self.next(role).ok_or_else(ended)?;
        if line.delay_ms > 0 {
            tokio::time::sleep(Duration::from_millis(line.delay_ms)).await;
        }
        if let Some(said) = line.error {
            return Err(ModelError::Scripted { said });
        }
        let text = line.answer.as_deref().map(said).unwrap_or_default();
        deltas(Delta::Begun);
        deltas(Delta::Text(&text));
        Ok(RawAnswer {
            thinking: line.thinking,
            finish: line.finish.unwrap_or(Finish::Stop),
            model: self.name.clone(),
            tokens_in: Some(asked.request().estimated_tokens()),
            tokens_out: u64::try_from(text.chars().count().div_ceil(4)).ok(),
            nano_usd: None,
            raw: text.clone(),
            text,
        })
    }

    /// The sum of the vectors of the words in each text; the empty word stands in every one.
    fn vectors(&self, texts: &[String]) -> Result<Vectors, ModelError> {
        let failed = |said: String| ModelError::Scripted { said };
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let line = left.get(Purpose::Embedding.as_str()).and_then(VecDeque::front).cloned();
        drop(left);
        let line = line.ok_or_else(|| ModelError::CannotEmbed { name: self.name.clone() })?;
        if let Some(said) = line.error {
            return Err(failed(said));
        }
        let answer = line.answer.as_deref().map(RawValue::get).unwrap_or_default();
        let words: BTreeMap<String, Vec<f32>> =
            serde_json::from_str(answer).map_err(|error| failed(format!("{}: {error}", self.file)))?;
        let vectors = texts.iter().map(|text| sum_of_words(&words, &text.to_lowercase())).collect();
        let tokens_in = texts.iter().map(|text| text.chars().count().div_ceil(4) as u64).sum();
        let vectors = Vectors { model: self.name.clone(), vectors, tokens_in: Some(tokens_in) };
        vectors.require_one_each(texts.len()).map_err(failed)?;
        Ok(vectors)
    }
}

fn sum_of_words(words: &BTreeMap<String, Vec<f32>>, text: &str) -> Vec<f32> {
    let mut sum = vec![0.0; words.values().map(Vec::len).max().unwrap_or_default()];
    for (_, vector) in words.iter().filter(|(word, _)| text.contains(word.as_str())) {
        sum.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
    }
    sum
}

/// What is given up is drafted by the planner.
fn role(purpose: Purpose) -> Purpose {
    if purpose == Purpose::Draft { Purpose::Planner } else { purpose }
}

/// A text as it is; anything else as it was written.
fn said(answer: &RawValue) -> String {
    serde_json::from_str(answer.get()).unwrap_or_else(|_| answer.get().to_owned())
}

impl Model for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    fn place(&self) -> Place {
        Place::Local
    }

    fn generate<'a>(
        &'a self,
        asked: &'a CleanRequest,
        deltas: &'a mut Deltas<'_>,
    ) -> Pending<'a, Result<RawAnswer, ModelError>> {
        Box::pin(self.play(asked, deltas))
    }

    fn embed<'a>(&'a self, texts: &'a CleanTexts) -> Pending<'a, Result<Vectors, ModelError>> {
        Box::pin(std::future::ready(self.vectors(texts.texts())))
    }

    fn available(&self) -> Pending<'_, Availability> {
        Box::pin(std::future::ready(Availability::Ready))
    }
}
