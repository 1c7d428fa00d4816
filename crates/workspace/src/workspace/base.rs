//! Each file as it was before the task changed it.
//!
//! Of a clone all files are copied when it is made. Of a folder that is worked in itself each before its first change: one by one
//! before tools of ours, all of them before the first command, for a command can change any.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::WorkspaceError;
use super::journal::{Journal, Known};
use super::layout::Layout;
use super::watch::{FolderSides, FolderWatch};
use crate::beneath::Beneath;

/// What a piece of work can change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reached<'r> {
    /// A file, and the folders on the way to it.
    One(&'r Path),
    /// Whatever there is.
    All,
}

/// The copies, and what is known.
#[derive(Debug)]
pub(super) struct Base {
    copies: Beneath,
    watch: Option<Mutex<FolderWatch>>,
}

impl Base {
    /// That of a clone: all was copied.
    pub(super) fn of_clone(copies: Beneath) -> Self {
        Self { copies, watch: None }
    }

    /// That of a folder that is worked in itself: what is changed is copied before.
    pub(super) fn of_folder(layout: &Layout, copies: Beneath) -> Result<Self, WorkspaceError> {
        let watch = FolderWatch::of(Journal::open(&layout.journal())?);
        Ok(Self { copies, watch: Some(Mutex::new(watch)) })
    }

    pub(super) fn copies(&self) -> &Beneath {
        &self.copies
    }

    /// What is known; nothing, where all of it lies in the base.
    pub(super) fn known(&self) -> Option<Known> {
        Some(self.watch()?.known().clone())
    }

    fn watch(&self) -> Option<MutexGuard<'_, FolderWatch>> {
        Some(self.watch.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// To be called before a piece of work: what it can change is copied.
    pub(super) fn begin(&self, root: &Beneath, reached: Reached<'_>) -> Result<(), WorkspaceError> {
        self.watch().map_or(Ok(()), |mut watch| watch.begin(&FolderSides { root, copies: &self.copies }, reached))
    }

    /// To be called behind it: what it changed is noted.
    pub(super) fn end(&self, root: &Beneath, reached: Reached<'_>) -> Result<(), WorkspaceError> {
        self.watch().map_or(Ok(()), |mut watch| watch.end(&FolderSides { root, copies: &self.copies }, reached))
    }
}
