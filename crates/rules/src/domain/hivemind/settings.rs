//! What can be configured of hivemind (AFS 13.2).

use std::collections::BTreeMap;

use super::row::Category;
use annals_kernel::settings::{AnySetting, Setting, Settings, Weakens};
use annals_kernel::share::Share;

/// Whether anything goes to or comes from other projects.
pub static GLOBAL_ENABLED: Setting<bool> =
    Setting::new("hivemind.global_enabled", || true, "whether entries go to and come from stores of several projects")
        .weakening(Weakens::WhenOn);
/// AFS 6.2.
pub static DEFAULT_RATES: Setting<BTreeMap<Category, Share>> = Setting::new(
    "hivemind.decay.default_rates",
    || Category::ALL.iter().map(|category| (*category, category.default_rate())).collect(),
    "how much of an entry's strength goes every day, by category; fixed in an entry when it is added",
)
.weakening(Weakens::Always);
/// AFS 13.2.
pub static CHECK_INTERVAL: Setting<u64> = Setting::new(
    "hivemind.decay.check_interval_ms",
    || 3_600_000,
    "when a session is completed this long after an expiry was last announced, expiries are announced again",
);
/// Decision 21.
pub static WARNING_DAYS: Setting<u32> = Setting::new(
    "hivemind.decay.warning_threshold_days",
    || 7,
    "an entry that expires within so many days is decaying",
);
/// AFS 13.2.
pub static GOLDEN_EXEMPT: Setting<bool> =
    Setting::new("hivemind.decay.golden_exempt", || true, "whether an entry that becomes golden fades no more")
        .weakening(Weakens::WhenOff);
/// AFS 13.2.
pub static PREFERENCES_EXEMPT: Setting<bool> =
    Setting::new("hivemind.decay.preferences_exempt", || true, "whether preferences never fade, whatever their rate")
        .weakening(Weakens::WhenOff);
/// AFS 6.2.
pub static EXPIRES_BELOW: Setting<Share> = Setting::new(
    "hivemind.decay.expires_below",
    || Share::thousandths(100),
    "an entry whose strength is less has expired; fixed in an entry when it is added",
)
.weakening(Weakens::WhenHigher);
/// What is not said is not sure.
pub static DEFAULT_CONFIDENCE: Setting<Share> = Setting::new(
    "hivemind.default_confidence",
    || Share::thousandths(800),
    "how sure an entry is where nobody says it",
);
/// An entry is read again and again.
pub static MAX_LENGTH: Setting<usize> =
    Setting::new("hivemind.max_length", || 4000, "the longest value of an entry, in characters")
        .weakening(Weakens::WhenHigher);

/// Every setting of this room.
pub static SETTINGS: &[&dyn AnySetting] = &[
    &GLOBAL_ENABLED, &DEFAULT_RATES, &CHECK_INTERVAL, &WARNING_DAYS, &GOLDEN_EXEMPT, &PREFERENCES_EXEMPT,
    &EXPIRES_BELOW, &DEFAULT_CONFIDENCE, &MAX_LENGTH,
];

/// What goes of a new entry of a category every day.
pub fn rate_of(category: Category, settings: &Settings) -> Share {
    if category == Category::Preference && settings.get(&PREFERENCES_EXEMPT) {
        return Share::NONE;
    }
    settings.get(&DEFAULT_RATES).get(&category).copied().unwrap_or_else(|| category.default_rate())
}
