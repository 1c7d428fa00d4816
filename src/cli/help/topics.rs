//! Topics of `annals help`: texts by name, and nothing else.

/// A name, and its text.
pub(super) const TOPICS: [(&str, &str); 6] = [
    ("times", include_str!("topics/times.txt")),
    ("ids", include_str!("topics/ids.txt")),
    ("json", include_str!("topics/json.txt")),
    ("environment", include_str!("topics/environment.txt")),
    ("exit-codes", include_str!("topics/exit-codes.txt")),
    ("git", include_str!("topics/git.txt")),
];
