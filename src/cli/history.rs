//! `annals history …`: what the user decides about the log itself: holes, lines with one id, clocks that were wrong.

mod mend;

pub(super) use self::mend::moved_by;
use super::shell::{Done, Shell, Usage};
use super::show::entry_id;
use crate::domain::history::command::{Acknowledge, MendClock, Observed, Settle};
use crate::domain::history::{Command as Decision, Event};
use crate::kernel::annals::LineHash;
use crate::kernel::id::WriterId;
use crate::kernel::json::Json;

/// Commands about the log itself.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Take note that lines are lost, so that `verify` finds nothing there
    Acknowledge {
        /// The head that is missing, as `annals verify` says it
        #[arg(value_name = "WRITER:COUNT:HASH")]
        hole: String,
        /// How they were lost, for the record
        #[arg(long, value_name = "TEXT")]
        why: Option<String>,
    },
    /// Say which of several lines with one id counts
    Settle {
        /// The id
        entry: String,
        /// The hash of the line that counts, or its beginning, as `annals verify` says it
        hash: String,
    },
    /// Have lines of a clock that was wrong count as of the right time; says which lie ahead where nothing is given
    MendClock(mend::Arguments),
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Acknowledge { hole, why } => acknowledge(shell, &hole, why),
        Command::Settle { entry, hash } => settle(shell, &entry, &hash),
        Command::MendClock(arguments) => mend::run(shell, arguments),
    }
}

fn acknowledge(shell: &mut Shell, hole: &str, why: Option<String>) -> Done {
    let head = || {
        let (writer, rest) = hole.split_once(':')?;
        let (count, hash) = rest.split_once(':')?;
        Some((WriterId::from(writer), count.parse().ok()?, LineHash::parse(hash)?))
    };
    let wrong =
        || Usage(format!("{hole}: give the head that is missing, WRITER:COUNT:HASH, as `annals verify` says it"));
    let (writer, n, hash) = head().ok_or_else(wrong)?;
    let acknowledge = Acknowledge { writer, n, hash, why: why.map(Into::into) };
    decide(shell, acknowledge.into(), &Observed::default())
}

fn settle(shell: &mut Shell, entry: &str, text: &str) -> Done {
    let engine = shell.engine()?;
    let id = entry_id(shell, &engine, entry)?;
    let conflict = |world: &crate::world::World| world.rooms.history.conflicts.get(&id).cloned();
    let versions: Vec<LineHash> = engine.ask(conflict)?.unwrap_or_default().into_iter().collect();
    let named: Vec<_> = versions.iter().filter(|hash| hash.to_string().starts_with(text)).collect();
    let hash = match (named.as_slice(), LineHash::parse(text)) {
        ([only], _) => **only,
        (_, Some(hash)) => hash,
        ([], None) => {
            return Err(Usage(format!("{text} is no hash of a line with the id {id}; `annals verify` has them")).into());
        }
        (several, None) => {
            return Err(Usage(format!("{text} stands for {} lines; give more of the hash", several.len())).into());
        }
    };
    decide(shell, Settle { id, hash }.into(), &Observed { versions })
}

fn decide(shell: &mut Shell, command: Decision, observed: &Observed) -> Done {
    let engine = shell.engine()?;
    let answer = engine.decide(command, &Json::of(observed), &shell.by_now())?;
    let line = answer.events.iter().find_map(|event| {
        let crate::domain::Event::History(event) = event else { return None };
        Some(told(event))
    });
    shell.report(&answer, |out| out.line(line.unwrap_or_default()))
}

fn told(event: &Event) -> String {
    match event {
        Event::Acknowledged(hole) => {
            format!("acknowledged: what writer {} wrote up to line {} may be missing", hole.writer, hole.n)
        }
        Event::Settled(settled) => format!("settled: of the lines with the id {}, {} counts", settled.id, settled.hash),
        Event::Mended(MendClock { writer, from, to, shift: 0 }) => {
            format!("taken back: lines {from} to {to} of writer {writer} count as of the time that they say")
        }
        Event::Mended(MendClock { writer, from, to, shift }) => {
            format!("mended: lines {from} to {to} of writer {writer} count {} than they say", moved_by(*shift))
        }
    }
}
