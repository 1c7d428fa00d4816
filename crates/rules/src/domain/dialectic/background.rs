//! Runs that go on in the background: what one came to belongs to the call that began it, and says so when somebody
//! looks. A look is no attempt of its own.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::heard::{FailedCall, output_of};
use super::row::{MOST_RUNS, Trail, keep};
use annals_kernel::call::job::{RunEnd, begun, ended, looked_at};
use annals_kernel::envelope::Envelope;
use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;

/// A run whose end nobody has seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackgroundRun {
    /// As its tool calls it.
    pub name: Box<str>,
    /// The name of the tool that began it, as the entry has it.
    pub tool: Box<str>,
    /// With which tool, about what.
    pub approach: Box<str>,
    /// The call that began it.
    pub entry: EntryId,
    /// When that was.
    pub at: Timestamp,
}

/// What a look at a run saw.
pub(super) enum RunSeen {
    /// It goes on.
    Nothing,
    /// It ended as it should.
    Worked(BackgroundRun),
    /// It failed.
    Failed(BackgroundRun, FailedCall),
}

impl BackgroundRun {
    /// The run that a call began and left running, by what it printed.
    pub(super) fn begun_by(entry: &Envelope<'_>, approach: &str) -> Option<Self> {
        let name = begun(&output_of(entry))?.into();
        let tool = entry.name().as_ref().into();
        Some(Self { name, tool, approach: approach.into(), entry: entry.id(), at: entry.at() })
    }
}

impl Trail {
    /// Remembers a run; a name that is given again is another one.
    pub(super) fn begins(&mut self, run: BackgroundRun) {
        self.running.retain(|known| known.name != run.name);
        keep(&mut self.running, run, MOST_RUNS);
    }

    /// What a call saw of a run that it looked at; none where it is about something else.
    pub(super) fn look(&mut self, entry: &Envelope<'_>) -> Option<RunSeen> {
        if self.running.is_empty() {
            return None;
        }
        let name = looked_at(&entry.input::<Value>()?)?;
        let place = self.running.iter().position(|run| *run.name == *name)?;
        let printed = [&*entry.error().unwrap_or_default(), &*output_of(entry)].join("\n");
        let Some(end) = ended(&printed) else { return Some(RunSeen::Nothing) };
        let run = self.running.remove(place);
        Some(match end {
            RunEnd::Well => RunSeen::Worked(run),
            RunEnd::Badly(code) => {
                let failure = FailedCall::of_run(code, &printed, &run.approach);
                RunSeen::Failed(run, failure)
            }
        })
    }
}
