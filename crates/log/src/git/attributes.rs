//! Which filter git puts between a file and what it holds of it, as Git LFS does.
//!
//! Asks the program git, and runs no filter.

use std::collections::BTreeSet;

use super::{GitError, Repository};

impl Repository {
    /// The filters that git has for some paths below `.context`, be they there or not.
    pub fn filters(&self, paths: &[&str]) -> Result<BTreeSet<String>, GitError> {
        let paths = paths.iter().map(|path| self.path_in_tree(path)).collect::<Option<Vec<_>>>();
        let Some(paths) = paths else { return Ok(BTreeSet::new()) };
        let asked: Vec<_> = ["filter", "--"].into_iter().chain(paths.iter().map(String::as_str)).collect();
        // Path, attribute, value.
        let fields = self.fields_of_tree("check-attr", &asked)?;
        let values = fields.into_iter().skip(2).step_by(3);
        Ok(values.filter(|value| !matches!(value.as_str(), "unspecified" | "unset")).collect())
    }
}
