//! `annals canon …`: what holds in the project, and what contradicts it (control-room 6.2, 14).

mod by_model;
pub(super) mod check;
pub(super) mod list;
mod write;

use super::registry::{CommandRow, rows};
use super::shell::Usage;
use crate::domain::canon::Claim;

/// Commands about canon.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// List what holds, the latest first
    "list" => Runs(&With(list::run)),
    /// Show an entry with its versions, or one of them
    "show" => Runs(&With(list::show)),
    /// Make an issue canon
    "promote" => Runs(&With(write::promote)),
    /// Say what holds: a new entry, or a new version of one
    "state" => Runs(&With(write::state)),
    /// Say that an entry holds no more
    "retire" => decides("canon.entry.retire", "key --reason", write::retire),
    /// Check a text against canon, and settle a contradiction
    "check" => Runs(&With(check::run)),
    /// List where canon contradicts itself
    "conflicts" => Runs(&Bare(list::conflicts)),
};

/// Claims as they are typed.
fn claims(texts: &[String]) -> anyhow::Result<Vec<Claim>> {
    let read = |text: &String| {
        let wrong = || Usage(format!("--claim \"{text}\": give \"SUBJECT | ATTRIBUTE | VALUE\"").replace('\n', " "));
        Ok(Claim::read(text).ok_or_else(wrong)?)
    };
    texts.iter().map(read).collect()
}
