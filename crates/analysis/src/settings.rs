//! Settings of analysis: default mode, thresholds, lists, prefixes (AFS 13.3, decision 37).
//!
//! Backends of models are configuration only: nothing here calls one.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::computed::Decimal;
use super::documentation::Analyze;
use super::metrics::choice::{ChoiceLimits, Given};
use super::review::Category;
use super::review::filters::Filters;
use super::tom::Pattern;
use super::tom::markers::Marker;
use super::{AnalysisMode, emotional};
use annals_kernel::settings::settings;
use annals_kernel::share::Share;
use annals_rules::domain::cognition::critic::Tone;

const fn share(thousandths: u16) -> Share {
    Share::thousandths(thousandths)
}

settings! {
    /// AFS 13.3.
    DEFAULT_MODE: AnalysisMode = AnalysisMode::None, "analysis.default_mode",
        "what `annals analyse` does without --mode", unless is_elsewhere, weakens Never;
    /// AFS 5.2.1.
    VAGUE: Vec<String> = vague(), "analysis.eval.vague_words", "words that leave open what is meant", weakens Never;
    /// AFS 5.2.2: a figure of its paper.
    TOM_BETA: Decimal = Decimal::thousandths(270), "analysis.tom.beta",
        "what a point of the trait adds to the quality of answers, by the document", weakens Never;
    /// AFS 5.2.2.
    TOM_PATTERNS: BTreeMap<Marker, Vec<Pattern>> = BTreeMap::new(), "analysis.tom.patterns",
        "more words of a marker, as regular expressions: { perspective_taking = [\"aus deiner sicht\"] }",
        weakens Never;
    /// Of longer prompts only the beginning is a person's own words.
    TOM_CHARACTERS: usize = 2000, "analysis.tom.characters", "how much of a prompt is searched for markers",
        weakens Never;
    /// AFS 5.2.3.
    METRICS_LIMITS: ChoiceLimits = ChoiceLimits::default(), "analysis.metrics.thresholds",
        "limits of the choice of an architecture", weakens Never;
    /// AFS 5.2.3.
    METRICS_GIVEN: Given = Given::default(), "analysis.metrics.given",
        "what no recording says: { baseline_accuracy, task_decomposability, output_structured, … }", weakens Never;
    /// AFS 5.2.4, "Tone Prefixes".
    CRITIC_PREFIXES: BTreeMap<Tone, String> = prefixes(), "analysis.critic.prefixes",
        "what the critic says before its findings, by tone", weakens Never;
    /// A turn with a narrow question is left at so many files.
    CRITIC_FILES: usize = 8, "analysis.critic.scope_files",
        "a short request that names files does not change so many others", weakens Never;
    /// Most findings below it that were read, in sessions that their rules were not made on, were wrong.
    CRITIC_CONFIDENCE: Share = share(700), "analysis.critic.min_confidence",
        "what the critic is less sure of is only counted: better to miss some than to say wrong", weakens Never;
    // AFS 5.2.5 counts frustrations in a row at the end; those of AFS 5.2.4 (`analysis.critic.frustration_count_threshold`)
    // are all that are open. The document gives each its own limit.
    /// AFS 5.2.5.
    FRUSTRATIONS: usize = 3, "analysis.emotional.frustration_spinning_threshold",
        "so many frustrations in a row are spinning", weakens Never;
    /// What each source adds to anxiety.
    ANXIETY_WEIGHTS: emotional::Weights = emotional::Weights::default(), "analysis.emotional.weights",
        "what failures, failed checks, refusals, interruptions and doubts add to anxiety", weakens Never;
    /// AFS 5.2.7.
    REVIEW_CATEGORIES: BTreeMap<Category, bool> = Category::enabled(), "analysis.review.categories",
        "which categories of comments are looked for", weakens Never;
    /// AFS 5.2.7.
    REVIEW_THRESHOLDS: BTreeMap<Category, Share> = Category::thresholds(), "analysis.review.confidence_thresholds",
        "comments of a category that are less sure are left out", weakens Never;
    /// AFS 5.2.7.
    REVIEW_FILTERS: Filters = Filters::default(), "analysis.review.filters",
        "which comments are left out", weakens Never;
    /// AFS 5.2.7.
    REVIEW_PREVIEW: bool = true, "analysis.review.reviewer_preview",
        "say with every comment that a person should look before it is sent on", weakens Never;
    /// AFS 5.2.7.
    REVIEW_NITS: bool = false, "analysis.review.style_nits_enabled", "comment on line lengths and white space, too",
        weakens Never;
    /// AFS 5.2.8.
    DOCUMENTATION_LINES: usize = 30, "analysis.documentation.snippet_detection.max_snippet_lines",
        "longer snippets are split", weakens Never;
    /// AFS 5.2.8.
    DOCUMENTATION_PRECISION: Share = share(700), "analysis.documentation.thresholds.min_precision",
        "what is less sure is not suggested: better to miss some than to suggest wrong", weakens Never;
    /// AFS 5.2.8.
    DOCUMENTATION_ANALYZE: Analyze = Analyze::default(), "analysis.documentation.analyze",
        "missing_comments, comment_quality, comment_placement", weakens Never;
    /// AFS 5.2.8.
    DOCUMENTATION_ESCALATE: bool = false, "analysis.documentation.escalate_to_critic",
        "the critic lists what the documentation mode finds, too", weakens Never;
    /// AFS 5.5.
    BACKENDS: BTreeMap<String, String> = backends(), "analysis.backends.by_mode",
        "which backend a mode would ask; kept for plugins: the modes that are built in ask none", weakens Always;
    /// AFS 5.5.
    BACKENDS_LOCAL: BTreeMap<String, Local> = local(), "analysis.backends.local",
        "local models, for plugins: { ollama = { host, model, embed_model }, llamacpp = { host } }", weakens Always;
    /// AFS 5.5.
    FALLBACK: bool = true, "analysis.backends.fallback_to_cloud",
        "for plugins: ask the cloud where a local model is silent", weakens WhenOn;
    /// AFS 5.5.
    FALLBACK_DELAY: u64 = 5000, "analysis.backends.fallback_delay_ms", "for plugins: wait so long before that",
        weakens Never;
}

fn is_elsewhere(mode: &AnalysisMode) -> Option<String> {
    (*mode == AnalysisMode::Council).then(|| "a council is opened, not analysed: `annals council open`".to_owned())
}

fn vague() -> Vec<String> {
    let words = [
        "something", "somehow", "someway", "stuff", "thing", "things", "whatever", "etc", "maybe", "better", "nicer",
        "properly", "appropriate", "appropriately", "various", "several", "some", "soon", "good", "nice", "clean",
        "improve", "optimize", "handle", "weird", "broken",
    ];
    words.map(str::to_owned).to_vec()
}

fn prefixes() -> BTreeMap<Tone, String> {
    Tone::ALL.iter().map(|tone| (*tone, tone.prefix().to_owned())).collect()
}

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

fn backends() -> BTreeMap<String, String> {
    let of = |mode: &AnalysisMode| match mode {
        AnalysisMode::None | AnalysisMode::Council => None,
        AnalysisMode::Metrics => Some("local"),
        AnalysisMode::Emotional | AnalysisMode::Documentation => Some("ollama"),
        AnalysisMode::Eval
        | AnalysisMode::Tom
        | AnalysisMode::Critic
        | AnalysisMode::Synergy
        | AnalysisMode::Review => Some("default"),
    };
    AnalysisMode::ALL.iter().filter_map(|mode| Some((mode.to_string(), of(mode)?.to_owned()))).collect()
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
