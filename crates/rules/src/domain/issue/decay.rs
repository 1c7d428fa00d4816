//! Improvement A of the control room: an issue that touches nothing real for long counts for less, and then as past.
//!
//! A question, asked with a time; nothing is stored, and the next touch undoes it.

use serde::Serialize;

use super::row::Issue;
use super::status::IssuePriority;
use annals_kernel::settings::{Settings, settings};
use annals_kernel::time::Timestamp;

settings! {
    /// Improvement A.
    DECAY_DAYS: u32 = 30, "issues.decay_days",
        "an issue that touched nothing real for so many days counts one priority lower, after twice as many as archived; \
     0: never", weakens Never;
}

/// What an issue counts as that touched nothing real for long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Faded {
    /// As one that matters less.
    Lower(IssuePriority),
    /// As one of the past.
    Archived,
}

/// When an issue fades, unless something real touches it before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Fading {
    /// From when on it counts as one that matters less, where there is less.
    pub lower: Option<(IssuePriority, Timestamp)>,
    /// From when on it counts as one of the past.
    pub archived: Timestamp,
}

impl Issue {
    /// What it counts as, where that is not what its priority says: it goes on, and touched nothing real for long.
    pub fn faded(&self, now: Timestamp, settings: &Settings) -> Option<Faded> {
        let fading = self.fading(settings)?;
        if now >= fading.archived {
            return Some(Faded::Archived);
        }
        let (lower, _) = fading.lower.filter(|(_, from)| now >= *from)?;
        Some(Faded::Lower(lower))
    }

    /// When it counts as what, for whoever does not know the time; none where it does not fade.
    pub fn fading(&self, settings: &Settings) -> Option<Fading> {
        const DAY_MS: i64 = 86_400_000;
        let days = i64::from(settings.get(&DECAY_DAYS));
        if days == 0 || self.status.has_ended() || self.is_meta() {
            return None;
        }
        let after = |days: i64| self.touched_at.plus_millis(days.saturating_mul(DAY_MS));
        let lower = match self.priority {
            IssuePriority::Critical => Some(IssuePriority::High),
            IssuePriority::High => Some(IssuePriority::Normal),
            IssuePriority::Normal => Some(IssuePriority::Low),
            IssuePriority::Low => None,
        };
        Some(Fading { lower: lower.map(|lower| (lower, after(days))), archived: after(2 * days) })
    }
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::super::command::{Command, Observed, Open};
    use super::super::event::{Event, Opened};
    use super::*;
    use annals_kernel::decision::Cause;
    use annals_kernel::id::{AgentId, EntryId, IssueId};

    fn issue(priority: IssuePriority) -> Issue {
        let mut state = State::default();
        let (id, at, actor) = (EntryId::MIN, Timestamp::from_millis(0), AgentId::from("user"));
        let open = Command::Open(Open { title: "A line".into(), priority, ..Open::default() });
        let cause = Cause { asked: Some((&open, &Observed::default())), id, at, actor: &actor };
        state.evolve(&Event::Opened(Opened { issue: IssueId::of(id, 0), number: 1, tags: None }), &cause);
        state.issue(&IssueId::of(id, 0)).expect("an issue").clone()
    }

    /// Improvement A.
    #[test]
    fn an_issue_that_touches_nothing_real_counts_for_less_and_then_as_past() {
        let after = |priority, days: i64| {
            issue(priority).faded(Timestamp::from_millis(days * 86_400_000), &Settings::default())
        };
        assert_eq!(after(IssuePriority::High, 29), None);
        assert_eq!(after(IssuePriority::High, 30), Some(Faded::Lower(IssuePriority::Normal)));
        assert_eq!(after(IssuePriority::Critical, 59), Some(Faded::Lower(IssuePriority::High)));
        assert_eq!(after(IssuePriority::Low, 59), None);
        assert_eq!(after(IssuePriority::Low, 60), Some(Faded::Archived));
        let mut never = Settings::default();
        never.set("issues.decay_days", Some(0.into()));
        assert_eq!(issue(IssuePriority::High).faded(Timestamp::from_millis(i64::MAX / 2), &never), None);
    }
}
