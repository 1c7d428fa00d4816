//! Signed heads: a past that is written anew, signatures that are moved, doubled or forged, and the program around them.

mod amended;
mod faults;
mod git;
mod log;
mod program;
mod rewrite;
