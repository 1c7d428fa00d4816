//! What rules can read of the seven scales (Galatea, track 2, and the cases that came with it).
//!
//! A scale of which the rules know nothing is HEALTHY by `fallback`, and a model may be asked for it.

use std::collections::BTreeMap;

use super::agent_context::{AgentContext, MessageTrust, PhaseName, RetrievedFact, WorkItem};
use super::assessment::{Assessed, HomeostasisAssessment};
use super::destructive::is_destructive;
use super::dimension::{Dimension, DimensionState};
use super::limits::HomeostasisLimits;
use super::stuck::is_stuck;
use super::wording::{content_words, shared};
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// Where the agent stands, as far as rules can tell.
pub fn assess_by_rule(context: &AgentContext, now: Timestamp, limits: &HomeostasisLimits) -> HomeostasisAssessment {
    let read = |dimension: &Dimension| (*dimension, of(*dimension, context, now, limits));
    let dimensions: BTreeMap<_, _> = Dimension::ALL.iter().map(read).collect();
    let self_preservation = Assessed::computed(self_preservation(context, limits));
    HomeostasisAssessment { assessed_at: now, dimensions, self_preservation }
}

fn of(dimension: Dimension, context: &AgentContext, now: Timestamp, limits: &HomeostasisLimits) -> Assessed {
    match dimension {
        Dimension::KnowledgeSufficiency => Assessed::computed(knowledge_sufficiency(context, limits)),
        Dimension::CertaintyAlignment => certainty_alignment(context),
        Dimension::ProgressMomentum => Assessed::computed(progress_momentum(context, now, limits)),
        Dimension::CommunicationHealth => Assessed::computed(communication_health(context, now, limits)),
        Dimension::ProductiveEngagement => Assessed::computed(productive_engagement(context, now, limits)),
        Dimension::KnowledgeApplication => knowledge_application(context, now, limits),
    }
}

/// A greeting asks for none, and facts about something else are none.
fn knowledge_sufficiency(context: &AgentContext, limits: &HomeostasisLimits) -> DimensionState {
    let asked = content_words(&context.message);
    if asked.len() < limits.fewest_words {
        return DimensionState::Healthy;
    }
    let is_alike = |fact: &RetrievedFact| {
        let shared = shared(&asked, &content_words(&fact.content));
        shared >= limits.shared_words || shared > 0 && shared * 3 >= asked.len()
    };
    let is_relevant = |fact: &&RetrievedFact| {
        fact.relevance.map_or_else(|| is_alike(fact), |relevance| relevance >= limits.relevant_from)
    };
    let confidence = context.facts.iter().filter(is_relevant).map(|fact| u32::from(fact.confidence.in_thousandths()));
    match confidence.fold(0, u32::saturating_add) {
        0 => DimensionState::Low,
        sure if sure >= limits.ample_confidence => DimensionState::High,
        _ => DimensionState::Healthy,
    }
}

/// Where nothing was asked and nothing is about to be done, there is no confidence to be wrong.
fn certainty_alignment(context: &AgentContext) -> Assessed {
    let is_idle = context.is_quiet() && context.intended_action.is_none();
    if is_idle { Assessed::computed(DimensionState::Healthy) } else { Assessed::fallback() }
}

fn progress_momentum(context: &AgentContext, now: Timestamp, limits: &HomeostasisLimits) -> DimensionState {
    let is_stale = context.work_items.iter().any(|item| is_stale(item, now, limits));
    if is_stale || is_stuck(context, limits) { DimensionState::Low } else { DimensionState::Healthy }
}

/// What was said a moment ago outweighs what is overdue; to what is asked an answer is never too much.
fn communication_health(context: &AgentContext, now: Timestamp, limits: &HomeostasisLimits) -> DimensionState {
    let silent_for = context.last_outbound.map(|last| now.since(last));
    if context.is_quiet() && silent_for.is_some_and(|silent| silent < limits.cooldown_ms) {
        return DimensionState::High;
    }
    let is_silent = context.assigned_tasks > 0 && silent_for.is_some_and(|silent| silent >= limits.silence_ms);
    let is_idle = context.last_message().is_some_and(|last| now.since(last) > limits.idle_ms);
    let is_overdue = context.work_items.iter().any(|item| is_overdue(item, now, limits));
    if is_overdue || is_silent || is_idle { DimensionState::Low } else { DimensionState::Healthy }
}

fn productive_engagement(context: &AgentContext, now: Timestamp, limits: &HomeostasisLimits) -> DimensionState {
    let has_work = context.assigned_tasks > 0 || !context.work_items.is_empty();
    let is_idle = !has_work && context.history.is_empty() && context.is_quiet();
    let is_left = context.work_items.iter().any(|item| item.follow_ups == 0 && is_stale(item, now, limits));
    if is_idle || is_left { DimensionState::Low } else { DimensionState::Healthy }
}

/// Exploring for hours with facts at hand is too much of it; what else there is to see, a model sees.
fn knowledge_application(context: &AgentContext, now: Timestamp, limits: &HomeostasisLimits) -> Assessed {
    let is_long = |since: Timestamp| now.since(since) >= limits.research_ms;
    let phase = context.phase.filter(|at| at.phase == PhaseName::Exploring && is_long(at.since));
    if phase.is_some() && !context.facts.is_empty() {
        return Assessed::computed(DimensionState::High);
    }
    let is_untold = context.history.is_empty() && context.phase.is_none();
    if is_untold { Assessed::computed(DimensionState::Healthy) } else { Assessed::fallback() }
}

/// By what is asked and who asks it; and by budget, disk and the agent's own errors (decision 68).
fn self_preservation(context: &AgentContext, limits: &HomeostasisLimits) -> DimensionState {
    let is_asked_for_harm = context.trust < MessageTrust::Absolute && is_destructive(&context.message);
    let vitals = &context.vitals;
    let is_short = |left: Option<Share>, least: Share| left.is_some_and(|left| left < least);
    let errors = Share::of_count(u64::from(vitals.failed_calls), u64::from(vitals.calls));
    let is_failing = vitals.calls >= limits.fewest_calls && errors.is_some_and(|errors| errors > limits.most_errors);
    let is_poor = is_short(vitals.budget_left, limits.least_budget) || is_short(vitals.disk_left, limits.least_disk);
    if is_asked_for_harm || is_poor || is_failing { DimensionState::Low } else { DimensionState::Healthy }
}

fn is_stale(item: &WorkItem, now: Timestamp, limits: &HomeostasisLimits) -> bool {
    now.since(item.last_activity) > limits.stale_work_ms
}

fn is_overdue(item: &WorkItem, now: Timestamp, limits: &HomeostasisLimits) -> bool {
    item.follow_ups == 0 && item.delegated_at.is_some_and(|at| now.since(at) > limits.delegation_ms)
}
