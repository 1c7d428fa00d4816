//! Given / when / then for the roster.
