//! What commits did to segments, at whichever place of the tree the `.context` folder stood then: names of segments are
//! unique, and folders move.
//!
//! Asks the program git for every commit, so it is for commands that miss lines or remove them. Knows no lines.

use std::collections::{BTreeMap, BTreeSet};

use super::{BlobId, GitError, Repository};

/// Of a merge every parent counts, and of a renamed file both names.
const EVERY_CHANGE: [&str; 5] = ["-m", "--full-history", "--no-renames", "--no-abbrev", "--format="];

/// Every segment that is not packed, wherever it is.
const SEGMENTS: &str = ":(top,glob)**/*.jsonl";

impl Repository {
    /// What `git log` answers about files below `.context`, and about those of a history whose names are unique wherever it
    /// stood.
    pub fn log(&self, arguments: &[&str], files: &[String]) -> Result<Vec<String>, GitError> {
        let in_tree = |file: &String| Some(format!(":(top,literal){}", self.path_in_tree(file)?));
        let Some(mut paths) = files.iter().map(in_tree).collect::<Option<Vec<_>>>() else { return Ok(Vec::new()) };
        paths.extend(files.iter().filter(|file| is_unique(file)).map(|file| format!(":(top,glob)**/{file}")));
        let paths = paths.iter().map(String::as_str);
        self.lines("log", &arguments.iter().copied().chain(["--"]).chain(paths).collect::<Vec<_>>())
    }

    /// What commits of the branch that is checked out took away or changed: below a folder of `.context`, and segments that
    /// are not packed anywhere, as if they had been in that folder. Each content as it was before, and the path that had it.
    pub(crate) fn dropped_below(&self, folder: &str) -> Result<BTreeMap<BlobId, String>, GitError> {
        let Some(place) = self.path_in_tree(folder) else { return Ok(BTreeMap::new()) };
        if !self.has_commit("HEAD")? {
            return Ok(BTreeMap::new());
        }
        let asked = ["--raw", "--diff-filter=DM", "HEAD", "--", &format!(":(top,literal){place}"), SEGMENTS];
        let fields = self.fields("log", &[&EVERY_CHANGE[..], &asked].concat())?;
        Ok(fields.chunks_exact(2).filter_map(|change| self.before(folder, &change[0], &change[1])).collect())
    }

    /// `:100644 000000 BEFORE AFTER D`, and the path.
    fn before(&self, folder: &str, facts: &str, path: &str) -> Option<(BlobId, String)> {
        let before = BlobId::parse(facts.split(' ').nth(2)?)?;
        let below = path.strip_prefix(&self.path_in_tree("")?).filter(|below| below.starts_with(folder));
        let name = path.rsplit('/').next()?;
        Some((before, below.map_or_else(|| format!("{folder}/{name}"), str::to_owned)))
    }

    /// The other `.context` folders of the tree, on whichever branch, that ever had a segment which is asked for by its name.
    pub(crate) fn other_places(&self, is_asked: impl Fn(&str) -> bool) -> Result<BTreeSet<Vec<u8>>, GitError> {
        let asked = ["--name-only", "--diff-filter=A", "--all", "--", SEGMENTS];
        let paths = self.fields("log", &[&EVERY_CHANGE[..], &asked].concat())?;
        let segments = paths.iter().filter_map(|path| path.rsplit_once('/')).filter(|(_, name)| is_asked(name));
        let places = segments.filter_map(|(folder, _)| folder.strip_suffix("history"));
        let places = places.map(|place| place.trim_end_matches('/').as_bytes().to_vec());
        Ok(places.filter(|place| *place != self.prefix).collect())
    }
}

/// Whether no other history has a file of that name: all but the one of a day, which everybody writes into.
fn is_unique(file: &str) -> bool {
    let name = file
        .strip_prefix("history/")
        .and_then(|name| name.strip_suffix(".jsonl").or_else(|| name.strip_suffix(".zst")));
    name.is_some_and(|name| name.contains(['.', '/']))
}
