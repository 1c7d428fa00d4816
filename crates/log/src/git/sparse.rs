//! Which tracked files below `.context` a sparse checkout leaves out of the work tree.
//!
//! Asks the program git where whole folders are left out, so it is for commands and not for hooks. Does not look at the work tree.

use std::collections::BTreeMap;

use super::{BlobId, GitError, Repository};

impl Repository {
    /// The files below a folder of `.context` that the index marks as left out, and their contents. Only the person of a
    /// clone can mark them; no commit can.
    pub fn left_out_below(&self, folder: &str) -> Result<BTreeMap<String, BlobId>, GitError> {
        if !self.index()?.leaves_out(folder) {
            return Ok(BTreeMap::new());
        }
        let (Some(path), Some(prefix)) = (self.path_in_tree(folder), self.path_in_tree("")) else {
            return Ok(BTreeMap::new());
        };
        let path = path.trim_end_matches('/');
        let lines = self.fields("ls-files", &["--stage", "-t", "--", &format!(":(top,literal){path}")])?;
        Ok(lines.iter().filter_map(|line| left_out(line, &prefix)).collect())
    }
}

/// `S 100644 ID 0<tab>PATH`; every other letter says that the file is not left out.
fn left_out(line: &str, prefix: &str) -> Option<(String, BlobId)> {
    let (facts, path) = line.strip_prefix("S ")?.split_once('\t')?;
    let id = BlobId::parse(facts.split(' ').nth(1)?)?;
    Some((path.strip_prefix(prefix)?.to_owned(), id))
}
