//! Which of the words that wait a person signed whose key this clone's user trusts.

use std::collections::BTreeSet;

use crate::cli::shell::Shell;
use crate::cli::trust::trusted;
use crate::engine::Engine;
use crate::engine::verify::Terms;
use crate::kernel::actor::USER;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::EntryId;
use crate::kernel::ssh::signers::Trust;
use crate::log::verify::{SignatureTerms, Signatures};

/// Of these entries those that a user wrote and that a head covers which a trusted key signed; the whole log must verify first:
/// a line that was changed behind a signature proves nothing.
pub(super) fn signed(
    shell: &mut Shell,
    engine: &Engine,
    entries: BTreeSet<EntryId>,
) -> anyhow::Result<BTreeSet<EntryId>> {
    let signatures = SignatureTerms { signers: trusted(shell)?, ..SignatureTerms::default() };
    let report = engine.verify(&Terms { signatures, ..Terms::default() })?.report;
    if !report.findings.is_empty() {
        anyhow::bail!("the history does not verify, so no signature in it counts: `annals verify` says where");
    }
    let found = engine.reader()?.by_id(entries, EntryId::MAX)?.into_values();
    // Of two lines with one id none is known to be the one that counts.
    let mut alone = found.filter(|lines| lines.len() == 1).flatten();
    Ok(alone.by_ref().filter(|found| covers(&report.signatures, &found.entry)).map(|found| found.entry.id).collect())
}

fn covers(signatures: &Signatures, entry: &HistoryEntry) -> bool {
    let by_user = entry.provenance.agent_id.as_ref().is_some_and(|by| by.as_str() == USER);
    let Some(link) = entry.annals.link.as_ref().filter(|_| by_user) else { return false };
    let head = signatures.writers.get(&link.writer);
    head.is_some_and(|signed| matches!(signed.by, Trust::Named(_)) && link.count <= signed.head.count)
}
