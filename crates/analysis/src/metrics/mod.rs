//! Coordination: how much agents talk, repeat each other, contradict the record; what shape they work in (AFS 5.2.3).
//!
//! What needs a comparison with one agent alone must be given. Recommends an architecture; changes none.

pub(crate) mod agents;
mod alone;
pub mod choice;
pub(crate) mod redundancy;
#[cfg(test)]
mod tests;

use annals_sparse::sparse;
use serde::Serialize;

use self::agents::{Agents, Architecture, End};
use self::alone::Alone;
use self::choice::{Choice, Given};
use self::redundancy::{Direction, mean_of_pairs};
use super::check::{Check, CheckOutcome, outcome, passed};
use super::claim::{Claim, claims};
use super::computed::{Computed, Decimal};
use super::edit::Before;
use super::known::{Known, sees_to_it};
use super::settings::{METRICS_GIVEN, METRICS_LIMITS};
use super::step::{Call, Record, Step};
use super::text::short;
use super::told::{Finding, Told};
use annals_kernel::call::CallKind;
use annals_kernel::counted::count;
use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;

/// Errors by kind, each as a share of what could have been one (AFS 5.2.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ErrorRates {
    /// Claims of success that the last check contradicts, of all such claims.
    pub logical_contradiction: Computed<Share>,
    /// Numbers of passed tests that no run has shown, of all that were given.
    pub numerical_drift: Computed<Share>,
    /// Edits of files that nobody had looked at, of all edits of files that were there.
    pub context_omission: Computed<Share>,
    /// Work that was given away and did not come back, of all that was given away.
    pub coordination_failure: Computed<Share>,
}

/// What of coordination could be computed (AFS 5.2.3).
#[sparse(marked)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Metrics {
    /// The shape that the session and those below it have.
    pub architecture: Computed<Architecture>,
    /// How many acted.
    pub agents: usize,
    /// O%, of acts.
    pub coordination_overhead: Computed<Decimal>,
    /// Messages between agents for each act.
    pub message_density: Computed<Decimal>,
    /// The mean cosine of what agents said: of agents where there are several, of messages where there is one.
    pub redundancy_rate: Computed<Share>,
    /// `E_c`.
    pub coordination_efficiency: Computed<Decimal>,
    /// `A_e`.
    pub error_amplification: Computed<Decimal>,
    /// `P_SA`, as it was given, or as the sub-agents' own checks say.
    pub baseline_accuracy: Computed<Share>,
    /// T, as it was given.
    pub task_tool_count: Computed<u32>,
    /// D, as it was given.
    pub task_decomposability: Computed<Share>,
    /// `P_SA < 0.45 AND T <= 4`.
    pub should_use_multi_agent: Computed<bool>,
    /// Why, where it could be told.
    #[sparse]
    pub should_use_multi_agent_because: String,
    /// What the formula chooses.
    pub recommended_architecture: Computed<Architecture>,
    /// By the document.
    pub max_effective_agents: u32,
    /// Errors by kind.
    pub error_rates: ErrorRates,
    /// What the rates stand on.
    pub findings: Vec<Finding>,
    #[serde(skip)]
    choice: Computed<Choice>,
    #[serde(skip)]
    acts: usize,
    #[serde(skip)]
    messages: usize,
}

/// Looks at a session and those below it.
pub fn analyse(record: &Record, settings: &Settings) -> Metrics {
    let (given, limits): (Given, _) = (settings.get(&METRICS_GIVEN), settings.get(&METRICS_LIMITS));
    let alone = Alone::below(record);
    let agents = Agents::of(record);
    let all = record.all();
    let calls: Vec<&Call> = all.iter().flat_map(|record| record.steps.iter().filter_map(Step::call)).collect();
    let failed = calls.iter().filter(|call| !call.is_ok()).count();
    let tools: std::collections::BTreeSet<_> = calls.iter().map(|call| &call.tool).collect();
    let mut findings = Vec::new();
    let error_rates = error_rates(&all, &agents, &mut findings);
    let redundancy_rate = redundancy(&all, &agents, limits.redundancy, &mut findings);
    delegations(&agents, &mut findings);
    let missing = |what: &str| format!("{what} (give it with --given, or in analysis.metrics.given)");
    let is_alone = agents.names.len() < 2;
    let several = |value: Computed<Decimal>| if is_alone { Computed::missing("a second agent") } else { value };
    let given = Given {
        baseline_accuracy: given.baseline_accuracy.or_else(|| alone.accuracy()),
        baseline_error_rate: given.baseline_error_rate.or_else(|| alone.error_rate()),
        ..given
    };
    let choice = choice::recommended(&given, &limits);
    let multi = choice::should_use_multi_agent(&given, &limits);
    let acts = agents.acts;
    let density = Decimal::ratio(counted(agents.messages()), counted(acts));
    let overhead = given.baseline_turns.and_then(|alone| choice::overhead(acts, alone));
    let efficiency =
        given.success.zip(given.baseline_turns).and_then(|(good, alone)| choice::efficiency(good, acts, alone));
    let amplified = given.baseline_error_rate.and_then(|alone| choice::amplification(failed, calls.len(), alone));
    Metrics {
        architecture: Computed::of(agents.architecture(), || "an act of an agent".to_owned()),
        agents: agents.names.len(),
        coordination_overhead: several(Computed::of(overhead, || {
            missing("baseline_turns, the acts of one agent alone")
        })),
        message_density: Computed::of(density, || "an act of an agent".to_owned()),
        redundancy_rate,
        coordination_efficiency: several(Computed::of(efficiency, || missing("success and baseline_turns"))),
        error_amplification: several(Computed::of(amplified, || missing("baseline_error_rate of one agent alone"))),
        baseline_accuracy: Computed::of(given.baseline_accuracy, || missing("baseline_accuracy")),
        task_tool_count: Computed::of(given.task_tool_count, || {
            missing(&format!("task_tool_count; {} used", count(tools.len(), "tool was", "tools were")))
        }),
        task_decomposability: Computed::of(given.task_decomposability, || missing("task_decomposability")),
        should_use_multi_agent: multi.clone().map(|several| several.is),
        should_use_multi_agent_because: multi.value().map(|several| several.because.clone()).unwrap_or_default(),
        recommended_architecture: choice.clone().map(|choice| choice.architecture),
        max_effective_agents: limits.max_effective_agents,
        error_rates,
        findings,
        choice,
        acts,
        messages: agents.messages(),
    }
}

fn counted(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn found(kind: &str, text: String, entries: Vec<EntryId>) -> Finding {
    Finding { kind: kind.to_owned(), text, entries }
}

fn rate(some: usize, of: usize, missing: &str) -> Computed<Share> {
    Computed::of(Share::of_count(some as u64, of as u64), || missing.to_owned())
}

fn error_rates(all: &[&Record], agents: &Agents, findings: &mut Vec<Finding>) -> ErrorRates {
    let mut sums = [(0, 0); 3];
    for record in all {
        let rates =
            [contradictions(&record.steps, findings), drift(&record.steps, findings), omissions(record, findings)];
        for (sum, rate) in sums.iter_mut().zip(rates) {
            *sum = (sum.0 + rate.0, sum.1 + rate.1);
        }
    }
    let lost = agents.delegations.iter().filter(|given| given.end == End::Lost).count();
    ErrorRates {
        logical_contradiction: rate(sums[0].0, sums[0].1, "a claim that tests or checks pass, after a run of them"),
        numerical_drift: rate(
            sums[1].0,
            sums[1].1,
            "a number of passed tests that an agent gave after a run that gave one",
        ),
        context_omission: rate(sums[2].0, sums[2].1, &without_text(all)),
        coordination_failure: rate(lost, agents.delegations.len(), "work that was given to another agent"),
    }
}

/// What is missing where no edit says what it found in its file.
fn without_text(all: &[&Record]) -> String {
    let calls = all.iter().flat_map(|record| record.steps.iter().filter_map(Step::call));
    let edits = calls.filter(|call| call.kind == CallKind::Edit && call.is_ok() && !sees_to_it(call));
    // Of a new file there is nothing to say.
    let blind = edits.filter(|call| !call.edits.iter().any(|edit| edit.before == Before::New)).count();
    match blind {
        0 => "an edit of a file that was there, by a tool that does not see to it that it was read".to_owned(),
        _ => format!("an edit that says what it found in its file ({})", count(blind, "edit does not", "edits do not")),
    }
}

/// Claims that tests pass where the last run of tests failed, and that checks pass where the last of them did.
fn contradictions(steps: &[Step], findings: &mut Vec<Finding>) -> (usize, usize) {
    let (mut tests, mut check, mut wrong, mut all) = (None, None, 0, 0);
    for step in steps {
        if let Some((call, ended)) = step.call().and_then(|call| Some((call, outcome(call)?))) {
            check = Some((step.id, ended));
            tests = check.filter(|_| call.check == Some(Check::Tests)).or(tests);
        }
        for (claim, range) in step.said().map(claims).unwrap_or_default() {
            let (last, kind) = match claim {
                Claim::TestsPass => (tests, "test run"),
                Claim::ChecksPass => (check, "check"),
                Claim::Works => continue,
            };
            // A claim before any run is unproved, and not contradicted: it is no case of this rate.
            let Some((run, ended)) = last else { continue };
            all += 1;
            if ended == CheckOutcome::Failed {
                wrong += 1;
                let claimed = short(step.said().and_then(|text| text.get(range)).unwrap_or_default(), 80);
                let text = format!("says \"{claimed}\"; the last {kind} failed");
                findings.push(found("logical_contradiction", text, vec![step.id, run]));
            }
        }
    }
    (wrong, all)
}

/// Numbers of passed tests that no run of the session has shown.
fn drift(steps: &[Step], findings: &mut Vec<Finding>) -> (usize, usize) {
    let (mut shown, mut last) = (std::collections::BTreeSet::new(), None);
    let (mut wrong, mut all) = (0, 0);
    for step in steps {
        if let Some(call) = step.call() {
            let numbers = passed(&call.output);
            if call.check == Some(Check::Tests) && !numbers.is_empty() {
                last = Some(step.id);
            }
            shown.extend(numbers);
        }
        let (Some(run), Some(text)) = (last, step.said()) else { continue };
        for number in passed(text) {
            all += 1;
            if !shown.contains(&number) {
                wrong += 1;
                findings.push(found(
                    "numerical_drift",
                    format!("says {number} passed; no test run so far gave that number"),
                    vec![step.id, run],
                ));
            }
        }
    }
    (wrong, all)
}

/// Edits of files that nobody had looked at.
fn omissions(record: &Record, findings: &mut Vec<Finding>) -> (usize, usize) {
    let known = Known::of(record);
    let blind = known.edits.iter().filter(|edit| !edit.is_known);
    let mut wrong = 0;
    for edit in blind {
        wrong += 1;
        let text = format!("{} was changed before anybody had looked at it", short(&edit.file, 100));
        findings.push(found("context_omission", text, vec![edit.entry]));
    }
    (wrong, known.edits.len())
}

/// Of several agents how alike all that each said is; of one, how alike its messages are.
fn redundancy(all: &[&Record], agents: &Agents, limit: Share, findings: &mut Vec<Finding>) -> Computed<Share> {
    /// Shorter messages are alike because they are short.
    const FEWEST_WORDS: usize = 8;
    let said = || all.iter().flat_map(|record| &record.steps).filter_map(|step| Some((step, step.said()?)));
    let long = said().filter(|(_, text)| super::text::words(text).nth(FEWEST_WORDS - 1).is_some());
    let directions: Vec<_> = long.filter_map(|(step, text)| Some((step, Direction::of(text)?))).collect();
    for pair in directions.windows(2) {
        let cosine = pair[0].1.cosine(&pair[1].1);
        if cosine > limit {
            let text = format!("says nearly the same again (cosine {cosine})");
            findings.push(found("redundancy", text, vec![pair[0].0.id, pair[1].0.id]));
        }
    }
    if agents.names.len() < 2 {
        return Computed::of(mean_of_pairs(directions.iter().map(|(_, direction)| direction)), || {
            "two messages of an agent with 8 words or more".to_owned()
        });
    }
    let mut by_agent: std::collections::BTreeMap<&str, String> = std::collections::BTreeMap::new();
    for (step, text) in said() {
        let all = by_agent.entry(&step.agent).or_default();
        all.push_str(text);
        all.push('\n');
    }
    let directions: Vec<_> = by_agent.values().filter_map(|text| Direction::of(text)).collect();
    Computed::of(mean_of_pairs(&directions), || "messages of two agents".to_owned())
}

fn delegations(agents: &Agents, findings: &mut Vec<Finding>) {
    for ((giver, worker), entries) in &agents.given {
        findings.push(found("delegation", format!("{giver} gave work to {worker}"), entries.clone()));
    }
    for lost in agents.delegations.iter().filter(|given| given.end == End::Lost) {
        let text = "work was given away and did not come back".to_owned();
        findings.push(found("coordination_failure", text, vec![lost.entry]));
    }
}

impl Metrics {
    /// As it reads.
    pub fn told(&self) -> Told {
        let mut told = Told { findings: self.findings.clone(), ..Told::default() };
        told.figure("architecture", &self.architecture, count(self.agents, "agent", "agents"));
        let density = format!(
            "{} in {}",
            count(self.messages, "message between agents", "messages between agents"),
            count(self.acts, "act", "acts")
        );
        told.figure("message_density", &self.message_density, density);
        told.figure(
            "redundancy_rate",
            &self.redundancy_rate,
            if self.agents < 2 { "the messages of one agent" } else { "what each agent said" },
        );
        told.figure("coordination_overhead", &self.coordination_overhead, "% more acts than one agent alone");
        told.figure(
            "coordination_efficiency",
            &self.coordination_efficiency,
            "success for each act of one agent alone",
        );
        told.figure("error_amplification", &self.error_amplification, "failed calls against one agent alone");
        told.figure(
            "error_rates.logical_contradiction", &self.error_rates.logical_contradiction,
            "of claims that tests or checks pass",
        );
        told.figure("error_rates.numerical_drift", &self.error_rates.numerical_drift, "of numbers of passed tests");
        told.figure(
            "error_rates.context_omission", &self.error_rates.context_omission, "of edits of files that were there",
        );
        told.figure("error_rates.coordination_failure", &self.error_rates.coordination_failure, "of work given away");
        told.figure("baseline_accuracy", &self.baseline_accuracy, "given");
        told.figure("task_tool_count", &self.task_tool_count, "given");
        told.figure("task_decomposability", &self.task_decomposability, "given");
        told.figure("should_use_multi_agent", &self.should_use_multi_agent, &*self.should_use_multi_agent_because);
        told.figure("recommended_architecture", &self.recommended_architecture, self.why());
        told
    }

    /// Which line of the formula chooses.
    pub(crate) fn because(&self) -> Option<&'static str> {
        self.choice.value().map(|choice| choice.because)
    }

    fn why(&self) -> String {
        let Computed::Is(choice) = &self.choice else { return String::new() };
        match choice.by_the_document {
            "" => choice.because.to_owned(),
            figures => format!("{}; by the document: {figures}", choice.because),
        }
    }
}
