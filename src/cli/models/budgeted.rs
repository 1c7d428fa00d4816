//! Models that are asked within the budget of the person, and whose answers without end are cut off.
//!
//! Parses no answer and records none: who asks does, in that order reversed (decision 65).

use annals_llm::{
    AskError, Asked, BudgetLimits, Cancel, Ceiling, Finish, GenerateRequest, Hold, ModelError, Models, PriceTable,
    Purpose, Purse, Spending, Unasked,
};
use anyhow::Context as _;

use super::admitted::{Admitted, HeldModel};
use super::day::DayFile;
use super::heard::HeardAnswer;
use super::spent::{Spender, add_recorded};
use crate::act::{AnswerTrouble, AskOutcome, FailedAttempt, ModelAnswer};
use crate::cli::shell::Shell;
use crate::engine::Engine;
use crate::engine::clock::Clock;
use crate::kernel::id::SessionId;
use crate::kernel::share::Share;
use crate::kernel::time::Day;
use crate::role::prompt::RolePrompt;

/// Why nothing is held for a question.
pub(super) struct NoHold {
    pub(super) reason: String,
    /// Whether there is no room tomorrow, either.
    pub(super) is_lasting: bool,
}

/// Models, and what is left to ask them with.
pub(in crate::cli) struct BudgetedModels {
    models: Models,
    prices: PriceTable,
    purse: Purse,
    /// What the person's day has used up elsewhere, where a day is limited.
    day_file: Option<DayFile>,
    clock: Clock,
}

impl BudgetedModels {
    /// Nothing is used up yet but what the person's day has.
    pub(in crate::cli) fn of(shell: &Shell, models: Models) -> anyhow::Result<Self> {
        let limits = models.config().budget;
        let day_file = if limits.day == Ceiling::default() { None } else { Some(day_file(shell)?) };
        let (prices, purse) = (models.config().prices(), Purse::new(limits));
        Ok(Self { models, prices, purse, day_file, clock: Clock::default() })
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
        self.purse.with(|budget| add_recorded(budget, engine, own))
    }

    /// What a model calls itself that serves a purpose; none where none does.
    pub(in crate::cli) fn serves(&self, purpose: Purpose) -> Option<String> {
        let name = self.models.chosen(purpose).ok()?.name;
        let model = self.models.config().named.get(name).and_then(|model| model.model.clone());
        Some(model.unwrap_or_else(|| name.to_owned()))
    }

    /// How many tokens the models of a purpose can look at, the one that has fewer, where the person said so; thoughts on top
    /// of an answer are taken off.
    pub(in crate::cli) fn context(&self, purpose: Purpose) -> Option<u32> {
        let chosen = self.models.chosen(purpose).ok()?;
        let of = |name: &str| {
            let model = self.models.config().named.get(name)?;
            Some(model.context?.saturating_sub(model.thinking_tokens.unwrap_or(0)))
        };
        [Some(chosen.name), chosen.stand_in].into_iter().flatten().filter_map(of).min()
    }

    /// The part of today's scarcest budget that is left, where there is one.
    pub(in crate::cli) fn left_of_today(&self) -> Option<Share> {
        // Where the person's file cannot be read, nothing is asked any more, and that is said then.
        let day = self.today().unwrap_or_else(|_| self.clock.now().day());
        self.purse.with(|budget| budget.left_of_day(day))
    }

    /// Asks the model of a purpose, if there is room for it.
    pub(in crate::cli) async fn ask(&self, purpose: Purpose, request: &GenerateRequest) -> AskOutcome {
        self.ask_for(Spender::Own.name(), purpose, request).await
    }

    /// The same for one of several tasks of this process, each of which has the budget of a task.
    pub(in crate::cli) async fn ask_for(&self, task: &str, purpose: Purpose, request: &GenerateRequest) -> AskOutcome {
        let (cancel, stopwatch) = (Cancel::new(), self.clock.stopwatch());
        let (mut heard, gate) = (HeardAnswer::new(&cancel), Admitted::new(self, task, request));
        let asked = self.models.ask_within(purpose, request, &mut |delta| heard.take(delta), &cancel, &gate).await;
        let last = gate.into_last();
        match (asked, heard.cut_off()) {
            (Ok(asked), _) => self.answered(last, asked),
            (Err(error), Some(text)) => self.cut_off(last, request, &error, text, stopwatch.millis()),
            (Err(error), None) => {
                let failed = failed(&error.attempts);
                self.settle(last, Spending { ms: in_all(&failed), ..Spending::default() });
                AskOutcome { end: Err(trouble(&error)), failed }
            }
        }
    }

    /// Asks for the person itself, one model by its name or the one that serves `ask`, if there is room for it.
    pub(in crate::cli) async fn ask_by_name(
        &self,
        name: Option<&str>,
        request: &GenerateRequest,
    ) -> Result<Asked, AskError> {
        let (cancel, gate) = (Cancel::new(), Admitted::new(self, Spender::Own.name(), request));
        let (models, mut deltas) = (&self.models, |_: annals_llm::Delta<'_>| ());
        let asked = match name {
            Some(name) => models.ask_by_name(name, request, &mut deltas, &cancel, &gate).await,
            None => models.ask_within(Purpose::Ask, request, &mut deltas, &cancel, &gate).await,
        };
        let attempts = asked.as_ref().map_or_else(|error| &error.attempts, |asked| &asked.attempts);
        let before_ms = in_all(&failed(attempts));
        let spending = asked.as_ref().map(|asked| self.prices.of_answer(&asked.name, &asked.answer, asked.ms));
        let spending = spending.unwrap_or_default();
        self.settle(gate.into_last(), Spending { ms: spending.ms.saturating_add(before_ms), ..spending });
        asked
    }

    /// Something is left, whatever will be used up.
    pub(in crate::cli) fn require_left(&self) -> Result<(), String> {
        let wanted = Spending { tokens: 1, ..Spending::default() };
        let day = self.today().map_err(|error| format!("{error:#}"))?;
        let found = self.purse.with(|budget| budget.require_room(Spender::Own.name(), day, wanted));
        found.map_err(|error| format!("the budget is used up: {error}"))
    }

    /// What was used up beside the models counts like the rest.
    pub(in crate::cli) fn spend_own(&self, spending: Spending) {
        let day = self.clock.now().day();
        self.purse.with(|budget| budget.spend(Spender::Own.name(), day, spending));
        self.keep(day, spending);
    }

    /// The most that a question of this process' own may use up is there.
    pub(super) fn require_room_for_own(&self, purpose: Purpose, asked: &GenerateRequest) -> Result<(), AnswerTrouble> {
        let chosen = self.models.chosen(purpose).map_err(|error| AnswerTrouble::NoModel(error.to_string()))?;
        let (day, wanted) = self.most_today(chosen.name, asked).map_err(AnswerTrouble::Budget)?;
        let room = self.purse.with(|budget| budget.require_room(Spender::Own.name(), day, wanted));
        room.map_err(|error| AnswerTrouble::Budget(error.to_string()))
    }

    /// Texts that a model, as it is called here, made vectors of count like a question; tells what they cost.
    pub(super) fn spend_on_vectors(&self, name: &str, tokens: u64, ms: u64) -> u64 {
        let nano_usd = self.prices.require(name).map_or(0, |price| price.of(tokens, 0));
        self.spend_own(Spending { tokens, nano_usd, ms });
        nano_usd
    }

    /// Holds the most that a question may use up, before it is asked.
    pub(super) async fn hold(&self, task: &str, name: &str, request: &GenerateRequest) -> Result<Hold<'_>, NoHold> {
        let not_now = |reason: String| NoHold { reason, is_lasting: false };
        let (day, wanted) = self.most_today(name, request).map_err(not_now)?;
        let held = self.purse.hold(task, day, wanted).await;
        held.map_err(|over| NoHold { reason: over.to_string(), is_lasting: over.is_lasting() })
    }

    /// The most that a question to a model may use up, and of which day; in words where that cannot be told.
    fn most_today(&self, name: &str, asked: &GenerateRequest) -> Result<(Day, Spending), String> {
        let wanted = self.models.config().most_spending(name, asked).map_err(|error| error.to_string())?;
        Ok((self.today().map_err(|error| format!("{error:#}"))?, wanted))
    }

    fn answered(&self, last: Option<HeldModel<'_>>, asked: Asked) -> AskOutcome {
        let Asked { answer, name, ms, attempts, .. } = asked;
        let spending = self.prices.of_answer(&name, &answer, ms);
        let failed = failed(&attempts);
        self.settle(last, Spending { ms: ms.saturating_add(in_all(&failed)), ..spending });
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

    /// An answer without end is one that cannot be read; what was heard of it goes on the record, and counts by estimate.
    fn cut_off(
        &self,
        last: Option<HeldModel<'_>>,
        request: &GenerateRequest,
        error: &AskError,
        text: String,
        ms: u64,
    ) -> AskOutcome {
        let model = last.as_ref().map(|held| held.name.clone()).unwrap_or_default();
        let tokens_out = u64::try_from(text.chars().count().div_ceil(4)).unwrap_or(u64::MAX);
        let tokens_in = request.estimated_tokens();
        let nano_usd = self.prices.require(&model).map_or(0, |price| price.of(tokens_in, tokens_out));
        self.settle(last, Spending { tokens: tokens_in.saturating_add(tokens_out), nano_usd, ms });
        let end = Ok(ModelAnswer { text, model, tokens_in, tokens_out, nano_usd, ms, ..ModelAnswer::default() });
        AskOutcome { end, failed: failed(&error.attempts) }
    }

    /// What was used up counts in place of what was held.
    fn settle(&self, held: Option<HeldModel<'_>>, spending: Spending) {
        let Some(HeldModel { hold, .. }) = held else { return };
        let day = hold.day();
        hold.settle(spending);
        self.keep(day, spending);
    }

    fn keep(&self, day: Day, spending: Spending) {
        // It could be written before the question. Where that is over, the next question is not asked, and says so.
        let _ = self.day_file.as_ref().map_or(Ok(()), |file| file.add(day, spending));
    }

    /// Today, with what others used up of it.
    fn today(&self) -> anyhow::Result<Day> {
        let day = self.clock.now().day();
        if let Some(file) = &self.day_file {
            let spent = file.spent(day)?;
            self.purse.with(|budget| budget.at_least(day, spent));
        }
        Ok(day)
    }
}

fn day_file(shell: &Shell) -> anyhow::Result<DayFile> {
    let state = shell
        .environment
        .state()
        .context("there is no place to count what a day uses up: set HOME or XDG_STATE_HOME")?;
    Ok(DayFile::below(&state))
}

fn in_all(failed: &[FailedAttempt]) -> u64 {
    failed.iter().map(|attempt| attempt.ms).sum()
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
        Unasked::Model(ModelError::OverBudget { reason, is_lasting: true, .. }) => {
            AnswerTrouble::OverBudget(reason.clone())
        }
        Unasked::Model(ModelError::OverBudget { reason, .. }) => AnswerTrouble::Budget(reason.clone()),
        Unasked::Model(why) if is_of_question(why) => AnswerTrouble::Unanswerable(words),
        Unasked::Model(_) | Unasked::Choice(_) => AnswerTrouble::NoModel(words),
    }
}

/// Whether a server says that the question is longer than its model can look at, or is filtered out: 413, or 400 with words of
/// that sort.
fn is_of_question(error: &ModelError) -> bool {
    let ModelError::Status { status, said, .. } = error else { return false };
    let said = said.to_ascii_lowercase();
    let words =
        ["context", "too long", "too large", "maximum", "exceed", "content_filter", "content management policy"];
    *status == 413 || *status == 400 && words.iter().any(|word| said.contains(word))
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
