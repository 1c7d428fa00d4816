//! The health report (control-room 9.2): counted from what is always in memory, and what it recommends, in words.

use super::Setting;
use crate::domain::issue::status::Status;
use crate::domain::moderation::event::Reported;
use crate::domain::moderation::report::{AgentHealth, AgentRecord, ENABLED, FREQUENCY, Frequency, Issues, Report};
use crate::domain::moderation::{self, State as Moderation};
use crate::domain::reliability::Record;
use crate::domain::roster::health::REQUIRE_TOKEN;
use crate::domain::roster::state::Agent;
use crate::domain::{Event, Rooms, milestone};
use crate::kernel::actor::USER;
use crate::kernel::counted::count;
use crate::kernel::id::AgentId;
use crate::kernel::period::Period;
use crate::kernel::settings::Settings;

/// So many notices nobody has read: they help no more.
const MANY_NOTICES: u64 = 10;

/// Tokens are asked for, but not of the user.
const UNPROVED_USER: &str = "Whoever leaves out `--as` acts as the user: `annals agent token user` closes that door.";

/// How the swarm fares.
pub fn report(rooms: &Rooms, settings: &Settings) -> Report {
    let mut report = Report {
        blocking: rooms.roster.health(settings).err().map(|why| format!("{why}; {}", why.hint()).into()),
        issues: issues(rooms),
        stopped: rooms.breaker.fired.iter().map(|(rule, count)| (rule.as_str().into(), *count)).collect(),
        agents: rooms
            .roster
            .active()
            .map(|(id, agent)| (id.clone(), agent_health(rooms, (id, agent), settings)))
            .collect(),
        obsessive_tags: rooms.topic.totals.flagged.iter().cloned().collect(),
        canon_conflicts: rooms.canon.totals.disputed,
        frozen_tags: rooms.moderation.frozen_tags.keys().cloned().collect(),
        notices: rooms.notice.totals.waiting.clone(),
        recommendations: Vec::new(),
    };
    report.recommendations = recommendations(&report, &rooms.moderation);
    let is_open = settings.get(&REQUIRE_TOKEN) && !rooms.roster.seals.contains_key(USER);
    report.recommendations.extend(is_open.then(|| UNPROVED_USER.into()));
    report
}

fn issues(rooms: &Rooms) -> Issues {
    let of = |statuses: &[Status]| {
        let counts = statuses.iter().filter_map(|status| rooms.issue.totals.by_status.get(status));
        counts.sum()
    };
    Issues {
        open: of(&[Status::Open, Status::InProgress]),
        frozen: of(&[Status::Frozen]),
        stuck: rooms.issue.totals.stuck,
        ended: of(&[Status::Resolved, Status::Closed]),
        pending_canon: rooms.issue.totals.pending_canon,
    }
}

fn agent_health(rooms: &Rooms, (id, agent): (&AgentId, &Agent), settings: &Settings) -> AgentHealth {
    let moderation = &rooms.moderation;
    AgentHealth {
        role: agent.role.clone(),
        freedom: moderation.freedom_of(id),
        slices: moderation.assisted.get(id).map(|assistance| assistance.slices),
        stops: moderation.streaks.get(id).map(|streak| streak.stops).unwrap_or_default(),
        forgeries: rooms.roster.forgeries.get(id).copied().unwrap_or_default(),
        record: rooms.reliability.current(id).map(|record| agent_record(record, settings)),
    }
}

fn agent_record(record: &Record, settings: &Settings) -> AgentRecord {
    AgentRecord {
        trust: record.trust(settings).as_str().into(),
        level: record.level.as_str().into(),
        issues_started: record.issues_started,
        issues_applied: record.issues_applied,
        issues_irrelevant: record.issues_irrelevant,
        comments: record.comments,
        comments_stopped: record.comments.saturating_sub(record.comments_taken),
        comments_with_evidence: record.comments_with_evidence,
    }
}

/// What would help, the most pressing first.
fn recommendations(report: &Report, moderation: &Moderation) -> Vec<Box<str>> {
    let mut all: Vec<String> = report.blocking.iter().map(|why| format!("No agent may act: {why}.")).collect();
    let Issues { frozen, stuck, pending_canon, .. } = report.issues;
    if frozen > 0 {
        let many = count(frozen, "issue is frozen", "issues are frozen");
        all.push(format!("{many}: unfreeze with guidance, have somebody dissent, decide, or ask the user."));
    }
    if stuck > 0 {
        let many = count(stuck, "issue is stuck", "issues are stuck");
        all.push(format!("{many}: narrow the question, or join what belongs together."));
    }
    if pending_canon > 0 {
        let many = count(pending_canon, "issue waits", "issues wait");
        all.push(format!("{many} to become canon: look at what they stand on."));
    }
    if report.canon_conflicts > 0 {
        let many = count(report.canon_conflicts, "fact is", "facts are");
        all.push(format!("Canon contradicts itself, {many} disputed: `annals canon conflicts` shows where."));
    }
    let tags = report.obsessive_tags.iter().filter(|tag| !moderation.frozen_tags.contains_key(*tag));
    all.extend(tags.map(|tag| format!("{tag} is circled without results: join its issues, or freeze the tag.")));
    all.extend(report.agents.iter().filter_map(|(id, agent)| of_agent(id, agent)));
    let unread = report.notices.iter().filter(|(_, count)| **count >= MANY_NOTICES);
    all.extend(unread.map(|(to, count)| format!("{count} notices wait for {to}: acknowledge them.")));
    all.into_iter().map(Into::into).collect()
}

fn of_agent(id: &AgentId, agent: &AgentHealth) -> Option<String> {
    if agent.forgeries > 0 {
        let times = count(agent.forgeries, "time", "times");
        return Some(format!("Somebody acted as {id} without its token, {times}: make a new one."));
    }
    let slices = agent.slices?;
    Some(format!("{id} works in smaller portions: cut its tasks into {slices}, and say what each must hold to."))
}

/// A report that was asked for is counted and recorded.
pub(super) fn record(rooms: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
    let Event::Moderation(moderation::Event::ReportCalled(_)) = event else { return Vec::new() };
    vec![recorded(rooms, setting)]
}

/// A session of the work begins or ends: where the configuration says so, the report is recorded (control-room 10.2).
pub(super) fn session(rooms: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
    let Event::Milestone(event) = event else { return Vec::new() };
    let (kind, other) = match event {
        milestone::Event::Begun(begun) => (begun.kind, Frequency::End),
        milestone::Event::Ended(ended) => (ended.kind, Frequency::Start),
    };
    let settings = setting.moment.settings;
    let is_due = kind == Period::Session && settings.get(&ENABLED) && settings.get(&FREQUENCY) != other;
    if is_due { vec![recorded(rooms, setting)] } else { Vec::new() }
}

/// The report as an event.
fn recorded(rooms: &Rooms, setting: &Setting<'_>) -> Event {
    Event::Moderation(Reported { report: report(rooms, setting.moment.settings) }.into())
}
