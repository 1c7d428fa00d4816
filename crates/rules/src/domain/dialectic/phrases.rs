//! Words and phrases in a text, whole words only.
//!
//! Does not understand a text: "do not start over" has "start over" in it.

use super::command::ForgivenBecause;
use super::limits::{CHANGED, FRESH};
use annals_kernel::pattern::Pattern;
use annals_kernel::settings::Settings;

/// Of a text so many characters are looked at.
const LOOKED_AT: usize = 4000;

/// A text to look for phrases in: lower case, words apart, apostrophes gone.
pub struct PhraseText(String);

impl PhraseText {
    /// Prepares a text.
    pub fn of(text: &str) -> Self {
        let mut said = String::from(" ");
        for letter in text.chars().take(LOOKED_AT).filter(|letter| !['\'', '’'].contains(letter)) {
            match letter {
                letter if letter.is_alphanumeric() || letter == '-' || letter == '_' => {
                    said.extend(letter.to_lowercase());
                }
                _ if said.ends_with(' ') => {}
                _ => said.push(' '),
            }
        }
        said.push(' ');
        Self(said)
    }

    /// Whether a phrase is in it.
    pub fn has(&self, phrase: &str) -> bool {
        self.0.contains(&format!(" {phrase} "))
    }

    /// Whether it begins with a phrase.
    pub fn begins(&self, phrase: &str) -> bool {
        self.0.trim_start().strip_prefix(phrase).is_some_and(|rest| rest.starts_with(' '))
    }

    /// The first of several phrases that is in it.
    pub fn first<'p>(&self, phrases: &'p [String]) -> Option<&'p str> {
        phrases.iter().map(String::as_str).find(|phrase| self.has(phrase))
    }

    /// Its words.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.0.split_whitespace()
    }
}

/// Whether a person's words end a count of failures, and why (decision 26).
pub(crate) fn reset_by(text: &str, settings: &Settings) -> Option<ForgivenBecause> {
    let said = PhraseText::of(text);
    if said.first(&settings.get(&FRESH)).is_some() {
        return Some(ForgivenBecause::StartFresh);
    }
    let changed = settings.get(&CHANGED);
    let is_changed = said.first(&changed).is_some() || begins_without_i(text, &changed);
    is_changed.then_some(ForgivenBecause::ContextChanged)
}

/// The end of a sentence or line. A mark inside a word, as in the name of a file, ends none.
static ENDS: Pattern = Pattern::new(r"[.!?;:]\s+|\n");

/// Whether a sentence begins with a phrase of the kind "I updated", without the "I".
fn begins_without_i(text: &str, phrases: &[String]) -> bool {
    let short: Vec<_> = phrases.iter().filter_map(|phrase| phrase.strip_prefix("i ")).collect();
    let head: String = text.chars().take(LOOKED_AT).collect();
    ENDS.split(&head).map(PhraseText::of).any(|said| short.iter().any(|phrase| said.begins(phrase)))
}

/// Words that say "go on" and name no task of their own. Part of how recorded sessions are read, as the verbs are of ids.
const GO_ON: [&str; 38] = [
    "yes", "y", "yep", "yeah", "ok", "okay", "sure", "please", "continue", "go", "on", "ahead", "proceed", "do", "it",
    "that", "try", "again", "retry", "next", "keep", "going", "now", "and", "then", "thanks", "thank", "you", "good",
    "great", "perfect", "nice", "resume", "done", "still", "failing", "fails", "not",
];

/// Whether a prompt only tells the agent to go on: the task stays what it was.
pub fn goes_on(text: &str) -> bool {
    const LONGEST: usize = 80;
    if text.len() > LONGEST {
        return false;
    }
    let said = PhraseText::of(text);
    let mut words = said.words().peekable();
    words.peek().is_some() && words.all(|word| GO_ON.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dialectic, "Staleness Reset Logic"; decision 26.
    #[test]
    fn a_person_ends_a_count_with_the_phrases_of_the_source() {
        for (text, expected) in [
            ("Start fresh, please", Some(ForgivenBecause::StartFresh)),
            ("try different approach", Some(ForgivenBecause::StartFresh)),
            ("OK. Try a different approach!", Some(ForgivenBecause::StartFresh)),
            ("ignore previous attempts", Some(ForgivenBecause::StartFresh)),
            ("I fixed the token, go on", Some(ForgivenBecause::ContextChanged)),
            ("I've updated node", Some(ForgivenBecause::ContextChanged)),
            ("we updated the lockfile", Some(ForgivenBecause::ContextChanged)),
            ("updated the lockfile", Some(ForgivenBecause::ContextChanged)),
            ("Still red. Updated node, go on", Some(ForgivenBecause::ContextChanged)),
            ("go on\nFixed!", Some(ForgivenBecause::ContextChanged)),
            ("look at what was updated", None),
            ("rename config.updated to config", None),
            ("updatedness is a word", None),
            ("update the lockfile", None),
            // Frustration, rephrasing and time are none of them.
            ("This is still broken!!! Fix the damn test", None),
            ("please repair the authentication test", None),
            ("restart freshly", None),
        ] {
            assert_eq!(reset_by(text, &Settings::default()), expected, "{text}");
        }
    }

    #[test]
    fn some_prompts_only_say_go_on() {
        for text in ["yes", "Ok, continue.", "go ahead", "try again", "yes please do that", "still failing"] {
            assert!(goes_on(text), "{text}");
        }
        for text in ["", "fix it", "continue with the parser", "yes, and rename the file"] {
            assert!(!goes_on(text), "{text}");
        }
    }
}
