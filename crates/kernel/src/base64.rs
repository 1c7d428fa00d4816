//! Base64 as OpenSSH writes keys and signatures (RFC 4648, standard letters, padded).
//!
//! Strict: one value has one text. Takes no blanks and no line ends; whoever reads a file joins its lines first.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Writes bytes as text.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = char::from(LETTERS[(bits >> (18 - 6 * place) & 63) as usize]);
            text.push(if place <= group.len() { letter } else { '=' });
        }
    }
    text
}

/// Reads what `encode` has written, and nothing else: what it read must be written the same way again.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let padding = text.bytes().rev().take(2).take_while(|byte| *byte == b'=').count();
    let letters = text.as_bytes().get(..text.len() - padding)?;
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for group in letters.chunks(4) {
        let bits = group.iter().try_fold(0_u32, |bits, byte| Some(bits << 6 | u32::from(sextet(*byte)?)))?;
        let bits = (bits << (6 * (4 - group.len()))).to_be_bytes();
        bytes.extend(&bits[1..group.len()]);
    }
    // A key or a signature in a second writing would pass for another one, and lists of keys compare texts.
    (encode(&bytes) == text).then_some(bytes)
}

/// What a character of base 64 stands for, in either alphabet.
pub fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_writes_and_reads_the_examples_of_rfc_4648() {
        let examples =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in examples {
            assert_eq!((encode(bytes.as_bytes()).as_str(), decode(text)), (text, Some(bytes.as_bytes().to_vec())));
        }
    }

    #[test]
    fn a_second_text_of_the_same_bytes_is_none() {
        for text in ["Zh==", "Zg", "Zg=", "Zg===", "Z", "Zm9v\n", "Zm 9v", "=", "====", "Zm9v====", "Zm8=Zm8=", "Zm-_"]
        {
            assert_eq!(decode(text), None, "{text:?}");
        }
    }
}
