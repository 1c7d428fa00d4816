//! The same again: calls that repeat without anything changed between, failures that repeat, also where something was
//! changed between and the error stayed, calls after a no.

use std::collections::BTreeMap;

use super::{Found, Limits, Severity};
use crate::check::{Outcome, outcome};
use crate::step::{Call, Step, Stop, What};
use crate::text::short;
use annals_kernel::call::{Action, CallKind};
use annals_kernel::counted::count;
use annals_kernel::id::EntryId;
use annals_rules::domain::dialectic::fingerprint;

/// The same call with the same result, since the last edit.
#[derive(Default)]
struct Run<'s> {
    entries: Vec<EntryId>,
    last: Option<&'s Call>,
}

/// Looks for repetitions.
pub(super) fn find(steps: &[Step], limits: &Limits, found: &mut Found) {
    let mut runs: BTreeMap<Action, Run<'_>> = BTreeMap::new();
    let mut loops = Loops::default();
    let mut refused: BTreeMap<Action, EntryId> = BTreeMap::new();
    for step in steps {
        match &step.what {
            What::Called(call) => {
                if let Some(no) = refused.remove(&call.action) {
                    again_after_no(step, call, no, found);
                }
                take(step, call, &mut runs, limits, found);
                loops.take(step, call, limits, found);
            }
            // A new question may want the same again.
            What::Asked(_) => {
                close(&mut runs, limits, found);
                loops.close(limits, found);
                refused.clear();
            }
            What::Typed(_) => close(&mut runs, limits, found),
            What::Stopped(Stop::Rejected { action, .. } | Stop::Denied { action }) => {
                refused.insert(*action, step.id);
            }
            What::Stopped(Stop::Interrupted)
            | What::Said(_)
            | What::Thought(_)
            | What::Failed
            | What::Began(_)
            | What::Noted => {}
        }
    }
    close(&mut runs, limits, found);
    loops.close(limits, found);
}

/// A check that fails with the same error, whatever was changed between: edit, test, edit, test.
#[derive(Default)]
struct Loop<'s> {
    error: Box<str>,
    entries: Vec<EntryId>,
    changes: usize,
    last: Option<&'s Call>,
}

/// Checks that fail, by their program and what it is about, however the command is worded.
#[derive(Default)]
struct Loops<'s>(BTreeMap<(&'s str, &'s str), Loop<'s>>);

impl<'s> Loops<'s> {
    fn take(&mut self, step: &Step, call: &'s Call, limits: &Limits, found: &mut Found) {
        if call.kind == CallKind::Edit && call.is_ok() {
            self.0.values_mut().for_each(|open| open.changes += 1);
        }
        let Some(ended) = outcome(call) else { return };
        let open = self.0.entry((&call.tool, &call.tried)).or_default();
        let error = match ended {
            Outcome::Passed => Box::default(),
            Outcome::Failed => error_of(call),
        };
        if error.is_empty() || *error != *open.error {
            open.report(limits, found);
            *open = Loop { error, ..Loop::default() };
        }
        if !open.error.is_empty() {
            open.entries.push(step.id);
            open.last = Some(call);
        }
    }

    fn close(&mut self, limits: &Limits, found: &mut Found) {
        for open in std::mem::take(&mut self.0).values() {
            open.report(limits, found);
        }
    }
}

impl Loop<'_> {
    /// Where nothing was changed, `report` has said so.
    fn report(&self, limits: &Limits, found: &mut Found) {
        let Some(call) = self.last.filter(|_| self.entries.len() >= limits.repetition && self.changes > 0) else {
            return;
        };
        let (times, changes) = (self.entries.len(), count(self.changes, "edit", "edits"));
        let issue = format!("{} failed {times} times with the same error, through {changes}.", what(call));
        let help = "Stop editing and find out what the error says.";
        found.add(Severity::Major, "repetition", 850, issue, help, self.entries.clone());
    }
}

/// The fingerprint of what went wrong, by which debates tell failures apart, too; empty where nothing is told.
fn error_of(call: &Call) -> Box<str> {
    let told = fingerprint::told_by(call.error.as_deref().unwrap_or_default(), || call.output.clone());
    Some(fingerprint::of(&told)).filter(|print| !fingerprint::is_bare(print)).unwrap_or_default()
}

fn take<'s>(step: &Step, call: &'s Call, runs: &mut BTreeMap<Action, Run<'s>>, limits: &Limits, found: &mut Found) {
    if matches!(call.kind, CallKind::Wait | CallKind::Plan) || !call.is_ok() && !call.is_trouble() {
        return;
    }
    if call.kind == CallKind::Edit && call.is_ok() || call.kind == CallKind::Shell && changes(call) {
        close(runs, limits, found);
        return;
    }
    let run = runs.entry(call.action).or_default();
    let is_alike = |last: &Call| last.output == call.output && last.is_ok() == call.is_ok() && last.edits == call.edits;
    let is_same = run.last.is_none_or(is_alike);
    if !is_same {
        report(run, limits, found);
        run.entries.clear();
    }
    run.entries.push(step.id);
    run.last = Some(call);
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

fn close(runs: &mut BTreeMap<Action, Run<'_>>, limits: &Limits, found: &mut Found) {
    for run in std::mem::take(runs).values() {
        report(run, limits, found);
    }
}

fn report(run: &Run<'_>, limits: &Limits, found: &mut Found) {
    let Some(call) = run.last else { return };
    let times = run.entries.len();
    let what = what(call);
    if !call.is_ok() && times >= 2 {
        let severity = if times >= limits.repetition { Severity::Major } else { Severity::Minor };
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
            Severity::Minor,
            "spinning",
            850,
            issue,
            "Say what is expected to differ, or do something else.",
            run.entries.clone(),
        );
    }
}

fn again_after_no(step: &Step, call: &Call, no: EntryId, found: &mut Found) {
    let issue = format!("{} was called again, word for word, after it was refused.", what(call));
    found.add(Severity::Major, "against a refusal", 900, issue, "Ask what is wanted instead.", vec![no, step.id]);
}

/// A call, in a few words.
pub(super) fn what(call: &Call) -> String {
    let about = call.command.as_deref().unwrap_or(&call.target);
    if about.is_empty() { call.tool.to_string() } else { format!("{} `{}`", call.tool, short(about, 80)) }
}
