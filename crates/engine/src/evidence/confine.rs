//! Finds a cited file without ever looking outside the project: not even to see whether something is there.
//!
//! Links are followed by hand, a step at a time, so that one that leads out is noticed before it is followed.

use std::fs;
use std::path::{Component, Path, PathBuf};

use annals_kernel::grounding::Escape;

/// More links than this, one after another, lead in a circle.
// Linux gives up at as many, path_resolution(7).
const MOST_LINKS: usize = 40;
/// Longer than this no path is.
const MOST_BYTES: usize = 4096;
/// What `annals` itself writes of what was said. Citing it, a comment could prove itself.
const OWN: [&str; 3] = ["history", "local", "issues"];

/// Where a cited path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lies {
    /// To a place in the project without any link left in it.
    At {
        /// The project, without a link on the way to it.
        project: PathBuf,
        /// The place.
        file: PathBuf,
    },
    /// To nothing.
    Nowhere,
}

/// Follows a path below a project.
pub(super) fn find(project: &Path, cited: &str) -> Result<Lies, Escape> {
    let steps = steps(cited)?;
    let Ok(project) = project.canonicalize() else { return Ok(Lies::Nowhere) };
    Walk { at: project.clone(), project, links: 0, left: steps.into_iter().rev().collect() }.walk()
}

/// The names that a path goes through.
fn steps(cited: &str) -> Result<Vec<PathBuf>, Escape> {
    let is_malformed = cited.trim().is_empty() || cited.len() > MOST_BYTES || cited.contains('\0');
    if is_malformed {
        return Err(Escape::Malformed);
    }
    let mut steps = Vec::new();
    for component in Path::new(cited).components() {
        match component {
            Component::Prefix(_) | Component::RootDir => return Err(Escape::Absolute),
            Component::ParentDir => return Err(Escape::Parent),
            Component::CurDir => {}
            Component::Normal(name) => steps.push(name.into()),
        }
    }
    Ok(steps)
}

struct Walk {
    project: PathBuf,
    at: PathBuf,
    links: usize,
    /// What is still to be gone, the next step last.
    left: Vec<PathBuf>,
}

impl Walk {
    fn walk(mut self) -> Result<Lies, Escape> {
        while let Some(step) = self.left.pop() {
            if step == Path::new("..") {
                self.at.pop();
                self.stays_in()?;
                continue;
            }
            let next = self.at.join(&step);
            let Ok(metadata) = next.symlink_metadata() else { return Ok(Lies::Nowhere) };
            if metadata.is_symlink() {
                self.follow(&next)?;
            } else {
                self.at = next;
                self.is_no_record()?;
            }
        }
        Ok(Lies::At { project: self.project, file: self.at })
    }

    fn stays_in(&self) -> Result<(), Escape> {
        if self.at.starts_with(&self.project) { Ok(()) } else { Err(Escape::LinkOut) }
    }

    /// Puts the target of a link in its place. An absolute one may still lead into the project.
    fn follow(&mut self, link: &Path) -> Result<(), Escape> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(Escape::Malformed);
        }
        let Ok(target) = fs::read_link(link) else { return Err(Escape::LinkOut) };
        let below = if target.is_absolute() {
            self.at.clone_from(&self.project);
            target.strip_prefix(&self.project).map_err(|_| Escape::LinkOut)?
        } else {
            &target
        };
        let steps = below.components().filter(|component| *component != Component::CurDir);
        let steps: Vec<PathBuf> = steps.map(|component| component.as_os_str().into()).collect();
        self.left.extend(steps.into_iter().rev());
        Ok(())
    }

    /// The record of what was said is no evidence for it.
    fn is_no_record(&self) -> Result<(), Escape> {
        let below = self.at.strip_prefix(&self.project).unwrap_or(&self.at);
        // In small letters, because a file system may find `.CONTEXT` under that name, too.
        let mut names = below.components().map(|component| component.as_os_str().to_string_lossy().to_lowercase());
        let is_record = names.next().as_deref() == Some(".context")
            && names.next().is_some_and(|name| OWN.contains(&name.as_str()));
        if is_record { Err(Escape::OwnRecord) } else { Ok(()) }
    }
}
