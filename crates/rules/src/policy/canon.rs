//! Canon and issues: who may promote what, what a promotion makes of an issue, and citations that hold no more
//! (control-room 6.2, improvement B).

use super::Setting;
use crate::domain::canon::decide::{REQUIRED_VOTES, may_promote};
use crate::domain::canon::event::{Outdated, Promoted};
use crate::domain::canon::{self, Anchor, Refusal};
use crate::domain::issue::event::EpistemicChanged;
use crate::domain::issue::status::EpistemicStatus;
use crate::domain::issue::{self, Issue};
use crate::domain::{Ask, Command, Event, Rooms, RoomsDecided};
use annals_kernel::actor::USER;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::{AgentId, IssueId};

fn refused(refusal: Refusal) -> RoomsDecided {
    Outcome::<canon::Event, _>::refused(refusal).into()
}

/// What canon needs to know of issues and of the roster before it decides.
pub(super) fn guard(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let Command::Canon(command) = &ask.command else { return None };
    match command {
        canon::Command::Promote(promote) => promotion(rooms, &promote.issue, moment),
        canon::Command::Resolve(resolve) => {
            let unknown = resolve.issue.as_ref().filter(|id| rooms.issue.issue(id).is_none());
            let stranger = resolve.detected_by.as_ref().filter(|agent| rooms.roster.agent(agent).is_none());
            unknown.map(no_issue).or_else(|| stranger.map(no_agent))
        }
        canon::Command::State(_) | canon::Command::Retire(_) | canon::Command::Detect(_) => None,
    }
}

fn no_issue(issue: &IssueId) -> RoomsDecided {
    Outcome::<issue::Event, _>::refused(issue::Refusal::UnknownIssue { issue: issue.clone() }).into()
}

fn no_agent(agent: &AgentId) -> RoomsDecided {
    use crate::domain::roster;
    Outcome::<roster::Event, _>::refused(roster::decide::Refusal::UnknownAgent { agent: agent.clone() }).into()
}

/// An agent promotes what is not frozen and what enough agents support (control-room 3.4, 6.2).
fn promotion(rooms: &Rooms, id: &IssueId, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let Some(issue) = rooms.issue.issue(id) else { return Some(no_issue(id)) };
    if moment.standing.is_lead() || may_promote(moment).is_err() {
        return None;
    }
    if let Some(freeze) = issue.freeze.as_ref().filter(|_| !moment.standing.is_privileged()) {
        let refusal = issue::Refusal::Frozen { label: issue.label, until: freeze.until };
        return Some(Outcome::<issue::Event, _>::refused(refusal).into());
    }
    let (needed, has) = (moment.settings.get(&REQUIRED_VOTES), votes(issue));
    (has < needed as usize).then(|| refused(Refusal::TooFewVotes { needed, has }))
}

/// The agents that support an issue now, but for its author.
fn votes(issue: &Issue) -> usize {
    issue.voters().0.into_iter().filter(|who| who.as_str() != USER).count()
}

/// Canon that never was is no evidence.
pub(super) fn citations(rooms: &Rooms, ask: &Ask, _: &Moment<'_>) -> Option<RoomsDecided> {
    let evidence = ask.command.said()?.evidence();
    let is_known = |cited: &str| Anchor::read(cited).is_some_and(|anchor| rooms.canon.knows(&anchor));
    let unknown = evidence.canon.iter().find(|cited| !is_known(cited))?;
    Some(refused(Refusal::UnknownEntry { anchor: unknown.clone() }))
}

/// An issue that became canon is as well founded as can be.
pub(super) fn found(rooms: &Rooms, promoted: &Promoted, _: &Setting<'_>) -> Vec<Event> {
    let Some(issue) = rooms.issue.issue(&promoted.issue) else { return Vec::new() };
    let changed = EpistemicChanged { issue: promoted.issue.clone(), from: issue.epistemic, to: EpistemicStatus::Canon };
    if issue.epistemic == EpistemicStatus::Canon { Vec::new() } else { vec![Event::Issue(changed.into())] }
}

/// A text that came into a thread cites what holds no more: its readers are told what does (improvement B).
pub(super) fn anchors(rooms: &Rooms, _: &issue::Event, setting: &Setting<'_>) -> Vec<Event> {
    let Some(said) = setting.ask.command.said() else { return Vec::new() };
    let outdated = |cited: &str| {
        let (because, current) = rooms.canon.staleness(&Anchor::read(cited)?)?;
        let outdated = Outdated { issue: said.issue().clone(), cited: cited.into(), because, current };
        Some(Event::Canon(outdated.into()))
    };
    said.evidence().canon.iter().filter_map(|cited| outdated(cited)).collect()
}
