//! What was shown to be right: edits without a check, claims that nothing stands behind. Not whether an answer passes a failure
//! over: of 11 that were told and read, none did.

use super::{CriticLimits, CriticSeverity, FoundReviews};
use crate::check::{self, Check, CheckOutcome, outcome};
use crate::claim::{Claim, admits, claims};
use crate::step::{Call, Step};
use crate::text::short;
use crate::turn::Turn;
use crate::wording::changes_code;
use annals_kernel::call::{CallKind, is_code};
use annals_kernel::counted::count;
use annals_kernel::id::EntryId;
use annals_kernel::unchecked::is_said_unfinished;

/// What the record shows to be wrong.
pub const FALSE_CLAIM: &str = "false claim of success";
/// What nothing in the record stands behind.
pub const UNVERIFIED_CLAIM: &str = "unverified claim";

/// What is known of the work so far.
#[derive(Default)]
struct Work {
    /// Edits of code since the last check that passed.
    unproved: Vec<EntryId>,
    /// The last run of tests.
    tests: Option<CheckRun>,
    /// The last check of any kind.
    check: Option<CheckRun>,
    /// How many checks passed.
    passed: usize,
    /// How many commands the agent ran at all.
    commands: usize,
    /// How many the person ran by hand.
    by_hand: usize,
    /// Whether a check was run since the last edit, however it ended.
    has_tried: bool,
    /// Whether something has shown since the last edit that it is right.
    is_shown: bool,
    /// All edits of code.
    edits: Vec<EntryId>,
}

/// A check, how it ended, and whether code was changed since.
#[derive(Clone, Copy)]
struct CheckRun {
    entry: EntryId,
    ended: CheckOutcome,
    is_stale: bool,
}

/// Looks for work that nothing shows to be right.
pub(super) fn find(turns: &[Turn<'_>], limits: &CriticLimits, found: &mut FoundReviews) {
    let mut work = Work::default();
    // What was left without a check, and nothing has made good since.
    let mut open: Vec<Omission> = Vec::new();
    for turn in turns {
        let before = found.0.len();
        let last_word = turn.last_word();
        let is_unfinished = last_word.is_some_and(|(_, text)| is_said_unfinished(text));
        for step in turn.steps {
            if step.call().is_some_and(|call| work.take(step, call) == Proof::Given) {
                open.clear();
            }
            work.by_hand += usize::from(step.is_run_by_hand());
            // What is said on the way is a note on what is being done; who has not tried claims no success with the rest.
            if let Some((_, text)) = last_word.filter(|(last, _)| last.id == step.id && !is_unfinished) {
                claim(step, text, &work, found);
            }
        }
        // One finding for one omission: who claimed without proof is not told of missing tests, too.
        let has_claimed = found.0.len() > before;
        // The person may check next; what counts is whether anybody has, when the agent has come to an end.
        if turn.has_ended() {
            // Who tried, and says that it could not be done, leaves nobody in the dark.
            let is_told = is_unfinished || work.has_tried && last_word.is_some_and(|(_, text)| admits(text));
            if !has_claimed && !is_told && work.unproved.len() >= limits.edits {
                open.push(Omission::of(&work));
            }
            if is_told || work.unproved.len() >= limits.edits {
                work.unproved.clear();
            }
        }
    }
    without_checks(&open, limits, found);
}

/// Whether a call shows that what was edited before it is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Proof {
    Given,
    None,
}

impl Work {
    fn take(&mut self, step: &Step, call: &Call) -> Proof {
        self.commands += usize::from(call.command.is_some());
        if call.is_ok()
            && !MOVES.contains(&&*call.program)
            && call.changed().any(|file| is_code(file) && !is_scratch(file))
            && (call.edits.is_empty() || call.edits.iter().any(changes_code))
        {
            self.unproved.push(step.id);
            self.edits.push(step.id);
            (self.has_tried, self.is_shown) = (false, false);
            for run in self.tests.iter_mut().chain(&mut self.check) {
                run.is_stale = true;
            }
        }
        let ended = outcome(call);
        self.has_tried |= ended.is_some();
        if let Some(ended) = ended {
            let run = CheckRun { entry: step.id, ended, is_stale: false };
            // A program that is not there says nothing of a build that passed; of tests it says that they did not run.
            if !check::is_missing(call) {
                self.check = Some(run);
            }
            if call.check == Some(Check::Tests) {
                self.tests = Some(run);
            }
        }
        self.passed += usize::from(ended == Some(CheckOutcome::Passed));
        let is_proof = ended == Some(CheckOutcome::Passed)
            || runs_something(call)
            || is_checked_commit(call)
            || ended.is_some() && check::ran_out_of_time(call);
        if is_proof {
            self.unproved.clear();
            self.is_shown = true;
        }
        if is_proof { Proof::Given } else { Proof::None }
    }
}

/// What changes no text: a file that goes, or stands elsewhere.
const MOVES: [&str; 4] = ["rm", "cp", "mv", "git stash"];

/// Whether a file is for trying something out.
fn is_scratch(file: &str) -> bool {
    ["/tmp/", "/private/tmp/", "/var/folders/"].iter().any(|folder| file.starts_with(folder))
        || file.contains("/scratch")
}

/// A command that runs the program, or asks it something, may show what a test shows.
fn runs_something(call: &Call) -> bool {
    matches!(call.kind, CallKind::Shell | CallKind::Web)
        && call.is_ok()
        && call.command.as_deref().is_some_and(check::runs)
}

/// A commit before which the checks of the project ran.
fn is_checked_commit(call: &Call) -> bool {
    call.is_ok()
        && call.command.as_deref().is_some_and(|command| check::is_checked_commit(command, || call.output.clone()))
}

/// Claims that nothing in the record stands behind.
fn claim(step: &Step, text: &str, work: &Work, found: &mut FoundReviews) {
    // Who says in the same message that something failed claims no success with the rest of it.
    if admits(text) {
        return;
    }
    let Some((claim, range)) = claims(text).into_iter().next() else { return };
    let words = short(text.get(range).unwrap_or_default(), 80);
    let (run, kind) = match claim {
        Claim::TestsPass => (work.tests, "test run"),
        Claim::ChecksPass => (work.check, "check"),
        Claim::Works => return works(step, &words, work, found),
    };
    match run {
        Some(CheckRun { entry, ended: CheckOutcome::Failed, .. }) => {
            let issue = format!("\"{words}\": the last {kind} failed.");
            let help = "Run it again and say what it says.";
            found.add(CriticSeverity::Critical, FALSE_CLAIM, 900, issue, help, vec![step.id, entry]);
        }
        Some(CheckRun { entry, ended: CheckOutcome::Passed, is_stale: true }) => {
            let issue = format!("\"{words}\": code was changed after the last {kind}.");
            let entries = [step.id, entry].into_iter().chain(work.unproved.last().copied()).collect();
            found.add(CriticSeverity::Major, UNVERIFIED_CLAIM, 800, issue, "Run it once more.", entries);
        }
        // What was run after the last edit may be what is meant.
        None if !work.edits.is_empty() && !work.is_shown => {
            let issue = format!("\"{words}\": no {kind} is recorded in this session.");
            let entries = [step.id].into_iter().chain(work.edits.last().copied()).collect();
            found.add(CriticSeverity::Major, UNVERIFIED_CLAIM, 800, issue, "Run it and show it.", entries);
        }
        Some(CheckRun { ended: CheckOutcome::Passed, is_stale: false, .. }) | None => {}
    }
}

fn works(step: &Step, words: &str, work: &Work, found: &mut FoundReviews) {
    if work.unproved.len() < 2 {
        return;
    }
    let edits = count(work.unproved.len(), "edit", "edits");
    let issue = format!("\"{words}\": nothing was run after the last {edits}.");
    let entries = [step.id].into_iter().chain(work.unproved.last().copied()).collect();
    found.add(CriticSeverity::Minor, UNVERIFIED_CLAIM, 700, issue, "Run what shows it.", entries);
}

/// Edits of code that no check followed, as it stood at the end of a turn.
struct Omission {
    edits: usize,
    severity: CriticSeverity,
    issue: String,
    entries: Vec<EntryId>,
}

impl Omission {
    fn of(work: &Work) -> Self {
        let edits = count(work.unproved.len(), "edit", "edits");
        let by_hand = count(work.by_hand, "command was run by hand", "commands were run by hand");
        let (severity, issue) = match (work.commands, work.by_hand, work.check, work.passed) {
            (0, 0, ..) => {
                let who = "whoever works with it must test";
                (CriticSeverity::Minor, format!("{edits} of code, and no command was run in the session: {who}"))
            }
            (0, ..) => (CriticSeverity::Minor, format!("{edits} of code, and the agent ran no command; {by_hand}")),
            (_, _, None, _) => (
                CriticSeverity::Major,
                format!("{edits} of code, and neither tests nor a build were run in the session"),
            ),
            (_, _, Some(_), 0) => {
                (CriticSeverity::Major, format!("{edits} of code, and no check passed in the session"))
            }
            (_, _, Some(_), _) => (CriticSeverity::Major, format!("{edits} of code after the last check that passed")),
        };
        let entries = work.unproved.iter().take(1).chain(work.unproved.last()).copied().collect();
        Self { edits: work.unproved.len(), severity, issue, entries }
    }
}

/// Edits of code that no check ever followed: once a session, with the turn that has most of them. Who works without checks
/// does so turn by turn, and of what was told of the later turns less was right.
// The trigger `edits-without-tests` (AFS 5.3) is judged at the end of a turn, and asks less: whether anything ran since that
// answers for edits, however tests ended, and whatever was changed. What is said of a whole session (AFS 5.2.4) asks whether
// anything has shown that the edits are right, be it later. Limit and notion of code are the same.
fn without_checks(open: &[Omission], limits: &CriticLimits, found: &mut FoundReviews) {
    let Some(most) = open.iter().rev().max_by_key(|omission| omission.edits) else { return };
    // Of 56 with as many edits as the limit 33 were right, of 67 with more 52.
    let confidence = if most.edits > limits.edits { 750 } else { 600 };
    let issue = match open.len() {
        1 => format!("{}.", most.issue),
        times => format!("{}; so at {times} ends of turns.", most.issue),
    };
    let help = "Run the tests that cover them.";
    found.add(most.severity, "edits without tests", confidence, issue, help, most.entries.clone());
}
