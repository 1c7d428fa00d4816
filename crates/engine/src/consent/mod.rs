//! Which settings that weaken hold in this clone: those that its user entered here (decision 46).
//!
//! What the log says is the same in every clone; what holds here is asked of it, of `config.toml`, and of what this
//! clone's user entered. A decision made under other values than the log's says so among its observations, so that a
//! replay finds them. Does not decide who the user is; rules do.

mod founded;
mod legacy;
mod store;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

pub use self::founded::Holding;
pub use self::store::{Consent, Entered, Seals};
use super::settings;
use annals_kernel::settings::{AnySetting, Settings, Weakens};

/// A value that somebody's file asks for and that does not hold here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Waiting {
    /// Of which setting.
    pub key: &'static str,
    /// What the file says; without a word of it the default.
    pub asked: Value,
    /// What holds.
    pub holds: Value,
}

/// A value other than the default that holds because this clone's user entered it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Held {
    /// Of which setting.
    pub key: &'static str,
    /// The value.
    pub value: Value,
}

/// Settings of which some changes take away protection.
pub fn guarded() -> impl Iterator<Item = &'static dyn AnySetting> {
    settings::all().iter().copied().filter(|setting| setting.weakens() != Weakens::Never)
}

/// The value of a setting, or its default.
fn value_of(setting: &dyn AnySetting, settings: &Settings) -> Value {
    settings.stored(setting.key()).cloned().unwrap_or_else(|| setting.default_value())
}

/// Whether any of these has a word for a setting; of others the default holds, and nothing has to be asked.
// All settings that weaken are many, and a hook would pay for each with every call.
fn is_said(setting: &dyn AnySetting, words: &[&Settings]) -> bool {
    words.iter().any(|word| word.stored(setting.key()).is_some())
}

/// What holds of a setting that weakens: what was entered here, else the default, and of others' word only what does
/// not weaken it.
fn holding(setting: &dyn AnySetting, consent: &Consent, words: &[&Settings]) -> Value {
    let entered = consent.of(setting.key()).and_then(|entered| entered.value.clone());
    // A custom pattern that does not compile could once be entered, and no command ran after it: such a value never
    // holds.
    let own = entered.filter(|value| setting.check(value).is_ok()).unwrap_or_else(|| setting.default_value());
    // Where a value has a safer side, a file may still ask for that one.
    words.iter().fold(own, |holds, word| {
        let asked = value_of(setting, word);
        if setting.weakens().by(&holds, &asked) || setting.check(&asked).is_err() { holds } else { asked }
    })
}

/// The values of a file as far as they hold in this clone.
pub fn in_force(file: &Settings, consent: &Consent) -> Settings {
    let mut settings = file.clone();
    let said = |setting: &&dyn AnySetting| is_said(*setting, &[file]) || consent.of(setting.key()).is_some();
    for setting in guarded().filter(said) {
        let value = holding(setting, consent, &[file]);
        settings.set(setting.key(), (value != setting.default_value()).then_some(value));
    }
    settings
}

/// What holds of the settings that rules read and that weaken; `None` stands for the default.
pub fn of_rules(log: &Settings, file: &Settings, consent: &Consent) -> BTreeMap<Box<str>, Option<Value>> {
    let values = holding_rules(log, file, consent);
    values.map(|(setting, holds)| (setting.key().into(), unless_default(setting, holds))).collect()
}

/// Those of them that are not as the log says.
pub fn apart(log: &Settings, file: &Settings, consent: &Consent) -> BTreeMap<Box<str>, Option<Value>> {
    let values = holding_rules(log, file, consent);
    let apart = values.filter(|(setting, holds)| *holds != value_of(*setting, log));
    apart.map(|(setting, holds)| (setting.key().into(), unless_default(setting, holds))).collect()
}

/// Of the settings that rules read and that weaken, those of which anybody says anything, with what holds.
fn holding_rules(
    log: &Settings,
    file: &Settings,
    consent: &Consent,
) -> impl Iterator<Item = (&'static dyn AnySetting, Value)> {
    let guarded = annals_rules::domain::SETTINGS.iter().copied().filter(|setting| setting.weakens() != Weakens::Never);
    let said = |setting: &&dyn AnySetting| is_said(*setting, &[log, file]) || consent.of(setting.key()).is_some();
    guarded.filter(said).map(|setting| (setting, holding(setting, consent, &[log, file])))
}

fn unless_default(setting: &dyn AnySetting, value: Value) -> Option<Value> {
    (value != setting.default_value()).then_some(value)
}

/// What a file asks for and does not hold.
pub fn waiting(file: &Settings, in_force: &Settings) -> Vec<Waiting> {
    let said = guarded().filter(|setting| is_said(*setting, &[file, in_force]));
    let values = said.map(|setting| Waiting {
        key: setting.key(),
        asked: value_of(setting, file),
        holds: value_of(setting, in_force),
    });
    values.filter(|waiting| waiting.asked != waiting.holds).collect()
}

/// What holds and is not the default, though it weakens or may weaken.
pub fn held(in_force: &Settings) -> Vec<Held> {
    let said = guarded().filter(|setting| is_said(*setting, &[in_force]));
    let held = said.filter_map(|setting| {
        let value = value_of(setting, in_force);
        setting.weakens().by(&setting.default_value(), &value).then(|| Held { key: setting.key(), value })
    });
    held.collect()
}

/// The changes that a decision of the user may take over from a file without a word: those that do not weaken.
pub fn adoptable(log: &Settings, file: &Settings, consent: &Consent) -> BTreeMap<Box<str>, Option<Value>> {
    let mut changes = log.changes_to(file);
    for setting in guarded() {
        if changes.contains_key(setting.key()) && holding(setting, consent, &[log, file]) != value_of(setting, file) {
            changes.remove(setting.key());
        }
    }
    changes
}

/// The keys among these of settings that weaken.
pub fn guarded_among<'k>(keys: impl IntoIterator<Item = &'k Box<str>>) -> Vec<Box<str>> {
    let guarded: Vec<_> = guarded().map(AnySetting::key).collect();
    keys.into_iter().filter(|key| guarded.contains(&&***key)).cloned().collect()
}

#[cfg(test)]
mod tests;
