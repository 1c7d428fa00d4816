//! `annals issue new|edit|close|reopen|start|freeze|unfreeze|link|mark`: what changes an issue beside its thread.

use super::{find, find_all, name};
use crate::cli::shell::{Done, Shell, Usage, text_of};
use crate::domain::Event;
use crate::domain::issue::command::{
    Close, Edit, Freeze, Link, Mark, Observed, Open, Reopen, Shown, Start, Unfreeze, Unlink,
};
use crate::domain::issue::status::{LinkKind, Priority, Usefulness};
use crate::domain::issue::{self, Command};
use crate::engine::Engine;
use crate::engine::shown::{self, Proof};
use crate::kernel::grounding::Impact;
use crate::kernel::id::AgentId;
use crate::kernel::json::Json;

/// Arguments of `annals issue new`.
#[derive(Debug, clap::Args)]
pub struct NewArguments {
    /// A line
    title: String,
    /// The text; - reads it from stdin
    #[arg(long)]
    body: Option<String>,
    /// The assignee
    #[arg(long, value_name = "AGENT")]
    assignee: Option<String>,
    /// low, normal, high or critical
    #[arg(long, default_value = "normal")]
    priority: Priority,
    /// A tag, with or without #
    #[arg(long = "tag")]
    tags: Vec<String>,
    /// An issue that it has to do with
    #[arg(long = "related", value_name = "ISSUE")]
    related: Vec<String>,
    /// How much it would change: cosmetic, minor, structural or canon-changing
    #[arg(long)]
    impact: Option<Impact>,
}

/// Arguments of `annals issue edit`.
#[derive(Debug, clap::Args)]
pub struct EditArguments {
    /// Which
    issue: String,
    /// Its new title
    #[arg(long)]
    title: Option<String>,
    /// Its new text; - reads it from stdin
    #[arg(long)]
    body: Option<String>,
    /// The assignee; "" takes it away
    #[arg(long, value_name = "AGENT")]
    assignee: Option<String>,
    /// low, normal, high or critical
    #[arg(long)]
    priority: Option<Priority>,
    /// A tag to add
    #[arg(long = "tag")]
    tags: Vec<String>,
    /// A tag to take off
    #[arg(long = "untag", value_name = "TAG")]
    untag: Vec<String>,
}

/// An issue.
#[derive(Debug, clap::Args)]
pub struct IssueArguments {
    /// Which
    issue: String,
}

/// An issue and why.
#[derive(Debug, clap::Args)]
pub struct ReasonArguments {
    /// Which
    issue: String,
    /// Why
    #[arg(long)]
    reason: Option<String>,
}

/// Arguments of `annals issue freeze`.
#[derive(Debug, clap::Args)]
pub struct FreezeArguments {
    /// Which
    issue: String,
    /// Why
    #[arg(long)]
    reason: String,
}

/// Arguments of `annals issue unfreeze`.
#[derive(Debug, clap::Args)]
pub struct UnfreezeArguments {
    /// Which
    issue: String,
    /// Guidance for the comments that follow; - reads it from stdin
    #[arg(long)]
    guidance: String,
}

/// Arguments of `annals issue link`.
#[derive(Debug, clap::Args)]
pub struct LinkArguments {
    /// From which
    issue: String,
    /// blocks, parent, discovered-from or related
    kind: LinkKind,
    /// To which
    to: String,
    /// Take the link back
    #[arg(long)]
    remove: bool,
}

/// Arguments of `annals issue mark`.
#[derive(Debug, clap::Args)]
pub struct MarkArguments {
    /// Which
    issue: String,
    /// applied or irrelevant
    usefulness: Usefulness,
    /// A file of the project that shows it
    #[arg(long)]
    file: Option<String>,
    /// A commit that shows it
    #[arg(long)]
    commit: Option<String>,
}

/// A text as commands keep it.
pub(super) fn plain(text: Option<&String>) -> Option<Box<str>> {
    text.map(|text| text.as_str().into())
}

fn set(texts: &[String]) -> std::collections::BTreeSet<Box<str>> {
    texts.iter().map(|text| text.as_str().into()).collect()
}

fn nothing() -> Json {
    Json::empty_object()
}

fn read(text: Option<&String>) -> anyhow::Result<Option<Box<str>>> {
    text.map(|text| text_of(text).map(Into::into)).transpose()
}

pub(super) fn new(shell: &mut Shell, arguments: NewArguments) -> Done {
    let engine = shell.engine()?;
    let open = Open {
        body: read(arguments.body.as_ref())?.unwrap_or_default(),
        title: arguments.title.into(),
        assignee: arguments.assignee.map(AgentId::from),
        priority: arguments.priority,
        tags: set(&arguments.tags),
        related: find_all(shell, &engine, &arguments.related)?.into_iter().collect(),
        impact: arguments.impact,
        source: None,
    };
    shell.decide(&engine, Command::Open(open), &nothing(), |out, answer| {
        let opened = answer.events.iter().find_map(|event| {
            let Event::Issue(issue::Event::Opened(opened)) = event else { return None };
            Some(opened.number)
        });
        opened.map_or(Ok(()), |number| out.line(number))
    })
}

pub(super) fn edit(shell: &mut Shell, arguments: EditArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let name = name(shell, &engine, &issue)?;
    let edit = Edit {
        issue,
        title: plain(arguments.title.as_ref()),
        body: read(arguments.body.as_ref())?,
        assignee: arguments.assignee.map(AgentId::from),
        priority: arguments.priority,
        tags: set(&arguments.tags),
        untag: set(&arguments.untag),
    };
    shell.decide(&engine, Command::Edit(edit), &nothing(), |out, _| out.line(format_args!("changed {name}")))
}

pub(super) fn close(shell: &mut Shell, arguments: ReasonArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let name = name(shell, &engine, &issue)?;
    let close = Close { issue, reason: arguments.reason.map(Into::into) };
    shell.decide(&engine, Command::Close(close), &nothing(), |out, _| out.line(format_args!("closed {name}")))
}

pub(super) fn reopen(shell: &mut Shell, arguments: ReasonArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let name = name(shell, &engine, &issue)?;
    let reopen = Reopen { issue, reason: arguments.reason.map(Into::into) };
    shell.decide(&engine, Command::Reopen(reopen), &nothing(), |out, _| out.line(format_args!("reopened {name}")))
}

pub(super) fn start(shell: &mut Shell, arguments: &IssueArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let name = name(shell, &engine, &issue)?;
    shell.decide(&engine, Command::Start(Start { issue }), &nothing(), |out, _| {
        out.line(format_args!("{name} is in progress"))
    })
}

pub(super) fn freeze(shell: &mut Shell, arguments: FreezeArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let name = name(shell, &engine, &issue)?;
    let freeze = Freeze { issue, reason: arguments.reason.into() };
    shell.decide(&engine, Command::Freeze(freeze), &nothing(), |out, _| out.line(format_args!("froze {name}")))
}

pub(super) fn unfreeze(shell: &mut Shell, arguments: &UnfreezeArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let name = name(shell, &engine, &issue)?;
    let unfreeze = Unfreeze { issue, guidance: text_of(&arguments.guidance)?.into() };
    shell.decide(&engine, Command::Unfreeze(unfreeze), &nothing(), |out, _| out.line(format_args!("unfroze {name}")))
}

pub(super) fn link(shell: &mut Shell, arguments: &LinkArguments) -> Done {
    let engine = shell.engine()?;
    let (issue, to) = (find(shell, &engine, &arguments.issue)?, find(shell, &engine, &arguments.to)?);
    let (from, target) = (name(shell, &engine, &issue)?, name(shell, &engine, &to)?);
    let kind = arguments.kind;
    if arguments.remove {
        let done = format!("{from} {kind} {target} no more");
        return shell.decide(&engine, Command::Unlink(Unlink { issue, kind, to }), &nothing(), |out, _| out.line(done));
    }
    let done = format!("{from} {kind} {target}");
    shell.decide(&engine, Command::Link(Link { issue, kind, to }), &nothing(), |out, _| out.line(done))
}

pub(super) fn mark(shell: &mut Shell, arguments: &MarkArguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    let name = name(shell, &engine, &issue)?;
    let sha256 = arguments.file.as_ref().and_then(|file| shown::hash_of(&engine, file));
    let committed_at = arguments.commit.as_ref().and_then(|commit| shown::time_of(&engine, commit));
    let observed = Observed { shown: shown(&engine, arguments)?, sha256, committed_at, ..Observed::default() };
    let usefulness = arguments.usefulness;
    let (file, commit) = (plain(arguments.file.as_ref()), plain(arguments.commit.as_ref()));
    let mark = Mark { issue, usefulness, file, commit };
    shell.decide(&engine, Command::Mark(mark), &Json::of(&observed), |out, _| {
        out.line(format_args!("{name} is {usefulness}"))
    })
}

/// Whether what is to show that an issue was applied is there.
fn shown(engine: &Engine, arguments: &MarkArguments) -> anyhow::Result<Option<Shown>> {
    match (&arguments.file, &arguments.commit) {
        (Some(_), Some(_)) => Err(Usage("give --file or --commit, not both".to_owned()).into()),
        (Some(file), None) => Ok(shown::look(engine, &Proof::File(file))),
        (None, Some(commit)) => Ok(shown::look(engine, &Proof::Commit(commit))),
        (None, None) => Ok(None),
    }
}
