//! What of a conversation a model is given, where all of it is too long (Galatea, track 4).
//!
//! Pure: messages and a budget in, messages out. A message is kept whole or not at all, and a call stays with its
//! results. Asks no model: where a summary is wanted, it says what to ask, and takes what was answered.

pub mod budget;
pub mod compressed;
pub mod hybrid;
pub mod message;
pub mod summarizing;
pub mod summary;
#[cfg(test)]
mod tests;
pub mod token;
pub mod unit;
pub mod window;
pub mod zoned;

pub use budget::{CompressionSettings, CompressionStrategy};
pub use compressed::{Compressed, Compressor};
pub use hybrid::{HybridCompressor, RecordedSummary, SummaryWanted};
pub use message::{ContextMessage, ContextRole};
pub use summarizing::SummarizingCompressor;
pub use summary::read_summary;
pub use token::{AsShown, FourCharacters, TokenCounter, TokenEstimate, TokenFamily};
pub use window::SlidingWindow;
pub use zoned::{ZoneShares, ZonedCompressor};
