//! What becomes of canon (control-room 6.2, 14; decision 19).

use super::anchor::{Number, is_a_key, key_of};
use super::claim::Claim;
use super::command::{Command, ConflictAnswer, Detect, Observed, Promote, Resolve, Retire, Statement};
use super::event::{ClaimConflict, Detected, Established, Event, Prevented, Promoted, Resolved, Retired};
use super::refusal::Refusal;
use super::row::CanonEntry;
use super::state::State;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::json::sha256_hex;
use annals_kernel::settings::settings;

settings! {
    /// Control-room 6.2.
    AGENT_ONLY: bool = false, "canon.allow_agent_only_promotion",
        "whether agents may make an issue canon without user and team lead", weakens WhenOn;
    /// Control-room 6.2.
    REQUIRED_VOTES: u32 = 3, "canon.required_votes_for_agent_promotion",
        "how many agents must support an issue that an agent makes canon", weakens WhenLower;
    /// Control-room 6.2.
    CONFLICT_CHECK: bool = true, "canon.require_conflict_check",
        "whether what an agent makes canon may not contradict what is canon", weakens WhenOff;
    /// An entry is read by everybody, again and again.
    MAX_LENGTH: usize = 20_000, "canon.max_length",
        "the longest text of an entry of canon, in characters", weakens WhenHigher;
}

/// The most claims of one entry.
const MOST_CLAIMS: usize = 200;
/// The longest part of a claim, in characters.
const PART_CHARS: usize = 200;

type Decided = Result<Outcome<Event, Refusal>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match command {
        Command::Promote(promote) => promoted(state, promote, observed, moment),
        Command::State(statement) => stated(state, statement, observed, moment),
        Command::Retire(retire) => retired(state, retire, moment),
        Command::Detect(detect) => detected(state, detect, moment),
        Command::Resolve(resolve) => resolved(state, resolve, moment),
    }
    .into()
}

/// What the user and the team lead may do.
pub(crate) fn is_for_leads(moment: &Moment<'_>, what: &'static str) -> Result<(), Refusal> {
    let is_lead = moment.standing.is_lead();
    if is_lead { Ok(()) } else { Err(Refusal::NotALead { actor: moment.actor.clone(), what }) }
}

/// Whether somebody may promote at all; how many support the issue is asked apart (control-room 6.2).
pub(crate) fn may_promote(moment: &Moment<'_>) -> Result<(), Refusal> {
    if moment.settings.get(&AGENT_ONLY) { Ok(()) } else { is_for_leads(moment, "make_an_issue_canon") }
}

fn promoted(state: &State, promote: &Promote, observed: &Observed, moment: &Moment<'_>) -> Decided {
    may_promote(moment)?;
    let claims = all_claims(&promote.claims, observed)?;
    is_a_text(&promote.text, moment)?;
    let is_lead = moment.standing.is_lead();
    // Its supporters have read the issue, and nothing else.
    let is_its_own =
        promote.claims.is_empty() && observed.text.as_deref() == Some(&*sha256_hex(promote.text.as_bytes()));
    if !is_lead && !is_its_own {
        return Err(Refusal::NotItsText);
    }
    let key = key_for(state, promote)?;
    let conflicts = state.contradicted(&claims);
    let must_agree = !is_lead && moment.settings.get(&CONFLICT_CHECK);
    if must_agree && !conflicts.is_empty() {
        return Err(Refusal::Contradicted { conflicts });
    }
    let title = promote.title.clone();
    let source = Some(promote.issue.clone());
    let established = Established { source, ..establish(state, &key, title, &promote.text, claims)? };
    // What the entry itself said before is superseded, not contradicted.
    let conflicts = conflicts.into_iter().filter(|conflict| conflict.key != key).collect();
    let promoted = Promoted { issue: promote.issue.clone(), key, version: established.version, conflicts };
    Ok(Outcome { events: vec![established.into(), promoted.into()], refusal: None })
}

/// The key that is named; else the one that the title suggests, where that is free or comes from the same issue.
fn key_for(state: &State, promote: &Promote) -> Result<Box<str>, Refusal> {
    let key: Box<str> = promote.key.clone().unwrap_or_else(|| key_of(&promote.title).into());
    if !is_a_key(&key) {
        return Err(Refusal::BadKey { key });
    }
    let latest = state.entry(&key).and_then(CanonEntry::latest);
    let is_foreign = latest.is_some_and(|version| version.source.as_ref() != Some(&promote.issue));
    if promote.key.is_none() && is_foreign { Err(Refusal::Taken { key }) } else { Ok(key) }
}

/// The next version of an entry, where it says something new.
fn establish(
    state: &State,
    key: &str,
    title: Box<str>,
    text: &str,
    claims: Vec<Claim>,
) -> Result<Established, Refusal> {
    let entry = state.entry(key);
    let current: Vec<_> = entry.iter().flat_map(|entry| entry.current()).collect();
    if let [only] = current.as_slice()
        && (&*only.title, &*only.text, &only.claims) == (&*title, text, &claims)
    {
        return Err(Refusal::NothingToChange { key: key.into() });
    }
    let supersedes = current.iter().map(|version| version.number).collect();
    let version = entry.map_or(1, CanonEntry::next_number);
    Ok(Established { key: key.into(), version, supersedes, title, claims, source: None })
}

fn stated(state: &State, statement: &Statement, observed: &Observed, moment: &Moment<'_>) -> Decided {
    is_for_leads(moment, "state_canon")?;
    let key = &statement.key;
    if !is_a_key(key) {
        return Err(Refusal::BadKey { key: key.clone() });
    }
    let claims = all_claims(&statement.claims, observed)?;
    is_a_text(&statement.text, moment)?;
    let before = state.entry(key).and_then(CanonEntry::latest).map(|version| version.title.clone());
    let title = statement.title.clone().or(before).unwrap_or_else(|| key.clone());
    establish(state, key, title, &statement.text, claims).map(Outcome::of)
}

fn retired(state: &State, retire: &Retire, moment: &Moment<'_>) -> Decided {
    is_for_leads(moment, "retire_canon")?;
    let key = retire.key.clone();
    let Some(entry) = state.entry(&key) else { return Err(Refusal::UnknownEntry { anchor: key }) };
    let versions: Vec<Number> = entry.current().map(|version| version.number).collect();
    if versions.is_empty() { Err(Refusal::RetiredAlready { key }) } else { Ok(Outcome::of(Retired { key, versions })) }
}

/// Noticing alone earns nothing: whoever leads has to answer.
fn detected(state: &State, detect: &Detect, moment: &Moment<'_>) -> Decided {
    all_claims(&detect.claims, &Observed::default())?;
    let conflicts = against(state, &detect.claims)?;
    Ok(Outcome::of(Detected { agent: moment.actor.clone(), conflicts }))
}

fn against(state: &State, claims: &[Claim]) -> Result<Vec<ClaimConflict>, Refusal> {
    let conflicts = state.contradicted(claims);
    if conflicts.is_empty() { Err(Refusal::NoConflict) } else { Ok(conflicts) }
}

fn resolved(state: &State, resolve: &Resolve, moment: &Moment<'_>) -> Decided {
    all_claims(&resolve.claims, &Observed::default())?;
    let conflicts = against(state, &resolve.claims)?;
    let mut events: Vec<Event> = match resolve.answer {
        ConflictAnswer::Override => {
            is_for_leads(moment, "override_canon")?;
            overridden(state, resolve, &conflicts)?.into_iter().map(Event::from).collect()
        }
        ConflictAnswer::Discuss if resolve.issue.is_none() => return Err(Refusal::NoIssue),
        ConflictAnswer::Keep | ConflictAnswer::Discuss => Vec::new(),
    };
    if resolve.detected_by.is_some() {
        is_for_leads(moment, "say_who_caught_it")?;
    }
    let prevented: Vec<Event> = merits(state, resolve, &conflicts, moment);
    events.push(Resolved { answer: resolve.answer, conflicts }.into());
    events.extend(prevented);
    Ok(Outcome { events, refusal: None })
}

/// Each entry that says otherwise gets a version that says what the text says, and whatever else it said.
fn overridden(state: &State, resolve: &Resolve, conflicts: &[ClaimConflict]) -> Result<Vec<Established>, Refusal> {
    let mut keys: Vec<&str> = conflicts.iter().map(|conflict| &*conflict.key).collect();
    keys.sort_unstable();
    keys.dedup();
    let new = |key: &str| {
        let entry = state.entry(key).ok_or_else(|| Refusal::UnknownEntry { anchor: key.into() })?;
        let own = conflicts.iter().filter(|conflict| *conflict.key == *key).map(|conflict| &conflict.claim);
        let own: Vec<&Claim> = own.collect();
        let replaced = |claim: &&Claim| own.iter().any(|new| new.fact() == claim.fact());
        let kept = entry.current().flat_map(|version| &version.claims).filter(|claim| !replaced(claim));
        let said = resolve.claims.iter().filter(|claim| own.contains(claim));
        let claims = unlike(kept.chain(said));
        let (title, source) =
            entry.latest().map(|version| (version.title.clone(), version.source.clone())).unwrap_or_default();
        Ok(Established { source, ..establish(state, key, title, "", claims)? })
    };
    keys.into_iter().map(new).collect()
}

/// Who is owed the award of 14.4: once for each contradiction, and only where somebody else who leads has answered.
fn merits(state: &State, resolve: &Resolve, conflicts: &[ClaimConflict], moment: &Moment<'_>) -> Vec<Event> {
    if !moment.standing.is_lead() {
        return Vec::new();
    }
    let named = |conflict: &ClaimConflict| resolve.detected_by.as_ref().filter(|_| !state.is_paid(conflict)).cloned();
    let owed = conflicts.iter().filter_map(|conflict| {
        let agent = named(conflict).or_else(|| state.catcher(conflict, &resolve.text).cloned())?;
        (agent != moment.actor).then(|| Prevented { agent, conflict: conflict.id() }.into())
    });
    owed.collect()
}

fn is_a_text(text: &str, moment: &Moment<'_>) -> Result<(), Refusal> {
    let (length, most) = (text.chars().count(), moment.settings.get(&MAX_LENGTH));
    if text.trim().is_empty() {
        return Err(Refusal::NoText);
    }
    if length > most { Err(Refusal::TooLong { length, most }) } else { Ok(()) }
}

/// What is claimed, each once: first what somebody stated, then what was found.
fn all_claims(stated: &[Claim], observed: &Observed) -> Result<Vec<Claim>, Refusal> {
    let claims = unlike(stated.iter().chain(&observed.claims));
    let is_short = |part: &str| part.chars().count() <= PART_CHARS;
    let parts = |claim: &Claim| [&claim.subject, &claim.attribute, &claim.value].iter().all(|part| is_short(part));
    if !claims.iter().all(|claim| claim.is_whole() && parts(claim)) {
        return Err(Refusal::BadClaim { most: PART_CHARS });
    }
    let count = claims.len();
    if count > MOST_CLAIMS { Err(Refusal::TooManyClaims { count, most: MOST_CLAIMS }) } else { Ok(claims) }
}

fn unlike<'c>(claims: impl Iterator<Item = &'c Claim>) -> Vec<Claim> {
    let mut unlike: Vec<Claim> = Vec::new();
    for claim in claims {
        if !unlike.iter().any(|known| known.agrees_to_the_letter(claim)) {
            unlike.push(claim.clone());
        }
    }
    unlike
}
