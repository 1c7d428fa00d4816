//! `annals hivemind add|access|contest|nominate|supersede|settle|expire|remove`.

use crate::cli::council;
use crate::cli::output::Output;
use crate::cli::shell::{Done, Outcome, Shell, text_of};
use crate::domain::Event;
use crate::domain::hivemind::command::{
    Access, Add, Announce, Contest, Nominate, Remove, Rise, Settle, Supersede, Verdict,
};
use crate::domain::hivemind::event::{Added, Contested};
use crate::domain::hivemind::{self, Category, Command, Purpose};
use crate::engine::{Answer, Engine};
use crate::kernel::json::Json;
use crate::kernel::share::Share;
use crate::kernel::time::Timestamp;

/// Arguments of `annals hivemind add`.
#[derive(Debug, clap::Args)]
pub struct AddArguments {
    /// fear, satisfaction, knowledge, decision or preference
    category: Category,
    /// Its name: use-postgres
    key: String,
    /// What was learnt; - reads it from stdin
    value: String,
    /// How sure it is, 0 to 1 [default: as configured, 0.8]
    #[arg(long, allow_negative_numbers = true)]
    confidence: Option<Share>,
    /// Why it is worth keeping
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
    /// A word to find it by
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// The key of an entry that belongs to it
    #[arg(long = "related", value_name = "KEY")]
    related: Vec<String>,
}

/// Arguments of `annals hivemind access`.
#[derive(Debug, clap::Args)]
pub struct AccessArguments {
    /// Which
    key: String,
    /// What for
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
}

/// Arguments of `annals hivemind contest`.
#[derive(Debug, clap::Args)]
pub struct ContestArguments {
    /// Which
    key: String,
    /// The alternative; - reads it from stdin [default: the value that another branch has under this key]
    #[arg(long, value_name = "TEXT")]
    alternative: Option<String>,
    /// Why it is wrong
    #[arg(long, value_name = "TEXT", default_value = "")]
    because: String,
}

/// Arguments of `annals hivemind nominate`.
#[derive(Debug, clap::Args)]
pub struct NominateArguments {
    /// Which
    key: String,
    /// As one for other projects, too [default: as golden, which fades no more]
    #[arg(long)]
    global: bool,
    /// Why
    #[arg(long, value_name = "TEXT", default_value = "")]
    because: String,
}

/// Arguments of `annals hivemind supersede`.
#[derive(Debug, clap::Args)]
pub struct SupersedeArguments {
    /// Which
    key: String,
    /// What holds from now on; - reads it from stdin
    value: String,
    /// How sure it is, 0 to 1 [default: as configured, 0.8]
    #[arg(long, allow_negative_numbers = true)]
    confidence: Option<Share>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
}

/// Arguments of `annals hivemind settle`.
#[derive(Debug, clap::Args)]
pub struct SettleArguments {
    /// Which
    key: String,
    /// approve: what was proposed holds; reject: everything stays as it was
    verdict: Verdict,
}

/// Arguments of `annals hivemind expire`.
#[derive(Debug, clap::Args)]
pub struct ExpireArguments {
    /// All of them, in as many decisions as that takes
    #[arg(long)]
    all: bool,
}

/// Arguments of `annals hivemind remove`.
#[derive(Debug, clap::Args)]
pub struct RemoveArguments {
    /// Which
    key: String,
    /// Why
    #[arg(long, value_name = "TEXT", default_value = "")]
    because: String,
}

fn boxed(texts: &[String]) -> Vec<Box<str>> {
    texts.iter().map(|text| text.as_str().into()).collect()
}

pub(super) fn add(shell: &mut Shell, arguments: &AddArguments) -> Done {
    let add = Add {
        category: arguments.category,
        key: arguments.key.as_str().into(),
        value: text_of(&arguments.value)?.into(),
        confidence: arguments.confidence,
        reason: arguments.because.as_deref().map(Into::into),
        tags: boxed(&arguments.tags),
        related: boxed(&arguments.related),
    };
    decide(shell, add.into())
}

pub(super) fn access(shell: &mut Shell, arguments: &AccessArguments) -> Done {
    let reason = arguments.because.as_deref().map(Into::into);
    decide(shell, Access { key: arguments.key.as_str().into(), reason }.into())
}

pub(super) fn contest(shell: &mut Shell, arguments: &ContestArguments) -> Done {
    let alternative = arguments.alternative.as_deref().map(text_of).transpose()?.map(Into::into);
    let (key, reason) = (arguments.key.as_str().into(), arguments.because.as_str().into());
    decide(shell, Contest { key, reason, alternative }.into())
}

pub(super) fn nominate(shell: &mut Shell, arguments: &NominateArguments) -> Done {
    let rise = if arguments.global { Rise::Global } else { Rise::Golden };
    let (key, reason) = (arguments.key.as_str().into(), arguments.because.as_str().into());
    decide(shell, Nominate { key, rise, reason }.into())
}

pub(super) fn supersede(shell: &mut Shell, arguments: &SupersedeArguments) -> Done {
    let supersede = Supersede {
        key: arguments.key.as_str().into(),
        value: text_of(&arguments.value)?.into(),
        confidence: arguments.confidence,
        reason: arguments.because.as_deref().map(Into::into),
    };
    decide(shell, supersede.into())
}

pub(super) fn settle(shell: &mut Shell, arguments: &SettleArguments) -> Done {
    decide(shell, Settle { key: arguments.key.as_str().into(), verdict: arguments.verdict }.into())
}

pub(super) fn remove(shell: &mut Shell, arguments: &RemoveArguments) -> Done {
    let (key, reason) = (arguments.key.as_str().into(), arguments.because.as_str().into());
    decide(shell, Remove { key, reason }.into())
}

fn decide(shell: &mut Shell, command: Command) -> Done {
    let engine = shell.engine()?;
    shell.decide(&engine, command, &Json::empty_object(), |out, answer| say(out, &engine, answer))
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
        if done != Outcome::Done || waiting == 0 || count == 0 || !arguments.all {
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
        Purpose::Conflict => format!("{key} is contested"),
        Purpose::DecayPromotion => format!("{key} is proposed as golden"),
        Purpose::GlobalPromotion => format!("{key} is proposed for other projects, too"),
    }
}
