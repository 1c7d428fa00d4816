//! The same again: calls that repeat without anything changed between, failures that repeat, also where something was
//! changed between and the error stayed. Not calls after a no: of 6 that were told and read, none was against it.

use std::collections::BTreeMap;

use super::{CriticLimits, CriticSeverity, FoundReviews};
use crate::check::{CheckOutcome, error_of, outcome};
use crate::step::{Call, Step, Stop, What};
use crate::text::short;
use annals_kernel::call::{Action, CallKind};
use annals_kernel::counted::count;
use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;
use annals_rules::domain::cognition::loops::{CheckEnded, Loop, Loops};

/// The same call with the same result, since the last edit.
// The live mind counts equal actions in a row by their hashes, whatever came out (AFS 4.2, `spin_detection`). A finding of
// the critic (AFS 5.2.4) says that something is wrong: there the result is the same, and nothing was changed between,
// whatever was looked at. How often is too often is one setting.
#[derive(Default)]
struct RepeatedCall<'s> {
    entries: Vec<EntryId>,
    last: Option<(&'s Call, Timestamp)>,
}

/// Looks for repetitions.
pub(super) fn find(steps: &[Step], limits: &CriticLimits, found: &mut FoundReviews) {
    let mut runs: BTreeMap<Action, RepeatedCall<'_>> = BTreeMap::new();
    let mut failing = Failing::default();
    for step in steps {
        match &step.what {
            What::Called(call) => {
                take(step, call, &mut runs, limits, found);
                failing.take(step, call, limits, found);
            }
            // A new question may want the same again.
            What::Asked(_) => {
                close(&mut runs, limits, found);
                failing.close(limits, found);
            }
            What::Typed(_) => close(&mut runs, limits, found),
            What::Stopped(Stop::Interrupted) => failing.close(limits, found),
            What::Stopped(Stop::Rejected { .. } | Stop::Denied { .. })
            | What::Said(_)
            | What::Thought(_)
            | What::Failed
            | What::Began(_)
            | What::Noted => {}
        }
    }
    close(&mut runs, limits, found);
    failing.close(limits, found);
}

/// Checks that fail with one error, however often something is changed between: what is measured of them, the entries
/// of their failures, and the last call.
#[derive(Default)]
struct Failing<'s> {
    loops: Loops,
    seen: BTreeMap<&'s str, (Vec<EntryId>, &'s Call)>,
}

impl<'s> Failing<'s> {
    /// As `Watch` takes a call in.
    fn take(&mut self, step: &Step, call: &'s Call, limits: &CriticLimits, found: &mut FoundReviews) {
        if call.kind == CallKind::Wait || !call.is_ok() && !call.is_trouble() {
            return;
        }
        if call.kind == CallKind::Edit && call.is_ok() {
            self.loops.edited();
        }
        let error = (outcome(call) == Some(CheckOutcome::Failed)).then(|| {
            let (entries, last) = self.seen.entry(&call.program).or_insert_with(|| (Vec::new(), call));
            entries.push(step.id);
            *last = call;
            error_of(call.error.as_deref().unwrap_or_default(), || call.output.clone())
        });
        let ended = error.as_deref().map(CheckEnded::Failed).or(call.is_ok().then_some(CheckEnded::Passed));
        let over = ended.and_then(|ended| self.loops.ended(&call.program, ended));
        let Some(over) = over else { return };
        // The failure at hand belongs to the next loop of its check.
        let newer = usize::from(error.is_some() && *over.check == *call.program);
        self.report(&over, newer, limits, found);
    }

    fn close(&mut self, limits: &CriticLimits, found: &mut FoundReviews) {
        self.loops.asked().iter().for_each(|over| self.report(over, 0, limits, found));
    }

    /// Where nothing was changed, `report` has said so.
    fn report(&self, over: &Loop, newer: usize, limits: &CriticLimits, found: &mut FoundReviews) {
        let Some((entries, call)) = self.seen.get(&*over.check).filter(|_| over.repeats() >= limits.spinning) else {
            return;
        };
        let times = usize::try_from(over.times).unwrap_or(usize::MAX);
        let end = entries.len() - newer;
        let entries = entries[end.saturating_sub(times)..end].to_vec();
        let edits = count(usize::try_from(over.edits).unwrap_or(usize::MAX), "edit", "edits");
        let issue = format!("{} failed {times} times with the same error, through {edits}.", what(call));
        let help = "Stop editing and find out what the error says.";
        found.add(CriticSeverity::Major, "repetition", 850, issue, help, entries);
    }
}

fn take<'s>(
    step: &Step,
    call: &'s Call,
    runs: &mut BTreeMap<Action, RepeatedCall<'s>>,
    limits: &CriticLimits,
    found: &mut FoundReviews,
) {
    // Looking again at what runs in the background, or at a list of tasks, repeats nothing.
    if matches!(call.kind, CallKind::Wait | CallKind::Plan) || !call.is_ok() && !call.is_trouble() {
        return;
    }
    if call.kind == CallKind::Edit && call.is_ok() || call.kind == CallKind::Shell && changes(call) {
        close(runs, limits, found);
        return;
    }
    if call.kind == CallKind::Read && call.is_ok() {
        looked_again(call, runs, limits, found);
    }
    let run = runs.entry(call.action).or_default();
    // What was asked for at once is one try.
    if run.last.is_some_and(|(_, at)| call.asked_at < at) {
        return;
    }
    let is_alike =
        |(last, _): (&Call, _)| last.output == call.output && last.error == call.error && last.edits == call.edits;
    if !run.last.is_none_or(is_alike) {
        report(run, limits, found);
        run.entries.clear();
    }
    run.entries.push(step.id);
    run.last = Some((call, step.at));
}

/// Who looks at a file once more does what an edit that failed asks for: the next one is another.
fn looked_again(
    look: &Call,
    runs: &mut BTreeMap<Action, RepeatedCall<'_>>,
    limits: &CriticLimits,
    found: &mut FoundReviews,
) {
    let is_edit = |last: &Call| last.kind == CallKind::Edit && last.target == look.target;
    runs.retain(|_, run| {
        let is_over = run.last.is_some_and(|(last, _)| is_edit(last));
        if is_over {
            report(run, limits, found);
        }
        !is_over
    });
}

/// Commands that change what later ones see; what looks the same after them is not the same again.
fn changes(call: &Call) -> bool {
    const READING: [&str; 12] = [
        "git status", "git diff", "git log", "git branch", "git show", "gh ", "curl ", "ps ", "docker ps", "cat ",
        "ls ", "python",
    ];
    let command = call.command.as_deref().unwrap_or_default().trim_start();
    call.is_ok() && !READING.iter().any(|start| command.starts_with(start))
}

fn close(runs: &mut BTreeMap<Action, RepeatedCall<'_>>, limits: &CriticLimits, found: &mut FoundReviews) {
    for run in std::mem::take(runs).values() {
        report(run, limits, found);
    }
}

fn report(run: &RepeatedCall<'_>, limits: &CriticLimits, found: &mut FoundReviews) {
    let Some((call, _)) = run.last else { return };
    let times = run.entries.len();
    let what = what(call);
    if !call.is_ok() && times >= 2 {
        let severity = if times >= limits.repetition { CriticSeverity::Major } else { CriticSeverity::Minor };
        let issue = format!("{what} failed {times} times in the same way, and nothing was changed between.");
        found.add(
            severity,
            "repeated failure",
            900,
            issue,
            "Find out why it fails before it is tried again.",
            run.entries.clone(),
        );
    } else if times >= limits.repetition {
        let issue = format!("{what} was called {times} times with the same result, and nothing was changed between.");
        found.add(
            CriticSeverity::Minor,
            "spinning",
            850,
            issue,
            "Say what is expected to differ, or do something else.",
            run.entries.clone(),
        );
    }
}

/// A call, in a few words.
pub(super) fn what(call: &Call) -> String {
    let about = call.command.as_deref().unwrap_or(&call.target);
    if about.is_empty() { call.tool.to_string() } else { format!("{} `{}`", call.tool, short(about, 80)) }
}
