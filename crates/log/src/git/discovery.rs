//! Finds the repository that a `.context` folder stands in, as git does.
//!
//! Does not ask who owns it, as git does before it runs what a repository configures: nothing of it is run here.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::config::Config;
use super::index::IndexedAs;
use super::{GitEnvironment, GitError, Repository, path_of};

/// A file that names a folder is no longer than this.
const MOST_POINTER_BYTES: u64 = 64 << 10;

impl Repository {
    /// Finds it upward from `.context`; `None` where there is no work tree.
    ///
    /// Where `.context` is a link, the repository is the one it stands in if that tracks the link, else the one it leads to.
    pub fn discover(context: &Path, environment: &GitEnvironment) -> Result<Option<Self>, GitError> {
        let context = environment.directory.join(context);
        let here = resolved_parent(&context)?;
        if !here.is_symlink() {
            return find(&here, environment);
        }
        if let Some(repository) = find(&here, environment)? {
            let index = repository.index();
            if index.is_err() || index.is_ok_and(|index| index.context() == Some(IndexedAs::Link)) {
                return Ok(Some(repository));
            }
        }
        find(&canonical(&here)?, environment)
    }
}

fn resolved_parent(context: &Path) -> Result<PathBuf, GitError> {
    match (context.parent(), context.file_name()) {
        (Some(parent), Some(name)) => Ok(canonical(parent)?.join(name)),
        (_, _) => canonical(context),
    }
}

fn canonical(path: &Path) -> Result<PathBuf, GitError> {
    path.canonicalize().map_err(GitError::at("resolve", path))
}

/// The repository with the deepest work tree: one that the environment names may hold the folder of another.
fn find(context: &Path, environment: &GitEnvironment) -> Result<Option<Repository>, GitError> {
    let named = named(context, environment)?;
    let above = above(context, environment)?;
    let depth = |repository: &Repository| repository.root.components().count();
    // A hook of one repository has its `GIT_DIR`, wherever it goes: a folder that has a `.git` belongs to that one.
    let is_anothers = |named: &Repository, above: &Repository| {
        environment.work_tree().is_none() && named.root == above.root && named.git_dir != above.git_dir
    };
    Ok(match (named, above) {
        (Some(named), Some(above)) if depth(&named) < depth(&above) || is_anothers(&named, &above) => Some(above),
        (named, above) => named.or(above),
    })
}

/// The one that `GIT_DIR` names, if `.context` is in its work tree.
fn named(context: &Path, environment: &GitEnvironment) -> Result<Option<Repository>, GitError> {
    let Some(git_dir) = &environment.git_dir else { return Ok(None) };
    let Kind::GitDir(git_dir) = kind_of(&environment.directory.join(git_dir))? else { return Ok(None) };
    let found = FoundGit::of(git_dir)?;
    let Some(root) = found.root(environment.work_tree(), &environment.directory)? else { return Ok(None) };
    Ok(found.repository(&root, context, environment))
}

/// The nearest one whose `.git` stands in a folder above. A folder that only looks like a bare repository is passed over:
/// git takes such a one from whoever filled a repository with its parts.
fn above(context: &Path, environment: &GitEnvironment) -> Result<Option<Repository>, GitError> {
    for folder in context.ancestors() {
        match kind_of(&folder.join(".git"))? {
            Kind::Other => {}
            Kind::GitDir(git_dir) => {
                let found = FoundGit::of(git_dir)?;
                // Beside `GIT_DIR`, the work tree that the environment names is that one's.
                let named = environment.git_dir.is_none().then(|| environment.work_tree()).flatten();
                let Some(root) = found.root(named, folder)? else { return Ok(None) };
                return Ok(found.repository(&root, context, environment));
            }
        }
    }
    Ok(None)
}

enum Kind {
    GitDir(PathBuf),
    /// Nothing, or something that git passes over.
    Other,
}

/// What a `.git` is: a git directory, a file that leads to one, or neither.
fn kind_of(path: &Path) -> Result<Kind, GitError> {
    let broken = |why: &str| Err(GitError::Broken { path: path.to_owned(), why: why.to_owned() });
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Kind::Other);
        }
        Err(error) => return Err(GitError::at("look at", path)(error)),
    };
    if metadata.is_dir() {
        return match (is_git_dir(path), path.join("index").exists() || path.join("objects").exists()) {
            (true, _) => Ok(Kind::GitDir(canonical(path)?)),
            (false, true) => broken("it has no HEAD"),
            // git passes over a folder that merely has the name.
            (false, false) => Ok(Kind::Other),
        };
    }
    let text = pointer(path)?.unwrap_or_default();
    let Some(target) = text.strip_prefix(b"gitdir: ") else { return broken("it does not say `gitdir: `") };
    let target = path.parent().unwrap_or(Path::new("/")).join(path_of(target));
    if !is_git_dir(&target) {
        return broken(&format!("{} is no git directory", target.display()));
    }
    Ok(Kind::GitDir(canonical(&target)?))
}

/// `HEAD` and either the objects or the way to them.
fn is_git_dir(path: &Path) -> bool {
    path.join("HEAD").symlink_metadata().is_ok() && (path.join("objects").is_dir() || path.join("commondir").is_file())
}

/// A file that holds a path; `None` where there is none.
fn pointer(path: &Path) -> Result<Option<Vec<u8>>, GitError> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(GitError::at("open", path)(error)),
    };
    let mut text = Vec::new();
    file.take(MOST_POINTER_BYTES).read_to_end(&mut text).map_err(GitError::at("read", path))?;
    while text.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        text.pop();
    }
    Ok(Some(text))
}

/// A git directory and what it says of itself.
struct FoundGit {
    git_dir: PathBuf,
    common_dir: PathBuf,
    config: Config,
}

impl FoundGit {
    fn of(git_dir: PathBuf) -> Result<Self, GitError> {
        let shared = pointer(&git_dir.join("commondir"))?;
        let common_dir = match &shared {
            Some(path) => canonical(&git_dir.join(path_of(path)))?,
            None => git_dir.clone(),
        };
        let mut config = Config::default();
        config.read(&common_dir.join("config"))?;
        if shared.is_some() {
            // What the shared file says of the main work tree says nothing of a linked one.
            (config.is_bare, config.work_tree) = (false, None);
        }
        if config.has_own {
            config.read(&git_dir.join("config.worktree"))?;
        }
        Ok(Self { git_dir, common_dir, config })
    }

    /// The top of the work tree: named, configured, or where it usually is; none of a bare repository.
    fn root(&self, named: Option<PathBuf>, usual: &Path) -> Result<Option<PathBuf>, GitError> {
        let configured = || self.config.work_tree.as_ref().map(|path| self.git_dir.join(path_of(path)));
        let usual = || (!self.config.is_bare).then(|| usual.to_owned());
        named.or_else(configured).or_else(usual).map(|path| canonical(&path)).transpose()
    }

    fn repository(self, root: &Path, context: &Path, environment: &GitEnvironment) -> Option<Repository> {
        let prefix = context.strip_prefix(root).ok()?.as_os_str().as_bytes().to_owned();
        let index = self.git_dir.join("index");
        let other_index = environment.index_file.as_ref().map(|path| {
            // git resolves it at the top of the work tree, where hooks run, too.
            let at_root = root.join(path);
            if at_root.exists() { at_root } else { environment.directory.join(path) }
        });
        Some(Repository {
            root: root.to_owned(),
            common_dir: self.common_dir,
            prefix,
            other_index: other_index.filter(|other| *other != index),
            hash: self.config.hash,
            is_partial: self.config.is_partial,
            git_dir: self.git_dir,
        })
    }
}
