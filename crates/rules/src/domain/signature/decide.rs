//! Which signature is kept: one that holds, and is of a later line than the last one.

use super::command::{Command, Observed, Sign};
use super::event::Event;
use super::state::State;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::WriterId;
use annals_kernel::refusal::refusal;
use annals_kernel::signed::SignedHead;
use annals_kernel::ssh::BadSignature;

refusal! {
    /// Why a signature is not kept.
    pub enum Refusal {
        /// There is none.
        Missing = "signature.missing" { head: Box<str> },
        /// It is of another head.
        OtherHead = "signature.other_head" { head: Box<str>, signed: Box<str> },
        /// It does not hold.
        Invalid = "signature.invalid" { problem: BadSignature },
        /// A later line is signed already.
        Behind = "signature.behind" { writer: WriterId, n: u64, last: u64 },
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, _: &Moment<'_>) -> Outcome<Event, Refusal> {
    let Command::Sign(sign) = command;
    judge(state, sign, observed).map(|signed| Outcome::of(Event::Signed(signed.clone()))).into()
}

fn judge<'o>(state: &State, sign: &Sign, observed: &'o Observed) -> Result<&'o SignedHead, Refusal> {
    let signed = observed.signed.as_ref().ok_or_else(|| Refusal::Missing { head: sign.head.clone() })?;
    let head = signed.statement.head();
    if *head != *sign.head {
        return Err(Refusal::OtherHead { head: sign.head.clone(), signed: head.into() });
    }
    signed.check().map_err(|problem| Refusal::Invalid { problem })?;
    let statement = &signed.statement;
    match state.last(&statement.writer, &signed.key) {
        Some(last) if statement.n <= last.n => {
            Err(Refusal::Behind { writer: statement.writer.clone(), n: statement.n, last: last.n })
        }
        Some(_) | None => Ok(signed),
    }
}
