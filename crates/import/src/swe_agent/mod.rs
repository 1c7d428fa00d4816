//! SWE-agent trajectories (`*.traj`) → entries.
//!
//! One JSON document a run, without times and without ids. The clock is made up: one second a step from 1970 on. The
//! run is told twice, as `trajectory` and as `history`; whichever comes first tells it, the other only adds the task.

mod history;
mod step;
#[cfg(test)]
mod tests;

use annals_kernel::record::Event;
use std::io::BufRead;

use self::history::SweAgentHistory;
use super::common::{hash, text_of};
use super::document::{DocumentShape, Ending, Part, each_part};
use super::entries::{EntryClock, EntryStep, Fields, Origin, Spot};
use super::object::{Object, rounded};
use super::{Given, ImportError, PassedOver, Sink};
use annals_kernel::annals::Usage;
use annals_kernel::json::Json;
use annals_kernel::time::Timestamp;

/// As `annals import` names it.
pub(crate) const KIND: &str = "swe-agent";

const SHAPE: DocumentShape = DocumentShape { arrays: &["trajectory", "history"], members: &["environment", "info"] };

/// Reads a trajectory, or a demonstration that has only a history.
pub(crate) fn import(given: &Given<'_>, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let file_name = given.file;
    let mut document = SweAgentDocument { file_name, environment: String::new(), info: None, run: None };
    let Ending { broken, line } = each_part(input, SHAPE, &mut |part| document.part(sink, &part))?;
    if document.run.is_none() && document.info.is_none() {
        let problem = "there is neither a trajectory nor a history".to_owned();
        return Err(ImportError::WrongKind { expected: "a SWE-agent trajectory", problem });
    }
    document.finish(sink, line)?;
    if let Some(reason) = broken {
        sink.passed_over(reason, line);
    }
    Ok(())
}

struct SweAgentDocument<'f> {
    file_name: &'f str,
    environment: String,
    info: Option<Json>,
    run: Option<SweAgentRun>,
}

impl SweAgentDocument<'_> {
    fn part(&mut self, sink: &mut dyn Sink, part: &Part<'_>) -> Result<(), ImportError> {
        match part.key {
            "environment" => self.environment = serde_json::from_str(part.text).map(text_of).unwrap_or_default(),
            "info" => self.info = Json::from_text(part.text.to_owned()).ok(),
            list => {
                let run = match &mut self.run {
                    Some(run) => run,
                    None => {
                        self.run.insert(SweAgentRun::begin(self.file_name, &self.environment, list, part.text, sink)?)
                    }
                };
                if let Some(reason) = run.element(sink, list, part.text)? {
                    sink.passed_over(reason, part.line);
                }
            }
        }
        Ok(())
    }

    fn finish(self, sink: &mut dyn Sink, last_line: u64) -> Result<(), ImportError> {
        let Some(run) = self.run else { return Ok(()) };
        let info = self.info.as_ref().map(|info| Object::of(info.text())).unwrap_or_default();
        run.finish(sink, &info, last_line)
    }
}

/// Which of the two lists tells the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    ByTrajectory,
    ByHistory,
}

/// What must be known of a run to read its next step.
struct SweAgentRun {
    origin: Origin,
    told: Told,
    /// Steps so far.
    steps: u64,
    history: SweAgentHistory,
}

impl SweAgentRun {
    /// A run has no id: it is known by its environment, the name of its file and its first element.
    fn begin(
        file_name: &str,
        environment: &str,
        list: &str,
        first: &str,
        sink: &mut dyn Sink,
    ) -> Result<Self, ImportError> {
        let mut origin = Origin::new(KIND, "", file_name);
        let native = hash(&format!("{environment}\n{}\n{first}", origin.file));
        origin.session = native.as_str().into();
        let told = if list == "trajectory" { Told::ByTrajectory } else { Told::ByHistory };
        let run = Self { origin, told, steps: 0, history: SweAgentHistory::default() };
        let environment = Some(environment).filter(|environment| !environment.is_empty());
        let input = Fields::new().with("tool", KIND).with("native_id", &native).some("environment", environment);
        run.put(sink, EntryStep::event(Event::SessionStart, input), "session_start", 0)?;
        Ok(run)
    }

    /// One element of one of the lists.
    fn element(&mut self, sink: &mut dyn Sink, list: &str, text: &str) -> Result<Option<PassedOver>, ImportError> {
        let element = Object::of(text);
        match (list, self.told) {
            ("trajectory", Told::ByTrajectory) => self.step(sink, &element).map(|()| None),
            ("trajectory", Told::ByHistory) => Ok(Some(PassedOver::Copy)),
            (_, Told::ByTrajectory) => self.told_already(sink, &element),
            (_, Told::ByHistory) => self.said(sink, &element),
        }
    }

    /// The end of the run, where the document says how it ended. Tokens are totals, so that only the end carries them.
    fn finish(mut self, sink: &mut dyn Sink, info: &Object<'_>, last_line: u64) -> Result<(), ImportError> {
        let Some(status) = info.text("exit_status") else {
            self.history.finish(sink, last_line);
            return Ok(());
        };
        let end = (self.steps + 1) * 1000;
        self.interrupt(sink, spot("", end).at)?;
        let input = Fields::new()
            .with("reason", &*status)
            .some("submission", info.text("submission").filter(|text| !text.is_empty()).as_deref());
        let step = EntryStep::event(Event::SessionEnd, input).usage(Some(usage(&info.object("model_stats"))));
        self.put(sink, step, "session_end", end)
    }

    fn put(&self, sink: &mut dyn Sink, step: EntryStep, record: &str, millis: u64) -> Result<(), ImportError> {
        sink.entry(step.at(&self.origin, spot(record, millis)))
    }
}

fn spot(record: &str, millis: u64) -> Spot {
    let at = Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX));
    Spot { at, clock: EntryClock::Synthetic, record: record.into(), line: None }
}

fn usage(stats: &Object<'_>) -> Usage {
    let count = |key| stats.integer(key).unwrap_or(0);
    Usage {
        requests: count("api_calls"),
        input: count("tokens_sent"),
        output: count("tokens_received"),
        cost_micro_usd: stats.number("instance_cost").and_then(|cost| rounded(cost * 1e6)).unwrap_or(0),
        ..Usage::default()
    }
}
