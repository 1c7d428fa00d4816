//! Given / when / then for usage.
