//! Given / when / then for scrubs.
