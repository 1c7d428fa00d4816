//! Given, when, then.
