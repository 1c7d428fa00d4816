//! Writers of whom nothing is there, and one line has seen them: the first few are named, the rest is a count.
//!
//! Comes after what other branches have and what the user knows of is taken out.

use std::collections::BTreeMap;

use annals_log::order::LineAt;
use annals_log::verify::{By, CutOff, Finding, Report, What};

/// So many of the writers that one line has seen are named. Whoever writes a line that has seen thousands would else be
/// answered with thousands of findings.
// A line of 400 KB that had seen 8,000 writers was answered with as many findings.
const NAMED: u64 = 20;

/// Puts one finding in the place of those of a line that are too many.
pub(super) fn fold(report: &mut Report) {
    let mut seen: BTreeMap<LineAt, (u64, By)> = BTreeMap::new();
    report.findings.retain(|finding| {
        let Some((at, by)) = witness(finding) else { return true };
        let (writers, _) = seen.entry(at.clone()).or_insert_with(|| (0, by.clone()));
        *writers += 1;
        *writers <= NAMED
    });
    let rest = seen.into_values().filter(|(writers, _)| *writers > NAMED);
    report.findings.extend(rest.map(|(writers, by)| {
        let what = What::CutOff(CutOff::Others { writers: writers - NAMED, by });
        Finding { file: None, line: None, entry: None, what }
    }));
}

/// The line that has seen a writer of whom nothing is there.
fn witness(finding: &Finding) -> Option<(&LineAt, &By)> {
    let What::CutOff(CutOff::Lines { by, .. }) = &finding.what else { return None };
    let By::Line { at, .. } = by else { return None };
    finding.file.is_none().then_some((at, by))
}
