//! Logs of clones that sign, and what it takes to write their past anew: every hash is computed again, no key is known.

use std::collections::BTreeMap;
use std::path::Path;

use annals::engine::keys::{KeyFile, public};
use annals::engine::sign::{KeyGone, Seal, Settle, Signing};
use annals::engine::{By, Engine};
use annals::kernel::annals::{Head, LineHash};
use annals::kernel::entry::HistoryEntry;
use annals::kernel::id::{AgentId, EntryId, NO_SESSION, SessionId, WriterId};
use annals::kernel::json::Json;
use annals::kernel::signed::{SIGN, SignedHead};
use annals::kernel::ssh::signers::{Signer, Signers};
use annals::log::batch::Batch;
use annals::log::disk::Look;
use annals::log::position::IdSource;
use annals::log::segment::Segment;
use annals::log::verify::{
    Blobs, Foreign, Memory, Report, Scrubs, Sheet, SignatureTerms, Survey, Unsigned, judge_signed,
};
use serde_json::json;

use crate::support::{Project, step};

/// A key of a test, in a state directory of its own.
pub struct Keys {
    state: tempfile::TempDir,
}

impl Keys {
    pub fn of(secret: u8) -> Self {
        let state = tempfile::tempdir().expect("a folder");
        KeyFile::below(state.path()).load_or_make(|| [secret; 32]).expect("a key");
        Self { state }
    }

    pub fn file(&self) -> KeyFile {
        KeyFile::below(self.state.path())
    }

    pub fn signer(&self, name: &str) -> Signer {
        let key = self.file().load().expect("read").expect("a key");
        Signer::new(name, public(&key), "")
    }
}

/// Signs the head of a clone.
pub fn sign(engine: &Engine, key: &KeyFile) -> Seal {
    let by = By::new(AgentId::from("system"), SessionId::from(NO_SESSION));
    let signing = Signing { key, gone: KeyGone::Fails, settle: Settle::Waited };
    engine.sign_head(&signing, &by).expect("signed")
}

/// The names and keys of the three clones.
pub fn three_signers() -> Vec<Signer> {
    [(1, "ann"), (2, "bob"), (3, "cy")].map(|(secret, name)| Keys::of(secret).signer(name)).into()
}

/// Three clones that write, sign and merge, so many rounds; in the last one nobody has seen the others' last lines.
pub fn three_clones(rounds: usize, lines_each: usize) -> Vec<String> {
    let clones = [Project::new(), Project::new(), Project::new()];
    for round in 0..rounds {
        for (number, (clone, seed)) in (1..).zip(clones.iter().zip(["one", "two", "three"])) {
            let engine = clone.engine(&format!("2026-11-21T10:{:02}:0{number}Z", 10 + round), seed);
            let text = |count| format!("{seed} {round} {count}");
            let steps = (0..lines_each).map(|count| (step(seed, &text(count)), IdSource::Minted));
            engine.record_all(steps.collect()).expect("recorded");
            assert!(matches!(sign(&engine, &Keys::of(number).file()), Seal::Signed(..)));
        }
        let mut lines: Vec<String> = clones.iter().flat_map(|clone| clone.files().into_values()).collect();
        lines = lines.concat().lines().map(str::to_owned).collect();
        in_order(&mut lines);
        for clone in &clones {
            let text = lines.iter().flat_map(|line| [line, "\n"]).collect();
            clone.set_files(&BTreeMap::from([("2026-11-21.jsonl".to_owned(), text)]));
        }
        if round + 1 == rounds {
            return lines;
        }
    }
    unreachable!("there is a last round")
}

/// The order of the ids, each line once.
fn in_order(lines: &mut Vec<String>) {
    lines.sort_by_cached_key(|line| entry(line).id);
    lines.dedup();
}

pub fn entry(line: &str) -> HistoryEntry {
    HistoryEntry::read(line).expect("an entry")
}

/// The id behind another.
pub fn next(id: EntryId) -> EntryId {
    id.next().expect("ids do not end here")
}

pub fn link(line: &str) -> (WriterId, u64) {
    let link = entry(line).annals.link.expect("a link");
    (link.writer, link.count)
}

/// The head that a line signs.
pub fn signed_in(line: &str) -> Option<SignedHead> {
    let entry = entry(line);
    if &*entry.operation.name != SIGN {
        return None;
    }
    let output = entry.operation.output?.value();
    serde_json::from_value(output["events"][0]["data"].clone()).ok()
}

/// Puts a signed head in the place of the one that an entry holds.
pub fn with_signed(entry: &mut HistoryEntry, head: &SignedHead) {
    let output = json!({ "events": [{ "name": "history.head.signed", "data": head }] });
    entry.operation.output = Some(Json::of(&output));
}

/// Counts and hashes all lines again after some were changed, taken out or put in, as somebody does who wants that nothing
/// is seen: links, and what lines have seen of others. `touch` may do the same with what a line holds.
pub fn chained_anew(lines: &[HistoryEntry], mut touch: impl FnMut(&mut HistoryEntry, &Heads)) -> Vec<String> {
    let mut heads = Heads::default();
    let mut written = Vec::new();
    for line in lines {
        let mut entry = line.clone();
        let mut link = entry.annals.link.clone().expect("a link");
        let before = heads.last.get(&link.writer).copied().unwrap_or(Head { count: 0, hash: LineHash::default() });
        let was = (link.writer.clone(), link.count);
        (link.previous, link.count) = (before.hash, before.count + 1);
        for (writer, head) in &mut link.seen {
            *head = heads.anew(writer, head.count).unwrap_or(*head);
        }
        entry.annals.link = Some(link.clone());
        touch(&mut entry, &heads);
        let line = entry.to_line();
        let head = Head { count: link.count, hash: LineHash::of(line.as_bytes()) };
        heads.was.insert(was, head);
        heads.last.insert(link.writer, head);
        written.push(line);
    }
    written
}

/// What has become of every line.
#[derive(Default)]
pub struct Heads {
    was: BTreeMap<(WriterId, u64), Head>,
    pub last: BTreeMap<WriterId, Head>,
}

impl Heads {
    /// What a line that had a count is now; of one that was taken out, the line before it.
    fn anew(&self, writer: &WriterId, count: u64) -> Option<Head> {
        let until = self.was.range((writer.clone(), 0)..=(writer.clone(), count));
        until.last().map(|(_, head)| *head)
    }
}

/// How signatures are asked for.
pub fn terms(signers: Vec<Signer>, unsigned: Unsigned) -> SignatureTerms {
    SignatureTerms { signers: Signers { signers, ..Signers::default() }, unsigned, most_after: None }
}

/// What somebody finds who has nothing but the lines and the list of keys.
pub fn judged(lines: &[String], terms: &SignatureTerms) -> Report {
    judged_with(lines, &[], &Scrubs::new(), terms)
}

pub fn judged_with(lines: &[String], memories: &[Memory], scrubs: &Scrubs, terms: &SignatureTerms) -> Report {
    let segment = Segment { name: "2026-11-21.jsonl".to_owned(), look: Look::default() };
    let mut survey = Survey::new(vec![segment]);
    let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    survey.add(0, Sheet::of(&Batch::decode(text.into_bytes(), 0), Blobs::Skip));
    judge_signed(survey, memories, &scrubs.clone().into(), Foreign::Finding, terms)
}

/// Kinds of findings, each once.
pub fn kinds(report: &Report) -> Vec<&'static str> {
    let mut kinds: Vec<_> = report.findings.iter().map(|finding| finding.what.kind()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// The lines of a project's only day.
pub fn lines_of(context: &Path) -> Vec<String> {
    let mut lines: Vec<_> = crate::support::day_files(context)
        .into_values()
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    in_order(&mut lines);
    lines
}
