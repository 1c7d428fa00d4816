//! The condition of a trigger, in a line.

use super::Condition;

impl Condition {
    /// In a line.
    pub fn in_words(&self) -> String {
        let within = |within_ms: &Option<u64>| within_ms.map_or(String::new(), |ms| format!(" within {ms} ms"));
        match self {
            Self::Threshold { all } => {
                let bounds = all.iter().map(|bound| format!("{} {} {}", bound.metric, bound.is, bound.threshold));
                bounds.collect::<Vec<_>>().join(" and ")
            }
            Self::Pattern { pattern } => format!("text fits /{pattern}/"),
            Self::Count { pattern: Some(pattern), count, within_ms } => {
                format!("{count} entries fit /{pattern}/{}", within(within_ms))
            }
            Self::Count { pattern: None, count, within_ms } => format!("{count} calls{}", within(within_ms)),
            Self::Time { within_ms } => format!("every {within_ms} ms"),
        }
    }
}
