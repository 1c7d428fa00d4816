//! `annals memory learn`: what recorded sessions teach, kept as megrams and as candidates of knowledge.
//!
//! Hooks and imports do it by themselves; this is for what was recorded before, and for large imports. Doing it again adds
//! nothing. The rules keep it, as `system`: whoever asks chooses only which sessions.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::engine::Engine;
use crate::engine::learn::Learnt;
use crate::engine::query::filter::Filter;
use crate::kernel::counted::{count, counted};
use crate::kernel::id::SessionId;

/// Arguments of `annals memory learn`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A session: its id, or the beginning or end of it
    #[arg(required_unless_present = "all", allow_negative_numbers = true)]
    session: Option<String>,
    /// Every session
    #[arg(long, conflicts_with = "session")]
    all: bool,
}

/// So often the dreamer works behind it.
const MOST_DREAMS: usize = 64;

/// What was learnt, in JSON.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct LearntAnswer {
    /// Sessions that were looked at.
    sessions: u64,
    /// Megrams that are new.
    megrams: u64,
    /// Candidates of knowledge that are new, or were seen once more.
    candidates: u64,
}

impl From<Learnt> for LearntAnswer {
    fn from(learnt: Learnt) -> Self {
        let Learnt { sessions, megrams, candidates } = learnt;
        Self { sessions, megrams, candidates }
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let sessions = sessions(shell, &engine, arguments)?;
    let learnt = engine.learn_all(&sessions)?;
    engine.dream(MOST_DREAMS)?;
    if shell.wants_json() {
        shell.out.answer(&LearntAnswer::from(learnt))?;
    } else {
        shell.out.line(told(&learnt))?;
    }
    Ok(CommandOutcome::Done)
}

fn sessions(shell: &Shell, engine: &Engine, arguments: &Arguments) -> anyhow::Result<BTreeSet<SessionId>> {
    match &arguments.session {
        Some(text) => Ok(BTreeSet::from([shell.find_session(engine, text)?])),
        None if arguments.all => Ok(engine.reader()?.sessions(&Filter::default())?),
        None => Err(Usage("give a session, or --all".to_owned()).into()),
    }
}

/// What was learnt, in a line.
pub(in crate::cli) fn told(learnt: &Learnt) -> String {
    let sessions = counted(learnt.sessions, "session");
    let megrams = counted(learnt.megrams, "megram");
    let candidates = count(learnt.candidates, "candidate", "candidates");
    let list = if learnt.megrams > 0 { "; `annals memory list`" } else { "" };
    let review = if learnt.candidates > 0 { "; `annals knowledge accept`" } else { "" };
    format!("learnt from {sessions}: {megrams}, {candidates} of knowledge{list}{review}")
}
