//! All councils.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::command::{Command, CouncilSide, Observed};
use super::count::VoteVerdict;
use super::event::{Cast, CouncilRound, Created, Event, Lapsed, Plea, Pleaded, Resolved};
use super::session::{Audit, CouncilDebate, CouncilRemark, CouncilSession, CouncilStatus, Vote};
use super::settings::{MOST_MEMBERS, MOST_ROUNDS};
use annals_kernel::actor::Standing;
use annals_kernel::decision::Cause;
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::rows::{Ranked, Rows};

/// More questions and answers about one recommendation are not kept beside it.
pub(crate) const MOST_REMARKS: usize = 6;

/// Counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// Councils that were called.
    pub called: u64,
    /// Those that are open.
    pub open: u64,
}

/// The councils on one key that are open: one; several where branches were merged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OpenCouncils(pub BTreeSet<Box<str>>);

impl Ranked for OpenCouncils {
    fn rank(&self) -> i64 {
        0
    }
}

/// All councils.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Counts.
    pub totals: Totals,
    /// By id.
    pub sessions: Rows<Box<str>, CouncilSession>,
    /// Which are open, by what they are about.
    pub running: Rows<Box<str>, OpenCouncils>,
}

type Why<'c> = Cause<'c, Command, Observed>;

impl State {
    /// A council by its id.
    pub fn session(&self, id: &str) -> Option<&CouncilSession> {
        self.sessions.get(id)
    }

    /// The open councils on a key.
    pub fn running(&self, key: &str) -> impl Iterator<Item = &str> {
        self.running.get(key).into_iter().flat_map(|running| running.0.iter().map(|id| &**id))
    }

    /// Councils that await the vote of an actor, the latest first; so many councils are looked at.
    pub fn awaiting(&self, actor: &AgentId, standing: &Standing, most: usize) -> Vec<(&str, &CouncilSession)> {
        let councils = self.sessions.first_by_rank(most).into_iter();
        let waiting = councils.filter(|(_, council)| council.awaits(actor, standing));
        waiting.map(|(id, council)| (&**id, council)).collect()
    }

    /// The id that the next council of an entry gets.
    pub(crate) fn next_id(&self, entry: EntryId) -> Box<str> {
        let mut ids = (0_usize..).map(|count| IssueId::of(entry, count));
        let free = ids.find(|id| self.session(id.as_str()).is_none());
        free.expect("BUG: a decision called every council there can be").as_str().into()
    }

    /// Takes in an event of a decision. What is over stays as it is: of two branches the earlier counts.
    pub fn evolve(&mut self, event: &Event, cause: &Why<'_>) {
        match event {
            Event::Created(created) => self.created(created, cause),
            Event::Manned(manned) => {
                self.change(&manned.council, |session| session.members.clone_from(&manned.members));
            }
            Event::Cast(cast) => self.change(&cast.council, |session| voted(session, cast, cause)),
            Event::Tied(tied) => self.change(&tied.council, |session| session.status = CouncilStatus::Tie),
            Event::DebateOpened(opened) => {
                self.change(&opened.council, |session| debated(session, &opened.arbitrator));
            }
            Event::Pleaded(pleaded) => self.change(&pleaded.council, |session| plead(session, pleaded)),
            Event::Argued(argued) => self.change(&argued.council, |session| argue(session, &argued.round)),
            Event::Requested(requested) => {
                self.change(&requested.council, |session| remark(session, &requested.question, cause));
            }
            Event::Informed(informed) => {
                self.change(&informed.council, |session| remark(session, &informed.text, cause));
            }
            Event::Resolved(resolved) => self.change(&resolved.council, |session| resolve(session, resolved, cause)),
            Event::Lapsed(lapsed) => self.change(&lapsed.council, |session| lapse(session, lapsed, cause)),
        }
    }

    fn created(&mut self, created: &Created, cause: &Why<'_>) {
        if self.session(&created.council).is_some() {
            return;
        }
        self.totals.called += 1;
        self.totals.open += 1;
        self.sessions.entry(&created.council, || session_of(created, cause));
        self.running.entry(&created.key, OpenCouncils::default).0.insert(created.council.clone());
    }

    /// Changes a council that is open.
    fn change(&mut self, id: &str, change: impl FnOnce(&mut CouncilSession)) {
        if !self.session(id).is_some_and(|session| session.status.is_open()) {
            return;
        }
        let Some(session) = self.sessions.get_mut(id) else { return };
        change(session);
        if !session.status.is_open() {
            let key = session.entry_key.clone();
            self.totals.open = self.totals.open.saturating_sub(1);
            self.running.entry(&key, OpenCouncils::default).0.remove(id);
        }
    }
}

fn session_of(created: &Created, cause: &Why<'_>) -> CouncilSession {
    let Created { purpose, key, reason, current, proposed, config, initiated_by, .. } = created.clone();
    let audit = Audit {
        initiated_by,
        initiated_at: cause.at,
        initiated_in: cause.id,
        completed_at: None,
        completed_by: None,
        decided_by: None,
        lapsed_because: None,
    };
    CouncilSession {
        purpose,
        entry_key: key,
        contest_reason: reason,
        current_value: current,
        proposed_value: proposed,
        votes: Vec::new(),
        config,
        members: Vec::new(),
        status: CouncilStatus::Voting,
        result: None,
        debate: None,
        remarks: Vec::new(),
        audit,
    }
}

/// Of two votes of one member, made in two branches, the earlier counts.
fn voted(session: &mut CouncilSession, cast: &Cast, cause: &Why<'_>) {
    if session.vote_of(&cast.member).is_none() && session.votes.len() < MOST_MEMBERS {
        session.votes.push(Vote {
            agent_role: cast.member.clone(),
            vote: cast.vote,
            confidence: cast.confidence,
            rationale: cast.rationale.clone(),
            timestamp: cause.at,
            cast_by: cause.actor.clone(),
            model: cast.model.clone(),
        });
    }
}

fn debated(session: &mut CouncilSession, arbitrator: &AgentId) {
    session.status = CouncilStatus::Debating;
    let new = || CouncilDebate {
        rounds: Vec::new(),
        unanswered: None,
        arbitrator_agent: arbitrator.clone(),
        final_synthesis: None,
    };
    session.debate.get_or_insert_with(new);
}

/// Two sides make a round; of two branches that spoke for the same side the earlier counts.
fn plead(session: &mut CouncilSession, pleaded: &Pleaded) {
    let Some(debate) = &mut session.debate else { return };
    match debate.unanswered.take() {
        None => debate.unanswered = Some(pleaded.plea.clone()),
        Some(first) if first.side == pleaded.plea.side => debate.unanswered = Some(first),
        Some(first) => {
            let round = u32::try_from(debate.rounds.len()).unwrap_or(u32::MAX).saturating_add(1);
            argue(session, &round_of(round, first, pleaded.plea.clone()));
        }
    }
}

fn round_of(round: u32, first: Plea, second: Plea) -> CouncilRound {
    let (pro, con) = if first.side == CouncilSide::Pro { (first, second) } else { (second, first) };
    CouncilRound {
        round,
        pro_argument: pro.argument,
        con_argument: con.argument,
        pro_agent: pro.agent,
        con_agent: con.agent,
        pro_model: pro.model,
        con_model: con.model,
    }
}

fn argue(session: &mut CouncilSession, round: &CouncilRound) {
    if let Some(debate) = &mut session.debate
        && debate.rounds.len() < usize::try_from(MOST_ROUNDS).unwrap_or(usize::MAX)
    {
        debate.rounds.push(round.clone());
    }
}

fn remark(session: &mut CouncilSession, text: &str, cause: &Why<'_>) {
    if session.remarks.len() < MOST_REMARKS {
        session.remarks.push(CouncilRemark { by: cause.actor.clone(), at: cause.at, text: text.into() });
    }
}

fn over(session: &mut CouncilSession, status: CouncilStatus, cause: &Why<'_>) {
    session.status = status;
    session.audit.completed_at = Some(cause.at);
    session.audit.completed_by = Some(cause.actor.clone());
}

fn resolve(session: &mut CouncilSession, resolved: &Resolved, cause: &Why<'_>) {
    let status = match resolved.result.final_decision {
        VoteVerdict::Approve => CouncilStatus::Approved,
        VoteVerdict::Reject => CouncilStatus::Rejected,
    };
    over(session, status, cause);
    session.result = Some(resolved.result.clone());
    session.audit.decided_by = Some(resolved.by);
    if let Some(debate) = &mut session.debate {
        debate.final_synthesis.clone_from(&resolved.synthesis);
    }
}

fn lapse(session: &mut CouncilSession, lapsed: &Lapsed, cause: &Why<'_>) {
    over(session, CouncilStatus::Lapsed, cause);
    session.audit.lapsed_because = Some(lapsed.reason.clone());
}
