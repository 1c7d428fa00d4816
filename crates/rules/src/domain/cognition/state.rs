//! The minds of all sessions: what entries and events change about them.

use annals_kernel::record::{Input, Kind, Speech};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::command::{Announce, Command, Fire, Observed, SetTone};
use super::critic;
use super::event::Event;
use super::limits::CognitionLimits;
use super::load::Loaded;
use super::mind::{Change, Edge, Mind, MindRule, What};
use super::snapshot::{KeptPart, MindPart, is_due};
use super::watch::EndedCall;
use annals_kernel::annals::SNAPSHOT_TAG;
use annals_kernel::call::{Call, Finished, asked_at, check, is_test, was_stopped};
use annals_kernel::decision::Cause;
use annals_kernel::envelope::{Ending, Envelope};
use annals_kernel::id::{EntryId, NO_SESSION, SessionId};
use annals_kernel::json::{Json, texts};
use annals_kernel::rows::Rows;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// Text that a pattern looks through, up to here, in characters.
const MOST_TEXT: usize = 16 << 10;

/// All minds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// By session.
    pub minds: Rows<SessionId, Mind>,
    #[serde(skip)]
    aside: Aside,
}

/// What is no part of the state: the limits in force, read once, and what somebody listens to.
#[derive(Debug, Clone, Default)]
pub struct Aside {
    limits: Option<Arc<CognitionLimits>>,
    heard: Option<Vec<Edge>>,
}

impl PartialEq for Aside {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl State {
    /// Nothing, and everything that begins to hold from now on is heard.
    pub fn listening() -> Self {
        Self { aside: Aside { heard: Some(Vec::new()), ..Aside::default() }, ..Self::default() }
    }

    /// Takes what is no part of the state, for as long as something is tried out.
    pub(crate) fn take_aside(&mut self) -> Aside {
        std::mem::take(&mut self.aside)
    }

    /// Puts it back.
    pub(crate) fn put_aside(&mut self, aside: Aside) {
        self.aside = aside;
    }

    /// What was heard since the last time.
    pub fn take_heard(&mut self) -> Vec<Edge> {
        self.aside.heard.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The mind of a session.
    pub fn mind(&self, session: &str) -> Option<&Mind> {
        self.minds.get(session)
    }

    /// The configuration has changed.
    pub fn forget_limits(&mut self) {
        self.aside.limits = None;
    }

    fn limits(&mut self, settings: &Settings) -> Arc<CognitionLimits> {
        let limits = self.aside.limits.get_or_insert_with(|| Arc::new(CognitionLimits::of(settings)));
        Arc::clone(limits)
    }

    /// Takes in one entry, whoever wrote it, and the finished call that it is.
    pub fn observe(&mut self, entry: &Envelope<'_>, call: Option<&Finished<'_>>, settings: &Settings) {
        let record = entry.record();
        let is_watched = matches!(record, Kind::Call | Kind::Input(_) | Kind::State);
        let speaks = matches!(record, Kind::Speech(Speech::Message | Speech::Turn));
        let limits = self.limits(settings);
        if !is_watched && !speaks && limits.patterns.is_empty() || entry.rules().is_some() {
            return;
        }
        let session = entry.session();
        if session == NO_SESSION || (!is_watched && !matches!(record, Kind::Speech(_))) {
            return;
        }
        if speaks {
            self.spoke(&session, entry);
        }
        if !is_watched && limits.patterns.is_empty() {
            return;
        }
        let (mut text, mut spin) = (None, None);
        let mind = self.minds.entry(session.as_ref(), Mind::default);
        let (cause, at) = (entry.id(), entry.at());
        match record {
            Kind::Call => {
                let Some(Finished { call, failed, found_nothing, .. }) = call.filter(|_| was_made(entry)) else {
                    return;
                };
                let ending = if *found_nothing { Ending::Succeeded } else { entry.ending() };
                spin = Some(mind.watch.spin());
                mind.watch.call(call, EndedCall { ending, at, asked_at: asked_at(entry) }, failed.as_deref());
                if mind.watch.edits > 0 && ending == Ending::Succeeded && is_checked_commit(call, entry) {
                    mind.watch.tested();
                }
                // Where a file is made, there was nothing to look at; asked of few calls.
                if mind.watch.unfamiliar && makes_a_file(entry) {
                    mind.watch.unfamiliar = false;
                }
                let line = || [&*call.tool, &*call.target, &*entry.error().unwrap_or_default()].join(" ");
                text = (!limits.patterns.is_empty()).then(line);
            }
            Kind::Input(Input::Prompt) => {
                let mood = mind.critic_mood();
                mind.watch.turn(|watch| watch.failures == 0 && mood.is_calm(&limits));
                // One that comes while the agent works, or after it broke off, finds nothing that could be judged.
                if mind.watch.said {
                    mind.turn_ended(&limits, self.aside.heard.as_mut());
                }
                mind.watch.prompt();
            }
            Kind::Input(Input::Interrupt) => {
                mind.turn_stopped();
                mind.watch.interrupt();
                mind.stopped(&Change { cause, at, text: None, spin: None }, &limits);
            }
            Kind::Input(Input::Shell | Input::Command) => {
                if entry.input::<Typed>().is_some_and(|typed| typed.is_test()) {
                    mind.watch.tested();
                }
            }
            Kind::State => cognitive_state(mind, entry),
            Kind::Input(_) | Kind::Speech(_) | Kind::Event(_) | Kind::Other => {}
        }
        if text.is_none() && !limits.patterns.is_empty() {
            text = entry.input_text().map(|text| text.chars().take(MOST_TEXT).collect());
        }
        let change = Change { cause, at, text: text.as_deref(), spin };
        mind.changed(&change, &limits, self.aside.heard.as_mut());
    }

    /// An agent speaks: it may be the end of its turn, and say that nothing was tried.
    fn spoke(&mut self, session: &str, entry: &Envelope<'_>) {
        let is_news = |mind: &Mind| !mind.watch.said || !mind.late.is_empty();
        if self.minds.get(session).is_some_and(is_news)
            && let Some(mind) = self.minds.get_mut(session)
        {
            mind.spoke(|| entry.words().unwrap_or_default());
        }
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        self.minds.entry(event.session().as_str(), Mind::default).take(event, cause);
    }

    /// What follows from an event that was taken in, under the limits in force.
    pub fn settle(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>, settings: &Settings) {
        let limits = self.limits(settings);
        let Some(mind) = self.minds.get_mut(event.session().as_str()) else { return };
        if let Some(part) = event.snapshot() {
            mind.kept.extend(KeptPart::of(part, mind, &limits, cause.at).map(|kept| (part, kept)));
        } else if event.is_stated() {
            let change = Change { cause: cause.id, at: cause.at, text: None, spin: None };
            mind.changed(&change, &limits, self.aside.heard.as_mut());
        }
    }

    /// The session is over for whoever listens: so is its last turn.
    pub fn ended(&mut self, session: &str, settings: &Settings) {
        let limits = self.limits(settings);
        if let Some(mind) = self.minds.get_mut(session) {
            mind.turn_ended(&limits, self.aside.heard.as_mut());
        }
    }

    /// What is due in a session; `last` is its last entry. Where that came after everything that was done, the turn is over.
    pub fn due(&self, session: &SessionId, last: EntryId, at: Timestamp, settings: &Settings) -> Vec<Command> {
        let Some(mind) = self.mind(session.as_str()) else { return Vec::new() };
        let limits = CognitionLimits::of(settings);
        let mut due: Vec<_> = mind
            .pending
            .iter()
            .chain(mind.late.iter().filter(|_| last > mind.last))
            .filter_map(|pending| {
                let (session, cause) = (session.clone(), pending.cause);
                match &pending.what {
                    What::Trigger(trigger, measured) => {
                        let is_there = limits.triggers.iter().any(|known| known.id == *trigger);
                        let (trigger, measured) = (trigger.clone(), measured.clone());
                        is_there.then(|| Fire { session, trigger, cause, measured }.into())
                    }
                    What::Spin(_) | What::FlowEntered(_) | What::FlowExited(_) => {
                        Some(Announce { session, cause, what: Some(pending.what.clone()) }.into())
                    }
                }
            })
            .collect();
        let (session, cause) = (session.clone(), mind.last);
        let is_new = |rule| !mind.has_done(rule, cause);
        if let Some((tone, reason)) =
            critic::next(mind.tone(&limits), &mind.critic_mood(), &limits).filter(|_| is_new(MindRule::Tone))
        {
            due.push(SetTone { session: session.clone(), tone, reason, cause: Some(cause) }.into());
        }
        if limits.announce && is_new(MindRule::Snapshot) && is_due(MindPart::Metacognition, mind, &limits, at) {
            due.push(Announce { session, cause, what: None }.into());
        }
        due
    }
}

/// Whether a call that edits makes its file: a patch that adds it, or a tool that says so.
fn makes_a_file(entry: &Envelope<'_>) -> bool {
    let asks = entry.input_text().unwrap_or_default();
    let says = || entry.output::<Json>().map(|output| output.text().to_owned()).unwrap_or_default();
    let is_new = |text: &str| {
        ["*** Add File", "\"create\"", "File created", "new file mode"].iter().any(|mark| text.contains(mark))
    };
    is_new(asks) || is_new(&says())
}

/// A commit before which the checks of the project ran.
fn is_checked_commit(call: &Call<'_>, entry: &Envelope<'_>) -> bool {
    check::is_checked_commit(&call.target, || entry.output().as_ref().map(texts).unwrap_or_default())
}

/// Not one that a person stopped, or that was not made because another one beside it failed, or because its file has to be
/// read first: those are no failures, and the last kind mends itself with the next call.
fn was_made(entry: &Envelope<'_>) -> bool {
    let is_to_be_read = |error: &str| ["Read it first", "Read it again before"].iter().any(|asks| error.contains(asks));
    let is_none = |error: &str| was_stopped(error) || is_to_be_read(error);
    entry.ending() != Ending::Failed || !entry.error().is_some_and(|error| is_none(&error))
}

/// A command that a person ran beside the agent: `/run pytest` of aider, `!cargo test`.
#[derive(Deserialize)]
struct Typed {
    #[serde(default)]
    command: Box<str>,
    #[serde(default)]
    args: Box<str>,
}

impl Typed {
    fn is_test(&self) -> bool {
        let runs = matches!(&*self.command, "/run" | "/test" | "!");
        is_test(if runs { &self.args } else { &self.command })
    }
}

/// What another program knows. What cannot be read is passed over.
fn cognitive_state(mind: &mut Mind, entry: &Envelope<'_>) {
    let is_own = entry.tags().iter().any(|tag| tag == SNAPSHOT_TAG);
    let Some(part) = entry.name().parse().ok().filter(|_| !is_own && entry.ending() == Ending::Succeeded) else {
        return;
    };
    let state = entry.input::<Json>().filter(|state| !state.is_empty_object()).or_else(|| entry.output());
    if let Some(loaded) = state.and_then(|state| Loaded::read(part, &state).ok()) {
        mind.load(loaded);
    }
}
