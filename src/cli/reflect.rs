//! `annals reflect`: a look back at a chapter (improvement C): what was stopped, what came of the work, what was circled,
//! and which credits went with what came of it.
//!
//! Made of counts before and after; says nothing that was not counted.

use std::collections::BTreeMap;

use serde::Serialize;

use super::credit::signed;
use super::shell::{CommandOutcome, Done, Edge, Shell, Usage};
use crate::domain::Rooms;
use crate::domain::breaker::BreakerRule;
use crate::domain::credit::CreditReason;
use crate::domain::credit::profile::{GivenCredits, StretchTally};
use crate::domain::issue::status::IssueStatus;
use crate::domain::milestone::state::Milestone;
use crate::domain::topic::Topic;
use crate::engine::Engine;
use crate::kernel::counted::counted;
use crate::kernel::credits::Credits;
use crate::kernel::id::{AgentId, EntryId};
use crate::kernel::period::Period;
use crate::view::credit::words;

/// Arguments of `annals reflect`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
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
    by_status: BTreeMap<IssueStatus, u64>,
    comments: u64,
    stopped: BTreeMap<BreakerRule, u64>,
    topics: Topic,
    circled: Vec<Box<str>>,
    earned: BTreeMap<CreditReason, GivenCredits>,
    agents: BTreeMap<AgentId, Came>,
}

/// What an agent earned, and what came of its issues.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Came {
    credits: Credits,
    opened: u64,
    applied: u64,
}

impl Counts {
    fn of(rooms: &Rooms) -> Self {
        let totals = &rooms.credit.totals;
        let tallies: Vec<_> = totals.records.keys().map(|agent| (agent.clone(), totals.tally(agent, None))).collect();
        let came =
            |tally: &StretchTally| Came { credits: tally.credits, opened: tally.started, applied: tally.applied };
        Self {
            earned: tallies.iter().fold(StretchTally::default(), |all, (_, tally)| all.with(tally)).by_reason,
            agents: tallies.iter().map(|(agent, tally)| (agent.clone(), came(tally))).collect(),
            by_status: rooms.issue.totals.by_status.clone(),
            comments: rooms.issue.totals.remarks,
            stopped: rooms.breaker.totals.fired.clone(),
            topics: rooms.topic.totals.all,
            circled: rooms.topic.totals.flagged.iter().cloned().collect(),
        }
    }

    fn issues(&self) -> u64 {
        self.by_status.values().sum()
    }

    fn are(&self, status: IssueStatus) -> u64 {
        self.by_status.get(&status).copied().unwrap_or_default()
    }
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Reflection {
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
    stopped: BTreeMap<BreakerRule, u64>,
    /// Tags that are circled without results at the end.
    circled: Vec<Box<str>>,
    /// In what credits are counted here.
    amounts_in: &'static str,
    /// Credits that were given and taken, by reason.
    earned: BTreeMap<CreditReason, GivenCredits>,
    /// What each agent earned, and what came of its issues.
    agents: BTreeMap<AgentId, Came>,
}

impl Reflection {
    fn between(before: &Counts, after: &Counts) -> Self {
        let earned = after.earned.iter().map(|(reason, given)| {
            let past = before.earned.get(reason).copied().unwrap_or_default();
            (*reason, GivenCredits { times: given.times - past.times, credits: given.credits - past.credits })
        });
        let agents = after.agents.iter().map(|(agent, came)| {
            let past = before.agents.get(agent).copied().unwrap_or_default();
            let credits = came.credits - past.credits;
            (agent.clone(), Came { credits, opened: came.opened - past.opened, applied: came.applied - past.applied })
        });
        let more = |rule: &BreakerRule| after.stopped[rule] - before.stopped.get(rule).copied().unwrap_or_default();
        let stopped = after.stopped.keys().map(|rule| (*rule, more(rule))).filter(|(_, count)| *count > 0);
        Self {
            opened: after.issues().saturating_sub(before.issues()),
            comments: after.comments.saturating_sub(before.comments),
            resolved: after.are(IssueStatus::Resolved).saturating_sub(before.are(IssueStatus::Resolved)),
            read: after.topics.accesses.saturating_sub(before.topics.accesses),
            applied: after.topics.applied.saturating_sub(before.topics.applied),
            irrelevant: after.topics.irrelevant.saturating_sub(before.topics.irrelevant),
            frozen: after.are(IssueStatus::Frozen),
            stopped: stopped.collect(),
            circled: after.circled.clone(),
            amounts_in: "thousandths",
            earned: earned.filter(|(_, given)| given.times > 0).collect(),
            agents: agents.filter(|(_, came)| *came != Came::default()).collect(),
        }
    }

    /// Agents, the most credits first: whether those who earned most also had most applied.
    fn credits_and_work(&self) -> Vec<String> {
        let mut agents: Vec<_> = self.agents.iter().collect();
        agents.sort_by_key(|(_, came)| std::cmp::Reverse((came.credits, came.applied)));
        let line = |(agent, came): (&AgentId, &Came)| {
            let Came { credits, opened, applied } = came;
            format!("{agent}: {}; opened {}, {applied} applied", signed(*credits), counted(*opened, "issue"))
        };
        agents.into_iter().map(line).collect()
    }

    /// Credits by reason, those given or those taken, the most first.
    fn credits_for(&self, is_of_them: impl Fn(Credits) -> bool) -> Vec<String> {
        let mut reasons: Vec<_> = self.earned.iter().filter(|(_, given)| is_of_them(given.credits)).collect();
        reasons.sort_by_key(|(_, given)| std::cmp::Reverse(given.credits));
        let line = |(reason, given): (&CreditReason, &GivenCredits)| {
            format!("{}: {}", words::counted(*reason, given.times), signed(given.credits))
        };
        reasons.into_iter().map(line).collect()
    }

    fn went_wrong(&self) -> Vec<String> {
        let stopped = self.stopped.iter().map(|(rule, count)| format!("{rule} stopped {}", counted(*count, "comment")));
        let frozen = (self.frozen > 0).then(|| format!("still frozen: {}", counted(self.frozen, "issue")));
        let irrelevant = (self.irrelevant > 0)
            .then(|| format!("nothing to do with the work: {}", counted(self.irrelevant, "issue")));
        let taken = self.credits_for(|credits| credits < Credits::ZERO);
        stopped.chain(frozen).chain(irrelevant).chain(taken).collect()
    }

    fn went_right(&self) -> Vec<String> {
        let resolved = (self.resolved > 0).then(|| format!("decided: {}", counted(self.resolved, "issue")));
        let applied = (self.applied > 0).then(|| format!("applied in the work: {}", counted(self.applied, "issue")));
        let given = self.credits_for(|credits| credits > Credits::ZERO);
        resolved.into_iter().chain(applied).chain(given).collect()
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let span = span(shell, &engine, arguments)?;
    let at = |until: EntryId| engine.world_at(until)?.ask(|world| Counts::of(&world.rooms));
    let before = span.from.map(at).transpose()?.unwrap_or_default();
    let after = match span.until {
        Some(until) => at(until)?,
        None => shell.ask(&engine, |world| Counts::of(&world.rooms))?,
    };
    let reflection = Reflection::between(&before, &after);
    if shell.wants_json() {
        shell.out.answer(&reflection)?;
        return Ok(CommandOutcome::Done);
    }
    if let Some(name) = span.name {
        shell.out.line(name)?;
    }
    let Reflection { opened, comments, read, .. } = reflection;
    let [opened, comments] = [counted(opened, "issue"), counted(comments, "comment")];
    shell.out.line(format_args!("opened: {opened}; said: {comments}; read by agents: {}", counted(read, "time")))?;
    say(shell, "what went right", &reflection.went_right())?;
    say(shell, "what went wrong", &reflection.went_wrong())?;
    let circled: Vec<_> = reflection.circled.iter().map(ToString::to_string).collect();
    say(shell, "what was circled without results", &circled)?;
    say(shell, "who earned what, and what came of it", &reflection.credits_and_work())?;
    Ok(CommandOutcome::Done)
}

/// What is looked back at.
#[derive(Default)]
struct ReflectedSpan {
    name: Option<String>,
    from: Option<EntryId>,
    until: Option<EntryId>,
}

fn span(shell: &Shell, engine: &Engine, arguments: &Arguments) -> anyhow::Result<ReflectedSpan> {
    let Some(kind) = arguments.kind else {
        let since = arguments.since.as_deref().map(|since| shell.bound("--since", since, Edge::First)).transpose()?;
        return Ok(ReflectedSpan { from: since, ..ReflectedSpan::default() });
    };
    let milestone = shell.ask(engine, |world| {
        let room = &world.rooms.milestone;
        let found = arguments.name.as_ref().map_or_else(|| room.last(kind), |name| room.named(kind, name));
        found.cloned()
    })?;
    let Some(Milestone { name, begun_in, ended_in, .. }) = milestone else {
        let name = arguments.name.as_deref().unwrap_or_default();
        let text = format!("there is no {kind} {name}");
        return Err(Usage(format!("{}; `annals milestone list` shows those there are", text.trim_end())).into());
    };
    Ok(ReflectedSpan { name: Some(format!("{kind} {name}")), from: Some(begun_in), until: ended_in })
}

fn say(shell: &mut Shell, heading: &str, lines: &[String]) -> std::io::Result<()> {
    shell.out.line("")?;
    shell.out.line(heading)?;
    if lines.is_empty() {
        shell.out.line("- nothing was counted")?;
    }
    lines.iter().try_for_each(|line| shell.out.line(format_args!("- {line}")))
}
