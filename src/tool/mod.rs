//! Running other programs. Passes their output through as it comes and keeps a copy of bounded size.
//!
//! Does not record; `cli::exec` does.

mod capture;
pub mod run;

pub use capture::Captured;
pub use run::{Exit, Job, Ran};
