//! What a person and an agent are worth together: deferred, as in the document (AFS 5.2.6).
//!
//! The figures need many sessions with known results, with and without the agent. A single session says what of that it
//! has, so that one can see what is being gathered.

use serde::Serialize;

use super::check::{CheckOutcome, outcome};
use super::computed::{Computed, Decimal};
use super::step::Record;
use super::told::{Finding, Told};
use super::turn::turns;
use annals_kernel::counted::count;

/// Everything that is deferred, and what is there for it (AFS 5.2.6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Synergy {
    /// What the person can do alone.
    pub human_solo_ability: Computed<Decimal>,
    /// What the agent adds.
    pub ai_collaborative_ability: Computed<Decimal>,
    /// Both together.
    pub combined_performance: Computed<Decimal>,
    /// The difference.
    pub ai_boost: Computed<Decimal>,
    /// How well the person works with agents.
    pub user_collaborative_ability: Computed<Decimal>,
    /// How hard the task is.
    pub task_difficulty_rank: Computed<Decimal>,
    /// What the agent adds to tasks so hard.
    pub expected_ai_boost_by_difficulty: Computed<Decimal>,
    /// What it adds for people like this one.
    pub relative_boost: Computed<Decimal>,
    /// What of the data that would be needed this session has.
    pub gathered: Vec<Finding>,
}

/// Says what is missing, and what is there.
pub(crate) fn analyse(record: &Record) -> Synergy {
    let alone = "results of this person on such tasks without an agent";
    let together = "results of many sessions of this person with this agent on tasks of known difficulty";
    let difficulty = "a ranking of tasks by difficulty";
    Synergy {
        human_solo_ability: Computed::missing(alone),
        ai_collaborative_ability: Computed::missing(together),
        combined_performance: Computed::missing("a graded result of the session"),
        ai_boost: Computed::missing(format!("{alone}, and a graded result of the session")),
        user_collaborative_ability: Computed::missing(together),
        task_difficulty_rank: Computed::missing(difficulty),
        expected_ai_boost_by_difficulty: Computed::missing(format!("{difficulty}, and {together}")),
        relative_boost: Computed::missing("boosts of several people"),
        gathered: gathered(record),
    }
}

fn gathered(record: &Record) -> Vec<Finding> {
    let checks = record.steps.iter().filter_map(|step| Some((step.id, outcome(step.call()?)?)));
    let checks: Vec<_> = checks.collect();
    let passed = checks.iter().filter(|(_, ended)| *ended == CheckOutcome::Passed).count();
    let own: Vec<_> = record.steps.iter().filter(|step| step.is_run_by_hand()).map(|step| step.id).collect();
    let asked: Vec<_> = turns(&record.steps).iter().filter_map(|turn| turn.asked.map(|step| step.id)).collect();
    let ends = |ids: &[annals_kernel::id::EntryId]| {
        ids.first().into_iter().chain(ids.get(1..).and_then(<[_]>::last)).copied().collect()
    };
    let mut gathered = Vec::new();
    let mut add = |kind: &str, text: String, ids: Vec<_>| {
        if !ids.is_empty() {
            gathered.push(Finding { kind: kind.to_owned(), text, entries: ends(&ids) });
        }
    };
    // Of more than two, the two at the ends are cited.
    let cited = |ids: usize| if ids > 2 { ", here the first and the last" } else { "" };
    let prompts = count(asked.len(), "prompt", "prompts");
    add("turns", format!("{prompts} of the person{}", cited(asked.len())), asked);
    let ids: Vec<_> = checks.iter().map(|(id, _)| *id).collect();
    let all = count(ids.len(), "check", "checks");
    add("results", format!("{passed} of {all} passed{}", cited(ids.len())), ids);
    let commands = count(own.len(), "command", "commands");
    add("own work", format!("{commands} that the person ran by hand{}", cited(own.len())), own);
    gathered
}

impl Synergy {
    /// As it reads.
    pub fn told(&self) -> Told {
        let mut told = Told { findings: self.gathered.clone(), ..Told::default() };
        let deferred = "deferred: abilities and boosts are estimated over many sessions; this is what one can give";
        told.notes.push(deferred.to_owned());
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{prompt, ran_by_hand, said, session, typed};

    #[test]
    fn what_a_session_has_is_counted_and_the_ends_are_cited() {
        let gathered = |steps: &[serde_json::Value]| {
            let found = analyse(&session(steps)).gathered;
            found.into_iter().map(|found| (found.text, found.entries.len())).collect::<Vec<_>>()
        };
        assert_eq!(gathered(&[prompt("Hello.")]), [("1 prompt of the person".to_owned(), 1)]);
        let steps = [prompt("a"), said("b"), prompt("c"), said("d"), prompt("e"), typed("/ide"), ran_by_hand("ls")];
        let expected = [
            ("3 prompts of the person, here the first and the last".to_owned(), 2),
            ("1 command that the person ran by hand".to_owned(), 1),
        ];
        assert_eq!(gathered(&steps), expected);
    }
}
