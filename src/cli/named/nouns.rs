//! The nouns of the command line: the words of each, its table, and what tells one from another.

use super::{Noun, Table};
use crate::domain::canon::row::CanonEntry;
use crate::domain::council::session::CouncilSession as Council;
use crate::domain::dialectic::{Debate, DebatedTask};
use crate::domain::hivemind::row::HivemindEntry as Shared;
use crate::domain::issue::Issue;
use crate::domain::knowledge::row::{Candidate, KnowledgeEntry as Known};
use crate::domain::memory::row::MegramFate;
use crate::domain::notice::Notice;
use crate::domain::resident::InboxMessage;
use crate::domain::session::Session;
use crate::kernel::id::{IssueId, SessionId};
use crate::view::issue::title::title;
use crate::view::notice::words;

const fn noun(one: &'static str, many: &'static str, list: &'static str) -> Noun {
    Noun { one, many, list }
}

/// Agents of the roster.
pub(crate) const AGENT: Noun = noun("agent", "agents", "annals agent list");
/// Entries of the history.
pub(crate) const ENTRY: Noun = noun("entry", "entries", "annals log");
/// Firings of triggers.
pub(crate) const FIRING: Noun = noun("firing", "firings", "annals triggers");
/// Goals of the team.
pub(crate) const GOAL: Noun = noun("goal", "goals", "annals goal list");

/// Sessions, also by the id that their own tool gave them.
pub(crate) const SESSION: Table<SessionId, Session> = Table {
    noun: noun("session", "sessions", "annals session list"),
    rows: |world| &world.rooms.session.sessions,
    alias: |session| session.native.as_ref().map(|(_, native)| &**native),
    title: |_, _, session| session.title.as_ref().map(|title| title.as_str().to_owned()).unwrap_or_default(),
};

/// Issues by their ids; their numbers are read before.
pub(crate) const ISSUE: Table<IssueId, Issue> = Table {
    noun: noun("issue", "issues", "annals issue list"),
    rows: |world| &world.rooms.issue.issues,
    alias: |_| None,
    title: |rooms, _, issue| format!("#{} {}", issue.label, title(rooms, issue)),
};

/// Councils.
pub(crate) const COUNCIL: Table<Box<str>, Council> = Table {
    noun: noun("council", "councils", "annals council list"),
    rows: |world| &world.rooms.council.sessions,
    alias: |_| None,
    title: |_, _, council| council.entry_key.to_string(),
};

/// Debates.
pub(crate) const DEBATE: Table<Box<str>, Debate> = Table {
    noun: noun("debate", "debates", "annals debate list"),
    rows: |world| &world.rooms.dialectic.debates,
    alias: |_| None,
    title: |_, _, debate| debate.summary.to_string(),
};

/// Tasks that failed.
pub(crate) const TASK: Table<Box<str>, DebatedTask> = Table {
    noun: noun("task", "tasks", "annals debate failures --all"),
    rows: |world| &world.rooms.dialectic.tasks,
    alias: |_| None,
    title: |_, _, task| task.summary.to_string(),
};

/// What was learnt by doing.
pub(crate) const MEGRAM: Table<Box<str>, MegramFate> = Table {
    noun: noun("megram", "megrams", "annals memory list"),
    rows: |world| &world.rooms.memory.megrams,
    alias: |_| None,
    title: |rooms, id, _| rooms.memory.megram(id).map(|megram| megram.content.to_string()).unwrap_or_default(),
};

/// What was learnt of the person and the project.
pub(crate) const KNOWLEDGE: Table<Box<str>, Known> = Table {
    noun: noun("knowledge entry", "knowledge entries", "annals knowledge list --all"),
    rows: |world| &world.rooms.knowledge.entries,
    alias: |_| None,
    title: |_, _, entry| entry.said.content.to_string(),
};

/// What waits to be known.
pub(crate) const CANDIDATE: Table<Box<str>, Candidate> = Table {
    noun: noun("candidate", "candidates", "annals knowledge review"),
    rows: |world| &world.rooms.knowledge.candidates,
    alias: |_| None,
    title: |_, _, candidate| candidate.said.content.to_string(),
};

/// What an agent or the user should hear of.
pub(crate) const NOTICE: Table<Box<str>, Notice> = Table {
    noun: noun("notice", "notices", "annals notice list --all"),
    rows: |world| &world.rooms.notice.notices,
    alias: |_| None,
    title: |rooms, _, notice| words(rooms, &notice.posted).title.to_string(),
};

/// Messages to the resident agent.
pub(crate) const MESSAGE: Table<Box<str>, InboxMessage> = Table {
    noun: noun("message", "messages", "annals message list"),
    rows: |world| &world.rooms.resident.messages,
    alias: |_| None,
    title: |_, _, message| message.content.to_string(),
};

/// What holds in the project, by key.
pub(crate) const CANON: Table<Box<str>, CanonEntry> = Table {
    noun: noun("canon", "entries of canon", "annals canon list"),
    rows: |world| &world.rooms.canon.entries,
    alias: |_| None,
    title: |_, _, entry| entry.versions.last().map(|version| version.title.to_string()).unwrap_or_default(),
};

/// What is shared with other projects, by key.
pub(crate) const HIVEMIND: Table<Box<str>, Shared> = Table {
    noun: noun("entry", "entries", "annals hivemind list"),
    rows: |world| &world.rooms.hivemind.entries,
    alias: |_| None,
    title: |_, _, entry| entry.value.to_string(),
};
