//! Laws of hivemind.
