//! What was shown to be right: edits without a check, claims that nothing stands behind, failures passed over.

use std::sync::LazyLock;

use regex::Regex;

use super::repetition::what;
use super::{Found, Limits, Severity};
use crate::analysis::check::{Check, Outcome, outcome};
use crate::analysis::claim::{Claim, acknowledges, admits, claims};
use crate::analysis::step::{Call, Step, Stop, What};
use crate::analysis::text::{base, short};
use crate::analysis::turn::Turn;
use crate::kernel::call::CallKind;
use crate::kernel::counted::count;
use crate::kernel::id::EntryId;

/// What is known of the work so far.
#[derive(Default)]
struct Work {
    /// Edits of code since the last check that passed.
    unproved: Vec<EntryId>,
    /// The last run of tests, and how it ended.
    tests: Option<(EntryId, Outcome)>,
    /// Whether code was changed since.
    is_changed: bool,
    /// How much was ever checked.
    checks: usize,
    /// How many commands were run at all.
    commands: usize,
    /// All edits of code.
    edits: Vec<EntryId>,
}

/// Looks for work that nothing shows to be right.
pub(super) fn find(turns: &[Turn<'_>], limits: &Limits, found: &mut Found) {
    let mut work = Work::default();
    for (number, turn) in turns.iter().enumerate() {
        let before = found.0.len();
        for step in turn.steps {
            if let Some(call) = step.call() {
                work.take(step, call);
            }
            if let Some(text) = step.said() {
                claim(step, text, &work, found);
            }
        }
        let has_claimed = found.0.len() > before;
        ignored(turn, found);
        // The person may check next; what counts is whether anybody has, when the agent has stopped.
        let is_last = number + 1 == turns.len();
        if is_last && !has_claimed {
            without_checks(&work, limits, found);
        }
    }
}

impl Work {
    fn take(&mut self, step: &Step, call: &Call) {
        self.commands += usize::from(call.command.is_some() && call.kind != CallKind::Edit);
        if call.kind == CallKind::Edit && call.is_ok() && changes_code(call) {
            self.unproved.push(step.id);
            self.edits.push(step.id);
            self.is_changed = true;
        }
        if call.check == Some(Check::Tests) {
            self.tests = outcome(call).map(|outcome| (step.id, outcome));
            self.is_changed = false;
        }
        if outcome(call).is_some() {
            self.checks += 1;
        }
        if outcome(call) == Some(Outcome::Passed) || runs_something(call) {
            self.unproved.clear();
        }
    }
}

/// A command that runs the program, or asks it something, may show what a test shows.
fn runs_something(call: &Call) -> bool {
    static RUNS: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?:^|[;&|\n]\s*)(?:[A-Z_]+=\S+\s+)*(?:\./\S+|python3?|node|bun|deno|ruby|php|go run|cargo run|npm start|npx|bunx|curl|docker|java|hyperfine|bash \S+\.sh)\b";
        Regex::new(pattern).expect("BUG: a pattern of ours")
    });
    call.kind == CallKind::Shell
        && call.is_ok()
        && call.command.as_deref().is_some_and(|command| RUNS.is_match(command))
}

/// Endings of files that are no code: nothing can be run to check them.
const NO_CODE: [&str; 18] = [
    "md",
    "txt",
    "rst",
    "adoc",
    "json",
    "yaml",
    "yml",
    "toml",
    "lock",
    "csv",
    "svg",
    "html",
    "css",
    "gitignore",
    "ini",
    "cfg",
    "env",
    "jsonl",
];

fn changes_code(call: &Call) -> bool {
    let files = call.edits.iter().map(|edit| edit.file.as_str()).chain(call.files.iter().map(|file| &**file));
    let mut files = files.chain([&*call.target].into_iter().filter(|_| call.command.is_none()));
    files.any(is_code)
}

/// Whether a file is code, by its name.
pub(super) fn is_code(file: &str) -> bool {
    let name = base(file);
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    !stem.is_empty() && ending.len() <= 6 && !NO_CODE.contains(&ending.to_ascii_lowercase().as_str())
}

/// Claims that nothing in the record stands behind.
fn claim(step: &Step, text: &str, work: &Work, found: &mut Found) {
    if admits(text) {
        return;
    }
    let Some((claim, range)) = claims(text).into_iter().next() else { return };
    let words = short(text.get(range).unwrap_or_default(), 80);
    match (claim, work.tests) {
        (Claim::TestsPass, Some((run, Outcome::Failed))) => {
            let issue = format!("\"{words}\": the last test run failed.");
            let help = "Run the tests again and say what they say.";
            found.add(Severity::Critical, "false claim of success", 900, issue, help, vec![step.id, run]);
        }
        (Claim::TestsPass, Some((run, Outcome::Passed))) if work.is_changed => {
            let issue = format!("\"{words}\": code was changed after the last test run.");
            let entries = [step.id, run].into_iter().chain(work.unproved.last().copied()).collect();
            found.add(Severity::Major, "unverified claim", 800, issue, "Run the tests once more.", entries);
        }
        (Claim::TestsPass, None) if !work.edits.is_empty() => {
            let issue = format!("\"{words}\": no test run is recorded in this session.");
            let entries = [step.id].into_iter().chain(work.edits.last().copied()).collect();
            found.add(Severity::Major, "unverified claim", 800, issue, "Run the tests and show it.", entries);
        }
        (Claim::Works, _) if work.unproved.len() >= 2 => {
            let edits = count(work.unproved.len(), "edit", "edits");
            let issue = format!("\"{words}\": nothing was run after the last {edits}.");
            let entries = [step.id].into_iter().chain(work.unproved.last().copied()).collect();
            found.add(Severity::Minor, "unverified claim", 700, issue, "Run what shows it.", entries);
        }
        (Claim::TestsPass | Claim::Works, _) => {}
    }
}

/// A check or an edit that failed at the end of a turn, and nobody says so.
fn ignored(turn: &Turn<'_>, found: &mut Found) {
    let counts = |call: &Call| call.check.is_some() || call.kind == CallKind::Edit;
    let mut open: Option<(&Step, &Call)> = None;
    for (step, call) in turn.calls().filter(|(_, call)| counts(call)) {
        let has_failed = !call.is_ok() || outcome(call) == Some(Outcome::Failed);
        let settles = |(_, before): (&Step, &Call)| before.check.is_some() == call.check.is_some();
        if has_failed {
            open = Some((step, call));
        } else if open.is_some_and(settles) {
            open = None;
        }
    }
    let Some((failed, call)) = open else { return };
    let stopped = |step: &Step| matches!(step.what, What::Stopped(Stop::Interrupted | Stop::Rejected { .. }));
    let after: Vec<_> = turn.steps.iter().filter(|step| step.id > failed.id).collect();
    let says = after.iter().filter_map(|step| step.said()).collect::<Vec<_>>();
    let is_stopped = !call.is_ok() && !call.is_trouble() || after.iter().any(|step| stopped(step));
    if is_stopped || says.is_empty() || says.iter().any(|text| acknowledges(text)) {
        return;
    }
    let last = after.iter().rev().find(|step| step.said().is_some()).map(|step| step.id);
    let issue =
        format!("{} failed, nothing of the kind succeeded after it, and the answer does not say so.", what(call));
    let entries = [failed.id].into_iter().chain(last).collect();
    found.add(Severity::Major, "failure passed over", 800, issue, "Say what failed, and what it means.", entries);
}

/// Edits of code that no check ever followed.
fn without_checks(work: &Work, limits: &Limits, found: &mut Found) {
    if work.unproved.len() < limits.edits {
        return;
    }
    let edits = count(work.unproved.len(), "edit", "edits");
    if work.commands == 0 {
        let issue = format!("{edits} of code, and no command was run in the session: whoever works with it must test.");
        let entries = work.unproved.iter().take(1).chain(work.unproved.last()).copied().collect();
        found.add(Severity::Minor, "edits without tests", 600, issue, "Run the tests that cover them.", entries);
        return;
    }
    let issue = match work.checks {
        0 => format!("{edits} of code, and neither tests nor a build were run in the session."),
        _ => format!("{edits} of code after the last check that passed."),
    };
    let entries = work.unproved.iter().take(1).chain(work.unproved.last()).copied().collect();
    found.add(Severity::Major, "edits without tests", 750, issue, "Run the tests that cover them.", entries);
}
