//! A person's or an engine's word that an answer is not wanted any more.
//!
//! Stops nothing by itself: `models` drops the call, and each backend ends what it started when it is dropped.

use std::sync::Arc;

use tokio::sync::watch;

/// Shared by the caller, who may cancel, and the call, which listens.
#[derive(Debug, Clone)]
pub struct Cancel(Arc<watch::Sender<bool>>);

impl Cancel {
    /// Nobody has cancelled yet.
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Ends every call that listens, and each later one.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// Whether it is over.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for the word.
    pub async fn cancelled(&self) {
        self.0.subscribe().wait_for(|is_over| *is_over).await.expect("BUG: this holds the sender");
    }
}

impl Default for Cancel {
    fn default() -> Self {
        Self::new()
    }
}
