//! What the command line of a check does: a check looks, can fail, and leaves everything as it was.
//!
//! Told from the text of the line, by the readings that the kernel has of it. Runs nothing.

use annals_kernel::call::check;
use annals_kernel::call::effect::effects;
use annals_kernel::call::{Act, Call, CallKind, Joint, acts, writes};

use crate::tool::ToolName;

/// What ends as it was told to, or prints what it was given, and so proves nothing.
const IDLE: &[&str] = &["", ":", "echo", "exit", "false", "printf", "pwd", "sleep", "true"];

/// Why a command line is no check by its exit code; nothing where it may be one.
pub(super) fn run_problem(line: &str) -> Option<String> {
    let acts = acts(line);
    let hides_exit = acts.last().is_some_and(|last| is_idle(last) && last.joint() != Joint::And);
    problem(line, &acts).or_else(|| hides_exit.then(|| NO_PROOF.to_owned()))
}

/// Why a command line is no check by what it prints; nothing where it may be one.
pub(super) fn output_problem(line: &str) -> Option<String> {
    problem(line, &acts(line))
}

/// Whether a command line reads, searches, tests or builds, and writes nothing itself.
pub(super) fn only_looks(line: &str) -> bool {
    let arguments = serde_json::json!({ "command": line }).to_string();
    let kind = Call::of(ToolName::Shell.as_str(), &arguments, None).kind;
    let is_quiet = |act: &Act<'_>| writes(act.program()).is_none() && !act.is_in_place() && !has_output(act);
    let is_look = matches!(kind, CallKind::Read | CallKind::Search | CallKind::Test);
    (is_look || check::of(kind, Some(line)).is_some()) && acts(line).iter().all(is_quiet)
}

pub(super) const NO_PROOF: &str = "proves nothing: it ends the same whatever was done";

fn problem(line: &str, acts: &[Act<'_>]) -> Option<String> {
    if let Some(effect) = effects(line).first() {
        return Some(format!("does what is hard to undo ({}); a check only looks", effect.effect));
    }
    if let Some(act) = acts.iter().find(|act| changes_files(act)) {
        return Some(format!("changes files itself (`{}`); a check only looks", act.program()));
    }
    acts.iter().all(is_idle).then(|| NO_PROOF.to_owned())
}

fn changes_files(act: &Act<'_>) -> bool {
    let is_kept = |file: &str| !["/dev/", "/tmp/", "&"].iter().any(|place| file.starts_with(place));
    let files = act.words().filter(|word| !word.starts_with('-'));
    let writes_kept = writes(act.program()).is_some() && files.clone().any(is_kept);
    writes_kept || act.is_in_place() || act.outputs().any(is_kept)
}

fn is_idle(act: &Act<'_>) -> bool {
    IDLE.contains(&act.program())
}

fn has_output(act: &Act<'_>) -> bool {
    act.outputs().any(|file| !file.starts_with("/dev/") && !file.starts_with('&'))
}
