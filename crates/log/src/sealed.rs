//! A text with its checksum before it, for files that are written without a sync: a torn or changed one is none.

use annals_kernel::json::sha256_hex;

/// The text behind its checksum.
pub fn seal(text: &str) -> String {
    format!("{} {text}", check_sum(text))
}

/// The text of a sealed file; `None` where the checksum does not fit.
pub fn unseal(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?.trim_end();
    text.split_once(' ').filter(|(sum, rest)| *sum == check_sum(rest)).map(|(_, rest)| rest)
}

fn check_sum(text: &str) -> String {
    sha256_hex(text.as_bytes())[..16].to_owned()
}
