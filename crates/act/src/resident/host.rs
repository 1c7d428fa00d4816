//! One process that has the agent, and its ticks: assess, retrieve, decide, answer, dispatch.
//!
//! Nothing counts before it is on the record; a tick that was killed is done again, and what a model had answered is not
//! asked again.

use std::collections::BTreeMap;
use std::sync::Arc;

use annals_engine::{Answer, Engine, EngineError};
use annals_kernel::decision::Refusal;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::json::Json;
use annals_role::prompt::RolePrompt;
use annals_role::resident::homeostasis::{
    self, Beat, HeartbeatSettings, HomeostasisAssessment, PulseFacts, Vitals, beat, guidance, question,
};
use annals_rules::domain::Command;
use annals_rules::domain::knowledge::trace::RetrievalTrace;
use annals_rules::domain::resident::command::{Deliver, Finish};
use annals_rules::domain::resident::settings::{
    HEARTBEAT_ENABLED, HEARTBEAT_INTERVAL, L2_ENABLED, L2_MAX_TOKENS, SKIP_WHEN_IDLE,
};
use annals_rules::domain::resident::{
    self as room, AskedDimension, ConversationSummary, Delivery, DimensionState, InboxMessage, LeftOut, TickAction,
    TickTrigger,
};

use super::channel::Channels;
use super::gather::{Gathered, gather, waits};
use super::record::{answered, recorded, session_of};
use super::said::Said;
use crate::surroundings::{AnswerTrouble, AskOutcome, Awaited};

/// A tick that found what the last one found is on the record once an hour.
const QUIET_MS: u64 = 3_600_000;

words! {
    /// What of a tick a question is for.
    pub enum ResidentStep {
        /// Whether its confidence fits.
        Certainty = "certainty_alignment",
        /// Whether it learns and does in balance.
        Application = "knowledge_application",
        /// What stands for the beginning of a long conversation.
        Summary = "summary",
        /// The answer.
        Answer = "answer",
        /// The answer, where the first could not be read.
        AnswerAgain = "answer_again",
    }
}

impl ResidentStep {
    /// What a model is for that serves it, as a configuration names it.
    pub fn role(self) -> &'static str {
        match self {
            Self::Certainty | Self::Application => "homeostasis",
            Self::Summary => "summary",
            Self::Answer | Self::AnswerAgain => "resident",
        }
    }
}

/// A question of a tick.
#[derive(Debug, Clone, PartialEq)]
pub struct ResidentQuestion {
    /// Whose.
    pub agent: AgentId,
    /// About which message.
    pub message: EntryId,
    /// What for.
    pub step: ResidentStep,
    /// The question.
    pub prompt: RolePrompt,
}

/// Who answers the questions of a tick.
pub trait ResidentModels: Send + Sync {
    /// The model that serves a step, as its server names it; none where the person configured none.
    fn serves(&self, step: ResidentStep) -> Option<String>;
    /// How many tokens that model can look at, answer and all; none where nobody said so.
    fn context(&self, step: ResidentStep) -> Option<u32>;
    /// Asks it. Retries and stand-ins are its matter.
    fn ask<'a>(&'a self, question: &'a ResidentQuestion) -> Awaited<'a, AskOutcome>;
    /// What the agent lives on.
    fn vitals(&self) -> Vitals;
}

/// Why a tick stops.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The history cannot be read or written.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A rule says no.
    #[error("the record refuses it: {0}")]
    Refused(Refusal),
    /// No model answers: the message waits on.
    #[error("message {message} waits on: {trouble}")]
    NoAnswer {
        /// Which message.
        message: EntryId,
        /// Why.
        trouble: AnswerTrouble,
    },
}

/// What came of a tick.
#[derive(Debug, Clone, PartialEq)]
pub struct TickReport {
    /// The message it was about, and what it was.
    pub message: Option<(EntryId, InboxMessage)>,
    /// What it came to.
    pub action: TickAction,
    /// The answer; empty where there is none.
    pub answer: String,
    /// What became of the answer.
    pub delivery: Option<Delivery>,
    /// Why it could not be delivered.
    pub undelivered: Option<String>,
    /// Where the agent stands.
    pub homeostasis: HomeostasisAssessment,
    /// What that means for its answer.
    pub guidance: String,
    /// Why its message was set aside.
    pub set_aside: Option<String>,
    /// What the prompt had no room for.
    pub left_out: LeftOut,
    /// What stood for the beginning of the conversation, where that was made now.
    pub summary: Option<ConversationSummary>,
    /// What knowledge said, and why.
    pub trace: RetrievalTrace,
    /// The entry; none where nothing was recorded.
    pub entry: Option<EntryId>,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

impl TickReport {
    /// The entries of knowledge that the prompt had room for.
    pub fn facts(&self) -> &[EntryId] {
        let left_out = usize::try_from(self.left_out.facts).unwrap_or(usize::MAX);
        &self.trace.results[..self.trace.results.len().saturating_sub(left_out)]
    }
}

/// How a tick ended.
#[derive(Debug, Clone, PartialEq)]
pub enum TickEnd {
    /// It was done.
    Done(Box<TickReport>),
    /// It was not worth doing, or not yet.
    Left(Beat),
}

/// One process that has the agent.
#[derive(Clone)]
pub struct Host {
    /// The project's record.
    pub engine: Arc<Engine>,
    /// Who answers.
    pub models: Arc<dyn ResidentModels>,
    /// Where answers go.
    pub channels: Channels,
    /// Which agent.
    pub agent: AgentId,
    /// This process; what stands before a `/` is its clone.
    pub owner: Box<str>,
    /// The words that are sent where no model is asked; the second is why the person said no, where they gave a reason.
    pub words: fn(TickAction, Option<&str>) -> String,
}

impl Host {
    /// One tick: the oldest message that waits, or, where none does, a look at where things stand.
    pub async fn tick(&self, trigger: TickTrigger) -> Result<TickEnd, HostError> {
        let stopwatch = self.engine.clock().stopwatch();
        if trigger == TickTrigger::Message && !waits(&self.engine, &self.agent)? {
            return Ok(TickEnd::Left(Beat::Skip));
        }
        let gathered = gather(&self.engine, &self.agent, self.models.vitals())?;
        if let Some(left) = self.is_left(trigger, &gathered) {
            return Ok(TickEnd::Left(left));
        }
        let asked = self.states(&gathered).await?;
        let now = self.engine.clock().now();
        let homeostasis = gathered.facts.assessed(&asked, now);
        let guidance = guidance(&homeostasis);
        let action = gathered.facts.action();
        let said = match action {
            TickAction::Respond => self.answer(&gathered, &guidance).await?,
            TickAction::Ask | TickAction::Deny | TickAction::Decline => self.by_rule(action, &gathered),
            TickAction::SetAside | TickAction::Fail | TickAction::Rest => Said::without_words(action),
        };
        let Gathered { message, trace, .. } = gathered;
        let ms = stopwatch.millis();
        let mut report = TickReport {
            message,
            action: said.action,
            answer: said.answer,
            delivery: None,
            undelivered: None,
            homeostasis,
            guidance,
            set_aside: said.set_aside,
            left_out: said.left_out,
            summary: said.summary,
            trace,
            entry: None,
            ms,
        };
        let given = asked.into_iter().filter_map(|(asked, state)| Some((asked, state?))).collect();
        self.finish(trigger, &mut report, given)?;
        Ok(TickEnd::Done(Box::new(report)))
    }

    /// Whether there is nothing worth a tick (track 1d); a message always is.
    fn is_left(&self, trigger: TickTrigger, gathered: &Gathered) -> Option<Beat> {
        let settings = self.engine.settings();
        let heartbeat = HeartbeatSettings {
            is_enabled: settings.get(&HEARTBEAT_ENABLED),
            interval_ms: settings.get(&HEARTBEAT_INTERVAL),
            may_skip_when_idle: settings.get(&SKIP_WHEN_IDLE),
        };
        if trigger == TickTrigger::Message {
            return gathered.message.is_none().then_some(Beat::Skip);
        }
        let now = self.engine.clock().now();
        let assessment = gathered.facts.assessed(&BTreeMap::new(), now);
        let pending = u64::from(gathered.message.is_some());
        let found = beat(&heartbeat, &PulseFacts { last_beat: None, pending }, &assessment, now);
        if found != Beat::Tick {
            return Some(found);
        }
        let is_known =
            gathered.message.is_none() && heartbeat.may_skip_when_idle && self.is_known(gathered, &assessment);
        is_known.then_some(Beat::Skip)
    }

    /// Whether the last tick found the same, a short time ago.
    fn is_known(&self, gathered: &Gathered, assessment: &HomeostasisAssessment) -> bool {
        let now = self.engine.clock().now();
        let last = gathered.last.activity.last().map(|tick| tick.at).zip(gathered.last.homeostasis.as_ref());
        let is_same =
            |json: &Json| json.read::<HomeostasisAssessment>().is_ok_and(|last| last.states() == assessment.states());
        last.is_some_and(|(at, json)| now.since(at) < QUIET_MS && is_same(json))
    }

    /// What models say of the two scales, where one serves.
    async fn states(&self, gathered: &Gathered) -> Result<BTreeMap<AskedDimension, Option<DimensionState>>, HostError> {
        let mut states = BTreeMap::new();
        let Some((message, _)) = &gathered.message else { return Ok(states) };
        let settings = self.engine.settings();
        if !settings.get(&L2_ENABLED) {
            return Ok(states);
        }
        for asked in gathered.facts.wanted(self.engine.clock().now()) {
            let step = step_of(asked);
            let prompt = question(asked, &gathered.facts.context);
            let prompt = RolePrompt { max_tokens: settings.get(&L2_MAX_TOKENS), ..prompt };
            if self.models.serves(step).is_some() {
                let said = self.ask(*message, step, prompt).await?.ok();
                states.insert(asked, said.as_deref().and_then(homeostasis::read));
            }
        }
        Ok(states)
    }

    /// Asks a model, or reads what it answered before a kill. The inner error is that no model answered.
    pub(super) async fn ask(
        &self,
        message: EntryId,
        step: ResidentStep,
        prompt: RolePrompt,
    ) -> Result<Result<String, AnswerTrouble>, HostError> {
        let question = ResidentQuestion { agent: self.agent.clone(), message, step, prompt };
        if let Some(text) = recorded(&self.engine, &question)? {
            return Ok(Ok(text));
        }
        let AskOutcome { end, failed } = self.models.ask(&question).await;
        answered(&self.engine, &question, &failed, end.as_ref().ok())?;
        Ok(end.map(|answer| answer.text))
    }

    fn finish(
        &self,
        trigger: TickTrigger,
        report: &mut TickReport,
        asked: BTreeMap<AskedDimension, DimensionState>,
    ) -> Result<(), HostError> {
        self.keep()?;
        let has_answer = !report.answer.is_empty();
        let finish = Finish {
            agent: self.agent.clone(),
            owner: self.owner.clone(),
            trigger,
            message: report.message.as_ref().map(|(id, _)| *id),
            action: report.action,
            answer: report.answer.as_str().into(),
            delivery: has_answer.then_some(Delivery::Pending),
            homeostasis: Json::of(&report.homeostasis),
            asked,
            facts: report.facts().to_vec(),
            ms: report.ms,
            reason: report.set_aside.as_deref().map(Box::from),
            summary: report.summary.clone(),
            left_out: report.left_out,
        };
        report.entry = self.decide(room::Command::from(finish))?.entry;
        if let Some((id, message)) = report.message.clone().filter(|_| has_answer) {
            let (delivery, why) = self.deliver(id, &message, &report.answer)?;
            (report.delivery, report.undelivered) = (Some(delivery), why);
        }
        Ok(())
    }

    /// Brings an answer to its channel, and records what became of it.
    pub fn deliver(
        &self,
        id: EntryId,
        message: &InboxMessage,
        answer: &str,
    ) -> Result<(Delivery, Option<String>), HostError> {
        let (delivery, why) = self.channels.dispatch(id, message, answer);
        if delivery != Delivery::Pending {
            let reason = why.as_deref().map(Box::from);
            self.decide(room::Command::from(Deliver { message: id, delivery, reason }))?;
        }
        Ok((delivery, why))
    }

    pub(super) fn decide(&self, command: impl Into<Command>) -> Result<Answer, HostError> {
        kept(self.engine.decide_due(command, &session_of(&self.agent))?)
    }
}

fn step_of(asked: AskedDimension) -> ResidentStep {
    match asked {
        AskedDimension::CertaintyAlignment => ResidentStep::Certainty,
        AskedDimension::KnowledgeApplication => ResidentStep::Application,
    }
}

pub(super) fn kept(answer: Answer) -> Result<Answer, HostError> {
    answer.refusal.clone().map_or(Ok(answer), |refusal| Err(HostError::Refused(refusal)))
}
