//! Families of tokenizers, and which one a model has.
//!
//! By name alone: nothing is looked up.

use annals_kernel::grounding::words;

words! {
    /// Models whose tokens are alike.
    pub enum TokenFamily {
        /// `OpenAI` since GPT-4o, gpt-oss too.
        Gpt = "gpt",
        /// Claude 3 to 4.6.
        Claude = "claude",
        /// Claude from 4.7 on.
        ClaudeNew = "claude_new",
        /// Qwen 2.5 and 3.
        Qwen = "qwen",
        /// Gemma 3, and Gemini.
        Gemma = "gemma",
        /// Llama 3.
        Llama = "llama",
        /// `DeepSeek` V3 and R1.
        Deepseek = "deepseek",
        /// Any other.
        Unknown = "unknown",
    }
}

/// Parts of names. What was distilled into another model has that one's tokens, so those stand first.
const NAMES: [(&str, TokenFamily); 12] = [
    ("qwen", TokenFamily::Qwen),
    ("qwq", TokenFamily::Qwen),
    ("llama", TokenFamily::Llama),
    ("deepseek", TokenFamily::Deepseek),
    ("gemma", TokenFamily::Gemma),
    ("gemini", TokenFamily::Gemma),
    ("gpt", TokenFamily::Gpt),
    ("codex", TokenFamily::Gpt),
    ("claude", TokenFamily::ClaudeNew),
    ("opus", TokenFamily::ClaudeNew),
    ("sonnet", TokenFamily::ClaudeNew),
    ("haiku", TokenFamily::ClaudeNew),
];

/// The first version of Claude with the new tokens.
const NEW_CLAUDE: [u32; 2] = [4, 7];

impl TokenFamily {
    /// Of a model, by its name: `qwen2.5-coder:1.5b`, `claude-sonnet-4-6`, `sonnet`.
    pub fn of_model(name: &str) -> Self {
        let name = name.to_lowercase();
        let known = NAMES.iter().find(|(part, _)| name.contains(part)).map(|(_, family)| *family);
        let is_old = version(&name).is_some_and(|version| version < NEW_CLAUDE);
        match known {
            Some(Self::ClaudeNew) if is_old => Self::Claude,
            Some(family) => family,
            None if is_o_series(&name) => Self::Gpt,
            None => Self::Unknown,
        }
    }

    /// Tokens around a message: who says it, where it begins and ends. Measured on records of agents.
    pub(super) fn around_message(self) -> u64 {
        match self {
            Self::Claude => 10,
            Self::ClaudeNew => 8,
            Self::Gpt | Self::Qwen | Self::Gemma | Self::Llama | Self::Deepseek | Self::Unknown => 4,
        }
    }

    /// Tokens around a call of a tool, or around its result; measured likewise.
    pub(super) fn around_call(self) -> u64 {
        match self {
            Self::Claude => 34,
            Self::ClaudeNew => 40,
            Self::Gpt | Self::Qwen | Self::Gemma | Self::Llama | Self::Deepseek | Self::Unknown => 10,
        }
    }
}

/// The first two numbers of a name, without dates: 4 and 6 of `claude-sonnet-4-6-20260203`.
fn version(name: &str) -> Option<[u32; 2]> {
    let numbers = name.split(|letter: char| !letter.is_ascii_digit()).filter(|part| (1..=2).contains(&part.len()));
    let mut numbers = numbers.filter_map(|part| part.parse().ok());
    Some([numbers.next()?, numbers.next().unwrap_or(0)])
}

/// `o1`, `o3-mini`, `openai/o4`.
fn is_o_series(name: &str) -> bool {
    let own = name.rsplit('/').next().unwrap_or(name);
    own.strip_prefix('o').is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()))
}
