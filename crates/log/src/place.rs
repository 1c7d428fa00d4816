//! Where things are in a `.context` folder (AFS 2.3, appendix C).
//!
//! Does not look whether they are there.

use std::path::{Path, PathBuf};

/// The paths of one `.context` folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    context: PathBuf,
    history: PathBuf,
    local: PathBuf,
}

impl Place {
    /// The paths below a `.context` folder.
    pub fn new(context: &Path) -> Self {
        Self { context: context.to_owned(), history: context.join("history"), local: context.join("local") }
    }

    /// `.context` itself.
    pub fn context(&self) -> &Path {
        &self.context
    }

    /// The only source of truth.
    pub fn history(&self) -> &Path {
        &self.history
    }

    /// What is this clone's own and never committed.
    pub fn local(&self) -> &Path {
        &self.local
    }

    /// The file that stands for the right to write.
    pub fn lock(&self) -> PathBuf {
        self.local.join("lock")
    }

    /// Where this clone stopped writing.
    pub fn bookmark(&self) -> PathBuf {
        self.local.join("bookmark")
    }

    /// Which files this clone has begun.
    pub fn begun(&self) -> PathBuf {
        self.local.join("begun")
    }

    /// What this clone knows of the segments.
    pub fn marks(&self) -> PathBuf {
        self.local.join("marks")
    }

    /// Old segments, compressed.
    pub fn archive(&self) -> PathBuf {
        self.history.join("archive")
    }

    /// Large values.
    pub fn blobs(&self) -> PathBuf {
        self.history.join("blobs")
    }
}
