//! `annals notice list|ack`: what somebody should hear of (control-room 9.1, 12.2).

use serde::Serialize;

use super::named::NOTICE;
use super::registry::{CommandRow, rows};
use super::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::notice::{Acknowledge, Command as Decision, Notice, Posted};
use crate::engine::Engine;
use crate::kernel::id::AgentId;
use crate::kernel::json::Json;
use crate::view::notice::{NoticeWords, words};
use crate::world::World;

/// Commands about notices.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// List the notices for you (the user sees everybody's), the latest first
    "list" => Runs(&With(list)),
    /// Acknowledge notices
    "ack" => Runs(&With(acknowledge)),
};

/// Arguments of `annals notice list`.
#[derive(Debug, clap::Args)]
pub(super) struct ListArguments {
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
    /// Those that were acknowledged, too
    #[arg(long)]
    all: bool,
    /// Those for this agent
    #[arg(long, value_name = "ACTOR")]
    to: Option<String>,
}

/// Arguments of `annals notice ack`.
#[derive(Debug, clap::Args)]
pub(super) struct AckArguments {
    /// Which: ids, or the ends of them
    #[arg(required_unless_present = "all")]
    notices: Vec<String>,
    /// All that wait for you
    #[arg(long, conflicts_with = "notices")]
    all: bool,
}

/// So many are looked at: more nobody reads.
const RECENT: usize = 500;

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Notices {
    notices: Vec<NoticeLine>,
}

/// A notice in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NoticeLine {
    id: Box<str>,
    /// What people call the issue that it is about.
    issue: Option<String>,
    #[serde(flatten)]
    notice: Notice,
}

fn find(world: &World, fits: impl Fn(&Notice) -> bool) -> Vec<NoticeLine> {
    let label = |notice: &Notice| {
        let issue = world.rooms.issue.issue(notice.posted.about.as_ref()?)?;
        Some(format!("#{}", issue.label))
    };
    let notices = world.rooms.notice.notices.first_by_rank(RECENT).into_iter().filter(|(_, notice)| fits(notice));
    let in_words = |notice: &Notice| {
        let NoticeWords { title, body } = words(&world.rooms, &notice.posted);
        Notice { posted: Posted { title, body, ..notice.posted.clone() }, ..notice.clone() }
    };
    notices.map(|(id, notice)| NoticeLine { id: id.clone(), issue: label(notice), notice: in_words(notice) }).collect()
}

fn list(shell: &mut Shell, arguments: &ListArguments) -> Done {
    let engine = shell.engine()?;
    let own = Some(shell.actor()).filter(|actor| actor.as_str() != crate::kernel::actor::USER);
    let to = arguments.to.as_deref().map(AgentId::from).or(own);
    let is_for = |notice: &Notice| to.as_ref().is_none_or(|to| *to == notice.posted.to);
    let fits = |notice: &Notice| (arguments.all || notice.heard.is_none()) && is_for(notice);
    let mut notices = shell.ask(&engine, |world| find(world, fits))?;
    notices.truncate(arguments.lines);
    if shell.wants_json() {
        shell.out.answer(&Notices { notices })?;
        return Ok(CommandOutcome::Done);
    }
    let rows = notices.iter().map(|info| {
        let Notice { posted, at, heard } = &info.notice;
        let state = if heard.is_some() { "heard" } else { "waits" };
        let words = [&*info.id, posted.level.as_str(), state, posted.to.as_str()].map(str::to_owned);
        words.into_iter().chain([at.to_string(), posted.title.to_string(), posted.body.to_string()]).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    shell.out.table(
        &[Key("notice"), Goes(3, "level"), Key("state"), Goes(2, "to"), Key("at"), Text("title"), Goes(1, "more")],
        &rows,
    )?;
    Ok(CommandOutcome::Done)
}

fn acknowledge(shell: &mut Shell, arguments: &AckArguments) -> Done {
    let engine = shell.engine()?;
    let actor = shell.actor();
    let ids = if arguments.all {
        let is_own = |notice: &Notice| notice.heard.is_none() && notice.posted.to == actor;
        shell.ask(&engine, |world| find(world, is_own))?.into_iter().map(|info| info.id).collect()
    } else {
        let ids = arguments.notices.iter().map(|text| one(shell, &engine, text));
        ids.collect::<anyhow::Result<Vec<_>>>()?
    };
    for notice in ids {
        let command = Decision::Acknowledge(Acknowledge { notice: notice.clone() });
        let done = shell.decide(&engine, command, &Json::empty_object(), |out, _| {
            out.line(format_args!("acknowledged {notice}"))
        })?;
        if done != CommandOutcome::Done {
            return Ok(done);
        }
    }
    Ok(CommandOutcome::Done)
}

/// A notice by its id or either end of it.
fn one(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Box<str>> {
    Ok(shell.find(engine, &NOTICE, text)?.ok_or_else(|| NOTICE.noun.unknown(text))?)
}
