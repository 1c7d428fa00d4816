//! CSP/1: what the parts of a debate say to each other, as text and as values.
//!
//! A message begins with its own word; its fields follow, as `KEY:value`, or `KEY value` at the beginning of a line. A
//! value is text up to the next field, or stands between quotes (`\"`, `\\`, `\n`, `\r`, `\t`); a list stands between
//! brackets, with commas. Does not know debates: whether a position may be taken is for the room to say.

mod error;
mod fields;
mod message;
mod read;
mod scan;
#[cfg(test)]
mod tests;
mod write;

pub use error::{CspError, MOST_CHARS};
pub use message::{
    Doubt, FailureDiagnosis, FailureRequest, Message, Objection, ObjectionSeverity, PlanClaim, PlanRequest, Resolution,
    Resolved, Stakes,
};
pub use read::parse;
pub use write::write;
