//! The files of a patch: as `apply_patch` takes it, or as `diff -u` and `git diff` print it.
//!
//! Reads the heads only.

const HEADS: [&str; 4] = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

/// The files that a text adds, changes, deletes or moves by patch; it may be a shell command around one.
pub fn files(text: &str) -> Vec<&str> {
    let mut files = Vec::new();
    if text.contains("*** ") {
        files
            .extend(text.lines().filter_map(|line| HEADS.iter().find_map(|head| line.trim_start().strip_prefix(head))));
    }
    if text.contains("\n+++ ") {
        let pairs = text.lines().zip(text.lines().skip(1));
        files.extend(pairs.filter_map(|(old, new)| changed(old.strip_prefix("--- ")?, new.strip_prefix("+++ ")?)));
    }
    files.into_iter().map(str::trim).filter(|file| !file.is_empty()).collect()
}

/// The file of two heads, without the `a/` or `b/` of git and the time of `diff`; of a deleted file the old name.
fn changed<'t>(old: &'t str, new: &'t str) -> Option<&'t str> {
    let path = |head: &'t str| head.split('\t').next().unwrap_or(head).trim();
    let (old, new) = (path(old), path(new));
    let (name, side) = if new == "/dev/null" { (old, "a/") } else { (new, "b/") };
    Some(name.strip_prefix(side).unwrap_or(name)).filter(|name| *name != "/dev/null")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heads_of_a_patch_name_its_files() {
        let own = "apply_patch <<'P'\n*** Begin Patch\n*** Add File: a.rs\n+x\n*** Move to: b.rs\n*** End Patch\nP";
        assert_eq!(files(own), ["a.rs", "b.rs"]);
        let git = "git apply <<'P'\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1 +1 @@\n--- /dev/null\n+++ b/new.rs\n--- a/old.rs\n+++ /dev/null\nP";
        assert_eq!(files(git), ["src/a.rs", "new.rs", "old.rs"]);
        let plain = "patch -p0 <<P\n--- a.c\t2020-01-01\n+++ a.c\t2020-01-02\nP";
        assert_eq!(files(plain), ["a.c"]);
        for none in ["ls", "echo '+++ b/a'", "*** bold ***", "a\n+++ b/a"] {
            assert_eq!(files(none), [""; 0], "{none}");
        }
    }
}
