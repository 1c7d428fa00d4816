//! One model: `[models.NAME]`.
//!
//! Checks what is written, and asks nobody whether it is so.

use serde::{Deserialize, Serialize};

use super::kind::{BackendKind, SchemaMode, ThinkOff};
use crate::budget::Price;
use crate::purpose::Place;
use crate::request::GenerateRequest;
use crate::wire::address::{Address, BadAddress};

/// One model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// Who answers.
    pub backend: BackendKind,
    /// Where. Ollama and Anthropic have a usual place.
    #[serde(default)]
    pub url: Option<String>,
    /// Which model, as the server calls it.
    #[serde(default)]
    pub model: Option<String>,
    /// Which model makes vectors, where it is another one.
    #[serde(default)]
    pub embed_model: Option<String>,
    /// What that one is told before each text that is kept, as in `search_document: `; many such models were trained so.
    #[serde(default)]
    pub embed_text_prefix: Option<String>,
    /// What it is told before a query, as in `search_query: `.
    #[serde(default)]
    pub embed_query_prefix: Option<String>,
    /// The variable that holds the key. The key itself is written down nowhere.
    #[serde(default)]
    pub key_variable: Option<String>,
    /// How many tokens it can look at.
    #[serde(default)]
    pub context: Option<u32>,
    /// How good it is beside the others; R4b's is at least as strong as R2's.
    #[serde(default)]
    pub strength: u32,
    /// Whether what listens at a local address hands questions on to a cloud, as gateways do.
    #[serde(default)]
    pub forwards: bool,
    /// How a schema reaches it.
    #[serde(default)]
    pub schema: SchemaMode,
    /// Whether it streams. Where it does not, the first byte comes with the last, and a stand-in is asked too soon.
    #[serde(default = "streams")]
    pub stream: bool,
    /// How it is told not to think; by default as its backend usually is.
    #[serde(default)]
    pub think_off: Option<ThinkOff>,
    /// Tokens on top of `max_tokens` where it thinks, asked or not.
    #[serde(default)]
    pub thinking_tokens: Option<u32>,
    /// The most calls at once.
    #[serde(default)]
    pub max_concurrent: Option<u32>,
    /// How long a call may take, retries included. Local models are slow: write more down for them.
    #[serde(default = "deadline_ms")]
    pub deadline_ms: u64,
    /// What a question costs, in thousandths of a dollar for a million tokens.
    #[serde(default)]
    pub price_in: Option<u64>,
    /// What an answer costs, in thousandths of a dollar for a million tokens.
    #[serde(default)]
    pub price_out: Option<u64>,
    /// The command, where it is not in the path under its usual name.
    #[serde(default)]
    pub program: Option<String>,
    /// The script's file.
    #[serde(default)]
    pub file: Option<String>,
    /// How long Ollama keeps the model in memory afterwards, as in `10m`.
    #[serde(default)]
    pub keep_alive: Option<String>,
}

/// Why a model cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadModel {
    /// A setting that its backend needs is not there.
    #[error("{backend} needs `{setting}`")]
    Missing {
        /// Its backend.
        backend: BackendKind,
        /// What it needs.
        setting: &'static str,
    },
    /// The address is none.
    #[error(transparent)]
    Address(#[from] BadAddress),
    /// The name is none; it may be a key, and is not repeated.
    #[error("`key_variable` is the name of a variable, not the key itself")]
    KeyVariable,
    /// The key would be readable on the way.
    #[error("a key is sent to another machine by https alone")]
    OpenKey,
    /// Its backend cannot be told like that.
    #[error("{backend} knows no `think_off` of {word}")]
    ThinkOff {
        /// Its backend.
        backend: BackendKind,
        /// The word.
        word: ThinkOff,
    },
    /// Its file cannot be read, or is no script.
    #[error("the script {file}: {reason}")]
    Script {
        /// Its path.
        file: String,
        /// Why.
        reason: String,
    },
    /// The client cannot be made.
    #[error("{reason}")]
    Client {
        /// Why.
        reason: String,
    },
}

fn streams() -> bool {
    true
}

fn deadline_ms() -> u64 {
    600_000
}

impl ModelConfig {
    /// With the defaults of everything else.
    pub fn new(backend: BackendKind) -> Self {
        let written = serde_json::json!({ "backend": backend });
        serde_json::from_value(written).expect("BUG: everything else has a default")
    }

    /// Where it is, for backends that have a place.
    pub fn address(&self) -> Result<Address, BadModel> {
        let usual = match self.backend {
            BackendKind::Ollama => Some("http://localhost:11434"),
            BackendKind::Anthropic => Some("https://api.anthropic.com"),
            BackendKind::OpenAi | BackendKind::ClaudeCode | BackendKind::Codex | BackendKind::Scripted => None,
        };
        let url = self.url.as_deref().or(usual).ok_or_else(|| self.missing("url"))?;
        let address = Address::parse(url)?;
        let is_open = !address.is_encrypted() && address.place() == Place::Cloud;
        if is_open && self.key_variable.is_some() { Err(BadModel::OpenKey) } else { Ok(address) }
    }

    /// Where it thinks. Command line tools ask a cloud; so does Ollama for models that it does not run itself.
    pub fn place(&self) -> Place {
        let is_handed_on = self.forwards || self.backend == BackendKind::Ollama && is_in_ollama_cloud(self.model());
        match self.backend {
            BackendKind::Scripted => Place::Local,
            BackendKind::ClaudeCode | BackendKind::Codex => Place::Cloud,
            BackendKind::OpenAi | BackendKind::Ollama | BackendKind::Anthropic if is_handed_on => Place::Cloud,
            BackendKind::OpenAi | BackendKind::Ollama | BackendKind::Anthropic => {
                self.address().map_or(Place::Cloud, |address| address.place())
            }
        }
    }

    /// Its name at the server; empty where none is written.
    pub fn model(&self) -> &str {
        self.model.as_deref().unwrap_or_default()
    }

    /// The name of what makes vectors at the server; empty where none is written.
    pub fn embed_model(&self) -> &str {
        self.embed_model.as_deref().unwrap_or(self.model())
    }

    /// The variable with the key, if there is one. A key in its place is noticed by what no name has.
    pub fn key_variable(&self) -> Result<Option<&str>, BadModel> {
        let is_name = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let name = self.key_variable.as_deref();
        if name.is_none_or(is_name) { Ok(name) } else { Err(BadModel::KeyVariable) }
    }

    /// How it is told not to think.
    pub fn think_off(&self) -> Result<ThinkOff, BadModel> {
        let word = self.think_off.unwrap_or(self.usual_think_off());
        let is_known = match self.backend {
            BackendKind::OpenAi => !matches!(word, ThinkOff::Disabled | ThinkOff::BetweenTools),
            BackendKind::Anthropic => {
                !matches!(word, ThinkOff::Template | ThinkOff::EffortNone | ThinkOff::EffortMinimal)
            }
            BackendKind::Ollama | BackendKind::ClaudeCode | BackendKind::Codex | BackendKind::Scripted => {
                self.think_off.is_none()
            }
        };
        if is_known { Ok(word) } else { Err(BadModel::ThinkOff { backend: self.backend, word }) }
    }

    /// Servers elsewhere refuse members that they do not know, so only local ones hear of templates.
    fn usual_think_off(&self) -> ThinkOff {
        match self.backend {
            BackendKind::OpenAi if self.place() == Place::Local => ThinkOff::Template,
            BackendKind::OpenAi | BackendKind::Scripted => ThinkOff::Unsaid,
            BackendKind::Ollama | BackendKind::Anthropic => ThinkOff::Disabled,
            BackendKind::ClaudeCode | BackendKind::Codex => ThinkOff::EffortLow,
        }
    }

    /// The most tokens of an answer, thoughts included.
    pub fn most_tokens(&self, request: &GenerateRequest) -> u32 {
        let usual = match self.backend {
            BackendKind::Anthropic | BackendKind::ClaudeCode => 4_096,
            BackendKind::OpenAi | BackendKind::Ollama | BackendKind::Codex | BackendKind::Scripted => 0,
        };
        let thinks = request.may_think || !self.think_off().is_ok_and(ThinkOff::is_complete);
        let thoughts = if thinks { self.thinking_tokens.unwrap_or(usual) } else { 0 };
        request.max_tokens.saturating_add(thoughts)
    }

    /// The most calls at once; a script answers everybody.
    pub fn max_concurrent(&self) -> Option<u32> {
        let usual = match (self.backend, self.place()) {
            (BackendKind::Scripted, _) => None,
            (BackendKind::ClaudeCode | BackendKind::Codex, _) | (_, Place::Local) => Some(2),
            (BackendKind::OpenAi | BackendKind::Ollama | BackendKind::Anthropic, Place::Cloud) => Some(8),
        };
        self.max_concurrent.map(|calls| calls.max(1)).or(usual)
    }

    /// What its tokens cost, if that is known.
    pub fn price(&self) -> Option<Price> {
        match (self.price_in, self.price_out, self.place()) {
            (None, None, Place::Cloud) => None,
            (tokens_in, tokens_out, _) => {
                Some(Price { nano_usd_in: tokens_in.unwrap_or(0), nano_usd_out: tokens_out.unwrap_or(0) })
            }
        }
    }

    /// A setting that its backend needs is not there.
    pub fn missing(&self, setting: &'static str) -> BadModel {
        BadModel::Missing { backend: self.backend, setting }
    }
}

/// Ollama hands models on to its own cloud whose tag ends so.
fn is_in_ollama_cloud(model: &str) -> bool {
    model.ends_with(":cloud") || model.ends_with("-cloud")
}
