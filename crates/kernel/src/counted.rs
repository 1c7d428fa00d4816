//! How many of something, in words.

use std::fmt::Display;

/// `1 line`, `2 lines`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `1 issue waits`, `2 issues wait`.
pub fn count<N: Display + Copy + PartialEq + From<u8>>(number: N, one: &str, many: &str) -> String {
    let is_one = number == N::from(1);
    format!("{number} {}", if is_one { one } else { many })
}
