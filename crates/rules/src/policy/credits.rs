//! What earns and costs credits by rule: citations, breakers, issues that were resolved, applied or went nowhere
//! (control-room 11.4 to 11.7; decisions 15, 15a). And who must not award credits to whom.
//!
//! Other policies give credits through `give` and `upgrade`.

use super::Setting;
use super::refusal::Refusal as Unshown;
use crate::domain::breaker::Limits;
use crate::domain::credit::command::{Award, AwardSubject};
use crate::domain::credit::event::{Awarded, Settled};
use crate::domain::credit::ledger::{KeptCitation, Ledger};
use crate::domain::credit::{self, CreditReason, Refusal};
use crate::domain::issue::event::{Marked, Refuted, Resolved};
use crate::domain::issue::row::RemarkKind;
use crate::domain::issue::status::{IssueStatus, Usefulness};
use crate::domain::issue::{self, Issue};
use crate::domain::{Ask, Command, Event, Rooms, RoomsDecided, breaker, canon};
use annals_kernel::actor::SYSTEM;
use annals_kernel::decision::{Moment, Outcome as Answer};
use annals_kernel::fold::Folded;
use annals_kernel::grounding::{CitationOutcome, Trigger};
use annals_kernel::id::{AgentId, IssueId};

/// Credits that the rules give an agent, or take from it; nothing for whoever is not in the roster.
pub(super) fn give(
    rooms: &Rooms,
    moment: &Moment<'_>,
    agent: &AgentId,
    reason: CreditReason,
    about: AwardSubject,
) -> Option<Event> {
    give_by(rooms, moment, &AgentId::from(SYSTEM), agent, reason, about)
}

fn give_by(
    rooms: &Rooms,
    moment: &Moment<'_>,
    by: &AgentId,
    agent: &AgentId,
    reason: CreditReason,
    about: AwardSubject,
) -> Option<Event> {
    rooms.roster.agent(agent)?;
    let (agent, by, model) = (agent.clone(), by.clone(), rooms.roster.model_of(agent));
    let amount = reason.fixed(moment.settings);
    Some(Event::Credit(Awarded { agent, model, amount, reason, by, weight: None, about, citations: Vec::new() }.into()))
}

/// What follows where citations on an issue led to something: `outcome` says what each came to, if anything.
pub(super) fn upgrade(
    rooms: &Rooms,
    moment: &Moment<'_>,
    issue: &IssueId,
    outcome: impl Fn(&KeptCitation) -> Option<CitationOutcome>,
) -> Vec<Event> {
    let upgrades = rooms.credit.ledger(issue).map(|ledger| ledger.upgrades(moment.settings, outcome));
    let awarded = |upgrade: credit::ledger::Upgrade| Awarded {
        agent: upgrade.agent,
        model: upgrade.model,
        amount: upgrade.amount,
        reason: CreditReason::EvidenceOutcomeUpgrade,
        by: AgentId::from(SYSTEM),
        weight: None,
        about: AwardSubject::issue(issue),
        citations: upgrade.citations,
    };
    upgrades.into_iter().flatten().map(|upgrade| Event::Credit(awarded(upgrade).into())).collect()
}

/// An issue must be there for credits to be about it; and nobody gives to itself under another of its names: two names
/// with one token, or names that differ in nothing but case and signs.
pub(super) fn guard(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    use crate::domain::credit::Command as Asked;
    let Command::Credit(command) = &ask.command else { return None };
    match command {
        Asked::Award(award) => {
            let refusal = same_hands(rooms, &moment.actor, &award.agent)
                .or_else(|| stranger(moment))
                .or_else(|| unknown(rooms, award.about.issue.as_ref()));
            refusal.map(|refusal| credit::decide::refused(award, &moment.actor, refusal).into())
        }
        Asked::Slice(slice) => {
            let hands = same_hands(rooms, &moment.actor, &slice.doer);
            let refusal = hands.or_else(|| unknown(rooms, Some(&slice.issue)));
            refusal.map(|refusal| Answer::<credit::Event, Refusal>::refused(refusal).into())
        }
        Asked::Complete(done) => {
            let about = AwardSubject::issue(&done.issue);
            let award = Award {
                agent: done.doer.clone(),
                reason: CreditReason::AssistedSlice,
                amount: None,
                about,
                note: None,
            };
            let refusal = same_hands(rooms, &moment.actor, &done.doer)?;
            Some(credit::decide::refused(&award, &moment.actor, refusal).into())
        }
        Asked::SetGoal(_) | Asked::DropGoal(_) => None,
    }
}

/// A file that is as it was when it was cited on an issue does not show that the issue was applied; the user's word does
/// without one.
pub(super) fn unchanged(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let Command::Issue(issue::Command::Mark(mark)) = &ask.command else { return None };
    if mark.usefulness != Usefulness::Applied || !moment.standing.is_agent() {
        return None;
    }
    let (file, observed) = (mark.file.clone()?, ask.observed::<issue::Observed>());
    // Only against a hash that somebody cited: of a file that nobody cited it is not known what it was.
    let (now, label) = (observed.sha256?, rooms.issue.issue(&mark.issue)?.label);
    let cited = rooms.credit.ledger(&mark.issue)?.citations.iter().filter(|kept| kept.cited.is_of(&file, None));
    let mut hashes = cited.filter_map(|kept| kept.cited.sha256.as_deref()).peekable();
    let is_known = hashes.peek().is_some();
    let is_unchanged = is_known && hashes.all(|then| then == &*now);
    is_unchanged.then(|| Unshown::Unchanged { label, file }.into())
}

/// Membership would refuse a stranger, too, but an attempt to give credits is to be recorded.
fn stranger(moment: &Moment<'_>) -> Option<Refusal> {
    use annals_kernel::actor::Standing;
    (moment.standing == Standing::Stranger).then(|| Refusal::Stranger { by: moment.actor.clone() })
}

fn unknown(rooms: &Rooms, issue: Option<&IssueId>) -> Option<Refusal> {
    let issue = issue.filter(|issue| rooms.issue.issue(issue).is_none())?;
    Some(Refusal::UnknownIssue { issue: issue.clone() })
}

pub(super) fn same_hands(rooms: &Rooms, by: &AgentId, agent: &AgentId) -> Option<Refusal> {
    let letters = |name: &str| name.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
    let names = |id: &AgentId| {
        let called = rooms.roster.agent(id).and_then(|agent| agent.name.as_deref());
        let letters = [Some(id.as_str()), called].into_iter().flatten().map(letters);
        letters.filter(|name| !name.is_empty()).map(|name| Folded::of(&name)).collect::<Vec<_>>()
    };
    let seals = (rooms.roster.seals.get(by), rooms.roster.seals.get(agent));
    let is_one_token = seals.0.is_some() && seals.0 == seals.1;
    let is_one_name = names(by).iter().any(|name| names(agent).iter().any(|other| other.is_same(name)));
    let is_same = by != agent && (is_one_token || is_one_name);
    is_same.then(|| Refusal::SameHands { by: by.clone(), agent: agent.clone() })
}

/// A breaker stopped a comment.
pub(super) fn stopped(rooms: &Rooms, event: &breaker::Event, setting: &Setting<'_>) -> Vec<Event> {
    let about = event.issue().map(AwardSubject::issue).unwrap_or_default();
    give(rooms, setting.moment, event.agent(), CreditReason::CircuitBreakerTriggered, about).into_iter().collect()
}

/// An agent said that an issue was applied, and it is not.
pub(super) fn refuted(rooms: &Rooms, refuted: &Refuted, setting: &Setting<'_>) -> Vec<Event> {
    let (actor, about) = (&setting.moment.actor, AwardSubject::issue(&refuted.issue));
    give(rooms, setting.moment, actor, CreditReason::HallucinationDetected, about).into_iter().collect()
}

/// An issue was resolved.
pub(super) fn resolved(rooms: &Rooms, resolved: &Resolved, setting: &Setting<'_>) -> Vec<Event> {
    let (id, moment) = (&resolved.issue, setting.moment);
    let Some(issue) = rooms.issue.issue(id) else { return Vec::new() };
    let mut events = informed(rooms, id, setting);
    let ledger = rooms.credit.ledger(id);
    // Resolving it again after it was reopened pays nothing more.
    if ledger.and_then(|ledger| ledger.resolved_in) == Some(moment.id) {
        let alone = single_voices(rooms, issue, moment).into_iter().filter(|agent| *agent != moment.actor);
        let award = |agent| give(rooms, moment, &agent, CreditReason::CommentUnderBudget, AwardSubject::issue(id));
        events.extend(alone.filter_map(award));
    }
    events.extend(clean(rooms, id, issue, ledger, moment));
    events.extend(applied(rooms, id, issue, moment));
    events
}

/// Nothing waits on an issue that has ended (control-room 11.7): what led to nothing lapses, and that is said.
pub(super) fn settled(rooms: &Rooms, event: &issue::Event, setting: &Setting<'_>) -> Vec<Event> {
    let is_decided = matches!(event, issue::Event::Resolved(_));
    let (id, settings) = (event.issue(), setting.moment.settings);
    let came_to = is_decided.then(|| came_to(rooms, setting));
    let waited = rooms.credit.ledger(id).map(|ledger| ledger.settled(settings, came_to.as_ref())).unwrap_or_default();
    let settled = Settled { issue: id.clone(), citations: waited };
    if settled.citations.is_empty() { Vec::new() } else { vec![Event::Credit(settled.into())] }
}

/// Whether a citation is of who acts now, under this name or another.
fn is_own(rooms: &Rooms, kept: &KeptCitation, moment: &Moment<'_>) -> bool {
    kept.agent == moment.actor || same_hands(rooms, &kept.agent, &moment.actor).is_some()
}

/// Citations that waited informed the decision; those whose file the resolution, or somebody else later, cites resolved
/// the issue. Whoever resolves gains nothing from that alone (decision 15).
fn informed(rooms: &Rooms, id: &IssueId, setting: &Setting<'_>) -> Vec<Event> {
    upgrade(rooms, setting.moment, id, came_to(rooms, setting))
}

/// What citations come to where somebody resolves their issue.
fn came_to<'s>(rooms: &'s Rooms, setting: &'s Setting<'_>) -> impl Fn(&KeptCitation) -> Option<CitationOutcome> + 's {
    let files = super::citations::verified_files(setting.ask);
    let cites = move |kept: &KeptCitation| files.iter().any(|(file, sha256)| kept.cited.is_of(file, sha256.as_deref()));
    move |kept| match (is_own(rooms, kept, setting.moment), kept.is_shared) {
        (true, false) => None,
        (false, true) => Some(CitationOutcome::ResolvedIssue),
        (false, false) if cites(kept) => Some(CitationOutcome::ResolvedIssue),
        // Somebody else decided on what was looked for and is not there: the gap is one.
        (false, false) if kept.cited.trigger == Trigger::CanonGapSearch => Some(CitationOutcome::IdentifiedCanonGap),
        (true, true) | (false, false) => Some(CitationOutcome::InformedDecision),
    }
}

/// What is canon for the first time fills a gap: what others cited on the way there counts as that (control-room 11.2).
pub(super) fn founded(rooms: &Rooms, promoted: &canon::event::Promoted, setting: &Setting<'_>) -> Vec<Event> {
    if promoted.version > 1 {
        return Vec::new();
    }
    let moment = setting.moment;
    let is_by_another =
        |kept: &KeptCitation| (!is_own(rooms, kept, moment)).then_some(CitationOutcome::EstablishedNewCanon);
    upgrade(rooms, moment, &promoted.issue, is_by_another)
}

/// The agents who made exactly one comment where they might have made more (control-room 11.5).
fn single_voices(rooms: &Rooms, issue: &Issue, moment: &Moment<'_>) -> Vec<AgentId> {
    if Limits::in_force(moment.settings).max_per_agent < 2 {
        return Vec::new();
    }
    let texts = |agent: &AgentId| {
        let own = issue.thread.iter().filter(|remark| issue.author_of(remark) == agent);
        own.filter(|remark| remark.kind == RemarkKind::Comment).count()
    };
    let voices = issue.voices.iter().filter(|agent| rooms.roster.agent(agent).is_some());
    voices.filter(|agent| texts(agent) == 1).cloned().collect()
}

/// An issue that was unfrozen went well to its end: its author gets credit from whoever unfroze it (control-room 11.5).
fn clean(rooms: &Rooms, id: &IssueId, issue: &Issue, ledger: Option<&Ledger>, moment: &Moment<'_>) -> Option<Event> {
    let ledger = ledger.filter(|ledger| !ledger.paid.contains(&CreditReason::CleanUnfreeze))?;
    let by = ledger.unfrozen_by.as_ref().filter(|by| **by != issue.author)?;
    give_by(rooms, moment, by, &issue.author, CreditReason::CleanUnfreeze, AwardSubject::issue(id))
}

/// What a resolved issue decided stands in the work, as somebody other than its author found; what its author does itself
/// never pays.
fn applied(rooms: &Rooms, id: &IssueId, issue: &Issue, moment: &Moment<'_>) -> Option<Event> {
    let mark = issue.marks.last().filter(|mark| mark.usefulness == Usefulness::Applied)?;
    let is_new = !has_paid(rooms, id, CreditReason::IssueAppliedInWork);
    let is_by_another = mark.by != issue.author && same_hands(rooms, &mark.by, &issue.author).is_none();
    let is_due = is_new && is_by_another && moment.actor != issue.author && issue.status == IssueStatus::Resolved;
    is_due
        .then(|| give(rooms, moment, &issue.author, CreditReason::IssueAppliedInWork, AwardSubject::issue(id)))
        .flatten()
}

pub(super) fn has_paid(rooms: &Rooms, id: &IssueId, reason: CreditReason) -> bool {
    rooms.credit.ledger(id).is_some_and(|ledger| ledger.paid.contains(&reason))
}

/// An issue was applied, or found irrelevant.
pub(super) fn marked(rooms: &Rooms, marked: &Marked, setting: &Setting<'_>) -> Vec<Event> {
    let (id, moment) = (&marked.issue, setting.moment);
    let Some(issue) = rooms.issue.issue(id) else { return Vec::new() };
    match marked.usefulness {
        Usefulness::Applied => {
            let heeded = super::merits::heeded_by(rooms, id, &moment.actor);
            let is_heeded =
                |kept: &KeptCitation| heeded == Some(&kept.agent) && kept.cited.trigger == Trigger::ChallengeConsensus;
            let outcome = |kept: &KeptCitation| {
                if is_heeded(kept) { CitationOutcome::PreventedError } else { CitationOutcome::LedToFileChange }
            };
            // Nobody's own word makes its own citations worth more (decision 15).
            let is_by_another = |kept: &KeptCitation| !is_own(rooms, kept, moment);
            let mut events = upgrade(rooms, moment, id, |kept| is_by_another(kept).then(|| outcome(kept)));
            events.extend(applied(rooms, id, issue, moment));
            events
        }
        // One agent alone must not be able to cost another one credits.
        Usefulness::Irrelevant if moment.standing.is_privileged() && moment.actor != issue.author => {
            let is_new = !has_paid(rooms, id, CreditReason::IssueMarkedLeech);
            let award = is_new
                .then(|| give(rooms, moment, &issue.author, CreditReason::IssueMarkedLeech, AwardSubject::issue(id)));
            award.flatten().into_iter().collect()
        }
        Usefulness::Irrelevant => Vec::new(),
    }
}
