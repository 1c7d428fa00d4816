//! `annals knowledge settle`: entries that contradict each other; which of them holds, where the rules can tell, and else the
//! question for the user (Galatea, Phase F).
//!
//! Nothing is decided before the user says `--apply`, and then only what a rule settles. A model advises, and no more.

mod found;
mod told;

use std::collections::BTreeSet;

use annals_llm::Purpose;
use serde::Serialize;

use self::found::{FoundContradiction, Standpoint, contradictions};
use crate::cli::decided::Decided;
use crate::cli::models::{ByModel, HeardWord, Judge, Keeping};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, clean};
use crate::domain::knowledge::command::{Archive, Settle};
use crate::domain::knowledge::{Command, Observed};
use crate::engine::Engine;
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;
use crate::kernel::model_word::ModelWord;
use crate::role::judged::contradiction::{AdvisedSide, KnownText, SaidAdvice, question, read};

/// Arguments of `annals knowledge settle`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Decide what the rules settle
    #[arg(long)]
    apply: bool,
    #[command(flatten)]
    judge: ByModel,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct SettledKnowledge {
    contradictions: Vec<ToldContradiction>,
    applied: bool,
}

/// Two entries that contradict each other, and what comes of it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ToldContradiction {
    #[serde(flatten)]
    found: FoundContradiction,
    /// What a model advises, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<ModelAdvice>,
    /// The decision, where one was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<Decided>,
}

/// What a model advises.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ModelAdvice {
    /// What it said; none where no answer came.
    word: Option<ModelWord>,
    /// Why that is of no use.
    unheard: Option<String>,
    /// Which holds.
    holds: Option<AdvisedSide>,
    /// Why.
    reason: Option<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let spends = arguments.apply || arguments.judge.by_model;
    if spends && !engine.acts_as_the_user(&shell.by_now())? {
        let words = "--apply and --by-model: the user settles what contradicts; ask them for it";
        return Err(Usage(words.to_owned()).into());
    }
    let found = contradictions(shell, &engine)?;
    let advice = arguments.judge.by_model.then_some(arguments.judge.model.as_deref());
    let judge = advice.map(|model| Judge::of(shell, &engine, Purpose::Canon, model)).transpose()?;
    let (mut told, mut ended) = (Vec::new(), BTreeSet::new());
    for found in found {
        // A rule needs no advice.
        let judge = judge.as_ref().filter(|_| found.is_open());
        let advice = judge.map(|judge| advised(&engine, judge, &found)).transpose()?;
        let is_over = found.entries().iter().any(|id| ended.contains(id));
        let decided = if arguments.apply && !is_over { apply(shell, &engine, &found)? } else { None };
        if let (Some(Decided::Done { .. }), Some(end)) = (&decided, found.ends()) {
            ended.insert(end);
        }
        told.push(ToldContradiction { found, advice, decided });
    }
    let answer = SettledKnowledge { contradictions: told, applied: arguments.apply };
    if shell.wants_json() {
        shell.out.answer(&answer)?;
    } else {
        told::print(shell, &engine, &answer)?;
    }
    Ok(CommandOutcome::Done)
}

/// Decides where a rule settles it.
fn apply(shell: &Shell, engine: &Engine, found: &FoundContradiction) -> anyhow::Result<Option<Decided>> {
    let (command, observed): (Command, _) = match &found.verdict {
        Standpoint::Settled(_) => {
            let [entry, other] = found.entries();
            let [first, second] = found.words();
            let observed = Observed { entry: Some(first), other: Some(second) };
            (Settle { entry, other }.into(), Json::of(&observed))
        }
        Standpoint::AgainstCanon { ends, canon } => {
            let reason = Some(format!("canon says otherwise: {canon}").into());
            (Archive { entry: *ends, reason }.into(), Json::empty_object())
        }
        Standpoint::Open(_) => return Ok(None),
    };
    let answer = engine.decide(command, &observed, &shell.by_now())?;
    Ok(Some(Decided::of(&answer)))
}

/// What a model makes of the two texts.
fn advised(engine: &Engine, judge: &Judge, found: &FoundContradiction) -> anyhow::Result<ModelAdvice> {
    let texts = [&found.first, &found.second].map(|side| (clean(engine, &side.content), side.at.day().to_string()));
    let [first, second] = texts.each_ref().map(|(text, day)| KnownText { text, day });
    let word = judge.ask(engine, "knowledge", &question(first, second), Keeping::Open)?;
    Ok(match HeardWord::read(word, read) {
        HeardWord::Clear { word, says: SaidAdvice { side, reason } } => {
            ModelAdvice { word: Some(word), unheard: None, holds: Some(side), reason: Some(reason) }
        }
        HeardWord::Nothing { word, why } => {
            ModelAdvice { word, unheard: Some(why.to_string()), holds: None, reason: None }
        }
    })
}

impl FoundContradiction {
    /// The entry that ends, where a rule says so.
    fn ends(&self) -> Option<EntryId> {
        match &self.verdict {
            Standpoint::Settled(settled) => Some(settled.ends),
            Standpoint::AgainstCanon { ends, .. } => Some(*ends),
            Standpoint::Open(_) => None,
        }
    }
}
