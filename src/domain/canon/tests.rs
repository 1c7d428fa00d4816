//! Given / when / then for canon.
