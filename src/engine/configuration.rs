//! The configuration of a clone: the file, what its user entered here, and what follows from both.
//!
//! What the file says is adopted by a decision of the user and by nothing else; what weakens is not adopted at all, but
//! entered (`consent`).

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::consent::{self, Consent, Entered, Held, Waiting};
use super::settings;
use super::{Answer, By, Engine, EngineError, Live};
use crate::domain::roster::health::REQUIRE_TOKEN;
use crate::domain::{Ask, Command, Event, config};
use crate::kernel::actor::USER;
use crate::kernel::id::{AgentId, NO_SESSION, SessionId};
use crate::kernel::json::Json;
use crate::kernel::settings::{AnySetting, Settings, Weakens};
use crate::log::LogError;
use crate::log::disk::Disk;
use crate::log::place::Place;
use crate::log::writer::Pen;

/// What is configured, as it was when the engine was opened.
pub(super) struct Configuration {
    file: Settings,
    in_force: Settings,
    consent: Mutex<Consent>,
    origin: Origin,
}

/// Where it is known from what the user entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Kept,
    /// This clone never kept it: the lines that it wrote may say it.
    Unknown,
}

impl Configuration {
    pub(super) fn load(disk: &dyn Disk, place: &Place) -> Result<Self, EngineError> {
        let file = settings::load(disk, &place.context().join("config.toml"))?.settings;
        let consent = Consent::load(disk, place)?;
        let origin = if consent.is_some() { Origin::Kept } else { Origin::Unknown };
        Ok(Self::of(file, consent.unwrap_or_default(), origin))
    }

    fn of(file: Settings, consent: Consent, origin: Origin) -> Self {
        Self { in_force: consent::in_force(&file, &consent), file, consent: Mutex::new(consent), origin }
    }

    pub(super) fn in_force(&self) -> &Settings {
        &self.in_force
    }

    fn consent(&self) -> Consent {
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
    pub(super) fn completed(&self, ask: &Ask, by: &By, log: &Settings) -> Ask {
        let apart = consent::apart(log, &self.file, &self.consent());
        let mut settings = log.clone();
        for (key, value) in &apart {
            settings.set(key, value.clone());
        }
        let proof = by.proof.as_ref().filter(|_| settings.get(&REQUIRE_TOKEN) || self.in_force.get(&REQUIRE_TOKEN));
        let ask = proof.map_or_else(|| ask.clone(), |proof| with(ask.clone(), "proof", Value::from(proof.as_ref())));
        if apart.is_empty() { ask } else { with(ask, "in_force", serde_json::json!(apart)) }
    }
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
        if weakening.is_empty() { ask } else { with(ask, "weakening", serde_json::json!(weakening)) }
    }

    /// What `config.toml` asks for and does not hold in this clone.
    pub fn waiting_settings(&self) -> Vec<Waiting> {
        consent::waiting(&self.configuration.file, self.settings())
    }

    /// What holds though it weakens, or may weaken, what protects the project: the user entered it here.
    pub fn held_settings(&self) -> Vec<Held> {
        consent::held(self.settings())
    }

    /// Whether the user entered a value in this clone; of what does not weaken nobody needs to.
    pub fn entered_here(&self, setting: &dyn AnySetting, value: Option<&Value>) -> bool {
        let entered = self.configuration.consent().of(setting.key()).cloned();
        setting.weakens() == Weakens::Never || entered.is_some_and(|entered| entered.value.as_ref() == value)
    }

    /// What `config.toml` says.
    pub fn file_settings(&self) -> &Settings {
        &self.configuration.file
    }

    /// A change of configuration is an entry: what the file says and the log does not know is recorded first, where the
    /// user decides something, and where it does not weaken.
    pub(super) fn adopt_file(&self, pen: &mut Pen<'_>, live: &mut Live, by: &By) -> Result<(), EngineError> {
        let log = &live.world().rooms.config.settings;
        let values = consent::adoptable(log, &self.configuration.file, &self.configuration.consent());
        if values.is_empty() || !self.is_the_user(live, by) {
            return Ok(());
        }
        let command = config::Command::Adopt(config::Adopt { values });
        let ask = self.clean_ask(Ask { command: command.into(), observed: Json::empty_object() });
        let by = By::new(AgentId::from(USER), SessionId::from(NO_SESSION));
        let answer = self.decide_one(pen, live, &ask, &by, || 0)?;
        self.enter(&answer, &by)?;
        live.catch_up()
    }

    /// Whether it is the user who decides, as far as tokens tell.
    fn is_the_user(&self, live: &Live, by: &By) -> bool {
        let seal = live.world().rooms.roster.seals.get(&by.actor);
        let requires_token = self.configuration.over(&live.world().rooms.config.settings).get(&REQUIRE_TOKEN);
        let is_proved = !requires_token || seal.is_none_or(|seal| by.proof.as_ref() == Some(seal));
        by.actor.as_str() == USER && is_proved
    }

    /// Keeps what the user entered for settings that weaken: from now on that holds in this clone.
    pub(super) fn enter(&self, answer: &Answer, by: &By) -> Result<(), EngineError> {
        let Some(entry) = answer.entry.filter(|_| by.actor.as_str() == USER) else { return Ok(()) };
        let values: Vec<_> = answer.events.iter().filter_map(entered).collect();
        let keys = consent::guarded_among(values.iter().map(|(key, _)| *key));
        if keys.is_empty() {
            return Ok(());
        }
        let (disk, place) = (self.disk(), self.place());
        let lock = place.local().join("settings.lock");
        let _lock = disk.lock(&lock).map_err(LogError::at("lock", &lock))?;
        let mut consent = Consent::load(&**disk, place)?.unwrap_or_else(|| self.configuration.consent());
        for (key, value) in values.into_iter().filter(|(key, _)| keys.contains(key)) {
            consent.enter(key, Entered { value: value.clone(), entry });
        }
        consent.save(&**disk, place)?;
        *self.configuration.consent.lock().unwrap_or_else(PoisonError::into_inner) = consent;
        Ok(())
    }

    /// With what the lines of this clone say that its user entered, where it did not keep that apart yet.
    ///
    /// The history is read for it once, and only where the file asks for what weakens.
    pub fn with_own_entries(self) -> Result<Self, EngineError> {
        if self.configuration.origin == Origin::Kept || self.waiting_settings().is_empty() {
            return Ok(self);
        }
        let consent = Consent::of_own_lines(&self)?;
        // Where it cannot be kept, it is found again the next time.
        let _ = consent.save(&**self.disk(), self.place());
        let configuration = Configuration::of(self.configuration.file, consent, Origin::Kept);
        let sanitizer = crate::sanitizer::Sanitizer::new(settings::sanitization(configuration.in_force()))?;
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
    }
}
