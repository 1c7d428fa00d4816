//! `annals history …`: what the user decides about the log itself: holes, lines with one id, clocks that were wrong.

use super::shell::{Done, Shell, Usage};
use crate::domain::history::command::{Acknowledge, MendClock, Observed, Settle};
use crate::domain::history::{Command as Decision, Event};
use crate::kernel::annals::LineHash;
use crate::kernel::id::{EntryId, WriterId};
use crate::kernel::json::Json;

/// Commands about the log itself.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
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
        entry: EntryId,
        /// The hash of the line that counts, or its beginning, as `annals verify` says it
        hash: String,
    },
    /// Have lines count as of another time, because the clock of their writer was wrong
    MendClock {
        /// Whose clock was wrong
        writer: String,
        /// The count of the first line with a wrong time
        from: u64,
        /// The count of the last of them
        to: u64,
        /// How much later they count than they say, as in -365d, -90m or 1500ms; 0s takes an earlier one back
        #[arg(allow_hyphen_values = true)]
        shift: String,
    },
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Acknowledge { hole, why } => acknowledge(shell, &hole, why),
        Command::Settle { entry, hash } => settle(shell, entry, &hash),
        Command::MendClock { writer, from, to, shift } => {
            let shift = shift_of(&shift)?;
            let mend = MendClock { writer: WriterId::from(writer), from, to, shift };
            decide(shell, mend.into(), &Observed::default())
        }
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

fn settle(shell: &mut Shell, id: EntryId, text: &str) -> Done {
    let engine = shell.engine()?;
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
    let line = answer.events.iter().find_map(|event| match event {
        crate::domain::Event::History(event) => Some(told(event)),
        _ => None,
    });
    shell.report(&answer, |out| out.line(line.unwrap_or_default()))
}

fn told(event: &Event) -> String {
    match event {
        Event::Acknowledged(hole) => {
            format!("acknowledged: what writer {} wrote up to line {} may be missing", hole.writer, hole.n)
        }
        Event::Settled(settled) => format!("settled: of the lines with the id {}, {} counts", settled.id, settled.hash),
        Event::Mended(mended) => format!(
            "mended: lines {} to {} of writer {} count as of {} ms later than they say",
            mended.from, mended.to, mended.writer, mended.shift
        ),
    }
}

/// `-365d`, `90m`, `1500ms` in milliseconds.
fn shift_of(text: &str) -> Result<i64, Usage> {
    let wrong = || Usage(format!("{text}: give how much later the lines count, as in -365d, -90m or 1500ms"));
    let digits = text.trim_start_matches(['-', '+']);
    let unit_at = digits.find(|letter: char| !letter.is_ascii_digit()).ok_or_else(wrong)?;
    let (number, unit) = digits.split_at(unit_at);
    let unit = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        "w" => 7 * 86_400_000,
        _ => return Err(wrong()),
    };
    let millis = number.parse::<i64>().ok().and_then(|number| number.checked_mul(unit)).ok_or_else(wrong)?;
    match text.len() - digits.len() {
        0 => Ok(millis),
        1 => Ok(if text.starts_with('-') { -millis } else { millis }),
        _ => Err(wrong()),
    }
}
