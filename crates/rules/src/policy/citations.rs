//! What a text that came into a thread cites, judged by what code found of it (control-room 11.2 to 11.4; decisions 14,
//! 15, 15a).

use std::collections::BTreeMap;

use super::Setting;
use super::prompting::prompted;
use crate::domain::credit::CreditReason;
use crate::domain::credit::command::AwardSubject;
use crate::domain::credit::event::{Awarded, Cited, NamedFile};
use crate::domain::credit::formula::{LEAST_QUOTE, MOST_PER_COMMENT, QuoteFinding, citation_credits};
use crate::domain::{Ask, Command, Event, Rooms, issue};
use annals_kernel::actor::SYSTEM;
use annals_kernel::credits::Credits;
use annals_kernel::decision::Moment;
use annals_kernel::grounding::{Checked, CitationOutcome, FileReference, Trigger, words};
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::settings::Settings;

words! {
    /// What a cited file counts as.
    pub enum Weight {
        /// It is so, to the letter.
        Precise = "precise",
        /// It is so.
        Verified = "verified",
        /// It is not so.
        False = "false",
        /// Nothing stands there, which is no evidence.
        Empty = "empty",
        /// The same agent cited it on this issue before: it earns once.
        Repeated = "repeated",
        /// The text cites as many as can earn.
        Surplus = "surplus",
    }
}

impl Weight {
    /// How it is judged; nothing where it neither earns nor costs.
    fn finding(self) -> Option<QuoteFinding> {
        match self {
            Self::Precise => Some(QuoteFinding::Precise),
            Self::Verified => Some(QuoteFinding::Verified),
            Self::False => Some(QuoteFinding::Failed),
            Self::Empty | Self::Repeated | Self::Surplus => None,
        }
    }
}

/// A cited file, and what it counts as.
#[derive(Debug, Clone)]
pub(super) struct Weighed {
    /// What code found.
    pub checked: Checked,
    /// What that counts as.
    pub weight: Weight,
    /// What it would earn, or cost.
    pub worth: Credits,
}

/// What code found of the files that a command cites. Where nothing was looked at there is nothing.
fn checked(ask: &Ask) -> Vec<Checked> {
    ask.command.said().map(|_| ask.observed::<issue::Observed>().evidence).unwrap_or_default()
}

/// The files that a command cites as they are, with the hash of their content.
pub(super) fn verified_files(ask: &Ask) -> Vec<(Box<str>, Option<Box<str>>)> {
    let verified = checked(ask).into_iter().filter(Checked::is_verified);
    verified.map(|checked| (checked.path, checked.sha256)).collect()
}

/// A comment or resolution came into a thread: what it cites earns credits, or costs some.
pub(super) fn judge(rooms: &Rooms, event: &issue::Event, setting: &Setting<'_>) -> Vec<Event> {
    let id = event.issue();
    if rooms.roster.agent(&setting.moment.actor).is_none() {
        return Vec::new();
    }
    let why = context(rooms, id, setting.ask, &setting.moment.actor);
    let mut by_finding: BTreeMap<QuoteFinding, Vec<Cited>> = BTreeMap::new();
    for weighed in weigh(rooms, id, setting.ask, setting.moment) {
        let Some(finding) = weighed.weight.finding() else { continue };
        let Checked { path: file, sha256, .. } = weighed.checked;
        let cited = Cited { file, sha256, finding, trigger: why.0, outcome: why.1, worth: weighed.worth };
        by_finding.entry(finding).or_default().push(cited);
    }
    // The false ones last, so that they end a streak.
    by_finding.into_iter().rev().map(|(finding, cited)| award(rooms, id, setting, finding.reason(), cited)).collect()
}

fn award(rooms: &Rooms, id: &IssueId, setting: &Setting<'_>, reason: CreditReason, citations: Vec<Cited>) -> Event {
    let agent = setting.moment.actor.clone();
    let model = rooms.roster.model_of(&agent);
    let amount: Credits = citations.iter().map(|cited| cited.worth).sum();
    let about = AwardSubject { comment: Some(setting.moment.id), ..AwardSubject::issue(id) };
    let by = AgentId::from(SYSTEM);
    Event::Credit(Awarded { agent, model, amount, reason, by, weight: None, about, citations }.into())
}

/// Why the files were looked up, and what came of it: who names no entry of somebody else that prompted it was not asked,
/// and what an author says of its own outcome earns no more than `no-action-yet` (decision 15).
pub(super) fn context(rooms: &Rooms, id: &IssueId, ask: &Ask, agent: &AgentId) -> (Trigger, CitationOutcome) {
    let Command::Issue(issue::Command::Comment(comment)) = &ask.command else {
        return (Trigger::Unprompted, CitationOutcome::NoActionYet);
    };
    let trigger = prompted(rooms, id, &comment.citation, agent).unwrap_or(Trigger::Unprompted);
    let is_nothing = comment.citation.outcome == Some(CitationOutcome::NoAction);
    (trigger, if is_nothing { CitationOutcome::NoAction } else { CitationOutcome::NoActionYet })
}

/// Each false citation counts; each file once per agent and issue, and not more of them than a comment may earn for.
pub(super) fn weigh(rooms: &Rooms, id: &IssueId, ask: &Ask, moment: &Moment<'_>) -> Vec<Weighed> {
    let (agent, settings) = (&moment.actor, moment.settings);
    let (trigger, outcome) = context(rooms, id, ask, agent);
    let ledger = rooms.credit.ledger(id).cloned().unwrap_or_default();
    let cited = ask.command.said().map(|said| said.evidence().files.as_slice()).unwrap_or_default();
    let (mut all, mut earning): (Vec<Weighed>, usize) = (Vec::new(), 0);
    for (number, checked) in checked(ask).into_iter().enumerate() {
        let (file, sha256) = (&*checked.path, checked.sha256.as_deref());
        let is_here = |one: &Weighed| one.weight.finding().is_some_and(is_true) && is_of(&one.checked, file, sha256);
        // By path or by content: a copy under another name would else earn once more.
        let is_repeated = || ledger.has_cited(agent, file, sha256) || all.iter().any(is_here);
        let weight = match found(&checked, cited.get(number), settings) {
            Weight::Precise | Weight::Verified if is_repeated() => Weight::Repeated,
            // Only what earns is limited: a false citation behind a list of true ones costs all the same.
            Weight::Precise | Weight::Verified if earning == settings.get(&MOST_PER_COMMENT) => Weight::Surplus,
            weight @ (Weight::Precise
            | Weight::Verified
            | Weight::False
            | Weight::Empty
            | Weight::Repeated
            | Weight::Surplus) => weight,
        };
        let finding = weight.finding();
        earning += usize::from(finding.is_some_and(is_true));
        let worth = finding.map_or(Credits::ZERO, |finding| citation_credits(finding, trigger, outcome, settings));
        all.push(Weighed { checked, weight, worth });
    }
    all
}

fn is_true(finding: QuoteFinding) -> bool {
    finding != QuoteFinding::Failed
}

fn is_of(checked: &Checked, file: &str, sha256: Option<&str>) -> bool {
    NamedFile { path: &checked.path, sha256: checked.sha256.as_deref() }.is(&NamedFile { path: file, sha256 })
}

/// What a file counts as by itself. A few letters stand everywhere: a short quote is not to the letter.
fn found(checked: &Checked, reference: Option<&FileReference>, settings: &Settings) -> Weight {
    let quote = reference.and_then(|reference| reference.quote.as_deref()).unwrap_or_default();
    let letters = quote.split_whitespace().map(|word| word.chars().count() + 1).sum::<usize>().saturating_sub(1);
    match (checked.is_so(), checked.is_blank) {
        (false, _) => Weight::False,
        (true, true) => Weight::Empty,
        (true, false) if checked.is_precise() && letters >= settings.get(&LEAST_QUOTE) => Weight::Precise,
        (true, false) => Weight::Verified,
    }
}
