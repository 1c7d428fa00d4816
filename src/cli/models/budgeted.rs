//! Models that are asked within the budget of the person, and whose answers without end are cut off.
//!
//! Parses no answer and records none: who asks does, in that order reversed (decision 65).

use std::sync::{Mutex, PoisonError};

use annals_llm::{
    AskError, Asked, Budget, BudgetLimits, Cancel, Finish, GenerateRequest, ModelError, Models, PriceTable, Purpose,
    Spending, Unasked,
};

use super::heard::HeardAnswer;
use super::spent::{Spender, add_recorded};
use crate::act::{AnswerTrouble, AskOutcome, FailedAttempt, ModelAnswer};
use crate::engine::Engine;
use crate::engine::clock::Clock;
use crate::kernel::id::SessionId;
use crate::kernel::share::Share;
use crate::kernel::time::Day;
use crate::role::prompt::RolePrompt;

/// Models, and what is left to ask them with.
pub(in crate::cli) struct BudgetedModels {
    models: Models,
    prices: PriceTable,
    budget: Mutex<Budget>,
    clock: Clock,
}

impl BudgetedModels {
    /// Nothing is used up yet.
    pub(in crate::cli) fn new(models: Models) -> Self {
        let (prices, budget) = (models.config().prices(), Mutex::new(Budget::new(models.config().budget)));
        Self { models, prices, budget, clock: Clock::default() }
    }

    /// The models.
    pub(in crate::cli) fn models(&self) -> &Models {
        &self.models
    }

    /// Adds what was used up before by the record: by the task of a session, and by all others.
    pub(in crate::cli) fn add_recorded(&self, engine: &Engine, own: Option<&SessionId>) -> anyhow::Result<()> {
        if self.models.config().budget == BudgetLimits::default() {
            return Ok(());
        }
        add_recorded(&mut self.budget.lock().unwrap_or_else(PoisonError::into_inner), engine, own)
    }

    /// What a model calls itself that serves a purpose; none where none does.
    pub(in crate::cli) fn serves(&self, purpose: Purpose) -> Option<String> {
        let name = self.models.chosen(purpose).ok()?.name;
        let model = self.models.config().named.get(name).and_then(|model| model.model.clone());
        Some(model.unwrap_or_else(|| name.to_owned()))
    }

    /// The part of today's scarcest budget that is left, where there is one.
    pub(in crate::cli) fn left_of_today(&self) -> Option<Share> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner).left_of_day(self.today())
    }

    /// Asks the model of a purpose, if there is room for it.
    pub(in crate::cli) async fn ask(&self, purpose: Purpose, request: &GenerateRequest) -> AskOutcome {
        self.ask_for(Spender::Own.name(), purpose, request).await
    }

    /// The same for one of several tasks of this process, each of which has the budget of a task.
    pub(in crate::cli) async fn ask_for(&self, task: &str, purpose: Purpose, request: &GenerateRequest) -> AskOutcome {
        if let Err(trouble) = self.require_room(task, purpose, request) {
            return Err(trouble).into();
        }
        let (cancel, stopwatch) = (Cancel::new(), self.clock.stopwatch());
        let mut heard = HeardAnswer::new(&cancel);
        let asked = self.models.ask(purpose, request, &mut |delta| heard.take(delta), &cancel).await;
        match (asked, heard.cut_off()) {
            (Ok(asked), _) => self.answered(task, asked),
            (Err(error), Some(text)) => self.cut_off(task, purpose, &error, text, stopwatch.millis()),
            (Err(error), None) => {
                let failed = failed(&error.attempts);
                let ms = failed.iter().map(|attempt| attempt.ms).sum();
                self.spend(task, Spending { ms, ..Spending::default() });
                AskOutcome { end: Err(trouble(&error)), failed }
            }
        }
    }

    /// Something is left, whatever will be used up.
    pub(in crate::cli) fn require_left(&self) -> Result<(), String> {
        let wanted = Spending { tokens: 1, ..Spending::default() };
        let room = self.budget.lock().unwrap_or_else(PoisonError::into_inner);
        let found = room.require_room(Spender::Own.name(), self.today(), wanted);
        found.map_err(|error| format!("the budget is used up: {error}"))
    }

    /// What was used up beside the models counts like the rest.
    pub(in crate::cli) fn spend_own(&self, spending: Spending) {
        self.spend(Spender::Own.name(), spending);
    }

    /// The most that a question of this process' own may use up is there.
    pub(super) fn require_room_for_own(&self, purpose: Purpose, asked: &GenerateRequest) -> Result<(), AnswerTrouble> {
        self.require_room(Spender::Own.name(), purpose, asked)
    }

    /// Texts that a model, as it is called here, made vectors of count like a question; tells what they cost.
    pub(super) fn spend_on_vectors(&self, name: &str, tokens: u64, ms: u64) -> u64 {
        let nano_usd = self.prices.require(name).map_or(0, |price| price.of(tokens, 0));
        self.spend_own(Spending { tokens, nano_usd, ms });
        nano_usd
    }

    /// The most that a question may use up is there before it is asked.
    fn require_room(&self, task: &str, purpose: Purpose, request: &GenerateRequest) -> Result<(), AnswerTrouble> {
        let budget = |error: String| AnswerTrouble::Budget(error);
        let chosen = self.models.chosen(purpose).map_err(|error| AnswerTrouble::NoModel(error.to_string()))?;
        let wanted =
            self.models.config().most_spending(chosen.name, request).map_err(|error| budget(error.to_string()))?;
        let room = self.budget.lock().unwrap_or_else(PoisonError::into_inner);
        room.require_room(task, self.today(), wanted).map_err(|error| budget(error.to_string()))
    }

    fn answered(&self, task: &str, asked: Asked) -> AskOutcome {
        let Asked { answer, name, ms, attempts, .. } = asked;
        let spending = self.prices.of_answer(&name, &answer, ms);
        let failed = failed(&attempts);
        let before_ms: u64 = failed.iter().map(|attempt| attempt.ms).sum();
        self.spend(task, Spending { ms: ms.saturating_add(before_ms), ..spending });
        let model = if answer.model.is_empty() { name } else { answer.model };
        let end = Ok(ModelAnswer {
            text: answer.text,
            thoughts: answer.thinking.unwrap_or_default(),
            ending: ending(answer.finish),
            model,
            tokens_in: answer.tokens_in.unwrap_or(0),
            tokens_out: answer.tokens_out.unwrap_or(0),
            nano_usd: spending.nano_usd,
            ms,
        });
        AskOutcome { end, failed }
    }

    /// An answer without end is one that cannot be read; what was heard of it goes on the record.
    fn cut_off(&self, task: &str, purpose: Purpose, error: &AskError, text: String, ms: u64) -> AskOutcome {
        let model = self.models.chosen(purpose).map(|chosen| chosen.name.to_owned()).unwrap_or_default();
        let tokens_out = u64::try_from(text.chars().count().div_ceil(4)).unwrap_or(u64::MAX);
        self.spend(task, Spending { tokens: tokens_out, nano_usd: 0, ms });
        let end = Ok(ModelAnswer { text, model, tokens_out, ms, ..ModelAnswer::default() });
        AskOutcome { end, failed: failed(&error.attempts) }
    }

    fn spend(&self, task: &str, spending: Spending) {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner).spend(task, self.today(), spending);
    }

    fn today(&self) -> Day {
        self.clock.now().day()
    }
}

/// What a model is asked. Verdicts are asked so that the same evidence gets the same one, where a server can be told.
pub(in crate::cli) fn request_of(key: String, prompt: &RolePrompt) -> GenerateRequest {
    let RolePrompt { system, user, schema, max_tokens, may_think } = prompt.clone();
    let temperature = (!may_think).then_some(0.0);
    GenerateRequest { key, system, user, schema, max_tokens, may_think, temperature, ..GenerateRequest::default() }
}

pub(super) fn failed(attempts: &[annals_llm::Attempt]) -> Vec<FailedAttempt> {
    let one = |attempt: &annals_llm::Attempt| FailedAttempt {
        model: attempt.name.clone(),
        error: attempt.error.to_string(),
        ms: attempt.ms,
    };
    attempts.iter().map(one).collect()
}

fn trouble(error: &AskError) -> AnswerTrouble {
    let words = error.to_string();
    match &error.why {
        Unasked::Model(why) if is_too_long(why) => AnswerTrouble::Unanswerable(words),
        Unasked::Model(_) | Unasked::Choice(_) => AnswerTrouble::NoModel(words),
    }
}

/// Whether a server says that the question is longer than its model can look at: 413, or 400 with words of that sort.
fn is_too_long(error: &ModelError) -> bool {
    let ModelError::Status { status, said, .. } = error else { return false };
    let said = said.to_ascii_lowercase();
    let is_of_length = ["context", "too long", "too large", "maximum", "exceed"].iter().any(|word| said.contains(word));
    *status == 413 || *status == 400 && is_of_length
}

/// Nothing where it ended by itself.
fn ending(finish: Finish) -> String {
    match finish {
        Finish::Stop => String::new(),
        Finish::Length => "length".to_owned(),
        Finish::Refused => "refused".to_owned(),
        Finish::ToolUse => "tool_use".to_owned(),
        Finish::Other(words) => words,
    }
}
