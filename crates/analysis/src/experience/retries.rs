//! Failures and what ended them: the same call that succeeds, another one to the same end, or nothing.

use std::collections::BTreeMap;

use super::super::step::{Call, Record, Step, What};
use super::SessionEnd;
use super::words::{self, Tags};
use annals_kernel::call::CallKind;
use annals_kernel::fingerprint;
use annals_kernel::id::{EntryId, SessionId};
use annals_rules::domain::memory::command::{Experience, ExperienceRule};
use annals_rules::domain::memory::quantum::MacroState;

/// So many failures in a row are a dead end, not a slip.
const DEAD_END: usize = 2;
/// Another way counts within so many calls of the last failure.
const REPLACED_WITHIN: usize = 6;
/// So many entries stand behind an experience.
const MOST_SOURCES: usize = 6;

/// A failure that nothing has ended yet.
struct FailingTarget {
    tags: Tags,
    kind: CallKind,
    /// The places of its failures among the steps.
    at: Vec<usize>,
    /// How many calls there were before the last of them.
    calls: usize,
    /// What it said the first time.
    error: String,
    /// Which error it was, last.
    fingerprint: Box<str>,
    /// What was tried, last.
    what: String,
    /// What was asked for.
    asked: Option<String>,
}

/// What ends a failure: the same tool on the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct RetryKey(Tags, Box<str>);

impl RetryKey {
    fn of(call: &Call, tags: &Tags) -> Self {
        // A shell command that names no file is tried again with other arguments; of other tools the target is the thing.
        let rest = if call.command.is_some() || tags.is_on_something() { "".into() } else { call.target.clone() };
        Self(tags.clone(), rest)
    }
}

/// Reads a session once.
struct Reading<'r> {
    session: SessionId,
    steps: &'r [Step],
    failing: BTreeMap<RetryKey, FailingTarget>,
    found: Vec<Experience>,
    asked: Option<String>,
    calls: usize,
}

pub(super) fn find(record: &Record, end: SessionEnd) -> Vec<Experience> {
    let mut reading = Reading {
        session: SessionId::from(&*record.session),
        steps: &record.steps,
        failing: BTreeMap::new(),
        found: Vec::new(),
        asked: None,
        calls: 0,
    };
    for (at, step) in record.steps.iter().enumerate() {
        match &step.what {
            What::Asked(text) => reading.asked = Some(text.clone()),
            What::Called(call) if call.counts() => reading.call(at, call),
            What::Called(_)
            | What::Typed(_)
            | What::Said(_)
            | What::Thought(_)
            | What::Stopped(_)
            | What::Failed
            | What::Began(_)
            | What::Noted => {}
        }
    }
    if end == SessionEnd::Ended {
        reading.abandon();
    }
    once_each(reading.found)
}

/// The same error with the same tool teaches once a session, the weightiest time.
fn once_each(found: Vec<Experience>) -> Vec<Experience> {
    let mut kept: Vec<Experience> = Vec::new();
    for one in found {
        let is_same = |other: &&mut Experience| {
            other.space == one.space
                && other.rule == one.rule
                && (other.entity == one.entity || other.content == one.content)
        };
        match kept.iter_mut().find(is_same) {
            Some(other) if super::weight(one.state) < super::weight(other.state) => *other = one,
            Some(_) => {}
            None => kept.push(one),
        }
    }
    kept
}

impl Reading<'_> {
    fn call(&mut self, at: usize, call: &Call) {
        self.calls += 1;
        let tags = Tags::of_call(call);
        let key = RetryKey::of(call, &tags);
        if call.is_ok() {
            if let Some(failing) = self.failing.remove(&key) {
                self.mended(at, call, &failing);
            } else if let Some(key) = self.replaced(call, &tags) {
                let failing = self.failing.remove(&key).expect("BUG: it was just found");
                self.replace(at, call, &failing);
            }
        } else if call.is_trouble() {
            self.failed(at, call, tags, key);
        }
    }

    fn failed(&mut self, at: usize, call: &Call, tags: Tags, key: RetryKey) {
        let (error, asked) = (words::error(call), self.asked.clone());
        let fingerprint =
            fingerprint::of(if error.is_empty() { call.error.as_deref().unwrap_or_default() } else { &error });
        let failing = self.failing.entry(key).or_insert_with(|| FailingTarget {
            tags,
            kind: call.kind,
            at: Vec::new(),
            calls: 0,
            error,
            fingerprint: "".into(),
            what: String::new(),
            asked,
        });
        failing.at.push(at);
        (failing.calls, failing.fingerprint, failing.what) = (self.calls, fingerprint, words::what(call));
    }

    fn mended(&mut self, at: usize, call: &Call, failing: &FailingTarget) {
        let last = failing.at.last().copied().unwrap_or(at);
        let between = words::done(&self.steps[last + 1..at]);
        let is_changed = between.is_some();
        let state = match failing.at.len() {
            // A slip: the same tool with better arguments.
            1 if !is_changed => MacroState::Refine,
            1 => MacroState::Success,
            _ => MacroState::BreakSymmetry,
        };
        let now = words::what(call);
        let how = match between {
            Some(between) => format!("It worked after {between}"),
            None if now == failing.what => "Tried again, it worked".to_owned(),
            None => format!("`{now}` worked"),
        };
        self.keep(ExperienceRule::Mended, at, failing, &how, state);
    }

    /// The failure that a successful call makes good in another way.
    fn replaced(&self, call: &Call, tags: &Tags) -> Option<RetryKey> {
        let is_near = |failing: &FailingTarget| self.calls - failing.calls <= REPLACED_WITHIN;
        let is_same_end = |failing: &FailingTarget| {
            let is_kind = failing.kind == call.kind && call.kind != CallKind::Other;
            let is_on_same = tags.is_on_something() && failing.tags.entity == tags.entity;
            is_kind && (is_on_same || call.kind == CallKind::Test) || is_absent(failing) && shares_words(failing, call)
        };
        let fits = |(_, failing): &(&RetryKey, &FailingTarget)| {
            failing.tags.space != tags.space && is_near(failing) && is_same_end(failing)
        };
        self.failing.iter().filter(fits).max_by_key(|(_, failing)| failing.calls).map(|(key, _)| key.clone())
    }

    fn replace(&mut self, at: usize, call: &Call, failing: &FailingTarget) {
        let how = format!("`{}` worked instead", words::what(call));
        self.keep(ExperienceRule::Replaced, at, failing, &how, MacroState::ChangeApproach);
    }

    /// What failed again and again, and never again worked.
    fn abandon(&mut self) {
        for failing in std::mem::take(&mut self.failing).into_values() {
            if failing.at.len() >= DEAD_END {
                let last = failing.at.last().copied().unwrap_or_default();
                let how = "Nothing in the session made it work";
                self.keep(ExperienceRule::Abandoned, last, &failing, how, MacroState::Abandon);
            }
        }
    }

    fn keep(&mut self, rule: ExperienceRule, at: usize, failing: &FailingTarget, how: &str, state: MacroState) {
        let Tags { space, entity } = failing.tags.clone();
        let times = words::times(failing.at.len());
        let error = if failing.error.is_empty() { failing.fingerprint.to_string() } else { failing.error.clone() };
        let task = words::task(failing.asked.as_deref());
        let content = format!("`{}` failed {times}: {error}. {how}{task}", failing.what).into();
        let first = failing.at.iter().take(MOST_SOURCES).chain([&at]);
        let mut sources: Vec<EntryId> = first.map(|place| self.steps[*place].id).collect();
        sources.dedup();
        self.found.push(Experience {
            session: self.session.clone(),
            rule,
            cause: self.steps[at].id,
            space,
            entity,
            content,
            state,
            sources,
        });
    }
}

/// The program was not there: what runs instead has another name.
fn is_absent(failing: &FailingTarget) -> bool {
    let lower = failing.error.to_lowercase();
    ["command not found", "not recognized as", "no such file or directory", "not found in path", ": not found"]
        .iter()
        .any(|words| lower.contains(words))
}

/// Whether a call runs with much the same arguments.
fn shares_words(failing: &FailingTarget, call: &Call) -> bool {
    let Some(command) = call.command.as_deref() else { return false };
    let long =
        |text: &str| text.split_whitespace().filter(|word| word.len() > 2).map(str::to_owned).collect::<Vec<_>>();
    let (before, now) = (long(&failing.what), long(command));
    let common = before.iter().skip(1).filter(|word| now.contains(word)).count();
    common > 0 && common * 2 >= before.len().saturating_sub(1)
}
