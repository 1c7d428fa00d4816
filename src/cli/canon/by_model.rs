//! `annals canon check --by-model`: claims that a model proposes, beside those that the rules found.
//!
//! A long text is asked for part by part. Proposals only: nothing is decided on them. Whoever takes one up gives it with
//! --claim.

use annals_llm::Purpose;
use serde::Serialize;

use crate::cli::models::{HeardWord, Judge, Keeping, by, unseen};
use crate::cli::shell::{Shell, clean};
use crate::domain::canon::Claim;
use crate::domain::canon::event::ClaimConflict;
use crate::engine::Engine;
use crate::kernel::counted::count;
use crate::kernel::model_word::ModelWord;
use crate::role::judged::TextParts;
use crate::role::judged::claims::{ProposedClaims, parts, question, read};

/// What a model proposes of a text.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ModelClaims {
    /// What it said, of a long text of its first part; none where no answer came.
    word: Option<ModelWord>,
    /// What it said of the other parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more: Vec<ModelWord>,
    /// Why an answer is of no use, the first of them.
    unheard: Option<String>,
    /// Claims whose quote stands in the text.
    claims: Vec<Claim>,
    /// Claims that quote what is not there, or say nothing.
    dropped: usize,
    /// What of them canon contradicts.
    conflicts: Vec<ClaimConflict>,
    /// Characters of the text on which no answer came that can be used.
    left_out: usize,
}

impl ModelClaims {
    /// Whether answers came that can be used, on all of the text.
    pub(super) fn is_whole(&self) -> bool {
        self.unheard.is_none() && self.left_out == 0
    }

    /// Characters of the text on which no answer came that can be used.
    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }

    fn hear(&mut self, heard: HeardWord<ProposedClaims>, part: &str) {
        let (word, said) = match heard {
            HeardWord::Clear { word, says } => (Some(word), says),
            HeardWord::Nothing { word, why } => {
                self.unheard.get_or_insert_with(|| why.to_string());
                self.left_out += part.chars().count();
                (word, ProposedClaims::default())
            }
        };
        match (word, &self.word) {
            (Some(word), None) => self.word = Some(word),
            (word, _) => self.more.extend(word),
        }
        self.dropped += said.dropped;
        // Two parts share a few words.
        let new: Vec<_> = said.claims.into_iter().filter(|claim| !self.claims.contains(claim)).collect();
        self.claims.extend(new);
    }
}

/// Asks a model for the claims of a text.
pub(super) fn proposed(shell: &Shell, engine: &Engine, text: &str, model: Option<&str>) -> anyhow::Result<ModelClaims> {
    let judge = Judge::of(shell, engine, Purpose::Canon, model)?;
    let TextParts { parts, left_out } = parts(text);
    let mut found = ModelClaims { left_out, ..ModelClaims::default() };
    for part in parts {
        let word = judge.ask(engine, "canon", &question(part), Keeping::Open)?;
        found.hear(HeardWord::read(word, |raw| read(raw, part.text)), part.text);
    }
    found.conflicts = shell.ask(engine, |world| world.rooms.canon.contradicted(&found.claims))?;
    Ok(found)
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
    for word in found.word.iter().chain(&found.more) {
        shell.out.say(format_args!("{}", by(word)))?;
    }
    if found.left_out > 0 {
        shell.out.say(unseen(u64::try_from(found.left_out).unwrap_or(u64::MAX)))?;
    }
    if found.word.is_some() {
        shell.out.say("hint: --claim \"SUBJECT | ATTRIBUTE | VALUE\" takes one up")?;
    }
    Ok(())
}
