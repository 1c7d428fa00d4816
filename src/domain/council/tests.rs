//! Given / when / then for councils.
