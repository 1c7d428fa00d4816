//! What can be asked of a blind pass.

use std::collections::BTreeSet;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::grounding::Stance;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::json::sha256_hex;
use annals_kernel::model_word::ModelWord;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of a blind pass.
    pub enum Command each {
        /// On which issue.
        issue: IssueId as &IssueId
    } {
        /// Ask agents for their opinion on an issue, each by itself.
        Open = "blind.pass.open" {
            /// Who is asked.
            #[always]
            participants: BTreeSet<AgentId>,
        },
        // Its seal is observed; its text is not there.
        /// Give one's opinion, sealed.
        Submit = "blind.opinion.submit" {
            /// Whose; none: the actor's. The user brings in what a model said for an agent that is asked.
            agent: Option<AgentId>,
        },
        /// Wait no longer.
        Close = "blind.pass.close" {},
        // The opinion is observed, where it is found.
        /// Bring the text of a sealed opinion, when the pass is closed.
        Reveal = "blind.opinion.reveal" {
            /// Whose.
            agent: AgentId,
        },
    }
}

/// An opinion, with what keeps its hash from being guessed.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opinion {
    /// Chance.
    pub salt: Box<str>,
    /// For, against, or neither.
    pub stance: Stance,
    /// Markdown.
    pub body: Box<str>,
    /// What the model said, where the opinion is one's.
    pub model: Option<ModelWord>,
}

impl Opinion {
    /// What is recorded in its place until the pass is closed. It fits no other issue and no other agent.
    pub fn seal(&self, issue: &IssueId, agent: &AgentId) -> Box<str> {
        let model =
            self.model.as_ref().map(|word| serde_json::to_string(word).expect("BUG: a word does not serialize"));
        let parts = [issue.as_str(), agent.as_str(), &self.salt, self.stance.as_str(), &self.body];
        let parts: Vec<&str> = parts.into_iter().chain(model.as_deref()).collect();
        let text = serde_json::to_string(&parts).expect("BUG: texts do not serialize");
        sha256_hex(text.as_bytes()).into()
    }
}

/// What was found out for a command before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// For `blind.opinion.submit`: the hash of the opinion.
    pub seal: Option<Box<str>>,
    /// For `blind.opinion.reveal`: the opinion; none where its text is gone.
    pub opinion: Option<Opinion>,
    /// For `blind.opinion.submit`: how a model was asked, where it was; its answer is sealed, too.
    pub model: Option<ModelWord>,
}
