//! The files of a patch as `apply_patch` takes it.
//!
//! Pure. Reads the heads only.

const HEADS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

/// The files that a text adds, changes, deletes or moves by patch; it may be a shell command around one.
pub(super) fn files(text: &str) -> Vec<&str> {
    if !text.contains("*** ") {
        return Vec::new();
    }
    let files = text.lines().filter_map(|line| HEADS.iter().find_map(|head| line.trim_start().strip_prefix(head)));
    files.map(str::trim).collect()
}
