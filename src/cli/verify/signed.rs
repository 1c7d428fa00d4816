//! What `annals verify` says of signatures: how far each writer is signed, by whom, and what is not.

use crate::kernel::annals::LineHash;
use crate::kernel::counted::counted;
use crate::kernel::id::WriterId;
use crate::kernel::ssh::signers::Trust;
use crate::kernel::ssh::{Fingerprint, PublicKey};
use crate::kernel::time::Timestamp;
use crate::log::verify::{Report, WriterReport, WriterSignature};

/// A line for each writer, where there are signatures at all.
pub(super) fn lines(report: &Report) -> Vec<String> {
    if report.signatures.checked == 0 {
        return Vec::new();
    }
    let mut lines: Vec<_> = report.writers.iter().map(|writer| line(report, writer)).collect();
    let count = report.signatures.unsigned;
    lines.push(format!("unsigned: {} of {}", counted(count, "line"), report.totals.chained));
    lines
}

fn line(report: &Report, one: &WriterReport) -> String {
    let WriterReport { writer, lines, .. } = one;
    let Some(signed) = report.signatures.writers.get(writer) else {
        let seen = report.signatures.covered.get(writer);
        let seen = seen.map(|count| format!("; a signed head has seen line {count}")).unwrap_or_default();
        return format!("not signed: writer {writer}, {}{seen}", counted(*lines, "line"));
    };
    let after = match signed.after {
        // The line of the signature cannot be signed by it.
        0 | 1 => String::new(),
        many => format!(", {} after it", counted(many, "line")),
    };
    let scrubs = match signed.scrubs {
        0 => String::new(),
        many => format!(", signed before {}", counted(many, "scrub")),
    };
    let (count, by, at) = (signed.head.count, who(signed), signed.at);
    format!("signed: writer {writer} to line {count} by {by} at {at}{after}{scrubs}")
}

fn who(signed: &WriterSignature) -> String {
    let key = signed.key.fingerprint();
    match &signed.by {
        Trust::Named(name) => format!("{name} ({key})"),
        Trust::Expired(name) => format!("{name} ({key}), whose key did not count then,"),
        Trust::Unknown => format!("an unknown key ({key})"),
    }
}

/// What signatures leave open.
pub(super) fn not_checked(report: &Report) -> Vec<String> {
    let signatures = &report.signatures;
    if signatures.writers.is_empty() {
        return vec!["who a writer is: no head is signed (`annals seal` signs yours)".to_owned()];
    }
    let unknown = signatures.writers.values().filter(|signed| signed.by == Trust::Unknown).count() as u64;
    let unknown = (unknown > 0)
        .then(|| format!("whose keys sign {}: nobody has named them (`annals trust add`)", counted(unknown, "writer")));
    let unsigned = (signatures.unsigned > 0).then(|| "who wrote the lines that are not signed".to_owned());
    unknown.into_iter().chain(unsigned).collect()
}

/// How far a writer is signed.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Signed {
    /// The last line that a signature covers; 0 where there is none.
    to: u64,
    /// The last line that a signed head of another writer has seen.
    seen_to: Option<u64>,
    #[serde(flatten)]
    by: Option<SignedBy>,
}

/// The last signature of a writer.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SignedBy {
    hash: LineHash,
    /// Whose key it is, where that is known.
    by: Option<Box<str>>,
    trusted: bool,
    key: PublicKey,
    fingerprint: Fingerprint,
    at: Timestamp,
    /// Lines behind it.
    after: u64,
    /// Scrubs behind it.
    scrubs: u64,
}

/// The signature of a writer, for programs.
pub(super) fn value(report: &Report, writer: &WriterId) -> Signed {
    let covered = report.signatures.covered.get(writer).copied();
    let Some(signed) = report.signatures.writers.get(writer) else {
        return Signed { to: 0, seen_to: covered, by: None };
    };
    let (name, trusted) = match &signed.by {
        Trust::Named(name) => (Some(name), true),
        Trust::Expired(name) => (Some(name), false),
        Trust::Unknown => (None, false),
    };
    let by = SignedBy {
        hash: signed.head.hash,
        by: name.cloned(),
        trusted,
        key: signed.key,
        fingerprint: signed.key.fingerprint(),
        at: signed.at,
        after: signed.after,
        scrubs: signed.scrubs,
    };
    Signed { to: signed.head.count, seen_to: covered, by: Some(by) }
}
