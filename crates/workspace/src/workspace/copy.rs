//! Copies a file with its mode, or a link as a link.

use std::io::{Seek, SeekFrom};
use std::path::Path;

use crate::beneath::{Beneath, Content, Kind, NotReached};

/// What was copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Copied {
    /// A file of so many bytes.
    File(u64),
    Link,
    /// A folder, a pipe, …: nothing.
    Nothing(Kind),
}

/// Copies what lies at a path into each of the folders, under the same path, where nothing is yet.
pub(super) fn copy(from: &Beneath, path: &Path, to: &[&Beneath]) -> Result<Copied, NotReached> {
    let about = from.about(path)?;
    match about.kind {
        Kind::File => {
            let mut file = from.own_file(path)?;
            for to in to {
                file.seek(SeekFrom::Start(0)).map_err(|error| NotReached::io(path, error))?;
                to.create(path, Content::Of(&mut file), about.mode)?;
            }
            Ok(Copied::File(about.bytes))
        }
        Kind::Link => {
            let target = from.link(path)?;
            for to in to {
                to.put_link(path, &target)?;
            }
            Ok(Copied::Link)
        }
        kind @ (Kind::Folder | Kind::Other(_)) => Ok(Copied::Nothing(kind)),
    }
}
