//! The words of an issue: where it is in its life, how well founded, how important, how linked, what of it can be edited.

use annals_kernel::grounding::words;

words! {
    /// Where an issue is in its life.
    pub enum IssueStatus {
        /// It waits.
        Open = "open",
        /// Somebody works on it.
        InProgress = "in_progress",
        /// The discussion is stopped (control-room 3.3).
        Frozen = "frozen",
        /// It ended with a decision.
        Resolved = "resolved",
        /// It ended without one.
        Closed = "closed",
    }
}

impl IssueStatus {
    /// Whether it has ended.
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Resolved | Self::Closed)
    }
}

words! {
    /// How well founded an issue is (control-room 6.1), the least first.
    #[derive(Default)]
    pub enum EpistemicStatus {
        /// A raw idea.
        #[default]
        Draft = "draft",
        /// An agent finds it plausible.
        Tentative = "tentative",
        /// Two agents, or an agent and the user, do.
        Agreed = "agreed",
        /// It holds in the project.
        Canon = "canon",
    }
}

words! {
    /// How much an issue matters, the least first.
    #[derive(Default)]
    pub enum IssuePriority {
        /// It can wait.
        Low = "low",
        /// As most do.
        #[default]
        Normal = "normal",
        /// Before others.
        High = "high",
        /// Now.
        Critical = "critical",
    }
}

words! {
    /// How one issue depends on another.
    pub enum LinkKind {
        /// The other waits for it.
        Blocks = "blocks",
        /// The other is the whole of which it is a part.
        Parent = "parent",
        /// It was found while working on the other.
        DiscoveredFrom = "discovered-from",
        /// They have to do with each other.
        Related = "related",
    }
}

words! {
    /// Whether an issue led to anything real (control-room 8.1).
    pub enum Usefulness {
        /// It was applied in the work.
        Applied = "applied",
        /// It has nothing to do with the work.
        Irrelevant = "irrelevant",
    }
}

words! {
    /// The words of an issue that its author may change.
    pub enum IssuePart {
        /// The line that says what it is about.
        Title = "title",
        /// The text below it.
        Text = "text",
    }
}
