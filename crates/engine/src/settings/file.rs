//! `config.toml`: read as far as it can be, and changed in one place at a time.
//!
//! What cannot be read is named and ends nothing. Does not decide which values hold; `consent` does.

use std::io;
use std::path::Path;

use serde_json::Value;
use toml_edit::{DocumentMut, Item, Table};

use super::all;
use annals_kernel::settings::{BadSetting, Settings};
use annals_log::disk::{Disk, Safety};

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadConfig {
    /// The file cannot be read or written.
    #[error("config.toml: {0}")]
    Io(#[from] io::Error),
    /// The file is longer than any that a person writes.
    #[error("config.toml: {bytes} bytes are more than the {MOST_BYTES} that are read: shorten it")]
    TooLong {
        /// Its length.
        bytes: u64,
    },
    /// The file is no text.
    #[error("config.toml: not UTF-8 from byte {at} on")]
    NotUtf8 {
        /// Where the text ends.
        at: usize,
    },
    /// The file is not TOML.
    #[error("config.toml: {0}")]
    NotToml(String),
    /// A merge left both of its sides.
    #[error("config.toml: a merge left conflict markers in it")]
    Conflict,
    /// A value has the wrong type.
    #[error("config.toml: {0}")]
    BadValue(#[from] BadSetting),
    /// Nobody reads such a key.
    #[error("there is no setting {key}{}", did_you_mean(similar))]
    UnknownKey {
        /// The key.
        key: String,
        /// Keys that look like it.
        similar: String,
    },
}

fn did_you_mean(similar: &str) -> String {
    if similar.is_empty() { String::new() } else { format!("; there is {similar}") }
}

/// What the file says.
#[derive(Debug, Default)]
pub struct FromFile {
    /// Values of known keys.
    pub settings: Settings,
    /// Keys that nobody reads: named by `doctor`, otherwise ignored.
    pub unknown: Vec<String>,
    /// What is wrong with the file: every command says so. A file that a repository or a merge brings ends no recording.
    pub flaws: Vec<Flaw>,
}

/// Something wrong with the file, and what holds in its place.
#[derive(Debug, thiserror::Error)]
#[error("{problem}; {}", holds.as_str())]
pub struct Flaw {
    /// What.
    pub problem: BadConfig,
    /// What holds.
    pub holds: Fallback,
}

/// What holds in place of what cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// One default.
    Default,
    /// Every default.
    Defaults,
    /// What this branch says: git left both sides of a merge in the file.
    Ours,
}

impl Fallback {
    fn as_str(self) -> &'static str {
        match self {
            Self::Default => "its default holds",
            Self::Defaults => "every setting has its default",
            Self::Ours => "until the conflict is resolved, what this branch says holds",
        }
    }
}

impl Flaw {
    /// Whether the rest of the file could be read.
    pub fn is_of_one_value(&self) -> bool {
        self.holds == Fallback::Default
    }
}

impl FromFile {
    fn defaults(problem: BadConfig) -> Self {
        Self { flaws: vec![Flaw { problem, holds: Fallback::Defaults }], ..Self::default() }
    }
}

/// A longer file is none that a person wrote, and every hook would read it.
const MOST_BYTES: u64 = 256 << 10;

/// Reads the file; without one everything has its default.
pub fn load(disk: &dyn Disk, path: &Path) -> Result<FromFile, BadConfig> {
    Ok(match text_of(disk, path) {
        Ok(text) => text.map_or_else(FromFile::default, |text| read(&text)),
        Err(error @ BadConfig::Io(_)) => return Err(error),
        Err(error) => FromFile::defaults(error),
    })
}

pub(super) fn read(text: &str) -> FromFile {
    let problem = match parse(text) {
        Ok(file) => return file,
        Err(problem) => problem,
    };
    match ours(text).and_then(|ours| parse(&ours).ok()) {
        Some(mut file) => {
            file.flaws.insert(0, Flaw { problem: BadConfig::Conflict, holds: Fallback::Ours });
            file
        }
        None => FromFile::defaults(problem),
    }
}

/// What a text says without the other side of each conflict that git left in it; `None` where there is none.
fn ours(text: &str) -> Option<String> {
    let (mut ours, mut is_other, mut has_markers) = (String::new(), false, false);
    for line in text.lines() {
        match line.get(..7) {
            Some("<<<<<<<") => (is_other, has_markers) = (false, true),
            // The common ancestor, and the other side.
            Some("|||||||" | "=======") => is_other = true,
            Some(">>>>>>>") => is_other = false,
            Some(_) | None if is_other => {}
            Some(_) | None => {
                ours.push_str(line);
                ours.push('\n');
            }
        }
    }
    has_markers.then_some(ours)
}

/// Whether a text can be read as such a file.
pub fn is_readable(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| parse(text).is_ok_and(|file| file.flaws.is_empty()))
}

/// Whether a value can be set in the file: it is TOML, whatever its values are.
pub fn require_toml(disk: &dyn Disk, path: &Path) -> Result<(), BadConfig> {
    document(&text_of(disk, path)?.unwrap_or_default()).map(drop)
}

fn document(text: &str) -> Result<DocumentMut, BadConfig> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        BadConfig::NotToml(at_line(text, error.span().map_or(0, |span| span.start), error.message()))
    })
}

/// Where in a text, and what, in one line.
fn at_line(text: &str, offset: usize, what: &str) -> String {
    let line = text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1;
    format!("line {line}: {}", what.lines().collect::<Vec<_>>().join(", "))
}

fn text_of(disk: &dyn Disk, path: &Path) -> Result<Option<String>, BadConfig> {
    let bytes = disk.look(path)?.map_or(0, |look| look.len);
    if bytes > MOST_BYTES {
        return Err(BadConfig::TooLong { bytes });
    }
    let Some(bytes) = disk.read_at_most(path, MOST_BYTES)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|error| BadConfig::NotUtf8 { at: error.utf8_error().valid_up_to() })
}

pub(super) fn parse(text: &str) -> Result<FromFile, BadConfig> {
    let tree: Value = toml_edit::de::from_str(text).map_err(|error| {
        BadConfig::NotToml(at_line(text, error.span().map_or(0, |span| span.start), error.message()))
    })?;
    let mut result = FromFile::default();
    for setting in all() {
        let value = setting.key().split('.').try_fold(&tree, |value, part| value.get(part));
        if let Some(value) = value {
            match setting.check(value) {
                Ok(()) => result.settings.set(setting.key(), Some(value.clone())),
                // One value of the wrong kind, in a file that a repository brings, once ended all recording.
                Err(bad) => result.flaws.push(Flaw { problem: bad.into(), holds: Fallback::Default }),
            }
        }
    }
    leaves(&tree, "", &mut |key| {
        let is_known =
            all().iter().any(|setting| key == setting.key() || key.starts_with(&format!("{}.", setting.key())));
        if !is_known {
            result.unknown.push(key.to_owned());
        }
    });
    Ok(result)
}

fn leaves(value: &Value, at: &str, take: &mut dyn FnMut(&str)) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                leaves(value, &if at.is_empty() { key.clone() } else { format!("{at}.{key}") }, take);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            take(at);
        }
    }
}

/// Sets one value in the file, or takes it back with `None`; everything else stays as it is.
pub fn store(disk: &dyn Disk, path: &Path, key: &str, value: Option<&Value>) -> Result<(), BadConfig> {
    let text = text_of(disk, path)?.unwrap_or_default();
    let mut document = document(&text)?;
    let (tables, name) = key.rsplit_once('.').unwrap_or(("", key));
    let mut table: &mut Table = document.as_table_mut();
    for part in tables.split('.').filter(|part| !part.is_empty()) {
        let item = table.entry(part).or_insert_with(|| Item::Table(Table::new()));
        table = item.as_table_mut().ok_or_else(|| BadConfig::NotToml(format!("{part} is not a table")))?;
    }
    match value {
        Some(value) => drop(table.insert(name, item_of(value)?)),
        None => drop(table.remove(name)),
    }
    disk.replace(path, document.to_string().as_bytes(), Safety::Synced)?;
    Ok(())
}

fn item_of(value: &Value) -> Result<Item, BadConfig> {
    let wrapped = serde_json::json!({ "value": value });
    let document = toml_edit::ser::to_document(&wrapped).map_err(|error| BadConfig::NotToml(error.to_string()))?;
    let item = document.get("value").cloned().unwrap_or_default();
    Ok(item.into_value().map_or_else(|item| item, Item::Value))
}
