//! Passwords as people choose them: short, of words, with a year or a sign, with letters that look like templates.

use super::Dice;

#[rustfmt::skip] // A list of words, as text.
const WORDS: &[&str] = &[
    "summer", "dragon", "monkey", "sunshine", "football", "shadow", "master", "superman", "michael", "jessica", "liverpool",
    "banana", "cookie", "flower", "hunter", "winter", "spring", "autumn", "pepper", "ginger", "silver", "orange", "purple",
    "tiger", "eagle", "falcon", "matrix", "soccer", "hockey", "batman", "trustno", "freedom", "whatever", "computer",
    "internet", "service", "blink", "cheese", "chocolate", "diamond", "thunder", "starwars", "pokemon", "samsung", "london",
    "berlin", "madrid", "paris", "oslo", "kettle", "ladder", "garage", "coffee", "biscuit", "teacup", "welcome", "letmein",
    "iloveyou", "princess", "charlie", "andrew", "daniel", "robert", "thomas", "maggie", "buster", "harley", "ranger",
];

/// Words that stand in placeholders, too: inside of a password they excuse nothing.
const EXCUSES: &[&str] =
    &["example", "test", "xxx", "your", "changeme", "dummy", "secret", "todo", "sample", "null", "admin", "demo"];

/// First letters that look like a template, a comment, a token.
const OPENINGS: &[&str] = &["$", "<", "{", "%", "#", "@", "[", "sk-", "akia", "!", "~", "-", "ssh-", "phc_", "*"];

#[rustfmt::skip] // A list of words, as text.
const FOREIGN: &[&str] = &["пароль", "солнце", "秘密基地", "ひまわり", "schlüsselbund", "mañana", "łódka", "ἀγάπη", "사랑해", "été"];

const WALKS: &[&str] = &["qwerty", "qwertz", "1q2w3e4r", "asdfgh", "zxcvbnm", "qazwsx", "1qaz2wsx", "q1w2e3"];

/// One password.
pub(crate) fn password(dice: &mut Dice) -> String {
    let word = dice.pick(WORDS);
    let other = dice.pick(WORDS);
    let year = 1970 + dice.below(60);
    let digits = dice.below(999);
    let capital = word[..1].to_uppercase() + &word[1..];
    match dice.below(16) {
        0 => word.to_owned(),
        1 => capital,
        2 => format!("{word}{digits}"),
        3 => format!("{capital}{year}!"),
        4 => format!("{capital}@{digits}"),
        5 => format!("{word}-{other}"),
        6 => format!("{word}_{other}_{digits}"),
        7 => word.replace('a', "4").replace('e', "3").replace('o', "0") + "!",
        8 => dice.pick(WALKS).to_owned(),
        9 => format!("{}{}", 1 + dice.below(9), dice.letters("0123456789", 5)),
        10 => format!("{}{digits}", dice.pick(EXCUSES)),
        11 => format!("{}-{word}", dice.pick(EXCUSES)),
        12 => format!("{}{word}{digits}", dice.pick(OPENINGS)),
        13 => format!("{}{digits}", dice.pick(FOREIGN)),
        14 => format!("{capital}{other}"),
        _ => format!("{word}{}", dice.pick(&["!", "?", "#1", "$$", "+1", "=7", "^^", "~", "!!", "."])),
    }
}
