//! The configuration of a clone: the file, what its user entered here, and what follows from both.
//!
//! What the file says is adopted by a decision of the user and by nothing else; what weakens is not adopted at all, but
//! entered (`consent`).

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::consent::{self, Consent, Entered, Seals, Waiting};
use super::settings::{self, Flaw, FromFile};
use super::{Answer, By, Engine, EngineError, Live};
use annals_kernel::actor::USER;
use annals_kernel::id::{AgentId, NO_SESSION, SessionId};
use annals_kernel::json::Json;
use annals_kernel::settings::{AnySetting, Settings, Weakens};
use annals_log::LogError;
use annals_log::disk::Disk;
use annals_log::place::Place;
use annals_log::writer::Pen;
use annals_rules::domain::roster::health::REQUIRE_TOKEN;
use annals_rules::domain::{Ask, Command, Event, Rooms, config, roster};

/// What is configured, as it was when the engine was opened.
pub(super) struct Configuration {
    file: Settings,
    in_force: Settings,
    consent: Mutex<Consent>,
    origin: Origin,
    flaws: Vec<Flaw>,
}

/// Where it is known from what the user entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Kept,
    /// Not all of it was kept, as by an earlier version: the lines that this clone wrote may say it.
    Unknown,
}

impl Configuration {
    pub(super) fn load(disk: &dyn Disk, place: &Place) -> Result<Self, EngineError> {
        let FromFile { settings, flaws, .. } = settings::load(disk, &place.context().join("config.toml"))?;
        let consent = Consent::load(disk, place)?;
        Ok(Self { flaws, ..Self::of_kept(settings, consent) })
    }

    /// The same, with another consent.
    pub(super) fn under(self, consent: Consent) -> Self {
        Self { flaws: self.flaws, ..Self::of_kept(self.file, Some(consent)) }
    }

    fn of_kept(file: Settings, consent: Option<Consent>) -> Self {
        let is_searched = consent.as_ref().is_some_and(Consent::is_searched);
        let origin = if is_searched { Origin::Kept } else { Origin::Unknown };
        Self::of(file, consent.unwrap_or_default(), origin)
    }

    fn of(file: Settings, consent: Consent, origin: Origin) -> Self {
        Self {
            in_force: consent::in_force(&file, &consent),
            file,
            consent: Mutex::new(consent),
            origin,
            flaws: Vec::new(),
        }
    }

    pub(super) fn in_force(&self) -> &Settings {
        &self.in_force
    }

    pub(super) fn consent(&self) -> Consent {
        self.consent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What a decision would be made under that the user asks for now: what the file says is adopted before it.
    pub(super) fn over(&self, log: &Settings) -> Settings {
        let mut settings = self.in_force.clone();
        for (key, value) in consent::of_rules(log, &self.file, &self.consent()) {
            settings.set(&key, value);
        }
        settings
    }

    /// An ask with what holds in this clone in place of what the log says, where that differs; and with the proof of who
    /// asks, where one is required.
    pub(super) fn completed(&self, ask: &Ask, by: &By, rooms: &Rooms) -> Ask {
        let (log, consent) = (&rooms.config.settings, self.consent());
        let apart = consent::apart(log, &self.file, &consent);
        let mut settings = log.clone();
        for (key, value) in &apart {
            settings.set(key, value.clone());
        }
        let requires_token = settings.get(&REQUIRE_TOKEN) || self.in_force.get(&REQUIRE_TOKEN) || must_prove(by);
        let shell = by.shell.as_ref();
        let ask = shell.map_or_else(|| ask.clone(), |shell| with(ask.clone(), "shell", Value::from(shell.as_ref())));
        let proof = by.proof.as_ref().filter(|_| requires_token);
        let ask = proof.map_or_else(|| ask.clone(), |proof| with(ask.clone(), "proof", Value::from(proof.as_ref())));
        let known = rooms.roster.seals.get(&by.actor).map(|seal| &**seal);
        let counts = Some(consent.seal(&by.actor, known)).filter(|counts| requires_token && *counts != known);
        let ask =
            counts.map_or_else(|| ask.clone(), |seal| with(ask.clone(), "seals", json!({ by.actor.as_str(): seal })));
        // Recorded with the decision, because a replay has lines and no configuration.
        if apart.is_empty() { ask } else { with(ask, "in_force", json!(apart)) }
    }
}

/// Whether a name is not believed wherever tokens stand: the user's, in an agent's shell (decision 55).
fn must_prove(by: &By) -> bool {
    by.shell.is_some() && by.actor.as_str() == USER
}

/// An ask with one more observation.
fn with(ask: Ask, name: &str, value: Value) -> Ask {
    let Value::Object(mut members) = ask.observed.value() else { return ask };
    members.insert(name.to_owned(), value);
    Ask { observed: Json::of(&members), ..ask }
}

impl Engine {
    /// What is asked, with what was found out for it.
    pub(super) fn ask_of(command: Command, observed: &Json) -> Ask {
        let weakening = if let Command::Config(config::Command::Change(change)) = &command {
            consent::guarded_among(change.values.keys())
        } else {
            Vec::new()
        };
        let ask = Ask { command, observed: observed.clone() };
        if weakening.is_empty() { ask } else { with(ask, "weakening", json!(weakening)) }
    }

    /// What `config.toml` asks for and does not hold in this clone.
    pub fn waiting_settings(&self) -> Vec<Waiting> {
        consent::waiting(&self.configuration.file, self.settings())
    }

    /// Whether the user entered a value in this clone; of what does not weaken nobody needs to.
    pub fn entered_here(&self, setting: &dyn AnySetting, value: Option<&Value>) -> bool {
        let entered = self.configuration.consent().of(setting.key()).cloned();
        setting.weakens() == Weakens::Never || entered.is_some_and(|entered| entered.value.as_ref() == value)
    }

    /// What is wrong with `config.toml`, and what holds in its place.
    pub fn config_flaws(&self) -> &[Flaw] {
        &self.configuration.flaws
    }

    /// What `config.toml` says.
    pub fn file_settings(&self) -> &Settings {
        &self.configuration.file
    }

    /// A change of configuration is an entry: what the file says and the log does not know is recorded first, where the
    /// user decides something, and where it does not weaken.
    pub(super) fn adopt_file(&self, pen: &mut Pen<'_>, live: &mut Live, by: &By) -> Result<(), EngineError> {
        self.keep_unseen_seals(live)?;
        let log = &live.world().rooms.config.settings;
        let values = consent::adoptable(log, &self.configuration.file, &self.configuration.consent());
        // What a broken file does not say, nobody took back.
        let is_whole = self.configuration.flaws.iter().all(Flaw::is_of_one_value);
        if values.is_empty() || !is_whole || !self.is_the_user(&live.world().rooms, by) {
            return Ok(());
        }
        let command = config::Command::Adopt(config::Adopt { values });
        let ask = self.clean_ask(Ask { command: command.into(), observed: Json::empty_object() });
        let by = By::new(AgentId::from(USER), SessionId::from(NO_SESSION));
        let answer = self.decide_one(pen, live, &ask, &by, || 0)?;
        self.enter(&answer, &by)
    }

    /// Whether it is the user who decides, as far as tokens tell.
    fn is_the_user(&self, rooms: &Rooms, by: &By) -> bool {
        let consent = self.configuration.consent();
        let known = rooms.roster.seals.get(&by.actor).map(|seal| &**seal);
        let seal = consent.seal(&by.actor, known);
        let requires_token = self.configuration.over(&rooms.config.settings).get(&REQUIRE_TOKEN);
        let is_shown = seal.is_some_and(|seal| by.proof.as_deref() == Some(seal));
        let is_proved = is_shown || !must_prove(by) && (!requires_token || seal.is_none());
        by.actor.as_str() == USER && is_proved
    }

    /// The same for whoever does something for the user before a decision could refuse it: it costs money, say.
    pub fn acts_as_the_user(&self, by: &By) -> Result<bool, EngineError> {
        self.ask(|world| self.is_the_user(&world.rooms, by))
    }

    /// Tokens count as this clone first saw them: a seal that a merge brings later waits for the user.
    fn keep_unseen_seals(&self, live: &Live) -> Result<(), EngineError> {
        let roster = &live.world().rooms.roster;
        let unseen = |consent: &Consent| consent.unseen(&roster.seals, roster.agents.keys());
        if unseen(&self.configuration.consent()).is_empty() {
            return Ok(());
        }
        // Another process may have seen them before.
        self.keep(|consent| consent.let_count(unseen(consent)))
    }

    /// Of whom the log has another token than the one that counts in this clone: another clone gave it, or a forged line.
    pub fn waiting_tokens(&self) -> Result<Vec<AgentId>, EngineError> {
        let consent = self.configuration.consent();
        self.ask(|world| consent.other_seals(&world.rooms.roster.seals))
    }

    /// Keeps what the user entered: settings that weaken hold, and tokens count, in this clone from now on.
    pub(super) fn enter(&self, answer: &Answer, by: &By) -> Result<(), EngineError> {
        let Some(entry) = answer.entry else { return Ok(()) };
        let is_user = by.actor.as_str() == USER;
        let values: Vec<_> = answer.events.iter().filter_map(entered).filter(|_| is_user).collect();
        let keys = consent::guarded_among(values.iter().map(|(key, _)| *key));
        // Who leads gives tokens to agents, and none to the user.
        let seals: Seals =
            answer.events.iter().filter_map(sealed).filter(|(id, _)| is_user || id.as_str() != USER).collect();
        if keys.is_empty() && seals.is_empty() {
            return Ok(());
        }
        self.keep(|consent| {
            for (key, value) in values.into_iter().filter(|(key, _)| keys.contains(key)) {
                consent.enter(key, Entered { value: value.clone(), entry });
            }
            consent.let_count(seals);
        })
    }

    /// Changes what this clone keeps, under its lock.
    fn keep(&self, change: impl FnOnce(&mut Consent)) -> Result<(), EngineError> {
        let (disk, place) = (self.disk(), self.place());
        let lock = place.local().join("settings.lock");
        let _lock = disk.lock(&lock).map_err(LogError::at("lock", &lock))?;
        let seconds = self.log().second_names();
        // What stands below git's directory is believed first: a pull may replace files of `local/`, and the merged
        // lines would then rule.
        let beside = seconds.and_then(|seconds| Consent::load_beside(&**disk, seconds));
        let kept = beside.map_or_else(|| Consent::load(&**disk, place), |consent| Ok(Some(consent)))?;
        let mut consent = kept.unwrap_or_else(|| self.configuration.consent());
        change(&mut consent);
        consent.save(&**disk, place, seconds)?;
        *self.configuration.consent.lock().unwrap_or_else(PoisonError::into_inner) = consent;
        Ok(())
    }

    /// With what the lines of this clone say that its user entered, where it did not keep all of that apart yet.
    ///
    /// The history is read for it once, and only where the file asks for what weakens.
    pub fn with_own_entries(self) -> Result<Self, EngineError> {
        if self.configuration.origin == Origin::Kept || self.waiting_settings().is_empty() {
            return Ok(self);
        }
        let mut consent = self.configuration.consent();
        consent.take_found(Consent::of_own_lines(&self)?);
        // Where it cannot be kept, it is found again the next time.
        let _ = consent.save(&**self.disk(), self.place(), self.log().second_names());
        let configuration = Configuration::of(self.configuration.file, consent, Origin::Kept);
        let sanitizer = annals_sanitizer::Sanitizer::new(settings::sanitization(configuration.in_force()))?;
        Ok(Self { configuration, sanitizer, ..self })
    }
}

/// What an event says that a value is from now on.
#[expect(clippy::borrowed_box, reason = "it stands so in the events")]
fn entered(event: &Event) -> Option<(&Box<str>, &Option<Value>)> {
    let Event::Config(event) = event else { return None };
    match event {
        config::Event::Changed(changed) => Some((&changed.key, &changed.to)),
        config::Event::Accepted(accepted) => Some((&accepted.key, &accepted.value)),
        config::Event::ClockGiven(_) => None,
    }
}

/// Whose token an event gives, and its seal.
fn sealed(event: &Event) -> Option<(AgentId, Option<Box<str>>)> {
    let Event::Roster(roster::Event::Sealed(sealed)) = event else { return None };
    Some((sealed.agent.clone(), Some(sealed.seal.clone())))
}
