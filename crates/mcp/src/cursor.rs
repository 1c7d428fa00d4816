//! Cursors that nobody else can make: what they hold stands beside a seal with this process's own key.
//!
//! A cursor says where a list goes on and belongs to one question. It is no secret, and opaque only so that nobody builds on
//! its form. Does not know what it holds.

use annals_kernel::base64;
use annals_kernel::json::sha256_hex;
use serde_json::Value;

/// A longer one is none of ours.
const MOST_BYTES: usize = 1024;
/// Digits of the seal: 128 bits.
const SEAL_DIGITS: usize = 32;

/// Why a cursor is refused.
#[derive(Debug, Clone, Copy, thiserror::Error, PartialEq, Eq)]
#[error("the cursor is none that this server gave for this question: ask again without one")]
pub struct BadCursor;

/// Makes and reads cursors.
#[derive(Clone)]
pub struct Seals {
    key: u128,
}

impl Seals {
    /// With a key that nobody can guess.
    pub fn new(key: u128) -> Self {
        Self { key }
    }

    /// A cursor that holds `place`, for one question alone.
    pub fn cursor(&self, question: &str, place: &Value) -> String {
        let place = place.to_string();
        let seal = self.seal(question, &place);
        base64::encode(format!("{seal}{place}").as_bytes())
    }

    /// What a cursor holds.
    pub fn place(&self, question: &str, cursor: &str) -> Result<Value, BadCursor> {
        if cursor.len() > MOST_BYTES {
            return Err(BadCursor);
        }
        let text = base64::decode(cursor).and_then(|bytes| String::from_utf8(bytes).ok()).ok_or(BadCursor)?;
        let (seal, place) = text.split_at_checked(SEAL_DIGITS).ok_or(BadCursor)?;
        if self.seal(question, place) != seal {
            return Err(BadCursor);
        }
        serde_json::from_str(place).map_err(|_| BadCursor)
    }

    /// Hashed twice, so that nothing can be hung on to what was sealed.
    fn seal(&self, question: &str, place: &str) -> String {
        let inner = sha256_hex(format!("{:032x}\n{}\n{question}\n{place}", self.key, question.len()).as_bytes());
        sha256_hex(format!("{:032x}\n{inner}", self.key).as_bytes())[..SEAL_DIGITS].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_cursor_holds_its_place_for_its_question_alone() {
        let (ours, others) = (Seals::new(7), Seals::new(8));
        let cursor = ours.cursor("recall login", &json!({"from": 20}));
        assert_eq!(ours.place("recall login", &cursor), Ok(json!({"from": 20})));
        assert_eq!(ours.place("recall logout", &cursor), Err(BadCursor));
        assert_eq!(others.place("recall login", &cursor), Err(BadCursor));
    }

    #[test]
    fn no_change_of_a_cursor_is_taken() {
        let seals = Seals::new(7);
        let cursor = seals.cursor("q", &json!([1, "two"]));
        for at in 0..cursor.len() {
            let mut bytes = cursor.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).expect("ASCII");
            assert_eq!(seals.place("q", &changed), Err(BadCursor), "{changed}");
        }
        for forged in ["", "0", "{}", "AAAA", &"A".repeat(5000), "é", &base64::encode(b"[1]")] {
            assert_eq!(seals.place("q", forged), Err(BadCursor), "{forged}");
        }
    }
}
