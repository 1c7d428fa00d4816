//! Several sessions in one mode: what was found in each, and in all of them together.
//!
//! A mean is of the sessions whose record gave the figure; how many did not stands beside it. Reads no history.

use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use serde::Serialize;

use super::computed::Decimal;
use super::step::Record;
use super::{Analysis, AnalysisMode, analyse};
use annals_kernel::settings::Settings;

/// How often something was found, by its kind; in the mode `none`, by the mode that finds it.
pub type CountsByKind = BTreeMap<Box<str>, usize>;

/// What a mode says of one of several sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SessionLook {
    /// Entries that were looked at.
    pub steps: usize,
    /// Findings about the work.
    pub findings: usize,
    /// The same by kind.
    pub by_kind: CountsByKind,
    /// Figures that could be computed.
    pub figures: BTreeMap<Box<str>, Box<str>>,
    /// Figures that could not.
    pub not_computable: BTreeSet<Box<str>>,
}

/// A figure over several sessions.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FigureOverSessions {
    /// Sessions whose record gives it.
    #[always]
    pub computed: usize,
    /// Sessions whose record does not.
    #[always]
    pub not_computable: usize,
    /// The mean, where it is a number.
    pub mean: Option<Decimal>,
    /// The least.
    pub least: Option<Decimal>,
    /// The most.
    pub most: Option<Decimal>,
    /// How often each word was given, where it is none.
    pub words: CountsByKind,
}

/// What a mode says of several sessions together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RangeTotal {
    /// Sessions.
    pub sessions: usize,
    /// Entries that were looked at.
    pub steps: usize,
    /// Findings about the work.
    pub findings: usize,
    /// Sessions with at least one.
    pub sessions_with_findings: usize,
    /// Findings by kind.
    pub by_kind: CountsByKind,
    /// Figures by name.
    pub figures: BTreeMap<Box<str>, FigureOverSessions>,
}

/// Looks at one of several sessions.
pub fn look(mode: AnalysisMode, record: &Record, settings: &Settings) -> SessionLook {
    let mut look = SessionLook { steps: record.steps.len(), ..SessionLook::default() };
    match analyse(mode, record, settings) {
        Some(analysis) => look.take(&analysis),
        None => {
            for mode in AnalysisMode::ALL.iter().filter(|mode| **mode != AnalysisMode::Synergy) {
                let found = analyse(*mode, record, settings).map_or(0, |analysis| analysis.found().len());
                look.count(mode.as_str(), found);
            }
        }
    }
    look
}

impl SessionLook {
    fn take(&mut self, analysis: &Analysis) {
        for found in analysis.found() {
            self.count(&found.kind, 1);
        }
        for figure in analysis.told().figures {
            match figure.value.value() {
                Some(value) => drop(self.figures.insert(figure.name.into(), value.as_str().into())),
                None => drop(self.not_computable.insert(figure.name.into())),
            }
        }
    }

    fn count(&mut self, kind: &str, times: usize) {
        if times > 0 {
            *self.by_kind.entry(kind.into()).or_default() += times;
            self.findings += times;
        }
    }
}

/// The sum of some looks.
pub fn total<'l>(looks: impl IntoIterator<Item = &'l SessionLook>) -> RangeTotal {
    let mut total = RangeTotal::default();
    let mut numbers: BTreeMap<Box<str>, Vec<i64>> = BTreeMap::new();
    for look in looks {
        total.sessions += 1;
        total.steps += look.steps;
        total.findings += look.findings;
        total.sessions_with_findings += usize::from(look.findings > 0);
        for (kind, count) in &look.by_kind {
            *total.by_kind.entry(kind.clone()).or_default() += count;
        }
        for name in &look.not_computable {
            total.figures.entry(name.clone()).or_default().not_computable += 1;
        }
        for (name, value) in &look.figures {
            let figure = total.figures.entry(name.clone()).or_default();
            figure.computed += 1;
            match value.parse().ok().and_then(Decimal::of) {
                Some(number) => numbers.entry(name.clone()).or_default().push(number.in_thousandths()),
                None => *figure.words.entry(value.clone()).or_default() += 1,
            }
        }
    }
    for (name, numbers) in numbers {
        let figure = total.figures.entry(name).or_default();
        let count = i64::try_from(numbers.len()).unwrap_or(i64::MAX).saturating_mul(1000);
        figure.mean = Decimal::ratio(numbers.iter().fold(0, |sum: i64, one| sum.saturating_add(*one)), count);
        figure.least = numbers.iter().min().copied().map(Decimal::thousandths);
        figure.most = numbers.iter().max().copied().map(Decimal::thousandths);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{edit, failed, prompt, ran, said, session};
    use serde_json::json;

    fn looks(mode: AnalysisMode) -> Vec<SessionLook> {
        let wrong = session(&[
            prompt("Fix the parser."),
            ran("cargo test", "test result: FAILED. 1 passed; 1 failed"),
            edit("src/pie.rs", "a", "b"),
            failed("Bash", json!({"command": "cargo test"}), "exit code 101"),
            said("All tests pass."),
        ]);
        let right = session(&[prompt("Hello."), said("Hello.")]);
        [wrong, right].iter().map(|record| look(mode, record, &Settings::default())).collect()
    }

    #[test]
    fn the_sum_says_in_how_many_sessions_what_was_found() {
        let total = total(&looks(AnalysisMode::Critic));
        assert_eq!((total.sessions, total.sessions_with_findings, total.steps), (2, 1, 7));
        assert_eq!(total.by_kind.get("false claim of success"), Some(&1));
    }

    /// A mean is of what was computed, and says how much was not.
    #[test]
    fn a_mean_is_of_the_sessions_that_gave_the_figure() {
        let total = total(&looks(AnalysisMode::Metrics));
        let figure = &total.figures["error_rates.logical_contradiction"];
        let whole = Some(Decimal::thousandths(1000));
        let expected = FigureOverSessions {
            computed: 1,
            not_computable: 1,
            mean: whole,
            least: whole,
            most: whole,
            words: CountsByKind::new(),
        };
        assert_eq!(*figure, expected);
        assert_eq!(total.figures["architecture"].words, CountsByKind::from([("single".into(), 2)]));
    }

    #[test]
    fn the_mode_none_counts_by_mode() {
        let looks = looks(AnalysisMode::None);
        assert!(looks[0].by_kind.contains_key("critic"), "{looks:?}");
        assert_eq!(looks[1].by_kind, CountsByKind::new());
    }
}
