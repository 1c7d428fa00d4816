//! `annals issue list|ready`: issues, those that go on first.

use std::cmp::Reverse;

use serde::Serialize;

use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::cli::table::Column::{Goes, Key, Seen, Text};
use crate::domain::Rooms;
use crate::domain::issue::Issue;
use crate::domain::issue::decay::Faded;
use crate::domain::issue::status::{EpistemicStatus, IssuePriority, IssueStatus};
use crate::engine::Engine;
use crate::kernel::fold;
use crate::kernel::id::{AgentId, IssueId};
use crate::view::issue::IssueInfo;
use crate::view::issue::title::title;

/// Arguments of `annals issue list`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
    /// All of them
    #[arg(long, conflicts_with = "lines")]
    all: bool,
    #[command(flatten)]
    filter: IssueFilter,
}

/// Which issues are listed.
#[derive(Debug, Default, clap::Args)]
struct IssueFilter {
    /// `open`, `in_progress`, frozen, resolved or closed
    #[arg(long)]
    status: Option<IssueStatus>,
    /// draft, tentative, agreed or canon
    #[arg(long)]
    epistemic: Option<EpistemicStatus>,
    /// Those with this tag
    #[arg(long)]
    tag: Option<String>,
    /// Those assigned to this agent
    #[arg(long, value_name = "AGENT")]
    assignee: Option<String>,
    /// Those that this agent opened
    #[arg(long, value_name = "AGENT")]
    author: Option<String>,
    /// Those with these words in the title
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,
}

/// Arguments of `annals issue ready`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadyArguments {
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Issues {
    issues: Vec<IssueInfo>,
}

impl IssueFilter {
    fn fits(&self, rooms: &Rooms, issue: &Issue) -> bool {
        let is = |name: Option<&str>, wanted: &Option<String>| wanted.as_deref().is_none_or(|w| name == Some(w));
        self.status.is_none_or(|status| issue.status == status)
            && self.epistemic.is_none_or(|epistemic| issue.epistemic == epistemic)
            && self.tag.as_deref().is_none_or(|tag| issue.tags.iter().any(|own| fold::are_same(own, &fold::tag(tag))))
            && is(issue.assignee.as_ref().map(AgentId::as_str), &self.assignee)
            && is(Some(issue.author.as_str()), &self.author)
            && self
                .search
                .as_deref()
                .is_none_or(|words| title(rooms, issue).to_lowercase().contains(&words.to_lowercase()))
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let most = if arguments.all { usize::MAX } else { arguments.lines };
    let issues = first(shell, &engine, most, |rooms, issue| arguments.filter.fits(rooms, issue))?;
    print(shell, &engine, issues)
}

pub(super) fn ready(shell: &mut Shell, arguments: &ReadyArguments) -> Done {
    let engine = shell.engine()?;
    let issues = first(shell, &engine, arguments.lines, |rooms, issue| rooms.issue.is_ready(issue))?;
    print(shell, &engine, issues)
}

/// The first so many issues that fit: of those that rank first where these are enough, otherwise of all.
fn first(
    shell: &Shell,
    engine: &Engine,
    most: usize,
    fits: impl Fn(&Rooms, &Issue) -> bool,
) -> anyhow::Result<Vec<IssueInfo>> {
    const WIDER: usize = 8;
    let now = shell.now(engine)?;
    let info = |rooms: &Rooms, id: &IssueId, issue: &Issue| IssueInfo {
        faded: issue.faded(now, engine.settings()),
        ..IssueInfo::of(id, issue, title(rooms, issue))
    };
    let of = |rooms: &Rooms, rows: Vec<(&IssueId, &Issue)>| {
        let fitting = rows.into_iter().filter(|(_, issue)| fits(rooms, issue));
        let mut found: Vec<_> = fitting.map(|(id, issue)| info(rooms, id, issue)).collect();
        found.sort_by_key(place);
        found.truncate(most);
        found
    };
    let looked_at = most.saturating_mul(WIDER);
    if most != usize::MAX {
        let (found, total) = shell.ask(engine, |world| {
            let rows = world.rooms.issue.issues.first_by_rank(looked_at);
            let total = rows.len();
            (of(&world.rooms, rows), total)
        })?;
        if found.len() == most || total < looked_at {
            return Ok(found);
        }
    }
    shell.ask(engine, |world| {
        let _ = world.rooms.issue.issues.iter().next();
        of(&world.rooms, world.rooms.issue.issues.first_by_rank(usize::MAX))
    })
}

/// By what they count as (improvement A): what has faded stands behind what has not, and the archived last of those that
/// go on. The order among equals stays.
fn place(info: &IssueInfo) -> (bool, bool, Reverse<IssuePriority>) {
    let (is_archived, priority) = match info.faded {
        None => (false, info.priority),
        Some(Faded::Lower(lower)) => (false, lower),
        Some(Faded::Archived) => (true, info.priority),
    };
    (info.status.has_ended(), is_archived, Reverse(priority))
}

fn print(shell: &mut Shell, engine: &Engine, issues: Vec<IssueInfo>) -> Done {
    if shell.wants_json() {
        shell.out.answer(&Issues { issues })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = issues.iter().map(|info| row(engine, info)).collect();
    shell.out.table(
        &[
            Key("issue"),
            Key("status"),
            Goes(4, "epistemic"),
            Goes(5, "priority"),
            Goes(1, "comments"),
            Goes(3, "for"),
            Seen("changed"),
            Goes(2, "tags"),
            Text("title"),
        ],
        &rows,
    )?;
    Ok(CommandOutcome::Done)
}

fn row(engine: &Engine, info: &IssueInfo) -> Vec<String> {
    vec![
        format!("#{}", info.number),
        info.status.to_string(),
        info.epistemic_status.to_string(),
        info.priority_now(),
        info.comments.to_string(),
        info.assignee.as_ref().map_or("-".to_owned(), ToString::to_string),
        info.updated_at.day().to_string(),
        if info.tags.is_empty() { "-".to_owned() } else { info.tags.join(" ") },
        clean(engine, &info.title),
    ]
}
