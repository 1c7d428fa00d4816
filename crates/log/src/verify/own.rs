//! Lines in the name of this clone that it does not remember: somebody else made them, however well they fit.

use std::collections::BTreeMap;

use super::case::Case;
use super::finding::What;
use super::recorded::ClaimedLine;
use super::witness::{Memory, Remembered, Rememberer};
use annals_kernel::id::WriterId;

/// What this clone has written: by chain, up to which count.
pub(super) struct OwnChains(BTreeMap<usize, u64>);

impl OwnChains {
    pub(super) fn of(case: &Case, memories: &[Memory]) -> Self {
        let own = memories.iter().filter_map(own_head);
        Self(own.filter_map(|(writer, last)| Some((case.survey.find_chain(writer)?, last))).collect())
    }

    pub(super) fn wrote(&self, line: &ClaimedLine) -> bool {
        let last = line.place.and_then(|(chain, count)| Some((self.0.get(&chain)?, count)));
        last.is_some_and(|(last, count)| count <= *last)
    }
}

/// Reports lines behind the last one that this clone has written, as each of the writers that it was.
pub(super) fn judge(case: &mut Case, memories: &[Memory]) {
    for (writer, last) in memories.iter().filter_map(own_head) {
        let Some(chain) = case.survey.find_chain(writer) else { continue };
        let rows = case.survey.chains[chain].rows.iter().filter(|row| row.count > last);
        for row in rows.copied().collect::<Vec<_>>() {
            let what = What::Unremembered { link: case.link(chain, row.count), last };
            case.find(row.spot, Some(row.id), what);
        }
    }
}

fn own_head(memory: &Memory) -> Option<(&WriterId, u64)> {
    match (memory.by, &memory.head) {
        (Rememberer::Writer, Remembered::Head(writer, head)) => Some((writer, head.count)),
        (Rememberer::Writer | Rememberer::Local | Rememberer::Caller, _) => None,
    }
}
