//! Paths below a workspace, as a tool is given them: plain names, none of which is git's.
//!
//! Pure: says nothing about what lies there. A name that some file system takes for `.git` counts as `.git`; so it is with the
//! record, which lies in one place.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

/// Why a path is not looked at.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadPath {
    /// Nothing, too long, too deep, or with a NUL.
    #[error("this is no path")]
    Malformed,
    /// It begins at the root.
    #[error("{path:?} begins at the root: paths are relative to the workspace")]
    Absolute {
        /// As it was given.
        path: PathBuf,
    },
    /// It goes up and out.
    #[error("{path:?} leads out of the workspace")]
    Outside {
        /// As it was given.
        path: PathBuf,
    },
    /// It belongs to git, or to the record.
    #[error("{path:?} is not worked in by tools: `{name}` is kept by git or by the record")]
    Kept {
        /// As it was given.
        path: PathBuf,
        /// Which part.
        name: String,
    },
    /// A link in it leads out.
    #[error("{path:?} leads out of the workspace by a link")]
    LinkOut {
        /// As it was given.
        path: PathBuf,
    },
}

/// The longest path.
const MOST_BYTES: usize = 4_096;
/// The deepest: each folder on the way is held open.
pub(crate) const MOST_DEPTH: usize = 128;

/// The names of a path, without `.`, and with `..` done; none: the workspace itself.
pub(crate) fn names(path: &Path) -> Result<Vec<OsString>, BadPath> {
    let bytes = path.as_os_str().as_bytes();
    if bytes.is_empty() || bytes.len() > MOST_BYTES || bytes.contains(&0) {
        return Err(BadPath::Malformed);
    }
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => names.push(require_plain(name, path)?.to_owned()),
            Component::ParentDir => {
                names.pop().ok_or_else(|| BadPath::Outside { path: path.to_owned() })?;
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return Err(BadPath::Absolute { path: path.to_owned() }),
        }
    }
    if names.len() > MOST_DEPTH { Err(BadPath::Malformed) } else { Ok(names) }
}

fn require_plain<'n>(name: &'n OsStr, path: &Path) -> Result<&'n OsStr, BadPath> {
    if is_gits(name) { Err(kept(path, name)) } else { Ok(name) }
}

/// The refusal of what tools do not touch.
pub(crate) fn kept(path: &Path, name: &OsStr) -> BadPath {
    BadPath::Kept { path: path.to_owned(), name: name.to_string_lossy().into_owned() }
}

/// The folder of the record.
pub(crate) const RECORD: &str = ".context";

/// Whether a name is `.git`, or could be taken for it.
pub(crate) fn is_gits(name: &OsStr) -> bool {
    // One file system's name can be two of another's.
    name.to_string_lossy().split('\\').any(|part| {
        let bare = bare(part);
        bare == ".git" || bare.starts_with("git~")
    })
}

/// Whether names lead to the record, or into it, or could be taken for that.
pub(crate) fn is_of_record(names: &[OsString], record: &[OsString]) -> bool {
    let is_like = |(name, known): (&OsString, &OsString)| {
        let (name, known) = (bare(&name.to_string_lossy()), bare(&known.to_string_lossy()));
        name == known || known == RECORD && name.starts_with("contex~")
    };
    !record.is_empty() && names.len() >= record.len() && names.iter().zip(record).all(is_like)
}

/// What is left of a name in other letters, with characters that some file systems pass over, or with an ending that others
/// cut off.
fn bare(name: &str) -> String {
    let seen: String = name.chars().filter(|letter| !is_passed_over(*letter)).flat_map(char::to_lowercase).collect();
    seen.split(':').next().unwrap_or_default().trim_end_matches([' ', '.']).to_owned()
}

/// Characters that HFS+ does not look at when it compares names.
fn is_passed_over(letter: char) -> bool {
    matches!(letter, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// The path again.
pub(crate) fn joined(names: &[OsString]) -> PathBuf {
    let bytes: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
    PathBuf::from(OsString::from_vec(bytes.join(&b'/')))
}

/// A path on one line: where it holds a control character or is no text, in quotes.
pub(crate) fn shown(path: &Path) -> String {
    let is_plain = |text: &&str| !text.chars().any(char::is_control);
    path.to_str().filter(is_plain).map_or_else(|| format!("{:?}", path.to_string_lossy()), str::to_owned)
}

/// Whether a target of a link leads out of the folder in which the link's parents are `depth` names deep.
pub(crate) fn leads_out(depth: usize, target: &Path) -> bool {
    let mut depth = depth;
    for part in target.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir if depth == 0 => return true,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_path_is_plain_names_below_the_workspace() {
        let out = |path: &str| Err(BadPath::Outside { path: path.into() });
        let absolute = |path: &str| Err(BadPath::Absolute { path: path.into() });
        for (path, expected) in [
            ("a/b", Ok("a/b")),
            ("./a//b/", Ok("a/b")),
            (".", Ok("")),
            ("a/../b", Ok("b")),
            ("-rf", Ok("-rf")),
            ("a\nb", Ok("a\nb")),
            ("..a/...", Ok("..a/...")),
            ("", Err(BadPath::Malformed)),
            ("a\0b", Err(BadPath::Malformed)),
            ("/etc/passwd", absolute("/etc/passwd")),
            ("//etc", absolute("//etc")),
            ("..", out("..")),
            ("a/../../b", out("a/../../b")),
        ] {
            assert_eq!(names(Path::new(path)).map(|names| joined(&names)), expected.map(PathBuf::from), "{path:?}");
        }
    }

    #[test]
    fn what_some_file_system_takes_for_git_is_gits() {
        for name in [
            ".git", ".GIT", ".Git", ".g\u{200c}it", ".git ", ".git.", ".git::$INDEX_ALLOCATION", "git~1", "GIT~2",
            "a\\.git", ".git\u{feff}",
        ] {
            assert!(is_gits(OsStr::new(name)), "{name:?}");
            assert!(names(Path::new("a").join(name).as_path()).is_err(), "{name:?}");
        }
        for name in [".gitignore", ".gitattributes", "git", ".github", ".context", "x.git", "．git"] {
            assert!(!is_gits(OsStr::new(name)), "{name:?}");
        }
    }

    #[test]
    fn the_record_lies_in_one_place() {
        let of = |path: &str| path.split('/').map(OsString::from).collect::<Vec<_>>();
        for (path, record, expected) in [
            (".context", ".context", true),
            (".context/history/x", ".context", true),
            (".CONTEXT/x", ".context", true),
            ("contex~1/x", ".context", true),
            (".conte\u{200d}xt", ".context", true),
            (".context.", ".context", true),
            ("tests/.context/x", ".context", false),
            (".contexts", ".context", false),
            ("inner/.context/x", "inner/.context", true),
            ("INNER/.context/x", "inner/.context", true),
            ("inner", "inner/.context", false),
            ("inner/a", "inner/.context", false),
        ] {
            assert_eq!(is_of_record(&of(path), &of(record)), expected, "{path}");
        }
        assert!(!is_of_record(&of("a"), &[]));
    }

    #[test]
    fn a_link_is_followed_in_thought() {
        for (depth, target, expected) in [
            (0, "a", false),
            (1, "../a", false),
            (0, "../a", true),
            (2, "../../a", false),
            (2, "../../../a", true),
            (0, "/etc", true),
            (0, "a/../../b", true),
            (1, "a/../../b", false),
        ] {
            assert_eq!(leads_out(depth, Path::new(target)), expected, "{depth} {target}");
        }
    }

    proptest! {
        #[test]
        fn no_path_leaves(path in "[a./\\\\ \n-]{0,20}") {
            if let Ok(names) = names(Path::new(&path)) {
                prop_assert!(names.iter().all(|name| name != ".." && name != "." && !name.is_empty()));
                prop_assert!(joined(&names).is_relative());
            }
        }
    }
}
