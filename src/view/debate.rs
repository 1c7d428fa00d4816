//! What a debate came to, in words: where nobody gave a reason, the row of the table of synthesis that gave it.
//!
//! Nothing of it is recorded; resolutions from before that hold words keep them.

use crate::domain::dialectic::event::ResolvedDebate;
use crate::domain::dialectic::row::Debate;
use crate::domain::dialectic::synthesis::SynthesisRule;

/// A debate whose resolution says why.
pub fn told(debate: &Debate) -> Debate {
    let mut told = debate.clone();
    if let Some(resolved) = &mut told.resolved {
        resolved.resolution = in_words(&resolved.resolution);
    }
    told
}

/// A resolution that says why.
pub fn in_words(resolution: &ResolvedDebate) -> ResolvedDebate {
    let is_said = !resolution.rationale.is_empty();
    let rationale = if is_said { resolution.rationale.clone() } else { rationale(resolution.rule).into() };
    ResolvedDebate { rationale, ..resolution.clone() }
}

fn rationale(rule: SynthesisRule) -> &'static str {
    match rule {
        SynthesisRule::HighActionable => "the objection is severe, and the critic says what to do about it",
        SynthesisRule::HighBlocked => "the objection is severe, and nobody says what to do about it",
        SynthesisRule::MediumActionable => "the objection counts, and the critic says what to do about it",
        SynthesisRule::MediumAtHighStakes => "too much is at stake for an objection that nobody can act on",
        SynthesisRule::MediumVague => "the objection names nothing that could be done",
        SynthesisRule::LowConfident => "the advocate is sure, and the objection is slight",
        SynthesisRule::LowActionable => "the advocate is not sure, and the critic says what to do",
        SynthesisRule::LowAtHighStakes => "too much is at stake for an advocate who is not sure",
        SynthesisRule::LowVague => "the objection is slight, and names nothing that could be done",
        SynthesisRule::CriticEscalates => "the critic asks for a person",
        SynthesisRule::PatternSeen => "the critic sees what was seen before",
        SynthesisRule::SubstantialClear => "the fix is new, and the critic sees nothing that was overlooked",
        SynthesisRule::SubstantialBlind => "the fix is new, but something was overlooked",
        SynthesisRule::Alternative => "the fix is more of the same, but there is an alternative",
        SynthesisRule::NothingNew => "the fix is more of the same, and there is no alternative",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::dialectic::csp::Resolved;

    #[test]
    fn who_gave_a_reason_is_heard_and_otherwise_the_rule_says_why() {
        let resolution = |rationale: &str| ResolvedDebate {
            debate: "d".into(),
            task: "t".into(),
            resolution: Resolved::Proceed,
            rule: SynthesisRule::LowConfident,
            rationale: rationale.into(),
            modifications: Vec::new(),
            next_approach: None,
            escalate_to: None,
            next_attempt_limit: None,
        };
        assert_eq!(&*in_words(&resolution("so it is")).rationale, "so it is");
        assert_eq!(&*in_words(&resolution("")).rationale, "the advocate is sure, and the objection is slight");
    }
}
