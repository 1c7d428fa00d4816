//! Joins log and world: observe, sanitize, decide under the lock, record, keep the state at hand.
//!
//! The one place where a command meets the disk, the clock and the rules. Does not parse arguments and does not print.

mod ahead;
mod amend;
pub mod analysed;
pub mod archive;
mod bulk;
pub mod calls;
mod checkpoint;
mod clean;
pub mod clock;
mod command_line;
mod configuration;
pub mod consent;
mod decide;
pub mod doctor;
pub mod evidence;
pub mod given;
mod group_commit;
pub mod intercept;
pub mod keys;
pub mod learn;
pub mod live;
mod lookup;
pub mod mend;
mod note;
pub mod own;
pub mod own_entry;
pub mod own_word;
mod parts;
pub mod query;
mod react;
mod recent;
mod records;
pub mod replay;
pub mod scrub;
mod sealed;
pub mod settings;
pub mod shared;
pub mod shown;
pub mod sign;
pub(crate) mod touched;
pub mod verify;
pub mod why;
pub mod withheld;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::clock::Clock;
use self::configuration::Configuration;
use self::consent::Consent;
use self::decide::Decisions;
pub use self::decide::{Answer, By, Rehearsal};
use self::live::{Cache, Effort, Live, Said};
use self::records::Records;
use self::settings::{BadConfig, ROTATION};
pub use self::touched::Touched;
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_log::LogError;
use annals_log::disk::Disk;
use annals_log::place::Place;
use annals_log::read::ReadError;
use annals_log::taken::Git;
use annals_log::watermarks::Watermarks;
use annals_log::writer::{Log, Tell, Writes};
use annals_rules::domain::BadObservation;
use annals_rules::world::World;
use annals_sanitizer::{ConfigError, Sanitizer};

/// Why a command could not be carried out. A "no" by rule is none of these.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The configuration.
    #[error(transparent)]
    Config(#[from] BadConfig),
    /// A custom pattern of the sanitizer.
    #[error("config.toml: sanitization.custom_patterns: {0}")]
    Pattern(#[from] ConfigError),
    /// A value that is found everywhere cannot be taken out.
    #[error("a value of fewer than {least} characters is found everywhere: give a longer part of it")]
    TooShort {
        /// The least length, in characters.
        least: usize,
    },
    /// A value that is too long to be looked for.
    #[error("the value is too long to be looked for: give a telling part of it ({problem})")]
    NoPattern {
        /// Why.
        problem: String,
    },
    /// What stands there is not a text, so that it is not clear what to look for.
    #[error("{path} holds no text: name the text in it that leaked with its own path, or with --part")]
    NotAText {
        /// Where.
        path: String,
    },
    /// What was found out for a command is not what its room reads.
    #[error(transparent)]
    Observation(#[from] BadObservation),
    /// The key that signs heads.
    #[error(transparent)]
    Key(#[from] keys::KeyError),
    /// No call of this name has begun, or it has ended already.
    #[error("no call {call} is open")]
    UnknownCall {
        /// The handle.
        call: String,
    },
    /// Whoever asked is not to be held up by a fold of so much.
    #[error(
        "{bytes} bytes of history are not folded yet, and a hook folds at most {most}: the next command that reads, as `annals status`, does"
    )]
    TooMuchToFold {
        /// How many bytes; of packed days the packed ones.
        bytes: u64,
        /// How many may be.
        most: u64,
    },
    /// The folder is a link that git brought.
    #[error("{} is a symbolic link that came with the repository: remove it, then make a folder with `annals init`", path.display())]
    LinkedContext {
        /// The link.
        path: PathBuf,
    },
    /// There is no such folder.
    #[error("there is no .context in {} or above it", from.display())]
    NoContext {
        /// Where it was looked for.
        from: PathBuf,
    },
}

impl From<ReadError> for EngineError {
    fn from(error: ReadError) -> Self {
        Self::Log(error.into())
    }
}

/// One project's `.context`, open.
pub struct Engine {
    log: Log,
    clock: Clock,
    configuration: Configuration,
    sanitizer: Sanitizer,
    cache: Cache,
    effort: Effort,
    live: Mutex<Option<Live>>,
    records: Records,
    decisions: Decisions,
    after: Option<After>,
    set_aside: Option<PathBuf>,
}

/// Called when entries were written and count.
pub type After = Box<dyn Fn(&Engine, &Touched) + Send + Sync>;

impl Engine {
    /// Opens a `.context` folder. It may come from strangers, so that nothing below it is reached through a link.
    pub fn open(disk: Arc<dyn Disk>, context: &Path, clock: Clock) -> Result<Self, EngineError> {
        own::require_own_folder(context)?;
        let disk = disk.below(context);
        // Before anything in it is read: a repository could bring a checkpoint, a bookmark, waiting calls and payloads,
        // and all of that would be believed.
        let set_aside = own::own_local(&*disk, &Place::new(context), &clock)?;
        let configuration = Configuration::load(&*disk, &Place::new(context))?;
        let settings = configuration.in_force();
        let sanitizer = Sanitizer::new(settings::sanitization(settings))?;
        let log = Log::open(disk, context, settings.get(&ROTATION));
        Ok(Self {
            log,
            clock,
            configuration,
            sanitizer,
            cache: Cache::Used,
            effort: Effort::Any,
            live: Mutex::new(None),
            records: Records::default(),
            decisions: Decisions::default(),
            after: None,
            set_aside,
        })
    }

    /// Where a `local/` is now that was not this clone's, if there was one: who opened the folder says so.
    pub fn set_aside(&self) -> Option<&Path> {
        self.set_aside.as_deref()
    }

    /// Says in which git work tree the folder stands. What the user entered is kept there as well.
    pub fn within(self, git: Option<Git>) -> Result<Self, EngineError> {
        let log = self.log.within(git);
        let beside = log.second_names().and_then(|seconds| Consent::load_beside(&**log.disk(), seconds));
        let Some(consent) = beside else { return Ok(Self { log, ..self }) };
        let configuration = self.configuration.under(consent);
        let sanitizer = Sanitizer::new(settings::sanitization(configuration.in_force()))?;
        Ok(Self { log, configuration, sanitizer, ..self })
    }

    /// Says whether anything may be written.
    #[must_use]
    pub fn with_writes(self, writes: Writes) -> Self {
        Self { log: self.log.with_writes(writes), ..self }
    }

    /// Says where time and chance come from.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Whether time and chance are what commands are given in this folder, as its first entry says (decision 46).
    pub fn is_clock_given(&self) -> Result<bool, EngineError> {
        self.open_live(EntryId::MAX, Said::InTheFold)?.ask(|world| world.rooms.config.clock.is_some())
    }

    /// Says what happens after each write: views that are kept current, for one. It cannot undo the write.
    #[must_use]
    pub fn after_writing(self, after: After) -> Self {
        Self { after: Some(after), ..self }
    }

    /// Says who is told when a writer repairs what a crash left behind.
    #[must_use]
    pub fn telling_repairs(self, tell: Tell) -> Self {
        Self { log: self.log.telling(tell), ..self }
    }

    fn wrote(&self, touched: &Touched) {
        if let Some(after) = self.after.as_ref().filter(|_| *touched != Touched::default()) {
            after(self, touched);
        }
    }

    /// Where things are.
    pub fn place(&self) -> &Place {
        self.log.place()
    }

    /// What it stands on.
    pub fn disk(&self) -> &Arc<dyn Disk> {
        self.log.disk()
    }

    /// Time and chance.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// What holds in this clone: what `config.toml` says, but what weakens only where the user entered it here.
    pub fn settings(&self) -> &Settings {
        self.configuration.in_force()
    }

    /// What takes secrets out of texts.
    pub fn sanitizer(&self) -> &Sanitizer {
        &self.sanitizer
    }

    /// The log itself.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// How far each segment was read, with the range of its ids: as they are now, unlike the writer's own, which may
    /// know of its last lines no more than where they end.
    pub fn marks(&self) -> Result<Watermarks, EngineError> {
        let mut live = self.current()?;
        Ok(live.as_mut().expect("BUG: the world was just folded").marks()?.clone())
    }

    fn lock_live(&self) -> MutexGuard<'_, Option<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The world as it is now; made on first use.
    fn current(&self) -> Result<MutexGuard<'_, Option<Live>>, EngineError> {
        let mut live = self.lock_live();
        match live.as_mut() {
            Some(live) if live.keeps_up() => live.catch_up()?,
            Some(_) | None => *live = Some(self.open_live(EntryId::MAX, Said::InTheFold)?),
        }
        Ok(live)
    }

    fn open_live(&self, until: EntryId, said: Said) -> Result<Live, EngineError> {
        Live::open(Arc::clone(self.disk()), self.place().clone(), until, self.cache, self.effort, said)
    }

    /// Asks the world as it is now.
    pub fn ask<T>(&self, mut question: impl FnMut(&World) -> T) -> Result<T, EngineError> {
        self.attempt(|world| question(world))
    }

    /// Asks the world as it was when it was last folded, for whoever writes and asks in turn of what stood there before: of
    /// now, each question would fold all that was written since the last.
    pub fn ask_of_last_fold<T>(&self, question: impl FnMut(&World) -> T) -> Result<T, EngineError> {
        let mut folded = self.lock_live();
        if let Some(live) = folded.as_mut() {
            return live.ask(question);
        }
        drop(folded);
        self.ask(question)
    }

    /// Tries something out on the world as it is now, which stays as it is.
    pub fn attempt<T>(&self, attempt: impl FnMut(&mut World) -> T) -> Result<T, EngineError> {
        let mut live = self.current()?;
        let live = live.as_mut().expect("BUG: the world was just folded");
        let answer = live.attempt(attempt)?;
        live.store_if_due();
        Ok(answer)
    }

    /// The world as it was after an entry (`EntryId::MAX`: now), for whoever asks more than once.
    pub fn world_at(&self, until: EntryId) -> Result<Live, EngineError> {
        if until == EntryId::MAX {
            return self.open_live(until, Said::InTheFold);
        }
        let now = self.current()?.as_ref().map(|live| amend::amendments(&live.world().rooms)).unwrap_or_default();
        self.open_live(self.turn_of(until)?, Said::Later(now))
    }

    /// The turn of an entry in the fold: its id, but where a clock was mended.
    pub fn turn_of(&self, entry: EntryId) -> Result<EntryId, EngineError> {
        self.reader()?.turn_of(entry)
    }

    /// Stores the state for the hooks that come next, where that is worth a layer of the checkpoint.
    pub fn store_ahead(&self) -> Result<(), EngineError> {
        let mut live = self.current()?;
        live.as_mut().expect("BUG: the world was just folded").store_ahead();
        Ok(())
    }

    /// Folds what there is and stores the state for the next command.
    pub fn store_checkpoint(&self) -> Result<(), EngineError> {
        let mut live = self.current()?;
        let live = live.as_mut().expect("BUG: the world was just folded");
        live.store()
    }
}
