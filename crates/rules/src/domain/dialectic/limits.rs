//! Thresholds and lists of the dialectic layer (decision 37).

use super::command::AtDestructive;
use annals_kernel::settings::settings;
use annals_kernel::share::Share;

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

settings! {
    /// Dialectic, "Query Before Each Attempt".
    DEBATE_AFTER: u32 = 2, "dialectic.debate_after_failures",
        "So many failures in a row make a debate due", weakens WhenHigher;
    /// Dialectic, "Query Before Each Attempt".
    ESCALATE_AFTER: u32 = 3, "dialectic.escalate_after_failures",
        "So many failures in a row hand the task to a person", weakens WhenHigher;
    /// Dialectic, "Synthesis Rules"; decision 26b.
    ATTEMPTS_AFTER_FAILURE: u8 = 1, "dialectic.attempts_after_failure_debate",
        "Attempts after a debate about failures", weakens WhenHigher;
    /// Decision 26b.
    ATTEMPTS_AFTER_MODIFY: u8 = 2, "dialectic.attempts_after_modify",
        "Attempts after a plan was changed by its debate", weakens WhenHigher;
    /// Decision 26.
    STALE_HOURS: u32 = 24, "dialectic.stale_hours", "Failures older than this are called stale; they count on",
        weakens Never;
    /// Dialectic, "Response limits".
    ADVOCATE_TOKENS: u32 = 500, "dialectic.advocate_max_tokens", "How long the advocate may speak, in tokens",
        weakens Never;
    /// Dialectic, "Response limits".
    CRITIC_TOKENS: u32 = 500, "dialectic.critic_max_tokens", "How long the critic may speak, in tokens", weakens Never;
    /// Dialectic, "Response limits".
    SYNTHESIS_TOKENS: u32 = 200, "dialectic.synthesis_max_tokens", "How long a resolution may be, in tokens",
        weakens Never;
    /// A plain rule in place of a model's own count.
    CHARS_PER_TOKEN: u32 = 4, "dialectic.chars_per_token", "So many characters are taken for a token", weakens Never;
    /// Dialectic, "Synthesis Rules".
    CONFIDENT: Share = Share::thousandths(800), "dialectic.proceed_confidence",
        "An advocate this sure goes on against a slight objection", weakens WhenLower;
    /// Decision 26a.
    BULK_FILES: u32 = 10, "dialectic.bulk_files",
        "Work on more files than this is of medium stakes", weakens WhenHigher;
    /// How alike two tasks are when somebody is asked whether they are one.
    SIMILAR: Share = Share::thousandths(600), "dialectic.similar_tasks",
        "Tasks that share this much of their words may be the same: the gate asks", weakens WhenHigher;
    /// Fewer debates than that say nothing.
    REPORT_LEAST: u32 = 5, "dialectic.report_least", "With fewer known outcomes than this a rate is unknown",
        weakens Never;
    /// A word costs little; to hold agents up is the person's to choose.
    AT_DESTRUCTIVE: AtDestructive = AtDestructive::Tell, "dialectic.destructive_commands",
        "what becomes of a command that is hard to undo and that no debate covers: off, tell (the agent), ask (the person) or deny",
        weakens Always;
    /// A plan of yesterday is another day's.
    COVER_HOURS: u32 = 24, "dialectic.covers_hours", "So many hours a debate covers the commands of its task",
        weakens WhenHigher;
    /// Decision 26a: destructive.
    DESTRUCTIVE: Vec<String> = words(&[
        "delete", "drop", "truncate", "wipe", "purge", "destroy", "erase", "force push", "force-push",
        "push --force", "rm -rf", "reset --hard", "irreversible", "irreversibly", "format disk",
    ]), "dialectic.destructive_words", "Words that make the stakes high: something is destroyed", weakens Always;
    /// Decision 26a: deploy or production.
    PRODUCTION: Vec<String> = words(&["deploy", "deployment", "production", "prod", "rollout", "go live"]),
        "dialectic.production_words", "Words that make the stakes high: others feel it", weakens Always;
    /// Decision 26a: security or credentials.
    SECURITY: Vec<String> = words(&[
        "security", "credential", "credentials", "password", "passwords", "secret", "secrets", "api key",
        "api keys", "private key", "private keys", "certificate", "certificates", "firewall",
        "ssh key", "passcode", "2fa", "mfa",
    ]), "dialectic.security_words", "Words that make the stakes high: security, credentials", weakens Always;
    /// Decision 26a: an ambiguous request.
    VAGUE: Vec<String> =
        words(&["something", "somehow", "everything", "anything", "stuff", "whatever", "as needed", "clean up", "etc"]),
        "dialectic.vague_words",
        "Words that make the stakes medium: it is not clear what is meant", weakens Always;
    /// Decision 26a: read-only.
    READ_ONLY: Vec<String> = words(&[
        "show", "list", "explain", "describe", "summarize", "summarise", "find", "search", "what", "why", "how",
        "where", "who", "when", "which", "read", "print", "count", "compare",
    ]), "dialectic.read_only_words", "A request that begins with one of these changes nothing", weakens Always;
    /// Decision 26a: the user said to just do it.
    JUST_DO_IT: Vec<String> = words(&["just do it", "do it anyway", "no debate", "without debate"]),
        "dialectic.just_do_it_phrases", "Phrases that say that nothing is to be argued", weakens Always;
    /// Dialectic, "Staleness Reset Logic": begin anew.
    FRESH: Vec<String> = words(&[
        "start fresh", "start over", "start from scratch", "try different approach", "try a different approach",
        "try another approach", "ignore previous attempts", "ignore the previous attempts",
    ]), "dialectic.fresh_phrases", "Phrases of a person that end a count of failures: begin anew", weakens Always;
    /// Dialectic, "Staleness Reset Logic": the environment changed. At the beginning of a sentence the "i" may be missing.
    CHANGED: Vec<String> = words(&[
        "i fixed", "i have fixed", "ive fixed", "we fixed", "i updated", "i have updated", "ive updated",
        "we updated", "i installed", "i have installed", "ive installed", "i changed", "i have changed",
        "ive changed", "i restarted", "i have restarted", "ive restarted", "i added", "i have added", "ive added",
    ]), "dialectic.changed_phrases",
        "Phrases of a person that end a count of failures: something has changed", weakens Always;
}
