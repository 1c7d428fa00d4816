//! What becomes of a command (AFS 7; decision 20).

use super::command::{Command, Confirm, CouncilPurpose, Give, Inform, Observed, Open, Plead, Resolve, UserAnswer};
use super::count::VoteVerdict;
use super::event::{
    Cast, Conclusion, Created, DebateOpened, Event, Informed, Means, Plea, Pleaded, Requested, Resolved, Tied,
};
use super::refusal::{Leads, Refusal};
use super::session::{CouncilSession, CouncilStatus, Vote};
use super::settings::Rules;
use super::state::{MOST_REMARKS, State};
use annals_kernel::actor::{Standing, USER};
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::share::Share;

/// The longest text, in characters.
pub const TEXT_CHARS: usize = 4000;
/// The longest key, in characters.
pub(crate) const KEY_CHARS: usize = 200;

type Decided = Result<Outcome<Event, Refusal>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match command {
        Command::Open(open) => opened(state, open, moment),
        Command::Give(give) => voted(state, give, observed, moment),
        Command::Plead(plead) => pleaded(state, plead, observed, moment),
        Command::Argue(_) => Err(Refusal::OneSide),
        Command::Resolve(resolve) => resolved(state, resolve, observed, moment),
        Command::Confirm(confirm) => confirmed(state, confirm, moment),
        Command::Inform(inform) => informed(state, inform),
    }
    .into()
}

fn text(what: &'static str, text: &str) -> Result<Box<str>, Refusal> {
    let (text, most) = (text.trim(), TEXT_CHARS);
    if (1..=most).contains(&text.chars().count()) { Ok(text.into()) } else { Err(Refusal::BadText { what, most }) }
}

fn open<'s>(state: &'s State, council: &str) -> Result<&'s CouncilSession, Refusal> {
    let session = state.session(council).ok_or_else(|| Refusal::UnknownCouncil { council: council.into() })?;
    let status = session.status;
    if status.is_open() { Ok(session) } else { Err(Refusal::Over { council: council.into(), status }) }
}

fn opened(state: &State, open: &Open, moment: &Moment<'_>) -> Decided {
    let is_name = |key: &str| {
        (1..=KEY_CHARS).contains(&key.chars().count()) && !key.chars().any(char::is_control) && key.trim() == key
    };
    if !is_name(&open.key) {
        return Err(Refusal::BadKey { most: KEY_CHARS });
    }
    let (key, reason, proposed) = (open.key.clone(), text("reason", &open.reason)?, text("proposal", &open.proposed)?);
    let current = if open.current.trim().is_empty() { "".into() } else { text("present_state", &open.current)? };
    if let Some(council) = state.running(&open.key).next() {
        return Err(Refusal::OpenAlready { council: council.into(), key });
    }
    let (council, config) = (state.next_id(moment.id), Rules::of(moment.settings));
    let (purpose, initiated_by) = (open.purpose, moment.actor.clone());
    Ok(Outcome::of(Created { council, purpose, key, reason, current, proposed, config, initiated_by }))
}

/// The model whose word it is.
fn model(observed: &Observed) -> Option<Box<str>> {
    observed.model.as_ref().map(|word| word.model.clone())
}

/// Whether an actor brings in what a model said for a member: the user alone may ask models in the name of others.
fn brings_in(session: &CouncilSession, name: &str, observed: &Observed, moment: &Moment<'_>) -> bool {
    observed.model.is_some() && moment.standing == Standing::User && name != USER && session.has_member(name)
}

/// As whom an actor votes: under the name that it gives, where that is a seat of its own.
fn member<'g>(
    session: &CouncilSession,
    give: &'g Give,
    observed: &Observed,
    moment: &'g Moment<'_>,
) -> Result<&'g str, Refusal> {
    if let Some(named) = give.member.as_deref().filter(|named| brings_in(session, named, observed, moment)) {
        return Ok(named);
    }
    let mut own_seats = session.seats_of(&moment.actor, &moment.standing);
    let member = own_seats.find(|seat| give.member.as_deref().is_none_or(|named| named == *seat));
    let members = || session.members().join(", ").into();
    member.ok_or_else(|| Refusal::NotAMember { who: moment.actor.as_str().into(), members: members() })
}

/// One vote a member, and one an actor, whatever seats its name and its role would give it.
fn require_no_vote(
    session: &CouncilSession,
    member: &str,
    observed: &Observed,
    moment: &Moment<'_>,
) -> Result<(), Refusal> {
    let own = || session.own_vote_of(&moment.actor).filter(|_| !brings_in(session, member, observed, moment));
    let Some(vote) = session.vote_of(member).or_else(own) else { return Ok(()) };
    Err(Refusal::Voted { member: vote.agent_role.clone(), vote: vote.vote.as_str().into() })
}

/// The last vote decides.
fn voted(state: &State, give: &Give, observed: &Observed, moment: &Moment<'_>) -> Decided {
    let session = open(state, &give.council)?;
    if session.status != CouncilStatus::Voting {
        return Err(Refusal::NotVoting { status: session.status });
    }
    let member: Box<str> = member(session, give, observed, moment)?.into();
    require_no_vote(session, &member, observed, moment)?;
    let rationale = text("rationale", &give.rationale)?;
    let (mut voting, model) = (session.clone(), model(observed));
    let Give { council, vote, confidence, .. } = give.clone();
    voting.votes.push(Vote {
        agent_role: member.clone(),
        vote,
        confidence,
        rationale: rationale.clone(),
        timestamp: moment.at,
        cast_by: moment.actor.clone(),
        model: model.clone(),
    });
    let mut events = vec![Cast { council, member, vote, confidence, rationale, model }.into()];
    if voting.awaited().next().is_none() && voting.purpose != CouncilPurpose::Architecture {
        events.extend(closed(&give.council, &voting));
    }
    Ok(Outcome { events, refusal: None })
}

/// What the votes come to (AFS 7.2): they and their reasons stand in the session, and need no sentence. Too few of them decide nothing, as a tie does; one alone does not debate it.
pub fn closed(council: &str, session: &CouncilSession) -> Vec<Event> {
    let count = session.count();
    let verdict = count.verdict(session.config.threshold).filter(|_| session.has_quorum());
    let council: Box<str> = council.into();
    let Some(final_decision) = verdict else {
        let tied = Tied { council: council.clone(), count }.into();
        let rules = &session.config;
        let is_debated = rules.debate_on_tie && rules.max_debate_rounds > 0 && session.members().len() > 1;
        let arbitrator = session.config.arbitrator.clone();
        let debate = is_debated.then(|| DebateOpened { council, arbitrator }.into());
        return std::iter::once(tied).chain(debate).collect();
    };
    let confidence = count.share(final_decision).unwrap_or_default();
    let result = Conclusion { final_decision, confidence, rationale: Box::default(), model: None };
    let key = session.entry_key.clone();
    vec![Resolved { council, key, by: Means::Votes, count, result, synthesis: None }.into()]
}

/// A side of a round, by whoever speaks for it (AFS 7.1).
fn pleaded(state: &State, plead: &Plead, observed: &Observed, moment: &Moment<'_>) -> Decided {
    let session = open(state, &plead.council)?;
    if session.status != CouncilStatus::Debating {
        return Err(Refusal::NotDebating { status: session.status });
    }
    let most = session.config.max_debate_rounds;
    let held = u32::try_from(session.rounds().len()).unwrap_or(u32::MAX);
    if held >= most {
        return Err(Refusal::NoMoreRounds { most });
    }
    let who = speaker(session, plead, observed, moment)?;
    if session.has_spoken(&who, plead.side.other()) {
        return Err(Refusal::BothSides { who });
    }
    if let Some(first) = session.unanswered().filter(|first| first.side == plead.side) {
        return Err(Refusal::SideTaken { side: plead.side, who: first.agent.clone() });
    }
    let plea =
        Plea { side: plead.side, argument: text("argument", &plead.argument)?, agent: who, model: model(observed) };
    Ok(Outcome::of(Pleaded { council: plead.council.clone(), round: held + 1, plea }))
}

/// Who speaks: the actor, or the member for whom the user brings in what a model said.
fn speaker(
    session: &CouncilSession,
    plead: &Plead,
    observed: &Observed,
    moment: &Moment<'_>,
) -> Result<Box<str>, Refusal> {
    let own = moment.actor.as_str();
    let named = plead.agent.as_deref().unwrap_or(own);
    if named == own || brings_in(session, named, observed, moment) {
        return Ok(named.into());
    }
    Err(Refusal::NotAMember { who: named.into(), members: session.members().join(", ").into() })
}

fn resolved(state: &State, resolve: &Resolve, observed: &Observed, moment: &Moment<'_>) -> Decided {
    let session = open(state, &resolve.council)?;
    if session.purpose == CouncilPurpose::Architecture {
        return Err(Refusal::NeedsConfirmation);
    }
    match session.status {
        CouncilStatus::Voting => counted_now(session, resolve, moment),
        CouncilStatus::Debating => arbitrated(session, resolve, observed, moment),
        CouncilStatus::Tie | CouncilStatus::Approved | CouncilStatus::Rejected | CouncilStatus::Lapsed => {
            last_word(session, resolve, observed, moment)
        }
    }
}

/// Before all have voted: by a lead, once the quorum is there; by anybody, and without it, once the time is over.
fn counted_now(session: &CouncilSession, resolve: &Resolve, moment: &Moment<'_>) -> Decided {
    if resolve.decision.is_some() {
        return Err(Refusal::VotesDecide);
    }
    let until = session.votes_until();
    if moment.at < until && !session.has_quorum() {
        return Err(Refusal::NoQuorum { voices: session.count().voices, quorum: session.config.quorum });
    }
    if moment.at < until && !moment.standing.is_lead() {
        return Err(Refusal::TooEarly { until });
    }
    Ok(Outcome { events: closed(&resolve.council, session), refusal: None })
}

/// A debate that nobody ended in its time is a tie: it waits for no arbitrator who says nothing.
fn given_up(session: &CouncilSession, resolve: &Resolve, moment: &Moment<'_>) -> Decided {
    let until = session.debate_until();
    if moment.at < until {
        return Err(Refusal::TooEarly { until });
    }
    Ok(Outcome::of(Tied { council: resolve.council.clone(), count: session.count() }))
}

fn arbitrated(session: &CouncilSession, resolve: &Resolve, observed: &Observed, moment: &Moment<'_>) -> Decided {
    if moment.standing == Standing::System {
        return given_up(session, resolve, moment);
    }
    let arbitrator = &session.config.arbitrator;
    if moment.actor != *arbitrator && !moment.standing.is_lead() {
        let arbitrator = Some(arbitrator.clone()).filter(|arbitrator| arbitrator.as_str() != USER);
        return Err(Refusal::NotTheArbitrator { actor: moment.actor.clone(), arbitrator, leads: Leads::All });
    }
    if session.rounds().is_empty() && moment.at < session.debate_until() {
        return Err(Refusal::NoRound);
    }
    let (Some(decision), Some(synthesis)) = (resolve.decision, &resolve.synthesis) else {
        return Err(Refusal::NoSynthesis);
    };
    let why = text("synthesis", synthesis)?;
    Ok(said(session, resolve, Means::Arbitration, Word { decision, why, model: model(observed) }))
}

fn last_word(session: &CouncilSession, resolve: &Resolve, observed: &Observed, moment: &Moment<'_>) -> Decided {
    if !moment.standing.is_lead() {
        let (actor, arbitrator) = (moment.actor.clone(), None);
        return Err(Refusal::NotTheArbitrator { actor, arbitrator, leads: Leads::All });
    }
    let (Some(decision), Some(reason)) = (resolve.decision, &resolve.synthesis) else {
        return Err(Refusal::NoDecision);
    };
    let why = text("synthesis", reason)?;
    Ok(said(session, resolve, Means::LastWord, Word { decision, why, model: model(observed) }))
}

/// What somebody decides in place of the votes.
struct Word {
    decision: VoteVerdict,
    why: Box<str>,
    /// The model whose word it is.
    model: Option<Box<str>>,
}

/// What somebody decided in place of the votes: as sure as it says, or as the votes that were for it.
fn said(session: &CouncilSession, resolve: &Resolve, by: Means, word: Word) -> Outcome<Event, Refusal> {
    let (Word { decision, why, model }, count) = (word, session.count());
    let confidence = resolve.confidence.or(count.share(decision)).unwrap_or_default();
    let result = Conclusion { final_decision: decision, confidence, rationale: why.clone(), model };
    let (council, key) = (resolve.council.clone(), session.entry_key.clone());
    Outcome::of(Resolved { council, key, by, count, result, synthesis: Some(why) })
}

fn recommendation<'s>(state: &'s State, council: &str) -> Result<&'s CouncilSession, Refusal> {
    let session = open(state, council)?;
    if session.purpose != CouncilPurpose::Architecture {
        return Err(Refusal::NoRecommendation { purpose: session.purpose });
    }
    Ok(session)
}

fn may_remark(session: &CouncilSession) -> Result<(), Refusal> {
    if session.remarks.len() < MOST_REMARKS { Ok(()) } else { Err(Refusal::Enough { most: MOST_REMARKS }) }
}

/// AFS 7.3: approve, reject, or ask; never by itself.
fn confirmed(state: &State, confirm: &Confirm, moment: &Moment<'_>) -> Decided {
    let session = recommendation(state, &confirm.council)?;
    if !matches!(moment.standing, Standing::User) {
        let (actor, arbitrator) = (moment.actor.clone(), None);
        return Err(Refusal::NotTheArbitrator { actor, arbitrator, leads: Leads::User });
    }
    let (council, note) = (confirm.council.clone(), text("note", &confirm.note)?);
    let decision = match confirm.answer {
        UserAnswer::Approve => VoteVerdict::Approve,
        UserAnswer::Reject => VoteVerdict::Reject,
        UserAnswer::MoreInfo => {
            may_remark(session)?;
            return Ok(Outcome::of(Requested { council, question: note }));
        }
    };
    let result = Conclusion { final_decision: decision, confidence: Share::WHOLE, rationale: note, model: None };
    let (key, count) = (session.entry_key.clone(), session.count());
    Ok(Outcome::of(Resolved { council, key, by: Means::Confirmation, count, result, synthesis: None }))
}

fn informed(state: &State, inform: &Inform) -> Decided {
    may_remark(recommendation(state, &inform.council)?)?;
    Ok(Outcome::of(Informed { council: inform.council.clone(), text: text("information", &inform.text)? }))
}
