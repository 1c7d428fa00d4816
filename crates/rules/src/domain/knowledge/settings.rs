//! What can be configured of knowledge: keys after the document where it has one (decision 37).

use std::collections::BTreeMap;

use super::row::KnowledgeKind;
use annals_kernel::settings::settings;
use annals_kernel::share::Share;

settings! {
    /// Galatea 3.
    DECAY_ENABLED: bool = true, "memory.decay.enabled", "whether knowledge that is not retrieved fades", weakens Never;
    /// Galatea 3.
    DECAY_START_DAYS: u32 = 30, "memory.decay.decay_start_days",
        "for so many days after its last retrieval knowledge does not fade", weakens WhenLower;
    /// Galatea 3.
    DECAY_FACTOR: Share = Share::thousandths(950), "memory.decay.decay_factor",
        "what is left of the confidence of knowledge each day after that", weakens WhenLower;
    /// Galatea 3.
    ARCHIVE_THRESHOLD: Share = Share::thousandths(300), "memory.decay.archive_threshold",
        "knowledge whose confidence has faded below this is archived", weakens WhenHigher;
    /// Galatea 3.
    RUN_INTERVAL_MINUTES: u32 = 60, "memory.decay.run_interval_minutes",
        "a retrieval also announces what was archived, where nothing was announced for so long", weakens Never;
    /// Galatea 3.
    EXEMPT_TYPES: Vec<KnowledgeKind> = vec![KnowledgeKind::Rule], "memory.decay.exempt_types",
        "types of knowledge that never fade", weakens Always;
    /// As Galatea's consolidation has it.
    MIN_OCCURRENCES: usize = 3, "memory.consolidation.min_occurrences",
        "so many entries of the same text are proposed to be one", weakens Never;
    /// What held long enough is offered to instruction files.
    PROMOTE_DAYS: u32 = 14, "memory.consolidation.min_days",
        "knowledge is offered to instruction files from so many days on", weakens WhenLower;
    /// What is used.
    PROMOTE_RETRIEVALS: u64 = 3, "memory.consolidation.min_retrievals",
        "knowledge is offered to instruction files that came so often", weakens WhenLower;
    /// What is sure.
    PROMOTE_CONFIDENCE: Share = Share::thousandths(800), "memory.consolidation.min_confidence",
        "knowledge is offered to instruction files that is at least as sure", weakens WhenLower;
    /// How many come at most.
    MAX_ENTRIES: usize = 20, "retrieval.max_entries", "how many entries of knowledge a retrieval gives at most",
        weakens Never;
    /// Which part of the query's keywords an entry must hold.
    MIN_OVERLAP: Share = Share::thousandths(250), "retrieval.min_keyword_overlap",
        "which part of a query's keywords an entry of knowledge must hold where they have no entity in common",
        weakens Never;
    /// How much an entity counts.
    ENTITY_WEIGHT: u16 = 2, "retrieval.entity_weight", "for how many keywords a common entity counts", weakens Never;
    /// What is no keyword.
    STOP_WORDS: Vec<Box<str>> = STOPS.split_whitespace().map(Box::from).collect(), "retrieval.stop_words",
        "words of a query that are no keywords", weakens Never;
    /// The longest text.
    MAX_LENGTH: usize = 2000, "knowledge.max_length",
        "the longest text of an entry of knowledge, in characters", weakens WhenHigher;
    /// Whether agents need a reviewer.
    AGENTS_MAY_ADD: bool = false, "knowledge.agents_may_add",
        "whether agents may add and change knowledge without a review", weakens WhenOn;
    /// What somebody states by hand.
    DEFAULT_CONFIDENCE: Share = Share::thousandths(900), "knowledge.default_confidence",
        "the confidence of an entry of knowledge where nobody says another", weakens Never;
    /// What a rule found.
    EXTRACT_CONFIDENCE: BTreeMap<KnowledgeKind, Share> = {
        let defaults = [
            (KnowledgeKind::Fact, 700),
            (KnowledgeKind::Preference, 850),
            (KnowledgeKind::Rule, 900),
            (KnowledgeKind::Procedure, 700),
            (KnowledgeKind::Correction, 800),
            (KnowledgeKind::Decision, 800),
        ];
        defaults.into_iter().map(|(kind, thousandths)| (kind, Share::thousandths(thousandths))).collect()
    }, "knowledge.extract_confidence", "the confidence of what is extracted from recorded prompts, by type",
        weakens Never;
    /// A longer prompt was pasted, mostly.
    EXTRACT_MAX_CHARS: usize = 2000, "knowledge.extract_max_chars",
        "nothing is extracted from a prompt that is longer than this, in characters", weakens Never;
}

const STOPS: &str = "a about after again all also am an and any are as at be because been before being but by can cannot \
    could did do does doing don down during each few for from further get had has have having he her here hers him his how \
    i if in into is it its itself just let like ll make me more most my need no nor not now of off on once only or other \
    our ours out over own please re same she should so some such than that the their theirs them then there these they \
    this those through to too under until up us use using ve very want was we were what when where which while who whom \
    why will with would you your yours";
