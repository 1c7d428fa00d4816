//! `annals verify`: whether the log is what its writers wrote. One line a finding, and what was not checked.
//!
//! Exit code 1 where something is wrong.

mod document;
mod signed;

use std::fmt::Write as _;
use std::path::PathBuf;

pub(super) use self::document::Verified;
use super::history::moved_by;
use super::shell::{CommandOutcome, Done, Shell, Usage};
use super::trust;
use crate::engine::verify::{Erasure, Moved, Newer, Terms, Verification};
use crate::kernel::counted::counted;
use crate::log::elsewhere::WriterStretch;
use crate::log::mending::Mend;
use crate::log::verify::{
    Blobs, Finding, Foreign, LineStanding, Local, Remembered, Settled, SignatureTerms, Unsigned, WriterReport,
};

/// Arguments of `annals verify`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct Arguments {
    /// Read large values, too
    #[arg(long)]
    blobs: bool,
    /// Accept lines without a link, as other tools write them
    #[arg(long)]
    allow_foreign: bool,
    /// Accept lines that stand twice or in another order, as clones that merge each other's work leave them; each
    /// counts once
    #[arg(long)]
    allow_moved: bool,
    /// Accept decisions under newer rules than this program has
    #[arg(long)]
    allow_newer: bool,
    /// Do not compare with what local/ remembers: another branch is checked out
    #[arg(long)]
    without_local: bool,
    /// Every writer must have a signed head by a key that is trusted; lines behind it are counted
    #[arg(long)]
    require_signed: bool,
    /// Be content, with a writer that signed nothing, if a signed head has seen lines of it
    #[arg(long, requires = "require_signed")]
    accept_seen: bool,
    /// No more lines than that may stand behind the last signed one; the line of the signature is the first of them
    #[arg(long, value_name = "COUNT", requires = "require_signed")]
    most_unsigned: Option<u64>,
    /// Whose signatures count, as a file of allowed signers; in place of those you trust
    #[arg(long, value_name = "FILE")]
    signers: Option<PathBuf>,
    /// A head that must be there; as this command prints them
    #[arg(long, value_name = "HASH|WRITER:COUNT:HASH")]
    head: Vec<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let heads = arguments.head.iter().map(|head| head.parse::<Remembered>());
    let terms = Terms {
        local: if arguments.without_local { Local::Ignore } else { Local::Compare },
        blobs: if arguments.blobs { Blobs::Check } else { Blobs::Skip },
        foreign: if arguments.allow_foreign { Foreign::Accepted } else { Foreign::Finding },
        moved: if arguments.allow_moved { Moved::Accepted } else { Moved::Finding },
        newer: if arguments.allow_newer { Newer::Accepted } else { Newer::Finding },
        heads: heads.collect::<Result<_, _>>().map_err(|error| Usage(error.to_string()))?,
        signatures: signatures(shell, arguments)?,
    };
    let verification = shell.engine()?.verify(&terms)?;
    if shell.wants_json() {
        shell.out.answer(&Verified::of(&verification, &terms))?;
    } else {
        for finding in &verification.report.findings {
            shell.out.line(line_of(finding))?;
        }
        for line in summary(&verification, &terms) {
            shell.out.line(line)?;
        }
    }
    Ok(if verification.report.is_clean() { CommandOutcome::Done } else { CommandOutcome::Refused })
}

/// Whose signatures count, and what is asked of a writer.
fn signatures(shell: &mut Shell, arguments: &Arguments) -> anyhow::Result<SignatureTerms> {
    let signers = match &arguments.signers {
        Some(file) => trust::named(shell, file)?,
        None => trust::trusted(shell)?,
    };
    let unsigned = match (arguments.require_signed, arguments.accept_seen) {
        (false, _) => Unsigned::Accepted,
        (true, true) => Unsigned::AcceptedWhereSeen,
        (true, false) => Unsigned::Finding,
    };
    Ok(SignatureTerms { signers, unsigned, most_after: arguments.most_unsigned })
}

fn line_of(finding: &Finding) -> String {
    let file = finding.file.as_ref().map_or("history".to_owned(), |file| format!("history/{file}"));
    let line = finding.line.map_or(String::new(), |line| format!(":{line}"));
    let entry = finding.entry.map_or("-".to_owned(), |entry| entry.to_string());
    format!("{file}{line}  {}  {entry}  {}", finding.what.kind(), finding.what)
}

fn summary(verification: &Verification, terms: &Terms) -> Vec<String> {
    let report = &verification.report;
    let mut lines = vec![first_line(verification)];
    lines.extend(report.writers.iter().map(|writer| {
        let WriterReport { writer: name, lines, head, .. } = writer;
        format!("writer {name}: {}, head {}", counted(*lines, "line"), head_of(name.as_str(), head.count, &head.hash))
    }));
    lines.extend(signed::lines(report));
    lines.extend(verification.erasures.iter().map(erasure));
    lines.extend(scrubbed_by_others(&report.scrubbed.by_others));
    lines.extend(verification.mends.iter().map(mend));
    lines.extend(settled(&report.settled));
    let back =
        |at| format!("history/{at} holds what was scrubbed: a merge has brought it back; `annals scrub` takes it out");
    lines.extend(report.scrubbed.back.iter().map(back));
    let doubled = |at| format!("history/{at} is there again: git's union merge has doubled it, and it counts once");
    lines.extend(report.doubled.iter().map(doubled));
    lines.extend(verification.accepted.iter().map(|finding| format!("accepted: {}", line_of(finding))));
    let elsewhere = verification.elsewhere.branches.iter();
    lines.extend(elsewhere.map(|gap| format!("on another branch: {}, which are not here", lines_of(gap))));
    let left_out = verification.elsewhere.left_out.iter();
    lines.extend(left_out.map(|gap| format!("left out by a sparse checkout: {}, which git has", lines_of(gap))));
    lines.extend(verification.acknowledged.iter().map(|finding| format!("acknowledged: {}", line_of(finding))));
    let unfinished = |at| format!("history/{at} has no newline yet; the next writer adds it");
    lines.extend(report.unfinished.iter().map(unfinished));
    lines.extend(not_checked(verification, terms).iter().map(|what| format!("not checked: {what}")));
    lines
}

fn lines_of(WriterStretch { writer, first, last }: &WriterStretch) -> String {
    format!("lines {first} to {last} of writer {writer}")
}

fn head_of(writer: &str, count: u64, hash: &impl std::fmt::Display) -> String {
    format!("{writer}:{count}:{hash}")
}

fn first_line(verification: &Verification) -> String {
    let (report, totals) = (&verification.report, &verification.report.totals);
    let mut text = format!("{} in {}", counted(totals.lines, "line"), counted(totals.segments, "file"));
    let writers = counted(report.writers.len() as u64, "writer");
    let written = match totals.chained {
        0 => write!(text, ", none of them chained"),
        chained => write!(text, ", {chained} chained by {writers}"),
    };
    written.expect("BUG: a string takes all that is written to it");
    let verdict = if report.is_clean() {
        "nothing is wrong".to_owned()
    } else {
        counted(report.findings.len() as u64, "finding")
    };
    format!("{text}: {verdict}")
}

fn erasure(one: &Erasure) -> String {
    let Erasure { entry, at, actor, confirmed_by, scrubbed } = one;
    format!(
        "scrubbed: {} at {at} by {actor}, confirmed by {confirmed_by} ({entry})",
        counted(scrubbed.len() as u64, "line")
    )
}

fn mend(one: &Mend) -> String {
    let Mend { writer, from, to, shift } = one;
    format!("mended: lines {from} to {to} of writer {writer} count {} than they say", moved_by(*shift))
}

/// So many settlements or scrubs are named; the rest is a count.
// A merge may bring any number of them.
const NAMED: usize = 5;

fn scrubbed_by_others(all: &[(LineStanding, LineStanding)]) -> Vec<String> {
    let named = all.iter().take(NAMED);
    let mut lines: Vec<_> =
        named.map(|(line, by)| format!("scrubbed by another writer: this clone's {line}, by {by}")).collect();
    if all.len() > NAMED {
        lines.push(format!("scrubbed by another writer: {} more of this clone's lines", all.len() - NAMED));
    }
    lines
}

fn settled(all: &[Settled]) -> Vec<String> {
    let mut lines: Vec<_> = all.iter().take(NAMED).map(|one| format!("settled: {one}")).collect();
    if all.len() > NAMED {
        lines.push(format!("settled: {} more", all.len() - NAMED));
    }
    lines
}

/// What a clean answer does not mean.
fn not_checked(verification: &Verification, terms: &Terms) -> Vec<String> {
    let report = &verification.report;
    let mut texts = Vec::new();
    if report.unchained > 0 {
        texts.push(format!("{} without a link: nobody vouches for them", counted(report.unchained, "line")));
    }
    texts.extend(report.writers.iter().filter_map(unwitnessed));
    match (terms.local, verification.remembered) {
        (Local::Ignore, _) => texts.push("what local/ remembers".to_owned()),
        (Local::Compare, 0) => texts.push("what this clone has seen before: local/ remembers nothing".to_owned()),
        (Local::Compare, _) => {}
    }
    if terms.blobs == Blobs::Skip {
        texts.push("large values (--blobs reads them)".to_owned());
    }
    texts.extend(verification.elsewhere.unfetched.iter().map(|gap| {
        let lines = lines_of(gap);
        format!(
            "{lines}: this clone has not fetched what may hold them or took them away (`git fetch --refetch --no-filter` \
             does in a partial clone, `git fetch --unshallow` in a shallow one)"
        )
    }));
    texts.extend(match verification.left_out_files {
        Some(0) => None,
        Some(files) => Some(format!("{} that a sparse checkout leaves out", counted(files as u64, "file"))),
        None => Some("files that a sparse checkout may leave out: git cannot say which".to_owned()),
    });
    // Said always: no chain shows that its own end is missing.
    texts.push("lines that were cut off before anybody else saw them".to_owned());
    texts.extend(signed::not_checked(report));
    texts
}

/// The last lines of a writer, which nobody else has seen.
fn unwitnessed(writer: &WriterReport) -> Option<String> {
    let WriterReport { writer, head, vouched, .. } = writer;
    match head.count - vouched {
        0 => None,
        1 => Some(format!("whether line {} of writer {writer} was written anew: nobody else has seen it", head.count)),
        _ => {
            let (first, last) = (vouched + 1, head.count);
            Some(format!(
                "whether lines {first} to {last} of writer {writer} were written anew: nobody else has seen them"
            ))
        }
    }
}
