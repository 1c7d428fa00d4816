//! The groups in which help shows the commands: a table, and nothing else.

/// Commands that belong together.
pub(super) struct Group {
    /// What they are for.
    pub title: &'static str,
    /// Their names.
    pub commands: &'static [&'static str],
}

/// What a project needs first.
pub(super) const START: Group = Group {
    title: "Start here",
    commands: &["init", "setup", "import", "session", "log", "stats", "search", "verify"],
};

/// Everything else.
pub(super) const GROUPS: [Group; 6] = [
    Group {
        title: "Record and read",
        commands: &["status", "show", "why", "state", "analyse", "reflect", "render", "exec", "record", "hook"],
    },
    Group {
        title: "Agents and issues",
        commands: &[
            "agent", "issue", "advocate", "blind", "credit", "goal", "milestone", "health", "moderate", "topic",
            "notice", "swarm", "prime", "voice", "mute", "unmute", "council", "debate",
        ],
    },
    Group {
        title: "Learnt",
        commands: &["recall", "remember", "forget", "canon", "hivemind", "memory", "knowledge", "cognition"],
    },
    Group {
        title: "Acting",
        commands: &["run", "task", "message", "resident", "scenario", "model", "audit", "tune", "ggs", "triggers"],
    },
    Group {
        title: "Proof",
        commands: &["blame", "evidence", "replay", "seal", "trust", "history", "scrub", "sanitize"],
    },
    Group {
        title: "Upkeep",
        commands: &["config", "access", "doctor", "archive", "schema", "completions", "man", "demo", "help", "mcp"],
    },
];
