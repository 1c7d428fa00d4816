//! What a state means for the next prompt.
//!
//! Sentences for a model. What is HEALTHY needs none.

use super::assessment::HomeostasisAssessment;
use super::dimension::{Dimension, DimensionState};

/// The most pressing first, after the agent's own safety.
const ORDER: [Dimension; 6] = [
    Dimension::KnowledgeSufficiency,
    Dimension::CertaintyAlignment,
    Dimension::ProgressMomentum,
    Dimension::CommunicationHealth,
    Dimension::KnowledgeApplication,
    Dimension::ProductiveEngagement,
];

const UNSAFE: &str = "SAFETY: what is asked may do harm that cannot be undone, or your own budget, disk or calls are \
                      failing. Do nothing irreversible. Say what would happen, and wait for a clear yes.";

/// What goes into the prompt, a line for each scale that is out of balance; empty where none is.
pub fn guidance(assessment: &HomeostasisAssessment) -> String {
    let safety = (assessment.self_preservation.state != DimensionState::Healthy).then_some(UNSAFE);
    let others = ORDER.iter().filter_map(|dimension| advice(*dimension, assessment.of(*dimension).state));
    let lines: Vec<_> = safety.into_iter().chain(others).collect();
    lines.join("\n")
}

/// What one state means; nothing where it is HEALTHY.
pub fn advice(dimension: Dimension, state: DimensionState) -> Option<&'static str> {
    match state {
        DimensionState::Low => Some(when_low(dimension)),
        DimensionState::Healthy => None,
        DimensionState::High => Some(when_high(dimension)),
    }
}

fn when_low(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::KnowledgeSufficiency => {
            "Knowledge gap: nothing you know bears on this. Look it up or ask before you answer, and say what you \
             assume."
        }
        Dimension::CertaintyAlignment => {
            "Certainty: you are about to act on something you are not sure of. Check it first, or take a step that can \
             be undone."
        }
        Dimension::ProgressMomentum => {
            "Stuck: the same trouble keeps coming back, or work lies still. Do not repeat what failed; name what was \
             tried, and try something of another kind or ask for help."
        }
        Dimension::CommunicationHealth => {
            "Communication: others have not heard from you for long. Send a short note of where things stand, and ask \
             after what you handed over."
        }
        Dimension::ProductiveEngagement => {
            "Idle: nothing is in your hands. Look for open work or offer help; do not make up a task."
        }
        Dimension::KnowledgeApplication => {
            "Acting blind: you act without using what is known. Read the facts you were given before the next step."
        }
    }
}

fn when_high(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::KnowledgeSufficiency => {
            "Knowledge is ample: do not gather more. Use the facts that matter, and leave out the rest."
        }
        Dimension::CertaintyAlignment => {
            "Over-asking: you know enough for this step. Take it, and ask only where a wrong guess would be dear."
        }
        Dimension::ProgressMomentum => {
            "Haste: you move faster than you check. Look at the last result before the next."
        }
        Dimension::CommunicationHealth => {
            "Communication: you wrote a moment ago. Hold back unless something new has happened."
        }
        Dimension::ProductiveEngagement => {
            "Overload: too much is in your hands at once. Finish one thing, and say what has to wait."
        }
        Dimension::KnowledgeApplication => {
            "Analysis paralysis: you have looked into this long enough. Act on what you know."
        }
    }
}
