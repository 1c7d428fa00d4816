//! `write`: a whole new content.
//!
//! At once: who reads the file sees the old content or the new one. A file that was there keeps its mode.

use std::path::PathBuf;

use serde::Deserialize;

use super::{Ended, said, worked};
use crate::beneath::Content;
use crate::name::shown;
use crate::workspace::{Reached, Workspace};

#[derive(Deserialize)]
pub(super) struct WriteInput {
    path: PathBuf,
    content: String,
}

pub(super) fn write(workspace: &Workspace, input: &WriteInput) -> Ended {
    let before = workspace.here().about(&input.path).ok();
    let put = || workspace.here().put(&input.path, Content::Bytes(input.content.as_bytes()), None);
    workspace.working(Reached::One(&input.path), put).map_err(said)?.map_err(said)?;
    let replaced = before.map_or("a new file".to_owned(), |about| format!("in the place of {} bytes", about.bytes));
    worked(format!("{} bytes written to {}, {replaced}", input.content.len(), shown(&input.path)))
}
