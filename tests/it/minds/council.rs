//! Laws of council.
