//! What came of a conversation: by message, by rule, by speaker.
//!
//! Counts; does not decide.

use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use serde::Serialize;

use crate::domain::breaker::gist::Gist;
use crate::import::swarm::{Conversation, Shape, SwarmMessage, SwarmPassedOver};
use crate::kernel::grounding::words;
use crate::kernel::id::AgentId;
use crate::kernel::time::Timestamp;

words! {
    /// What would have become of a message.
    pub enum Verdict {
        /// It came into the thread.
        Passed = "passed",
        /// A breaker did not take it.
        Rejected = "rejected",
        /// A breaker did not take it and froze the issue.
        Froze = "froze",
        /// It was not judged: the issue was frozen, or another rule said no.
        TurnedAway = "turned-away",
    }
}

words! {
    /// Whether a message praises.
    pub enum Praise {
        /// At least every hundredth of its words does.
        Praise = "praise",
        /// Fewer do.
        Sober = "sober",
    }
}

/// Whether a message praises: as its file counts, or else by the words of agreement that the breakers know.
pub(super) fn is_praise(message: &SwarmMessage) -> Praise {
    let gist = || Gist::of(&message.text);
    let (praising, words) = match message.praise_words {
        Some(praising) => (praising, message.text.split_whitespace().count() as u64),
        None => (gist().agreeing as u64, gist().length as u64),
    };
    if praising > 0 && praising * 100 >= words { Praise::Praise } else { Praise::Sober }
}

/// Messages of one kind, and those of them that a breaker stopped; those that were not judged stand apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Stops {
    /// How many there are.
    pub messages: u64,
    /// How many a breaker stopped.
    pub stopped: u64,
    /// How many were turned away, since the issue was frozen.
    pub turned_away: u64,
}

impl Stops {
    fn of<'h>(messages: impl Iterator<Item = &'h Heard>) -> Self {
        messages.fold(Self::default(), |stops, message| Self {
            messages: stops.messages + 1,
            stopped: stops.stopped + u64::from(matches!(message.verdict, Verdict::Rejected | Verdict::Froze)),
            turned_away: stops.turned_away + u64::from(message.verdict == Verdict::TurnedAway),
        })
    }
}

/// What tells praise from sober text, and text from the mere fact that somebody speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Discrimination {
    /// Messages that praise.
    pub praise: Stops,
    /// The others.
    pub sober: Stops,
    /// The control: the same speakers at the same times, each with sober text.
    pub control: Stops,
}

/// A message that was played.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Heard {
    /// In which thread, from 1.
    pub thread: usize,
    /// Who.
    pub speaker: AgentId,
    /// When.
    pub at: Timestamp,
    /// How long it is.
    pub words: u64,
    /// Whether it praises.
    pub praise: Praise,
    /// What would have become of it.
    pub verdict: Verdict,
    /// The rule that stopped it.
    pub rule: Option<Box<str>>,
    /// Why, in words.
    pub reason: Option<Box<str>>,
    /// Every breaker that it violates, the one that stopped it included.
    pub violations: Vec<Box<str>>,
}

/// How often a rule had something against a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Count {
    /// Messages that it stopped.
    pub stopped: u64,
    /// Messages that violate it, whether another rule stopped them first or not.
    pub violated: u64,
}

/// Words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportWords {
    /// That were said.
    pub written: u64,
    /// That others would have had to read.
    pub let_through: u64,
    /// The others.
    pub saved: u64,
}

impl ReportWords {
    fn add(&mut self, message: &Heard) {
        self.written += message.words;
        if message.verdict == Verdict::Passed {
            self.let_through += message.words;
        } else {
            self.saved += message.words;
        }
    }
}

/// One speaker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Speaker {
    /// Messages.
    pub messages: u64,
    /// Those that were stopped.
    pub stopped: u64,
    /// Words.
    pub words: ReportWords,
}

/// The first message that was stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FirstStop {
    /// Which, from 1.
    pub message: usize,
    /// By which rule.
    pub rule: Box<str>,
    /// Words that were said before it.
    pub words_before: u64,
}

/// What came of a conversation.
#[sparse(marked)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// The shape of its file.
    pub shape: Shape,
    /// What it is about, where the file says so.
    #[sparse]
    pub topic: Option<Box<str>>,
    /// Its messages, in order.
    pub messages: Vec<Heard>,
    /// How many were stopped.
    pub stopped: u64,
    /// How many threads there are.
    pub threads: usize,
    /// Those that froze.
    pub frozen_threads: usize,
    /// What the stops depend on.
    pub discrimination: Discrimination,
    /// The first of them.
    pub first_stop: Option<FirstStop>,
    /// The first that froze the issue.
    pub first_freeze: Option<FirstStop>,
    /// By rule.
    pub rules: BTreeMap<Box<str>, Count>,
    /// All words.
    pub words: ReportWords,
    /// By speaker.
    pub speakers: BTreeMap<AgentId, Speaker>,
    /// Records that are no messages.
    #[sparse]
    pub passed_over: Vec<SwarmPassedOver>,
}

impl Report {
    pub(super) fn of(conversation: &Conversation, messages: Vec<Heard>, control: &[Heard]) -> Self {
        let (mut rules, mut speakers) = (BTreeMap::<_, Count>::new(), BTreeMap::<_, Speaker>::new());
        let mut words = ReportWords::default();
        for message in &messages {
            let is_stopped = u64::from(message.verdict != Verdict::Passed);
            words.add(message);
            let voice = speakers.entry(message.speaker.clone()).or_default();
            (voice.messages, voice.stopped) = (voice.messages + 1, voice.stopped + is_stopped);
            voice.words.add(message);
            if let Some(rule) = &message.rule {
                rules.entry(rule.clone()).or_default().stopped += 1;
            }
            for rule in &message.violations {
                rules.entry(rule.clone()).or_default().violated += 1;
            }
        }
        Self {
            shape: conversation.shape,
            topic: conversation.topic.clone(),
            stopped: messages.iter().filter(|message| message.verdict != Verdict::Passed).count() as u64,
            threads: conversation.threads.len(),
            frozen_threads: frozen_threads(&messages),
            discrimination: discrimination(&messages, control),
            first_stop: first(&messages, |verdict| verdict != Verdict::Passed),
            first_freeze: first(&messages, |verdict| verdict == Verdict::Froze),
            rules,
            words,
            speakers,
            passed_over: conversation.passed_over.clone(),
            messages,
        }
    }
}

fn frozen_threads(messages: &[Heard]) -> usize {
    let frozen = messages.iter().filter(|message| message.verdict == Verdict::Froze);
    frozen.map(|message| message.thread).collect::<BTreeSet<_>>().len()
}

fn discrimination(messages: &[Heard], control: &[Heard]) -> Discrimination {
    let those = |praise| Stops::of(messages.iter().filter(move |message| message.praise == praise));
    Discrimination { praise: those(Praise::Praise), sober: those(Praise::Sober), control: Stops::of(control.iter()) }
}

fn first(messages: &[Heard], is_meant: impl Fn(Verdict) -> bool) -> Option<FirstStop> {
    let place = messages.iter().position(|message| is_meant(message.verdict))?;
    let rule = messages[place].rule.clone()?;
    let words_before = messages[..place].iter().map(|message| message.words).sum();
    Some(FirstStop { message: place + 1, rule, words_before })
}
