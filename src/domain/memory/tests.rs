//! Given / when / then for memory.
