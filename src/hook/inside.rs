//! Where a path lies in a `.context` folder, as the file system reads it: symlinks are followed, whatever they hide.
//!
//! Looks at links, reads no file and changes nothing. Does not say who may use the path; `domain::access` does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// As many links as Linux follows.
const MOST_LINKS: u32 = 40;

/// A `.context` folder.
#[derive(Debug, Clone)]
pub struct Inside {
    context: PathBuf,
}

/// What a path has to do with the folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lies {
    /// In it: the path below it, with `/`; `.` for itself.
    In(String),
    /// It is a folder above it.
    Above,
}

impl Inside {
    /// The folder at an absolute path.
    pub fn of(context: &Path) -> Self {
        Self { context: followed(context, 0) }
    }

    /// What an absolute path has to do with the folder; nothing where it lies elsewhere.
    ///
    /// A `..` behind a link is read both ways: as it is written, and as the file system goes.
    pub fn look(&self, path: &Path) -> BTreeSet<Lies> {
        let readings = [followed(&written(path), 0), followed(path, 0)];
        readings.iter().filter_map(|path| self.lies(path)).collect()
    }

    fn lies(&self, path: &Path) -> Option<Lies> {
        if let Ok(below) = path.strip_prefix(&self.context) {
            let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
            return Some(Lies::In(if parts.is_empty() { ".".to_owned() } else { parts.join("/") }));
        }
        self.context.starts_with(path).then_some(Lies::Above)
    }
}

/// Without `.` and `..`, as the path is written.
fn written(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(result.pop()),
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => result.push(part),
        }
    }
    result
}

/// As the file system goes: each part that is a link is followed. What is not there yet stays as it is written.
fn followed(path: &Path, links: u32) -> PathBuf {
    let mut at = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(at.pop()),
            Component::Prefix(_) | Component::RootDir => at.push(part),
            Component::Normal(name) => {
                at.push(name);
                // A link may lead to itself.
                if links < MOST_LINKS
                    && let Ok(target) = fs::read_link(&at)
                {
                    at.pop();
                    at = followed(&at.join(target), links + 1);
                }
            }
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    struct Project(tempfile::TempDir);

    impl Project {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            for name in ["history", "scratchpad/deep", "../elsewhere"] {
                fs::create_dir_all(folder.path().join("p/.context").join(name)).expect("made");
            }
            Self(folder)
        }

        fn look(&self, path: &str) -> Vec<Lies> {
            let context = Inside::of(&self.0.path().join("p/.context"));
            context.look(&self.0.path().join("p").join(path)).into_iter().collect()
        }

        fn link(&self, target: &str, name: &str) {
            symlink(target, self.0.path().join("p").join(name)).expect("linked");
        }
    }

    fn inside(path: &str) -> Vec<Lies> {
        vec![Lies::In(path.to_owned())]
    }

    #[test]
    fn dots_do_not_hide_a_path() {
        let project = Project::new();
        assert_eq!(project.look(".context/history/new.jsonl"), inside("history/new.jsonl"));
        assert_eq!(project.look("src/../.context/./scratchpad/../history/a"), inside("history/a"));
        assert_eq!(project.look(".context"), inside("."));
        assert_eq!(project.look("src/main.rs"), []);
        assert_eq!(project.look(".contextual/a"), []);
    }

    #[test]
    fn links_do_not_hide_a_path() {
        let project = Project::new();
        project.link(".context", "notes");
        assert_eq!(project.look("notes/history/a"), inside("history/a"));
        project.link("../history/made-later", ".context/scratchpad/harmless");
        assert_eq!(project.look(".context/scratchpad/harmless"), inside("history/made-later"));
        project.link(".context/scratchpad/deep", "deep");
        assert_eq!(project.look("deep/../../history/a"), inside("history/a"));
        project.link("round", "round");
        assert_eq!(project.look("round/a"), []);
    }

    #[test]
    fn the_folders_above_are_known() {
        let project = Project::new();
        assert_eq!(project.look("."), [Lies::Above]);
        assert_eq!(project.look("../p"), [Lies::Above]);
        assert_eq!(project.look("elsewhere"), []);
    }

    #[test]
    fn a_context_that_is_a_link_is_the_folder_behind_it() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("store/history")).expect("made");
        symlink("store", folder.path().join(".context")).expect("linked");
        let context = Inside::of(&folder.path().join(".context"));
        let found: Vec<_> = context.look(&folder.path().join("store/history/a")).into_iter().collect();
        assert_eq!(found, inside("history/a"));
    }
}
