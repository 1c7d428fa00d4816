//! What a model is shown for a member of a council: what the roster knows of the member, and what the council has.
//!
//! Shows nobody's vote to anybody. Asks nobody.

use crate::domain::Rooms;
use crate::domain::canon::claims;
use crate::domain::council::CouncilSession;
use crate::domain::hivemind::key_of;
use crate::engine::Engine;
use crate::kernel::actor::Role;
use crate::kernel::id::AgentId;
use crate::role::judged::AskedMember;
use crate::role::judged::council::{CouncilMatter, DebateSoFar};
use crate::view::brief::brief;
use crate::view::council::called_because;

/// What of a brief goes into the pack of a member: what it is told of commands is of no use there.
const OF_BRIEF: [&str; 3] = ["Grounding", "Memory", "More care"];

/// A member, as the roster knows it.
pub(in crate::cli) struct Pack {
    name: Box<str>,
    role: Role,
    brief: Vec<String>,
}

impl Pack {
    /// Of a member; a seat that has no agent is asked as the role that it names.
    pub(in crate::cli) fn of(engine: &Engine, name: &str) -> anyhow::Result<Self> {
        let (agent, now) = (AgentId::from(name), engine.clock().now());
        let found = engine.ask(|world| brief(&world.rooms, &agent, now, engine.settings()))?;
        let role = found.as_ref().map_or_else(|| Role::from(Box::<str>::from(name)), |brief| brief.role.clone());
        let sections = found.into_iter().flat_map(|brief| brief.sections);
        let sections = sections.filter(|section| OF_BRIEF.contains(&section.title));
        Ok(Self { name: name.into(), role, brief: sections.flat_map(|section| section.lines).collect() })
    }

    /// Its name.
    pub(in crate::cli) fn name(&self) -> &str {
        &self.name
    }

    /// As it is shown.
    pub(in crate::cli) fn member(&self) -> AskedMember<'_> {
        let brief = self.brief.iter().map(String::as_str).collect();
        AskedMember { name: &self.name, role: &self.role, brief }
    }
}

/// What a council decides on, with its evidence.
pub(super) fn matter<'a>(session: &'a CouncilSession, evidence: &[(&'static str, String)]) -> CouncilMatter<'a> {
    CouncilMatter {
        purpose: session.purpose,
        key: &session.entry_key,
        reason: called_because(&session.contest_reason),
        current: &session.current_value,
        proposed: &session.proposed_value,
        evidence: evidence.to_vec(),
    }
}

/// What was said in its debate.
pub(super) fn debate(session: &CouncilSession) -> DebateSoFar<'_> {
    let unanswered = session.unanswered().map(|plea| (plea.side, &*plea.argument));
    DebateSoFar { rounds: session.rounds(), unanswered }
}

/// What the council has beside the proposal: where the entry comes from, and what canon says against either.
pub(super) fn evidence(rooms: &Rooms, session: &CouncilSession) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    if let Some(entry) = key_of(&session.entry_key).and_then(|key| rooms.hivemind.entry(&key)) {
        let (source, decay) = (&entry.source, &entry.decay);
        let who = format!("{}, {}, on {}", source.agent_id, source.agent_role, source.timestamp.day());
        let used = format!("{} times, the last time on {}", decay.access_count, decay.last_accessed.day());
        found.push(("who says what holds now", who));
        found.push(("why it was kept", source.promotion_reason.to_string()));
        found.push(("how sure that was, from 0 to 1", entry.confidence.to_string()));
        found.push(("how often it was used", used));
        found.extend(entry.contest.iter().map(|contest| ("who wants it otherwise", contest.by.to_string())));
    }
    found.extend(against(rooms, "what canon says against how it is now", &session.current_value));
    found.extend(against(rooms, "what canon says against what is proposed", &session.proposed_value));
    found
}

fn against(rooms: &Rooms, name: &'static str, text: &str) -> Vec<(&'static str, String)> {
    let conflicts = rooms.canon.contradicted(&claims::extract(text)).into_iter();
    let line = |conflict: crate::domain::canon::event::ClaimConflict| {
        let (claim, key, version) = (&conflict.claim, &conflict.key, conflict.version);
        (name, format!("{}, {}: {} ({key}@{version})", claim.subject, claim.attribute, conflict.value))
    };
    conflicts.map(line).collect()
}
