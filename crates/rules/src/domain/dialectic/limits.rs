//! Thresholds and lists of the dialectic layer (decision 37).

use annals_kernel::settings::{AnySetting, Setting, Weakens};
use annals_kernel::share::Share;

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

/// Dialectic, "Query Before Each Attempt".
pub static DEBATE_AFTER: Setting<u32> =
    Setting::new("dialectic.debate_after_failures", || 2, "So many failures in a row make a debate due")
        .weakening(Weakens::WhenHigher);
/// Dialectic, "Query Before Each Attempt".
pub static ESCALATE_AFTER: Setting<u32> =
    Setting::new("dialectic.escalate_after_failures", || 3, "So many failures in a row hand the task to a person")
        .weakening(Weakens::WhenHigher);
/// Dialectic, "Synthesis Rules"; decision 26b.
pub static ATTEMPTS_AFTER_FAILURE: Setting<u8> =
    Setting::new("dialectic.attempts_after_failure_debate", || 1, "Attempts after a debate about failures")
        .weakening(Weakens::WhenHigher);
/// Decision 26b.
pub static ATTEMPTS_AFTER_MODIFY: Setting<u8> =
    Setting::new("dialectic.attempts_after_modify", || 2, "Attempts after a plan was changed by its debate")
        .weakening(Weakens::WhenHigher);
/// Decision 26.
pub static STALE_HOURS: Setting<u32> =
    Setting::new("dialectic.stale_hours", || 24, "Failures older than this are called stale; they count on");
/// Dialectic, "Response limits".
pub static ADVOCATE_TOKENS: Setting<u32> =
    Setting::new("dialectic.advocate_max_tokens", || 500, "How long the advocate may speak, in tokens");
/// Dialectic, "Response limits".
pub static CRITIC_TOKENS: Setting<u32> =
    Setting::new("dialectic.critic_max_tokens", || 500, "How long the critic may speak, in tokens");
/// Dialectic, "Response limits".
pub static SYNTHESIS_TOKENS: Setting<u32> =
    Setting::new("dialectic.synthesis_max_tokens", || 200, "How long a resolution may be, in tokens");
/// A plain rule in place of a model's own count.
pub static CHARS_PER_TOKEN: Setting<u32> =
    Setting::new("dialectic.chars_per_token", || 4, "So many characters are taken for a token");
/// Dialectic, "Synthesis Rules".
pub static CONFIDENT: Setting<Share> = Setting::new(
    "dialectic.proceed_confidence",
    || Share::thousandths(800),
    "An advocate this sure goes on against a slight objection",
)
.weakening(Weakens::WhenLower);
/// Decision 26a.
pub static BULK_FILES: Setting<u32> =
    Setting::new("dialectic.bulk_files", || 10, "Work on more files than this is of medium stakes")
        .weakening(Weakens::WhenHigher);
/// How alike two tasks are when somebody is asked whether they are one.
pub static SIMILAR: Setting<Share> = Setting::new(
    "dialectic.similar_tasks",
    || Share::thousandths(600),
    "Tasks that share this much of their words may be the same: the gate asks",
)
.weakening(Weakens::WhenHigher);
/// Fewer debates than that say nothing.
pub static REPORT_LEAST: Setting<u32> =
    Setting::new("dialectic.report_least", || 5, "With fewer known outcomes than this a rate is unknown");

/// Decision 26a: destructive.
pub static DESTRUCTIVE: Setting<Vec<String>> = Setting::new(
    "dialectic.destructive_words",
    || {
        words(&[
            "delete", "drop", "truncate", "wipe", "purge", "destroy", "erase", "force push", "force-push",
            "push --force", "rm -rf", "reset --hard", "irreversible", "irreversibly", "format disk",
        ])
    },
    "Words that make the stakes high: something is destroyed",
)
.weakening(Weakens::Always);
/// Decision 26a: deploy or production.
pub static PRODUCTION: Setting<Vec<String>> = Setting::new(
    "dialectic.production_words",
    || words(&["deploy", "deployment", "production", "prod", "rollout", "go live"]),
    "Words that make the stakes high: others feel it",
)
.weakening(Weakens::Always);
/// Decision 26a: security or credentials.
pub static SECURITY: Setting<Vec<String>> = Setting::new(
    "dialectic.security_words",
    || {
        words(&[
            "security", "credential", "credentials", "password", "passwords", "secret", "secrets", "api key",
            "api keys", "private key", "private keys", "certificate", "certificates", "firewall",
        ])
    },
    "Words that make the stakes high: security, credentials",
)
.weakening(Weakens::Always);
/// Decision 26a: an ambiguous request.
pub static VAGUE: Setting<Vec<String>> = Setting::new(
    "dialectic.vague_words",
    || words(&["something", "somehow", "everything", "anything", "stuff", "whatever", "as needed", "clean up", "etc"]),
    "Words that make the stakes medium: it is not clear what is meant",
)
.weakening(Weakens::Always);
/// Decision 26a: read-only.
pub static READ_ONLY: Setting<Vec<String>> = Setting::new(
    "dialectic.read_only_words",
    || {
        words(&[
            "show", "list", "explain", "describe", "summarize", "summarise", "find", "search", "what", "why", "how",
            "where", "who", "when", "which", "read", "print", "count", "compare",
        ])
    },
    "A request that begins with one of these changes nothing",
)
.weakening(Weakens::Always);
/// Decision 26a: the user said to just do it.
pub static JUST_DO_IT: Setting<Vec<String>> = Setting::new(
    "dialectic.just_do_it_phrases",
    || words(&["just do it", "do it anyway", "no debate", "without debate"]),
    "Phrases that say that nothing is to be argued",
)
.weakening(Weakens::Always);
/// Dialectic, "Staleness Reset Logic": begin anew.
pub static FRESH: Setting<Vec<String>> = Setting::new(
    "dialectic.fresh_phrases",
    || {
        words(&[
            "start fresh", "start over", "start from scratch", "try different approach", "try a different approach",
            "try another approach", "ignore previous attempts", "ignore the previous attempts",
        ])
    },
    "Phrases of a person that end a count of failures: begin anew",
)
.weakening(Weakens::Always);
/// Dialectic, "Staleness Reset Logic": the environment changed. At the beginning of a sentence the "i" may be missing.
pub static CHANGED: Setting<Vec<String>> = Setting::new(
    "dialectic.changed_phrases",
    || {
        words(&[
            "i fixed", "i have fixed", "ive fixed", "we fixed", "i updated", "i have updated", "ive updated",
            "we updated", "i installed", "i have installed", "ive installed", "i changed", "i have changed",
            "ive changed", "i restarted", "i have restarted", "ive restarted", "i added", "i have added", "ive added",
        ])
    },
    "Phrases of a person that end a count of failures: something has changed",
)
.weakening(Weakens::Always);

/// All of them.
pub const SETTINGS: &[&dyn AnySetting] = &[
    &DEBATE_AFTER, &ESCALATE_AFTER, &ATTEMPTS_AFTER_FAILURE, &ATTEMPTS_AFTER_MODIFY, &STALE_HOURS, &ADVOCATE_TOKENS,
    &CRITIC_TOKENS, &SYNTHESIS_TOKENS, &CHARS_PER_TOKEN, &CONFIDENT, &BULK_FILES, &SIMILAR, &REPORT_LEAST,
    &DESTRUCTIVE, &PRODUCTION, &SECURITY, &VAGUE, &READ_ONLY, &JUST_DO_IT, &FRESH, &CHANGED,
];
