//! What a debate came to, in words: where nobody gave a reason, the row of the table of synthesis that gave it.
//!
//! Nothing of it is recorded; resolutions from before that hold words keep them.

use crate::domain::dialectic::event::Resolution;
use crate::domain::dialectic::row::Debate;
use crate::domain::dialectic::synthesis::Rule;

/// A debate whose resolution says why.
pub fn told(debate: &Debate) -> Debate {
    let mut told = debate.clone();
    if let Some(resolved) = &mut told.resolved {
        resolved.resolution = in_words(&resolved.resolution);
    }
    told
}

/// A resolution that says why.
pub fn in_words(resolution: &Resolution) -> Resolution {
    let is_said = !resolution.rationale.is_empty();
    let rationale = if is_said { resolution.rationale.clone() } else { rationale(resolution.rule).into() };
    Resolution { rationale, ..resolution.clone() }
}

fn rationale(rule: Rule) -> &'static str {
    match rule {
        Rule::HighActionable => "the objection is severe, and the critic says what to do about it",
        Rule::HighBlocked => "the objection is severe, and nobody says what to do about it",
        Rule::MediumActionable => "the objection counts, and the critic says what to do about it",
        Rule::MediumAtHighStakes => "too much is at stake for an objection that nobody can act on",
        Rule::MediumVague => "the objection names nothing that could be done",
        Rule::LowConfident => "the advocate is sure, and the objection is slight",
        Rule::LowActionable => "the advocate is not sure, and the critic says what to do",
        Rule::LowAtHighStakes => "too much is at stake for an advocate who is not sure",
        Rule::LowVague => "the objection is slight, and names nothing that could be done",
        Rule::CriticEscalates => "the critic asks for a person",
        Rule::PatternSeen => "the critic sees what was seen before",
        Rule::SubstantialClear => "the fix is new, and the critic sees nothing that was overlooked",
        Rule::SubstantialBlind => "the fix is new, but something was overlooked",
        Rule::Alternative => "the fix is more of the same, but there is an alternative",
        Rule::NothingNew => "the fix is more of the same, and there is no alternative",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::dialectic::csp::Resolved;

    #[test]
    fn who_gave_a_reason_is_heard_and_otherwise_the_rule_says_why() {
        let resolution = |rationale: &str| Resolution {
            debate: "d".into(),
            task: "t".into(),
            resolution: Resolved::Proceed,
            rule: Rule::LowConfident,
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
