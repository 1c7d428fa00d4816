//! What `annals verify` says of signatures: how far each writer is signed, by whom, and what is not.

use serde_json::{Value, json};

use crate::kernel::counted::counted;
use crate::kernel::id::WriterId;
use crate::kernel::ssh::signers::Trust;
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

/// The signature of a writer, for programs.
pub(super) fn value(report: &Report, writer: &WriterId) -> Value {
    let covered = report.signatures.covered.get(writer);
    let Some(signed) = report.signatures.writers.get(writer) else {
        return json!({ "to": 0, "seen_to": covered });
    };
    let (name, trusted) = match &signed.by {
        Trust::Named(name) => (Some(name), true),
        Trust::Expired(name) => (Some(name), false),
        Trust::Unknown => (None, false),
    };
    json!({
        "to": signed.head.count, "hash": signed.head.hash, "by": name, "trusted": trusted, "key": signed.key,
        "fingerprint": signed.key.fingerprint(), "at": signed.at, "after": signed.after, "scrubs": signed.scrubs,
        "seen_to": covered,
    })
}
