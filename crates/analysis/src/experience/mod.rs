//! Experience: what the record of a session teaches, as megrams in the making (artoo R5).
//!
//! Pure rules over steps: a failure and what ended it, a failure that nothing ended, a "no", what came of a request. An
//! ordinary call teaches nothing. The same steps give the same experiences, each with the entry that caused it. Writes none.

mod requests;
mod retries;
mod stops;
#[cfg(test)]
mod tests;
mod words;

use super::step::Record;
use annals_rules::domain::memory::command::Experience;
use annals_rules::domain::memory::quantum::MacroState;

/// So many experiences of one session are kept, the weightiest: what teaches much is not drowned by what teaches little.
pub const MOST_OF_A_SESSION: usize = 24;

/// Whether more may come of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionEnd {
    /// It goes on: what nothing has ended yet may still end well.
    Open,
    /// It is over.
    Ended,
}

/// What a session teaches, in the order in which it happened.
pub fn experiences(record: &Record, end: SessionEnd) -> Vec<Experience> {
    let mut all = retries::find(record, end);
    all.extend(stops::find(record));
    all.extend(requests::find(record, end));
    let mut ranked: Vec<_> = all.iter().enumerate().map(|(at, one)| (weight(one.state), at)).collect();
    ranked.sort_unstable();
    let mut kept: Vec<usize> = ranked.into_iter().take(MOST_OF_A_SESSION).map(|(_, at)| at).collect();
    kept.sort_unstable_by_key(|at| (all[*at].cause, *at));
    kept.into_iter().map(|at| all[at].clone()).collect()
}

/// As the matrix of the document orders them, whatever is configured: which are kept must not change with it.
fn weight(state: MacroState) -> usize {
    MacroState::ALL.iter().position(|known| *known == state).unwrap_or(usize::MAX)
}
