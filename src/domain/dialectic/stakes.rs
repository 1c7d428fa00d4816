//! When a planning debate is due: what is at stake, and what makes a debate needless (decision 26a).
//!
//! Looks at words, and at what it is told. Does not look at files.

use super::command::Facts;
use super::csp::Stakes;
use super::identity;
use super::limits::{BULK_FILES, DESTRUCTIVE, JUST_DO_IT, PRODUCTION, READ_ONLY, SECURITY, VAGUE};
use super::phrases::Said;
use crate::kernel::grounding::words;
use crate::kernel::settings::Settings;

words! {
    /// Of which kind a debate is.
    pub enum Category {
        /// Something is destroyed.
        Destructive = "destructive",
        /// Others feel it.
        Production = "production",
        /// Security, credentials.
        Security = "security",
        /// Many files.
        Bulk = "bulk",
        /// It is not clear what is meant.
        Ambiguous = "ambiguous",
        /// Nothing of that.
        Ordinary = "ordinary",
        /// It failed before.
        Failure = "failure",
    }
}

words! {
    /// Why no planning debate is due.
    pub enum Bypass {
        /// It changes nothing.
        ReadOnly = "read-only",
        /// Little is at stake.
        LowStakes = "low-stakes",
        /// The user said so.
        JustDoIt = "just-do-it",
        /// The same task and plan were debated.
        Debated = "debated-already",
        /// Debates are off in this session.
        Disabled = "disabled",
    }
}

/// What is at stake, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtStake {
    /// How much.
    pub stakes: Stakes,
    /// Why.
    pub category: Category,
}

/// Texts with and without forms of verbs, so that "deleting" is found as "delete".
fn said(texts: &[&str]) -> [Said; 2] {
    let plain = texts.join("\n");
    let stemmed: Vec<_> = texts.iter().map(|text| identity::canonical(text)).collect();
    [Said::of(&plain), Said::of(&stemmed.join("\n"))]
}

/// What is at stake in a task and its plan.
pub fn at_stake(texts: &[&str], facts: &Facts, settings: &Settings) -> AtStake {
    let said = said(texts);
    let has = |words: &[String]| said.iter().any(|said| said.first(words).is_some());
    let bulk = settings.get(&BULK_FILES);
    let (stakes, category) = if has(&settings.get(&DESTRUCTIVE)) {
        (Stakes::High, Category::Destructive)
    } else if has(&settings.get(&PRODUCTION)) {
        (Stakes::High, Category::Production)
    } else if has(&settings.get(&SECURITY)) {
        (Stakes::High, Category::Security)
    } else if facts.files.is_some_and(|files| files > bulk) {
        (Stakes::Medium, Category::Bulk)
    } else if has(&settings.get(&VAGUE)) || texts.iter().all(|text| is_pointing(text)) {
        (Stakes::Medium, Category::Ambiguous)
    } else {
        (Stakes::Low, Category::Ordinary)
    };
    AtStake { stakes, category }
}

/// "Fix it": what is meant stands elsewhere.
fn is_pointing(text: &str) -> bool {
    const SHORT: usize = 3;
    let canonical = identity::canonical(text);
    let words: Vec<_> = canonical.split_whitespace().collect();
    let points = |word: &&str| ["it", "this", "that", "them", "these", "those"].contains(word);
    words.len() <= SHORT && words.iter().any(points)
}

/// What the request itself says against a debate.
pub fn bypass(texts: &[&str], at_stake: AtStake, facts: &Facts, settings: &Settings) -> Option<Bypass> {
    let said = said(texts);
    let first = texts.first().map(|text| identity::canonical(text)).unwrap_or_default();
    let first = first.split_whitespace().next().unwrap_or_default();
    let asks = settings.get(&READ_ONLY).iter().any(|word| word == first);
    if facts.read_only || asks {
        Some(Bypass::ReadOnly)
    } else if at_stake.stakes == Stakes::Low {
        Some(Bypass::LowStakes)
    } else if facts.just_do_it || said[0].first(&settings.get(&JUST_DO_IT)).is_some() {
        Some(Bypass::JustDoIt)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, facts: &Facts) -> (Stakes, Category, Option<Bypass>) {
        let settings = Settings::default();
        let found = at_stake(&[text], facts, &settings);
        (found.stakes, found.category, bypass(&[text], found, facts, &settings))
    }

    /// Decision 26a.
    #[test]
    fn stakes_follow_from_the_words() {
        use Category::{Ambiguous, Destructive, Ordinary, Production, Security};
        for (text, stakes, category) in [
            ("Delete the old cache", Stakes::High, Destructive),
            ("deleting old branches", Stakes::High, Destructive),
            ("git push --force origin main", Stakes::High, Destructive),
            ("run an irreversible migration", Stakes::High, Destructive),
            ("DROP TABLE users", Stakes::High, Destructive),
            ("Deployed the site again", Stakes::High, Production),
            ("restart prod", Stakes::High, Production),
            ("rotate the API keys", Stakes::High, Security),
            ("change credentials", Stakes::High, Security),
            ("clean up the project", Stakes::Medium, Ambiguous),
            ("Fix it", Stakes::Medium, Ambiguous),
            ("Fix the authentication test", Stakes::Low, Ordinary),
            ("describe the product page", Stakes::Low, Ordinary),
        ] {
            let (found, why, _) = of(text, &Facts::default());
            assert_eq!((found, why), (stakes, category), "{text}");
        }
    }

    /// Decision 26a: more than ten files.
    #[test]
    fn many_files_are_bulk() {
        let files = |files| of("rename the type", &Facts { files: Some(files), ..Facts::default() });
        assert_eq!(files(10), (Stakes::Low, Category::Ordinary, Some(Bypass::LowStakes)));
        assert_eq!(files(11), (Stakes::Medium, Category::Bulk, None));
    }

    /// Decision 26a: what makes a debate needless.
    #[test]
    fn a_debate_is_passed_over_for_a_reason() {
        let read_only = Facts { read_only: true, ..Facts::default() };
        let just_do_it = Facts { just_do_it: true, ..Facts::default() };
        for (text, facts, expected) in [
            ("delete it all", &Facts::default(), None),
            ("delete it all", &read_only, Some(Bypass::ReadOnly)),
            ("delete it all", &just_do_it, Some(Bypass::JustDoIt)),
            ("Delete the cache, just do it!", &Facts::default(), Some(Bypass::JustDoIt)),
            ("list what a delete would touch", &Facts::default(), Some(Bypass::ReadOnly)),
            ("rename the type", &Facts::default(), Some(Bypass::LowStakes)),
        ] {
            assert_eq!(of(text, facts).2, expected, "{text}");
        }
    }
}
