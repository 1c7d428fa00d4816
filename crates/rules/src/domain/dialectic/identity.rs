//! Which task is meant: a text without what makes no difference, and its hash (decision 24).
//!
//! The list of verbs (`kernel::stem`) is part of what an id is: another list would be another version. Does not know what a task means;
//! tasks that only look alike are told apart by whoever is asked.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use annals_kernel::json::sha256_hex;
pub use annals_kernel::stem::{STEMS, stem};

/// The version of the list of verbs.
pub const VERSION: u32 = 1;

/// So many hexadecimal digits of the hash are the id.
// Decision 24.
const ID_DIGITS: usize = 16;

/// Words that say nothing.
pub(super) const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// Punctuation of any script but - and _, the signs of ASCII, and what cannot be seen. Other signs stay, so that a task
/// that is written with them is not nothing.
static DROPPED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"[\p{P}$+<=>^`|~\p{Cc}\p{Cf}--[\-_\s]]";
    Regex::new(pattern).expect("BUG: the pattern of punctuation")
});

/// A task without case, punctuation, articles and forms of common verbs. The same again for its own result.
pub fn canonical(text: &str) -> String {
    let plain = plain(text);
    let mut canonical = String::with_capacity(plain.len());
    for word in plain.split_whitespace().filter(|word| !ARTICLES.contains(word)) {
        if !canonical.is_empty() {
            canonical.push(' ');
        }
        canonical.push_str(stem(word));
    }
    canonical
}

/// Lower case, without what is dropped; text of ASCII without the help of a pattern.
fn plain(text: &str) -> String {
    if !text.is_ascii() {
        return DROPPED.replace_all(&text.to_lowercase(), "").into_owned();
    }
    let mut plain = text.to_ascii_lowercase();
    plain.retain(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_') || letter.is_whitespace());
    plain
}

/// The id of a task that is canonical already.
pub fn id_of(canonical: &str) -> Box<str> {
    let mut hash = sha256_hex(canonical.as_bytes());
    hash.truncate(ID_DIGITS);
    hash.into()
}

/// The id of a task; none where the text has no word.
pub fn task_id(text: &str) -> Option<Box<str>> {
    let canonical = canonical(text);
    (!canonical.is_empty()).then(|| id_of(&canonical))
}

/// Whether a text is the id of a task, and no task of its own: sixteen hexadecimal digits.
pub fn is_id(text: &str) -> bool {
    let text = text.trim();
    text.len() == ID_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The id of a task that somebody names by its text, or by its id; none where the text has no word.
pub(crate) fn own_id(named: &str) -> Option<Box<str>> {
    if is_id(named) { Some(named.trim().to_ascii_lowercase().into()) } else { task_id(named) }
}

/// How much two canonical tasks have in common: words of both and words of either.
pub(crate) fn common_words(left: &str, right: &str) -> (usize, usize) {
    let (left, right): (BTreeSet<_>, BTreeSet<_>) =
        (left.split_whitespace().collect(), right.split_whitespace().collect());
    (left.intersection(&right).count(), left.union(&right).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_ascii_loses_the_same_marks_as_any_other() {
        let all: String = (0..=127_u8).map(char::from).collect();
        assert_eq!(plain(&all), DROPPED.replace_all(&all.to_lowercase(), ""));
    }

    /// Decision 24; `debate.canonical`, `debate.task_hash`.
    #[test]
    fn a_task_is_its_canonical_text() {
        for (text, expected) in [
            ("Deleting old files", "delete old files"),
            ("Creating new feature", "create new feature"),
            ("Updated config", "update config"),
            ("Fixed", "fix"),
            ("Fix the authentication test", "fix authentication test"),
            ("  FIX: the  authentication\ttest!! ", "fix authentication test"),
            ("fix-auth-test", "fix-auth-test"),
            ("fix_auth_test", "fix_auth_test"),
            ("A an the", ""),
            ("?!…", ""),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }

    proptest::proptest! {
        /// What the gate prints of a task is the task.
        #[test]
        fn a_canonical_text_is_its_own(text in "(\\PC|the |a |fixing |\\.){0,12}") {
            let once = canonical(&text);
            proptest::prop_assert_eq!(canonical(&once), once);
        }
    }

    /// Decision 24; the worked ids.
    #[test]
    fn the_worked_ids_come_out() {
        for (text, id) in [
            ("Fix the authentication test", "2fba088a8d564d54"),
            ("fix authorization test", "06b133fc21195980"),
            ("fix-auth-test", "69484c4f17f34d14"),
        ] {
            assert_eq!(task_id(text).as_deref(), Some(id), "{text}");
        }
        assert_eq!(task_id("...the?"), None);
    }

    /// Decision 24.
    #[test]
    fn every_verb_of_the_list_is_reduced_in_all_its_forms() {
        for (verb, forms) in STEMS {
            assert_eq!(canonical(verb), verb);
            for form in forms {
                assert_eq!(canonical(&form.to_uppercase()), verb, "{form}");
            }
        }
        assert_eq!(canonical("buildings testament fixture"), "buildings testament fixture");
    }

    /// Decision 24.
    #[test]
    fn texts_that_are_not_latin_stay_apart() {
        let texts =
            ["修复登录测试", "修复登出测试", "исправить тест", "удалить тест", "हिन्दी", "हिंदी", "تسجيل", "🚀", "🐛"];
        let ids: BTreeSet<_> = texts.iter().map(|text| task_id(text).expect("an id")).collect();
        assert_eq!(ids.len(), texts.len());
        assert_eq!(canonical("ИСПРАВИТЬ тест。"), "исправить тест");
    }

    #[test]
    fn words_in_common_are_counted_once() {
        assert_eq!(common_words("fix authentication test", "fix authorization test"), (2, 4));
        assert_eq!(common_words("", ""), (0, 0));
    }
}
