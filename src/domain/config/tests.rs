//! Given / when / then for configuration.
