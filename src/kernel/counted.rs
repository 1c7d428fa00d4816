//! How many of something, in words.

/// `1 line`, `2 lines`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
