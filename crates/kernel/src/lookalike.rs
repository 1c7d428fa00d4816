//! Letters that look like Latin ones, read as what they look like: what a person sees is what a rule by words must see.
//!
//! A table of the usual ones, Cyrillic, Greek, and of full width; a word with no Latin letter stays in its own script.

/// Cyrillic and Greek letters, lower case, each with the Latin one that it looks like.
const ALIKE: [(char, char); 31] = [
    ('а', 'a'),
    ('в', 'b'),
    ('с', 'c'),
    ('ԁ', 'd'),
    ('е', 'e'),
    ('ё', 'e'),
    ('һ', 'h'),
    ('і', 'i'),
    ('ї', 'i'),
    ('ј', 'j'),
    ('к', 'k'),
    ('ӏ', 'l'),
    ('м', 'm'),
    ('н', 'h'),
    ('о', 'o'),
    ('р', 'p'),
    ('ԛ', 'q'),
    ('ѕ', 's'),
    ('т', 't'),
    ('у', 'y'),
    ('х', 'x'),
    ('ѵ', 'v'),
    ('ԝ', 'w'),
    ('α', 'a'),
    ('ε', 'e'),
    ('ι', 'i'),
    ('κ', 'k'),
    ('ν', 'v'),
    ('ο', 'o'),
    ('ρ', 'p'),
    ('υ', 'u'),
];

/// In lower case, without letters that cannot be seen, and with Latin letters where others stand among them.
pub fn plain(text: &str) -> String {
    let seen: String =
        text.chars().filter(|letter| !is_silent(*letter)).map(narrow).flat_map(char::to_lowercase).collect();
    let mut plain = String::with_capacity(seen.len());
    for word in seen.split_inclusive(|letter: char| !letter.is_alphanumeric()) {
        let is_latin = word.chars().any(|letter| letter.is_ascii_alphabetic());
        plain.extend(word.chars().map(|letter| if is_latin { latin(letter) } else { letter }));
    }
    plain
}

/// Apostrophes, soft hyphens, and letters without width.
fn is_silent(letter: char) -> bool {
    matches!(letter, '\'' | '’' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// `ｄ` of full width is `d`.
fn narrow(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        '\u{3000}' => ' ',
        _ => letter,
    }
}

fn latin(letter: char) -> char {
    ALIKE.iter().find(|(alike, _)| *alike == letter).map_or(letter, |(_, latin)| *latin)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_word_reads_as_what_it_looks_like_and_other_scripts_stay() {
        for (text, expected) in [
            ("Deletе the DB", "delete the db"),
            ("d\u{200b}e\u{ad}lete", "delete"),
            ("ｄｅｌｅｔｅ", "delete"),
            ("don't", "dont"),
            ("удали базу", "удали базу"),
            ("Lösche", "lösche"),
            ("", ""),
        ] {
            assert_eq!(plain(text), expected, "{text}");
        }
    }
}
