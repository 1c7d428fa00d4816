//! What a recorded entry says of a task, read without knowing what came before: the costly part, for whatever thread has
//! time. `observe` has the rest.

use serde_json::Value;

use super::identity::{canonical, id_of};
use super::phrases::goes_on;
use super::row::summary;
use annals_kernel::call::{Call, CallKind, Finished, was_stopped};
use annals_kernel::envelope::{Ending, Envelope};
use annals_kernel::fingerprint;
use annals_kernel::json::said;
use annals_kernel::record::{Input, Kind};

/// What an entry says of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeardTask {
    /// Somebody asks for something.
    Prompt(GivenTask),
    /// An attempt failed.
    Failure(FailedCall),
}

/// A task as a prompt gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenTask {
    /// Its id; empty where the text has no word.
    pub(super) task: Box<str>,
    /// Its beginning.
    pub(super) summary: Box<str>,
    /// The beginning of its canonical text.
    pub(super) canonical: Box<str>,
    /// What it asks for.
    pub(super) asks: Asks,
}

/// What a prompt asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// Something of its own.
    Anew,
    /// Only to go on.
    ToGoOn,
}

/// A call that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCall {
    /// What it says.
    pub(super) error: Box<str>,
    /// Of the error; empty where it says no more than that something ended with a code.
    pub(super) fingerprint: Box<str>,
    /// What was tried.
    pub(super) approach: Box<str>,
}

impl HeardTask {
    /// What an entry says, given the call that it is.
    pub fn of(entry: &Envelope<'_>, call: Option<&Finished<'_>>) -> Option<Self> {
        match entry.record() {
            Kind::Call if entry.ending() == Ending::Failed => FailedCall::of(entry, call?).map(Self::Failure),
            Kind::Input(Input::Prompt) => Some(Self::Prompt(GivenTask::of(&entry.words()?))),
            Kind::Call | Kind::Input(_) | Kind::Speech(_) | Kind::Event(_) | Kind::State | Kind::Other => None,
        }
    }
}

impl GivenTask {
    pub(super) fn of(text: &str) -> Self {
        let canonical = canonical(text);
        let asks = if goes_on(text) { Asks::ToGoOn } else { Asks::Anew };
        let task = if canonical.is_empty() { Box::default() } else { id_of(&canonical) };
        Self { task, summary: summary(text), canonical: summary(&canonical), asks }
    }
}

impl FailedCall {
    fn of(entry: &Envelope<'_>, finished: &Finished<'_>) -> Option<Self> {
        let (call, error) = (&finished.call, entry.error().unwrap_or_default());
        if !is_attempt(call, &error) || finished.found_nothing {
            return None;
        }
        let told = finished.error.clone()?;
        if is_a_no(call, &told.print) {
            return None;
        }
        let failure = Self::told(&told.text, told.print, approach(call));
        Some(if is_of_a_file(call) { failure.of_this_alone() } else { failure })
    }

    /// A run in the background that ended with a code, and what was printed until then; -1 where no code is told.
    pub(super) fn of_run(code: i64, printed: &str, approach: &str) -> Self {
        let ending = if code < 0 { "failed".to_owned() } else { format!("exit code {code}") };
        // What the tool says around the output tells of no error.
        let own: Vec<&str> = printed.lines().filter(|line| !line.trim_start().starts_with('<')).collect();
        let error = match fingerprint::telling_line(&own.join("\n")) {
            Some(line) => format!("{ending}: {line}"),
            None => ending,
        };
        let print = fingerprint::of(&error);
        Self::told(&error, print, approach.into())
    }

    /// The same error about something else is another one.
    fn of_this_alone(self) -> Self {
        let fingerprint = match &*self.fingerprint {
            "" => Box::default(),
            error => format!("{error} ({})", self.approach).into(),
        };
        Self { fingerprint, ..self }
    }

    /// Who says nothing at all is known by what was tried; a code alone may stand for anything.
    fn told(error: &str, print: Box<str>, approach: Box<str>) -> Self {
        let fingerprint = match fingerprint::is_bare(&print) {
            true if error.trim().is_empty() => approach.clone(),
            true => Box::default(),
            false => print,
        };
        Self { error: summary(error), fingerprint, approach }
    }
}

/// A tool that looks into a file, or changes one: that another file is not there either, or was not read, is no news of
/// this one.
fn is_of_a_file(call: &Call<'_>) -> bool {
    call.file.is_some() && matches!(call.kind, CallKind::Read | CallKind::Edit)
}

/// Calls that were stopped, that only wait, or that asked Annals itself are no attempts.
fn is_attempt(call: &Call<'_>, error: &str) -> bool {
    let is_own = call.tool == "annals" || call.tool.starts_with("annals ");
    !was_stopped(error) && call.kind != CallKind::Wait && !is_own
}

/// The words of an output, whatever its shape.
pub(super) fn output_of(entry: &Envelope<'_>) -> String {
    entry.output::<Value>().as_ref().map(said).unwrap_or_default()
}

/// Exit code 1 without a word is how these say no.
fn is_a_no(call: &Call<'_>, print: &str) -> bool {
    // A no is no failure, and must not be counted towards a debate.
    const ASKING: [&str; 8] = ["git config", "git diff", "diff", "cmp", "pgrep", "which", "test", "["];
    let asks = call.kind == CallKind::Search || ASKING.contains(&call.tool.as_ref());
    asks && matches!(print, "exit code 1" | "")
}

/// With which tool, about which file; of a tool that reads and writes, which of both.
pub(super) fn approach(call: &Call<'_>) -> Box<str> {
    let Some(file) = &call.file else { return summary(&call.tool) };
    let kind = call.kind.as_str();
    let is_told = call.tool.to_lowercase().contains(kind) || !matches!(call.kind, CallKind::Read | CallKind::Edit);
    if is_told { summary(&format!("{} {file}", call.tool)) } else { summary(&format!("{} ({kind}) {file}", call.tool)) }
}
