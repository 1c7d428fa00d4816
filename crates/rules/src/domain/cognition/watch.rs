//! What recorded calls say of how a session goes: repetition, failures, edits without tests, how much is in focus.
//!
//! Bounded: a row of this does not grow with its session. AFS 4.2, 5.3.

use std::collections::{BTreeSet, VecDeque};

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::emotion::drop_first;
use super::loops::{CheckEnded, Loops};
use annals_kernel::call::seen::needs_no_look;
use annals_kernel::call::{Action, Call, CallKind, check, is_code};
use annals_kernel::envelope::Ending;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// So many calls are remembered.
pub const MOST_RECENT: usize = 12;
/// So many calls say how well it goes, here and in analysis.
pub const LAST_CALLS: usize = 10;
/// Fewer say nothing of how well the strategy works.
const LEAST_CALLS: usize = 5;
/// More tools are not told apart.
const MOST_TOOLS: usize = 64;
/// So many folders that were looked into are remembered.
const MOST_FOLDERS: usize = 64;
/// A path is kept up to here, in characters.
const PATH_CHARS: usize = 120;

/// Whether an edit leaves a text that a test could look at: not what only goes, or stands elsewhere, or tries something out.
fn changes_text(call: &Call<'_>) -> bool {
    const MOVES: [&str; 3] = ["rm", "cp", "mv"];
    const SCRATCH: [&str; 3] = ["/tmp/", "/private/tmp/", "/var/folders/"];
    let file = call.file.as_deref().unwrap_or_default();
    !MOVES.contains(&&*call.tool) && !SCRATCH.iter().any(|folder| file.starts_with(folder))
}

/// A look at a place that is not there, or a question that is answered with no, is how one finds out: three of them were
/// made at once, and told as failures.
fn only_asks(call: &Call<'_>) -> bool {
    const ASKING: [&str; 9] = ["[", "cmp", "command", "curl", "diff", "git diff", "pgrep", "test", "which"];
    matches!(call.kind, CallKind::Read | CallKind::Search | CallKind::Web) || ASKING.contains(&&*call.tool)
}

/// How and when a call ended, and when it was asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndedCall {
    pub(super) ending: Ending,
    pub(super) at: Timestamp,
    pub(super) asked_at: Timestamp,
}

/// A call that was seen.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenCall {
    /// Which action.
    pub action: Action,
    /// Whether it did what it was asked.
    pub done: bool,
    /// The file that it read or wrote.
    pub file: Option<Box<str>>,
}

/// What the calls of a session say so far.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and stands so in the state")]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Watch {
    /// Calls, without those that only wait.
    pub calls: u64,
    /// The last ones, the latest last.
    pub recent: Vec<SeenCall>,
    /// How often the last action was repeated after its first time, without another one or a prompt in between.
    pub repeats: u32,
    /// Checks that fail with the same error, through edits.
    #[serde(skip_serializing_if = "Loops::is_empty")]
    pub loops: Loops,
    /// The tool of the last call; of a shell, its program.
    pub tool: Box<str>,
    /// So many calls in a row were made with it, and brought nothing but one more failure.
    pub same_tool: u32,
    /// So many calls in a row failed; those that were asked for at once count once.
    pub failures: u32,
    /// When the last of them did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_at: Option<Timestamp>,
    /// Edits since the last time that tests ran.
    pub edits: u32,
    /// Times that tests ran.
    pub tests: u32,
    /// Whether the last call wrote in a folder in which nothing had been looked at.
    pub unfamiliar: bool,
    /// Whether anything was ever looked at.
    pub looked: bool,
    /// Calls that handed work to another agent.
    pub delegated: u32,
    /// Tools.
    pub tools: BTreeSet<Box<str>>,
    /// Folders that were looked into or written to, as hashes.
    pub folders: VecDeque<Action>,
    /// Prompts.
    pub prompts: u64,
    /// Whether anything was done since the last prompt.
    pub worked: bool,
    /// Whether the agent spoke last: a prompt that comes before it does ends no turn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub said: bool,
    /// Turns in a row that ended well.
    pub stable: u32,
}

impl Watch {
    /// How often an action, or a check with its error, was repeated: what spins.
    pub fn spin(&self) -> u32 {
        self.repeats.max(self.loops.repeats())
    }

    /// A call has ended; the error is that of a check that failed.
    pub(super) fn call(&mut self, call: &Call<'_>, ended: EndedCall, error: Option<&str>) {
        let ending = ended.ending;
        // Looking again at what runs in the background repeats nothing.
        if call.kind == CallKind::Wait {
            return;
        }
        let done = ending == Ending::Succeeded;
        // A prompt sets `same_tool` to 0: what is asked for again repeats nothing.
        let is_repeat = self.recent.last().is_some_and(|last| last.action == call.action) && self.same_tool > 0;
        self.repeats = if is_repeat { self.repeats.saturating_add(1) } else { 0 };
        // Of 19 firings of `tool-repetition` that were read, 11 were reads of one file after the other, 5 were told as
        // spinning, too, and 1 was useful: only what fails again and again repeats anything.
        let has_failed_again = !done && self.recent.last().is_some_and(|last| !last.done);
        // The same again is spinning, which is told by itself.
        let is_no_news = *self.tool == *call.tool && has_failed_again;
        self.same_tool = if is_no_news { self.same_tool.saturating_add(1) } else { 1 };
        if done {
            (self.failures, self.failed_at) = (0, None);
        } else if !only_asks(call) {
            let is_beside = self.failed_at.is_some_and(|before| ended.asked_at < before);
            self.failures = self.failures.saturating_add(u32::from(!is_beside));
            self.failed_at = Some(ended.at);
        }
        if *self.tool != *call.tool {
            self.tool = call.tool.as_ref().into();
        }
        if self.tools.len() < MOST_TOOLS && !self.tools.contains(call.tool.as_ref()) {
            self.tools.insert(call.tool.as_ref().into());
        }
        self.territory(call, ending);
        self.go_round(call, ending, error);
        match call.kind {
            CallKind::Edit if done && call.file.as_deref().is_none_or(is_code) && changes_text(call) => {
                self.edits = self.edits.saturating_add(1);
            }
            CallKind::Test => self.tested(),
            // What builds, lints or checks types shows something, too, however it ends, and so does what runs the thing;
            // asked only where something waits for it.
            CallKind::Shell if self.edits > 0 && check::answers_for_edits(call.kind, &call.target) => {
                self.tested();
            }
            CallKind::Delegate => self.delegated = self.delegated.saturating_add(1),
            CallKind::Edit
            | CallKind::Read
            | CallKind::Search
            | CallKind::Shell
            | CallKind::Web
            | CallKind::Plan
            | CallKind::Wait
            | CallKind::Other => {}
        }
        self.calls += 1;
        (self.worked, self.said) = (true, false);
        let end = |file: &str| file.char_indices().nth(PATH_CHARS).map_or(file.len(), |(end, _)| end);
        let file = call.file.as_deref().map(|file| file[..end(file)].into());
        drop_first(&mut self.recent, MOST_RECENT - 1);
        self.recent.push(SeenCall { action: call.action, done, file });
    }

    fn go_round(&mut self, call: &Call<'_>, ending: Ending, error: Option<&str>) {
        let done = ending == Ending::Succeeded;
        if call.kind == CallKind::Edit && done {
            self.loops.edited();
        }
        if let Some(ended) = error.map(CheckEnded::Failed).or(done.then_some(CheckEnded::Passed)) {
            drop(self.loops.ended(&call.tool, ended));
        }
    }

    /// Tests ran, whoever ran them.
    pub(super) fn tested(&mut self) {
        (self.edits, self.tests) = (0, self.tests.saturating_add(1));
    }

    /// A folder in which something is written before anything was looked at there, once some place was looked at: some
    /// agents get their files without a call, and then nothing can be said.
    fn territory(&mut self, call: &Call<'_>, ending: Ending) {
        self.unfamiliar = false;
        let done = ending == Ending::Succeeded;
        let is_look = matches!(call.kind, CallKind::Read | CallKind::Search);
        let named = call.file.as_deref().or_else(|| Some(&*call.target).filter(|_| call.kind == CallKind::Search));
        let Some(path) = named.filter(|_| done && (is_look || call.kind == CallKind::Edit)) else { return };
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let hash = Action::of("", folder);
        self.looked |= is_look;
        if self.folders.contains(&hash) {
            return;
        }
        // A tool that refuses to edit what was not read has seen to it: what the record lacks was read elsewhere.
        let is_blind = call.file.as_deref().is_some_and(is_code) && !needs_no_look(&call.tool);
        self.unfamiliar = call.kind == CallKind::Edit && self.looked && is_blind;
        self.folders.push_back(hash);
        if self.folders.len() > MOST_FOLDERS {
            self.folders.pop_front();
        }
    }

    /// A person said something: what comes now is asked for, and repeats nothing.
    pub(super) fn prompt(&mut self) {
        (self.repeats, self.same_tool, self.loops) = (0, 0, Loops::default());
        self.prompts += 1;
    }

    /// A person stopped it: what was on is over.
    pub(super) fn interrupt(&mut self) {
        self.recent.clear();
        // What was edited is half done, and the person's to judge.
        self.edits = 0;
        self.prompt();
    }

    /// A turn has ended well, or not.
    pub(super) fn turn(&mut self, went_well: impl FnOnce(&Self) -> bool) {
        if self.worked {
            self.stable = if went_well(self) { self.stable.saturating_add(1) } else { 0 };
            self.worked = false;
        }
    }

    /// Different files among the last calls, the latest first.
    pub fn in_focus(&self) -> impl Iterator<Item = &str> {
        let is_new = |place: &usize| {
            let (seen, later) = (&self.recent[*place], &self.recent[place + 1..]);
            later.iter().all(|later| later.file != seen.file)
        };
        let files = (0..self.recent.len()).rev().filter(|place| self.recent[*place].file.is_some());
        files.filter(is_new).filter_map(|place| self.recent[place].file.as_deref())
    }

    /// How many of the last calls did what they were asked; unknown where there are fewer than five.
    pub fn effectiveness(&self) -> Option<Share> {
        let last = self.recent.iter().rev().take(LAST_CALLS);
        let (done, all) = last.fold((0, 0), |(done, all), seen| (done + u64::from(seen.done), all + 1));
        (self.recent.len() >= LEAST_CALLS).then(|| Share::of_count(done, all)).flatten()
    }

    /// So many calls in a row did what they were asked, as far as they are remembered.
    pub fn successes(&self) -> usize {
        self.recent.iter().rev().take_while(|seen| seen.done).count()
    }
}
