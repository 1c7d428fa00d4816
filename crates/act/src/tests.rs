//! Runs against a history of their own, with models and tools of paper.

mod delegated;
mod many;
mod paper;
mod resumed;
mod runs;
