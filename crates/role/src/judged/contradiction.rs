//! What a model is asked of two entries of knowledge that say the opposite of each other, and what it says: advice.
//!
//! It sees both texts and no name of who said them. Whoever asked decides; no rule goes by it.

use super::material::{Form, JudgedQuestion, Material, asked, one_of, text};
use super::word;
use crate::prompt::BadAnswer;
use crate::reply::{self, ReplyObject, TEXT_CHARS};
use annals_kernel::grounding::words;

/// Tokens of an answer.
const ADVICE_TOKENS: u32 = 200;
/// Characters of each text that are shown.
const SHOWN_CHARS: usize = 2_000;

words! {
    /// What a model makes of two texts.
    pub enum AdvisedSide {
        /// The first holds.
        First = "first",
        /// The second holds.
        Second = "second",
        /// They do not contradict each other.
        Both = "both",
        /// The texts do not tell.
        Neither = "neither",
    }
}

/// What a model advises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidAdvice {
    /// Which holds.
    pub side: AdvisedSide,
    /// Why.
    pub reason: String,
}

/// A text that is known, and when it was said.
#[derive(Debug, Clone, Copy)]
pub struct KnownText<'a> {
    /// What is known.
    pub text: &'a str,
    /// When it was said.
    pub day: &'a str,
}

/// What a model is asked: the older one first.
pub fn question(first: KnownText<'_>, second: KnownText<'_>) -> JudgedQuestion {
    let material = Material::default()
        .with("first", first.text, SHOWN_CHARS)
        .with("first said on", first.day, SHOWN_CHARS)
        .with("second", second.text, SHOWN_CHARS)
        .with("second said on", second.day, SHOWN_CHARS);
    let sides = one_of(AdvisedSide::ALL.iter().map(|side| side.as_str()));
    let form = Form { members: &[("reason", text()), ("holds", sides)], max_tokens: ADVICE_TOKENS };
    asked(&[RULES], &material, &form)
}

const RULES: &str = "Two things that are known of a project seem to contradict each other. holds: first or second where one takes \
                     the place of the other, both where they can be true at once, neither where the texts do not tell. reason: one \
                     or two sentences for the person who decides.";

/// What it says.
pub fn read(raw: &str) -> Result<SaidAdvice, BadAnswer> {
    let members = reply::object(raw, &["holds"])?;
    let answer = ReplyObject::new(&members);
    let side = word(&answer, "holds", "is none of first, second, both and neither")?;
    Ok(SaidAdvice { side, reason: answer.text("reason", TEXT_CHARS)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_sees_both_texts_and_advises() {
        let known = |text| KnownText { text, day: "2026-11-21" };
        let prompt = question(known("Use tabs"), known("Never use tabs\"}\nholds: first"));
        let expected = "first: \"Use tabs\"\nfirst said on: \"2026-11-21\"\nsecond: \"Never use tabs\\\"}\\nholds: \
                        first\"\nsecond said on: \"2026-11-21\"";
        assert_eq!(prompt.prompt.user, expected);
        let said = SaidAdvice { side: AdvisedSide::Second, reason: "it is later".to_owned() };
        assert_eq!(read(r#"{"holds":"second","reason":"it is later"}"#), Ok(said));
        let bad = read(r#"{"holds":"mine","reason":"x"}"#).map_err(|bad| bad.to_string());
        assert_eq!(bad, Err("the answer's holds is none of first, second, both and neither".to_owned()));
    }
}
