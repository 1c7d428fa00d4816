//! The health report (control-room 9.2): counted from what is always in memory. What it recommends follows from its figures,
//! and is put into words by whoever shows it.

use std::collections::BTreeMap;

use super::Setting;
use crate::domain::issue::status::IssueStatus;
use crate::domain::moderation;
use crate::domain::moderation::event::Reported;
use crate::domain::moderation::report::{
    AgentHealth, AgentRecord, Blocking, ENABLED, FREQUENCY, Issues, ReportFrequency, SwarmReport,
};
use crate::domain::reliability::ReliabilityRecord;
use crate::domain::roster::health::REQUIRE_TOKEN;
use crate::domain::roster::state::Agent;
use crate::domain::{Event, Rooms, milestone};
use annals_kernel::actor::USER;
use annals_kernel::decision::Refusal;
use annals_kernel::id::AgentId;
use annals_kernel::period::Period;
use annals_kernel::settings::Settings;

/// How the swarm fares.
pub fn report(rooms: &Rooms, settings: &Settings) -> SwarmReport {
    SwarmReport {
        blocking: rooms.roster.health(settings).err().map(|why| Blocking::Rule(Refusal::of(why.rule(), &why))),
        issues: issues(rooms),
        stopped: rooms.breaker.totals.fired.iter().map(|(rule, count)| (rule.as_str().into(), *count)).collect(),
        agents: rooms
            .roster
            .active()
            .map(|(id, agent)| (id.clone(), agent_health(rooms, id, agent, settings)))
            .collect(),
        obsessive_tags: rooms.topic.totals.flagged.iter().cloned().collect(),
        canon_conflicts: rooms.canon.totals.disputed,
        frozen_tags: rooms.moderation.frozen_tags.keys().cloned().collect(),
        notices: rooms.notice.totals.waiting.clone(),
        barred: barred(rooms).map(Box::new),
        is_user_unproved: settings.get(&REQUIRE_TOKEN) && !rooms.roster.seals.contains_key(USER),
        recommendations: Vec::new(),
    }
}

/// Who tried what it may not, by rule; none where nobody did.
fn barred(rooms: &Rooms) -> Option<BTreeMap<Box<str>, Vec<AgentId>>> {
    let tried = rooms.roster.barred.iter();
    let barred: BTreeMap<_, _> =
        tried.map(|(rule, tried)| (rule.clone(), tried.actors.iter().cloned().collect())).collect();
    (!barred.is_empty()).then_some(barred)
}

fn issues(rooms: &Rooms) -> Issues {
    let of = |statuses: &[IssueStatus]| {
        let counts = statuses.iter().filter_map(|status| rooms.issue.totals.by_status.get(status));
        counts.sum()
    };
    Issues {
        open: of(&[IssueStatus::Open, IssueStatus::InProgress]),
        frozen: of(&[IssueStatus::Frozen]),
        stuck: rooms.issue.totals.stuck,
        ended: of(&[IssueStatus::Resolved, IssueStatus::Closed]),
        pending_canon: rooms.issue.totals.pending_canon,
    }
}

fn agent_health(rooms: &Rooms, id: &AgentId, agent: &Agent, settings: &Settings) -> AgentHealth {
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

fn agent_record(record: &ReliabilityRecord, settings: &Settings) -> AgentRecord {
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

/// A report that was asked for is counted and recorded.
pub(super) fn record(rooms: &Rooms, _: &moderation::event::ReportCalled, setting: &Setting<'_>) -> Vec<Event> {
    vec![recorded(rooms, setting)]
}

/// A session of the work begins or ends: where the configuration says so, the report is recorded (control-room 10.2).
pub(super) fn session(rooms: &Rooms, event: &milestone::Event, setting: &Setting<'_>) -> Vec<Event> {
    let (kind, other) = match event {
        milestone::Event::Begun(begun) => (begun.kind, ReportFrequency::End),
        milestone::Event::Ended(ended) => (ended.kind, ReportFrequency::Start),
    };
    let settings = setting.moment.settings;
    let is_due = kind == Period::Session && settings.get(&ENABLED) && settings.get(&FREQUENCY) != other;
    if is_due { vec![recorded(rooms, setting)] } else { Vec::new() }
}

/// The report as an event.
fn recorded(rooms: &Rooms, setting: &Setting<'_>) -> Event {
    Event::Moderation(Reported { report: report(rooms, setting.moment.settings) }.into())
}
