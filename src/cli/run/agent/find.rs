//! Where an agent's program lies, and what of its installation it reads.
//!
//! Looks at paths; starts nothing.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The folder in which packages of Node lie.
const PACKAGES: &str = "node_modules";

/// The program of this name on the search path. A folder that is relative leads into any project.
pub(super) fn program(environment: &BTreeMap<String, String>, name: &str) -> Option<PathBuf> {
    let path = environment.get("PATH")?;
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// Its file, wherever links lead, and all packages beside it where it is one of Node.
pub(super) fn parts(program: &Path) -> io::Result<Vec<PathBuf>> {
    let real = program.canonicalize()?;
    let is_packages = |folder: &&Path| folder.file_name().is_some_and(|name| name == PACKAGES);
    let packages = real.ancestors().filter(is_packages).last().map(Path::to_owned);
    Ok([program.to_owned(), real.clone()].into_iter().chain(packages).collect())
}
