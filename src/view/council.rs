//! A council as other programs read it (AFS 7.1).
//!
//! Does not print and does not write files.

use serde::Serialize;

use crate::domain::council::CouncilSession;
use crate::domain::council::count::{Choice, VoteCount, VoteVerdict};
use crate::domain::council::decide::TEXT_CHARS;
use crate::kernel::counted::counted;

/// A council with its id, and what the votes come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CouncilInfo {
    /// Its id.
    pub id: Box<str>,
    /// All that is known of it.
    #[serde(flatten)]
    pub session: CouncilSession,
    /// What the votes come to, in thousandths of a full vote.
    pub count: VoteCount,
    /// Whose vote is awaited.
    pub awaited: Vec<Box<str>>,
}

/// Why a council is not needed any more, in words.
pub fn lapsed_because(reason: &str) -> &str {
    match reason {
        "settled-otherwise" => "it was settled otherwise",
        "entry-removed" => "the entry was removed",
        "entry-replaced" => "the key has a new entry",
        _ => reason,
    }
}

/// Why a council was called: somebody's own words, or what a rule says.
pub(crate) fn called_because(reason: &str) -> &str {
    match reason {
        "facts-contradict" => "a session takes both for true",
        _ => reason,
    }
}

impl CouncilInfo {
    /// Of a council.
    pub(crate) fn of(id: &str, session: &CouncilSession) -> Self {
        let awaits = session.status == crate::domain::council::CouncilStatus::Voting;
        let awaited = session.awaited().filter(|_| awaits).map(Box::from).collect();
        Self { id: id.into(), session: told(session), count: session.count(), awaited }
    }
}

/// A council with the reason of what it came to in words: those of whoever decided, or those that the votes give.
fn told(session: &CouncilSession) -> CouncilSession {
    let mut told = session.clone();
    told.contest_reason = called_because(&session.contest_reason).into();
    if let Some(result) = told.result.as_mut().filter(|result| result.rationale.is_empty()) {
        result.rationale = rationale(session, result.final_decision);
    }
    told
}

/// Who was for it, and why.
fn rationale(session: &CouncilSession, verdict: VoteVerdict) -> Box<str> {
    let choice = match verdict {
        VoteVerdict::Approve => Choice::Approve,
        VoteVerdict::Reject => Choice::Reject,
    };
    let votes: Vec<_> = session.votes.iter().filter(|vote| vote.vote == choice).collect();
    let reasons: Vec<_> = votes.iter().map(|vote| format!("{}: {}", vote.agent_role, vote.rationale)).collect();
    let count = counted(session.votes.len() as u64, "vote");
    let told = format!("{} of {count} to {choice}. {}", votes.len(), reasons.join("; "));
    told.chars().take(TEXT_CHARS).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::council::count::Choice::{Approve, Reject};
    use crate::domain::council::event::Conclusion;
    use crate::domain::council::settings::Rules;
    use crate::kernel::settings::Settings;
    use crate::kernel::share::Share;
    use serde_json::json;

    fn session(rationale: &str) -> CouncilSession {
        let vote = |member: &str, vote| {
            json!({
                "agent_role": member, "vote": vote, "confidence": 1.0, "rationale": "because",
                "timestamp": "2026-11-21T03:10:00.000Z", "cast_by": member,
            })
        };
        let mut session: CouncilSession = serde_json::from_value(json!({
            "purpose": "conflict", "entry_key": "key", "contest_reason": "r", "current_value": "a",
            "proposed_value": "b", "status": "approved", "config": Rules::of(&Settings::default()),
            "votes": [vote("explore", Approve), vote("general", Reject), vote("critic", Approve)],
            "audit": {
                "initiated_by": "user", "initiated_at": "2026-11-21T03:10:00.000Z",
                "initiated_in": "01KAGMC4R00000000000000000",
            },
        }))
        .expect("a session");
        let (final_decision, confidence) = (VoteVerdict::Approve, Share::WHOLE);
        session.result = Some(Conclusion { final_decision, confidence, rationale: rationale.into(), model: None });
        session
    }

    #[test]
    fn what_votes_decided_is_said_of_them_and_words_of_before_stay() {
        let said = |rationale: &str| told(&session(rationale)).result.expect("decided").rationale;
        assert_eq!(&*said(""), "2 of 3 votes to approve. explore: because; critic: because");
        assert_eq!(&*said("so says the lead"), "so says the lead");
    }

    #[test]
    fn what_a_rule_says_of_a_council_is_told_in_words() {
        assert_eq!(called_because("facts-contradict"), "a session takes both for true");
        assert_eq!(called_because("it leaks"), "it leaks", "somebody's own words stay");
    }
}
