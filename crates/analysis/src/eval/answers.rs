//! What the record shows of answers (AFS 5.2.1).

use super::Basis;
use super::names::names_files;
use super::prompts::says_why;
use crate::check::{CheckOutcome, outcome};
use crate::computed::{Computed, Decimal, mean};
use crate::emotional::{is_displeased, is_only_pleased, is_pleased};
use crate::step::{Call, Record, Step, Stop, What};
use crate::text;
use crate::told::Finding;
use crate::turn::Turn;
use annals_kernel::call::CallKind;
use annals_kernel::counted::count;
use annals_kernel::id::EntryId;
use annals_kernel::share::Share;

fn finding(kind: &str, text: String, entries: Vec<EntryId>) -> Finding {
    Finding { kind: kind.to_owned(), text, entries }
}

/// What evidence says where it speaks for the answer.
const PASSED: &str = "the last check after the edits passed";
const PLEASED: &str = "the person was pleased";

/// Whether evidence speaks against an answer.
pub(crate) fn is_against(evidence: &Finding) -> bool {
    !matches!(evidence.text.as_str(), PASSED | PLEASED)
}

/// Turns with edits: how their last check ended.
pub(super) fn correctness(turns: &[Turn<'_>], basis: &mut Basis, evidence: &mut Vec<Finding>) -> Computed<Share> {
    let (mut right, mut checked, mut edited) = (0, 0_u64, 0_u64);
    for turn in turns {
        // A check counts for all edits before it, and for none after it.
        let last_edit = turn.calls().rfind(|(_, call)| call.kind == CallKind::Edit && call.is_ok());
        let Some((edit, _)) = last_edit else { continue };
        edited += 1;
        let checks = turn.calls().filter(|(step, _)| step.id > edit.id);
        let Some((step, ended)) = checks.filter_map(|(step, call)| Some((step, outcome(call)?))).next_back() else {
            continue;
        };
        checked += 1;
        right += u64::from(ended == CheckOutcome::Passed);
        let text = if ended == CheckOutcome::Passed { PASSED } else { "the last check after the edits failed" };
        evidence.push(finding("correctness", text.to_owned(), vec![edit.id, step.id]));
    }
    basis.correctness = format!("{right} of {} with edits and a check after them", count(checked, "turn", "turns"));
    let missing = || format!("a test run or build after edits ({} with edits)", count(edited, "turn", "turns"));
    Computed::of(Share::of_count(right, checked), missing)
}

/// What the person showed after a turn: words, a stop, a command that takes it back.
pub(super) fn helpfulness(turns: &[Turn<'_>], basis: &mut Basis, evidence: &mut Vec<Finding>) -> Computed<Share> {
    let (mut good, mut shown) = (0, 0_u64);
    for pair in turns.windows(2) {
        if !pair[0].is_worked_on() {
            continue;
        }
        let words = pair[1].prompt().map(|text| text::own_words(text, 2000)).unwrap_or_default();
        let stopped = pair[0].steps.iter().rev().find(|step| takes_back(step));
        // A stop or an undo weighs more than the words after it.
        let (is_good, step) = if let Some(step) = stopped {
            (false, step)
        } else if is_displeased(&words) {
            (false, pair[1].asked.unwrap_or(&pair[0].steps[0]))
        } else if is_pleased(&words) {
            (true, pair[1].asked.unwrap_or(&pair[0].steps[0]))
        } else {
            continue;
        };
        shown += 1;
        good += u64::from(is_good);
        let what = if is_good { PLEASED } else { "the person was not content" };
        evidence.push(finding("helpfulness", what.to_owned(), vec![step.id]));
    }
    basis.helpfulness = format!("{good} of {} that the person showed", count(shown, "reaction", "reactions"));
    Computed::of(Share::of_count(good, shown), || {
        "a reaction of the person that shows praise or displeasure".to_owned()
    })
}

fn takes_back(step: &Step) -> bool {
    match &step.what {
        What::Stopped(Stop::Rejected { .. } | Stop::Interrupted) => true,
        What::Typed(text) => text.trim_start_matches('/').starts_with("undo"),
        What::Stopped(Stop::Denied { .. })
        | What::Asked(_)
        | What::Said(_)
        | What::Thought(_)
        | What::Called(_)
        | What::Failed
        | What::Began(_)
        | What::Noted => false,
    }
}

/// Prompts after which the agent said something before the next, and before it was stopped.
pub(super) fn completeness(turns: &[Turn<'_>], basis: &mut Basis, evidence: &mut Vec<Finding>) -> Computed<Share> {
    // Whoever only says thanks asks for nothing, nor does who takes it back.
    let wants = |turn: &&Turn<'_>| !turn.is_withdrawn && turn.prompt().is_some_and(|text| !is_only_pleased(text));
    let asked: Vec<_> = turns.iter().filter(wants).collect();
    let is_silent = turns.iter().all(|turn| turn.last_word().is_none());
    let was_stopped = turns.iter().any(|turn| turn.steps.iter().any(takes_back));
    // Some programs record calls alone; there every prompt would be one without an answer.
    if is_silent && !was_stopped && turns.iter().any(Turn::is_worked_on) {
        return Computed::missing("a message of the agent: the record has its calls only");
    }
    let open: Vec<_> = asked.iter().filter(|turn| !turn.is_answered()).collect();
    for turn in &open {
        let entries = turn.asked.map(|step| step.id).into_iter().collect();
        evidence.push(finding("completeness", "a prompt without an answer before the next".to_owned(), entries));
    }
    let answered = asked.len() - open.len();
    basis.completeness = format!("{answered} of {} answered", count(asked.len(), "prompt", "prompts"));
    Computed::of(Share::of_count(answered as u64, asked.len() as u64), || "a prompt of a person".to_owned())
}

/// Five signs, each asked of the turns where it could be there: thinking, a plan, looking before changing, checking after
/// it, an answer with reasons.
pub(super) fn reasoning(record: &Record, turns: &[Turn<'_>], basis: &mut Basis) -> Computed<Decimal> {
    let records_thinking = record.steps.iter().any(|step| matches!(step.what, What::Thought(_)));
    let acting: Vec<_> = turns.iter().filter(|turn| turn.calls().next().is_some()).collect();
    let is = |kind: CallKind| move |call: &Call| call.kind == kind;
    let has = |turn: &Turn<'_>, fits: &dyn Fn(&Call) -> bool| turn.calls().any(|(_, call)| fits(call));
    let editing: Vec<_> = acting.iter().filter(|turn| has(turn, &is(CallKind::Edit))).collect();
    let long: Vec<_> = acting.iter().filter(|turn| turn.calls().nth(7).is_some()).collect();
    let thinks =
        acting.iter().filter(|turn| turn.steps.iter().any(|step| matches!(step.what, What::Thought(_)))).count();
    let plans = long.iter().filter(|turn| has(turn, &is(CallKind::Plan))).count();
    let looks = editing.iter().filter(|turn| {
        let first =
            turn.calls().find(|(_, call)| matches!(call.kind, CallKind::Read | CallKind::Search | CallKind::Edit));
        first.is_some_and(|(_, call)| call.kind != CallKind::Edit)
    });
    let looks = looks.count();
    let checks = editing.iter().filter(|turn| {
        let calls: Vec<&Call> = turn.calls().map(|(_, call)| call).collect();
        let last = calls.iter().rposition(|call| call.kind == CallKind::Edit && call.is_ok());
        calls.iter().skip(last.unwrap_or(0)).any(|call| call.check.is_some())
    });
    let checks = checks.count();
    let said: Vec<_> = acting.iter().filter_map(|turn| turn.last_word()).collect();
    let reasons = said.iter().filter(|(_, text)| says_why(text) || names_files(text)).count();
    let signs = [
        // Many tools never record thoughts, and a record without any says nothing of thinking.
        ("thinks", thinks, if records_thinking { acting.len() } else { 0 }),
        ("plans long work", plans, long.len()),
        ("looks before editing", looks, editing.len()),
        ("checks after editing", checks, editing.len()),
        ("says why or where", reasons, said.len()),
    ];
    let could: Vec<_> = signs.into_iter().filter(|(_, _, of)| *of > 0).collect();
    basis.reasoning_quality =
        could.iter().map(|(what, some, of)| format!("{what} {some}/{of}")).collect::<Vec<_>>().join(", ");
    let scores = could.iter().filter_map(|(_, some, of)| Share::of_count(*some as u64, *of as u64));
    let score = mean(scores).map(|share| Decimal::thousandths(i64::from(share.in_thousandths()) * 5));
    Computed::of(score, || "a turn with a call".to_owned())
}

/// ΔI = ½ ln(Var[Y|before] / Var[Y|after]), Y being whether a check passes, the first edit standing between.
pub(super) fn gain(steps: &[Step], basis: &mut Basis) -> Computed<Decimal> {
    let edit = steps.iter().find(|step| step.call().is_some_and(|call| call.kind == CallKind::Edit && call.is_ok()));
    let Some(edit) = edit else { return Computed::missing("an edit between two groups of checks") };
    let outcomes = |is_before: bool| {
        let side = steps.iter().filter(move |step| (step.id < edit.id) == is_before);
        let ended: Vec<_> = side.filter_map(|step| outcome(step.call()?)).collect();
        let passed = ended.iter().filter(|outcome| **outcome == CheckOutcome::Passed).count();
        Checks { passed, all: ended.len() }
    };
    let (before, after) = (outcomes(true), outcomes(false));
    basis.information_gain = format!(
        "{} of {} checks passed before the first edit, {} of {} after it",
        before.passed, before.all, after.passed, after.all
    );
    information_gain(before, after)
}

/// How many checks passed.
#[derive(Clone, Copy)]
pub(super) struct Checks {
    pub(super) passed: usize,
    pub(super) all: usize,
}

/// The formula, of the checks before and after.
pub(super) fn information_gain(before: Checks, after: Checks) -> Computed<Decimal> {
    let short = |side: &str, Checks { passed, all }: Checks| match all {
        0 | 1 => Some(format!("two checks {side} the first edit (there were {all})")),
        _ if passed == 0 || passed == all => {
            Some(format!("checks {side} the first edit that ended differently (their variance is 0)"))
        }
        _ => None,
    };
    if let Some(missing) = short("before", before).or_else(|| short("after", after)) {
        return Computed::missing(missing);
    }
    #[expect(clippy::cast_precision_loss, reason = "nobody runs so many checks")]
    let variance = |Checks { passed, all }: Checks| {
        let share = passed as f64 / all as f64;
        share * (1.0 - share)
    };
    let gain = 0.5 * libm::log(variance(before) / variance(after));
    Computed::of(Decimal::of(gain), || "variances that can be compared".to_owned())
}
