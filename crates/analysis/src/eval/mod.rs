//! The quality of prompts and answers, by counts that anybody can check (AFS 5.2.1).
//!
//! A score of a prompt counts what stands in it; a score of answers counts what the record shows of them. No opinion.

mod answers;
mod names;
mod prompts;
#[cfg(test)]
mod tests;

use serde::Serialize;

pub(crate) use self::answers::is_against;
use self::answers::{completeness, correctness, gain, helpfulness, reasoning};
use self::prompts::prompt;
use super::computed::{Computed, Decimal, mean};
use super::settings::VAGUE;
use super::step::Record;
use super::told::{Finding, Told};
use super::turn::turns;
use annals_kernel::counted::count;
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;

/// The quality of prompts (AFS 5.2.1): means over the prompts of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PromptQuality {
    /// How far it says what to do, and no more: a verb that asks, sentences that end, few vague words.
    pub clarity: Computed<Share>,
    /// How much is named: files, names of code, numbers, quoted text.
    pub specificity: Computed<Share>,
    /// How much of why and where is given: reasons, what was observed, what is wanted, limits.
    pub context_sufficiency: Computed<Share>,
    /// Vague words, and pronouns that nothing stands before.
    pub ambiguity_count: Computed<usize>,
}

/// The quality of answers (AFS 5.2.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ResponseQuality {
    /// Turns with edits whose last check passed, of those that had a check.
    pub correctness: Computed<Share>,
    /// Turns after which the person was pleased, of those after which the person showed either.
    pub helpfulness: Computed<Share>,
    /// Prompts that were answered with words, of all.
    pub completeness: Computed<Share>,
    /// Signs of reasoning, of those that could be there, on 0 to 5.
    pub reasoning_quality: Computed<Decimal>,
}

/// A prompt, and what was counted in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EvaluatedPrompt {
    /// Its entry.
    pub entry: EntryId,
    /// See `PromptQuality`.
    pub clarity: Share,
    /// See `PromptQuality`.
    pub specificity: Share,
    /// See `PromptQuality`.
    pub context_sufficiency: Share,
    /// Vague words and pronouns without a noun, with their places in characters.
    pub ambiguous: Vec<Vague>,
    /// What the scores are of.
    pub of: String,
}

/// A word that leaves open what is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Vague {
    /// The word.
    pub text: String,
    /// Where it begins, in characters.
    pub position: usize,
}

/// What of prompts and answers could be computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Eval {
    /// Of prompts.
    pub prompt_quality: PromptQuality,
    /// Of answers.
    pub response_quality: ResponseQuality,
    /// ½ ln(Var before / Var after), of the outcomes of checks before and after the first edit.
    pub information_gain: Computed<Decimal>,
    /// Every prompt.
    pub prompts: Vec<EvaluatedPrompt>,
    /// What the scores of answers stand on.
    pub evidence: Vec<Finding>,
    /// What each figure is of.
    pub basis: Basis,
}

/// What each figure is of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Basis {
    /// Of correctness.
    pub correctness: String,
    /// Of helpfulness.
    pub helpfulness: String,
    /// Of completeness.
    pub completeness: String,
    /// Of reasoning.
    pub reasoning_quality: String,
    /// Of information gain.
    pub information_gain: String,
}

/// Looks at prompts and answers.
pub fn analyse(record: &Record, settings: &Settings) -> Eval {
    let vague: Vec<String> = settings.get(&VAGUE).iter().map(|word| word.to_lowercase()).collect();
    let turns = turns(&record.steps);
    let asked = turns.iter().filter_map(|turn| Some((turn.asked?, turn.prompt()?)));
    let prompts: Vec<_> =
        asked.filter(|(_, text)| !text.trim().is_empty()).map(|(step, text)| prompt(step, text, &vague)).collect();
    let mut basis = Basis::default();
    let mut evidence = Vec::new();
    let none = || "a prompt of a person".to_owned();
    let of = |score: fn(&EvaluatedPrompt) -> Share| Computed::of(mean(prompts.iter().map(score)), none);
    let ambiguous = prompts.iter().map(|prompt| prompt.ambiguous.len()).sum();
    Eval {
        prompt_quality: PromptQuality {
            clarity: of(|prompt| prompt.clarity),
            specificity: of(|prompt| prompt.specificity),
            context_sufficiency: of(|prompt| prompt.context_sufficiency),
            ambiguity_count: Computed::of((!prompts.is_empty()).then_some(ambiguous), none),
        },
        response_quality: ResponseQuality {
            correctness: correctness(&turns, &mut basis, &mut evidence),
            helpfulness: helpfulness(&turns, &mut basis, &mut evidence),
            completeness: completeness(&turns, &mut basis, &mut evidence),
            reasoning_quality: reasoning(record, &turns, &mut basis),
        },
        information_gain: gain(&record.steps, &mut basis),
        prompts,
        evidence,
        basis,
    }
}

impl Eval {
    /// As it reads.
    pub fn told(&self) -> Told {
        let (prompt, response) = (&self.prompt_quality, &self.response_quality);
        let mut told = Told { findings: self.evidence.clone(), ..Told::default() };
        let prompts = format!("the mean of {}", count(self.prompts.len(), "prompt", "prompts"));
        told.figure(
            "prompt_quality.clarity",
            &prompt.clarity,
            format!("{prompts}: asks, short sentences, few vague words"),
        );
        told.figure(
            "prompt_quality.specificity",
            &prompt.specificity,
            format!("{prompts}: files, names, numbers, quotes"),
        );
        told.figure(
            "prompt_quality.context_sufficiency",
            &prompt.context_sufficiency,
            format!("{prompts}: reasons, observations, wishes, limits"),
        );
        told.figure(
            "prompt_quality.ambiguity_count",
            &prompt.ambiguity_count,
            "vague words and pronouns without a noun",
        );
        told.figure("response_quality.correctness", &response.correctness, &*self.basis.correctness);
        told.figure("response_quality.helpfulness", &response.helpfulness, &*self.basis.helpfulness);
        told.figure("response_quality.completeness", &response.completeness, &*self.basis.completeness);
        told.figure(
            "response_quality.reasoning_quality",
            &response.reasoning_quality,
            format!("0 to 5: {}", self.basis.reasoning_quality),
        );
        // It needs four checks around the first edit, not all alike: of 350 recorded sessions none had them.
        if self.information_gain.value().is_some() {
            told.figure("information_gain", &self.information_gain, &*self.basis.information_gain);
        }
        for prompt in &self.prompts {
            let vague: Vec<_> =
                prompt.ambiguous.iter().map(|vague| format!("\"{}\" at {}", vague.text, vague.position)).collect();
            let vague = if vague.is_empty() { String::new() } else { format!("; vague: {}", vague.join(", ")) };
            let scores = format!(
                "clear {}, specific {}, context {}",
                prompt.clarity, prompt.specificity, prompt.context_sufficiency
            );
            told.find("prompt", format!("{scores}: {}{vague}", prompt.of), &[prompt.entry]);
        }
        told
    }
}
