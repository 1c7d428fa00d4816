//! The tools of a run: those of its workspace, with the words of the roles.

use std::path::PathBuf;
use std::time::Duration;

use annals_workspace::confine::{Cancel, CommandLimits, Confinement, ConfinementStatus, Opening};
use annals_workspace::tool::{Fetcher, ToolKind, ToolResult, Toolbox, Unconfined};
use annals_workspace::workspace::Workspace;
use annals_workspace::{Check, CheckGiver, CheckOutcome, CheckResult as Checked, Outside, check, irreversible};
use anyhow::Context as _;

use super::checks::{CheckedThing, kept, looked_into, stays, untouched};
use super::excluded::{excluded, excluded_files, is_excluded, lines_of, shown, without};
use super::parses::parses;
use super::person::WhoIsAsked;
use super::screen::asks;
use super::web::WebFetcher;
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

/// So many files are named.
const MOST_NAMED: usize = 5;

/// The workspace of a task, and the walls around its commands.
pub(super) struct WorkspaceTools {
    workspace: Workspace,
    confinement: Confinement,
    unconfined: Unconfined,
    cancel: Cancel,
    sanitizer: Sanitizer,
    fetcher: Option<WebFetcher>,
    /// The checks that the person gave.
    own_checks: Vec<String>,
}

impl WorkspaceTools {
    /// Looks what walls this machine has; where it has none, the person says whether commands may run all the same.
    pub(super) fn behind_walls(
        shell: &mut Shell,
        outside: &Outside,
        workspace: Workspace,
        sanitizer: Sanitizer,
        asked: &WhoIsAsked,
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
                if asks(shell, &question, asked)? { Unconfined::Allowed } else { Unconfined::Refused }
            }
        };
        let (cancel, own_checks) = (Cancel::default(), Vec::new());
        let tools = Self { workspace, confinement, unconfined, cancel, sanitizer, fetcher: None, own_checks };
        tools.tell_of_excluded(shell)?;
        Ok(tools)
    }

    /// What a test needs of such a file it does not find.
    fn tell_of_excluded(&self, shell: &mut Shell) -> anyhow::Result<()> {
        let files = self.excluded_files();
        let names = files.iter().map(|file| file.strip_prefix(self.workspace.path()).unwrap_or(file).display());
        let mut names: Vec<_> = names.take(MOST_NAMED).map(|name| name.to_string()).collect();
        if names.is_empty() {
            return Ok(());
        }
        if files.len() > names.len() {
            names.push(format!("{} more", files.len() - names.len()));
        }
        let how = if self.confinement.hides() { "find nothing in them" } else { "are shown without their lines" };
        let names = names.join(", ");
        Ok(shell.out.say(format_args!("these hold secrets by their names; commands {how}: {names}"))?)
    }

    /// With whom brings pages.
    pub(super) fn with_fetcher(self, fetcher: Option<WebFetcher>) -> Self {
        Self { fetcher, ..self }
    }

    /// What the person's checks are: they are their word, whatever they change on the way.
    pub(super) fn with_own_checks(self, own_checks: Vec<String>) -> Self {
        Self { own_checks, ..self }
    }

    fn giver(&self, check: &CriterionCheck) -> CheckGiver {
        let is_own = |run: &String| *check == CriterionCheck::Run { run: run.clone(), expect_exit: 0 };
        if self.own_checks.iter().any(is_own) { CheckGiver::Person } else { CheckGiver::Model }
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
        excluded_files(&self.sanitizer, self.workspace.path(), &self.workspace.folder())
    }

    fn toolbox<'t>(&'t self, confinement: &'t Confinement) -> Toolbox<'t> {
        let limits = CommandLimits { deadline: DEADLINE, ..CommandLimits::default() };
        let (workspace, unconfined) = (&self.workspace, self.unconfined);
        let fetcher = self.fetcher.as_ref().map(|fetcher| fetcher as &dyn Fetcher);
        Toolbox { workspace, confinement, unconfined, limits, cancel: self.cancel.clone(), fetcher }
    }

    /// Runs what may start a command: it finds files that hold secrets empty, and shows no line of theirs.
    fn without_secrets<T>(&self, run: impl FnOnce(&Toolbox<'_>) -> T, output: impl FnOnce(&mut T) -> &mut String) -> T {
        let hidden = self.excluded_files();
        let lines = lines_of(&hidden);
        let walls = self.confinement.widened(&Opening { hidden, ..Opening::default() });
        let mut done = run(&self.toolbox(&walls));
        let written = output(&mut done);
        *written = without(&lines, written);
        done
    }
}

impl Tools for WorkspaceTools {
    fn run(&self, job: &ToolJob) -> ToolEnd {
        if let Some(file) = excluded(&self.sanitizer, &self.workspace.folder(), job.request.tool, &job.request.input) {
            let why = format!("{file} holds secrets: nothing of it is shown, and it is not changed here");
            return ToolEnd::Ran(ToolCall::failed(job.request.clone(), &why));
        }
        let (kind, request) = (kind(job.request.tool), &job.request);
        if job.permission != Permission::Granted
            && let Some(found) = irreversible(kind, &request.input, self.confinement.status())
        {
            return match job.permission {
                Permission::NotToBeAsked => ToolEnd::Ran(job.refused()),
                Permission::NotAsked | Permission::Granted => ToolEnd::NeedsApproval(found.why),
            };
        }
        let end = match kind {
            ToolKind::Shell => self.without_secrets(|tools| tools.run(kind, &request.input), |end| &mut end.output),
            ToolKind::Find
            | ToolKind::Glob
            | ToolKind::Search
            | ToolKind::Read
            | ToolKind::Write
            | ToolKind::Edit
            | ToolKind::Fetch => self.toolbox(&self.confinement).run(kind, &request.input),
        };
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
        let is_withheld = |file: &&str| is_excluded(&self.sanitizer, &self.workspace.folder(), file);
        let found = match (looked_into(wanted).filter(is_withheld), CheckedThing::of(wanted)) {
            (Some(file), _) => {
                let evidence = format!("{file} holds secrets: nothing of it is looked at");
                Checked { outcome: CheckOutcome::CouldNotRun, evidence }
            }
            (None, CheckedThing::Now(now)) => {
                let giver = self.giver(wanted);
                self.without_secrets(|tools| check(tools, &now, giver), |found| &mut found.evidence)
            }
            (None, CheckedThing::Changes(names)) => untouched(&self.workspace, names),
            (None, CheckedThing::Losses(names)) => kept(&self.workspace, names),
            (None, CheckedThing::Removals(names)) => stays(&self.workspace, names),
            (None, CheckedThing::Forms(names)) => {
                let looks = |line: &str| {
                    let run = Check::Run { run: line.to_owned(), expect_exit: 0 };
                    self.without_secrets(|tools| check(tools, &run, CheckGiver::Model), |found| &mut found.evidence)
                };
                parses(&self.workspace, names, &looks)
            }
        };
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
