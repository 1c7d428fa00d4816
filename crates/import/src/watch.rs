//! The format watch: what imports could not read of tools that are newer than the last version tested.
//!
//! Asks the notes that imports left in the log. Does not look at transcripts again.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::tested::is_newer;
use super::unread::Count;
use super::{Kind, tested};
use annals_engine::doctor::Check;
use annals_engine::query::filter::Filter;
use annals_engine::{Engine, EngineError};
use annals_kernel::id::SessionId;
use annals_kernel::record::Event;
use annals_log::read::Flow;

/// What a note says.
#[derive(Debug, Deserialize)]
struct WatchNote {
    tool: String,
    version: Option<String>,
    file: Option<String>,
    records: BTreeMap<String, Count>,
}

impl WatchNote {
    fn count(&self) -> u64 {
        self.records.values().map(|count| count.count).sum()
    }

    /// Where a version says nothing else, what was tested is no older.
    fn is_news(&self, kind: Kind) -> bool {
        self.version.as_deref().is_none_or(|version| tested::last(kind).is_none() || is_newer(kind, version))
    }
}

/// The last note of each file: a longer snapshot of it counts what the shorter one counted. A hook's note has no file, and
/// each counts by itself.
type Last = BTreeMap<(SessionId, String), (Kind, WatchNote)>;

/// What a person should know and report.
pub fn checks(engine: &Engine) -> Result<Vec<Check>, EngineError> {
    let mut last = Last::new();
    let filter = Filter { names: vec![Event::ImportNote.name().to_owned()], ..Filter::default() };
    engine.reader()?.each(&filter, &mut |found| {
        let note = found.entry.operation.input.read::<WatchNote>().ok();
        let known = note.and_then(|note| Some((note.tool.parse::<Kind>().ok()?, note)));
        if let Some((kind, note)) = known.filter(|(kind, note)| note.is_news(*kind)) {
            let file = note.file.clone().unwrap_or_else(|| found.entry.id.to_string());
            let place = (found.entry.session_id, file);
            if last.get(&place).is_none_or(|(_, before)| before.count() <= note.count()) {
                last.insert(place, (kind, note));
            }
        }
        Flow::More
    })?;
    Ok(told(last))
}

/// A check for each tool and version.
fn told(last: Last) -> Vec<Check> {
    let mut sums = BTreeMap::<(Kind, String), BTreeMap<String, Count>>::new();
    for (kind, note) in last.into_values() {
        let version = note.version.unwrap_or_else(|| "of a version that it does not name".to_owned());
        let sum = sums.entry((kind, version)).or_default();
        for (name, more) in note.records {
            let count = sum.entry(name).or_default();
            (count.count, count.bytes) = (count.count + more.count, count.bytes + more.bytes);
        }
    }
    sums.iter().map(|((kind, version), records)| check(*kind, version, records)).collect()
}

fn check(kind: Kind, version: &str, records: &BTreeMap<String, Count>) -> Check {
    const ADVICE: &str =
        "report the version and these counts; imported again by a newer annals, the same files give what is in them";
    let tested = tested::last(kind).map_or(String::new(), |last| format!(" (tested up to {last})"));
    let records = records.iter().map(|(name, Count { count, bytes })| format!("{name} {count} ({bytes} B)"));
    let records = records.collect::<Vec<_>>().join(", ");
    Check::note("formats", format!("{kind} {version}{tested} wrote types that are not known: {records}"), ADVICE)
}
