//! The settings of the engine, and the list of all there are.
//!
//! Does not say what is in force for a decision: the log does, after it has adopted the file.

mod file;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub use self::file::{BadConfig, Flaw, FromFile, Holds, is_readable, load, require_toml, store};
use annals_kernel::settings::{AnySetting, Setting, Settings, Weakens, outside};
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

/// AFS 13.1.
pub static ROTATION: Setting<Rotation> =
    Setting::new("history.rotation", Rotation::default, "when a new file begins: daily, weekly or none");
/// DESIGN 3.1.
pub static DURABILITY: Setting<Durability> = Setting::new(
    "history.durability",
    Durability::default,
    "always: a command returns when its line is on the disk; os: when the system has it",
)
.weakening(Weakens::Always);
/// DESIGN 3.6.
pub static INLINE_BYTES: Setting<usize> =
    Setting::new("history.inline_bytes", || 32 << 10, "a larger value is kept beside its line, in history/blobs")
        .unless(|value| outside(value, &256, &(16 << 20)));
/// Decision 5.
pub static LARGE_VALUES: Setting<LargeValues> = Setting::new(
    "history.large_values",
    LargeValues::default,
    "blob: keep larger values in history/blobs; truncate: cut them",
)
.weakening(Weakens::Always);
/// AFS 13.1, decision 5.
pub static RETENTION_DAYS: Setting<u32> =
    Setting::new("history.retention_days", || 0, "`annals archive` packs days older than this; 0: none")
        .unless(|value| outside(value, &0, &36_500));
/// AFS 13.1.
pub static INTERCEPTION: Setting<bool> =
    Setting::new("history.interception_enabled", || true, "whether hooks record what agents do")
        .weakening(Weakens::WhenOff);
/// How long a session of another tool may be silent before it counts as completed.
pub static IDLE_MINUTES: Setting<u64> = Setting::new(
    "session.idle_minutes",
    || 30,
    "a session that another tool began counts as completed after so many silent minutes",
)
.unless(|value| outside(value, &0, &5_256_000));
/// Whether a hook that cannot record blocks the agent.
pub static FAIL_CLOSED: Setting<bool> =
    Setting::new("hook.fail_closed", || false, "block the agent when a call cannot be recorded")
        .weakening(Weakens::Always);
/// How long a hook waits for the lock of the log before it puts its payload aside.
pub static LOCK_WAIT_MS: Setting<u64> = Setting::new(
    "hook.lock_wait_ms",
    || 500,
    "a hook that waited so long for the log puts its payload aside; the next command records it",
)
.unless(|value| outside(value, &0, &60_000))
.weakening(Weakens::WhenHigher);
/// Whether what takes long is done by a process of its own.
pub static BACKGROUND: Setting<bool> = Setting::new(
    "hook.background",
    || true,
    "what the end of a turn sets off is decided by a process in the background; off: the hook does it, and the agent waits",
);
/// Whether the transcripts that hooks name are imported in the background.
pub static TRANSCRIPTS: Setting<bool> = Setting::new(
    "hook.transcripts",
    || true,
    "at the end of a turn, what the transcript that the agent names knows beyond its hooks (tokens, verdicts) is imported, in \
     the background",
);
/// After how long a call that never ended counts as interrupted when a new session starts.
pub static CALL_LIMIT_MINUTES: Setting<u64> = Setting::new(
    "hook.call_limit_minutes",
    || 24 * 60,
    "a call without an end counts as interrupted when a session starts so many minutes later",
)
.unless(|value| outside(value, &0, &5_256_000));
/// How much of each output `annals exec` keeps.
pub static CAPTURE_BYTES: Setting<usize> = Setting::new(
    "exec.capture_bytes",
    || 8 << 20,
    "of a longer output `annals exec` keeps the beginning and the end, so many bytes together",
)
.unless(|value| outside(value, &0, &(64 << 20)))
.weakening(Weakens::WhenLower);
/// What becomes of records of other tools whose type nobody knows.
pub static KEEP_UNKNOWN: Setting<bool> = Setting::new(
    "import.keep_unknown",
    || false,
    "keep records of other tools whose type is not known as they are; else they are only counted",
)
.weakening(Weakens::WhenOn);
/// Whether views are written after each command.
pub static VIEWS_AUTO: Setting<bool> =
    Setting::new("views.auto", || false, "write the views after each command that records something")
        .weakening(Weakens::WhenOn);

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

/// Prices by model, for tools that report no cost.
pub static PRICES: Setting<std::collections::BTreeMap<String, Price>> = Setting::new(
    "usage.prices",
    std::collections::BTreeMap::new,
    "dollars for a million tokens, by model: { \"name\" = { input, output, cache_read, cache_write } }",
);

/// AFS 13.6.
pub static SANITIZE: Setting<bool> =
    Setting::new("sanitization.enabled", || true, "take secrets out of what is written and shown")
        .weakening(Weakens::WhenOff);
/// AFS 13.6.
pub static API_KEYS: Setting<bool> =
    Setting::new("sanitization.patterns.api_keys", || true, "keys and tokens of services").weakening(Weakens::WhenOff);
/// AFS 13.6.
pub static CREDENTIALS: Setting<bool> =
    Setting::new("sanitization.patterns.credentials", || true, "passwords, private keys, credentials in URLs")
        .weakening(Weakens::WhenOff);
/// AFS 13.6.
pub static PII: Setting<bool> =
    Setting::new("sanitization.patterns.pii", || false, "e-mail addresses and phone numbers")
        .weakening(Weakens::WhenOff);
/// AFS 13.6.
pub static CUSTOM_PATTERNS: Setting<Vec<CustomPattern>> = Setting::new(
    "sanitization.custom_patterns",
    Vec::new,
    "more of them: [{ name, pattern, replacement }], pattern being a regular expression",
)
.unless(|patterns| {
    let config = Config { custom_patterns: patterns.clone(), ..Config::default() };
    Sanitizer::new(config).err().map(|error| error.to_string())
})
.weakening(Weakens::Always);
/// AFS 13.6.
pub static EXCLUDED_TOOLS: Setting<Vec<String>> =
    Setting::new("sanitization.excluded_tools", Vec::new, "tools whose calls are written as they are")
        .weakening(Weakens::Always);
/// AFS 11.3, `shouldExcludeFile`.
pub static EXCLUDED_FILES: Setting<Vec<String>> =
    Setting::new("sanitization.excluded_files", Vec::new, "globs of more files whose content is secret")
        .weakening(Weakens::Always);

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

/// Settings that this room reads.
static OWN: &[&dyn AnySetting] = &[
    &ROTATION, &DURABILITY, &INLINE_BYTES, &LARGE_VALUES, &RETENTION_DAYS, &INTERCEPTION, &IDLE_MINUTES, &FAIL_CLOSED,
    &LOCK_WAIT_MS, &BACKGROUND, &CALL_LIMIT_MINUTES, &CAPTURE_BYTES, &KEEP_UNKNOWN, &TRANSCRIPTS, &VIEWS_AUTO, &PRICES,
    &SANITIZE, &API_KEYS, &CREDENTIALS, &PII, &CUSTOM_PATTERNS, &EXCLUDED_TOOLS, &EXCLUDED_FILES,
];

/// Every setting there is, by key.
pub fn all() -> &'static [&'static dyn AnySetting] {
    // Each command asks for them several times.
    static ALL: LazyLock<Vec<&'static dyn AnySetting>> = LazyLock::new(|| {
        let of_rooms = annals_rules::domain::SETTINGS.iter();
        let mut all: Vec<_> = OWN.iter().chain(of_rooms).chain(annals_analysis::SETTINGS).copied().collect();
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
