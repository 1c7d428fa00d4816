//! Configuration as values: every threshold, list and rate has a key, a type, a default and a sentence.
//!
//! Does not read files; `engine` does. A change of configuration is an entry, so that a replay knows what was in force.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that can be configured, declared as a constant by the room that reads it.
pub struct Setting<T> {
    key: &'static str,
    meaning: &'static str,
    default: fn() -> T,
    problem: fn(&T) -> Option<String>,
    weakens: Weakens,
}

/// Which changes of a setting take away protection: those hold in a clone only after its user entered them there
/// (decision 46), whatever a file or another clone's line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weakens {
    /// None.
    Never,
    /// That to `false`.
    WhenOff,
    /// That to `true`.
    WhenOn,
    /// That to a smaller number.
    WhenLower,
    /// That to a greater number.
    WhenHigher,
    /// Any: which values are the safer ones cannot be said.
    Always,
}

impl Weakens {
    /// Whether a change may take away protection.
    pub fn by(self, from: &Value, to: &Value) -> bool {
        match self {
            Self::Never => false,
            Self::WhenOff => from != to && *to != Value::Bool(true),
            Self::WhenOn => from != to && *to != Value::Bool(false),
            Self::WhenLower => !is_at_least(to, from),
            Self::WhenHigher => !is_at_least(from, to),
            Self::Always => from != to,
        }
    }
}

/// Whether a number is not below another; of what is no number nobody knows, but that equal values are.
fn is_at_least(value: &Value, bound: &Value) -> bool {
    match (value.as_f64(), bound.as_f64()) {
        (Some(value), Some(bound)) => value >= bound,
        (None, _) | (_, None) => value == bound,
    }
}

impl<T: Serialize + DeserializeOwned> Setting<T> {
    /// Declares a setting.
    pub const fn new(key: &'static str, default: fn() -> T, meaning: &'static str, weakens: Weakens) -> Self {
        Self { key, meaning, default, problem: |_| None, weakens }
    }

    /// The same, where not every value of the type can be set. What was set before there was a bound stays in force, so
    /// that a replay finds what it found then.
    #[must_use]
    pub const fn unless(self, problem: fn(&T) -> Option<String>) -> Self {
        let Self { key, meaning, default, weakens, .. } = self;
        Self { key, meaning, default, problem, weakens }
    }
}

/// Declares the settings of a module and the list of them: type, default, key and sentence, which values cannot be set, and
/// which changes take away protection. The last is never left out, so that no setting is added unlooked at: `weakens Never`
/// says that no change of it does.
///
/// A change weakens where less is recorded or found secret, an agent is held up, agents get more power over canon,
/// knowledge, dissent, credits or what stops them, or data goes elsewhere. How long or with which words something is shown,
/// what a person can ask for otherwise, and what only adds to what is watched, is harmless.
#[macro_export]
macro_rules! settings {
    ($(
        $(#[$doc:meta])*
        $name:ident: $type:ty = $default:expr, $key:literal, $meaning:literal
        $(, unless $problem:expr)?, weakens $weakens:ident;
    )*) => {
        $(
            $(#[$doc])*
            pub static $name: $crate::settings::Setting<$type> =
                $crate::settings::Setting::new($key, || $default, $meaning, $crate::settings::Weakens::$weakens)
                    $( .unless($problem) )?;
        )*

        /// The settings that are declared here.
        pub static SETTINGS: &[&dyn $crate::settings::AnySetting] = &[$( &$name, )*];
    };
}
pub use settings;

/// Declares what is read of the configuration at once, where it is asked for again and again: a struct, each field with the
/// value that it has, and `of`, which reads them in this order, so that a value may name the fields before it.
#[macro_export]
macro_rules! in_force {
    (
        $(#[$outer:meta])*
        pub struct $type:ident of $settings:ident {
            $( $(#[$attribute:meta])* $vis:vis $field:ident: $field_type:ty = $value:expr, )*
        }
    ) => {
        $(#[$outer])*
        pub struct $type {
            $( $(#[$attribute])* $vis $field: $field_type, )*
        }

        impl $type {
            /// What a configuration says.
            pub fn of($settings: &$crate::settings::Settings) -> Self {
                $( let $field: $field_type = $value; )*
                Self { $( $field, )* }
            }
        }
    };
}
pub use in_force;

/// What is wrong with a value that is out of its bounds.
pub fn outside<T: PartialOrd + Display>(value: &T, least: &T, most: &T) -> Option<String> {
    let is_within = least <= value && value <= most;
    (!is_within).then(|| format!("{value} is not within {least} and {most}"))
}

/// A setting of any type, for lists and checks.
pub trait AnySetting: Sync {
    /// Its key, with dots: `history.rotation`.
    fn key(&self) -> &'static str;
    /// What it does, in a sentence.
    fn meaning(&self) -> &'static str;
    /// Its value where nobody set one.
    fn default_value(&self) -> Value;
    /// Which changes of it take away protection.
    fn weakens(&self) -> Weakens;
    /// Whether a value has its type.
    fn check(&self, value: &Value) -> Result<(), BadSetting>;
}

impl<T: Serialize + DeserializeOwned> AnySetting for Setting<T> {
    fn key(&self) -> &'static str {
        self.key
    }

    fn meaning(&self) -> &'static str {
        self.meaning
    }

    fn default_value(&self) -> Value {
        serde_json::to_value((self.default)()).expect("BUG: a default does not serialize")
    }

    fn weakens(&self) -> Weakens {
        self.weakens
    }

    fn check(&self, value: &Value) -> Result<(), BadSetting> {
        let bad = |problem| BadSetting { key: self.key.into(), problem };
        let read = T::deserialize(value).map_err(|problem| bad(problem.to_string()))?;
        (self.problem)(&read).map_or(Ok(()), |problem| Err(bad(problem)))
    }
}

/// Why a value cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {problem}")]
pub struct BadSetting {
    /// The key.
    pub key: Box<str>,
    /// What is wrong with the value.
    pub problem: String,
}

/// The values that somebody set; everything else has its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Settings(BTreeMap<Box<str>, Value>);

impl Settings {
    /// The value in force. A stored value of the wrong type counts as not set: `engine` has reported it.
    pub fn get<T: DeserializeOwned>(&self, setting: &Setting<T>) -> T {
        let stored = self.0.get(setting.key).and_then(|value| T::deserialize(value).ok());
        stored.unwrap_or_else(setting.default)
    }

    /// What was set under a key.
    pub fn stored(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// Sets a value, or takes it back with `None`.
    pub fn set(&mut self, key: &str, value: Option<Value>) {
        match value {
            Some(value) => drop(self.0.insert(key.into(), value)),
            None => drop(self.0.remove(key)),
        }
    }

    /// Keys and values that were set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (&**key, value))
    }

    /// The changes that make `self` into `other`; `None` takes a value back.
    pub fn changes_to(&self, other: &Self) -> BTreeMap<Box<str>, Option<Value>> {
        let keys = self.0.keys().chain(other.0.keys());
        let changed = keys.filter(|key| self.0.get(*key) != other.0.get(*key));
        changed.map(|key| (key.clone(), other.0.get(key).cloned())).collect()
    }
}
