//! Who may write, remember and contradict, and what it weighs.

use std::collections::BTreeSet;

use super::command::{Command, Consult, Experience, Feedback, Learn, LearntFrom, Observed, Recall, Write};
use super::dream::dream;
use super::event::{Denied, Event, Recalled, Written};
use super::quantum::{DEMOTED_DECAY, PyramidLevel, Quantum, quantum};
use super::refusal::Refusal;
use super::row::MegramFate;
use super::state::{State, opposite};
use super::tag::checked;
use annals_kernel::actor::Standing;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::share::Share;

/// Who writes experience: the goal-gradient solver (artoo R7, decision 36).
pub(crate) const SOLVER: &str = "ggs";
/// The longest content, in characters.
pub(crate) const CONTENT_CHARS: usize = 4000;
/// So many pieces of common sense a pair can have.
pub(crate) const MOST_COMMON: usize = 8;
/// So many experiences one decision keeps.
pub const MOST_LEARNT: usize = 128;
/// So many entries a megram names as its sources.
const MOST_SOURCES: usize = 8;
/// So many megrams are recalled at once.
pub(crate) const MOST_RECALLED: usize = 16;

type Decided = Result<Outcome<Event, Refusal>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match command {
        Command::Write(write) => written(state, write, moment),
        Command::Learn(learn) => learnt(state, learn, moment),
        Command::Recall(recall) => recalled(state, recall, moment),
        Command::Consult(consult) => consulted(state, consult, moment),
        Command::Feedback(feedback) => contradicted(state, feedback, moment),
        Command::Dream(_) => dreamt(state, observed, moment),
    }
    .into()
}

fn is_solver(moment: &Moment<'_>) -> bool {
    moment.actor.as_str() == SOLVER || moment.standing == Standing::System
}

/// Artoo R5: no other role writes, and that one wanted to is on the record.
fn written(state: &State, write: &Write, moment: &Moment<'_>) -> Decided {
    checked("space", &write.space)?;
    checked("entity", &write.entity)?;
    let (space, entity) = (write.space.clone(), write.entity.clone());
    if !is_solver(moment) {
        let refusal = Refusal::NotTheSolver { actor: moment.actor.clone() };
        return Ok(Outcome::refused_with(Denied { space, entity }, refusal));
    }
    is_content(&write.content)?;
    let level = write.level.unwrap_or(PyramidLevel::Megram);
    let Quantum { f, sigma, k } = weight(write, level, moment)?;
    let common = state.pair(&space, &entity).map_or(0, |head| head.common.len());
    if level == PyramidLevel::CommonSense && common >= MOST_COMMON {
        return Err(Refusal::Full { space, entity, most: MOST_COMMON });
    }
    let (megram, content, state) = (moment.id.to_string().into(), write.content.clone(), write.state);
    let (against, learnt) = (None, None);
    Ok(Outcome::of(Written { megram, level, space, entity, content, state, f, sigma, k, against, learnt }))
}

/// What the record of a session shows, each once: rule and cause are its id.
fn learnt(state: &State, learn: &Learn, moment: &Moment<'_>) -> Decided {
    if moment.standing != Standing::System {
        return Err(Refusal::NotTheSolver { actor: moment.actor.clone() });
    }
    if learn.experiences.len() > MOST_LEARNT {
        return Err(Refusal::TooMuch { most: MOST_LEARNT });
    }
    let mut events: Vec<Event> = Vec::new();
    let mut known: BTreeSet<Box<str>> = BTreeSet::new();
    for experience in &learn.experiences {
        checked("space", &experience.space)?;
        checked("entity", &experience.entity)?;
        is_content(&experience.content)?;
        let megram = experience.megram();
        if state.megrams.get(&megram).is_none() && known.insert(megram.clone()) {
            events.push(kept(megram, experience, moment).into());
        }
    }
    if events.is_empty() { Err(Refusal::NothingNew) } else { Ok(Outcome { events, refusal: None }) }
}

fn kept(megram: Box<str>, experience: &Experience, moment: &Moment<'_>) -> Written {
    let Quantum { f, sigma, k } = quantum(experience.state, moment.settings);
    let sources = experience.sources.iter().take(MOST_SOURCES).copied().collect();
    Written {
        megram,
        level: PyramidLevel::Megram,
        space: experience.space.clone(),
        entity: experience.entity.clone(),
        content: experience.content.clone(),
        state: Some(experience.state),
        f,
        sigma,
        k,
        against: None,
        learnt: Some(LearntFrom { rule: experience.rule, session: experience.session.clone(), sources }),
    }
}

fn is_content(content: &str) -> Result<(), Refusal> {
    let most = CONTENT_CHARS;
    if (1..=most).contains(&content.chars().count()) { Ok(()) } else { Err(Refusal::BadContent { most }) }
}

/// What the state weighs, with what is said otherwise.
fn weight(write: &Write, level: PyramidLevel, moment: &Moment<'_>) -> Result<Quantum, Refusal> {
    let given = write.state.map(|state| quantum(state, moment.settings));
    let f = write.f.or(given.map(|given| given.f)).ok_or(Refusal::NoWeight)?;
    let sigma = write.sigma.or(given.map(|given| given.sigma)).ok_or(Refusal::NoWeight)?;
    let fading = || given.map_or_else(|| moment.settings.get(&DEMOTED_DECAY), |given| given.k);
    let bad = |k: Share| Refusal::BadRate { level, k: k.to_string().into() };
    let k = match level {
        PyramidLevel::Megram | PyramidLevel::Knowledge => write.k.unwrap_or_else(fading),
        PyramidLevel::CommonSense => write.k.unwrap_or_default(),
        PyramidLevel::Thinking => return Err(Refusal::Law),
    };
    let is_timeless = k == Share::NONE;
    if is_timeless == (level == PyramidLevel::CommonSense) { Ok(Quantum { f, sigma, k }) } else { Err(bad(k)) }
}

/// What nobody knows has no voice in what is remembered.
fn is_member(moment: &Moment<'_>) -> Result<(), Refusal> {
    let is_known = is_solver(moment) || moment.standing != Standing::Stranger;
    if is_known { Ok(()) } else { Err(Refusal::Stranger { actor: moment.actor.clone() }) }
}

fn is_kept(state: &State, megram: &str) -> Result<(), Refusal> {
    match state.megrams.get(megram) {
        Some(MegramFate::Kept(_)) => Ok(()),
        Some(MegramFate::Forgotten(at)) => Err(Refusal::Forgotten { megram: megram.into(), at: *at }),
        None => Err(Refusal::UnknownMegram { megram: megram.into() }),
    }
}

fn recalled(state: &State, recall: &Recall, moment: &Moment<'_>) -> Decided {
    is_member(moment)?;
    let mut megrams = recall.megrams.clone();
    megrams.sort_unstable();
    megrams.dedup();
    if !(1..=MOST_RECALLED).contains(&megrams.len()) {
        return Err(Refusal::BadCount { most: MOST_RECALLED });
    }
    megrams.iter().try_for_each(|megram| is_kept(state, megram))?;
    Ok(Outcome::of(Recalled { megrams }))
}

/// Artoo R5, `QueryC`.
fn consulted(state: &State, consult: &Consult, moment: &Moment<'_>) -> Decided {
    is_member(moment)?;
    checked("space", &consult.space)?;
    checked("entity", &consult.entity)?;
    let head = state.pair(&consult.space, &consult.entity);
    let megrams: Vec<_> = head.into_iter().flat_map(|head| head.common.keys().cloned()).take(MOST_RECALLED).collect();
    if megrams.is_empty() {
        let (space, entity) = (consult.space.clone(), consult.entity.clone());
        return Err(Refusal::NoCommonSense { space, entity });
    }
    Ok(Outcome::of(Recalled { megrams }))
}

/// Artoo R5, `RecordNegativeFeedback`: nothing is changed, something is said against it, and that fades.
fn contradicted(state: &State, feedback: &Feedback, moment: &Moment<'_>) -> Decided {
    is_member(moment)?;
    is_content(&feedback.content)?;
    is_kept(state, &feedback.megram)?;
    let unknown = || Refusal::UnknownMegram { megram: feedback.megram.clone() };
    let known = state.megram(&feedback.megram).ok_or_else(unknown)?;
    let Quantum { f, sigma, k } = known.quantum;
    let k = if k == Share::NONE { moment.settings.get(&DEMOTED_DECAY) } else { k };
    Ok(Outcome::of(Written {
        megram: moment.id.to_string().into(),
        level: PyramidLevel::Megram,
        space: known.space,
        entity: known.entity,
        content: feedback.content.clone(),
        state: None,
        f,
        sigma: opposite(sigma),
        k,
        against: Some(feedback.megram.clone()),
        learnt: None,
    }))
}

fn dreamt(state: &State, observed: &Observed, moment: &Moment<'_>) -> Decided {
    if !is_solver(moment) && !moment.standing.is_privileged() {
        return Err(Refusal::NotTheDreamer { actor: moment.actor.clone() });
    }
    Ok(Outcome { events: dream(state, observed, moment), refusal: None })
}
