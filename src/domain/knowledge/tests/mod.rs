//! Given / when / then for knowledge.
