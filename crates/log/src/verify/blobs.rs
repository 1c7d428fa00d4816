//! Large values: whether each is there, whole, and has the hash that it is named by.
//!
//! Only where it is asked for: it reads all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use memchr::memmem;
use serde_json::Value;

use super::case::Case;
use super::chain::ChainSpot;
use super::finding::{Finding, What};
use super::scrubs::Scrubs;
use crate::LogError;
use crate::batch::Placed;
use crate::blob::{self, BlobRef};
use crate::disk::Disk;
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;

/// Whether large values are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Blobs {
    /// Each is read and hashed.
    Check,
    /// None is read.
    #[default]
    Skip,
}

const KEY: &[u8] = br#""$blob""#;

/// A line that refers to a large value.
#[derive(Debug, Clone)]
pub(super) struct BlobUse {
    pub(super) sha256: Box<str>,
    /// Its size, as the line says it.
    pub(super) bytes: u64,
    pub(super) spot: ChainSpot,
    pub(super) id: EntryId,
    pub(super) line: LineHash,
}

impl BlobUse {
    /// The large values that a line refers to.
    pub(super) fn of(placed: &Placed<'_>, spot: ChainSpot) -> Vec<Self> {
        let entry = &placed.envelope;
        // Most lines name none, and looking for the word spares reading their values.
        if memmem::find(entry.line(), KEY).is_none() {
            return Vec::new();
        }
        let mut found = Named::new();
        for value in [entry.input::<Value>(), entry.output::<Value>()].into_iter().flatten() {
            collect(&value, &mut found);
        }
        let line = LineHash::of(placed.original);
        found.into_iter().map(|(sha256, bytes)| Self { sha256, bytes, spot, id: entry.id(), line }).collect()
    }
}

/// Hashes of large values, with the sizes that are told of them.
type Named = BTreeMap<Box<str>, u64>;

fn collect(value: &Value, found: &mut Named) {
    if let Some(reference) = BlobRef::of(value) {
        found.insert(reference.sha256.into(), reference.bytes);
        return;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(members) => members.values().for_each(|item| collect(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Large values that are there, by hash.
pub(super) type CheckedBlobs = BTreeMap<Box<str>, Content>;

/// What a large value came to, or what is wrong with it.
pub(super) type Content = Result<Whole, String>;

/// A large value that has the hash that it is named by.
#[derive(Debug, Clone)]
pub(super) struct Whole {
    bytes: u64,
    /// The large values that it refers to.
    inside: BTreeSet<Box<str>>,
}

/// Reads every large value, with as many threads as there are cores.
pub(super) fn check(disk: &dyn Disk, blobs: &Path) -> Result<CheckedBlobs, LogError> {
    let names: Vec<Box<str>> = blob::list(disk, blobs)?.into_iter().map(Box::from).collect();
    let (next, checked) = (AtomicUsize::new(0), Mutex::new(CheckedBlobs::new()));
    let work = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            let whole = |checked: blob::CheckedBlob| Whole {
                bytes: checked.bytes,
                inside: checked.text.map(|text| inside(&text)).unwrap_or_default(),
            };
            let content = blob::check(disk, blobs, name).map(whole).map_err(|error| problem_of(&error));
            checked.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone(), content);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(names.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    Ok(checked.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// A value that goes as a whole may have texts in it that went before.
fn inside(text: &str) -> BTreeSet<Box<str>> {
    let mut found = Named::new();
    if memmem::find(text.as_bytes(), KEY).is_some()
        && let Ok(value) = serde_json::from_str(text)
    {
        collect(&value, &mut found);
    }
    found.into_keys().collect()
}

/// The error without the path, which the hash gives already.
fn problem_of(error: &LogError) -> String {
    match error {
        LogError::Io { source, .. } | LogError::NotSynced { source, .. } => source.to_string(),
        LogError::Read(error) => error.to_string(),
        LogError::OnlyRead | LogError::NoIdLeft { .. } | LogError::TooLong { .. } => error.to_string(),
    }
}

impl Case {
    /// Reports large values that are damaged, and those that are missing where a line that counts refers to them.
    pub(super) fn blobs(&mut self, recorded: &Scrubs) {
        let Some(checked) = self.survey.checked.take() else { return };
        let uses = std::mem::take(&mut self.survey.blobs);
        // A copy that a merge has brought back of a scrubbed line does not count, nor does what it refers to.
        let is_gone = |one: &BlobUse| {
            recorded.get(&one.id).is_some_and(|scrubs| scrubs.iter().any(|scrub| scrub.before == one.line))
        };
        let mut users: BTreeMap<&str, &BlobUse> = BTreeMap::new();
        for one in uses.iter().filter(|one| !is_gone(one)) {
            users.entry(&one.sha256).or_insert(one);
        }
        for (sha256, user) in &users {
            let problem = match checked.get(*sha256) {
                None if self.survey.left_out.contains(*sha256) => continue,
                None => "is not there".to_owned(),
                Some(Err(problem)) => problem.clone(),
                Some(Ok(whole)) if whole.bytes == user.bytes => continue,
                Some(Ok(whole)) => format!("has {} bytes, and its line says {}", whole.bytes, user.bytes),
            };
            let what = What::BadBlob { sha256: (*sha256).to_owned(), problem };
            self.find(user.spot, Some(user.id), what);
        }
        for (sha256, content) in &checked {
            match content {
                Err(problem) if !users.contains_key(&**sha256) => self.bad_blob(sha256, problem.clone()),
                Err(_) => {}
                Ok(whole) => {
                    let is_there = |other: &str| checked.contains_key(other) || self.survey.left_out.contains(other);
                    let missing: Vec<_> = whole.inside.iter().filter(|other| !is_there(other)).collect();
                    for other in missing {
                        self.bad_blob(sha256, format!("refers to {other}, which is not there"));
                    }
                }
            }
        }
    }

    fn bad_blob(&mut self, sha256: &str, problem: String) {
        let file = Some(format!("blobs/{}/{sha256}.zst", sha256.get(..2).unwrap_or_default()));
        let what = What::BadBlob { sha256: sha256.to_owned(), problem };
        self.findings.push(Finding { file, line: None, entry: None, what });
    }
}
