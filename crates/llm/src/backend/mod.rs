//! Those who answer, one folder or file each. All of them ask once, and nothing more.
//!
//! | backend | where | constrains by a schema | vectors |
//! |---|---|---|---|
//! | `openai` | a server with `/v1/chat/completions` | `response_format` | yes |
//! | `ollama` | Ollama by its own interface | `format` | yes |
//! | `anthropic` | a server with `/v1/messages` | `output_config.format` | no |
//! | `cli::claude_code` | the `claude` command | `--json-schema` | no |
//! | `cli::codex` | the `codex` command | `--output-schema` | no |
//! | `scripted` | a file | no | by words |
//! | `recorded` | what was recorded | no | no |

pub mod anthropic;
pub mod cli;
pub mod conversation;
pub mod ollama;
pub mod openai;
pub mod recorded;
pub mod scripted;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use anthropic::Anthropic;
use cli::{ClaudeCode, Codex};
use ollama::Ollama;
use openai::OpenAi;
use scripted::Scripted;

use crate::config::{BackendKind, BadModel, ModelConfig};
use crate::model::Model;
use crate::surroundings::Surroundings;
use crate::wire::http::{Http, KeyRule};

/// A model as it is configured. Opens no connection and starts nothing; a script is read.
pub fn configured(
    name: &str,
    config: &ModelConfig,
    surroundings: &Arc<dyn Surroundings>,
) -> Result<Arc<dyn Model>, BadModel> {
    Ok(match config.backend {
        BackendKind::OpenAi => Arc::new(OpenAi::new(name, config.clone(), surroundings)?),
        BackendKind::Ollama => Arc::new(Ollama::new(name, config.clone(), surroundings)?),
        BackendKind::Anthropic => Arc::new(Anthropic::new(name, config.clone(), surroundings)?),
        BackendKind::ClaudeCode => Arc::new(ClaudeCode::new(name, config.clone(), surroundings)?),
        BackendKind::Codex => Arc::new(Codex::new(name, config.clone(), surroundings)?),
        BackendKind::Scripted => {
            Arc::new(Scripted::open(name, config.file.as_deref().ok_or_else(|| config.missing("file"))?)?)
        }
    })
}

/// The server of a model, with the key in the header that such servers read.
fn server(config: &ModelConfig, key: KeyHeader, surroundings: &Arc<dyn Surroundings>) -> Result<Http, BadModel> {
    let address = match config.backend {
        BackendKind::OpenAi => config.address()?.versioned(),
        BackendKind::Ollama
        | BackendKind::Anthropic
        | BackendKind::ClaudeCode
        | BackendKind::Codex
        | BackendKind::Scripted => config.address()?,
    };
    let variable = config.key_variable()?.map(str::to_owned);
    let rule = variable.map(|variable| KeyRule { variable, header: key.header, prefix: key.prefix });
    Http::new(address, rule, surroundings.clone()).map_err(|error| BadModel::Client { reason: error.to_string() })
}

/// Where servers of a kind look for the key.
#[derive(Clone, Copy)]
struct KeyHeader {
    header: &'static str,
    prefix: &'static str,
}

impl KeyHeader {
    const BEARER: Self = Self { header: "authorization", prefix: "Bearer " };
    const API_KEY: Self = Self { header: "x-api-key", prefix: "" };
}
