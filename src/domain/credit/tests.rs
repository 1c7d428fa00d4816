//! Given / when / then for credits.
