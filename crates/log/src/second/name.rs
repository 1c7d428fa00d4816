//! One plain name for each path of a work tree, under which its second names are.
//!
//! Names only; does not look whether anything is there.

use super::Presence;
use annals_kernel::json::sha256_hex;

/// One plain name for a path of a work tree; the top itself is `%`.
pub(super) fn escaped(prefix: &[u8]) -> String {
    if prefix.is_empty() {
        return "%".to_owned();
    }
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let escape = |byte: &u8| if is_plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02x}") };
    let name: String = prefix.iter().map(escape).collect();
    match name.get(..LONGEST) {
        Some(start) if name.len() > LONGEST => format!("{start}{HASHED}{}", &sha256_hex(prefix)[..16]),
        Some(_) | None => name,
    }
}

/// A longer path has a name that is cut here and ends with a hash; so such a folder takes nothing along when it moves.
const LONGEST: usize = 200;
const HASHED: &str = "%~";

/// Behind the name of a path: the second names of a folder that stood there before.
pub(super) const BEFORE: &str = "%-";

/// The path whose second names a folder of that name has, and whether the one that they are of may stand there still.
pub(super) fn place_of(name: &str) -> Option<(Vec<u8>, Presence)> {
    match name.split_once(BEFORE) {
        Some((name, _)) => Some((unescaped(name)?, Presence::Gone)),
        None => Some((unescaped(name)?, Presence::There)),
    }
}

/// The path that such a name stands for; `None` where it stands for none.
fn unescaped(name: &str) -> Option<Vec<u8>> {
    let mut bytes = name.bytes();
    let mut path = Vec::new();
    while let Some(byte) = bytes.next().filter(|_| name != "%") {
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        path.push(match byte {
            b'%' => u8::try_from(digit(bytes.next())? * 16 + digit(bytes.next())?).ok()?,
            plain => plain,
        });
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_one_path() {
        for path in ["", ".context", "a b/\u{e4}%2f/.context", "%"] {
            assert_eq!(unescaped(&escaped(path.as_bytes())).as_deref(), Some(path.as_bytes()), "{path}");
        }
        assert_eq!([unescaped("a%"), unescaped("a%2"), unescaped("a%zz")], [None, None, None]);
    }

    #[test]
    fn a_long_path_has_a_name_of_its_own_that_a_folder_may_have() {
        let [one, other] = ["a", "b"].map(|end| format!("{}{end}/.context", "\u{44f}/".repeat(100)));
        let names = [&one, &other].map(|path| escaped(path.as_bytes()));
        assert!(names[0] != names[1] && names.iter().all(|name| name.len() < 250), "{names:?}");
        assert_eq!(place_of(&names[0]), None);
    }

    #[test]
    fn what_stood_at_a_path_before_is_told_from_what_stands_there() {
        let path = || b"a b".to_vec();
        assert_eq!(place_of("a%20b"), Some((path(), Presence::There)));
        assert_eq!(place_of("a%20b%-12"), Some((path(), Presence::Gone)));
    }
}
