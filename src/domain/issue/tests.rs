//! Given / when / then for issues.
