//! Which decisions are about something that was scrubbed: they were made on a text that is not there any more, so that
//! nobody can make them again. They are passed over, and counted, only where they would be decided otherwise now.

use std::collections::BTreeSet;

use annals_kernel::envelope::Envelope;
use annals_kernel::id::{EntryId, NO_SESSION};
use annals_rules::domain::erasure;
use annals_rules::world::replay::{PassedOver, ReplayVerdict};

/// Ids of scrubbed lines, what those name, and their sessions.
#[derive(Default)]
pub(super) struct About {
    ids: BTreeSet<EntryId>,
    sessions: BTreeSet<String>,
}

impl About {
    /// Takes in a line, if something was scrubbed from it.
    pub(super) fn learn(&mut self, entry: &Envelope<'_>) {
        if entry.scrubbed().is_empty() {
            return;
        }
        self.ids.extend(ids_in(entry.line()));
        let session = entry.session();
        if session != NO_SESSION {
            self.sessions.insert(session.into_owned());
        }
    }

    /// What a verdict comes to.
    pub(super) fn judge(&self, entry: &Envelope<'_>, verdict: ReplayVerdict) -> ReplayVerdict {
        match &verdict {
            ReplayVerdict::Differed(_) if self.is_named_by(entry) => {
                ReplayVerdict::PassedOver(PassedOver::AboutScrubbed)
            }
            ReplayVerdict::Differed(_) | ReplayVerdict::Matched | ReplayVerdict::PassedOver(_) => verdict,
        }
    }

    /// The record of a scrub names what was scrubbed, and was made when it was gone already.
    fn is_named_by(&self, entry: &Envelope<'_>) -> bool {
        let is_record = erasure::Command::DOCS.iter().any(|doc| doc.name == entry.name());
        if is_record && entry.scrubbed().is_empty() {
            return false;
        }
        self.sessions.contains(&*entry.session()) || ids_in(entry.line()).any(|id| self.ids.contains(&id))
    }
}

/// Every id that a line names.
fn ids_in(line: &[u8]) -> impl Iterator<Item = EntryId> + '_ {
    const LENGTH: usize = 26;
    let runs = line.split(|byte| !byte.is_ascii_alphanumeric()).filter(|run| run.len() == LENGTH);
    runs.filter_map(EntryId::parse)
}
