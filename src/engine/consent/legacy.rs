//! What the user entered before this clone kept it apart: found once, in the lines that this clone wrote itself.

use serde_json::Value;

use super::{Consent, Entered};
use crate::domain::{Event, config};
use crate::engine::amend::amendments;
use crate::engine::{Engine, EngineError, settings};
use crate::kernel::actor::USER;
use crate::kernel::envelope::Envelope;
use crate::kernel::settings::AnySetting;
use crate::log::LogError;
use crate::log::bookmark::Bookmark;
use crate::log::order::{Ordered, Part};
use crate::log::read::Flow;
use crate::log::segment::Segment;
use crate::world::decision::Decision;

/// What a decision of the user took over from the file, which anybody may have written.
const ADOPT: &str = "config.file.adopt";

fn is_weaker(key: &str, value: Option<&Value>) -> bool {
    let weaker = |setting: &dyn AnySetting, value| setting.weakens().by(&setting.default_value(), value);
    value.is_some_and(|value| settings::find(key).is_ok_and(|setting| weaker(setting, value)))
}

impl Consent {
    /// What the lines of this clone's writer say that its user entered; nothing where it never wrote.
    pub fn of_own_lines(engine: &Engine) -> Result<Self, EngineError> {
        let (disk, place) = (&**engine.disk(), engine.place());
        let bookmark = Bookmark::read(disk, &place.bookmark()).map_err(LogError::at("read", place.bookmark()))?;
        let lock = disk.look(&place.lock()).map_err(LogError::at("look at", place.lock()))?;
        // A bookmark that came with a repository, or with a copy of the folder, names another lock file.
        let is_own = |bookmark: &Bookmark| lock.is_some_and(|lock| lock.number == bookmark.lock);
        let Some(bookmark) = bookmark.filter(is_own) else { return Ok(Self::default()) };
        let history = place.history();
        let segments = Segment::list(disk, history).map_err(LogError::at("list", history))?;
        let amendments = engine.ask(|world| amendments(&world.rooms))?;
        let consent = std::cell::RefCell::new(Self::default());
        let mut begin_again = || *consent.borrow_mut() = Self::default();
        let mut ordered = Ordered::new(disk, history, &amendments);
        ordered.each(segments.into_iter().map(Part::whole).collect(), &mut begin_again, &mut |placed, _| {
            let entry = &placed.envelope;
            let is_ours = |writer: &str, count: u64| writer == bookmark.writer.as_str() && count <= bookmark.head.count;
            // Behind the last line that this clone remembers, a line in its name may be anybody's.
            if entry.writer().is_some_and(|(writer, count)| is_ours(&writer, count)) {
                consent.borrow_mut().take(entry);
            }
            Flow::More
        })?;
        Ok(consent.into_inner())
    }

    fn take(&mut self, entry: &Envelope<'_>) {
        let is_config = entry.rules().is_some() && entry.name().starts_with("config.");
        if !is_config || entry.agent().as_deref() != Some(USER) {
            return;
        }
        for event in Decision::of(entry).map(|decision| decision.events).unwrap_or_default() {
            let Event::Config(event) = event else { continue };
            let (key, value) = match event {
                config::Event::Changed(changed) => (changed.key, changed.to),
                config::Event::Accepted(accepted) => (accepted.key, accepted.value),
            };
            if entry.name() == ADOPT && is_weaker(&key, value.as_ref()) {
                continue;
            }
            self.enter(&key, Entered { value, entry: entry.id() });
        }
    }
}
