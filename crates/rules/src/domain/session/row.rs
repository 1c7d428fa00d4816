//! One session: what is known of it, and what an entry or event changes about it.

use annals_kernel::record::{Event, Input, Kind, Speech};
use std::collections::BTreeSet;
use std::fmt;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::{Command, Observed, Summary};
use super::joined::Told;
use super::stats::Stats;
use annals_kernel::actor::{SYSTEM, USER};
use annals_kernel::annals::SNAPSHOT_TAG;
use annals_kernel::decision::Cause;
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::report::Fate;
use annals_kernel::rows::Ranked;
use annals_kernel::time::Timestamp;

/// Where a session is in its life (AFS 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// It goes on.
    Active,
    /// It was paused.
    Suspended,
    /// It ended as it should.
    Completed,
    /// It ended early.
    Aborted,
}

impl SessionStatus {
    /// The arrows of decision 3.
    pub fn may_become(self, to: Self) -> bool {
        use SessionStatus::{Aborted, Active, Completed, Suspended};
        matches!((self, to), (Active, Suspended | Completed | Aborted) | (Suspended, Active | Aborted))
    }

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Completed => "completed",
            Self::Aborted => "aborted",
        }
    }
}

impl fmt::Display for SessionStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How a session became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// It was started here.
    Started,
    /// Its entries came from a hook, an import or another program.
    Observed,
}

/// One session.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// How it became known.
    pub origin: Origin,
    /// Where it is in its life, by what was recorded. See `status_at`.
    pub status: SessionStatus,
    /// Its first entry.
    pub first: EntryId,
    /// The last entry in it, or about it: whoever looks for its entries looks as far as this.
    pub last: EntryId,
    /// Time of its first entry.
    pub created_at: Timestamp,
    /// Time of its last entry; what is only said about it counts neither here nor below.
    pub updated_at: Timestamp,
    /// Since when it is paused.
    pub suspended_at: Option<Timestamp>,
    /// The project it belongs to.
    pub project_id: Option<Box<str>>,
    /// The session that delegated to it.
    pub parent_session_id: Option<SessionId>,
    /// The tool that it ran in, and its id there.
    pub native: Option<(Box<str>, Box<str>)>,
    /// Who acted in it.
    #[always]
    pub agents: BTreeSet<AgentId>,
    /// Given, or the first words of the first prompt.
    pub title: Option<Title>,
    /// Why it was aborted.
    pub reason: Option<Box<str>>,
    /// What was done, written when it was completed.
    pub summary: Option<Summary>,
    /// What a model said was done, the latest.
    pub model_summary: Option<ModelSummary>,
    /// Counts.
    pub stats: Stats,
}

/// What a model said of a session: it stands beside what the rules say, and takes its place nowhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ModelSummary {
    /// What it said.
    pub summary: Summary,
    /// Which model.
    pub model: Box<str>,
    /// When.
    pub at: Timestamp,
}

/// What a session is called, and how well that is founded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Title {
    /// The first words of the first prompt.
    FirstPrompt(Box<str>),
    /// Somebody gave it.
    Given(Box<str>),
}

impl Title {
    /// The words.
    pub fn as_str(&self) -> &str {
        match self {
            Self::FirstPrompt(text) | Self::Given(text) => text,
        }
    }
}

/// A silence longer than this is a pause.
const PAUSE_MS: u64 = 30 * 60 * 1000;

/// Names of commands about the life of a session begin with this.
const OWN_LIFE: &str = "history.session.";

/// A title from a prompt is cut here, in characters.
const TITLE_CHARS: usize = 80;

impl Ranked for Session {
    /// The one with the latest entry comes first.
    fn rank(&self) -> i64 {
        self.updated_at.millis()
    }
}

impl Session {
    pub(super) fn begun_by(entry: &Envelope<'_>) -> Self {
        Self {
            origin: Origin::Observed,
            status: SessionStatus::Active,
            first: entry.id(),
            last: entry.id(),
            created_at: entry.at(),
            updated_at: entry.at(),
            suspended_at: None,
            project_id: entry.project().map(|project| project.as_ref().into()),
            parent_session_id: None,
            native: None,
            agents: BTreeSet::new(),
            title: None,
            reason: None,
            summary: None,
            model_summary: None,
            stats: Stats::default(),
        }
    }

    /// Where it is in its life at a time: one that nobody started here and that has been silent for longer than the
    /// limit counts as completed. Its tool did not say so; it just stopped.
    pub fn status_at(&self, now: Timestamp, silent_ms: u64) -> SessionStatus {
        let is_silent = self.completed_after(silent_ms).is_some_and(|last| now > last);
        if is_silent { SessionStatus::Completed } else { self.status }
    }

    /// The time after which it counts as completed unless something comes; none where its end was said, or has to be.
    pub fn completed_after(&self, silent_ms: u64) -> Option<Timestamp> {
        let stops_silently = (self.origin, self.status) == (Origin::Observed, SessionStatus::Active);
        let silent_ms = i64::try_from(silent_ms).unwrap_or(i64::MAX);
        stops_silently.then(|| self.updated_at.plus_millis(silent_ms))
    }

    /// Takes in one entry. What is said about a session is no work of it: who looks at one does not bring it to life.
    pub(super) fn observe(&mut self, entry: &Envelope<'_>, written: &[Box<str>], told: Told) {
        self.last = entry.id();
        match told {
            Told::New(better) if !self.is_only_about(entry) => self.happened(entry, written, better),
            Told::New(_) => {}
            Told::Moved { is, .. } => self.happened(entry, written, Some(is)),
            Told::Again => self.stats.retold += 1,
            Told::Otherwise { was, is } => {
                self.stats.retold += 1;
                self.stats.recount(entry, written, was, is);
            }
        }
    }

    /// Something was done in it; of a call, what became of it where that is known better than the entry says.
    fn happened(&mut self, entry: &Envelope<'_>, written: &[Box<str>], better: Option<Fate>) {
        self.stats.operation_count += 1;
        let gap = entry.at().since(self.updated_at);
        if gap <= PAUSE_MS && self.status != SessionStatus::Suspended {
            self.stats.duration_ms += gap;
        }
        self.created_at = self.created_at.min(entry.at());
        self.updated_at = self.updated_at.max(entry.at());
        if let Some(agent) = entry.agent()
            && !self.agents.contains(agent.as_ref())
        {
            self.agents.insert(agent.as_ref().into());
        }
        match entry.record() {
            Kind::Call => self.stats.call(entry, written, better),
            Kind::Input(Input::Rejection) | Kind::Event(Event::Denial) => self.stats.call(entry, &[], better),
            Kind::Speech(Speech::Message) => self.stats.messages += 1,
            Kind::Input(Input::Prompt | Input::Queued) => self.prompted(entry),
            Kind::Input(Input::Interrupt) => self.stats.interrupts += 1,
            Kind::Event(Event::Compaction) => self.stats.compactions += 1,
            Kind::Event(Event::SessionStart) => self.begun(entry),
            Kind::Event(Event::SessionEnd) if self.origin == Origin::Observed => self.ended_elsewhere(entry),
            Kind::Event(Event::Title) => {
                let title = entry.input::<Prompt>().and_then(Prompt::title);
                self.title = title.map(Title::Given).or_else(|| self.title.take());
            }
            Kind::Input(_) | Kind::Speech(_) | Kind::Event(_) | Kind::State | Kind::Other => {}
        }
    }

    /// Whether an entry of Annals is about the session and not part of it: what the rules say (a trigger fired, the state
    /// of a mind), and what a person decides about a session that ran elsewhere, or has ended. A session's own life is
    /// part of it, and so is what its agents decide.
    fn is_only_about(&self, entry: &Envelope<'_>) -> bool {
        let is_ours = match entry.record() {
            Kind::Event(_) => entry.rules().is_some() && !entry.name().starts_with(OWN_LIFE),
            Kind::State => entry.tags().iter().any(|tag| tag == SNAPSHOT_TAG),
            Kind::Call | Kind::Speech(_) | Kind::Input(_) | Kind::Other => false,
        };
        let goes_on_here =
            self.origin == Origin::Started && matches!(self.status, SessionStatus::Active | SessionStatus::Suspended);
        is_ours
            && match entry.agent().as_deref() {
                Some(SYSTEM) => true,
                Some(USER) | None => !goes_on_here,
                Some(_) => false,
            }
    }

    fn prompted(&mut self, entry: &Envelope<'_>) {
        self.stats.prompts += 1;
        if self.title.is_none() {
            self.title = entry.input::<Prompt>().and_then(Prompt::title).map(Title::FirstPrompt);
        }
    }

    /// Another tool says that it begins, or goes on.
    fn begun(&mut self, entry: &Envelope<'_>) {
        let Some(start) = entry.input::<SessionStart>() else { return };
        self.status = if self.origin == Origin::Observed { SessionStatus::Active } else { self.status };
        self.native = self.native.take().or_else(|| start.tool.zip(start.native_id));
        self.parent_session_id = self.parent_session_id.take().or(start.parent_session);
    }

    /// Another tool says that it has ended: of a thread that Codex begins with `/new` its hooks say nothing else.
    fn ended_elsewhere(&mut self, entry: &Envelope<'_>) {
        self.status = SessionStatus::Completed;
        if self.native.is_none() {
            self.native = entry.source().map(|source| (source.kind, source.session));
        }
    }

    pub(super) fn started(&mut self, command: Option<&Command>) {
        self.origin = Origin::Started;
        if let Some(Command::Start(start)) = command {
            self.title = start.title.clone().map(Title::Given).or_else(|| self.title.take());
            self.parent_session_id.clone_from(&start.parent_session_id);
            self.project_id = start.project_id.clone().or_else(|| self.project_id.take());
        }
    }

    pub(super) fn completed(&mut self, observed: Option<&Observed>) {
        self.status = SessionStatus::Completed;
        self.summary = observed.and_then(|observed| observed.summary.clone());
    }

    pub(super) fn summarized(&mut self, model: &str, cause: &Cause<'_, Command, Observed>) {
        let said = cause.observed().and_then(|observed| observed.summary.clone());
        self.model_summary = said.map(|summary| ModelSummary { summary, model: model.into(), at: cause.at });
    }

    pub(super) fn aborted(&mut self, command: Option<&Command>) {
        self.status = SessionStatus::Aborted;
        if let Some(Command::Abort(abort)) = command {
            self.reason = Some(abort.reason.clone());
        }
    }
}

/// The input of a prompt or a title, as Annals and other programs write it.
#[derive(Deserialize)]
struct Prompt {
    #[serde(alias = "content", alias = "prompt", alias = "title")]
    text: Option<String>,
}

impl Prompt {
    /// The first line that says something, cut; a line of marks alone says nothing where others follow.
    fn title(self) -> Option<Box<str>> {
        let text = self.text?;
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut telling = lines().filter(|line| !is_marks(line));
        let mut line = telling.next().or_else(|| lines().next())?.to_owned();
        // "Implement the following plan:" is told by what follows.
        if let Some(next) = telling.next().filter(|_| line.ends_with(':')) {
            line = [&line, next.trim_start_matches(['#', ' '])].join(" ");
        }
        let mut title: String = line.chars().take(TITLE_CHARS).collect();
        if title.len() < line.len() {
            title.push('…');
        }
        Some(title.into())
    }
}

/// A heading or tag that a program put around a prompt: `<uploaded_files>`, `[[ ## query ## ]]`, `---`.
fn is_marks(line: &str) -> bool {
    let is_tag = line.starts_with('<') && line.ends_with('>') && !line.contains(' ');
    let is_heading = line.starts_with("[[") && line.ends_with("]]");
    is_tag || is_heading || !line.contains(char::is_alphanumeric)
}

/// The input of `session_start`, as far as this room reads it.
#[derive(Deserialize)]
struct SessionStart {
    tool: Option<Box<str>>,
    native_id: Option<Box<str>>,
    parent_session: Option<SessionId>,
}
