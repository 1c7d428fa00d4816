//! Given / when / then for reliability.
