//! A conversation played to the control room as comments on an issue a thread, and what would have become of each
//! message.
//!
//! In memory: no `.context` is needed, and none is touched. Reads no file; `import::swarm` does.

mod play;
#[cfg(test)]
mod real;
mod report;
mod sober;
#[cfg(test)]
mod tests;

pub use play::{AfterFreeze, How, play};
pub use report::{Count, Discrimination, FirstStop, Heard, Report, ReportWords, Speaker, Stops, Verdict};
