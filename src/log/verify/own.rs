//! Lines in the name of this clone that it does not remember: somebody else made them, however well they fit.

use super::case::Case;
use super::finding::What;
use super::witness::{Memory, Remembered, Rememberer};
use crate::kernel::id::WriterId;

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
