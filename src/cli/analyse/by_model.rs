//! `annals analyse --by-model`: what a model says of a session, beside what the rules say.
//!
//! Both are shown, and never mixed: no figure of a model becomes one of the rules. The answer is on the record; nothing is
//! decided on it.

use annals_llm::Purpose;
use serde::Serialize;

use crate::analysis::AnalysisMode;
use crate::analysis::step::{Call, Record, What};
use crate::analysis::told::Told;
use crate::cli::line::{Line, Style};
use crate::cli::models::{HeardWord, Judge, Keeping, by};
use crate::cli::shell::{Shell, Usage, clean};
use crate::cli::table::Column::{Key, Text};
use crate::engine::Engine;
use crate::kernel::counted::count;
use crate::kernel::model_word::ModelWord;
use crate::role::judged::SessionStep;
use crate::role::judged::analysis::{SaidAnalysis, SaidFinding, question, read};
use crate::view::gist::fold;

/// What a model says of a session.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ModelAnalysis {
    /// What it said; none where no answer came.
    word: Option<ModelWord>,
    /// Why that is of no use.
    unheard: Option<String>,
    figures: Vec<ModelFigure>,
    findings: Vec<ModelFinding>,
    /// Findings whose quote is not in the record.
    dropped: usize,
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
}

/// Asks a model in a mode.
pub(super) fn analysed(
    shell: &Shell,
    engine: &Engine,
    mode: AnalysisMode,
    record: &Record,
    told: &Told,
    model: Option<&str>,
) -> anyhow::Result<ModelAnalysis> {
    let steps: Vec<SessionStep> = record.steps.iter().filter_map(|step| shown(engine, &step.what)).collect();
    let none = || Usage(format!("the mode {mode} asks no model"));
    let prompt = question(mode, &steps).ok_or_else(none)?;
    let purpose: Purpose = mode.as_str().parse().map_err(|_| none())?;
    let judge = Judge::of(shell, engine, purpose, model)?;
    let word = judge.ask(engine, mode.as_str(), &prompt, Keeping::Open)?;
    let (word, unheard, said) = match HeardWord::read(word, |raw| read(mode, raw, &steps)) {
        HeardWord::Clear { word, says } => (Some(word), None, says),
        HeardWord::Nothing { word, why } => (word, Some(why.to_string()), SaidAnalysis::default()),
    };
    let SaidAnalysis { figures, findings, dropped } = said;
    let by_rule = |name: &str| {
        let figure = told.figures.iter().find(|figure| figure.name == name);
        figure.map(|figure| figure.value.to_string()).unwrap_or_default()
    };
    let figures = figures.into_iter().map(|(name, value)| ModelFigure { name, value, by_rule: by_rule(name) });
    let findings = findings.into_iter().map(|SaidFinding { kind, text, quote }| ModelFinding { kind, text, quote });
    Ok(ModelAnalysis { word, unheard, figures: figures.collect(), findings: findings.collect(), dropped })
}

/// What is said and called, clean; no thoughts.
fn shown(engine: &Engine, what: &What) -> Option<SessionStep> {
    let step = |who: &str, text: &str| Some(SessionStep { who: who.to_owned(), text: clean(engine, text) });
    match what {
        What::Asked(text) | What::Typed(text) => step("person", text),
        What::Said(text) => step("agent", text),
        What::Called(call) => step(&call.tool, &called(call)),
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
pub(super) fn print(shell: &mut Shell, engine: &Engine, found: &ModelAnalysis) -> std::io::Result<()> {
    shell.out.line("")?;
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
    for ModelFinding { kind, text, quote } in &found.findings {
        let line = Line::of(Style::Cyan, kind).then(format_args!("  {} ", fold(&clean(engine, text))));
        shell.out.styled(&line.and(Style::Dim, format_args!("\"{}\"", fold(&clean(engine, quote)))))?;
    }
    if found.dropped > 0 {
        let dropped = count(found.dropped, "finding", "findings");
        shell.out.say(format_args!("dropped: {dropped} whose quote is not in the record"))?;
    }
    found.word.as_ref().map_or(Ok(()), |word| shell.out.say(format_args!("{}", by(word))))
}
