//! Anxiety: what lately speaks for caution, each source with its weight (AFS 5.2.5).

use serde::{Deserialize, Serialize};

use super::words::{DISPLEASED, DOUBTS};
use crate::check::{CheckOutcome, outcome};
use crate::computed::{Computed, any_of};
use crate::step::{Call, Record, Step, Stop, What};
use crate::text::own_words;
use annals_kernel::counted::count;
use annals_kernel::share::Share;
use annals_rules::domain::cognition::watch::LAST_CALLS;

/// What each source adds to anxiety, when it is all there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
pub(crate) struct Weights {
    /// Every one of the last calls failed.
    pub failures: Share,
    /// The last check failed.
    pub failed_check: Share,
    /// For each refusal of the last steps.
    pub refusal: Share,
    /// For each interruption of the last steps.
    pub interruption: Share,
    /// For each prompt of the last steps that shows displeasure.
    pub displeasure: Share,
    /// For each doubt that the agent wrote in the last steps.
    pub doubt: Share,
}

impl Default for Weights {
    fn default() -> Self {
        // Ours: AFS 5.2.5 wants sources, and gives a weight to none.
        let share = Share::thousandths;
        Self {
            failures: share(800),
            failed_check: share(250),
            refusal: share(250),
            interruption: share(150),
            displeasure: share(200),
            doubt: share(60),
        }
    }
}

/// Anxiety, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Anxiety {
    /// How much, where anything was recorded that could speak for it.
    pub level: Computed<Share>,
    /// What it comes from.
    pub sources: Vec<String>,
    /// What would help.
    pub mitigation_suggestions: Vec<&'static str>,
}

/// Anxiety looks back as many calls as the live mind, and so many steps for everything else.
const LAST_STEPS: usize = 40;

fn times(share: Share, count: usize) -> Share {
    let product = usize::from(share.in_thousandths()).saturating_mul(count);
    Share::thousandths(u16::try_from(product).unwrap_or(1000))
}

/// Whether a step could have shown how it goes.
fn tells(step: &Step) -> bool {
    match &step.what {
        What::Asked(_) => step.is_of_person(),
        What::Called(_) | What::Said(_) | What::Thought(_) | What::Stopped(_) => true,
        What::Typed(_) | What::Failed | What::Began(_) | What::Noted => false,
    }
}

/// Sources are taken together as chances are: each adds to what the others leave.
pub(super) fn anxiety(record: &Record, weights: &Weights) -> Anxiety {
    let steps = &record.steps;
    let calls: Vec<&Call> =
        steps.iter().rev().filter_map(Step::call).filter(|call| call.counts()).take(LAST_CALLS).collect();
    let failed = calls.iter().filter(|call| call.is_trouble()).count();
    let last = || steps.iter().rev().take(LAST_STEPS);
    let counted = |fits: &dyn Fn(&Step) -> bool| last().filter(|step| fits(step)).count();
    let refused = counted(&|step| matches!(step.what, What::Stopped(Stop::Rejected { .. } | Stop::Denied { .. })));
    let interrupted = counted(&|step| matches!(step.what, What::Stopped(Stop::Interrupted)));
    let displeased = counted(&|step| step.prompt().is_some_and(|text| DISPLEASED.is_match(&own_words(text, 2000))));
    let doubts = counted(&|step| match &step.what {
        What::Said(text) | What::Thought(text) => DOUBTS.is_match(&own_words(text, 4000)),
        What::Asked(_)
        | What::Typed(_)
        | What::Called(_)
        | What::Stopped(_)
        | What::Failed
        | What::Began(_)
        | What::Noted => false,
    });
    let check = steps.iter().rev().find_map(|step| outcome(step.call()?));
    let failing = check == Some(CheckOutcome::Failed);
    let rate = Share::of_count(failed as u64, calls.len() as u64).unwrap_or_default();
    let of_failures = usize::from(rate.in_thousandths()) * usize::from(weights.failures.in_thousandths()) / 1000;
    let sources = [
        (
            Share::thousandths(u16::try_from(of_failures).unwrap_or(1000)),
            format!("{failed} of the last {} failed", count(calls.len(), "call", "calls")),
            "Look at the first failure before going on.",
        ),
        (
            times(weights.failed_check, usize::from(failing)),
            "the last check failed".to_owned(),
            "Make the check pass before anything else.",
        ),
        (times(weights.refusal, refused), count(refused, "refusal", "refusals") + " lately", "Ask what is wanted."),
        (
            times(weights.interruption, interrupted),
            count(interrupted, "interruption", "interruptions") + " lately",
            "Take smaller steps and show them.",
        ),
        (
            times(weights.displeasure, displeased),
            count(displeased, "displeased prompt", "displeased prompts") + " lately",
            "Say back what was understood before going on.",
        ),
        (
            times(weights.doubt, doubts),
            count(doubts, "doubt", "doubts") + " of the agent lately",
            "Check the doubt, or name it to the person.",
        ),
    ];
    let level = any_of(sources.iter().map(|(share, ..)| *share));
    let level = Computed::of(steps.iter().any(tells).then_some(level), || "a prompt, a message or a call".to_owned());
    let (mut named, mut help) = (Vec::new(), Vec::new());
    for (share, source, suggestion) in sources.into_iter().filter(|(share, ..)| *share > Share::NONE) {
        named.push(format!("{source} ({share})"));
        help.push(suggestion);
    }
    Anxiety { level, sources: named, mitigation_suggestions: help }
}
