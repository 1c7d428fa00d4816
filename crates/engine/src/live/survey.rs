//! `local/checkpoint/survey`: what a history of many segments looked like when each was looked at.
//!
//! Where nothing came, went or was replaced since, only the few that have changed since the state was stored are looked at
//! again. It is a cache. Does not look at segments.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use annals_log::bookmark::Bookmark;
use annals_log::disk::{Disk, Look, Safety, is_at_rest};
use annals_log::place::Place;
use annals_log::sealed::{seal, unseal};
use annals_log::watermarks::Watermark;

/// Segments by name, with what the stored state knows of each, if anything.
pub(super) type Since = BTreeMap<String, Option<Watermark>>;

/// What a history looked like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Survey {
    #[serde(flatten)]
    from_outside: Outside,
    /// The stored state that the marks belong to.
    layer: String,
    /// The segments that are known otherwise than in that state, and the one that this clone writes to.
    since: Since,
}

/// What it looks like without a look at the segments.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outside {
    history: Option<Look>,
    archive: Option<Look>,
    /// The segment that this clone wrote to last, and the edition of its marks, which is another one when it wrote to others.
    written: Option<(String, u64)>,
}

impl Outside {
    /// What it looks like now: before the segments are looked at, so that what changes meanwhile is seen the next time.
    pub(super) fn now(disk: &dyn Disk, place: &Place) -> io::Result<Self> {
        let bookmark = Bookmark::read(disk, &place.bookmark())?;
        Ok(Self {
            history: disk.look(place.history())?,
            archive: disk.look(&place.archive())?,
            written: bookmark.map(|bookmark| (bookmark.segment, bookmark.edition)),
        })
    }

    /// Whether the folders look as they did, and their last change was at rest when they were looked at.
    pub(super) fn stands(&self, disk: &dyn Disk, place: &Place, looked_ns: i64) -> bool {
        self.changed_ns().is_some_and(|changed_ns| is_at_rest(changed_ns, looked_ns))
            && disk.glance(place.history()) == self.history
            && disk.glance(&place.archive()) == self.archive
    }

    /// The segment that this clone wrote to last.
    pub(super) fn written_to(&self) -> Option<&str> {
        self.written.as_ref().map(|(name, _)| name.as_str())
    }

    fn changed_ns(&self) -> Option<i64> {
        self.history.into_iter().chain(self.archive).map(|look| look.changed_ns).max()
    }
}

impl Survey {
    /// What the history looks like now, and what has changed since a stored state, if it looks as it did when all of it was
    /// looked at.
    pub(super) fn read(disk: &dyn Disk, place: &Place, layer: &str) -> Option<(Outside, Since)> {
        let path = path_in(place);
        let written_ns = disk.look(&path).ok()??.changed_ns;
        let survey: Self = serde_json::from_str(unseal(&disk.read(&path).ok()??)?).ok()?;
        let now = Outside::now(disk, place).ok()?;
        let was_at_rest = now.changed_ns().is_some_and(|changed| is_at_rest(changed, written_ns));
        (was_at_rest && survey.from_outside == now && survey.layer == layer).then_some((now, survey.since))
    }

    /// Leaves it for the next command.
    pub(super) fn write(
        disk: &dyn Disk,
        place: &Place,
        layer: &str,
        from_outside: Outside,
        since: Since,
    ) -> io::Result<()> {
        let text = serde_json::to_string(&Self { from_outside, layer: layer.to_owned(), since });
        disk.replace(&path_in(place), seal(&text.map_err(io::Error::other)?).as_bytes(), Safety::Cached)
    }
}

fn path_in(place: &Place) -> PathBuf {
    place.local().join("checkpoint/survey")
}
