//! Given / when / then for access.
