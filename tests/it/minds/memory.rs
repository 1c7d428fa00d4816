//! Laws of memory.
