//! The words of a model's table.

use annals_kernel::grounding::words;

words! {
    /// Who answers.
    pub enum BackendKind {
        /// A server with `/v1/chat/completions`: llama.cpp, vLLM, LM Studio, gateways.
        OpenAi = "openai",
        /// Ollama by its own interface.
        Ollama = "ollama",
        /// A server with `/v1/messages`.
        Anthropic = "anthropic",
        /// The `claude` command.
        ClaudeCode = "claude_code",
        /// The `codex` command.
        Codex = "codex",
        /// A file with answers.
        Scripted = "scripted",
    }
}

words! {
    /// How a schema reaches the model.
    #[derive(Default)]
    pub enum SchemaMode {
        /// The server constrains the answer to it.
        #[default]
        Constrained = "constrained",
        /// It is written into the prompt, for servers that cannot.
        Prompted = "prompted",
    }
}

words! {
    /// How a model is told not to think. Which word a model takes differs from model to model; a wrong one is refused
    /// by most servers with a status of 400.
    pub enum ThinkOff {
        /// It is not told.
        Unsaid = "unsaid",
        /// By a variable of its chat template (`enable_thinking`): llama.cpp, vLLM.
        Template = "template",
        /// By `reasoning_effort` none.
        EffortNone = "effort_none",
        /// By `reasoning_effort` minimal.
        EffortMinimal = "effort_minimal",
        /// By the lowest effort, where thoughts cannot be turned off.
        EffortLow = "effort_low",
        /// By `thinking` of type disabled.
        Disabled = "disabled",
        /// By `thinking` of type between_tools.
        BetweenTools = "between_tools",
    }
}

impl ThinkOff {
    /// Whether no thought is left then.
    pub fn is_complete(self) -> bool {
        match self {
            Self::Template | Self::EffortNone | Self::Disabled | Self::BetweenTools => true,
            Self::Unsaid | Self::EffortMinimal | Self::EffortLow => false,
        }
    }
}
