//! Given / when / then for sessions.
