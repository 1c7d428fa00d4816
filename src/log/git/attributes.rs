//! Which filter git puts between a file and what it holds of it, as Git LFS does.
//!
//! Asks the program git, and runs no filter.

use std::collections::BTreeSet;

use super::{GitError, Repository};

impl Repository {
    /// The filters that git has for some paths below `.context`, be they there or not.
    pub fn filters(&self, paths: &[&str]) -> Result<BTreeSet<String>, GitError> {
        let Ok(prefix) = std::str::from_utf8(&self.prefix) else { return Ok(BTreeSet::new()) };
        let joint = if prefix.is_empty() { "" } else { "/" };
        let paths: Vec<_> = paths.iter().map(|path| format!("{prefix}{joint}{path}")).collect();
        let asked: Vec<_> = ["filter", "--"].into_iter().chain(paths.iter().map(String::as_str)).collect();
        let lines = self.lines_of_tree("check-attr", &asked)?;
        let values = lines.iter().filter_map(|line| Some(line.rsplit_once(": ")?.1));
        Ok(values.filter(|value| !matches!(*value, "unspecified" | "unset")).map(str::to_owned).collect())
    }
}
