//! `annals hivemind …`: what was learnt, kept beyond a session, fading unless it is used (AFS 6).

mod list;
mod sync;
mod write;

use super::shell::{Done, Shell};

/// Commands about what was learnt.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Add an entry
    Add(write::AddArguments),
    /// List what was learnt, what was used last first
    List(list::Arguments),
    /// Show an entry
    Show(list::ShowArguments),
    /// Say that an entry was used: it is as strong as on its first day
    Access(write::AccessArguments),
    /// Contest an entry, with an alternative
    Contest(write::ContestArguments),
    /// Propose an entry as golden, or as one for other projects, too
    Nominate(write::NominateArguments),
    /// Give a key a new value
    Supersede(write::SupersedeArguments),
    /// End a contest or nomination without a council
    Settle(write::SettleArguments),
    /// Announce which entries have expired
    Expire(write::ExpireArguments),
    /// Take an entry away
    Remove(write::RemoveArguments),
    /// Give entries to other projects, and take over theirs
    Sync(sync::Arguments),
}

pub(super) fn run(shell: &mut Shell, command: &Command) -> Done {
    match command {
        Command::Add(arguments) => write::add(shell, arguments),
        Command::List(arguments) => list::run(shell, arguments),
        Command::Show(arguments) => list::show(shell, arguments),
        Command::Access(arguments) => write::access(shell, arguments),
        Command::Contest(arguments) => write::contest(shell, arguments),
        Command::Nominate(arguments) => write::nominate(shell, arguments),
        Command::Supersede(arguments) => write::supersede(shell, arguments),
        Command::Settle(arguments) => write::settle(shell, arguments),
        Command::Expire(arguments) => write::expire(shell, arguments),
        Command::Remove(arguments) => write::remove(shell, arguments),
        Command::Sync(arguments) => sync::run(shell, arguments),
    }
}
