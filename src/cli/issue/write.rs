//! `annals issue link|mark`, and what decisions say that change an issue beside its thread.

use super::{find, name};
use crate::cli::registry::text_in;
use crate::cli::shell::{Done, Shell, Usage};
use crate::domain::issue::command::{Link, Observed, Unlink};
use crate::domain::issue::status::LinkKind;
use crate::domain::issue::{self, Command};
use crate::domain::{Command as Asked, Event};
use crate::engine::Engine;
use crate::engine::shown::{self, Proof};
use crate::kernel::id::IssueId;
use crate::kernel::json::Json;

/// Arguments of `annals issue link`.
#[derive(Debug, clap::Args)]
pub(super) struct LinkArguments {
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

fn nothing() -> Json {
    Json::empty_object()
}

/// Decides, and says what became of the issue.
pub(super) fn decide(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    let name = name(shell, engine, &IssueId::from(text_in(&command, "issue")))?;
    shell.decide(engine, command, &nothing(), |out, answer| {
        let happened = answer.events.iter().find_map(|event| happened(event, &name));
        happened.map_or(Ok(()), |line| out.line(line))
    })
}

/// What happened to an issue; what follows from that is told elsewhere.
fn happened(event: &Event, name: &str) -> Option<String> {
    let Event::Issue(event) = event else { return None };
    Some(match event {
        issue::Event::Opened(opened) => opened.number.to_string(),
        issue::Event::Edited(_) => format!("changed {name}"),
        issue::Event::Closed(_) => format!("closed {name}"),
        issue::Event::Reopened(_) => format!("reopened {name}"),
        issue::Event::Started(_) => format!("{name} is in progress"),
        issue::Event::Frozen(_) => format!("froze {name}"),
        issue::Event::Unfrozen(_) => format!("unfroze {name}"),
        issue::Event::Raised(_)
        | issue::Event::CommentAdded(_)
        | issue::Event::TurnedAway(_)
        | issue::Event::TextRefused(_)
        | issue::Event::EpistemicChanged(_)
        | issue::Event::Resolved(_)
        | issue::Event::Thawed(_)
        | issue::Event::Linked(_)
        | issue::Event::Unlinked(_)
        | issue::Event::Marked(_)
        | issue::Event::Refuted(_)
        | issue::Event::WasRead(_)
        | issue::Event::OpinionRevealed(_) => return None,
    })
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

/// Looks first whether what is to show it is there: that is part of the decision.
pub(super) fn mark(shell: &mut Shell, engine: &Engine, command: Asked) -> Done {
    let Asked::Issue(Command::Mark(mark)) = &command else { unreachable!("BUG: the row marks issues") };
    let (name, usefulness) = (name(shell, engine, &mark.issue)?, mark.usefulness);
    let (file, commit) = (mark.file.as_deref(), mark.commit.as_deref());
    let shown = match (file, commit) {
        (Some(_), Some(_)) => return Err(Usage("give --file or --commit, not both".to_owned()).into()),
        (Some(file), None) => shown::look(engine, &Proof::File(file)),
        (None, Some(commit)) => shown::look(engine, &Proof::Commit(commit)),
        (None, None) => None,
    };
    let sha256 = file.and_then(|file| shown::hash_of(engine, file));
    let committed_at = commit.and_then(|commit| shown::time_of(engine, commit));
    let observed = Observed { shown, sha256, committed_at, ..Observed::default() };
    shell.decide(engine, command, &Json::of(&observed), |out, _| out.line(format_args!("{name} is {usefulness}")))
}
