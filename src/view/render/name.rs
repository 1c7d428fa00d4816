//! Names of files that are made of what an entry says: of any text one plain name, and of two texts never the same one.
//!
//! An entry may come from anybody. What a file name cannot hold is written as `%XX`; capitals, too, because some file
//! systems take `Seryn` and `seryn` for one name. Does not know folders or endings.

use crate::kernel::id::EntryId;
use crate::kernel::json::sha256_hex;

/// A longer name is one of the hash alone, behind `%x`, which no escape begins with.
const LONGEST: usize = 120;

/// The name that stands for a text.
pub(super) fn file_stem(text: &str) -> String {
    if is_canonical_id(text) {
        return text.to_owned();
    }
    let is_like_an_id = is_canonical_id(&text.to_ascii_uppercase());
    // A file that begins with a point is hidden, and one that begins with a stroke is read as an option.
    let is_first_escaped = |byte: u8| is_like_an_id || matches!(byte, b'.' | b'-');
    let escaped: String = text
        .bytes()
        .enumerate()
        .map(|(at, byte)| {
            let is_plain = is_plain(byte) && (at > 0 || !is_first_escaped(byte));
            if is_plain { char::from(byte).to_string() } else { format!("%{byte:02X}") }
        })
        .collect();
    if (1..=LONGEST).contains(&escaped.len()) { escaped } else { format!("%x{}", sha256_hex(text.as_bytes())) }
}

/// What every file system has, and tells apart from all others of these.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-' | b'.')
}

/// Ids of our own are capitals and stay so: a text that differs from one in that alone is escaped.
fn is_canonical_id(text: &str) -> bool {
    text.parse::<EntryId>().is_ok_and(|id| id.to_string() == text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_is_of_plain_letters() {
        let named = [
            "seryn-eyes", "", ".", "..", "../x", "/etc/passwd", "a/b", "a\0b", ".git", "-rf", "Seryn", "%2F",
            "a\nb\u{1b}[2J", "\u{202e}txt.exe", "é", "01K7ZC5QW4M0N4T7V5R2B8XQ6D", "01k7zc5qw4m0n4t7v5r2b8xq6d",
        ];
        let named: Vec<_> = named.iter().map(|text| file_stem(text)).collect();
        let none = format!("%x{}", sha256_hex(b""));
        assert_eq!(
            named,
            [
                "seryn-eyes", &none, "%2E", "%2E.", "%2E.%2Fx", "%2Fetc%2Fpasswd", "a%2Fb", "a%00b", "%2Egit", "%2Drf",
                "%53eryn", "%252%46", "a%0Ab%1B%5B2%4A", "%E2%80%AEtxt.exe", "%C3%A9", "01K7ZC5QW4M0N4T7V5R2B8XQ6D",
                "%301k7zc5qw4m0n4t7v5r2b8xq6d",
            ]
        );
    }

    /// The hash of the long one begins with the escape of `/`, as whoever tries long enough can have it.
    #[test]
    fn a_long_name_is_no_escaped_one() {
        let long = (0..u32::MAX)
            .map(|count| format!("{count:0>300}"))
            .find(|text| sha256_hex(text.as_bytes()).starts_with("2f"));
        let long = long.expect("one of 256");
        let short = format!("/{}", &sha256_hex(long.as_bytes())[2..]);
        assert_ne!(file_stem(&long).to_ascii_lowercase(), file_stem(&short).to_ascii_lowercase());
        assert!(file_stem(&long).len() <= LONGEST);
    }

    /// Texts that are near each other: the same letters in another case, escapes written out, ids, long ones.
    fn text() -> impl Strategy<Value = String> {
        let id = prop::sample::select(vec![
            "01K7ZC5QW4M0N4T7V5R2B8XQ6D", "01k7zc5qw4m0n4t7v5r2b8xq6d", "01K7zc5qw4m0n4t7v5r2b8xq6d",
        ]);
        prop_oneof!["[aA%2fF/.x-]{0,4}", "\\PC{0,6}", id.prop_map(String::from), "[aA]{118,124}", any::<String>()]
    }

    proptest! {
        #[test]
        fn two_texts_have_two_names_on_every_file_system(texts in prop::collection::vec(text(), 2..20)) {
            let mut names: BTreeMap<String, String> = BTreeMap::new();
            for text in texts {
                let name = file_stem(&text);
                prop_assert!(!name.is_empty() && name.len() <= LONGEST);
                prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.%".contains(&byte)));
                prop_assert!(!name.starts_with(['.', '-']));
                let other = names.insert(name.to_ascii_lowercase(), text.clone());
                prop_assert!(other.as_ref().is_none_or(|other| *other == text), "{other:?} and {text:?} are both {name}");
            }
        }
    }
}
