//! `[triggers]` of the person's own configuration: which analyses may ask a model without a word of the person for each.
//!
//! Off where nothing is written. Never of a project: what a repository brings must not spend the person's money.

use serde::Deserialize;

use super::person;
use crate::cli::shell::Shell;
use crate::domain::cognition::trigger::AnalysisMode;
use crate::role::judged::analysis::{UnaskedMode, check_asks};

/// What the person allows.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::cli) struct TriggerSwitch {
    by_model: Vec<AskedMode>,
    /// So many firings a day, in one project.
    pub most_a_day: usize,
}

/// A mode that asks a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "AnalysisMode")]
struct AskedMode(AnalysisMode);

impl TryFrom<AnalysisMode> for AskedMode {
    type Error = UnaskedMode;

    fn try_from(mode: AnalysisMode) -> Result<Self, UnaskedMode> {
        check_asks(mode).map(|()| Self(mode))
    }
}

impl Default for TriggerSwitch {
    fn default() -> Self {
        const MOST_A_DAY: usize = 10;
        Self { by_model: Vec::new(), most_a_day: MOST_A_DAY }
    }
}

impl TriggerSwitch {
    /// As it is written down.
    pub(in crate::cli) fn of(shell: &Shell) -> anyhow::Result<Self> {
        Ok(person(shell)?.triggers)
    }

    /// Whether a mode may ask.
    pub(in crate::cli) fn is_on(&self, mode: AnalysisMode) -> bool {
        self.by_model.contains(&AskedMode(mode))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_on_before_it_is_written_and_no_mode_that_asks_nobody_can_be() {
        assert!(AnalysisMode::ALL.iter().all(|mode| !TriggerSwitch::default().is_on(*mode)));
        let switch: TriggerSwitch = toml_edit::de::from_str("by_model = [\"critic\"]").expect("read");
        assert!(switch.is_on(AnalysisMode::Critic) && !switch.is_on(AnalysisMode::Eval));
        assert_eq!(switch.most_a_day, 10);
        let metrics =
            toml_edit::de::from_str::<TriggerSwitch>("by_model = [\"metrics\"]").map_err(|bad| bad.to_string());
        assert!(metrics.is_err_and(|bad| bad.contains("the mode metrics asks no model")));
    }
}
