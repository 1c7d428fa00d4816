//! Which transitions a session allows (AFS 3.2, decision 3).

use super::command::{Command, Observed, Start};
use super::event::{Aborted, Completed, Event, Resumed, Started, Summarized, Suspended};
use super::state::{Session, SessionStatus, State};
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::SessionId;
use annals_kernel::refusal::refusal;

refusal! {
    /// Why a session does not do what it was asked.
    pub enum Refusal {
        /// No entry names this session.
        UnknownSession = "session.unknown_session" { session: SessionId },
        /// The session that should delegate to a new one does not exist.
        UnknownParent = "session.unknown_parent" { parent: SessionId },
        /// Nothing was said of it.
        NoSummary = "session.no_summary" { session: SessionId },
        /// The state machine has no such arrow.
        IllegalTransition = "session.illegal_transition" { session: SessionId, from: SessionStatus, to: SessionStatus },
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    let outcome =
        match command {
            Command::Start(start) => begin(state, start, moment),
            Command::Suspend(suspend) => moved(state, &suspend.session, SessionStatus::Suspended)
                .map(|session| Outcome::of(Suspended { session })),
            Command::Resume(resume) => resumed(state, &resume.session, moment),
            Command::Complete(complete) => moved(state, &complete.session, SessionStatus::Completed)
                .map(|session| Outcome::of(Completed { session })),
            Command::Abort(abort) => {
                moved(state, &abort.session, SessionStatus::Aborted).map(|session| Outcome::of(Aborted { session }))
            }
            Command::Summarize(summarize) => summarized(state, &summarize.session, observed),
        };
    outcome.into()
}

fn summarized(state: &State, id: &SessionId, observed: &Observed) -> Result<Outcome<Event, Refusal>, Refusal> {
    known(state, id)?;
    match (&observed.summary, &observed.model) {
        (Some(_), Some(word)) => Ok(Outcome::of(Summarized { session: id.clone(), model: word.model.clone() })),
        (Some(_) | None, _) => Err(Refusal::NoSummary { session: id.clone() }),
    }
}

fn begin(state: &State, start: &Start, moment: &Moment<'_>) -> Result<Outcome<Event, Refusal>, Refusal> {
    if let Some(parent) = &start.parent_session_id
        && state.session(parent).is_none()
    {
        return Err(Refusal::UnknownParent { parent: parent.clone() });
    }
    Ok(Outcome::of(Started { session: SessionId::from(moment.id.to_string()) }))
}

fn resumed(state: &State, id: &SessionId, moment: &Moment<'_>) -> Result<Outcome<Event, Refusal>, Refusal> {
    let session = moved(state, id, SessionStatus::Active)?;
    let since = known(state, id)?.suspended_at.unwrap_or(moment.at);
    Ok(Outcome::of(Resumed { session, paused_ms: moment.at.since(since) }))
}

fn known<'s>(state: &'s State, id: &SessionId) -> Result<&'s Session, Refusal> {
    state.session(id).ok_or_else(|| Refusal::UnknownSession { session: id.clone() })
}

fn moved(state: &State, id: &SessionId, to: SessionStatus) -> Result<SessionId, Refusal> {
    let from = known(state, id)?.status;
    if from.may_become(to) { Ok(id.clone()) } else { Err(Refusal::IllegalTransition { session: id.clone(), from, to }) }
}
