//! Words for what breakers stop, and for what each of their checks says.

use serde::Deserialize as _;
use serde_json::Value;

use super::Words;
use crate::domain::breaker::rule::{Echoes, Found};
use crate::domain::breaker::{BreakerRule, Check, ViolationSeverity};
use crate::kernel::counted::{count, counted};
use crate::kernel::grounding::Impact;

const REJECTED: &str =
    "say why, cite files with lines, issues or canon, and name the next step; `--check` tells before you post";
const FROZEN: &str = "the issue is frozen; the moderator looks at it, and others may go on when the time is over";

pub(super) const WORDS: &[Words] = &[
    Words::of("breakers.comment-budget-exceeded", "{violations}", "{advice}"),
    Words::of("breakers.issue-comment-limit", "{violations}", "{advice}"),
    Words::of("breakers.insufficient-substance", "{violations}", "{advice}"),
    Words::of("breakers.low-vocabulary", "{violations}", "{advice}"),
    Words::of("breakers.escalation-language", "{violations}", "{advice}"),
    Words::of("breakers.ping-pong-detected", "{violations}", "{advice}"),
    Words::of("breakers.missing-evidence-for-impact", "{violations}", "{advice}"),
    Words::of("breakers.echo", "{violations}", "{advice}"),
];

/// All that was violated.
pub(super) fn shown(violations: &Value) -> String {
    let checks = violations.as_array().into_iter().flatten();
    let said = checks.filter_map(|check| Check::deserialize(check).ok()).map(|check| said_of(&check));
    said.collect::<Vec<_>>().join("; ")
}

/// What can be done about it: reject beats freeze (decision 6).
pub(super) fn advice(violations: &Value) -> String {
    let rejects = |check: &Value| check["violation"] == ViolationSeverity::Reject.as_str();
    let is_rejected = violations.as_array().into_iter().flatten().any(rejects);
    if is_rejected { REJECTED } else { FROZEN }.to_owned()
}

/// What a check says, whether it was violated or not.
pub(crate) fn said_of(check: &Check) -> String {
    let Check { rule, value, limit, found, message, .. } = check;
    if let Some(message) = message {
        return message.to_string();
    }
    let Found { agent, other, keywords, impact, files, echoes } = found;
    let agent = agent.as_ref().map_or("the agent", |agent| agent.as_str());
    match rule {
        BreakerRule::CommentBudgetExceeded => format!("{agent} has used {value} of {limit} comments on this issue"),
        BreakerRule::IssueCommentLimit => format!("the issue has {value} of {limit} comments and is not resolved"),
        BreakerRule::InsufficientSubstance => {
            format!("the comment has {}, and {limit} are the least that reasons need", counted(*value, "character"))
        }
        BreakerRule::LowVocabulary => {
            format!("the comment has {}, and {limit} are the least", counted(*value, "different word"))
        }
        BreakerRule::EscalationLanguage => match keywords.as_slice() {
            [] => format!("no words of alarm, and the most allowed is {limit}"),
            all => {
                format!("{} of alarm ({}), and the most allowed is {limit}", counted(*value, "word"), all.join(", "))
            }
        },
        BreakerRule::PingPongDetected => match other {
            Some(other) => {
                format!("{agent} and {other} have alternated {}, and the most allowed is {limit}", times(*value))
            }
            None => format!("nobody to alternate with, and the most allowed is {limit}"),
        },
        BreakerRule::MissingEvidenceForImpact => evidence(impact.unwrap_or(Impact::Structural), *value, *files),
        BreakerRule::Echo => match echoes.unwrap_or(Echoes::Restatement) {
            Echoes::Restatement => {
                let runs = count(
                    *value,
                    "run of words, number, path or name is new",
                    "runs of words, numbers, paths or names are new",
                );
                format!("{runs} in this thread, and {limit} are the least for a comment of this length")
            }
            Echoes::Agreement => {
                let words = counted(*value, "new word");
                format!("the comment agrees with {words} of content, and {limit} are the least")
            }
        },
    }
}

fn evidence(impact: Impact, cited: u64, files: Option<u64>) -> String {
    let Some(files) = files else { return format!("evidence is needed from impact {impact} on") };
    let what = match impact {
        Impact::CanonChanging => "at least one file and one issue or entry of canon",
        Impact::Structural | Impact::Minor | Impact::Cosmetic => "at least one file or issue",
    };
    let others = cited.saturating_sub(files);
    format!(
        "a {impact} comment must cite {what}; this one cites {} and {}",
        counted(files, "file"),
        counted(others, "other")
    )
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
