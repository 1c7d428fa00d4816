//! Hooks from payload to entry.
