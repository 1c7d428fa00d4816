//! What a model is asked for an analysis of a session, mode by mode, and what it says (AFS 5.2).
//!
//! Figures have the names of those that the rules compute, and stand beside them. A finding quotes the record; one whose
//! quote is not there is dropped and counted. `metrics` counts, `synergy` is deferred, and a council is asked otherwise.

use serde_json::{Value, json};

use super::material::{Form, asked, one_of, optional_number, text};
use super::steps::{SessionStep, is_quoted, shown};
use crate::prompt::{BadAnswer, RolePrompt};
use crate::reply::{self, NAME_CHARS, ReplyObject, TEXT_CHARS};
use annals_rules::domain::cognition::trigger::AnalysisMode;

/// Tokens of an analysis.
const ANALYSIS_TOKENS: u32 = 900;
/// The longest list of findings.
const MOST_FINDINGS: usize = 10;

/// A figure that a model is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
struct AskedFigure {
    /// As the protocol calls it, with its group.
    name: &'static str,
    /// From where to where it goes.
    least: f64,
    most: f64,
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
const TOM: &[AskedFigure] = &[figure("trait_tom_score", 0.0, 1.0), figure("predicted_response_quality", 0.0, 1.0)];
const EMOTIONAL: &[AskedFigure] = &[figure("mood.valence", -1.0, 1.0), figure("anxiety.level", 0.0, 1.0)];

const GRAVITY: &[&str] = &["critical", "major", "minor", "nitpick"];
const COMMENTS: &[&str] = &["missing", "outdated", "unclear", "wrong_location", "too_verbose"];

/// What a model is asked in a mode.
struct ModeQuestion {
    rules: &'static str,
    figures: &'static [AskedFigure],
    /// Of which kinds findings are; none where only figures are asked for.
    kinds: &'static [&'static str],
}

/// What a model says of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SaidAnalysis {
    /// Each figure that was asked for; nothing where it gave none, or one that is out of its bounds.
    pub figures: Vec<(&'static str, Option<f64>)>,
    /// What it found.
    pub findings: Vec<SaidFinding>,
    /// Findings whose quote is not in the record.
    pub dropped: usize,
}

/// A finding of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidFinding {
    /// How grave, or of what kind.
    pub kind: String,
    /// What.
    pub text: String,
    /// The words of the record that it stands on.
    pub quote: String,
}

fn of_mode(mode: AnalysisMode) -> Option<ModeQuestion> {
    let (rules, figures, kinds) = match mode {
        AnalysisMode::Eval => (EVAL_RULES, EVAL, &[][..]),
        AnalysisMode::Tom => (TOM_RULES, TOM, &[][..]),
        AnalysisMode::Emotional => (EMOTIONAL_RULES, EMOTIONAL, &[][..]),
        AnalysisMode::Critic => (CRITIC_RULES, &[][..], GRAVITY),
        AnalysisMode::Review => (REVIEW_RULES, &[][..], GRAVITY),
        AnalysisMode::Documentation => (DOCUMENTATION_RULES, &[][..], COMMENTS),
        AnalysisMode::None | AnalysisMode::Metrics | AnalysisMode::Synergy | AnalysisMode::Council => return None,
    };
    Some(ModeQuestion { rules, figures, kinds })
}

const EVAL_RULES: &str = "You judge the prompts and answers of a recorded session. Each figure goes from 0 (bad) to 1 (good), \
                          reasoning_quality from 0 to 5. null where the record does not tell: of correctness above all, where \
                          nothing was checked.";
const TOM_RULES: &str = "You judge how well the person in a recorded session thinks of what the agent knows and needs. trait_tom_score: \
                         0 (not at all) to 1. predicted_response_quality: how good the answers will be for it, 0 to 1. null where \
                         the record does not tell.";
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

/// What a model is asked; nothing in a mode that asks none.
pub fn question(mode: AnalysisMode, steps: &[SessionStep]) -> Option<RolePrompt> {
    let ModeQuestion { rules, figures, kinds } = of_mode(mode)?;
    let mut members: Vec<(&str, Value)> = figures.iter().map(|figure| (figure.name, optional_number())).collect();
    if !kinds.is_empty() {
        let finding = json!({
            "type": "object",
            "properties": { "kind": one_of(kinds.iter().copied()), "text": text(), "quote": text() },
            "required": ["kind", "text", "quote"],
            "additionalProperties": false,
        });
        members.push(("findings", json!({ "type": "array", "items": finding, "maxItems": MOST_FINDINGS })));
    }
    let form = Form { members: &members, max_tokens: ANALYSIS_TOKENS };
    Some(asked(&[rules], &shown(steps), &form))
}

/// What a model said of these steps.
pub fn read(mode: AnalysisMode, raw: &str, steps: &[SessionStep]) -> Result<SaidAnalysis, BadAnswer> {
    let ModeQuestion { figures, kinds, .. } = of_mode(mode).expect("BUG: a mode that asks no model has no answer");
    let wanted: Vec<&str> = figures.iter().map(|figure| figure.name).chain(["findings"]).collect();
    let members = reply::object(raw, &wanted)?;
    let answer = ReplyObject::new(&members);
    let of_figure = |figure: &AskedFigure| {
        let number = answer.value(figure.name).and_then(|_| answer.number(figure.name).ok());
        (figure.name, number.filter(|number| (figure.least..=figure.most).contains(number)))
    };
    let mut said = SaidAnalysis { figures: figures.iter().map(of_figure).collect(), ..SaidAnalysis::default() };
    if kinds.is_empty() {
        return Ok(said);
    }
    for object in answer.objects("findings")?.iter().take(MOST_FINDINGS) {
        let (kind, text) = (object.text("kind", NAME_CHARS)?, object.text("text", TEXT_CHARS)?);
        let quote = object.text("quote", TEXT_CHARS)?;
        if !kinds.contains(&kind.as_str()) || !is_quoted(steps, &quote) {
            said.dropped += 1;
        } else {
            said.findings.push(SaidFinding { kind, text, quote });
        }
    }
    Ok(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps() -> Vec<SessionStep> {
        let step = |who: &str, text: &str| SessionStep { who: who.to_owned(), text: text.to_owned() };
        vec![step("person", "Mend it"), step("agent", "All tests\npass.")]
    }

    #[test]
    fn a_mode_asks_for_the_figures_of_the_rules_and_some_ask_nobody() {
        let prompt = question(AnalysisMode::Eval, &steps()).expect("a question");
        assert!(prompt.system.contains("\"prompt_quality.clarity\": a number or null"), "{}", prompt.system);
        assert_eq!(prompt.user, "person: \"Mend it\"\nagent: \"All tests\\npass.\"");
        for mode in [AnalysisMode::None, AnalysisMode::Metrics, AnalysisMode::Synergy, AnalysisMode::Council] {
            assert_eq!(question(mode, &steps()), None, "{mode}");
        }
    }

    #[test]
    fn figures_out_of_bounds_are_none_and_findings_without_their_quote_are_dropped() {
        let raw = r#"{"mood.valence":-0.4,"anxiety.level":7}"#;
        let said = read(AnalysisMode::Emotional, raw, &steps()).expect("read");
        assert_eq!(said.figures, [("mood.valence", Some(-0.4)), ("anxiety.level", None)]);
        let raw = r#"{"findings":[{"kind":"major","text":"unproved","quote":"All tests pass."},
            {"kind":"major","text":"made up","quote":"rm -rf"},{"kind":"bad","text":"x","quote":"Mend it"}]}"#;
        let said = read(AnalysisMode::Critic, raw, &steps()).expect("read");
        let (kind, text, quote) = ("major".to_owned(), "unproved".to_owned(), "All tests pass.".to_owned());
        assert_eq!((said.findings, said.dropped), (vec![SaidFinding { kind, text, quote }], 2));
        assert_eq!(
            read(AnalysisMode::Eval, "no", &steps()).map_err(|bad| bad.to_string()),
            Err("the answer holds no readable JSON: it has no object".to_owned())
        );
    }
}
