//! Which files below `.context` the tips of branches, tags and remote branches hold, and heads of work trees.
//!
//! Asks the program git, so it is for commands and not for hooks. Stashes and the log of refs hold nothing: they go away.

use std::collections::{BTreeMap, BTreeSet};

use super::program::Ask;
use super::tree::{TreeKind, entries};
use super::{BlobId, GitError, Repository};

/// What tips hold of the paths that were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeldPaths {
    /// By path below `.context`, each content that some tip has for it.
    pub blobs: BTreeMap<String, BTreeSet<BlobId>>,
    /// How many tips were asked.
    pub tips: usize,
    /// How many different `.context` folders they had.
    pub folders: usize,
    /// Folders, with a slash at the end, that some tip has and that are not here, in a partial clone; the empty one is
    /// `.context` itself.
    pub unfetched: BTreeSet<String>,
}

/// Folders that are still to be looked into: where each lies, and which folders of git's stand there in some tip.
type Level = BTreeMap<String, BTreeSet<BlobId>>;

impl Repository {
    /// Which of some paths below `.context` some tip holds.
    pub fn held(&self, paths: &BTreeSet<String>) -> Result<HeldPaths, GitError> {
        self.held_of(&Wanted::Paths(paths))
    }

    /// Everything below a folder of `.context` that some tip holds.
    pub(crate) fn held_below(&self, folder: &str) -> Result<HeldPaths, GitError> {
        self.held_of(&Wanted::Below(format!("{folder}/")))
    }

    fn held_of(&self, wanted: &Wanted<'_>) -> Result<HeldPaths, GitError> {
        let tips = self.tips()?;
        let folders = self.folders(&tips)?;
        let mut held = HeldPaths { tips: tips.len(), folders: folders.len(), ..HeldPaths::default() };
        if self.is_partial() && self.has_unfetched(&tips)? {
            held.unfetched.insert(String::new());
        }
        let mut level = Level::from([(String::new(), folders)]);
        while !level.is_empty() {
            level = self.look_into(&level, wanted, &mut held)?;
        }
        Ok(held)
    }

    /// Contents by their ids; one that is not there is left out.
    pub fn contents(&self, ids: &BTreeSet<BlobId>) -> Result<BTreeMap<BlobId, Vec<u8>>, GitError> {
        let ids: Vec<_> = ids.iter().collect();
        let requests: Vec<_> = ids.iter().map(|id| id.as_str().as_bytes().to_vec()).collect();
        let mut contents = BTreeMap::new();
        self.objects(Ask::Contents, &requests, |answer| {
            if answer.kind == "blob" {
                contents.insert(ids[answer.request].clone(), answer.content.to_vec());
            }
        })?;
        Ok(contents)
    }

    /// What refs point at, each once.
    fn tips(&self) -> Result<BTreeSet<String>, GitError> {
        // A stash or a reflog holds nothing (decision 42): what they alone have may be gone for good tomorrow.
        let refs = ["--format=%(objectname)", "refs/heads", "refs/tags", "refs/remotes"];
        let mut tips: BTreeSet<_> = self.lines("for-each-ref", &refs)?.into_iter().collect();
        let work_trees = self.lines("worktree", &["list", "--porcelain"])?;
        let heads = work_trees.iter().filter_map(|line| line.strip_prefix("HEAD "));
        // A branch without a commit has a head of zeros.
        tips.extend(heads.filter(|id| id.bytes().any(|digit| digit != b'0')).map(str::to_owned));
        Ok(tips)
    }

    /// The different folders that tips have where `.context` is: thousands of tags have few.
    fn folders(&self, tips: &BTreeSet<String>) -> Result<BTreeSet<BlobId>, GitError> {
        // `cat-file` reads one request a line: a newline in a name would make two of it.
        if self.prefix.contains(&b'\n') {
            let says = ".context lies below a folder with a newline in its name".to_owned();
            return Err(GitError::Failed { command: "cat-file", says });
        }
        let request = |tip: &String| match self.prefix.as_slice() {
            [] => format!("{tip}^{{tree}}").into_bytes(),
            prefix => [tip.as_bytes(), b":", prefix].concat(),
        };
        let requests: Vec<_> = tips.iter().map(request).collect();
        let mut folders = BTreeSet::new();
        self.objects(Ask::Names, &requests, |answer| {
            if answer.kind == "tree" {
                folders.extend(BlobId::parse(answer.id));
            }
        })?;
        Ok(folders)
    }

    /// Whether a folder on the way to `.context`, or that itself, is not here for some tip: a partial clone may have no trees.
    fn has_unfetched(&self, tips: &BTreeSet<String>) -> Result<bool, GitError> {
        let mut commits = BTreeSet::new();
        let requests: Vec<_> = tips.iter().map(|tip| format!("{tip}^{{commit}}").into_bytes()).collect();
        self.objects(Ask::Names, &requests, |answer| {
            commits.insert(answer.id.to_owned());
        })?;
        let mut asked: BTreeSet<_> = commits.iter().map(|id| format!("{id}^{{tree}}")).collect();
        for step in self.prefix.split(|byte| *byte == b'/').filter(|step| !step.is_empty()) {
            let (mut answered, mut next) = (0, BTreeSet::new());
            let requests: Vec<_> = asked.iter().map(|id| id.clone().into_bytes()).collect();
            self.objects(Ask::Contents, &requests, |answer| {
                answered += 1;
                let found = entries(answer.content, self.hash.len()).find(|entry| entry.name == step);
                next.extend(found.filter(|entry| entry.kind == TreeKind::Folder).map(|entry| entry.id.to_string()));
            })?;
            if answered < asked.len() {
                return Ok(true);
            }
            asked = next;
        }
        let mut answered = 0;
        let requests: Vec<_> = asked.iter().map(|id| id.clone().into_bytes()).collect();
        self.objects(Ask::Names, &requests, |_| answered += 1)?;
        Ok(answered < asked.len())
    }

    /// Takes what these folders hold, and gives those in them that lead to something wanted.
    fn look_into(&self, level: &Level, wanted: &Wanted<'_>, held: &mut HeldPaths) -> Result<Level, GitError> {
        let asked: Vec<_> = level.iter().flat_map(|(at, ids)| ids.iter().map(move |id| (at, id))).collect();
        let requests: Vec<_> = asked.iter().map(|(_, id)| id.as_str().as_bytes().to_vec()).collect();
        let (mut next, mut unseen) = (Level::new(), asked.iter().map(|_| true).collect::<Vec<_>>());
        self.objects(Ask::Contents, &requests, |answer| {
            let (at, _) = asked[answer.request];
            unseen[answer.request] = false;
            for entry in entries(answer.content, self.hash.len()) {
                // Names of ours are ASCII; what is not is no file of the log.
                let Ok(name) = std::str::from_utf8(entry.name) else { continue };
                let path = format!("{at}{name}");
                match entry.kind {
                    TreeKind::File if wanted.is_met_by(&path) => {
                        held.blobs.entry(path).or_default().insert(entry.id);
                    }
                    TreeKind::Folder if wanted.may_be_in(&format!("{path}/")) => {
                        next.entry(format!("{path}/")).or_default().insert(entry.id);
                    }
                    TreeKind::File | TreeKind::Folder | TreeKind::Other => {}
                }
            }
        })?;
        if self.is_partial() {
            held.unfetched
                .extend(asked.iter().zip(unseen).filter(|(_, unseen)| *unseen).map(|((at, _), _)| (*at).clone()));
        }
        Ok(next)
    }
}

/// What is asked for.
enum Wanted<'w> {
    Paths(&'w BTreeSet<String>),
    /// Everything whose path begins like this.
    Below(String),
}

impl Wanted<'_> {
    fn is_met_by(&self, path: &str) -> bool {
        match self {
            Self::Paths(paths) => paths.contains(path),
            Self::Below(start) => path.starts_with(start),
        }
    }

    /// Whether a folder, with a slash at its end, may hold some of it.
    fn may_be_in(&self, folder: &str) -> bool {
        match self {
            Self::Paths(paths) => paths.range(folder.to_owned()..).next().is_some_and(|path| path.starts_with(folder)),
            Self::Below(start) => start.starts_with(folder) || folder.starts_with(start),
        }
    }
}
