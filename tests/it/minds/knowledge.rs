//! Laws of knowledge.
