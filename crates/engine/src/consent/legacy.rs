//! What the user entered before this clone kept it apart: found once, in the lines that this clone wrote itself.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Consent, Entered};
use crate::{Engine, EngineError, settings};
use annals_kernel::actor::USER;
use annals_kernel::annals::LineHash;
use annals_kernel::envelope::Envelope;
use annals_kernel::settings::AnySetting;
use annals_log::LogError;
use annals_log::bookmark::Bookmark;
use annals_log::read::{Flow, Stretch, read};
use annals_log::segment::Segment;
use annals_rules::domain::{Event, config};
use annals_rules::world::decision::Decision;

/// What a decision of the user took over from the file, which anybody may have written.
const ADOPT: &str = "config.file.adopt";

fn is_weaker(key: &str, value: Option<&Value>) -> bool {
    let weaker = |setting: &dyn AnySetting, value| setting.weakens().by(&setting.default_value(), value);
    value.is_some_and(|value| settings::find(key).is_ok_and(|setting| weaker(setting, value)))
}

impl Consent {
    /// What the lines of this clone's writer say that its user entered; nothing where it never wrote.
    ///
    /// Anybody can write a line in its name. Those to which the remembered head leads, each by the hash of the one before
    /// it, are its own.
    pub fn of_own_lines(engine: &Engine) -> Result<Self, EngineError> {
        let (disk, place) = (&**engine.disk(), engine.place());
        let bookmark = Bookmark::read(disk, &place.bookmark()).map_err(LogError::at("read", place.bookmark()))?;
        let lock = disk.look(&place.lock()).map_err(LogError::at("look at", place.lock()))?;
        // A bookmark that came with a repository, or with a copy of the folder, names another lock file.
        let is_own = |bookmark: &Bookmark| lock.is_some_and(|lock| lock.number == bookmark.lock);
        let Some(bookmark) = bookmark.filter(is_own) else { return Ok(Self::default()) };
        let segments = Segment::list(disk, place.history()).map_err(LogError::at("list", place.history()))?;
        let stretches: Vec<_> = segments.into_iter().map(|segment| Stretch { segment, from: 0 }).collect();
        let (mut before, mut entered) = (BTreeMap::new(), BTreeMap::new());
        read(disk, place.history(), &stretches, &mut |_, batch| {
            for entry in batch.entries() {
                let Some(link) = entry.envelope.link().filter(|link| link.writer == bookmark.writer) else { continue };
                let hash = LineHash::of(entry.original);
                before.insert(hash, link.previous);
                if is_config(&entry.envelope) {
                    entered.insert(hash, entered_by(&entry.envelope));
                }
            }
            Flow::More
        })?;
        let own = std::iter::successors(Some(bookmark.head.hash), |hash| before.remove(hash));
        let mut consent = Self::default();
        for (key, value) in own.filter_map(|hash| entered.remove(&hash)).flatten() {
            consent.enter(&key, value);
        }
        Ok(consent)
    }
}

/// Whether it is a decision of the user about settings.
fn is_config(entry: &Envelope<'_>) -> bool {
    entry.rules().is_some() && entry.name().starts_with("config.") && entry.agent().as_deref() == Some(USER)
}

/// What such a decision enters.
fn entered_by(entry: &Envelope<'_>) -> Vec<(Box<str>, Entered)> {
    let events = Decision::of(entry).map(|decision| decision.events).unwrap_or_default();
    let changes = events.into_iter().filter_map(|event| {
        let Event::Config(event) = event else { return None };
        match event {
            config::Event::Changed(changed) => Some((changed.key, changed.to)),
            config::Event::Accepted(accepted) => Some((accepted.key, accepted.value)),
            config::Event::ClockGiven(_) => None,
        }
    });
    let is_the_users =
        |(key, value): &(Box<str>, Option<Value>)| entry.name() != ADOPT || !is_weaker(key, value.as_ref());
    changes.filter(is_the_users).map(|(key, value)| (key, Entered { value, entry: entry.id() })).collect()
}
