//! Which files a command line with code in it changed, told by when files changed last, before and after it.
//!
//! Looks at no content. What git ignores is left out: that is where builds and tests leave things.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use annals_kernel::call::{Act, acts};

use crate::beneath::{Kind, NotReached};
use crate::walk::{Passing, all};
use crate::workspace::Workspace;

/// What runs code that stands in the command line, and the option before that.
const INTERPRETERS: &[(&str, &[&str])] = &[
    ("python", &["-c"]),
    ("node", &["-e", "-p", "--eval", "--print"]),
    ("deno", &["eval"]),
    ("bun", &["-e", "--eval"]),
    ("perl", &["-e", "-E"]),
    ("ruby", &["-e"]),
    ("php", &["-r"]),
    ("awk", &[]),
    ("gawk", &[]),
];

/// Each file, and when it changed last.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stamps(BTreeMap<PathBuf, i128>);

impl Stamps {
    /// As they are now.
    pub(crate) fn of(workspace: &Workspace) -> Result<Self, NotReached> {
        let all = all(workspace.root(), Passing::Ignored, workspace.rules())?;
        let files = all.into_iter().filter(|(_, about)| about.kind != Kind::Folder);
        Ok(Self(files.map(|(path, about)| (path, about.changed)).collect()))
    }

    /// What was there and is changed or gone, and what is new and named by the line.
    pub(crate) fn changed(&self, later: &Self, line: &str) -> Vec<PathBuf> {
        let gone = self.0.iter().filter(|(path, stamp)| later.0.get(*path) != Some(stamp)).map(|(path, _)| path);
        let is_named = |path: &Path| path.file_name().is_some_and(|name| line.contains(&*name.to_string_lossy()));
        let new = later.0.keys().filter(|path| !self.0.contains_key(*path) && is_named(path));
        gone.chain(new).cloned().collect()
    }
}

/// Whether code stands in the line itself, and not in a file of the project.
pub(crate) fn has_code(line: &str) -> bool {
    acts(line).iter().any(runs_code)
}

fn runs_code(act: &Act<'_>) -> bool {
    let name = act.program().trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let Some((_, options)) = INTERPRETERS.iter().find(|(program, _)| *program == name) else { return false };
    options.is_empty() || act.documents().next().is_some() || act.words().any(|word| options.contains(&word))
}
