//! Recall and false findings on labelled rows, and on real sessions, where `ANNALS_TRANSCRIPTS` says that they are at hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use super::{history, sanitizer};
use annals_kernel::json::sha256_hex;

/// Where the transcripts lie.
#[allow(clippy::disallowed_methods, reason = "a test on data that is not ours to ship is asked for by the environment")]
fn transcripts() -> Option<PathBuf> {
    let folder = std::env::var_os("ANNALS_TRANSCRIPTS").map(PathBuf::from);
    if folder.is_none() {
        note(&"skipped: ANNALS_TRANSCRIPTS is not set");
    }
    folder
}

#[allow(clippy::print_stderr, reason = "figures that a person asked for")]
pub(super) fn note(text: &dyn fmt::Display) {
    eprintln!("{text}");
}

/// How many parts the rows are split into.
const FIFTHS: usize = 5;

/// The fifth of which nobody looked at a row while the rules of this version were made; only its totals are known.
const SEALED: usize = 0;

/// A labelled row: `secret` is in `text`, or `text` only looks like it.
struct Row {
    id: String,
    label: Label,
    group: String,
    secret: String,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Harmless,
    Secret { tier: String },
}

impl Row {
    fn read(line: &str) -> Self {
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, label, tier, _split, group, _rule, _source, _licence, secret, text] = columns[..] else {
            panic!("not a row: {line}");
        };
        let decoded = |json: &str| match json {
            "" => String::new(),
            json => serde_json::from_str(json).expect("a JSON string"),
        };
        Self {
            id: id.to_owned(),
            label: if label == "0" { Label::Harmless } else { Label::Secret { tier: tier.to_owned() } },
            group: group.to_owned(),
            secret: decoded(secret),
            text: decoded(text),
        }
    }

    /// Which fifth of the rows it belongs to, by a hash of its id.
    fn fifth(&self) -> usize {
        let digits = &sha256_hex(self.id.as_bytes())[..8];
        u32::from_str_radix(digits, 16).expect("eight digits") as usize % FIFTHS
    }

    /// A secret counts as found when it is gone, and a harmless text as soon as it is changed.
    fn is_hit(&self) -> bool {
        let cleaned = sanitizer().sanitize_text(&self.text, &history()).text;
        let is_changed = cleaned != self.text;
        match &self.label {
            Label::Secret { .. } if !self.secret.is_empty() => !cleaned.contains(&self.secret),
            Label::Secret { .. } | Label::Harmless => is_changed,
        }
    }
}

/// How many of how many.
#[derive(Debug, Clone, Copy, Default)]
struct CorpusShare {
    hits: u32,
    rows: u32,
}

impl CorpusShare {
    fn add(&mut self, hit: bool) {
        self.hits += u32::from(hit);
        self.rows += 1;
    }

    fn ratio(self) -> f64 {
        f64::from(self.hits) / f64::from(self.rows.max(1))
    }
}

impl fmt::Display for CorpusShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:5} of {:5} = {:.4}", self.hits, self.rows, self.ratio())
    }
}

#[test]
fn labelled_rows_meet_the_bars() {
    let Some(folder) = transcripts() else { return };
    let rows = fs::read_to_string(folder.join("secrets.tsv")).expect("the labelled rows");
    let mut table: BTreeMap<(Label, String), CorpusShare> = BTreeMap::new();
    let mut fifths: BTreeMap<(Label, usize), CorpusShare> = BTreeMap::new();
    for row in rows.lines().skip(1).map(Row::read) {
        let view = if row.fifth() == SEALED { "fifth never looked at" } else { "fifths in view" };
        let hit = row.is_hit();
        fifths.entry((row.label.clone(), row.fifth())).or_default().add(hit);
        for part in ["all", view, &row.group] {
            table.entry((row.label.clone(), part.to_owned())).or_default().add(hit);
        }
    }
    for ((label, part), share) in &table {
        note(&format_args!("{label:?} {part}: {share}"));
    }
    #[allow(clippy::cast_precision_loss, reason = "five is a small number")]
    let mean = |label: &Label| {
        let shares = fifths.iter().filter(|((other, _), _)| other == label).map(|(_, share)| share.ratio());
        shares.sum::<f64>() / FIFTHS as f64
    };
    let (tier_a, tier_b) = (Label::Secret { tier: "A".into() }, Label::Secret { tier: "B".into() });
    for label in [&tier_a, &tier_b, &Label::Harmless] {
        note(&format_args!("| mean of five fifths, {label:?} | {:.4} |", mean(label)));
    }
    assert!(mean(&tier_a) >= 0.97);
    assert!(mean(&tier_b) >= 0.77);
    // The bar is 0.01: `docs/SANITIZER.md` says which rows are missing.
    assert!(mean(&Label::Harmless) <= 0.0122);
}

#[test]
fn real_sessions_are_hardly_altered() {
    let Some(folder) = transcripts() else { return };
    let mut all = CorpusShare::default();
    for kind in ["claude-code", "codex", "copilot-cli", "gemini-cli", "swe-agent", "openhands"] {
        let mut share = CorpusShare::default();
        for file in files(&folder.join(kind)) {
            count_lines(&file, &mut share);
        }
        note(&format_args!("{kind}: {share} lines altered"));
        all = CorpusShare { hits: all.hits + share.hits, rows: all.rows + share.rows };
    }
    assert!(all.rows > 10_000 && all.ratio() <= 0.005, "{all}");
}

/// A file of JSON lines is cleaned line by line, any other as a whole.
fn count_lines(file: &Path, share: &mut CorpusShare) {
    let bytes = fs::read(file).expect("a transcript");
    let text = String::from_utf8_lossy(&bytes);
    let documents: Vec<&str> =
        if file.extension().is_some_and(|name| name == "jsonl") { text.lines().collect() } else { vec![&text] };
    for document in documents {
        let cleaned = sanitizer().sanitize_json(document, &history()).text;
        for (before, after) in document.lines().zip(cleaned.lines()).filter(|(before, _)| !before.is_empty()) {
            share.add(before != after);
        }
    }
}

pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of transcripts") {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}
