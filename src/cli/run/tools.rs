//! The tools of a run: those of its workspace, with the words of the roles.

use std::path::PathBuf;
use std::time::Duration;

use annals_workspace::confine::{Cancel, CommandLimits, Confinement, ConfinementStatus};
use annals_workspace::tool::{ToolKind, ToolResult, Toolbox, Unconfined};
use annals_workspace::workspace::Workspace;
use annals_workspace::{Check, CheckOutcome, Outside, check, irreversible};
use anyhow::Context as _;

use super::excluded::{excluded, excluded_files, shown};
use super::screen::asks;
use crate::act::{ToolEnd, Tools};
use crate::cli::shell::Shell;
use crate::role::criterion::{CheckResult, CheckState};
use crate::role::evidence::head_tail;
use crate::role::executor::OUTPUT_CHARS;
use crate::role::ggs::CallResult;
use crate::role::plan::CriterionCheck;
use crate::role::run::{CheckJob, Permission, ToolJob, UndoJob, Undone};
use crate::role::tool::{ToolCall, ToolName};
use crate::sanitizer::{Context, Sanitizer, Source};

/// The longest that a command of a task may take.
const DEADLINE: Duration = Duration::from_secs(120);

/// The workspace of a task, and the walls around its commands.
pub(super) struct WorkspaceTools {
    workspace: Workspace,
    confinement: Confinement,
    unconfined: Unconfined,
    cancel: Cancel,
    sanitizer: Sanitizer,
}

impl WorkspaceTools {
    /// Looks what walls this machine has; where it has none, the person says whether commands may run all the same.
    pub(super) fn behind_walls(
        shell: &mut Shell,
        outside: &Outside,
        workspace: Workspace,
        sanitizer: Sanitizer,
    ) -> anyhow::Result<Self> {
        let more: [PathBuf; 0] = [];
        let confinement = workspace.confine(outside, &more).context("cannot look what keeps commands in here")?;
        let unconfined = match confinement.status() {
            ConfinementStatus::Full => Unconfined::Refused,
            ConfinementStatus::Partial { lacks } => {
                let lacks: Vec<_> = lacks.iter().map(ToString::to_string).collect();
                shell.out.say(format_args!("commands are not kept from: {}", lacks.join(", ")))?;
                Unconfined::Refused
            }
            ConfinementStatus::None { why } => {
                let question = format!("nothing keeps commands in here ({why}): may they run all the same?");
                if asks(shell, &question)? { Unconfined::Allowed } else { Unconfined::Refused }
            }
        };
        Ok(Self { workspace, confinement, unconfined, cancel: Cancel::default(), sanitizer })
    }

    /// Where they work.
    pub(super) fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The walls around commands.
    pub(super) fn confinement(&self) -> &Confinement {
        &self.confinement
    }

    /// A text as it may leave: without secrets, by the project's rules.
    pub(super) fn cleaned(&self, text: &str) -> String {
        self.sanitizer.sanitize_text(text, &Context::of(Source::Output)).text.into_owned()
    }

    /// The files of the workspace that hold secrets by their names.
    pub(super) fn excluded_files(&self) -> Vec<PathBuf> {
        excluded_files(&self.sanitizer, self.workspace.path())
    }

    fn toolbox(&self) -> Toolbox<'_> {
        let limits = CommandLimits { deadline: DEADLINE, ..CommandLimits::default() };
        let (workspace, confinement, unconfined) = (&self.workspace, &self.confinement, self.unconfined);
        Toolbox { workspace, confinement, unconfined, limits, cancel: self.cancel.clone(), fetcher: None }
    }
}

impl Tools for WorkspaceTools {
    fn run(&self, job: &ToolJob) -> ToolEnd {
        if let Some(file) = excluded(&self.sanitizer, self.workspace.path(), job.request.tool, &job.request.input) {
            let why = format!("{file} holds secrets: nothing of it is shown, and it is not changed here");
            return ToolEnd::Ran(ToolCall::failed(job.request.clone(), &why));
        }
        let (kind, request) = (kind(job.request.tool), &job.request);
        if job.permission == Permission::NotAsked
            && let Some(found) = irreversible(kind, &request.input, self.confinement.status())
        {
            return ToolEnd::NeedsApproval(found.why);
        }
        let end = self.toolbox().run(kind, &request.input);
        let result = match end.result {
            ToolResult::Worked => CallResult::Worked,
            ToolResult::Failed => CallResult::Failed,
        };
        let output = match kind {
            ToolKind::Search => shown(&self.sanitizer, &end.output),
            ToolKind::Find
            | ToolKind::Glob
            | ToolKind::Read
            | ToolKind::Write
            | ToolKind::Edit
            | ToolKind::Shell
            | ToolKind::Fetch => end.output,
        };
        let (exit, output) = (end.exit, head_tail(&output, OUTPUT_CHARS));
        ToolEnd::Ran(ToolCall { request: request.clone(), result, exit, output, entry: None, is_uncertain: false })
    }

    fn check(&self, job: &CheckJob) -> CheckResult {
        let wanted = &job.check;
        let found = check(&self.toolbox(), &form(wanted));
        let state = match found.outcome {
            CheckOutcome::Met => CheckState::Met,
            CheckOutcome::Unmet => CheckState::Unmet,
            CheckOutcome::CouldNotRun => CheckState::CouldNotRun,
        };
        CheckResult { check: wanted.clone(), state, evidence: head_tail(&found.evidence, OUTPUT_CHARS), entry: None }
    }

    fn undo(&self, _: &UndoJob) -> Undone {
        match self.workspace.undo() {
            Ok(changed) => Undone::All { files: changed.iter().map(|file| file.path.display().to_string()).collect() },
            Err(error) => Undone::Not { why: error.to_string() },
        }
    }

    fn stop(&self) {
        self.cancel.cancel();
    }
}

fn kind(tool: ToolName) -> ToolKind {
    match tool {
        ToolName::Find => ToolKind::Find,
        ToolName::Glob => ToolKind::Glob,
        ToolName::Search => ToolKind::Search,
        ToolName::Read => ToolKind::Read,
        ToolName::Write => ToolKind::Write,
        ToolName::Edit => ToolKind::Edit,
        ToolName::Shell => ToolKind::Shell,
        ToolName::Fetch => ToolKind::Fetch,
    }
}

fn form(check: &CriterionCheck) -> Check {
    match check.clone() {
        CriterionCheck::Run { run, expect_exit } => Check::Run { run, expect_exit },
        CriterionCheck::FileContains { file, contains } => Check::FileContains { file: file.into(), contains },
        CriterionCheck::FileMatches { file, matches } => Check::FileMatches { file: file.into(), matches },
        CriterionCheck::FileAbsent { file, absent } => Check::FileAbsent { file: file.into(), absent },
        CriterionCheck::OutputMatches { command_output, matches } => Check::OutputMatches { command_output, matches },
    }
}
