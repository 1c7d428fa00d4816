//! The settings of the engine, and the list of all there are.
//!
//! Does not say what is in force for a decision: the log does, after it has adopted the file.

mod file;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub use self::file::{BadConfig, Fallback, Flaw, FromFile, is_readable, load, require_toml, store};
use annals_kernel::settings::{AnySetting, Settings, outside, settings};
use annals_log::segment::Rotation;
use annals_sanitizer::{Config, CustomPattern, Patterns, Sanitizer};

/// When a command counts as done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// When its line is on the disk.
    #[default]
    Always,
    /// When the system has its line.
    Os,
}

/// What happens to a value that is too large for its line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LargeValues {
    /// It goes to `history/blobs/`.
    #[default]
    Blob,
    /// It is cut.
    Truncate,
}

settings! {
    /// AFS 13.1.
    ROTATION: Rotation = Rotation::default(), "history.rotation", "when a new file begins: daily, weekly or none",
        weakens Never;
    /// DESIGN 3.1.
    DURABILITY: Durability = Durability::default(), "history.durability",
        "always: a command returns when its line is on the disk; os: when the system has it", weakens Always;
    /// DESIGN 3.6.
    INLINE_BYTES: usize = 32 << 10, "history.inline_bytes",
        "a larger value is kept beside its line, in history/blobs", unless |value| outside(value, &256, &(16 << 20)),
        weakens Never;
    /// Decision 5.
    LARGE_VALUES: LargeValues = LargeValues::default(), "history.large_values",
        "blob: keep larger values in history/blobs; truncate: cut them", weakens Always;
    /// AFS 13.1, decision 5.
    RETENTION_DAYS: u32 = 0, "history.retention_days",
        "`annals archive` packs days older than this; 0: none", unless |value| outside(value, &0, &36_500),
        weakens Never;
    /// AFS 13.1.
    INTERCEPTION: bool = true, "history.interception_enabled", "whether hooks record what agents do", weakens WhenOff;
    /// How long a session of another tool may be silent before it counts as completed.
    IDLE_MINUTES: u64 = 30, "session.idle_minutes",
        "a session that another tool began counts as completed after so many silent minutes",
        unless |value| outside(value, &0, &5_256_000), weakens Never;
    /// Whether a hook that cannot record blocks the agent.
    FAIL_CLOSED: bool = false, "hook.fail_closed", "block the agent when a call cannot be recorded", weakens Always;
    /// How long a hook waits for the lock of the log before it puts its payload aside.
    // A file that comes with a repository could otherwise have each hook hold its agent up for a minute.
    LOCK_WAIT_MS: u64 = 500, "hook.lock_wait_ms",
        "a hook that waited so long for the log puts its payload aside; the next command records it",
        unless |value| outside(value, &0, &60_000), weakens WhenHigher;
    /// Whether what takes long is done by a process of its own.
    BACKGROUND: bool = true, "hook.background",
        "what the end of a turn sets off is decided by a process in the background; off: the hook does it, and the agent waits",
        weakens Never;
    /// Whether the transcripts that hooks name are imported in the background.
    TRANSCRIPTS: bool = true, "hook.transcripts",
        "at the end of a turn, what the transcript that the agent names knows beyond its hooks (tokens, verdicts) is imported, in \
         the background", weakens Never;
    /// After how long a call that never ended counts as interrupted when a new session starts.
    CALL_LIMIT_MINUTES: u64 = 24 * 60, "hook.call_limit_minutes",
        "a call without an end counts as interrupted when a session starts so many minutes later",
        unless |value| outside(value, &0, &5_256_000), weakens Never;
    /// How much of each output `annals exec` keeps.
    CAPTURE_BYTES: usize = 8 << 20, "exec.capture_bytes",
        "of a longer output `annals exec` keeps the beginning and the end, so many bytes together",
        unless |value| outside(value, &0, &(64 << 20)), weakens WhenLower;
    /// What becomes of records of other tools whose type nobody knows.
    KEEP_UNKNOWN: bool = false, "import.keep_unknown",
        "keep records of other tools whose type is not known as they are; else they are only counted", weakens WhenOn;
    /// Whether views are written after each command.
    VIEWS_AUTO: bool = false, "views.auto", "write the views after each command that records something", weakens WhenOn;
    /// AFS 13.4.
    SEARCH_MODES: Vec<String> = ["text", "fuzzy", "graph", "semantic"].map(str::to_owned).into(), "search.default_modes",
        "who finds where `annals search` names nobody: text, fuzzy, graph, semantic", weakens Never;
    /// AFS 9.1, 13.4.
    SEARCH_WEIGHTS: BTreeMap<String, f64> =
        [("text", 1.0), ("fuzzy", 0.5), ("graph", 0.8), ("semantic", 1.0)].map(|(name, weight)| (name.to_owned(), weight)).into(),
        "search.default_weights", "what the hits of each provider count, 0 to 10",
        unless has_bad_weight, weakens Never;
    /// AFS 13.4.
    SEARCH_METRICS: bool = true, "search.metrics_enabled",
        "keep queries and how long they took in metrics/search-performance.json", weakens Never;
    /// Prices by model, for tools that report no cost.
    PRICES: BTreeMap<String, Price> = BTreeMap::new(), "usage.prices",
        "dollars for a million tokens, by model: { \"name\" = { input, output, cache_read, cache_write } }",
        weakens Never;
    /// AFS 13.6.
    SANITIZE: bool = true, "sanitization.enabled", "take secrets out of what is written and shown", weakens WhenOff;
    /// AFS 13.6.
    API_KEYS: bool = true, "sanitization.patterns.api_keys", "keys and tokens of services", weakens WhenOff;
    /// AFS 13.6.
    CREDENTIALS: bool = true, "sanitization.patterns.credentials",
        "passwords, private keys, credentials in URLs", weakens WhenOff;
    /// AFS 13.6.
    PII: bool = false, "sanitization.patterns.pii", "e-mail addresses and phone numbers", weakens WhenOff;
    /// AFS 13.6.
    CUSTOM_PATTERNS: Vec<CustomPattern> = Vec::new(), "sanitization.custom_patterns",
        "more of them: [{ name, pattern, replacement }], pattern being a regular expression",
        unless has_bad_pattern, weakens Always;
    /// AFS 13.6.
    EXCLUDED_TOOLS: Vec<String> = Vec::new(), "sanitization.excluded_tools",
        "tools whose calls are written as they are", weakens Always;
    /// AFS 11.3, `shouldExcludeFile`.
    EXCLUDED_FILES: Vec<String> = Vec::new(), "sanitization.excluded_files",
        "globs of more files whose content is secret", weakens Always;
}

/// Prices of a model in US dollars for a million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Price {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// Read from a cache.
    pub cache_read: f64,
    /// Put into a cache.
    pub cache_write: f64,
}

fn has_bad_weight(weights: &BTreeMap<String, f64>) -> Option<String> {
    weights.values().find_map(|weight| outside(weight, &0.0, &10.0))
}

#[expect(clippy::ptr_arg, reason = "a setting is checked as it is kept")]
fn has_bad_pattern(patterns: &Vec<CustomPattern>) -> Option<String> {
    let config = Config { custom_patterns: patterns.clone(), ..Config::default() };
    Sanitizer::new(config).err().map(|error| error.to_string())
}

/// What the sanitizer is built from.
pub fn sanitization(settings: &Settings) -> Config {
    Config {
        enabled: settings.get(&SANITIZE),
        patterns: Patterns {
            api_keys: settings.get(&API_KEYS),
            credentials: settings.get(&CREDENTIALS),
            pii: settings.get(&PII),
        },
        custom_patterns: settings.get(&CUSTOM_PATTERNS),
        excluded_tools: settings.get(&EXCLUDED_TOOLS),
        excluded_files: settings.get(&EXCLUDED_FILES),
    }
}

/// Every setting there is, by key.
pub fn all() -> &'static [&'static dyn AnySetting] {
    // Each command asks for them several times.
    static ALL: LazyLock<Vec<&'static dyn AnySetting>> = LazyLock::new(|| {
        let of_rooms = annals_rules::domain::SETTINGS.iter();
        let mut all: Vec<_> = SETTINGS.iter().chain(of_rooms).chain(annals_analysis::SETTINGS).copied().collect();
        all.sort_by_key(|setting| setting.key());
        all
    });
    &ALL
}

/// Finds a setting by its key.
pub fn find(key: &str) -> Result<&'static dyn AnySetting, BadConfig> {
    let found = all().binary_search_by_key(&key, |setting| setting.key()).ok().map(|place| all()[place]);
    found.ok_or_else(|| BadConfig::UnknownKey { key: key.to_owned(), similar: similar(key, all()) })
}

fn similar(key: &str, known: &[&dyn AnySetting]) -> String {
    let last = key.rsplit('.').next().unwrap_or(key);
    let near = known.iter().map(|setting| setting.key()).filter(|name| name.contains(last) || key.contains(*name));
    near.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
