//! What a person is told at the end of a turn: what the person said that may hold from now on, and waits for a word.
//!
//! For the person alone: an agent hears of it when it was accepted.

use super::{PieceText, quote};
use crate::domain::Rooms;
use crate::domain::knowledge::row::Review;
use crate::domain::voice::command::PieceTopic;
use crate::kernel::counted::count;
use crate::kernel::id::SessionId;

/// So many candidates are looked at: the latest.
const LOOKED_AT: usize = 50;
/// So many are told in a line.
const TOLD: usize = 2;

/// Candidates of knowledge that were found in a session, the latest first.
pub fn waiting(rooms: &Rooms, session: &SessionId) -> Vec<PieceText> {
    if rooms.knowledge.totals.waiting == 0 {
        return Vec::new();
    }
    let candidates = rooms.knowledge.candidates.first_by_rank(LOOKED_AT).into_iter();
    let of_session = candidates.filter(|(_, candidate)| {
        candidate.review == Review::Waiting && candidate.said.source.session.as_ref() == Some(session)
    });
    let piece =
        |id: &str, content: &str| PieceText::own(PieceTopic::Candidate, format!("candidate/{id}"), quote(content));
    of_session.map(|(id, candidate)| piece(id, &candidate.said.content)).collect()
}

/// The line that tells them.
pub fn waiting_line(pieces: &[PieceText]) -> String {
    let sentences = count(pieces.len() as u64, "sentence of yours", "sentences of yours");
    let told: Vec<&str> = pieces.iter().take(TOLD).map(|piece| piece.text.as_str()).collect();
    let more = if pieces.len() > TOLD { ", …" } else { "" };
    let accept = if pieces.len() == 1 { "annals knowledge accept latest" } else { "annals knowledge accept" };
    format!("annals: {sentences} may hold from now on: {}{more}. `{accept}` lets agents know.", told.join(", "))
}
