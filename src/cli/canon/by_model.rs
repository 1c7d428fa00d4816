//! `annals canon check --by-model`: claims that a model proposes, beside those that the rules found.
//!
//! Proposals only: nothing is decided on them. Whoever takes one up gives it with --claim.

use annals_llm::Purpose;
use serde::Serialize;

use crate::cli::models::{HeardWord, Judge, Keeping, by};
use crate::cli::shell::{Shell, clean};
use crate::domain::canon::Claim;
use crate::domain::canon::event::ClaimConflict;
use crate::engine::Engine;
use crate::kernel::counted::count;
use crate::kernel::model_word::ModelWord;
use crate::role::judged::claims::{ProposedClaims, question, read};

/// What a model proposes of a text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ModelClaims {
    /// What it said; none where no answer came.
    word: Option<ModelWord>,
    /// Why that is of no use.
    unheard: Option<String>,
    /// Claims whose quote stands in the text.
    claims: Vec<Claim>,
    /// Claims that quote what is not there, or say nothing.
    dropped: usize,
    /// What of them canon contradicts.
    conflicts: Vec<ClaimConflict>,
}

impl ModelClaims {
    /// Whether an answer came that can be used.
    pub(super) fn is_heard(&self) -> bool {
        self.unheard.is_none()
    }
}

/// Asks a model for the claims of a text.
pub(super) fn proposed(shell: &Shell, engine: &Engine, text: &str, model: Option<&str>) -> anyhow::Result<ModelClaims> {
    let judge = Judge::of(shell, engine, Purpose::Canon, model)?;
    let word = judge.ask(engine, "canon", &question(text), Keeping::Open)?;
    let (word, unheard, ProposedClaims { claims, dropped }) = match HeardWord::read(word, |raw| read(raw, text)) {
        HeardWord::Clear { word, says } => (Some(word), None, says),
        HeardWord::Nothing { word, why } => (word, Some(why.to_string()), ProposedClaims::default()),
    };
    let conflicts = shell.ask(engine, |world| world.rooms.canon.contradicted(&claims))?;
    Ok(ModelClaims { word, unheard, claims, dropped, conflicts })
}

/// What is proposed, a line a claim as --claim takes it, with its quote and what canon says.
pub(super) fn show(shell: &mut Shell, engine: &Engine, found: &ModelClaims) -> std::io::Result<()> {
    for claim in &found.claims {
        let Claim { subject, attribute, value, said } = claim;
        let quote = said.as_deref().unwrap_or_default();
        let line = format!("proposed by the model: \"{subject} | {attribute} | {value}\": {quote}");
        shell.out.line(crate::view::gist::fold(&clean(engine, &line)))?;
        for conflict in found.conflicts.iter().filter(|conflict| conflict.claim == *claim) {
            let line = format!("  canon says {}, {}@{}", conflict.value, conflict.key, conflict.version);
            shell.out.line(clean(engine, &line))?;
        }
    }
    if let Some(why) = &found.unheard {
        shell.out.say(format_args!("nothing is proposed: {why}"))?;
    }
    if found.dropped > 0 {
        let dropped = count(found.dropped, "claim", "claims");
        shell.out.say(format_args!("dropped: {dropped} whose quote is not in the text"))?;
    }
    if let Some(word) = &found.word {
        shell.out.say(format_args!("{}", by(word)))?;
        shell.out.say("hint: --claim \"SUBJECT | ATTRIBUTE | VALUE\" takes one up")?;
    }
    Ok(())
}
