//! What a scrub still has to do when the lines are clean: the value is known to nobody any more then, so what is left is
//! noted before, and any later scrub does it.

use std::path::PathBuf;

use crate::{Engine, EngineError};
use annals_log::LogError;
use annals_log::blob;
use annals_log::disk::Safety;
use annals_log::rewrite::content;
use annals_log::segment::Segment;

impl Engine {
    fn pending(&self) -> PathBuf {
        self.place().local().join("scrub")
    }

    /// Blobs that are to go, when no line names them any more.
    pub(super) fn note_pending(&self, blobs: &[String]) -> Result<(), EngineError> {
        if blobs.is_empty() {
            return Ok(());
        }
        let path = self.pending();
        let text = blobs.join("\n");
        Ok(self.disk().replace(&path, text.as_bytes(), Safety::Synced).map_err(LogError::at("write", path))?)
    }

    /// Removes them.
    pub(super) fn remove_pending(&self, blobs: &[String]) -> Result<(), EngineError> {
        blobs.iter().try_for_each(|name| blob::remove(&**self.disk(), &self.place().blobs(), name))?;
        let path = self.pending();
        Ok(self.disk().remove(&path).map_err(LogError::at("remove", path))?)
    }

    /// Ends what a crash has interrupted. Where lines still name a blob, they still hold the value, and whoever takes it
    /// out of them takes that one, too.
    pub(super) fn finish_pending(&self, segments: &[Segment]) -> Result<(), EngineError> {
        let path = self.pending();
        let Some(bytes) = self.disk().read(&path).map_err(LogError::at("read", &path))? else { return Ok(()) };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let is_name = |name: &&str| name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        let mut blobs: Vec<String> = text.lines().filter(is_name).map(str::to_owned).collect();
        for segment in segments {
            let bytes = content(&**self.disk(), self.place().history(), segment)?;
            blobs.retain(|name| memchr::memmem::find(&bytes, name.as_bytes()).is_none());
        }
        self.remove_pending(&blobs)
    }
}
