//! What can be configured of knowledge: keys after the document where it has one (decision 37).

use std::collections::BTreeMap;

use super::row::Kind;
use annals_kernel::settings::{AnySetting, Setting, Weakens};
use annals_kernel::share::Share;

/// Galatea 3.
pub static DECAY_ENABLED: Setting<bool> =
    Setting::new("memory.decay.enabled", || true, "whether knowledge that is not retrieved fades");
/// Galatea 3.
pub static DECAY_START_DAYS: Setting<u32> = Setting::new(
    "memory.decay.decay_start_days",
    || 30,
    "for so many days after its last retrieval knowledge does not fade",
)
.weakening(Weakens::WhenLower);
/// Galatea 3.
pub static DECAY_FACTOR: Setting<Share> = Setting::new(
    "memory.decay.decay_factor",
    || Share::thousandths(950),
    "what is left of the confidence of knowledge each day after that",
)
.weakening(Weakens::WhenLower);
/// Galatea 3.
pub static ARCHIVE_THRESHOLD: Setting<Share> = Setting::new(
    "memory.decay.archive_threshold",
    || Share::thousandths(300),
    "knowledge whose confidence has faded below this is archived",
)
.weakening(Weakens::WhenHigher);
/// Galatea 3.
pub static RUN_INTERVAL_MINUTES: Setting<u32> = Setting::new(
    "memory.decay.run_interval_minutes",
    || 60,
    "a retrieval also announces what was archived, where nothing was announced for so long",
);
/// Galatea 3.
pub static EXEMPT_TYPES: Setting<Vec<Kind>> =
    Setting::new("memory.decay.exempt_types", || vec![Kind::Rule], "types of knowledge that never fade")
        .weakening(Weakens::Always);
/// As Galatea's consolidation has it.
pub static MIN_OCCURRENCES: Setting<usize> = Setting::new(
    "memory.consolidation.min_occurrences",
    || 3,
    "so many entries of the same text are proposed to be one",
);

/// How many come at most.
pub static MAX_ENTRIES: Setting<usize> =
    Setting::new("retrieval.max_entries", || 20, "how many entries of knowledge a retrieval gives at most");
/// Which part of the query's keywords an entry must hold.
pub static MIN_OVERLAP: Setting<Share> = Setting::new(
    "retrieval.min_keyword_overlap",
    || Share::thousandths(250),
    "which part of a query's keywords an entry of knowledge must hold where they have no entity in common",
);
/// How much an entity counts.
pub static ENTITY_WEIGHT: Setting<u16> =
    Setting::new("retrieval.entity_weight", || 2, "for how many keywords a common entity counts");
/// What is no keyword.
pub static STOP_WORDS: Setting<Vec<Box<str>>> = Setting::new(
    "retrieval.stop_words",
    || STOPS.split_whitespace().map(Box::from).collect(),
    "words of a query that are no keywords",
);

/// The longest text.
pub static MAX_LENGTH: Setting<usize> =
    Setting::new("knowledge.max_length", || 2000, "the longest text of an entry of knowledge, in characters")
        .weakening(Weakens::WhenHigher);
/// Whether agents need a reviewer.
pub static AGENTS_MAY_ADD: Setting<bool> =
    Setting::new("knowledge.agents_may_add", || false, "whether agents may add and change knowledge without a review")
        .weakening(Weakens::WhenOn);
/// What somebody states by hand.
pub static DEFAULT_CONFIDENCE: Setting<Share> = Setting::new(
    "knowledge.default_confidence",
    || Share::thousandths(900),
    "the confidence of an entry of knowledge where nobody says another",
);
/// What a rule found.
pub static EXTRACT_CONFIDENCE: Setting<BTreeMap<Kind, Share>> = Setting::new(
    "knowledge.extract_confidence",
    || {
        let defaults = [
            (Kind::Fact, 700),
            (Kind::Preference, 850),
            (Kind::Rule, 900),
            (Kind::Procedure, 700),
            (Kind::Correction, 800),
            (Kind::Decision, 800),
        ];
        defaults.into_iter().map(|(kind, thousandths)| (kind, Share::thousandths(thousandths))).collect()
    },
    "the confidence of what is extracted from recorded prompts, by type",
);
/// A longer prompt was pasted, mostly.
pub static EXTRACT_MAX_CHARS: Setting<usize> = Setting::new(
    "knowledge.extract_max_chars",
    || 2000,
    "nothing is extracted from a prompt that is longer than this, in characters",
);

/// Every setting of this room.
pub static SETTINGS: &[&dyn AnySetting] = &[
    &DECAY_ENABLED, &DECAY_START_DAYS, &DECAY_FACTOR, &ARCHIVE_THRESHOLD, &RUN_INTERVAL_MINUTES, &EXEMPT_TYPES,
    &MIN_OCCURRENCES, &MAX_ENTRIES, &MIN_OVERLAP, &ENTITY_WEIGHT, &STOP_WORDS, &MAX_LENGTH, &AGENTS_MAY_ADD,
    &DEFAULT_CONFIDENCE, &EXTRACT_CONFIDENCE, &EXTRACT_MAX_CHARS,
];

const STOPS: &str = "a about after again all also am an and any are as at be because been before being but by can cannot \
    could did do does doing don down during each few for from further get had has have having he her here hers him his how \
    i if in into is it its itself just let like ll make me more most my need no nor not now of off on once only or other \
    our ours out over own please re same she should so some such than that the their theirs them then there these they \
    this those through to too under until up us use using ve very want was we were what when where which while who whom \
    why will with would you your yours";
