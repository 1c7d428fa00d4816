//! What can be configured of the control loop: the solver's weights and thresholds, and how much a task may use
//! (artoo, "Loss Hyperparameters"; decision 37).

use annals_kernel::settings::{outside, settings};
use annals_kernel::share::Share;

/// No run is longer, in milliseconds: a day.
const MOST_MS: u64 = 86_400_000;

fn positive(share: &Share) -> Option<String> {
    (*share == Share::NONE).then(|| "0 would decide every round alike".to_owned())
}

settings! {
    /// Artoo, α.
    ALPHA: Share = Share::thousandths(600), "ggs.alpha",
        "how much the distance D weighs; with the greater of beta and lambda at most 1", weakens Never;
    /// Artoo, β.
    BETA: Share = Share::thousandths(300), "ggs.beta",
        "how much the process P weighs while nothing of the budget is used", weakens Never;
    /// Artoo, λ.
    LAMBDA: Share = Share::thousandths(400), "ggs.lambda", "how much the cost Omega weighs", weakens Never;
    /// Artoo, w₁.
    W1: Share = Share::thousandths(600), "ggs.w1", "the part of Omega that comes from replans", weakens Never;
    /// Artoo, w₂.
    W2: Share = Share::thousandths(400), "ggs.w2", "the part of Omega that comes from elapsed time", weakens Never;
    /// Artoo, ε.
    EPSILON: Share = Share::thousandths(100), "ggs.epsilon",
        "a gradient of the loss nearer to 0 than this is a plateau", unless positive, weakens Never;
    /// Artoo, δ.
    DELTA: Share = Share::thousandths(300), "ggs.delta",
        "a distance D up to this ends a task as a success", weakens WhenHigher;
    /// Artoo, ρ.
    RHO: Share = Share::thousandths(500), "ggs.rho", "a P above this means that the approach is wrong", weakens Never;
    /// Artoo, θ.
    THETA: Share = Share::thousandths(800), "ggs.theta",
        "a cost Omega from this on ends a task", unless positive, weakens WhenHigher;
    /// Artoo, maxReplans.
    MAX_REPLANS: u32 = 3, "ggs.max_replans", "how often a task is planned anew",
        unless |most| outside(most, &1, &100), weakens WhenHigher;
    /// Artoo, `time_budget_ms`.
    TIME_BUDGET_MS: u64 = 300_000, "ggs.time_budget_ms",
        "how long a task may take, in milliseconds, where a model writes 50 tokens a second; of a slower one more",
        unless |most| outside(most, &1000, &MOST_MS), weakens WhenHigher;
    /// Artoo, Law 2.
    LAW2_ROUNDS: u32 = 2, "ggs.law2_rounds", "how many worsening rounds in a row end a task",
        unless |most| outside(most, &1, &100), weakens WhenHigher;
    /// Artoo R4a, maxRetries.
    MAX_RETRIES: u32 = 2, "tasks.max_retries", "how often a subtask is tried again before it has failed",
        unless |most| outside(most, &0, &10), weakens WhenHigher;
    /// A model that cannot answer in form is asked again so often.
    MAX_UNREADABLE: u32 = 2, "tasks.max_unreadable",
        "how often a model is asked again whose answer could not be read",
        unless |most| outside(most, &0, &10), weakens Never;
    /// What one subtask may ask.
    MAX_ANSWERS: u32 = 12, "tasks.max_answers", "how many answers of a model one attempt at a subtask may use",
        unless |most| outside(most, &1, &200), weakens WhenHigher;
    /// What one subtask may do.
    MAX_CALLS: u32 = 40, "tasks.max_calls", "how many tool calls one attempt at a subtask may make",
        unless |most| outside(most, &1, &1000), weakens WhenHigher;
    /// What one task may use.
    MAX_TOKENS: u64 = 0, "tasks.max_tokens", "how many tokens a task may use; 0: as many as it needs", weakens Never;
}
