//! What a model is asked in each mode of analysis (AFS 5.2), and why some modes ask none.
//!
//! Asks nobody and reads nothing: `analysis` does.

use annals_rules::domain::cognition::trigger::AnalysisMode;

/// A figure that a model is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AskedFigure {
    /// As the protocol calls it, with its group.
    pub(super) name: &'static str,
    /// From where to where it goes.
    pub(super) least: f64,
    pub(super) most: f64,
}

const fn figure(name: &'static str, least: f64, most: f64) -> AskedFigure {
    AskedFigure { name, least, most }
}

const EVAL: &[AskedFigure] = &[
    figure("prompt_quality.clarity", 0.0, 1.0),
    figure("prompt_quality.specificity", 0.0, 1.0),
    figure("prompt_quality.context_sufficiency", 0.0, 1.0),
    figure("response_quality.correctness", 0.0, 1.0),
    figure("response_quality.helpfulness", 0.0, 1.0),
    figure("response_quality.completeness", 0.0, 1.0),
    figure("response_quality.reasoning_quality", 0.0, 5.0),
];
const TOM: &[AskedFigure] = &[
    figure("trait_tom_score", 0.0, 1.0),
    figure("dynamic_tom_deviation", -1.0, 1.0),
    figure("predicted_response_quality", 0.0, 1.0),
];
const EMOTIONAL: &[AskedFigure] = &[figure("mood.valence", -1.0, 1.0), figure("anxiety.level", 0.0, 1.0)];
/// What a look at one session may guess; boosts over tasks and people are not to be guessed from one.
const SYNERGY: &[AskedFigure] = &[
    figure("human_solo_ability", 0.0, 1.0),
    figure("ai_collaborative_ability", 0.0, 1.0),
    figure("combined_performance", 0.0, 1.0),
    figure("user_collaborative_ability", 0.0, 1.0),
    figure("task_difficulty_rank", 0.0, 1.0),
];
/// The difference of two figures: computed here, never asked for.
pub(super) const BOOST: (&str, &str, &str) = ("ai_boost", "combined_performance", "human_solo_ability");

const GRAVITY: &[&str] = &["critical", "major", "minor", "nitpick"];
const COMMENTS: &[&str] = &["missing", "outdated", "unclear", "wrong_location", "too_verbose"];
/// The markers of AFS 5.2.2, as the rules name them.
pub const MARKERS: &[&str] = &[
    "perspective_taking", "goal_inference", "knowledge_gap_detection", "communication_repair", "confirmation_seeking",
    "mental_state_attribution", "plan_coordination", "belief_tracking", "explanatory_dialogue", "build_on_ideas",
    "reference_back", "challenge_disagree", "epistemic_markers", "justification_requests", "metacognitive_references",
    "conversational_adaptation", "irrelevant_sharing", "assumed_context", "capability_misunderstanding",
];
const EXCHANGES: &[&str] = &["helped", "hindered"];

/// What a model is asked in a mode.
pub(super) struct ModeQuestion {
    pub(super) rules: &'static str,
    pub(super) figures: &'static [AskedFigure],
    /// Of which kinds findings are; none where only figures are asked for.
    pub(super) kinds: &'static [&'static str],
    /// Whose words a finding quotes.
    pub(super) quotes: QuotedVoice,
}

/// Whose words a finding quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QuotedVoice {
    Any,
    Person,
}

/// Why a mode asks no model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnaskedMode {
    /// Nothing is looked at.
    #[error("the mode none looks at nothing: name one with --mode")]
    None,
    /// Everything in it is counted.
    #[error("the mode metrics asks no model: it counts what is on record, and a guess would be no count")]
    Metrics,
    /// Members vote.
    #[error("a council asks its members: `annals council vote COUNCIL --by-model`")]
    Council,
}

pub(super) fn of_mode(mode: AnalysisMode) -> Result<ModeQuestion, UnaskedMode> {
    use QuotedVoice::{Any, Person};
    let (rules, figures, kinds, quotes) = match mode {
        AnalysisMode::Eval => (EVAL_RULES, EVAL, &[][..], Any),
        AnalysisMode::Tom => (TOM_RULES, TOM, MARKERS, Person),
        AnalysisMode::Emotional => (EMOTIONAL_RULES, EMOTIONAL, &[][..], Any),
        AnalysisMode::Synergy => (SYNERGY_RULES, SYNERGY, EXCHANGES, Any),
        AnalysisMode::Critic => (CRITIC_RULES, &[][..], GRAVITY, Any),
        AnalysisMode::Review => (REVIEW_RULES, &[][..], GRAVITY, Any),
        AnalysisMode::Documentation => (DOCUMENTATION_RULES, &[][..], COMMENTS, Any),
        AnalysisMode::None => return Err(UnaskedMode::None),
        AnalysisMode::Metrics => return Err(UnaskedMode::Metrics),
        AnalysisMode::Council => return Err(UnaskedMode::Council),
    };
    Ok(ModeQuestion { rules, figures, kinds, quotes })
}

/// Whether a model is asked in a mode.
pub fn check_asks(mode: AnalysisMode) -> Result<(), UnaskedMode> {
    of_mode(mode).map(drop)
}

const EVAL_RULES: &str = "You judge the prompts and answers of a recorded session. Each figure goes from 0 (bad) to 1 (good), \
                          reasoning_quality from 0 to 5. null where the record does not tell: of correctness above all, where \
                          nothing was checked.";
const TOM_RULES: &str = "You judge how well the person in a recorded session thinks of what the agent knows and needs. trait_tom_score: \
                         0 (not at all) to 1. dynamic_tom_deviation: how far the last prompt is from the others, -1 to 1. \
                         predicted_response_quality: how good the answers will be for it, 0 to 1. null where the record does not \
                         tell. Each finding is a marker in the person's words: text says what it shows in a few words, quote \
                         copies the words letter by letter.";
const SYNERGY_RULES: &str = "You judge what a person and an agent were worth together in a recorded session. All from 0 to 1: \
                             human_solo_ability: how well the person would have done alone; ai_collaborative_ability: how much the agent \
                             adds to work with others; combined_performance: how well both did; user_collaborative_ability: how well the \
                             person works with agents; task_difficulty_rank: how hard the task is. null where the record does not tell. \
                             Each finding is an exchange that helped or hindered them, and quotes the record letter by letter.";
const EMOTIONAL_RULES: &str = "You judge the mood that the words in a recorded session show. mood.valence: -1 (bad) to 1 (good). \
                               anxiety.level: 0 to 1. null where the words do not tell.";
const CRITIC_RULES: &str = "You look for mistakes of the agent in a recorded session: claims without proof, work left out, dangerous steps, \
                            the same again. Each finding says what is wrong and what to do, and quotes the record letter by letter. \
                            An empty list where there is nothing.";
const REVIEW_RULES: &str = "You review the changes of code in a recorded session. Each finding says what is wrong with a changed line and what \
                            to write instead, and quotes that line letter by letter. No praise, no promises for later; an empty list where \
                            there is nothing.";
const DOCUMENTATION_RULES: &str = "You look at the comments of code in a recorded session: where one is missing that a reader needs, and which are \
                                   outdated, unclear, in the wrong place or too long. Each finding quotes the line letter by letter. Rather \
                                   miss one than name a wrong one.";
