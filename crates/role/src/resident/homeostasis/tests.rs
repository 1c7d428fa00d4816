//! Given / when / then for homeostasis.

mod cases;
mod guard;
mod irreversible;
mod joined;
mod reading;
mod rules;

use super::{
    AgentContext, Assessed, AssessmentMethod, CurrentPhase, Dimension, DimensionState, HomeostasisAssessment,
    HomeostasisLimits, MessageTrust, PhaseName, ResidentTurn, RetrievedFact, TurnRole, WorkItem, assess_by_rule,
};
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

const NOW: Timestamp = Timestamp::from_millis(1_000_000_000);

/// So many minutes ago.
fn ago(minutes: i64) -> Timestamp {
    NOW.plus_millis(-minutes * 60_000)
}

fn turn(role: TurnRole, text: &str, at: Timestamp) -> ResidentTurn {
    ResidentTurn { role, text: text.to_owned(), at }
}

/// What a person said in the last minutes.
fn user_turns(texts: &[&str]) -> Vec<ResidentTurn> {
    texts.iter().map(|text| turn(TurnRole::User, text, ago(1))).collect()
}

fn fact(content: &str) -> RetrievedFact {
    RetrievedFact { content: content.to_owned(), confidence: Share::thousandths(900), relevance: None }
}

fn told(message: &str) -> AgentContext {
    AgentContext { message: message.to_owned(), ..AgentContext::default() }
}

fn in_phase(phase: PhaseName, minutes: i64) -> AgentContext {
    AgentContext { phase: Some(CurrentPhase { phase, since: ago(minutes) }), ..AgentContext::default() }
}

fn work_item(activity_minutes: i64, delegated_minutes: Option<i64>) -> WorkItem {
    WorkItem {
        id: "w".to_owned(),
        last_activity: ago(activity_minutes),
        delegated_at: delegated_minutes.map(ago),
        follow_ups: 0,
    }
}

fn assessed(context: &AgentContext) -> HomeostasisAssessment {
    assess_by_rule(context, NOW, &HomeostasisLimits::default())
}

fn state(context: &AgentContext, dimension: Dimension) -> DimensionState {
    assessed(context).of(dimension).state
}

/// Nothing speaks for anything but an idle agent's want of work.
fn balanced() -> HomeostasisAssessment {
    let dimensions = Dimension::ALL.iter().map(|dimension| (*dimension, Assessed::computed(DimensionState::Healthy)));
    HomeostasisAssessment {
        assessed_at: NOW,
        dimensions: dimensions.collect(),
        self_preservation: Assessed::computed(DimensionState::Healthy),
    }
}
