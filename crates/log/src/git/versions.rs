//! What commits made of one file: its versions on every branch, each with those before it, and the names that it had.
//!
//! Asks the program git, so it is for commands that a person waits for. Knows nothing of `.context`.

use std::collections::{BTreeMap, BTreeSet};

use super::program::Ask;
use super::{BlobId, GitError, Repository};

/// A version of a file: a commit that changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileVersion {
    /// The commit.
    pub id: String,
    /// The commits before it that changed the file.
    pub parents: Vec<String>,
    /// Who made it: an address.
    pub author: String,
    /// When it was first made, in seconds since 1970.
    pub authored: i64,
    /// When this copy of it was made, in seconds since 1970.
    pub committed: i64,
    /// The commit that it takes back, as its message says.
    pub reverts: Option<String>,
    /// The name that the file had, from the top of the work tree.
    pub path: String,
    /// Its content; `None` where the file is gone.
    pub content: Option<Vec<u8>>,
}

/// The versions of a file, each behind those before it, and all names that it had.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileVersions {
    /// The versions.
    pub versions: Vec<FileVersion>,
    /// The names, from the top of the work tree: the one that was asked for first.
    pub names: Vec<String>,
    /// Versions before the oldest of these, which are not read.
    pub left_out: usize,
}

/// A file has had at most so many names before.
const MOST_NAMES: usize = 8;

/// More versions than this are not read of a file: the newest are.
const MOST_VERSIONS: usize = 4000;

/// A version longer than this counts as no text, in bytes.
const MOST_BYTES: usize = 4 << 20;

/// Refs that hold commits: a stash or a reflog does not.
const REFS: [&str; 4] = ["--branches", "--tags", "--remotes", "HEAD"];

impl Repository {
    /// The versions of a file on every branch, and on a revision that is named beside them.
    pub fn file_versions(&self, path: &str, also: Option<&str>) -> Result<FileVersions, GitError> {
        let mut names = vec![path.to_owned()];
        if path.contains('\n') || !self.has_commit("HEAD")? {
            return Ok(FileVersions { names, ..FileVersions::default() });
        }
        loop {
            let found = self.versions_of(&names, also)?;
            let before = self.name_before(&found.versions, &names)?.filter(|_| names.len() < MOST_NAMES);
            match before {
                Some(before) => names.push(before),
                None => return Ok(found),
            }
        }
    }

    fn versions_of(&self, names: &[String], also: Option<&str>) -> Result<FileVersions, GitError> {
        let paths: Vec<String> = names.iter().map(|name| format!(":(top,literal){name}")).collect();
        let format = "--format=%H %P%n%ae%n%at %ct%n%B";
        let options = ["--full-history", "--simplify-merges", "--parents", "--date-order", "--reverse", format];
        let asked: Vec<&str> =
            options.into_iter().chain(REFS).chain(also).chain(["--"]).chain(paths.iter().map(String::as_str)).collect();
        let mut versions: Vec<FileVersion> =
            self.fields("log", &asked)?.iter().filter_map(|text| version(text)).collect();
        let left_out = versions.len().saturating_sub(MOST_VERSIONS);
        versions.drain(..left_out);
        self.fill(&mut versions, names)?;
        Ok(FileVersions { versions, names: names.to_vec(), left_out })
    }

    /// The name and the content that each version has.
    fn fill(&self, versions: &mut [FileVersion], names: &[String]) -> Result<(), GitError> {
        let pairs: Vec<(usize, &String)> =
            (0..versions.len()).flat_map(|at| names.iter().map(move |name| (at, name))).collect();
        let requests: Vec<_> =
            pairs.iter().map(|(at, name)| format!("{}:{name}", versions[*at].id).into_bytes()).collect();
        let mut blobs: BTreeMap<usize, (usize, BlobId)> = BTreeMap::new();
        self.objects(Ask::Names, &requests, |answer| {
            let (at, name) = (pairs[answer.request].0, answer.request % names.len());
            if let (true, Some(id)) = (answer.kind == "blob", BlobId::parse(answer.id)) {
                let first = blobs.entry(at).or_insert((name, id.clone()));
                if name < first.0 {
                    *first = (name, id);
                }
            }
        })?;
        let ids: BTreeSet<BlobId> = blobs.values().map(|(_, id)| id.clone()).collect();
        let contents = self.contents(&ids)?;
        for (at, (name, id)) in blobs {
            versions[at].path.clone_from(&names[name]);
            versions[at].content = contents.get(&id).filter(|content| content.len() <= MOST_BYTES).cloned();
        }
        Ok(())
    }

    /// The name that the file had before it came to one of these, where a commit renamed it.
    fn name_before(&self, versions: &[FileVersion], names: &[String]) -> Result<Option<String>, GitError> {
        let has_text = |id: &String| versions.iter().any(|version| version.id == *id && version.content.is_some());
        let begins =
            versions.iter().filter(|version| version.content.is_some() && !version.parents.iter().any(has_text));
        for version in begins {
            let asked = ["-r", "-M", "--no-commit-id", "--diff-filter=R", "--name-status", version.id.as_str()];
            let fields = self.fields("diff-tree", &asked)?;
            let renamed = fields.chunks_exact(3).find(|change| change[2] == version.path);
            if let Some(before) = renamed.map(|change| &change[1]).filter(|before| !names.contains(before)) {
                return Ok(Some(before.clone()));
            }
        }
        Ok(None)
    }

    /// The last commit up to a revision that changed a file of one of these names; `None` where there is none.
    pub fn last_version(&self, revision: &str, names: &[String]) -> Result<Option<String>, GitError> {
        let paths: Vec<String> = names.iter().map(|name| format!(":(top,literal){name}")).collect();
        let asked: Vec<&str> =
            ["-1", "--format=%H", revision, "--"].into_iter().chain(paths.iter().map(String::as_str)).collect();
        Ok(self.lines("log", &asked)?.into_iter().next())
    }

    /// The id of the commit that a text names; `None` where it names none.
    pub fn commit_named(&self, text: &str) -> Result<Option<String>, GitError> {
        if text.is_empty() || text.starts_with('-') || text.contains(['\n', ' ']) {
            return Ok(None);
        }
        let mut found = None;
        self.objects(Ask::Names, &[format!("{text}^{{commit}}").into_bytes()], |answer| {
            found = (answer.kind == "commit").then(|| answer.id.to_owned());
        })?;
        Ok(found)
    }

    /// The files that a commit added or changed, from the top of the work tree; of a merge those that differ from every parent.
    pub fn files_of_commit(&self, id: &str) -> Result<Vec<String>, GitError> {
        let asked = ["-r", "-c", "--root", "--no-renames", "--no-commit-id", "--diff-filter=AM", "--name-only", id];
        self.fields("diff-tree", &asked)
    }
}

/// Commit and parents, who, when, and the message.
fn version(text: &str) -> Option<FileVersion> {
    let mut lines = text.trim_start_matches('\n').splitn(4, '\n');
    let mut ids = lines.next()?.split(' ').filter(|id| !id.is_empty()).map(str::to_owned);
    let id = ids.next()?;
    let author = lines.next()?.to_owned();
    let (authored, committed) = lines.next()?.split_once(' ')?;
    let reverts = lines.next().and_then(reverted).map(str::to_owned);
    Some(FileVersion {
        id,
        parents: ids.collect(),
        author,
        authored: authored.parse().ok()?,
        committed: committed.parse().ok()?,
        reverts,
        path: String::new(),
        content: None,
    })
}

/// `This reverts commit …`, as git writes it.
fn reverted(message: &str) -> Option<&str> {
    let rest = message.split("This reverts commit ").nth(1)?;
    let id = &rest[..rest.bytes().take_while(u8::is_ascii_hexdigit).count()];
    (id.len() >= 7).then_some(id)
}
