//! What a model is asked for, and what that allows (AFS 5.5, and the roles of artoo).
//!
//! Names no model: which one serves a purpose stands in the configuration.

use annals_kernel::grounding::words;

words! {
    /// What a model is asked for.
    pub enum Purpose {
        /// The analysis `eval`.
        Eval = "eval",
        /// The analysis `tom`: who knows what.
        Tom = "tom",
        /// The analysis `metrics`, which counts and asks nobody.
        Metrics = "metrics",
        /// The analysis `critic`.
        Critic = "critic",
        /// The analysis `emotional`: private.
        Emotional = "emotional",
        /// The analysis `synergy`.
        Synergy = "synergy",
        /// The analysis `review`.
        Review = "review",
        /// The analysis `documentation`: private.
        Documentation = "documentation",
        /// R1.
        Perceiver = "perceiver",
        /// R2.
        Planner = "planner",
        /// R3.
        Executor = "executor",
        /// R4a.
        AgentValidator = "agent_validator",
        /// R4b.
        MetaValidator = "meta_validator",
        /// R2's draft when R7 gives up.
        Draft = "draft",
        /// The two dimensions of homeostasis that no rule can judge.
        Homeostasis = "homeostasis",
        /// A summary of a session.
        Summary = "summary",
        /// R5's procedures and constraints, out of megrams.
        Distil = "distil",
        /// The vote of a council member.
        Council = "council",
        /// A speech in a debate, or its arbitration.
        Debate = "debate",
        /// Advocate and critic of a dialectic.
        Dialectic = "dialectic",
        /// Claims for canon.
        Canon = "canon",
        /// The resident agent's answer.
        Resident = "resident",
        /// Vectors for search.
        Embedding = "embedding",
        /// A person's own question.
        Ask = "ask",
    }
}

words! {
    /// Where a model thinks.
    pub enum Place {
        /// On this machine or in its private network.
        Local = "local",
        /// Anywhere else.
        Cloud = "cloud",
    }
}

words! {
    /// Whom a purpose may ask.
    pub enum Audience {
        /// Nobody.
        Nobody = "nobody",
        /// A local model, and never another (AFS 5.5: for privacy).
        LocalOnly = "local_only",
        /// Any model that the person configured.
        Any = "any",
    }
}

impl Purpose {
    /// Whom it may ask.
    pub fn audience(self) -> Audience {
        match self {
            Self::Metrics => Audience::Nobody,
            Self::Emotional | Self::Documentation => Audience::LocalOnly,
            Self::Eval
            | Self::Tom
            | Self::Critic
            | Self::Synergy
            | Self::Review
            | Self::Perceiver
            | Self::Planner
            | Self::Executor
            | Self::AgentValidator
            | Self::MetaValidator
            | Self::Draft
            | Self::Homeostasis
            | Self::Summary
            | Self::Distil
            | Self::Council
            | Self::Debate
            | Self::Dialectic
            | Self::Canon
            | Self::Resident
            | Self::Embedding
            | Self::Ask => Audience::Any,
        }
    }
}

impl Audience {
    /// Whether a model at that place may hear it.
    pub fn may_ask(self, place: Place) -> bool {
        match self {
            Self::Nobody => false,
            Self::LocalOnly => place == Place::Local,
            Self::Any => true,
        }
    }
}
