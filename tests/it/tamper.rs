//! Every line of a merged log changed in every way, and a byte of every line: `verify` must find it, and name the line.
//!
//! Changes that lie apart are judged together, each to be found by itself and nothing beside them, so that ninety thousand
//! take seconds. With `ANNALS_TAMPER=all` every line is changed alone, and every byte of every line.

mod change;
mod log;

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use annals::engine::verify::Terms;
use annals::kernel::annals::{LineHash, Link};
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::EntryId;
use annals::log::position::IdSource;
use annals::log::verify::{CutOff, Evidence, Finding, What};

use self::change::{BYTE_KINDS, ByteKind, LINE_KINDS, REACH, byte, check, line};
use self::log::{Edit, Log, three_clones};
use crate::support::{Project, said, step};

static TEN_THOUSAND: LazyLock<Log> = LazyLock::new(|| Log::of(&three_clones(6, 556)));

/// Lines that are changed together lie this far apart.
const APART: usize = REACH + 3;

#[expect(clippy::disallowed_methods, reason = "half an hour is spent only where somebody asks for it")]
fn is_exhaustive() -> bool {
    std::env::var_os("ANNALS_TAMPER").is_some()
}

/// Lines that are changed together, so many apart; one change of each is judged with the others.
fn rounds(log: &Log, apart: usize) -> Vec<Vec<(usize, usize)>> {
    let round = |first| log.places().filter(|(_, line)| line % apart == first).collect();
    (0..apart).map(round).collect()
}

/// Does work with as many threads as there are cores.
fn each<T: Sync>(work: &[T], run: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(one) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(one);
                }
            });
        }
    });
}

#[test]
fn every_line_of_ten_thousand_is_guarded() {
    let log = &*TEN_THOUSAND;
    assert_eq!(log.places().count(), 10_009);
    let rounds = if is_exhaustive() { log.places().map(|place| vec![place]).collect() } else { rounds(log, APART) };
    for kind in LINE_KINDS {
        each(&rounds, |places| {
            check(log, &places.iter().filter_map(|place| line(log, *place, kind)).collect::<Vec<_>>());
        });
    }
}

#[test]
fn a_byte_of_every_line_is_guarded() {
    let log = &*TEN_THOUSAND;
    each(&rounds(log, APART), |places| {
        let length = |(file, line): &(usize, usize)| log.files[*file][*line].len();
        for (number, kind) in BYTE_KINDS.into_iter().enumerate() {
            let change = |place: &(usize, usize), at| byte(log, *place, at, kind);
            if is_exhaustive() {
                for at in 0..places.iter().map(length).max().unwrap_or_default() {
                    let long = places.iter().filter(|place| at < length(place));
                    check(log, &long.filter_map(|place| change(place, at)).collect::<Vec<_>>());
                }
            } else {
                // Over the lines every byte has its turn, the link as well as the payload.
                let one = |place| change(place, (place.1 * 37 + number * 101) % length(place));
                check(log, &places.iter().filter_map(one).collect::<Vec<_>>());
            }
        }
    });
}

#[test]
fn every_bit_of_a_few_lines_is_guarded() {
    let log = Log::of(&three_clones(2, 1));
    each(&log.places().collect::<Vec<_>>(), |(file, line)| {
        for at in 0..log.files[*file][*line].len() {
            let bits = (0..8).map(|bit| ByteKind::Flip(1 << bit));
            for change in bits.chain(BYTE_KINDS).filter_map(|kind| byte(&log, (*file, *line), at, kind)) {
                check(&log, &[change]);
            }
        }
    });
}

#[test]
fn the_last_line_of_every_writer_is_guarded_by_local() {
    let project = three_clones(2, 3);
    let log = Log::of(&project);
    for (writer, head) in &log.heads {
        let is_last = |(file, line): &(usize, usize)| log.links[*file][*line] == (writer.clone(), *head);
        let (file, line) = log.places().find(is_last).expect("a last line");
        let mut files = project.files();
        files.insert(log.names[file].clone(), log.files[file].concat().replace(&log.files[file][line], ""));
        let other = Project::new();
        other.set_files(&files);
        copy_local(&project, &other);
        let verifier = other.engine("2026-12-01T00:00:00Z", "verifier");
        let report = verifier.verify(&Terms::default()).expect("verified").report;
        let kinds: Vec<_> = report.findings.iter().map(|finding| &finding.what).collect();
        let is_cut_off = matches!(kinds[..], [What::CutOff(CutOff::Lines { last, .. })] if *last == head.count);
        assert!(is_cut_off, "{file}:{line}: {:#?}", said(&report));
    }
}

fn copy_local(from: &Project, to: &Project) {
    std::fs::create_dir_all(to.context().join("local")).expect("made");
    for name in ["bookmark", "marks"] {
        std::fs::copy(from.context().join("local").join(name), to.context().join("local").join(name)).expect("copied");
    }
}

#[test]
fn what_is_found_says_how_it_is_known() {
    let log = Log::of(&three_clones(2, 2));
    let bytes = log.files[0][1].replace("Bash", "Dash").into_bytes();
    let report = log.judge(&[&Edit { file: 0, lines: 1..2, bytes }]).report;
    let [Finding { what: What::Changed { evidence: Evidence::Next(at), instead: None, doubtful: None, .. }, .. }] =
        report.findings.as_slice()
    else {
        panic!("{:#?}", said(&report));
    };
    assert_eq!(at.to_string(), "2026-11-21.jsonl:1");
}

/// What a merge can bring that no chain tells: each line once more in a chain of its own, with other content and with the
/// same, each head of this clone's writer gone on with, each decision under other rules.
#[test]
fn every_line_that_a_merge_brings_under_a_known_id_name_or_rule_is_found() {
    const BROUGHT: &str = "2026-11-30.jsonl";
    let project = three_clones(2, 4);
    let reader = project.engine("2026-12-01T00:00:00Z", "reader");
    reader.record(step("reader", "read"), IdSource::Minted).expect("recorded");
    let lines: Vec<String> =
        project.files().values().flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let path = project.history(BROUGHT);
    let (mut tried, mut found) = (0, 0);
    for line in &lines {
        for claim in [Claim::SameIdInAnotherChain, Claim::OtherBytesInAnotherChain, Claim::OwnName, Claim::Rules] {
            std::fs::write(&path, claim.line(line, lines.last().expect("a line")) + "\n").expect("written");
            let verified = reader.verify(&Terms::default()).expect("verified");
            let is_it =
                |finding: &Finding| finding.file.as_deref() == Some(BROUGHT) && finding.what.kind() == claim.kind();
            (tried, found) = (tried + 1, found + usize::from(verified.report.findings.iter().any(is_it)));
        }
    }
    assert_eq!((tried, found), (100, 100));
}

/// What a line that a merge brings claims.
#[derive(Debug, Clone, Copy)]
enum Claim {
    SameIdInAnotherChain,
    OtherBytesInAnotherChain,
    OwnName,
    Rules,
}

impl Claim {
    fn kind(self) -> &'static str {
        match self {
            Self::SameIdInAnotherChain | Self::OtherBytesInAnotherChain => "conflict",
            Self::OwnName => "unremembered",
            Self::Rules => "unknown rules",
        }
    }

    fn line(self, line: &str, last: &str) -> String {
        let mut entry = HistoryEntry::read(line).expect("an entry");
        let own = HistoryEntry::read(last).expect("an entry").annals.link.expect("a link");
        let link = entry.annals.link.as_mut().expect("a link");
        let (writer, previous, seen) = ("mallory0".into(), LineHash::default(), BTreeMap::default());
        *link = Link { writer, count: 1, previous, seen, lost: None, left: None };
        match self {
            Self::SameIdInAnotherChain => {}
            Self::OtherBytesInAnotherChain => entry.operation.name = "Dash".into(),
            Self::OwnName => {
                let previous = LineHash::of(last.as_bytes());
                *link = Link { count: own.count + 1, previous, ..own };
                entry.id = EntryId::derived(entry.timestamp, &[line]);
            }
            Self::Rules => {
                entry.annals.r = Some(9);
                entry.id = EntryId::derived(entry.timestamp, &[line]);
            }
        }
        entry.to_line()
    }
}
