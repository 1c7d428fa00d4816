//! How a number begins that is written in base64, as Discord's tokens begin with the number of their bot.

/// How many beginnings there are: the first three digits of a number, from 100 on.
const COUNT: usize = 900;

/// How the base64 of a number's first three digits looks, in small letters: `mtax` for `101…`.
pub(super) const OPENINGS: [&str; COUNT] = {
    let (mut openings, mut at) = ([""; COUNT], 0);
    while at < COUNT {
        openings[at] = match std::str::from_utf8(&LETTERS[at]) {
            Ok(opening) => opening,
            Err(_) => panic!("BUG: base64 that is no text"),
        };
        at += 1;
    }
    openings
};

/// The same as bytes.
const LETTERS: [[u8; 4]; COUNT] = {
    let (mut letters, mut at) = ([[0; 4]; COUNT], 0);
    while at < COUNT {
        letters[at] = in_base64(at + 100);
        at += 1;
    }
    letters
};

/// The letters of base64 in small letters: keywords know no capitals.
const ALPHABET: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The base64 of three digits: `mtax` for `101`.
const fn in_base64(number: usize) -> [u8; 4] {
    let bits = (48 + number / 100) << 16 | (48 + number / 10 % 10) << 8 | (48 + number % 10);
    [ALPHABET[bits >> 18 & 63], ALPHABET[bits >> 12 & 63], ALPHABET[bits >> 6 & 63], ALPHABET[bits & 63]]
}
