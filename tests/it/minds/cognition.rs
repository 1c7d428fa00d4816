//! Laws of cognition.
