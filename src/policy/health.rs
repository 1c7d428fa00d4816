//! The health report (control-room 9.2): counted from what is always in memory, and what it recommends, in words.

use super::Setting;
use crate::domain::issue::status::Status;
use crate::domain::moderation::event::Reported;
use crate::domain::moderation::report::{AgentHealth, Issues, Report};
use crate::domain::moderation::{self, State as Moderation};
use crate::domain::roster::state::Agent;
use crate::domain::{Event, Rooms};
use crate::kernel::id::AgentId;
use crate::kernel::settings::Settings;

/// So many notices nobody has read: they help no more.
const MANY_NOTICES: u64 = 10;

/// How the swarm fares.
pub fn report(rooms: &Rooms, settings: &Settings) -> Report {
    let mut report = Report {
        blocking: rooms.roster.health(settings).err().map(|why| format!("{why}; {}", why.hint()).into()),
        issues: issues(rooms),
        stopped: rooms.breaker.fired.iter().map(|(rule, count)| (rule.as_str().into(), *count)).collect(),
        agents: rooms.roster.active().map(|(id, agent)| (id.clone(), agent_health(rooms, id, agent))).collect(),
        obsessive_tags: rooms.topic.totals.flagged.iter().cloned().collect(),
        frozen_tags: rooms.moderation.frozen_tags.keys().cloned().collect(),
        notices: rooms.notice.totals.waiting.clone(),
        recommendations: Vec::new(),
    };
    report.recommendations = recommendations(&report, &rooms.moderation);
    report
}

fn issues(rooms: &Rooms) -> Issues {
    let of = |statuses: &[Status]| {
        let counts = statuses.iter().filter_map(|status| rooms.issue.totals.by_status.get(status));
        counts.sum()
    };
    let tagged = |tag: &str| rooms.topic.topic(tag).map(|topic| topic.issues).unwrap_or_default();
    Issues {
        open: of(&[Status::Open, Status::InProgress]),
        frozen: of(&[Status::Frozen]),
        stuck: tagged("#stuck"),
        ended: of(&[Status::Resolved, Status::Closed]),
        pending_canon: tagged("#needs-canon-review"),
    }
}

fn agent_health(rooms: &Rooms, id: &AgentId, agent: &Agent) -> AgentHealth {
    let moderation = &rooms.moderation;
    AgentHealth {
        role: agent.role.clone(),
        freedom: moderation.freedom_of(id),
        slices: moderation.assisted.get(id).map(|assistance| assistance.slices),
        stops: moderation.streaks.get(id).map(|streak| streak.stops).unwrap_or_default(),
        forgeries: rooms.roster.forgeries.get(id).copied().unwrap_or_default(),
    }
}

/// What would help, the most pressing first.
fn recommendations(report: &Report, moderation: &Moderation) -> Vec<Box<str>> {
    let mut all: Vec<String> = report.blocking.iter().map(|why| format!("No agent may act: {why}.")).collect();
    let Issues { frozen, stuck, pending_canon, .. } = report.issues;
    if frozen > 0 {
        let many = counted(frozen, "issue is frozen", "issues are frozen");
        all.push(format!("{many}: unfreeze with guidance, have somebody dissent, decide, or ask the user."));
    }
    if stuck > 0 {
        let many = counted(stuck, "issue is stuck", "issues are stuck");
        all.push(format!("{many}: narrow the question, or join what belongs together."));
    }
    if pending_canon > 0 {
        let many = counted(pending_canon, "issue waits", "issues wait");
        all.push(format!("{many} to become canon: look at what they stand on."));
    }
    let tags = report.obsessive_tags.iter().filter(|tag| !moderation.frozen_tags.contains_key(*tag));
    all.extend(tags.map(|tag| format!("{tag} is circled without results: join its issues, or freeze the tag.")));
    all.extend(report.agents.iter().filter_map(|(id, agent)| of_agent(id, agent)));
    let unread = report.notices.iter().filter(|(_, count)| **count >= MANY_NOTICES);
    all.extend(unread.map(|(to, count)| format!("{count} notices wait for {to}: acknowledge them.")));
    all.into_iter().map(Into::into).collect()
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn of_agent(id: &AgentId, agent: &AgentHealth) -> Option<String> {
    if agent.forgeries > 0 {
        let times = counted(agent.forgeries, "time", "times");
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

/// The report as an event.
fn recorded(rooms: &Rooms, setting: &Setting<'_>) -> Event {
    Event::Moderation(Reported { report: report(rooms, setting.moment.settings) }.into())
}
