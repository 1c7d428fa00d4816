//! What an agent is told before it acts: the rules that bind it, what is asked of it, and how much it may still say
//! (control-room 4.2, 5.3, 12.3, 15.4). In our own words; goes into the agent's prompt as it is.
//!
//! Shows nothing that is sealed: only counts and what the agent itself was given.

use serde::Serialize;

use crate::domain::Rooms;
use crate::domain::breaker::Limits;
use crate::domain::issue::Issue;
use crate::domain::issue::row::ThreadRemark;
use crate::domain::issue::status::IssueStatus;
use crate::domain::moderation::state::{Profile, Retention};
use crate::kernel::actor::{Role, SYSTEM, USER};
use crate::kernel::counted::counted;
use crate::kernel::id::{AgentId, IssueId};
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;
use crate::view::acting::{Acting, acting};
use crate::view::asked::asked_of;
use crate::view::credit::told;
use crate::view::issue::title::title;

/// What an agent is told.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Brief {
    /// Who is told.
    pub agent: AgentId,
    /// What it is there for.
    pub role: Role,
    /// Headings and what stands under them, in order.
    pub sections: Vec<Section>,
    /// How much it may still say, on issues that go on and in which it spoke or that are its own.
    pub budgets: Vec<Budget>,
}

/// A heading, and lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// Sentences.
    pub lines: Vec<String>,
}

/// How much an agent may still say on an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Budget {
    /// What people call the issue.
    pub number: String,
    /// A line.
    pub title: Box<str>,
    /// Comments that are left to the agent.
    pub left: usize,
    /// Comments that are left to all together.
    pub left_to_all: usize,
}

/// Issues beyond these are not looked through.
const LOOKED_AT: usize = 200;

/// What an agent of the roster is told; none where it is not in it.
pub fn brief(rooms: &Rooms, agent: &AgentId, now: Timestamp, settings: &Settings) -> Option<Brief> {
    let role = rooms.roster.agent(agent)?.role.clone();
    let limits = rooms.breaker.limits(agent, now, settings);
    let mut sections = vec![section("Grounding", &GROUNDING)];
    sections.push(Section { title: "Comments", lines: comments(&limits) });
    sections.extend(told::more_care(rooms, agent, settings));
    if role == Role::Moderator {
        sections.push(section("Moderating", &MODERATING));
        let lines = frozen(rooms);
        sections.extend((!lines.is_empty()).then_some(Section { title: "Frozen", lines }));
    }
    let memory = memory(&rooms.moderation.profile_of(&role));
    if !memory.is_empty() {
        sections.push(Section { title: "Memory", lines: memory });
    }
    sections.push(told::team(rooms, agent, settings));
    let lines = asked_of(rooms, agent);
    if !lines.is_empty() {
        sections.push(Section { title: "For you now", lines });
    }
    let Acting { may, may_not } = acting(rooms, agent);
    sections.push(Section { title: "What you do, and how", lines: may });
    sections.push(Section { title: "What is not for you", lines: may_not });
    let budgets = budgets(rooms, agent, now, &limits);
    Some(Brief { agent: agent.clone(), role, sections, budgets })
}

fn section(title: &'static str, lines: &[&str]) -> Section {
    Section { title, lines: lines.iter().map(|line| (*line).to_owned()).collect() }
}

const GROUNDING: [&str; 6] = [
    "Before you propose to change what holds in the project, look it up: tags, files, issues that became canon. \
     Cite what you found, with its version.",
    "A proposal names at least one file or issue, and says whether it extends, changes or contradicts what holds; \
     if it contradicts, why that is worth it.",
    "Cite places that are there: path, lines, and a quote as it stands. Code checks every citation; a wrong one costs you.",
    "Where you find nothing, say so, and call the proposal a draft.",
    "Where two things contradict each other, open an issue tagged #canon-conflict; do not settle it yourself.",
    "When you are not sure, ask the moderator rather than guess.",
];

const MODERATING: [&str; 3] = [
    "You watch over the discussion and do not write what it is about: states, tags, priorities, conflicts, consolidation.",
    "A frozen issue has four ways out: unfreeze it with guidance, have somebody dissent, ask the user, or decide it on \
     the best evidence.",
    "Warn of topics that are talked about and never applied, and spare the user what can wait.",
];

/// The issues that are frozen: which, why, and until when (control-room 3.3).
fn frozen(rooms: &Rooms) -> Vec<String> {
    let is_frozen = |issue: &&Issue| issue.status == IssueStatus::Frozen;
    let count = rooms.issue.totals.by_status.get(&IssueStatus::Frozen).copied().unwrap_or_default();
    if count == 0 {
        return Vec::new();
    }
    let issues = rooms.issue.issues.first_by_rank(LOOKED_AT).into_iter().map(|(_, issue)| issue);
    let line = |issue: &Issue| {
        let freeze = issue.freeze.as_ref()?;
        Some(format!("#{} {}: {}, until {}", issue.label, issue.title, freeze.reason, freeze.until))
    };
    issues.filter(is_frozen).filter_map(line).collect()
}

/// What agents of a role look at first, and how long they keep it, where that is not as usual (control-room 2.2).
fn memory(profile: &Profile) -> Vec<String> {
    let retention = match profile.retention {
        Retention::Weak => Some("Let go of what is settled sooner than others do.".to_owned()),
        Retention::Normal => None,
        Retention::Strong => {
            Some("Keep what you learn longer than others do: you are asked about it later.".to_owned())
        }
    };
    let tags: Vec<&str> = profile.focus_tags.iter().map(AsRef::as_ref).collect();
    let focus = (!tags.is_empty()).then(|| format!("Look first at what is tagged {}.", tags.join(", ")));
    focus.into_iter().chain(retention).collect()
}

fn comments(limits: &Limits) -> Vec<String> {
    vec![
        format!(
            "On one issue you have {}, and all agents together {}. Say everything in them: what you looked at, \
             your reasons, what follows, the next step.",
            counted(limits.max_per_agent.into(), "comment"),
            limits.max_total
        ),
        format!(
            "A comment of fewer than {} characters or {} different words is not taken. Agreement alone is none.",
            limits.min_length, limits.min_unique_words
        ),
        format!(
            "A comment with more than {} of alarm ({}, …) freezes the issue, and so does taking turns with one other \
             agent more than {} times.",
            counted(limits.max_keywords.into(), "word"),
            limits.keywords.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", "),
            limits.max_alternations
        ),
        format!("From impact {} on a comment needs evidence.", limits.evidence_from),
    ]
}

fn budgets(rooms: &Rooms, agent: &AgentId, now: Timestamp, limits: &Limits) -> Vec<Budget> {
    let concerns = |issue: &Issue| issue.assignee.as_ref() == Some(agent) || issue.voices.contains(agent);
    let budget = |(_, issue): (&IssueId, &Issue)| {
        let epoch = if issue.is_thawing(now) { &[] } else { issue.epoch() };
        let own = epoch.iter().filter(|remark| issue.author_of(remark) == agent).count();
        let is_an_agents = |remark: &&ThreadRemark| ![USER, SYSTEM].contains(&issue.author_of(remark).as_str());
        let all = epoch.iter().filter(is_an_agents).count();
        Budget {
            number: issue.label.to_string(),
            title: title(rooms, issue),
            left: (limits.max_per_agent as usize).saturating_sub(own),
            left_to_all: (limits.max_total as usize).saturating_sub(all),
        }
    };
    let rows = rooms.issue.issues.first_by_rank(LOOKED_AT).into_iter();
    rows.filter(|(_, issue)| !issue.status.has_ended() && concerns(issue)).map(budget).collect()
}

impl Brief {
    /// As a text.
    pub fn text(&self) -> String {
        let mut blocks = vec![format!("You are {}, {} of this swarm.", self.agent, self.role)];
        let section = |section: &Section| {
            let lines: Vec<String> = section.lines.iter().map(|line| format!("- {line}")).collect();
            format!("{}:\n{}", section.title.to_uppercase(), lines.join("\n"))
        };
        blocks.extend(self.sections.iter().map(section));
        if !self.budgets.is_empty() {
            let line = |Budget { number, title, left, left_to_all }: &Budget| {
                format!("- #{number} {title}: {left} of yours, {left_to_all} of all")
            };
            let lines: Vec<String> = self.budgets.iter().map(line).collect();
            blocks.push(format!("COMMENTS LEFT:\n{}", lines.join("\n")));
        }
        blocks.join("\n\n") + "\n"
    }
}
