//! Paths as calls name them, from the folder of the project.
//!
//! Does not look at the disk.

/// A path without `.` and without `..`, as far as it goes; the same for each way of writing it.
pub(crate) fn bare(path: &str) -> String {
    let is_rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if is_rooted { format!("/{joined}") } else { joined }
}

/// A path as a command in a folder names it, from where the folder is named.
pub(crate) fn within(folder: &str, path: &str) -> String {
    let is_whole = path.starts_with(['/', '~']) || folder.is_empty();
    if is_whole { bare(path) } else { bare(&format!("{folder}/{path}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_form() {
        for (path, expected) in
            [("./a.rs", "a.rs"), ("a/../b", "b"), ("../b", "../b"), ("/w/./a", "/w/a"), ("a//b/", "a/b"), (".", "")]
        {
            assert_eq!(bare(path), expected, "{path}");
        }
        assert_eq!(within("src", "a.rs"), "src/a.rs");
        assert_eq!(within("src", "../a.rs"), "a.rs");
        assert_eq!(within("src", "/a.rs"), "/a.rs");
    }
}
