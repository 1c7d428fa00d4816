//! Which file, and which of its lines, a person means.

use std::path::{Component, Path, PathBuf};

use crate::cli::shell::{Shell, Usage};
use crate::log::git::Repository;
use crate::view::blame::{Asked, BlameSessions};

/// A file of the project, and some of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct FilePlace {
    /// From the folder of the project.
    pub path: String,
    /// All where none is said.
    pub lines: Option<BlamedPlace>,
}

/// Lines from one to another, both with them, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct BlamedPlace {
    /// The first.
    pub first: usize,
    /// The last.
    pub last: usize,
}

/// Finds the file: from the working directory, else from the folder of the project. One of a commit need not be there.
pub(in crate::cli) fn find(shell: &Shell, text: &str, commit: Option<&str>) -> anyhow::Result<FilePlace> {
    let whole = |text: &str| in_project(shell, text);
    let is_there = |path: &Option<String>| {
        path.as_ref().is_some_and(|path| project(shell).is_ok_and(|project| project.join(path).is_file()))
    };
    let (path, lines) = match text.rsplit_once(':').and_then(|(path, lines)| Some((path, read_lines(lines)?))) {
        // A file may be called so.
        Some((path, lines)) if !is_there(&whole(text)?) => (path, Some(lines)),
        Some(_) | None => (text, None),
    };
    if lines.is_some_and(|lines| lines.first == 0 || lines.last < lines.first) {
        return Err(Usage(format!("{text}: lines are counted from 1, as in {path}:12 or {path}:12-20")).into());
    }
    let mut found = whole(path)?;
    if commit.is_none() && !is_there(&found) {
        found = from_project(path).filter(|path| is_there(&Some(path.clone()))).or(found);
    }
    let path = found.ok_or_else(|| Usage(format!("{path} lies outside the project")))?;
    Ok(FilePlace { path, lines })
}

fn read_lines(text: &str) -> Option<BlamedPlace> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some(BlamedPlace { first: first.parse().ok()?, last: last.parse().ok()? })
}

/// The folder of the project: the one that has `.context`.
pub(in crate::cli) fn project(shell: &Shell) -> anyhow::Result<PathBuf> {
    let context = shell.context()?;
    Ok(context.canonicalize().unwrap_or(context).parent().map(Path::to_owned).unwrap_or_default())
}

/// A path from the working directory as one from the folder of the project; `None` where it lies outside.
fn in_project(shell: &Shell, text: &str) -> anyhow::Result<Option<String>> {
    let directory = &shell.environment.directory;
    let directory = directory.canonicalize().unwrap_or_else(|_| directory.clone());
    let whole = plain(&directory.join(text));
    Ok(whole.strip_prefix(project(shell)?).ok().and_then(|path| from_project(&path.to_string_lossy())))
}

fn from_project(text: &str) -> Option<String> {
    let path = plain(Path::new(text));
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    (is_inside && !path.as_os_str().is_empty()).then(|| path.to_string_lossy().into_owned())
}

/// Without `.` and `..`, as far as the text goes: links are not followed, because the record does not either.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => drop(plain.pop()),
            Component::Prefix(_) | Component::RootDir | Component::ParentDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}

/// What is asked of a file.
pub(in crate::cli) fn asked(
    shell: &Shell,
    path: String,
    revision: Option<String>,
    sessions: BlameSessions,
) -> anyhow::Result<Asked> {
    let home = shell.environment.home.as_ref().map(|home| home.to_string_lossy().into_owned());
    Ok(Asked { project: project(shell)?, home, path, revision, sessions })
}

/// The repository of the project, where there is one.
pub(in crate::cli) fn repository(shell: &Shell) -> anyhow::Result<Option<Repository>> {
    Ok(Repository::discover(&shell.context()?, &shell.environment.git)?)
}
