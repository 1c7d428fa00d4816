//! `annals analyse --by-model`: what a model says of a session, beside what the rules say.
//!
//! Both are shown, and never mixed: no figure of a model becomes one of the rules. The answer is on the record; nothing is
//! decided on it.

use annals_llm::Purpose;
use serde::Serialize;
use serde_json::Value;

use crate::analysis::step::{Call, What};
use crate::analysis::told::Told;
use crate::analysis::{Analysis, AnalysisMode};
use crate::cli::council::pack::Pack;
use crate::cli::line::{Line, Style};
use crate::cli::models::{HeardWord, Judge, Keeping, by};
use crate::cli::shell::{CommandOutcome, Shell, Usage, clean};
use crate::cli::table::Column::{Key, Text};
use crate::domain::cognition::command::Judge as JudgeFiring;
use crate::domain::cognition::judged::JudgedFinding;
use crate::engine::Engine;
use crate::kernel::counted::count;
use crate::kernel::id::{EntryId, SessionId};
use crate::kernel::model_word::ModelWord;
use crate::kernel::share::Share;
use crate::role::judged::analysis::{SaidAnalysis, SaidFinding, check_asks, question, read};
use crate::role::judged::{SessionStep, StepVoice};
use crate::view::gist::{fold, short_id};

/// What a model says of a session.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ModelAnalysis {
    /// What it said; none where no answer came.
    word: Option<ModelWord>,
    /// Why that is of no use.
    unheard: Option<String>,
    figures: Vec<ModelFigure>,
    findings: Vec<ModelFinding>,
    /// Findings whose quote is not in what it was shown.
    dropped: usize,
    /// Calls on files that hold secrets, and lines of such files, that it was not told.
    left_out: usize,
}

/// A figure by a model, beside that of the rules.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ModelFigure {
    name: &'static str,
    /// None where it gave none, or one out of bounds.
    value: Option<f64>,
    /// What the rules say of it.
    by_rule: String,
}

/// A finding by a model.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ModelFinding {
    kind: String,
    text: String,
    /// The words of the record that it stands on.
    quote: String,
    /// The entry in which they stand.
    entry: EntryId,
    /// How sure the model says it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<Share>,
}

/// A session that a model is to look at.
pub(in crate::cli) struct SessionLook<'a> {
    /// How.
    pub mode: AnalysisMode,
    /// At which session.
    pub session: &'a SessionId,
    /// Up to which entry; nothing: all of it.
    pub until: Option<EntryId>,
    /// What the rules say of it.
    pub analysis: Option<&'a Analysis>,
    /// The agent that is to look; nothing: nobody in particular.
    pub agent: Option<&'a Pack>,
}

/// Who is asked in a mode. Asks nobody, and says why a mode asks none.
pub(in crate::cli) fn judge_of(
    shell: &Shell,
    engine: &Engine,
    mode: AnalysisMode,
    model: Option<&str>,
) -> anyhow::Result<Judge> {
    check_asks(mode).map_err(|unasked| Usage(unasked.to_string()))?;
    let purpose: Purpose = mode.as_str().parse().expect("BUG: a mode that asks a model is a purpose");
    Judge::of(shell, engine, purpose, model)
}

/// Asks a model in a mode.
pub(in crate::cli) fn analysed(
    engine: &Engine,
    judge: &Judge,
    look: &SessionLook<'_>,
) -> anyhow::Result<ModelAnalysis> {
    let SessionLook { mode, session, until, analysis, agent } = *look;
    let (record, withheld) = engine.reader()?.record_told(session, until)?;
    let shown = record.steps.iter().filter_map(|step| Some((step.id, shown(engine, &step.what)?)));
    let (ids, steps): (Vec<EntryId>, Vec<SessionStep>) = shown.unzip();
    let (member, voice) = (agent.map(Pack::member), agent.map_or(mode.as_str(), Pack::name));
    let prompt = question(mode, &steps, member.as_ref()).map_err(|unasked| Usage(unasked.to_string()))?;
    let word = judge.ask(engine, voice, &prompt, Keeping::Open)?;
    let (word, unheard, said) = match HeardWord::read(word, |raw| read(mode, raw, &steps)) {
        HeardWord::Clear { word, says } => (Some(word), None, says),
        HeardWord::Nothing { word, why } => (word, Some(why.to_string()), SaidAnalysis::default()),
    };
    let SaidAnalysis { figures, findings, dropped } = said;
    let rules = RulesFigures::of(analysis);
    let figures = figures.into_iter().map(|(name, value)| ModelFigure { name, value, by_rule: rules.figure(name) });
    let finding = |SaidFinding { kind, text, quote, step, confidence }| {
        let (text, quote) = (clean(engine, &text), clean(engine, &quote));
        ModelFinding { kind, text, quote, entry: ids[step], confidence }
    };
    let findings = findings.into_iter().map(finding).collect();
    Ok(ModelAnalysis { word, unheard, figures: figures.collect(), findings, dropped, left_out: withheld.count() })
}

/// What the rules say of figures.
struct RulesFigures {
    told: Told,
    /// As the protocol has it: what is told in no figure says there what is missing.
    whole: Value,
}

impl RulesFigures {
    fn of(analysis: Option<&Analysis>) -> Self {
        let whole = analysis.and_then(|analysis| serde_json::to_value(analysis).ok()).unwrap_or_default();
        Self { told: analysis.map(Analysis::told).unwrap_or_default(), whole }
    }

    fn figure(&self, name: &str) -> String {
        let told = self.told.figures.iter().find(|figure| figure.name == name).map(|figure| figure.value.to_string());
        let missing = || Some(format!("not computable: {}", self.whole[name]["not_computable"].as_str()?));
        told.or_else(missing).unwrap_or_default()
    }
}

impl ModelAnalysis {
    /// Whether an answer came that can be used: as elsewhere, a command that asked for one and has none is refused.
    pub(in crate::cli) fn outcome(&self) -> CommandOutcome {
        if self.unheard.is_none() { CommandOutcome::Done } else { CommandOutcome::Refused }
    }

    /// What is decided on it for a firing of a trigger; nothing where no answer came.
    pub(in crate::cli) fn judge(&self, session: SessionId, firing: EntryId) -> Option<(JudgeFiring, ModelWord)> {
        let said = |figure: &ModelFigure| Some((figure.name.into(), figure.value?.to_string().into()));
        let found = |found: &ModelFinding| JudgedFinding {
            kind: found.kind.as_str().into(),
            text: found.text.as_str().into(),
            quote: found.quote.as_str().into(),
            source: Some(found.entry),
            confidence: found.confidence,
        };
        let judge = JudgeFiring {
            session,
            firing,
            figures: self.figures.iter().filter_map(said).collect(),
            found: self.findings.iter().map(found).collect(),
            dropped: u32::try_from(self.dropped).unwrap_or(u32::MAX),
            unread: self.unheard.as_deref().map(Into::into),
        };
        Some((judge, self.word.clone()?))
    }
}

/// What is said and called, clean; no thoughts.
fn shown(engine: &Engine, what: &What) -> Option<SessionStep> {
    let step = |who, text: &str| Some(SessionStep { who, text: clean(engine, text) });
    match what {
        What::Asked(text) | What::Typed(text) => step(StepVoice::Person, text),
        What::Said(text) => step(StepVoice::Agent, text),
        What::Called(call) => step(StepVoice::Tool(clean(engine, &call.tool)), &called(call)),
        What::Thought(_) | What::Stopped(_) | What::Failed | What::Began(_) | What::Noted => None,
    }
}

fn called(call: &Call) -> String {
    let what = call.command.as_deref().unwrap_or(&call.target);
    let edits: Vec<_> = call.edits.iter().map(|edit| format!("\n{}:\n{}\n", edit.file, edit.new)).collect();
    let outcome = call.error.as_ref().map_or_else(|| call.output.clone(), |error| format!("failed: {error}"));
    format!("{what}{} -> {outcome}", edits.concat())
}

/// A table of figures with those of the rules beside them, then findings.
pub(in crate::cli) fn print(shell: &mut Shell, found: &ModelAnalysis) -> std::io::Result<()> {
    shell.out.line("")?;
    shell.say_withheld(found.left_out)?;
    if let Some(why) = &found.unheard {
        return shell.out.say(format_args!("no analysis by a model: {why}"));
    }
    let named = found.word.as_ref().map(|word| word.model.to_string()).unwrap_or_default();
    shell.out.styled(&Line::of(Style::Bold, format_args!("by the model {named}, beside the rules")))?;
    if !found.figures.is_empty() {
        let row = |figure: &ModelFigure| {
            let value = figure.value.map_or_else(|| "not said".to_owned(), |value| value.to_string());
            vec![figure.name.to_owned(), value, figure.by_rule.clone()]
        };
        let rows: Vec<_> = found.figures.iter().map(row).collect();
        shell.out.table(&[Key("figure"), Key("by model"), Text("by rule")], &rows)?;
    }
    for ModelFinding { kind, text, quote, entry, .. } in &found.findings {
        let line = Line::of(Style::Cyan, kind).then(format_args!("  {} ", fold(text)));
        let (quote, entry) = (fold(quote), entry.to_string());
        shell.out.styled(&line.and(Style::Dim, format_args!("\"{quote}\" [{}]", short_id(&entry))))?;
    }
    if found.dropped > 0 {
        let dropped = count(found.dropped, "finding", "findings");
        shell.out.say(format_args!("dropped: {dropped} whose quote is not in what it was shown"))?;
    }
    found.word.as_ref().map_or(Ok(()), |word| shell.out.say(format_args!("{}", by(word))))
}

#[cfg(test)]
mod tests {
    use crate::role::judged::analysis::MARKERS;

    /// The rules and a model name markers alike (AFS 5.2.2): the published shape has those of the rules.
    #[test]
    fn a_model_names_the_markers_of_the_rules() {
        let schema = include_str!("../../../docs/schema/answers/annals.analyse.v1.json");
        assert_eq!(MARKERS.len(), 19);
        for marker in MARKERS {
            assert!(schema.contains(&format!("\"{marker}\"")), "{marker}");
        }
    }
}
