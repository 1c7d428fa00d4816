//! Criteria that code decides (decision 62).
//!
//! A command runs behind the walls of the workspace, with a deadline, in a home that the task never had. What it changes in a
//! clone is put back. What could not be found out is never called met, nor
//! unmet. A model is not asked.

use std::path::PathBuf;

use annals_kernel::grounding::words;
use serde::{Deserialize, Serialize};

use crate::beneath::NotReached;
use crate::confine::{CommandEnd, CommandOutcome};
use crate::name::shown;
use crate::tool::{Toolbox, run_behind, search_expression};
use crate::workspace::{LookPlace, Looked, WorkspaceError};

/// What code can check; the contract of the roles has the same form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Check {
    /// A command line ends with an exit code.
    Run {
        /// The command line.
        run: String,
        /// 0 where nothing is said.
        #[serde(default)]
        expect_exit: i32,
    },
    /// A file holds a text.
    FileContains {
        /// Which, below the workspace.
        file: PathBuf,
        /// The text.
        contains: String,
    },
    /// A file matches an expression.
    FileMatches {
        /// Which.
        file: PathBuf,
        /// The expression.
        matches: String,
    },
    /// A file is not there, or is.
    FileAbsent {
        /// Which.
        file: PathBuf,
        /// `true`: it must not be there; `false`: it must.
        absent: bool,
    },
    /// What a command line writes matches an expression.
    OutputMatches {
        /// The command line.
        command_output: String,
        /// The expression.
        matches: String,
    },
}

/// Who gave a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckGiver {
    /// The person: it is their word, whatever it changes on the way.
    Person,
    /// A model: what changes files shows nothing.
    Model,
}

words! {
    /// How a check ended.
    pub enum CheckOutcome {
        /// It holds.
        Met = "met",
        /// It does not.
        Unmet = "unmet",
        /// It is not known.
        CouldNotRun = "could-not-run",
    }
}

/// A check and what shows how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// How it ended.
    pub outcome: CheckOutcome,
    /// What was seen.
    pub evidence: String,
}

/// So many files are named.
const MOST_NAMED: usize = 5;
/// A longer text is not looked for in other letters.
const MOST_NAMED_BYTES: usize = 200;
/// Larger files are not looked into.
const MOST_BYTES: u64 = 64 << 20;
/// What shells say of a program that they cannot run, or do not find.
const NOT_FOUND: [i32; 2] = [126, 127];

/// Checks.
pub fn check(toolbox: &Toolbox<'_>, check: &Check, giver: CheckGiver) -> CheckResult {
    let result = match check {
        Check::Run { run, expect_exit } => exit(toolbox, run, *expect_exit, giver),
        Check::FileContains { file, contains } => contents(toolbox, file).map(|bytes| {
            let bytes = bytes.as_deref();
            if bytes.is_some_and(|bytes| memchr::memmem::find(bytes, contains.as_bytes()).is_some()) {
                return met(format!("{} holds {contains:?}", shown(file)));
            }
            let instead = nearly(bytes.unwrap_or_default(), contains);
            unmet(format!("{} does not hold {contains:?}{instead}", shown(file)))
        }),
        Check::FileMatches { file, matches } => search_expression(matches).and_then(|expression| {
            Ok(match contents(toolbox, file)?.filter(|bytes| expression.is_match(bytes)) {
                Some(_) => met(format!("{} matches /{matches}/", shown(file))),
                None => unmet(format!("{} does not match /{matches}/", shown(file))),
            })
        }),
        Check::FileAbsent { file, absent } => is_there(toolbox, file).map(|is_there| {
            let tell = if is_there == *absent { unmet } else { met };
            tell(format!("{} is {}", shown(file), if is_there { "there" } else { "not there" }))
        }),
        Check::OutputMatches { command_output, matches } => output(toolbox, command_output, matches, giver),
    };
    result.unwrap_or_else(|why| CheckResult { outcome: CheckOutcome::CouldNotRun, evidence: why })
}

/// What is there instead, where only upper and lower case or white space differ.
fn nearly(bytes: &[u8], contains: &str) -> String {
    if contains.len() > MOST_NAMED_BYTES {
        return String::new();
    }
    let said = |found: &[u8], what| format!(", but {:?}: {what}", String::from_utf8_lossy(found));
    let in_case = in_other_case(bytes, contains).map(|found| said(found, "upper and lower case count"));
    let spaced = || in_other_space(bytes, contains).map(|found| said(found, "white space counts"));
    in_case.or_else(spaced).unwrap_or_default()
}

fn in_other_case<'b>(bytes: &'b [u8], contains: &str) -> Option<&'b [u8]> {
    let wanted = contains.as_bytes();
    bytes.windows(wanted.len().max(1)).find(|place| place.eq_ignore_ascii_case(wanted))
}

fn in_other_space<'b>(bytes: &'b [u8], contains: &str) -> Option<&'b [u8]> {
    let letters = contains.chars().filter(|letter| !letter.is_whitespace());
    let letters: Vec<_> = letters.map(|letter| regex::escape(letter.encode_utf8(&mut [0; 4]))).collect();
    let expression = search_expression(&letters.join(r"[ \t]*")).ok().filter(|_| !letters.is_empty())?;
    expression.find(bytes).map(|found| found.as_bytes())
}

/// What was found out, or why nothing was.
type Checked = Result<CheckResult, String>;

fn met(evidence: String) -> CheckResult {
    CheckResult { outcome: CheckOutcome::Met, evidence }
}

fn unmet(evidence: String) -> CheckResult {
    CheckResult { outcome: CheckOutcome::Unmet, evidence }
}

fn exit(toolbox: &Toolbox<'_>, line: &str, expected: i32, giver: CheckGiver) -> Checked {
    let ran = looked(toolbox, line, giver)?;
    let Some(code) = code(toolbox, &ran)? else { return Ok(out_of_time(toolbox, line)) };
    if NOT_FOUND.contains(&code) && code != expected {
        return Err(format!("`{line}` could not be run: exit {code}\n{}", ran.output));
    }
    let tell = if code == expected { met } else { unmet };
    Ok(tell(format!("`{line}`: exit {code}, expected {expected}\n{}", ran.output)))
}

fn output(toolbox: &Toolbox<'_>, line: &str, pattern: &str, giver: CheckGiver) -> Checked {
    let expression = search_expression(pattern)?;
    let ran = looked(toolbox, line, giver)?;
    let Some(code) = code(toolbox, &ran)? else { return Ok(out_of_time(toolbox, line)) };
    let holds = expression.is_match(ran.output.as_bytes());
    if NOT_FOUND.contains(&code) && !holds {
        return Err(format!("`{line}` could not be run: exit {code}\n{}", ran.output));
    }
    Ok(if holds {
        met(format!("`{line}`: exit {code}, matches /{pattern}/\n{}", ran.output))
    } else {
        unmet(format!("`{line}`: exit {code}, does not match /{pattern}/\n{}", ran.output))
    })
}

/// Runs a line that is only to look. One that changes files could do the work itself, or hold the second time: it shows nothing,
/// unless the person gave it.
fn looked(toolbox: &Toolbox<'_>, line: &str, giver: CheckGiver) -> Result<CommandOutcome, String> {
    toolbox.require_confined()?;
    let (workspace, said) = (toolbox.workspace, |error: WorkspaceError| error.to_string());
    if giver == CheckGiver::Model && workspace.was_changing(line).map_err(said)? {
        return Err(format!("`{line}` changed files itself before: a check only looks"));
    }
    let run = |place: &LookPlace| run_behind(toolbox, &place.walls(toolbox.confinement), line);
    let Looked { ran, changed } = workspace.look(run).map_err(said)?;
    if changed.is_empty() || giver == CheckGiver::Person {
        return Ok(ran);
    }
    workspace.note_changing(line).map_err(said)?;
    let mut names: Vec<_> = changed.iter().take(MOST_NAMED).map(|path| shown(path)).collect();
    if changed.len() > names.len() {
        names.push(format!("{} more", changed.len() - names.len()));
    }
    Err(format!("`{line}` changes files itself ({}): a check only looks", names.join(", ")))
}

/// Nothing where its time was up.
fn code(toolbox: &Toolbox<'_>, ran: &CommandOutcome) -> Result<Option<i32>, String> {
    match &ran.end {
        CommandEnd::Exited(code) => Ok(Some(*code)),
        CommandEnd::OutOfTime => Ok(None),
        CommandEnd::Stopped => Err("it was stopped by the person".to_owned()),
        CommandEnd::NotStarted(why) | CommandEnd::Lost(why) => Err(format!("{}: {why}", toolbox.workspace.task())),
    }
}

/// One that does not end has not done what it was to do.
fn out_of_time(toolbox: &Toolbox<'_>, line: &str) -> CheckResult {
    unmet(format!("`{line}` did not end within {} s", toolbox.limits.deadline.as_secs()))
}

/// What a file holds; nothing where there is none.
fn contents(toolbox: &Toolbox<'_>, file: &std::path::Path) -> Result<Option<Vec<u8>>, String> {
    absent_as_none(toolbox.workspace.here().bytes(file, MOST_BYTES))
}

fn is_there(toolbox: &Toolbox<'_>, file: &std::path::Path) -> Result<bool, String> {
    Ok(absent_as_none(toolbox.workspace.here().about(file))?.is_some())
}

fn absent_as_none<T>(found: Result<T, NotReached>) -> Result<Option<T>, String> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.is_absent() => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}
