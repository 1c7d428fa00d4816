//! What a model answered for an agent, as it came, while the pass goes on (decisions 40 and 65): it lies sealed before anybody
//! reads it, and is an entry when the pass is closed, whatever it was worth.
//!
//! One that became an opinion is in that opinion, and not kept twice.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::drawer::Drawer;
use crate::act::ModelAnswer;
use crate::act::answered::ModelQuestion;
use crate::cli::shell::Shell;
use crate::engine::Engine;
use crate::kernel::id::{AgentId, IssueId};
use crate::kernel::json::{Json, sha256_hex};

/// An answer as it came, clean, with what keeps its hash from being guessed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawAnswer {
    salt: Box<str>,
    issue: IssueId,
    /// For whom the model was asked.
    agent: AgentId,
    model: String,
    /// SHA-256 of what it was asked.
    prompt: Box<str>,
    text: Box<str>,
    thoughts: Box<str>,
    ending: Box<str>,
}

impl RawAnswer {
    /// An answer that just came.
    pub(super) fn of(engine: &Engine, issue: &IssueId, agent: &AgentId, answer: &ModelAnswer, prompt: &str) -> Self {
        let ModelAnswer { text, thoughts, ending, model, .. } = answer;
        Self {
            salt: super::salt(engine),
            issue: issue.clone(),
            agent: agent.clone(),
            model: model.clone(),
            prompt: prompt.into(),
            text: engine.clean_text(text),
            thoughts: engine.clean_text(thoughts),
            ending: ending.as_str().into(),
        }
    }

    /// Its SHA-256, which is on the record until it is there itself.
    pub(super) fn seal(&self) -> Box<str> {
        sha256_hex(Json::of(self).text().as_bytes()).into()
    }
}

/// Records the raw answers of a closed pass that lie here, and says how many. What became of an opinion stands in its entry.
pub(super) fn record(shell: &mut Shell, engine: &Engine, issue: &IssueId) -> anyhow::Result<usize> {
    let is_closed = shell.ask(engine, |world| world.rooms.blind.pass(issue).is_some_and(|pass| !pass.is_open()))?;
    if !is_closed {
        return Ok(0);
    }
    let (drawer, mut count) = (Drawer::of(&shell.environment)?, 0);
    for seal in drawer.seals() {
        let Some(raw) = drawer.raw(&seal).filter(|raw| raw.issue == *issue) else { continue };
        let agent = raw.agent.clone();
        if *raw.seal() != *seal {
            shell.out.say(format_args!("an answer for {agent} is not what was sealed; it is left out"))?;
            continue;
        }
        note(shell, engine, raw, &seal)?;
        drawer.throw_away(&seal);
        count += 1;
        shell
            .out
            .say(format_args!("what a model answered for {agent}, and came to no opinion, is in the history now"))?;
    }
    Ok(count)
}

/// What it used up stands in the entry that has its seal.
fn note(shell: &Shell, engine: &Engine, raw: RawAnswer, seal: &str) -> anyhow::Result<()> {
    let RawAnswer { salt, issue, agent, model, prompt, text, thoughts, ending } = raw;
    let input = json!({ "issue": issue, "for": agent, "prompt": prompt, "seal": seal, "salt": salt });
    let (text, thoughts, ending) = (text.into(), thoughts.into(), ending.into());
    let answer = ModelAnswer { text, thoughts, ending, model, tokens_in: 0, tokens_out: 0, nano_usd: 0, ms: 0 };
    let question = ModelQuestion { voice: agent.as_str(), input: Json::of(&input) };
    let mut entry = question.answered(&answer, &shell.by_now().session, engine.clock().now());
    (entry.annals.usage, entry.operation.duration_ms) = (None, None);
    engine.note(vec![entry])?;
    Ok(())
}
