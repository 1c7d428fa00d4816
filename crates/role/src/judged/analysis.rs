//! What a model is asked for an analysis of a session, mode by mode, and what it says (AFS 5.2).
//!
//! Figures have the names of those that the rules compute, and stand beside them. A finding quotes what the model was shown;
//! one whose quote is not there is dropped and counted. `metrics` counts, and a council is asked otherwise.

use serde_json::{Value, json};

use super::AskedMember;
use super::material::{Form, JudgedQuestion, asked, one_of, optional_number, text};
use super::modes::{AskedFigure, BOOST, ModeQuestion, QuotedVoice, of_mode};
use super::steps::{SessionStep, StepVoice, quoted, shown};
use crate::prompt::BadAnswer;
use crate::reply::{self, NAME_CHARS, ReplyObject, TEXT_CHARS};
use annals_kernel::share::Share;
use annals_rules::domain::cognition::trigger::AnalysisMode;

pub use super::modes::{MARKERS, UnaskedMode, check_asks};

/// Tokens of an analysis.
const ANALYSIS_TOKENS: u32 = 900;
/// The longest list of findings.
const MOST_FINDINGS: usize = 10;

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
    /// The step in which they stand.
    pub step: usize,
    /// How sure it says it is.
    pub confidence: Option<Share>,
}

/// What a model is asked; why not, in a mode that asks none. An agent that is to look gives its name and role.
pub fn question(
    mode: AnalysisMode,
    steps: &[SessionStep],
    agent: Option<&AskedMember<'_>>,
) -> Result<JudgedQuestion, UnaskedMode> {
    let ModeQuestion { rules, figures, kinds, .. } = of_mode(mode)?;
    let mut members: Vec<(&str, Value)> = figures.iter().map(|figure| (figure.name, optional_number())).collect();
    if !kinds.is_empty() {
        let finding = json!({
            "type": "object",
            "properties": {
                "kind": one_of(kinds.iter().copied()), "text": text(), "quote": text(), "confidence": optional_number(),
            },
            "required": ["kind", "text", "quote", "confidence"],
            "additionalProperties": false,
        });
        members.push(("findings", json!({ "type": "array", "items": finding, "maxItems": MOST_FINDINGS })));
    }
    let form = Form { members: &members, max_tokens: ANALYSIS_TOKENS };
    let who = agent.map(|agent| agent.introduced("a member of a swarm of agents"));
    let rules: Vec<&str> = who.as_deref().into_iter().chain([rules]).collect();
    Ok(asked(&rules, &shown(steps), &form))
}

/// What a model said of these steps.
pub fn read(mode: AnalysisMode, raw: &str, steps: &[SessionStep]) -> Result<SaidAnalysis, BadAnswer> {
    let asked = of_mode(mode).expect("BUG: a mode that asks no model has no answer");
    let wanted: Vec<&str> = asked.figures.iter().map(|figure| figure.name).chain(["findings"]).collect();
    let members = reply::object(raw, &wanted)?;
    let answer = ReplyObject::new(&members);
    let mut said = SaidAnalysis { figures: figures(mode, &asked, &answer), ..SaidAnalysis::default() };
    if asked.kinds.is_empty() {
        return Ok(said);
    }
    for object in answer.objects("findings")?.iter().take(MOST_FINDINGS) {
        let (kind, text) = (object.text("kind", NAME_CHARS)?, object.text("text", TEXT_CHARS)?);
        let quote = object.text("quote", TEXT_CHARS)?;
        let confidence = object.number("confidence").ok().and_then(Share::of);
        match asked.step_of(steps, &quote).filter(|_| asked.kinds.contains(&kind.as_str())) {
            Some(step) => said.findings.push(SaidFinding { kind, text, quote, step, confidence }),
            None => said.dropped += 1,
        }
    }
    Ok(said)
}

impl ModeQuestion {
    /// The step that a finding quotes.
    fn step_of(&self, steps: &[SessionStep], quote: &str) -> Option<usize> {
        quoted(steps, quote, |step| match self.quotes {
            QuotedVoice::Any => true,
            QuotedVoice::Person => step.who == StepVoice::Person,
        })
    }
}

/// Each figure within its bounds; in `synergy`, what follows from two of them, too.
fn figures(mode: AnalysisMode, asked: &ModeQuestion, answer: &ReplyObject<'_>) -> Vec<(&'static str, Option<f64>)> {
    let of_figure = |figure: &AskedFigure| {
        let number = answer.value(figure.name).and_then(|_| answer.number(figure.name).ok());
        (figure.name, number.filter(|number| (figure.least..=figure.most).contains(number)))
    };
    let mut figures: Vec<_> = asked.figures.iter().map(of_figure).collect();
    if mode == AnalysisMode::Synergy {
        let value = |name| figures.iter().find(|(known, _)| *known == name).and_then(|(_, value)| *value);
        let (name, whole, part) = BOOST;
        // To the thousandth: 0.8 - 0.5 is 0.3.
        let boost = value(whole).zip(value(part)).map(|(whole, part)| ((whole - part) * 1000.0).round() / 1000.0);
        figures.push((name, boost));
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;
    use annals_kernel::actor::Role;

    fn steps() -> Vec<SessionStep> {
        let step = |who, text: &str| SessionStep { who, text: text.to_owned() };
        vec![step(StepVoice::Person, "Mend it"), step(StepVoice::Agent, "All tests\npass.")]
    }

    #[test]
    fn a_mode_asks_for_the_figures_of_the_rules_and_some_ask_nobody() {
        let prompt = question(AnalysisMode::Eval, &steps(), None).expect("a question");
        assert!(
            prompt.prompt.system.contains("\"prompt_quality.clarity\": a number or null"),
            "{}",
            prompt.prompt.system
        );
        assert_eq!(prompt.prompt.user, "person: \"Mend it\"\nagent: \"All tests\\npass.\"");
        for mode in AnalysisMode::ALL {
            let expected = match mode {
                AnalysisMode::None => Err(UnaskedMode::None),
                AnalysisMode::Metrics => Err(UnaskedMode::Metrics),
                AnalysisMode::Council => Err(UnaskedMode::Council),
                AnalysisMode::Eval
                | AnalysisMode::Tom
                | AnalysisMode::Critic
                | AnalysisMode::Emotional
                | AnalysisMode::Synergy
                | AnalysisMode::Review
                | AnalysisMode::Documentation => Ok(()),
            };
            assert_eq!(check_asks(*mode), expected, "{mode}");
            assert_eq!(question(*mode, &steps(), None).map(drop), expected, "{mode}");
        }
    }

    #[test]
    fn an_agent_that_is_to_look_gives_its_name_and_role() {
        let agent = AskedMember { name: "carl", role: &Role::Critic, brief: Vec::new() };
        let prompt = question(AnalysisMode::Critic, &steps(), Some(&agent)).expect("a question");
        assert!(
            prompt.prompt.system.starts_with("You are \"carl\", \"critic\", a member of a swarm"),
            "{}",
            prompt.prompt.system
        );
    }

    #[test]
    fn figures_out_of_bounds_are_none_and_findings_without_their_quote_are_dropped() {
        let raw = r#"{"mood.valence":-0.4,"anxiety.level":7}"#;
        let said = read(AnalysisMode::Emotional, raw, &steps()).expect("read");
        assert_eq!(said.figures, [("mood.valence", Some(-0.4)), ("anxiety.level", None)]);
        let raw = r#"{"findings":[{"kind":"major","text":"unproved","quote":"All tests pass.","confidence":0.9},
            {"kind":"major","text":"made up","quote":"rm -rf"},{"kind":"bad","text":"x","quote":"Mend it"}]}"#;
        let said = read(AnalysisMode::Critic, raw, &steps()).expect("read");
        let (kind, text, quote) = ("major".to_owned(), "unproved".to_owned(), "All tests pass.".to_owned());
        let confidence = Some(Share::thousandths(900));
        assert_eq!((said.findings, said.dropped), (vec![SaidFinding { kind, text, quote, step: 1, confidence }], 2));
        assert_eq!(
            read(AnalysisMode::Eval, "no", &steps()).map_err(|bad| bad.to_string()),
            Err("the answer holds no readable JSON: it has no object".to_owned())
        );
    }

    /// AFS 5.2.2: a marker is in the words of the person, whatever the model says.
    #[test]
    fn a_marker_quotes_the_person_and_no_other_voice() {
        let raw = r#"{"trait_tom_score":0.6,"findings":[
            {"kind":"goal_inference","text":"says what is wanted","quote":"Mend it","confidence":2},
            {"kind":"goal_inference","text":"of the agent","quote":"All tests pass."},
            {"kind":"mind_reading","text":"no marker","quote":"Mend it"}]}"#;
        let said = read(AnalysisMode::Tom, raw, &steps()).expect("read");
        let kinds: Vec<_> = said.findings.iter().map(|found| (&*found.kind, found.step, found.confidence)).collect();
        assert_eq!((kinds, said.dropped), (vec![("goal_inference", 0, None)], 2));
        assert_eq!(said.figures[0], ("trait_tom_score", Some(0.6)));
    }

    /// AFS 5.2.6.
    #[test]
    fn what_the_agent_adds_is_computed_and_not_asked() {
        let boost = |raw: &str| {
            let said = read(AnalysisMode::Synergy, raw, &steps()).expect("read");
            said.figures.last().copied()
        };
        let both = r#"{"human_solo_ability":0.5,"combined_performance":0.8,"ai_boost":0.9,"findings":[]}"#;
        assert_eq!(boost(both), Some(("ai_boost", Some(0.3))));
        assert_eq!(boost(r#"{"human_solo_ability":0.5,"ai_boost":0.9}"#), Some(("ai_boost", None)));
    }
}
