//! Command lines that are written as lists of words: what gives a secret away, a flag or the name of a program, stands in
//! another word than the secret.
//!
//! Does not know what is secret; that is asked of the whole line.

use std::borrow::Cow;

use serde_json::Value;

use annals_kernel::json::Json;

/// What is longer is no command line.
// At 64 KiB no password in a longer list was found.
const LONGEST: usize = 4 << 20;

/// Stands for the blanks in a word that is one argument: `["--password", "summer in Rome"]`.
// With blanks left in, only the first word of such a password would go.
const BLANK: &str = "\u{1}";

/// The same with its lists of words cleaned as lines; `None` where nothing is taken out.
pub(super) fn cleaned(json: &Json, mut clean: impl FnMut(&str) -> String) -> Option<Json> {
    let text = json.text();
    if text.len() > LONGEST || memchr::memmem::find(text.as_bytes(), b"[\"").is_none() {
        return None;
    }
    let mut value = json.value();
    clean_lists(&mut value, &mut clean).then(|| Json::of(&value))
}

/// Whether anything was taken out.
fn clean_lists(value: &mut Value, clean: &mut impl FnMut(&str) -> String) -> bool {
    match value {
        Value::Array(items) => {
            let is_cleaned = clean_words(items, clean);
            items.iter_mut().fold(is_cleaned, |is_cleaned, item| clean_lists(item, clean) | is_cleaned)
        }
        Value::Object(members) => {
            members.values_mut().fold(false, |is_cleaned, member| clean_lists(member, clean) | is_cleaned)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Markers have no blanks, so that each word of the clean line is found by its number.
fn clean_words(items: &mut [Value], clean: &mut impl FnMut(&str) -> String) -> bool {
    let words: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
    let Some(words) = words.filter(|words| words.len() > 1) else { return false };
    let before = std::iter::once("").chain(words.iter().copied());
    let joined: Vec<_> = before.zip(&words).map(|(before, word)| joined(before, word)).collect();
    let line = joined.join(" ");
    let clean = clean(&line);
    let mut left = clean.split(' ');
    // With another number of words nobody can say which word of the list each is; the list was cleaned word by word
    // before.
    if clean == line || clean.split(' ').count() != line.split(' ').count() {
        return false;
    }
    let counts: Vec<_> = joined.iter().map(|word| word.split(' ').count()).collect();
    for (item, count) in items.iter_mut().zip(counts) {
        *item = left.by_ref().take(count).collect::<Vec<_>>().join(" ").replace(BLANK, " ").into();
    }
    true
}

/// An option with its value, or the value behind one, is a single word of the line; a command that a shell is given with
/// `-c` has words of its own.
fn joined<'w>(before: &str, word: &'w str) -> Cow<'w, str> {
    let is_argument = word.starts_with('-') || before.starts_with('-') && !before.ends_with('c');
    if is_argument && word.contains(' ') && !word.contains(BLANK) {
        Cow::Owned(word.replace(' ', BLANK))
    } else {
        Cow::Borrowed(word)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_of_words_are_cleaned_as_the_line_that_they_are() {
        let clean = |line: &str| line.replace("-p secret", "-p [X]");
        let cleaned = |value: Value| cleaned(&Json::of(&value), clean).map(|json| json.value());
        assert_eq!(
            cleaned(json!({"command": ["mysql", "-p", "secret", "a b"], "n": [1]})),
            Some(json!({"command": ["mysql", "-p", "[X]", "a b"], "n": [1]}))
        );
        assert_eq!(cleaned(json!([["x"], ["-p", "secret"]])), Some(json!([["x"], ["-p", "[X]"]])));
        assert_eq!(cleaned(json!(["-m", "a b", "-p", "secret"])), Some(json!(["-m", "a b", "-p", "[X]"])));
        assert_eq!(cleaned(json!(["sh", "-c", "x -p secret"])), Some(json!(["sh", "-c", "x -p [X]"])));
        for kept in [json!(["secret", "-p"]), json!({"a": ["-p"], "b": "secret"}), json!("-p secret")] {
            assert_eq!(cleaned(kept), None);
        }
    }
}
