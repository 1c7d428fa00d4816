//! What an agent says at the end of a turn, held against the record.

use crate::analysis::{self, step::Record};
use crate::kernel::id::EntryId;
use crate::kernel::settings::Settings;

/// A claim that the record contradicts, or that nothing in it stands behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradicted {
    /// The message that claims it.
    pub message: EntryId,
    /// Which kind of finding.
    pub aspect: &'static str,
    /// What the record says, in our own words: the claim is not repeated.
    pub text: &'static str,
}

/// Whether a text claims anything that a record could contradict: most do not, and cost no reading.
pub fn claims_something(text: &str) -> bool {
    analysis::claims_success(text)
}

/// What the record of a session says against its last message.
pub fn contradicted(record: &Record, settings: &Settings) -> Option<Contradicted> {
    let last = record.steps.iter().rev().find(|step| step.said().is_some())?.id;
    let of_last = analysis::unproved(record, settings).into_iter().filter(|(message, _)| *message == last);
    of_last.into_iter().find_map(|(message, aspect)| Some(Contradicted { message, aspect, text: words(aspect)? }))
}

fn words(aspect: &str) -> Option<&'static str> {
    match aspect {
        "false claim of success" => Some("the last run of what it names failed: run it again, and say what it says"),
        "unverified claim" => Some("code was changed and no check was run since: run it, and show what it says"),
        _ => None,
    }
}
