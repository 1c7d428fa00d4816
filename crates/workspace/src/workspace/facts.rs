//! What a project under git is: asked of git once, without running anything of the project's.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::error::WorkspaceError;
use crate::git::{Git, GitError};

/// What a clone needs to know.
#[derive(Debug)]
pub(super) struct Facts {
    /// The folder of all files.
    pub top: PathBuf,
    /// Of this work tree: HEAD, the index.
    pub git_dir: PathBuf,
    /// `sha1` or `sha256`.
    pub format: String,
    pub head: Option<String>,
    /// Settings that say how files are stored, and run nothing.
    pub shape: Vec<Setting>,
    /// What is ignored besides what the folders say.
    pub rules: String,
    /// Where the objects lie, the project's own and those that it borrows.
    pub objects: Vec<PathBuf>,
    /// The file that says where history is cut off, where it is.
    pub shallow: Option<PathBuf>,
}

/// A setting and its value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub name: String,
    pub value: String,
}

/// How files are stored; none of these runs a program.
const SHAPE: &str =
    r"^core\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|trustctime|checkstat|sharedrepository)$";
/// More rules are not read.
const MOST_RULES: u64 = 1 << 20;
/// Objects that are borrowed from one who borrows, and so on.
const MOST_BORROWED: usize = 32;

/// Nothing, where the project is not under git: no `.git` is in it or above. One that git cannot use is an error.
pub(super) fn of(git: &Git, project: &Path) -> Result<Option<Facts>, WorkspaceError> {
    let Some(own) = project.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok()) else {
        let is_bare = project.join("HEAD").is_file() && project.join("objects").is_dir();
        return if is_bare { Err(WorkspaceError::Bare { project: project.to_owned() }) } else { Ok(None) };
    };
    let broken = |said: String| WorkspaceError::BrokenGit { path: own.join(".git"), said };
    let places = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--show-object-format"];
    let asked = git.of_project(project, "rev-parse").arg("--path-format=absolute").args(places).output();
    let said = match asked {
        Err(GitError::Failed { said, .. }) if said.contains("must be run in a work tree") => {
            return Err(WorkspaceError::Bare { project: project.to_owned() });
        }
        // Git's own words say then how the folder is trusted.
        Err(GitError::Failed { said, .. }) if !said.contains("dubious ownership") => return Err(broken(said)),
        other => String::from_utf8_lossy(&other?).into_owned(),
    };
    let lines: Vec<&str> = said.lines().collect();
    let [top, git_dir, common_dir, format] = lines[..] else {
        let said = format!("{} lines where four were expected", lines.len());
        return Err(GitError::Failed { verb: "rev-parse".to_owned(), said }.into());
    };
    // One that git cannot read is passed over by it, for the one of a folder above.
    let own_dir = own.join(".git");
    if !own_dir.is_file() && fs::canonicalize(&own_dir).ok() != fs::canonicalize(git_dir).ok() {
        return Err(broken(format!("git passes over it, and takes the one of {top}")));
    }
    let (git_dir, common_dir) = (PathBuf::from(git_dir), PathBuf::from(common_dir));
    let shallow = Some(common_dir.join("shallow")).filter(|file| file.is_file());
    Ok(Some(Facts {
        top: PathBuf::from(top),
        head: head(git, project)?,
        shape: shape(git, project)?,
        rules: rules(git, project, &common_dir)?,
        objects: objects(&common_dir.join("objects")),
        format: format.to_owned(),
        git_dir,
        shallow,
    }))
}

fn head(git: &Git, project: &Path) -> Result<Option<String>, GitError> {
    let output = git.of_project(project, "rev-parse").args(["--verify", "--quiet", "HEAD^{commit}"]).any_output()?;
    let id = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(Some(id).filter(|id| output.status.success() && !id.is_empty()))
}

fn shape(git: &Git, project: &Path) -> Result<Vec<Setting>, GitError> {
    // It ends with 1 where nothing is set.
    let output = git.of_project(project, "config").args(["-z", "--get-regexp", SHAPE]).any_output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let setting = |line: &str| {
        let (name, value) = line.split_once('\n')?;
        Some(Setting { name: name.to_owned(), value: value.to_owned() })
    };
    Ok(text.split('\0').filter_map(setting).collect())
}

/// The person's list for all projects, then the project's own that is in no commit.
fn rules(git: &Git, project: &Path, common_dir: &Path) -> Result<String, GitError> {
    let named = git.of_project(project, "config").args(["--type=path", "--get", "core.excludesFile"]).any_output()?;
    let named = String::from_utf8_lossy(&named.stdout).trim_end_matches('\n').to_owned();
    let everywhere = if named.is_empty() { git.usual_rules() } else { Some(project.join(named)) };
    let files = everywhere.into_iter().chain([common_dir.join("info/exclude")]);
    Ok(files.filter_map(|file| text(&file)).collect::<Vec<_>>().join("\n"))
}

fn text(file: &Path) -> Option<String> {
    if !fs::metadata(file).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    fs::File::open(file).ok()?.take(MOST_RULES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A folder of objects, and the folders that it borrows from.
fn objects(own: &Path) -> Vec<PathBuf> {
    let mut found = vec![own.to_owned()];
    let mut at = 0;
    while at < found.len() && found.len() < MOST_BORROWED {
        let folder = found[at].clone();
        for line in text(&folder.join("info/alternates")).unwrap_or_default().lines() {
            let borrowed = folder.join(line.trim());
            if !line.starts_with(['#', '"']) && !line.trim().is_empty() && !found.contains(&borrowed) {
                found.push(borrowed);
            }
        }
        at += 1;
    }
    found
}
