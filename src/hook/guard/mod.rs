//! The guard of `.context`: a call that would write there is asked of `domain::access` before it runs (AFS appendix D).
//!
//! It knows the paths that tools for files name, and, as well as a look at the text allows, those that shell commands
//! write: a script, a program of the agent's own or a name put together at run time gets past it. It keeps agents that
//! err from damaging the record, and `annals verify` finds what others do to it. Calls that do not touch `.context`
//! cost nothing but this look.

mod commands;
mod destructive;
mod targets;

use std::path::PathBuf;

use crate::domain::access::command::Attempt;
use crate::domain::access::policy::Intent;
use crate::domain::access::{self, Command, Refusal};
use crate::engine::{By, Engine};
use crate::kernel::decision;
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;
use crate::view::refusal::{ToldRefusal, told};

pub(super) use self::destructive::{Ruling, ruling};
use self::targets::{WriteReach, WriteTarget};
use super::event::{Call, EventPlace};
use super::inside::{Inside, Lies};

/// More paths of one call are not asked about.
const MOST_TARGETS: usize = 64;

/// Where a call is made.
#[derive(Debug, Clone, Default)]
pub(super) struct Surroundings {
    /// Where the hook was started.
    pub directory: PathBuf,
    /// The home of the person.
    pub home: Option<PathBuf>,
    /// The project's folder, where the agent names it.
    pub project: Option<PathBuf>,
}

/// A call that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RefusedCall {
    /// Why, for the agent.
    pub(super) reason: String,
    /// The entry that holds the decision, where it could be recorded.
    pub(super) decision: Option<EntryId>,
}

/// Asks about the paths that a call would write inside `.context`; the first "no" counts.
pub(super) fn check(engine: &Engine, place: &EventPlace, call: &Call, around: &Surroundings) -> Option<RefusedCall> {
    let directory = place.cwd.as_deref().map_or_else(|| around.directory.clone(), PathBuf::from);
    let targets = targets::of(call, &directory, around);
    let inside = Inside::of(engine.place().context());
    let paths = targets.iter().take(MOST_TARGETS).flat_map(|target| paths(&inside, target));
    let mut asked: Vec<String> = Vec::new();
    for path in paths {
        if asked.contains(&path) {
            continue;
        }
        if let Some(refused) = ask(engine, place, call, &path) {
            return Some(refused);
        }
        asked.push(path);
    }
    None
}

fn paths(inside: &Inside, target: &WriteTarget) -> Vec<String> {
    let path = |lies: Lies| match (lies, target.reach) {
        (Lies::In(path), WriteReach::Itself | WriteReach::AllBelow) => Some(path),
        (Lies::Above, WriteReach::AllBelow) => Some(".".to_owned()),
        (Lies::Above, WriteReach::Itself) => None,
    };
    inside.look(&target.path).into_iter().filter_map(path).collect()
}

fn ask(engine: &Engine, place: &EventPlace, call: &Call, path: &str) -> Option<RefusedCall> {
    let attempt = Attempt { path: path.into(), intent: Intent::Write, tool: Some(call.tool.clone()) };
    let by = By::new(place.agent.clone(), place.session());
    match engine.decide(Command::from(attempt), &Json::empty_object(), &by) {
        Ok(answer) => answer.refusal.map(|refusal| RefusedCall { reason: reason(&refusal), decision: answer.entry }),
        Err(_) => by_policy(engine, place, path),
    }
}

/// The state cannot be asked (the log is locked or broken): what nobody can have been granted is refused all the same.
fn by_policy(engine: &Engine, place: &EventPlace, path: &str) -> Option<RefusedCall> {
    let folder = access::policy::folder_of(path);
    let refusal = access::State::default().ask(engine.settings(), &place.agent, path, Intent::Write).err()?;
    let is_closed = matches!(refusal, Refusal::Forbidden { policy: access::policy::FolderPolicy::Closed, .. });
    (is_closed || folder.is_empty())
        .then(|| RefusedCall { reason: reason(&decision::Refusal::of(refusal.rule(), &refusal)), decision: None })
}

fn reason(refusal: &decision::Refusal) -> String {
    let ToldRefusal { message, hint, .. } = told(refusal);
    format!("annals: {message}; {}", hint.unwrap_or_default())
}
