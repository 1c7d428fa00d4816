//! `annals reflect`: a look back at a chapter (improvement C): what was stopped, what came of the work, what was circled.
//!
//! Made of counts before and after; says nothing that was not counted.

use std::collections::BTreeMap;

use serde::Serialize;

use super::shell::{Done, Edge, Outcome, Shell, Usage};
use crate::domain::Rooms;
use crate::domain::breaker::Rule;
use crate::domain::credit::Reason;
use crate::domain::credit::profile::{Given, Tally};
use crate::domain::credit::state::Totals;
use crate::domain::issue::status::Status;
use crate::domain::milestone::state::Milestone;
use crate::domain::topic::Topic;
use crate::engine::Engine;
use crate::kernel::id::EntryId;
use crate::kernel::period::Period;

/// Arguments of `annals reflect`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// On the last session, chapter or act [default: on everything]
    #[arg(conflicts_with = "since")]
    kind: Option<Period>,
    /// On the one with this name
    name: Option<String>,
    /// From when on: a time, a day, or so long ago [default: from the beginning]
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
}

/// What is counted at a time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Counts {
    by_status: BTreeMap<Status, u64>,
    comments: u64,
    stopped: BTreeMap<Rule, u64>,
    topics: Topic,
    circled: Vec<Box<str>>,
    paid: BTreeMap<Reason, Given>,
}

impl Counts {
    fn of(rooms: &Rooms) -> Self {
        Self {
            by_status: rooms.issue.totals.by_status.clone(),
            comments: rooms.issue.totals.remarks,
            stopped: rooms.breaker.fired.clone(),
            topics: rooms.topic.totals.all,
            circled: rooms.topic.totals.flagged.iter().cloned().collect(),
            paid: paid(&rooms.credit.totals),
        }
    }

    fn issues(&self) -> u64 {
        self.by_status.values().sum()
    }

    fn are(&self, status: Status) -> u64 {
        self.by_status.get(&status).copied().unwrap_or_default()
    }
}

/// What all agents were paid, by reason.
fn paid(totals: &Totals) -> BTreeMap<Reason, Given> {
    let tallies = totals.records.keys().map(|agent| totals.tally(agent, None));
    tallies.fold(Tally::default(), |sum, tally| sum.with(&tally)).by_reason
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
struct Reflection {
    /// Issues that were opened.
    opened: u64,
    /// Texts that came into threads.
    comments: u64,
    /// Issues that were decided.
    resolved: u64,
    /// How often agents read issues.
    read: u64,
    /// Issues that were applied in the work.
    applied: u64,
    /// Issues that turned out to have nothing to do with it.
    irrelevant: u64,
    /// Issues whose discussion is stopped at the end.
    frozen: u64,
    /// How often each circuit breaker stopped a comment.
    stopped: BTreeMap<Rule, u64>,
    /// Tags that are circled without results at the end.
    circled: Vec<Box<str>>,
    /// What agents were paid for, and what it cost them.
    paid: BTreeMap<Reason, Given>,
}

/// What came to a reason since.
fn since(before: &Counts, reason: Reason, now: Given) -> Option<Given> {
    let then = before.paid.get(&reason).copied().unwrap_or_default();
    let (times, credits) = (now.times.saturating_sub(then.times), now.credits - then.credits);
    (times > 0).then_some(Given { times, credits })
}

impl Reflection {
    fn between(before: &Counts, after: &Counts) -> Self {
        let more = |rule: &Rule| after.stopped[rule] - before.stopped.get(rule).copied().unwrap_or_default();
        let stopped = after.stopped.keys().map(|rule| (*rule, more(rule))).filter(|(_, count)| *count > 0);
        Self {
            opened: after.issues().saturating_sub(before.issues()),
            comments: after.comments.saturating_sub(before.comments),
            resolved: after.are(Status::Resolved).saturating_sub(before.are(Status::Resolved)),
            read: after.topics.accesses.saturating_sub(before.topics.accesses),
            applied: after.topics.applied.saturating_sub(before.topics.applied),
            irrelevant: after.topics.irrelevant.saturating_sub(before.topics.irrelevant),
            frozen: after.are(Status::Frozen),
            stopped: stopped.collect(),
            circled: after.circled.clone(),
            paid: after
                .paid
                .iter()
                .filter_map(|(reason, given)| Some((*reason, since(before, *reason, *given)?)))
                .collect(),
        }
    }

    fn went_wrong(&self) -> Vec<String> {
        let stopped = self.stopped.iter().map(|(rule, count)| format!("{rule} stopped {}", counted(*count, "comment")));
        let frozen = (self.frozen > 0).then(|| format!("still frozen: {}", counted(self.frozen, "issue")));
        let irrelevant = (self.irrelevant > 0)
            .then(|| format!("nothing to do with the work: {}", counted(self.irrelevant, "issue")));
        stopped.chain(frozen).chain(irrelevant).collect()
    }

    /// The most first.
    fn was_paid(&self) -> Vec<String> {
        let mut paid: Vec<_> = self.paid.iter().collect();
        paid.sort_by_key(|(_, given)| std::cmp::Reverse(given.credits));
        paid.into_iter()
            .map(|(reason, given)| format!("{:+} for {}", given.credits, reason.counted(given.times)))
            .collect()
    }

    fn went_right(&self) -> Vec<String> {
        let resolved = (self.resolved > 0).then(|| format!("decided: {}", counted(self.resolved, "issue")));
        let applied = (self.applied > 0).then(|| format!("applied in the work: {}", counted(self.applied, "issue")));
        resolved.into_iter().chain(applied).collect()
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let (from, to) = span(shell, &engine, arguments)?;
    let before = match from {
        Some(from) => engine.world_at(from)?.ask(|world| Counts::of(&world.rooms))?,
        None => Counts::default(),
    };
    let after = match to {
        Some(to) => engine.world_at(to)?.ask(|world| Counts::of(&world.rooms))?,
        None => shell.ask(&engine, |world| Counts::of(&world.rooms))?,
    };
    let reflection = Reflection::between(&before, &after);
    if shell.wants_json() {
        shell.out.answer("annals.reflection/v1", &reflection)?;
        return Ok(Outcome::Done);
    }
    let Reflection { opened, comments, read, .. } = reflection;
    let [opened, comments] = [counted(opened, "issue"), counted(comments, "comment")];
    shell.out.line(format_args!("opened: {opened}; said: {comments}; read by agents: {}", counted(read, "time")))?;
    say(shell, "what went right", &reflection.went_right())?;
    say(shell, "what went wrong", &reflection.went_wrong())?;
    let circled: Vec<_> = reflection.circled.iter().map(ToString::to_string).collect();
    say(shell, "what was circled without results", &circled)?;
    say(shell, "what credits went to", &reflection.was_paid())?;
    Ok(Outcome::Done)
}

/// From which entry to which; none: from the beginning, and until now.
fn span(shell: &Shell, engine: &Engine, arguments: &Arguments) -> anyhow::Result<(Option<EntryId>, Option<EntryId>)> {
    if let Some(since) = &arguments.since {
        return Ok((Some(shell.bound("--since", since, Edge::First)?), None));
    }
    let Some(kind) = arguments.kind else { return Ok((None, None)) };
    let milestone = shell.ask(engine, |world| {
        let room = &world.rooms.milestone;
        let found = arguments.name.as_ref().map_or_else(|| room.last(kind), |name| room.named(kind, name));
        found.cloned()
    })?;
    let Some(Milestone { begun_in, ended_in, .. }) = milestone else {
        let name = arguments.name.as_deref().unwrap_or_default();
        let text = format!("there is no {kind} {name}");
        return Err(Usage(format!("{}; `annals milestone list` shows those there are", text.trim_end())).into());
    };
    Ok((Some(begun_in), ended_in))
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn say(shell: &mut Shell, heading: &str, lines: &[String]) -> std::io::Result<()> {
    shell.out.line(format_args!("\n{heading}"))?;
    if lines.is_empty() {
        shell.out.line("- nothing was counted")?;
    }
    lines.iter().try_for_each(|line| shell.out.line(format_args!("- {line}")))
}
