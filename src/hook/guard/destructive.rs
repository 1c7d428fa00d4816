//! The guard of what is hard to undo: a command that no debate covers and no person approved is told of, asked about or held, as
//! `dialectic.destructive_commands` says.
//!
//! A call without such a command costs the reading of its text and nothing else. What a script or a program of the project does,
//! nobody sees here.

use crate::domain::dialectic;
use crate::domain::dialectic::command::{AtDestructive, Hold, Pass};
use crate::domain::dialectic::held::Cover;
use crate::domain::dialectic::limits::AT_DESTRUCTIVE;
use crate::engine::Engine;
use crate::kernel::call::effect::{Effect, effects};
use crate::kernel::call::{CallKind, by_name};
use crate::kernel::id::EntryId;
use crate::view::voice::{PieceText, command, does};

use super::super::agent::Agent;
use super::super::event::{Call, EventPlace};
use super::{RefusedCall, targets};

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::hook) enum Ruling {
    /// It runs.
    Go,
    /// It runs, and the agent is told.
    Tell(PieceText),
    /// The person is asked.
    Ask(String),
    /// It does not run.
    Deny(RefusedCall),
}

/// Rules on a call.
pub(in crate::hook) fn ruling(engine: &Engine, place: &EventPlace, call: &Call) -> Ruling {
    let answer = engine.settings().get(&AT_DESTRUCTIVE);
    if answer == AtDestructive::Off || by_name(&call.tool) != CallKind::Shell {
        return Ruling::Go;
    }
    let text = targets::texts(&call.input.value()).join("\n");
    let found: Vec<Effect> = effects(&text).into_iter().map(|found| found.effect).collect();
    if found.is_empty() || is_covered(engine, place, &text) {
        return Ruling::Go;
    }
    // What cannot be read is not silently harmless; but to hold it would hold every installer.
    let is_unread = found == [Effect::Unreadable];
    match answer {
        AtDestructive::Off => Ruling::Go,
        AtDestructive::Tell => Ruling::Tell(command(&text, &found)),
        AtDestructive::Ask | AtDestructive::Deny if is_unread => Ruling::Tell(command(&text, &found)),
        AtDestructive::Ask | AtDestructive::Deny => hold(engine, place, text, found, answer),
    }
}

/// Whether a debate or an approval covers the command. A state that cannot be read covers nothing.
fn is_covered(engine: &Engine, place: &EventPlace, text: &str) -> bool {
    let (session, at) = (place.session(), engine.clock().now());
    let cover = engine.ask(|world| world.rooms.dialectic.cover(&session, text, at, engine.settings()));
    match cover {
        Ok(Some(Cover::Debate(_) | Cover::Session)) => true,
        // Used up before the call runs: what cannot be used up would let it run for ever.
        Ok(Some(Cover::Once(held))) => decide(engine, place, Pass { held }.into()).is_some(),
        Ok(None) | Err(_) => false,
    }
}

fn hold(engine: &Engine, place: &EventPlace, text: String, found: Vec<Effect>, answer: AtDestructive) -> Ruling {
    let is_asked = answer == AtDestructive::Ask && Agent::can_ask(place.kind);
    let what: Vec<&str> = found.iter().map(|effect| does(*effect)).collect();
    let held = Hold { session: place.session(), text: text.into(), effects: found, answer };
    let decision = decide(engine, place, held.into());
    let reason = reason(&what.join(", and it "), decision);
    if is_asked { Ruling::Ask(reason) } else { Ruling::Deny(RefusedCall { reason, decision }) }
}

fn reason(what: &str, decision: Option<EntryId>) -> String {
    let approve = match decision {
        Some(id) => format!("the person lets it run with `annals debate approve {id}`, in a terminal of their own"),
        None => "it could not be recorded, so that nobody can approve it now".to_owned(),
    };
    format!(
        "annals: this command {what}, and no debate covers it; `annals debate request` has the plan argued, or {approve}"
    )
}

fn decide(engine: &Engine, place: &EventPlace, command: dialectic::Command) -> Option<EntryId> {
    let answer = engine.decide_due(command, &place.session()).ok()?;
    answer.entry.filter(|_| answer.refusal.is_none())
}
