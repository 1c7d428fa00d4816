//! The scales, and where on them one can stand: words of the room, which its log knows.
//!
//! `self_preservation` is no `Dimension`: it is shown apart, and nobody can override it (decision 68).

pub use annals_rules::domain::resident::{AskedDimension, Dimension, DimensionState};
