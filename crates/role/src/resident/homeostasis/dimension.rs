//! The scales, and where on them one can stand (Galatea, track 2).
//!
//! Words only. `self_preservation` is no `Dimension`: it is shown apart, and nobody can override it (decision 68).

use annals_kernel::grounding::words;

words! {
    /// A scale. What they are is the source's.
    pub enum Dimension {
        /// Whether enough is known for what is asked.
        KnowledgeSufficiency = "knowledge_sufficiency",
        /// Whether the confidence fits the action.
        CertaintyAlignment = "certainty_alignment",
        /// Whether things move.
        ProgressMomentum = "progress_momentum",
        /// Whether others hear enough of it, and not too much.
        CommunicationHealth = "communication_health",
        /// Whether there is something to do.
        ProductiveEngagement = "productive_engagement",
        /// Whether learning and doing are in balance.
        KnowledgeApplication = "knowledge_application",
    }
}

words! {
    /// A scale that a model is asked for.
    pub enum AskedDimension {
        /// Whether the confidence fits the action.
        CertaintyAlignment = "certainty_alignment",
        /// Whether learning and doing are in balance.
        KnowledgeApplication = "knowledge_application",
    }
}

words! {
    /// Where one stands.
    pub enum DimensionState {
        /// Too little of it.
        Low = "LOW",
        /// As it should be.
        Healthy = "HEALTHY",
        /// Too much of it.
        High = "HIGH",
    }
}

impl From<AskedDimension> for Dimension {
    fn from(asked: AskedDimension) -> Self {
        match asked {
            AskedDimension::CertaintyAlignment => Self::CertaintyAlignment,
            AskedDimension::KnowledgeApplication => Self::KnowledgeApplication,
        }
    }
}
