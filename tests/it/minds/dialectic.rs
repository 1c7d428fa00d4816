//! Laws of dialectic.
