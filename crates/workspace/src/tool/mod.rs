//! The tools of the executor (artoo R3, "Tool Priority Chain"): what each is given, and what comes back.
//!
//! Each works on one workspace and leaves it by no path; commands run behind its walls. What comes back is bounded, and says
//! how much was left out. Judges nothing, retries nothing, and asks nobody: what is irreversible is said by `irreversible`.

mod edit;
mod fetch;
mod files;
mod kind;
mod nearest;
mod read;
mod search;
mod shell;
mod write;

use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub use self::fetch::{FetchFailed, Fetcher};
pub use self::kind::{ToolEnd, ToolKind, ToolResult};
pub(crate) use self::search::expression as search_expression;
pub(crate) use self::shell::run_behind;
use crate::confine::{Cancel, CommandLimits, Confinement, ConfinementStatus};
use crate::workspace::Workspace;

/// Whether commands may run where nothing keeps them in (decision 63: the run says so and asks).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unconfined {
    /// Nobody has allowed it.
    #[default]
    Refused,
    /// The person has.
    Allowed,
}

/// What the tools work with.
pub struct Toolbox<'t> {
    /// Where.
    pub workspace: &'t Workspace,
    /// How commands are kept in.
    pub confinement: &'t Confinement,
    /// What holds where they cannot be.
    pub unconfined: Unconfined,
    /// Bounds of a command.
    pub limits: CommandLimits,
    /// Stops a command that is on its way.
    pub cancel: Cancel,
    /// Brings pages, from the hosts that it names; without it there are none.
    pub fetcher: Option<&'t dyn Fetcher>,
}

impl Toolbox<'_> {
    /// Runs a tool with what it is given.
    pub fn run(&self, kind: ToolKind, input: &Value) -> ToolEnd {
        let end = match kind {
            ToolKind::Find => with(input, |input| files::find(self.workspace, &input)),
            ToolKind::Glob => with(input, |input| files::glob(self.workspace, &input)),
            ToolKind::Search => with(input, |input| search::search(self.workspace, &input)),
            ToolKind::Read => with(input, |input| read::read(self.workspace, &input)),
            ToolKind::Write => with(input, |input| write::write(self.workspace, &input)),
            ToolKind::Edit => with(input, |input| edit::edit(self.workspace, &input)),
            ToolKind::Shell => with(input, |input| shell::shell(self, &input)),
            ToolKind::Fetch => with(input, |input| fetch::fetch(self.fetcher, &input)),
        };
        end.unwrap_or_else(|why| ToolEnd { result: ToolResult::Failed, exit: None, output: why })
    }

    /// Why no command may run.
    pub(crate) fn require_confined(&self) -> Result<(), String> {
        match (self.confinement.status(), self.unconfined) {
            (ConfinementStatus::None { why }, Unconfined::Refused) => {
                Err(format!("no command is run: nothing keeps it in here ({why}), and the person has not allowed that"))
            }
            _ => Ok(()),
        }
    }
}

/// How a tool ends: with what, or why not.
type Ended = Result<ToolEnd, String>;

fn with<I: DeserializeOwned>(input: &Value, run: impl FnOnce(I) -> Ended) -> Ended {
    run(I::deserialize(input).map_err(|error| format!("the input cannot be read: {error}"))?)
}

#[expect(clippy::unnecessary_wraps, reason = "it ends each tool, and a tool can fail")]
fn worked(output: impl Into<String>) -> Ended {
    Ok(ToolEnd { result: ToolResult::Worked, exit: None, output: output.into() })
}

fn said(error: impl Display) -> String {
    error.to_string()
}

/// The beginning of a line that is too long.
fn cut_line(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{} […]", &line[..end]),
        None => line.to_owned(),
    }
}
