//! One tick of the resident agent: where it stands, and what it does about what it was told (Galatea, tracks 1 and 2).
//!
//! Pure: what was observed and answered goes in, what to ask next and what it comes to comes out. Asks no model, sends
//! nothing.

use std::collections::BTreeMap;

use annals_kernel::time::Timestamp;
use annals_rules::domain::resident::{Approval, TickAction};

use super::homeostasis::{
    AgentContext, AskedDimension, DimensionState, HomeostasisAssessment, HomeostasisLimits, MessageTrust, StateCache,
    StateOverride, assess_by_rule, is_destructive,
};

/// What a tick begins with.
#[derive(Debug, Clone, Default)]
pub struct TickFacts {
    /// What is known of the agent; its message is empty where none waits.
    pub context: AgentContext,
    /// The person's word on the message, where it was held.
    pub approval: Option<Approval>,
    /// States that the person set.
    pub overrides: Vec<StateOverride>,
    /// The last states that a model gave.
    pub cache: StateCache,
    /// From where on a state is out of balance.
    pub limits: HomeostasisLimits,
}

impl TickFacts {
    /// The scales that a model is worth asking for: no rule found anything, no answer of before holds, the person set none, and
    /// there is a message.
    pub fn wanted(&self, now: Timestamp) -> Vec<AskedDimension> {
        let known = self.ruled(now).with_overrides(&self.overrides, now);
        if self.action() == TickAction::Respond { known.wanted() } else { Vec::new() }
    }

    /// Where the agent stands, with what a model said of the scales it was asked for.
    pub fn assessed(
        &self,
        answers: &BTreeMap<AskedDimension, Option<DimensionState>>,
        now: Timestamp,
    ) -> HomeostasisAssessment {
        let with = |assessment: HomeostasisAssessment, (asked, answer): (&AskedDimension, &Option<DimensionState>)| {
            assessment.with_answer(*asked, *answer)
        };
        answers.iter().fold(self.ruled(now), with).with_overrides(&self.overrides, now)
    }

    /// What is to be done. What cannot be taken back is the person's to allow, and no business of one who is not trusted.
    pub fn action(&self) -> TickAction {
        if self.context.is_quiet() {
            return TickAction::Rest;
        }
        if self.approval == Some(Approval::No) {
            return TickAction::Decline;
        }
        let is_free = self.approval == Some(Approval::Yes) || self.context.trust == MessageTrust::Absolute;
        if is_free || !is_destructive(&self.context.message) {
            return TickAction::Respond;
        }
        if self.context.trust <= MessageTrust::Low { TickAction::Deny } else { TickAction::Ask }
    }

    fn ruled(&self, now: Timestamp) -> HomeostasisAssessment {
        assess_by_rule(&self.context, now, &self.limits).with_cache(&self.cache, now, &self.limits)
    }
}
