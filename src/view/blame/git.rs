//! The versions of a file that git has, and the text whose lines are asked for.
//!
//! Runs nothing of the repository: `log::git` asks the program git so.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use super::{Asked, BlameError, MOST_BYTES, recorded};
use crate::blame::{Target, Text, Version};
use crate::import::places::Places;
use crate::log::git::{FileVersions, GitError, Repository};

/// The path of a file from the top of the work tree, and from the folder of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePath {
    /// The folder of the project from the top, empty or with a slash behind it.
    prefix: String,
}

impl FilePath {
    pub(super) fn of(repository: &Repository) -> Self {
        let context = String::from_utf8_lossy(repository.prefix()).into_owned();
        Self { prefix: context.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default() }
    }

    /// A file of the project, from the top.
    pub fn from_top(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// A file of the work tree, from the project; with `../` where it lies beside it.
    pub fn from_project(&self, path: &str) -> String {
        path.strip_prefix(&self.prefix).map_or_else(|| format!("../{path}"), str::to_owned)
    }
}

/// What git knows of a file.
#[derive(Debug)]
pub struct Past {
    /// Nothing, where there is no repository.
    known: Option<KnownPast>,
}

#[derive(Debug)]
struct KnownPast {
    paths: FilePath,
    file: FileVersions,
    /// The version that is asked for, or stands behind the work tree.
    last: Option<usize>,
    revision: Option<String>,
}

impl Past {
    /// Reads the versions.
    pub(super) fn read(repository: Option<&Repository>, asked: &Asked) -> Result<Self, BlameError> {
        let Some(repository) = repository else { return Self::without(asked) };
        let paths = FilePath::of(repository);
        let named = asked.revision.as_deref();
        let revision = named.map(|name| repository.commit_named(name)).transpose()?.flatten();
        if let (Some(name), None) = (named, &revision) {
            return Err(BlameError::NoCommit(name.to_owned()));
        }
        let file = match repository.file_versions(&paths.from_top(&asked.path), revision.as_deref()) {
            // Without the program git only what the record says is known.
            Err(GitError::NoProgram) if revision.is_none() => return Ok(Self { known: None }),
            file => file?,
        };
        let last = if file.versions.is_empty() {
            None
        } else {
            repository.last_version(revision.as_deref().unwrap_or("HEAD"), &file.names)?
        };
        let last = last.and_then(|id| file.versions.iter().position(|version| version.id == id));
        Ok(Self { known: Some(KnownPast { paths, file, last, revision }) })
    }

    fn without(asked: &Asked) -> Result<Self, BlameError> {
        match &asked.revision {
            Some(revision) => Err(BlameError::NoCommit(revision.clone())),
            None => Ok(Self { known: None }),
        }
    }

    /// The names that the file had, from the folder of the project.
    pub(super) fn names(&self, asked: &Asked) -> BTreeSet<String> {
        let known = self.known.iter();
        let before = known.flat_map(|past| past.file.names.iter().map(|name| past.paths.from_project(name)));
        before.chain([asked.path.clone()]).collect()
    }

    pub(super) fn revision(&self) -> Option<String> {
        self.known.as_ref()?.revision.clone()
    }

    pub(super) fn left_out(&self) -> usize {
        self.known.as_ref().map_or(0, |past| past.file.left_out)
    }

    /// The versions as `blame` takes them, with paths in their texts as the record has them.
    pub(super) fn versions(&self, places: &Places) -> Vec<Version> {
        let Some(past) = &self.known else { return Vec::new() };
        let versions = &past.file.versions;
        let at = |id: &String| versions.iter().position(|version| version.id == *id);
        let version = |version: &crate::log::git::FileVersion| Version {
            id: version.id.clone(),
            parents: version.parents.iter().filter_map(at).collect(),
            author: version.author.clone(),
            authored: version.authored,
            committed: version.committed,
            reverts: version.reverts.clone(),
            path: past.paths.from_project(&version.path),
            text: version.content.as_deref().and_then(text_in).map(|text| recorded(text, places)),
        };
        versions.iter().map(version).collect()
    }

    /// The text that is asked for, and its lines as they are.
    pub(super) fn target(&self, asked: &Asked, places: &Places) -> Result<(Target, Vec<String>), BlameError> {
        let last = self.known.as_ref().and_then(|past| past.last);
        if asked.revision.is_some() {
            let no_file = || BlameError::NoFile { path: asked.path.clone(), revision: asked.revision.clone() };
            let past = self.known.as_ref().ok_or_else(no_file)?;
            let at = last.ok_or_else(no_file)?;
            let content = past.file.versions[at].content.as_deref().ok_or_else(no_file)?;
            let text = text_in(content).ok_or_else(|| BlameError::NoText(asked.path.clone()))?;
            return Ok((Target::Version(at), lines(text)));
        }
        let text = on_disk(&asked.project.join(&asked.path), &asked.path)?;
        let target = Target::Now { behind: last, path: asked.path.clone(), text: recorded(&text, places) };
        Ok((target, lines(&text)))
    }
}

fn text_in(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

fn lines(text: &str) -> Vec<String> {
    Text::of(text).lines.iter().map(ToString::to_string).collect()
}

/// The file as it is; nothing but a file is opened.
fn on_disk(path: &Path, name: &str) -> Result<String, BlameError> {
    let cannot = |source| BlameError::Unreadable { path: name.to_owned(), source };
    let no_file = || BlameError::NoFile { path: name.to_owned(), revision: None };
    let about = match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(no_file()),
        about => about.map_err(cannot)?,
    };
    if !about.is_file() {
        return Err(no_file());
    }
    if about.len() > MOST_BYTES {
        return Err(BlameError::TooLarge { path: name.to_owned(), bytes: about.len() });
    }
    let mut bytes = Vec::new();
    fs::File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes)).map_err(cannot)?;
    text_in(&bytes).map(str::to_owned).ok_or_else(|| BlameError::NoText(name.to_owned()))
}
