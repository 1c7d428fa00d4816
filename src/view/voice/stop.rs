//! What an agent says at the end of a turn, held against the record.

use super::PieceText;
use crate::analysis::request::{UntouchedItems, untouched};
use crate::analysis::step::Record;
use crate::analysis::{FALSE_CLAIM, UNVERIFIED_CLAIM, unproved};
use crate::domain::voice::command::PieceTopic;
use crate::kernel::settings::Settings;

/// What the record of a session says against its last message, in our own words: the claim is not repeated.
pub fn contradicted(record: &Record, settings: &Settings) -> Option<PieceText> {
    let last = record.steps.iter().rev().find(|step| step.said().is_some())?.id;
    let mut of_last = unproved(record, settings).into_iter().filter(|(message, _)| *message == last);
    let text = of_last.find_map(|(_, aspect)| words(aspect)).map(str::to_owned).or_else(|| passed_over(record))?;
    Some(PieceText::own(PieceTopic::Contradiction, format!("stop/{last}"), format!("annals: {text}.")))
}

/// By their place in the list: what stands there, the person who wrote it knows.
fn passed_over(record: &Record) -> Option<String> {
    let UntouchedItems { asked, untouched } = untouched(record)?;
    let places: Vec<_> = untouched.iter().map(usize::to_string).collect();
    let (items, touched) = (if places.len() == 1 { "item" } else { "items" }, asked - untouched.len());
    Some(format!(
        "{asked} items of the request name a file to change, {touched} were touched; nothing touched the file of {items} {}",
        places.join(", ")
    ))
}

fn words(aspect: &str) -> Option<&'static str> {
    match aspect {
        FALSE_CLAIM => {
            Some("false claim of success: the last run of what it names failed: run it again, and say what it says")
        }
        UNVERIFIED_CLAIM => {
            Some("unverified claim: code was changed and no check was run since: run it, and show what it says")
        }
        _ => None,
    }
}
