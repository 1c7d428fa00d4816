//! Vectors of what has a meaning in words (AFS 10.2): what is embedded, the file that keeps the vectors, and the nearest.
//!
//! Asks no model: the vectors are handed in by who has one. A cache that may be deleted; nothing of it is in the log.

mod codec;
mod file;
mod nearest;
mod subject;
#[cfg(test)]
mod tests;
mod vector;

pub use self::codec::VectorSpace;
pub(crate) use self::file::open_vectors;
pub use self::file::{Beginning, VectorFile, embedding_state};
pub(crate) use self::nearest::nearest;
pub use self::subject::{EmbeddedText, Subject, TextHash, embedded_texts};
pub(crate) use self::subject::{excerpt_of, subject_in};
pub use self::vector::{BadVector, QueryVector, VectorRow};
