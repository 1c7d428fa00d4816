//! What can be configured of hivemind (AFS 13.2).

use std::collections::BTreeMap;

use super::row::EntryCategory;
use annals_kernel::settings::{Settings, settings};
use annals_kernel::share::Share;

settings! {
    /// Whether anything goes to or comes from other projects.
    GLOBAL_ENABLED: bool = true, "hivemind.global_enabled",
        "whether entries go to and come from stores of several projects", weakens WhenOn;
    /// AFS 6.2.
    DEFAULT_RATES: BTreeMap<EntryCategory, Share> =
        EntryCategory::ALL.iter().map(|category| (*category, category.default_rate())).collect(),
        "hivemind.decay.default_rates",
        "how much of an entry's strength goes every day, by category; fixed in an entry when it is added",
        weakens Always;
    /// AFS 13.2.
    CHECK_INTERVAL: u64 = 3_600_000, "hivemind.decay.check_interval_ms",
        "when a session is completed this long after an expiry was last announced, expiries are announced again",
        weakens Never;
    /// Decision 21.
    WARNING_DAYS: u32 = 7, "hivemind.decay.warning_threshold_days",
        "an entry that expires within so many days is decaying", weakens Never;
    /// AFS 13.2.
    GOLDEN_EXEMPT: bool = true, "hivemind.decay.golden_exempt",
        "whether an entry that becomes golden fades no more", weakens WhenOff;
    /// AFS 13.2.
    PREFERENCES_EXEMPT: bool = true, "hivemind.decay.preferences_exempt",
        "whether preferences never fade, whatever their rate", weakens WhenOff;
    /// AFS 6.2.
    EXPIRES_BELOW: Share = Share::thousandths(100), "hivemind.decay.expires_below",
        "an entry whose strength is less has expired; fixed in an entry when it is added", weakens WhenHigher;
    /// What is not said is not sure.
    DEFAULT_CONFIDENCE: Share = Share::thousandths(800), "hivemind.default_confidence",
        "how sure an entry is where nobody says it", weakens Never;
    /// An entry is read again and again.
    MAX_LENGTH: usize = 4000, "hivemind.max_length",
        "the longest value of an entry, in characters", weakens WhenHigher;
}

/// What goes of a new entry of a category every day.
pub fn rate_of(category: EntryCategory, settings: &Settings) -> Share {
    if category == EntryCategory::Preference && settings.get(&PREFERENCES_EXEMPT) {
        return Share::NONE;
    }
    settings.get(&DEFAULT_RATES).get(&category).copied().unwrap_or_else(|| category.default_rate())
}
