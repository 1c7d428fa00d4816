//! `annals hivemind expire`, and what decisions about hivemind say.

use crate::cli::council;
use crate::cli::output::Output;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::domain::hivemind::command::Announce;
use crate::domain::hivemind::event::{Added, Contested};
use crate::domain::hivemind::{self, Command, ContestPurpose};
use crate::domain::{Command as Asked, Event};
use crate::engine::{Answer, Engine};
use crate::kernel::json::Json;
use crate::kernel::time::Timestamp;

/// Arguments of `annals hivemind expire`.
#[derive(Debug, clap::Args)]
pub(super) struct ExpireArguments {
    /// All of them, in as many decisions as that takes
    #[arg(long)]
    all: bool,
}

/// Decides, and says what came of it.
pub(super) fn decide(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    shell.decide(engine, command, &Json::empty_object(), |out, answer| say(out, engine, answer))
}

pub(super) fn expire(shell: &mut Shell, arguments: &ExpireArguments) -> Done {
    /// So many that wait are counted; more are "more".
    const COUNTED: usize = 1000;
    let engine = shell.engine()?;
    loop {
        let answer = engine.decide(Command::from(Announce {}), &Json::empty_object(), &shell.by_now())?;
        let (count, done) = (answer.events.len(), shell.report(&answer, |out| say(out, &engine, &answer))?);
        let now = engine.clock().now();
        let waiting = shell.ask(&engine, |world| {
            world.rooms.hivemind.next_to_expire(COUNTED).iter().filter(|(_, at)| *at <= now).count()
        })?;
        if done != CommandOutcome::Done || waiting == 0 || count == 0 || !arguments.all {
            if !shell.wants_json() {
                say_waiting(&mut shell.out, count, waiting, COUNTED)?;
            }
            return Ok(done);
        }
    }
}

fn say_waiting(out: &mut Output, count: usize, waiting: usize, counted: usize) -> std::io::Result<()> {
    let plus = if waiting == counted { " or more" } else { "" };
    match (count, waiting) {
        (0, 0) => out.say("nothing has expired that was not said"),
        (_, 0) => Ok(()),
        (_, 1) => out.say("1 other has expired; `annals hivemind expire --all` says all"),
        (_, many) => out.say(format_args!("{many}{plus} others have expired; `annals hivemind expire --all` says all")),
    }
}

/// What happened to entries, and to the councils about them, a line each.
pub(super) fn say(out: &mut Output, engine: &Engine, answer: &Answer) -> std::io::Result<()> {
    use hivemind::Event as Hive;
    for event in &answer.events {
        if let Event::Council(event) = event {
            out.line(council::told(event))?;
        }
        let Event::Hivemind(event) = event else { continue };
        match event {
            Hive::Added(added) => out.line(kept(engine, added))?,
            Hive::Accessed(accessed) => out.line(format_args!("{} was used", accessed.key))?,
            Hive::Contested(contested) => out.line(wanted(contested))?,
            Hive::Updated(updated) => out.line(format_args!("{} has a new value", updated.key))?,
            Hive::PromotedGolden(promoted) => out.line(format_args!("{} is golden", promoted.key))?,
            Hive::PromotedGlobal(promoted) => out.line(format_args!("{} is global", promoted.key))?,
            Hive::Upheld(upheld) => out.line(format_args!("{} stays as it was", upheld.key))?,
            Hive::Removed(removed) => out.line(format_args!("{} is taken away", removed.key))?,
            Hive::EntryExpired(expired) => {
                out.line(format_args!("{} expired {}", expired.key, expired.expired_at))?;
            }
            Hive::Pulled(_) | Hive::Pushed(_) => {}
        }
    }
    Ok(())
}

fn kept(engine: &Engine, added: &Added) -> String {
    let entry = &added.entry;
    let expiry = || -> Option<Timestamp> {
        let found = engine.ask(|world| world.rooms.hivemind.entry(&entry.key)?.expires_at());
        found.ok().flatten()
    };
    let until = |at: Timestamp| format!("unless it is used, it expires {at}");
    let until = expiry().map_or_else(|| "it does not fade".to_owned(), until);
    let old = if entry.original_entry_id.is_some() { ", in place of the entry before it" } else { "" };
    format!("{} ({}) is kept{old}; {until}", entry.key, entry.category)
}

fn wanted(contested: &Contested) -> String {
    let key = &contested.key;
    match contested.purpose {
        ContestPurpose::Conflict => format!("{key} is contested"),
        ContestPurpose::DecayPromotion => format!("{key} is proposed as golden"),
        ContestPurpose::GlobalPromotion => format!("{key} is proposed for other projects, too"),
    }
}
