//! One hook from its payload to its answer.
//!
//! A log that is blocked or broken never blocks the agent, unless `hook.fail_closed` says so: what cannot be recorded
//! is put aside (`spool`). Does not read stdin and does not print; `cli::hook` does.

mod waited;

use std::path::PathBuf;
use std::sync::Arc;

pub(super) use self::waited::record_late;
use self::waited::{places, transcript};
use crate::engine::clock::Clock;
use crate::engine::keys::KeyFile;
use crate::engine::live::Effort;
use crate::engine::settings::{BACKGROUND, FAIL_CLOSED, INTERCEPTION, LOCK_WAIT_MS, TRANSCRIPTS};
use crate::engine::{Engine, EngineError};
use crate::log::disk::{Disk, RealDisk, Shut};
use crate::log::git::GitEnvironment;
use crate::log::kept::Kept;
use crate::log::patience::Patient;
use crate::log::place::Place;
use crate::log::taken::{Asks, Git};
use crate::sanitizer::{Config, Sanitizer};

use super::background::{self, BackgroundJob};
use super::entries::Entries;
use super::event::{Call, HookEvent, What};
use super::guard::{self, RefusedCall, Ruling};
use super::lost::Ledger;
use super::record::{Recorder, Sealing};
use super::spool::{self, Drained, WaitingPayload};
use super::transcripts::Transcript;
use super::used;
use super::voice::{Said, Voice};
use super::{Agent, HookAnswer, copilot, due, seen};

/// So much of a history that is not folded yet a hook folds; what is folded takes up to some twenty times its bytes in
/// memory (measured: entries each in a session of its own), and a hook is to take less than 256 MB.
const MOST_FOLDED_BYTES: u64 = 8 << 20;

/// What a hook finds around it.
#[derive(Debug, Default)]
pub struct Around {
    /// The `.context` folder.
    pub context: PathBuf,
    /// Where the hook was started.
    pub directory: PathBuf,
    /// The home of the person.
    pub home: Option<PathBuf>,
    /// The project's folder, where the agent names it.
    pub project: Option<PathBuf>,
    /// What git's own variables say.
    pub git: GitEnvironment,
    /// The key that signs heads; without one nothing is signed.
    pub key: Option<KeyFile>,
    /// The program, which is started once more for what takes long; where nobody says it, a hook does that itself.
    pub program: Option<PathBuf>,
    /// Where events are counted that can be kept nowhere; without one nobody counts them.
    pub ledger: Option<Ledger>,
    /// Time and chance.
    pub clock: Clock,
    /// Others, where the environment gives them.
    pub given: Option<GivenClock>,
}

/// Time and chance as the environment gives them; they count only in a folder that takes them (decision 46).
#[derive(Debug)]
pub struct GivenClock {
    /// Which variable does.
    pub variable: &'static str,
    /// What it says; none where that cannot be read.
    pub clock: Option<Clock>,
}

/// What came of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookOutcome {
    /// What the agent is told.
    pub answer: HookAnswer,
    /// What went wrong, for whoever looks.
    pub problem: Option<String>,
}

impl HookOutcome {
    /// What comes after, and what went wrong there, unless something has already.
    fn then(self, next: impl FnOnce() -> Option<String>) -> Self {
        let problem = next();
        Self { problem: self.problem.or(problem), ..self }
    }
}

impl From<HookAnswer> for HookOutcome {
    fn from(answer: HookAnswer) -> Self {
        Self { answer, problem: None }
    }
}

/// Takes one payload. Never fails: what goes wrong is told beside the answer.
pub fn handle(agent: Agent, text: &str, around: Around) -> HookOutcome {
    let (ledger, context, at) = (around.ledger.clone(), around.context.clone(), around.clock.now());
    let Handled { outcome, fate, is_turn } = taken(agent, text, around);
    let Some(ledger) = ledger else { return outcome };
    match (fate, &outcome.answer) {
        (Fate::Lost, _) => drop(ledger.count(&context, at)),
        (Fate::Kept, HookAnswer::Go) if is_turn => {
            if let Some(lost) = ledger.news(&context) {
                return HookOutcome { answer: HookAnswer::Tell(format!("annals: {}", lost.told())), ..outcome };
            }
        }
        (Fate::Kept, _) => {}
    }
    outcome
}

/// What came of a payload.
struct Handled {
    outcome: HookOutcome,
    fate: Fate,
    /// Whether a person looks at the agent just now.
    is_turn: bool,
}

/// Whether an event is kept anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    Lost,
}

fn taken(agent: Agent, text: &str, around: Around) -> Handled {
    let kept = |outcome| Handled { outcome, fate: Fate::Kept, is_turn: false };
    let Some(payload) = agent.payload(text) else {
        let problem = Some("the payload is not an object of JSON".to_owned());
        return kept(HookOutcome { answer: HookAnswer::Go, problem });
    };
    let event = agent.read(&payload);
    let git = Git::find(&around.context, &around.git, Asks::Nobody);
    let disk = Arc::new(Patient::new(Kept::new(RealDisk, git.as_ref().and_then(Git::seconds).cloned())));
    let (at, chance) = (around.clock.now(), around.clock.chance());
    let person = around.home.as_ref().map(|home| home.to_string_lossy().into_owned());
    let waiting = |at| WaitingPayload {
        agent: agent.name().to_owned(),
        at,
        payload: text.to_owned(),
        denied: None,
        home: person.clone(),
    };
    let Around { context, directory, home, project, key, program, clock, given, .. } = around;
    let engine = match Engine::open(disk.clone(), &context, clock).and_then(|engine| engine.within(git)) {
        Ok(engine) => engine.with_effort(Effort::AtMost(MOST_FOLDED_BYTES)),
        Err(error) => {
            let (outcome, fate) = without_engine(&Place::new(&context), &event, &waiting(at), chance, &error);
            return Handled { outcome, fate, is_turn: event.is_turn() };
        }
    };
    let (engine, forged) = in_time(engine, given);
    let (at, waiting) = (engine.clock().now(), waiting(engine.clock().now()));
    disk.wait_at_most(engine.settings().get(&LOCK_WAIT_MS));
    let event = event.renamed(|name| engine.clean_name(name));
    // A count that cannot be kept is no reason to stop.
    let _ = seen::note(&**engine.disk(), engine.place(), agent, event.counted_as(), &event.place.native, at);
    let surroundings = guard::Surroundings { directory, home, project };
    let hook = Hook { engine: &engine, event: &event, transcript: transcript(&payload), key, program, waiting };
    let (outcome, fate) = hook.run(&surroundings);
    let outcome = if fate == Fate::Kept { hook.speak(agent.said(&payload), outcome) } else { outcome };
    let aside = engine.set_aside().filter(|_| outcome.problem.is_none()).map(|path| {
        format!("local/ was not made here, so that nothing in it is believed; it is {} now", path.display())
    });
    let outcome = HookOutcome { problem: outcome.problem.or(aside), ..outcome };
    let outcome = outcome.then(|| {
        forged.map(|variable| format!("{variable} does not count here: it was recorded in the machine's time"))
    });
    Handled { outcome, fate, is_turn: hook.event.is_turn() }
}

/// The engine in the time that the environment gives, where the folder takes one. Elsewhere what happens is recorded, and
/// guarded, as ever: a variable must not stop that; returns which it was.
fn in_time(engine: Engine, given: Option<GivenClock>) -> (Engine, Option<&'static str>) {
    let Some(GivenClock { variable, clock }) = given else { return (engine, None) };
    match clock.filter(|_| engine.is_clock_given().unwrap_or(false)) {
        Some(clock) => (engine.with_clock(clock), None),
        None => (engine, Some(variable)),
    }
}

/// The configuration cannot be read, and with it neither what is secret: the default rules must do.
fn without_engine(
    place: &Place,
    event: &HookEvent,
    waiting: &WaitingPayload,
    chance: u128,
    error: &EngineError,
) -> (HookOutcome, Fate) {
    // Through a folder that came as a link nothing is kept, either.
    let is_ours = !matches!(error, EngineError::LinkedContext { .. });
    let is_wanted = is_ours && !matches!(event.what, What::Nothing);
    let sanitizer = Sanitizer::new(Config::default()).ok().filter(|_| is_wanted);
    let disk = Arc::new(RealDisk).below(place.context());
    let spooled = sanitizer.map(|rules| spool::put(&*disk, place, &rules, chance, waiting));
    let fate = if matches!(spooled, Some(Ok(()))) { Fate::Kept } else { Fate::Lost };
    let outcome = told(event, fate, error);
    // Whether `hook.fail_closed` is set, nobody can know now; the agent's own settings do.
    let is_call = matches!(event.what, What::CallBegins(_));
    let fate = if is_wanted { fate } else { Fate::Kept };
    (if is_call { HookOutcome { answer: HookAnswer::Fail, ..outcome } } else { outcome }, fate)
}

/// The person hears of it once a turn, not at every call.
fn told(event: &HookEvent, fate: Fate, error: &EngineError) -> HookOutcome {
    let fate = if fate == Fate::Kept { "it is kept for the next command" } else { "it is lost" };
    let shut = shut_in(error).map(|shut| format!(": {shut}")).unwrap_or_default();
    let problem = format!("{} was not recorded, {fate}: {error}{shut}", event.name);
    let answer = if event.is_turn() { HookAnswer::Tell(format!("annals: {problem}")) } else { HookAnswer::Go };
    HookOutcome { answer, problem: Some(problem) }
}

/// What stands in the way of a file, where that is why; the person must remove it.
fn shut_in<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e Shut> {
    let shut = error.downcast_ref().and_then(Shut::of);
    shut.or_else(|| error.source().and_then(shut_in))
}

/// Does what hooks have left to a process of its own.
pub fn settle(around: Around) -> Result<(), EngineError> {
    let git = Git::find(&around.context, &around.git, Asks::Nobody);
    let disk = Kept::new(RealDisk, git.as_ref().and_then(Git::seconds).cloned());
    let engine = Engine::open(Arc::new(disk), &around.context, around.clock)?.within(git)?;
    let (engine, _) = in_time(engine.with_effort(Effort::AtMost(MOST_FOLDED_BYTES)), around.given);
    background::work(&engine, around.key.as_ref(), around.home.as_deref())
}

/// One event, on an engine.
struct Hook<'h> {
    engine: &'h Engine,
    event: &'h HookEvent,
    transcript: Option<PathBuf>,
    key: Option<KeyFile>,
    program: Option<PathBuf>,
    waiting: WaitingPayload,
}

impl Hook<'_> {
    fn run(&self, around: &guard::Surroundings) -> (HookOutcome, Fate) {
        if let What::CallBegins(call) = &self.event.what {
            return self.call_begins(call, around);
        }
        if !self.engine.settings().get(&INTERCEPTION) || self.event.what == What::Nothing {
            return (HookAnswer::Go.into(), Fate::Kept);
        }
        // What waits comes first, so that the order stays; where it cannot be recorded, neither can this. Behind what
        // another process records just now, this waits, too.
        let drained = spool::drain(self.engine);
        if matches!(drained, Ok(Drained::Elsewhere)) && self.put_aside(None) {
            return (HookAnswer::Go.into(), Fate::Kept);
        }
        match drained.and_then(|_| self.recorder().record(&self.event.what)) {
            Ok(sealing) => (self.after(sealing), Fate::Kept),
            Err(error) => {
                let fate = if self.put_aside(None) { Fate::Kept } else { Fate::Lost };
                (told(self.event, fate, &error), fate)
            }
        }
    }

    /// What is known is told where nothing else is.
    fn speak(&self, said: Said, outcome: HookOutcome) -> HookOutcome {
        if outcome.answer != HookAnswer::Go || outcome.problem.is_some() {
            return outcome;
        }
        match self.voice(said).answer() {
            Ok(answer) => HookOutcome { answer, ..outcome },
            // What is not read yet cannot be told; the next command reads it.
            Err(EngineError::TooMuchToFold { .. }) => outcome,
            Err(error) => HookOutcome { problem: Some(error.to_string()), ..outcome },
        }
    }

    fn voice(&self, said: Said) -> Voice<'_> {
        Voice { engine: self.engine, recorder: self.recorder(), event: self.event, said }
    }

    /// What the record sets off, and its signature. An ordinary call sets nothing off.
    fn after(&self, sealing: Sealing) -> HookOutcome {
        let due = self.event.leaves_time().then(|| BackgroundJob::Due(self.event.place.session()));
        let seal = (sealing == Sealing::Due && self.key.is_some()).then_some(BackgroundJob::Seal);
        let jobs: Vec<BackgroundJob> = due.into_iter().chain(seal).chain(self.transcript_job()).collect();
        match self.program.as_deref().filter(|_| self.engine.settings().get(&BACKGROUND)) {
            _ if jobs.is_empty() => HookAnswer::Go.into(),
            Some(program) => {
                let left = jobs.iter().try_for_each(|job| job.leave(self.engine));
                let started = left.and_then(|()| background::start(self.engine, program));
                let problem =
                    started.err().map(|error| format!("what this set off waits for the next command: {error}"));
                HookOutcome { answer: HookAnswer::Go, problem }
            }
            None => self.react().then(|| self.seal(sealing)),
        }
    }

    /// What the transcript knows beyond what hooks were told, once somebody pauses.
    fn transcript_job(&self) -> Option<BackgroundJob> {
        let (place, settings) = (&self.event.place, self.engine.settings());
        let path = self.transcript.clone().or_else(|| copilot::transcript(place, self.waiting.home.as_deref()));
        let native = place.root.clone().unwrap_or_else(|| place.native.clone());
        let job = |path| BackgroundJob::Import(Transcript { kind: place.kind.to_owned(), native, path });
        path.filter(|path| self.event.is_pause() && settings.get(&TRANSCRIPTS) && path.is_absolute()).map(job)
    }

    /// Decides what was set off, where nobody does it in the background: it is recorded already, and what cannot be
    /// decided now is due the next time.
    fn react(&self) -> HookOutcome {
        let session = self.event.place.session();
        let react = || self.engine.react(&session).and_then(|_| used::learn(self.engine, &session));
        let reacted = if self.event.leaves_time() { react() } else { Ok(()) };
        // Where nobody works in the background, a pause is the time for it.
        let reacted =
            reacted.and_then(|()| if self.event.is_pause() { due::learn(self.engine, &session) } else { Ok(()) });
        if matches!(reacted, Err(EngineError::TooMuchToFold { .. })) {
            // Where it cannot be left either, the session's next turn asks again.
            let _ = due::leave(self.engine, &session);
        }
        HookOutcome { answer: HookAnswer::Go, problem: reacted.err().map(|error| error.to_string()) }
    }

    fn seal(&self, sealing: Sealing) -> Option<String> {
        let key = self.key.as_ref().filter(|_| sealing == Sealing::Due)?;
        background::seal(self.engine, key)
    }

    fn recorder(&self) -> Recorder<'_> {
        let entries = Entries { place: &self.event.place, at: self.waiting.at, payload: &self.waiting.payload };
        let places = places(self.engine, self.waiting.home.as_deref());
        Recorder { engine: self.engine, entries, transcript: self.transcript.as_deref(), places }
    }

    fn put_aside(&self, denied: Option<&str>) -> bool {
        let (disk, place) = (&**self.engine.disk(), self.engine.place());
        let waiting = WaitingPayload { denied: denied.map(str::to_owned), ..self.waiting.clone() };
        spool::put(disk, place, self.engine.sanitizer(), self.engine.clock().chance(), &waiting).is_ok()
    }

    fn call_begins(&self, call: &Call, around: &guard::Surroundings) -> (HookOutcome, Fate) {
        if let Some(refused) = guard::check(self.engine, &self.event.place, call, around) {
            return self.deny(call, &refused);
        }
        let ruling = guard::ruling(self.engine, &self.event.place, call);
        if let Ruling::Deny(refused) = &ruling {
            return self.deny(call, refused);
        }
        let (outcome, fate) = self.begins();
        if outcome.answer != HookAnswer::Go {
            return (outcome, fate);
        }
        let answer = match ruling {
            Ruling::Go | Ruling::Deny(_) => HookAnswer::Go,
            Ruling::Ask(reason) => HookAnswer::Ask(reason),
            Ruling::Tell(piece) => self.voice(Said::default()).before_call(piece).unwrap_or(HookAnswer::Go),
        };
        (HookOutcome { answer, ..outcome }, fate)
    }

    /// A call begins that nothing speaks against.
    fn begins(&self) -> (HookOutcome, Fate) {
        if !self.engine.settings().get(&INTERCEPTION) {
            return (HookAnswer::Go.into(), Fate::Kept);
        }
        let begun = self.recorder().record(&self.event.what).and_then(|_| self.ready());
        match begun {
            Ok(()) => (HookAnswer::Go.into(), Fate::Kept),
            Err(error) if self.engine.settings().get(&FAIL_CLOSED) => {
                let reason = format!("annals cannot record this call, and hook.fail_closed is set: {error}");
                (HookOutcome { answer: HookAnswer::Deny(reason.clone()), problem: Some(reason) }, Fate::Kept)
            }
            Err(error) => (told(self.event, Fate::Lost, &error), Fate::Lost),
        }
    }

    /// With `hook.fail_closed` no call begins before everything that came earlier is in the log.
    fn ready(&self) -> Result<(), EngineError> {
        if self.engine.settings().get(&FAIL_CLOSED) {
            spool::drain(self.engine)?;
            self.engine.log().write(&mut || self.engine.clock().chance(), |_| Ok::<(), EngineError>(()))?;
        }
        Ok(())
    }

    fn deny(&self, call: &Call, refused: &RefusedCall) -> (HookOutcome, Fate) {
        let is_wanted = self.engine.settings().get(&INTERCEPTION);
        let noted = if is_wanted { self.recorder().denied(call, &refused.reason, refused.decision) } else { Ok(()) };
        let mut fate = Fate::Kept;
        let problem = noted.err().map(|error| {
            fate = if self.put_aside(Some(&refused.reason)) { Fate::Kept } else { Fate::Lost };
            error.to_string()
        });
        (HookOutcome { answer: HookAnswer::Deny(refused.reason.clone()), problem }, fate)
    }
}
