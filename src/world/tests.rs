//! Given / when / then for the fold.
