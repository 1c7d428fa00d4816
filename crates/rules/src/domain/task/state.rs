//! What is known of each task.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bus::{MessageKind, Party};
use super::command::{Command, Observed, PauseReason, Send, Settlement};
use super::event::{Begun, Event};
use annals_kernel::annals::OwnLine;
use annals_kernel::decision::Cause;
use annals_kernel::grounding::words;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::json::Json;
use annals_kernel::rows::{Ranked, Rows};
use annals_kernel::time::Timestamp;

words! {
    /// How a task ended (artoo R7, `FinalResult`).
    pub enum TaskEnd {
        /// Every criterion is met.
        Accept = "accept",
        /// Near enough.
        Success = "success",
        /// Given up.
        Abandon = "abandon",
    }
}

words! {
    /// Where a task stands.
    pub enum TaskPhase {
        /// A run works on it, or was killed.
        Running = "running",
        /// Its run stopped.
        Paused = "paused",
        /// Its final result is out.
        Ended = "ended",
    }
}

/// The last message of a task: who has it now, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LastMessage {
    /// What it is.
    pub kind: MessageKind,
    /// When it was sent.
    pub at: Timestamp,
}

/// A task.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// The beginning of what was asked for.
    pub title: Box<str>,
    /// The session that holds all of it.
    pub session: SessionId,
    /// When it began.
    pub begun_at: Timestamp,
    /// The entry in which it began.
    pub begun_in: EntryId,
    /// Where it stands.
    pub phase: TaskPhase,
    /// How many messages were sent.
    #[sparse]
    pub messages: u32,
    /// The last of them.
    pub last: Option<LastMessage>,
    /// How many of each kind.
    pub kinds: BTreeMap<MessageKind, u32>,
    /// How often the planner was sent back.
    #[sparse]
    pub replans: u32,
    /// With which directive last.
    pub directive: Option<Box<str>>,
    /// How it ended.
    pub end: Option<TaskEnd>,
    /// The entry of the final result.
    pub ended_in: Option<EntryId>,
    /// When that was.
    pub ended_at: Option<Timestamp>,
    /// Why its run stopped.
    pub paused: Option<PauseReason>,
    /// How often its run went on.
    #[sparse]
    pub resumed: u32,
    /// How many answers and calls were asked for once more.
    #[sparse]
    pub asked_again: u32,
    /// What became of its changes.
    pub settlement: Option<Settlement>,
}

impl Task {
    fn begun(session: SessionId, cause: &Cause<'_, Command, Observed>) -> Self {
        Self {
            title: title(cause),
            session,
            begun_at: cause.at,
            begun_in: cause.id,
            phase: TaskPhase::Running,
            messages: 0,
            last: None,
            kinds: BTreeMap::new(),
            replans: 0,
            directive: None,
            end: None,
            ended_in: None,
            ended_at: None,
            paused: None,
            resumed: 0,
            asked_again: 0,
            settlement: None,
        }
    }

    /// The entry in which it began, and what that says: a task goes on only in the clone that wrote it (decision 50).
    pub fn own_line(&self) -> OwnLine {
        own_line(self.begun_in, &self.title, &self.session)
    }
}

/// The same of a task that is about to begin, before its entry is written; none where another command is.
pub fn line_of(begun: &Begun, command: &Command, entry: EntryId) -> Option<OwnLine> {
    let Command::Begin(begin) = command else { return None };
    Some(own_line(entry, &first_line(&begin.request), &begun.session))
}

/// What a person said of an act that cannot be taken back: it counts only where this clone wrote it (decision 50). None of
/// another message.
pub fn approval_line(send: &Send, entry: EntryId) -> Option<OwnLine> {
    let words = || Json::of(&("approval", &send.task, send.n, &send.body)).text().to_owned();
    (send.kind == MessageKind::Approval).then(|| (entry, words()))
}

fn own_line(entry: EntryId, title: &str, session: &SessionId) -> OwnLine {
    (entry, Json::of(&("begun", title, session)).text().to_owned())
}

fn title(cause: &Cause<'_, Command, Observed>) -> Box<str> {
    let Some(Command::Begin(begin)) = cause.command() else { return Box::default() };
    first_line(&begin.request)
}

/// The first line of a request, cut.
fn first_line(request: &str) -> Box<str> {
    const CHARS: usize = 80;
    request.lines().next().unwrap_or_default().chars().take(CHARS).collect::<String>().into()
}

impl Ranked for Task {
    /// The latest first.
    fn rank(&self) -> i64 {
        self.begun_at.millis()
    }
}

/// Counts over all tasks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// How many began.
    pub begun: u64,
    /// How many ended, and how.
    pub ended: BTreeMap<TaskEnd, u64>,
    /// How many messages each role sent.
    pub messages: BTreeMap<Party, u64>,
}

/// All tasks.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Counts.
    pub totals: Totals,
    /// By id.
    pub tasks: Rows<Box<str>, Task>,
}

impl State {
    /// A task.
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.get(id)
    }

    /// The latest tasks, and their ids.
    pub fn latest(&self, most: usize) -> Vec<(&str, &Task)> {
        self.tasks.first_by_rank(most).into_iter().map(|(id, task)| (&**id, task)).collect()
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        match event {
            Event::Begun(begun) => self.begin(begun, cause),
            Event::Sent(sent) => {
                *self.totals.messages.entry(sent.from).or_default() += 1;
                self.change(&sent.task, |task| {
                    if sent.n >= task.messages {
                        task.last = Some(LastMessage { kind: sent.kind, at: cause.at });
                    }
                    task.messages = task.messages.max(sent.n);
                    *task.kinds.entry(sent.kind).or_default() += 1;
                });
            }
            Event::Replanned(replanned) => self.change(&replanned.task, |task| {
                task.replans = replanned.replans;
                task.directive = Some(replanned.directive.clone());
            }),
            Event::Ended(ended) => self.end(&ended.task, ended.end, cause),
            Event::Paused(paused) => self.change(&paused.task, |task| {
                (task.phase, task.paused) = (TaskPhase::Paused, Some(paused.reason));
            }),
            Event::Resumed(resumed) => self.change(&resumed.task, |task| {
                (task.phase, task.paused) = (TaskPhase::Running, None);
                task.resumed += 1;
                task.asked_again = task.asked_again.saturating_add(resumed.in_flight);
            }),
            Event::Settled(settled) => self.change(&settled.task, |task| task.settlement = Some(settled.settlement)),
        }
    }

    fn begin(&mut self, begun: &Begun, cause: &Cause<'_, Command, Observed>) {
        self.totals.begun += 1;
        self.tasks.entry(&begun.task, || Task::begun(begun.session.clone(), cause));
    }

    /// Of two ends that branches bring, the first stays.
    fn end(&mut self, id: &str, end: TaskEnd, cause: &Cause<'_, Command, Observed>) {
        let is_first = self.tasks.get(id).is_some_and(|task| task.end.is_none());
        if is_first {
            *self.totals.ended.entry(end).or_default() += 1;
        }
        self.change(id, |task| {
            task.phase = TaskPhase::Ended;
            task.end.get_or_insert(end);
            task.ended_in.get_or_insert(cause.id);
            task.ended_at.get_or_insert(cause.at);
        });
    }

    fn change(&mut self, id: &str, change: impl FnOnce(&mut Task)) {
        if let Some(task) = self.tasks.get_mut(id) {
            change(task);
        }
    }
}
