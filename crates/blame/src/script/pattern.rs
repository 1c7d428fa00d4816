//! Patterns of `sed` as the library for expressions has them.

/// A basic pattern as this crate's library has it: `\(` groups, `(` is a bracket.
pub(super) fn of_basic(pattern: &str) -> Option<String> {
    let (mut text, mut letters) = (String::new(), pattern.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next()? {
                letter @ ('(' | ')' | '{' | '}' | '+' | '?' | '|') => text.push(letter),
                letter => text.push_str(&escaped(letter)?),
            },
            '(' | ')' | '{' | '}' | '+' | '?' | '|' => text.extend(['\\', letter]),
            '*' if text.is_empty() || text.ends_with('^') => text.push_str("\\*"),
            '[' => text.push_str(&class(&mut letters)?),
            '^' if !text.is_empty() && !text.ends_with('(') => text.push_str("\\^"),
            '$' if letters.peek().is_some_and(|next| *next != '\\') => text.push_str("\\$"),
            letter => text.push(letter),
        }
    }
    Some(text)
}

pub(super) fn of_extended(pattern: &str) -> Option<String> {
    let (mut text, mut letters) = (String::new(), pattern.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.push_str(&escaped(letters.next()?)?),
            '[' => text.push_str(&class(&mut letters)?),
            letter => text.push(letter),
        }
    }
    Some(text)
}

/// What a backslash and a letter stand for.
fn escaped(letter: char) -> Option<String> {
    match letter {
        'b' | 'B' | 'w' | 'W' | 's' | 'S' | 't' => Some(format!("\\{letter}")),
        '<' | '>' => Some("\\b".to_owned()),
        letter if letter.is_alphanumeric() => None,
        letter => Some(regex::escape(&letter.to_string())),
    }
}

/// A class of letters; a backslash stands for itself in it.
fn class(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<String> {
    let mut text = "[".to_owned();
    text.extend(letters.next_if_eq(&'^'));
    if letters.next_if_eq(&']').is_some() {
        text.push_str("\\]");
    }
    loop {
        match letters.next()? {
            ']' => {
                text.push(']');
                return Some(text);
            }
            '[' if letters.peek() == Some(&':') => {
                let name: String = letters.by_ref().take_while(|letter| *letter != ']').collect();
                text.extend(["[", &name, "]"]);
            }
            letter @ ('[' | '&' | '~' | '\\') => text.extend(['\\', letter]),
            letter => text.push(letter),
        }
    }
}
