//! Settings of analysis: default mode, thresholds, lists, prefixes (AFS 13.3, decision 37).
//!
//! Backends of models are configuration only: nothing here calls one.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::Mode;
use super::computed::Decimal;
use super::metrics::choice::{Given, Limits};
use super::review::Category;
use super::tom::Pattern;
use super::tom::markers::Marker;
use annals_kernel::settings::{AnySetting, Setting, Weakens};
use annals_kernel::share::Share;
use annals_rules::domain::cognition::critic::Tone;

const fn share(thousandths: u16) -> Share {
    Share::thousandths(thousandths)
}

/// AFS 13.3.
pub static DEFAULT_MODE: Setting<Mode> =
    Setting::new("analysis.default_mode", || Mode::None, "what `annals analyse` does without --mode").unless(|mode| {
        let problem = || "a council is opened, not analysed: `annals council open`".to_owned();
        (*mode == Mode::Council).then(problem)
    });

/// AFS 5.2.2: a figure of its paper.
pub static TOM_BETA: Setting<Decimal> = Setting::new(
    "analysis.tom.beta",
    || Decimal::thousandths(270),
    "what a point of the trait adds to the quality of answers, by the document",
);
/// AFS 5.2.2.
pub static TOM_PATTERNS: Setting<BTreeMap<Marker, Vec<Pattern>>> = Setting::new(
    "analysis.tom.patterns",
    BTreeMap::new,
    "more words of a marker, as regular expressions: { perspective_taking = [\"aus deiner sicht\"] }",
);
/// Of longer prompts only the beginning is a person's own words.
pub static TOM_CHARACTERS: Setting<usize> =
    Setting::new("analysis.tom.characters", || 2000, "how much of a prompt is searched for markers");

/// AFS 5.2.3.
pub static METRICS_LIMITS: Setting<Limits> =
    Setting::new("analysis.metrics.thresholds", Limits::default, "limits of the choice of an architecture");
/// AFS 5.2.3.
pub static METRICS_GIVEN: Setting<Given> = Setting::new(
    "analysis.metrics.given",
    Given::default,
    "what no recording says: { baseline_accuracy, task_decomposability, output_structured, … }",
);

fn prefixes() -> BTreeMap<Tone, String> {
    Tone::ALL.iter().map(|tone| (*tone, tone.prefix().to_owned())).collect()
}

/// AFS 5.2.4, "Tone Prefixes".
pub static CRITIC_PREFIXES: Setting<BTreeMap<Tone, String>> =
    Setting::new("analysis.critic.prefixes", prefixes, "what the critic says before its findings, by tone");
/// A turn with a narrow question is left at so many files.
pub static CRITIC_FILES: Setting<usize> = Setting::new(
    "analysis.critic.scope_files",
    || 8,
    "a short request that names files does not change so many others",
);

/// AFS 5.2.5. The tone of the critic has a limit of its own there (`analysis.critic.anxiety_threshold`), and so have
/// frustrations: caution and tone may be wanted at different levels.
pub static ANXIETY: Setting<Share> =
    Setting::new("analysis.emotional.high_anxiety_threshold", || share(700), "from here on: caution");
/// AFS 5.2.5.
pub static FRUSTRATIONS: Setting<usize> = Setting::new(
    "analysis.emotional.frustration_spinning_threshold",
    || 3,
    "so many frustrations in a row are spinning",
);
/// What each source adds to anxiety.
pub static ANXIETY_WEIGHTS: Setting<super::emotional::Weights> = Setting::new(
    "analysis.emotional.weights",
    super::emotional::Weights::default,
    "what failures, failed checks, refusals, interruptions and doubts add to anxiety",
);

/// AFS 5.2.7.
pub static REVIEW_CATEGORIES: Setting<BTreeMap<Category, bool>> =
    Setting::new("analysis.review.categories", Category::enabled, "which categories of comments are looked for");
/// AFS 5.2.7.
pub static REVIEW_THRESHOLDS: Setting<BTreeMap<Category, Share>> = Setting::new(
    "analysis.review.confidence_thresholds",
    Category::thresholds,
    "comments of a category that are less sure are left out",
);
/// AFS 5.2.7.
pub static REVIEW_FILTERS: Setting<super::review::filters::Filters> =
    Setting::new("analysis.review.filters", super::review::filters::Filters::default, "which comments are left out");
/// AFS 5.2.7.
pub static REVIEW_PREVIEW: Setting<bool> = Setting::new(
    "analysis.review.reviewer_preview",
    || true,
    "say with every comment that a person should look before it is sent on",
);
/// AFS 5.2.7.
pub static REVIEW_NITS: Setting<bool> =
    Setting::new("analysis.review.style_nits_enabled", || false, "comment on line lengths and white space, too");

/// AFS 5.2.8.
pub static DOCUMENTATION_LINES: Setting<usize> =
    Setting::new("analysis.documentation.snippet_detection.max_snippet_lines", || 30, "longer snippets are split");
/// AFS 5.2.8.
pub static DOCUMENTATION_PRECISION: Setting<Share> = Setting::new(
    "analysis.documentation.thresholds.min_precision",
    || share(700),
    "what is less sure is not suggested: better to miss some than to suggest wrong",
);
/// AFS 5.2.8.
pub static DOCUMENTATION_ANALYZE: Setting<super::documentation::Analyze> = Setting::new(
    "analysis.documentation.analyze",
    super::documentation::Analyze::default,
    "missing_comments, comment_quality, comment_placement",
);
/// AFS 5.2.8.
pub static DOCUMENTATION_ESCALATE: Setting<bool> = Setting::new(
    "analysis.documentation.escalate_to_critic",
    || false,
    "the critic lists what the documentation mode finds, too",
);

/// AFS 5.5: which backend a mode would ask.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Local {
    /// Where it listens.
    pub host: String,
    /// Its model.
    pub model: Option<String>,
    /// Its model for embeddings.
    pub embed_model: Option<String>,
}

/// AFS 5.5.
pub static BACKENDS: Setting<BTreeMap<String, String>> = Setting::new(
    "analysis.backends.by_mode",
    backends,
    "which backend a mode would ask; kept for plugins: the modes that are built in ask none",
)
.weakening(Weakens::Always);
/// AFS 5.5.
pub static BACKENDS_LOCAL: Setting<BTreeMap<String, Local>> = Setting::new(
    "analysis.backends.local",
    local,
    "local models, for plugins: { ollama = { host, model, embed_model }, llamacpp = { host } }",
)
.weakening(Weakens::Always);
/// AFS 5.5.
pub static FALLBACK: Setting<bool> = Setting::new(
    "analysis.backends.fallback_to_cloud",
    || true,
    "for plugins: ask the cloud where a local model is silent",
)
.weakening(Weakens::WhenOn);
/// AFS 5.5.
pub static FALLBACK_DELAY: Setting<u64> =
    Setting::new("analysis.backends.fallback_delay_ms", || 5000, "for plugins: wait so long before that");

fn backends() -> BTreeMap<String, String> {
    let of = |mode: &Mode| match mode {
        Mode::None | Mode::Council => None,
        Mode::Metrics => Some("local"),
        Mode::Emotional | Mode::Documentation => Some("ollama"),
        Mode::Eval | Mode::Tom | Mode::Critic | Mode::Synergy | Mode::Review => Some("default"),
    };
    Mode::ALL.iter().filter_map(|mode| Some((mode.to_string(), of(mode)?.to_owned()))).collect()
}

fn local() -> BTreeMap<String, Local> {
    let ollama = Local {
        host: "http://localhost:11434".to_owned(),
        model: Some("llama3".to_owned()),
        embed_model: Some("nomic-embed-text".to_owned()),
    };
    let llamacpp = Local { host: "http://localhost:8080".to_owned(), model: None, embed_model: None };
    [("ollama".to_owned(), ollama), ("llamacpp".to_owned(), llamacpp)].into()
}

/// All of them, for lists and checks.
pub static SETTINGS: &[&dyn AnySetting] = &[
    &DEFAULT_MODE,
    &TOM_BETA,
    &TOM_PATTERNS,
    &TOM_CHARACTERS,
    &METRICS_LIMITS,
    &METRICS_GIVEN,
    &CRITIC_PREFIXES,
    &CRITIC_FILES,
    &ANXIETY,
    &FRUSTRATIONS,
    &ANXIETY_WEIGHTS,
    &REVIEW_CATEGORIES,
    &REVIEW_THRESHOLDS,
    &REVIEW_FILTERS,
    &REVIEW_PREVIEW,
    &REVIEW_NITS,
    &DOCUMENTATION_LINES,
    &DOCUMENTATION_PRECISION,
    &DOCUMENTATION_ANALYZE,
    &DOCUMENTATION_ESCALATE,
    &BACKENDS,
    &BACKENDS_LOCAL,
    &FALLBACK,
    &FALLBACK_DELAY,
    &super::eval::VAGUE,
];
