//! Who answers the roles of a run: the person's models by purpose, one of them by its name, or a script.
//!
//! Keeps to the budget. Parses no answer: that is the roles' matter, when it is on the record.

use std::sync::{Arc, Mutex, PoisonError};

use annals_llm::{
    AskError, Asked, Budget, Cancel, GenerateRequest, ModelError, Models, ModelsConfig, PriceTable, Purpose, Scripted,
    Spending, Unasked,
};

use crate::act::journal::{Came, Step};
use crate::act::surroundings::Awaited;
use crate::act::{AnswerTrouble, AskOutcome, FailedAttempt, Journal, ModelAnswer};
use crate::cli::models;
use crate::cli::shell::{Shell, Usage};
use crate::domain::task::bus::Party;
use crate::domain::task::command::RoleModel;
use crate::engine::Engine;
use crate::engine::clock::Clock;
use crate::kernel::share::Share;
use crate::kernel::time::Day;
use crate::role::prompt::RolePrompt;
use crate::role::run::RoleQuestion;
use crate::sanitizer::Sanitizer;

use super::heard::HeardAnswer;
use super::spent::{Spender, add_recorded};

/// How a script is named.
const SCRIPTED: &str = "scripted:";
/// What the roles of a run are served for.
pub(super) const OF_A_RUN: [Purpose; 5] =
    [Purpose::Perceiver, Purpose::Planner, Purpose::Executor, Purpose::AgentValidator, Purpose::MetaValidator];
/// The roles that ask models.
const ASKING: [(Party, Purpose); 5] = [
    (Party::Perceiver, Purpose::Perceiver),
    (Party::Planner, Purpose::Planner),
    (Party::Executor, Purpose::Executor),
    (Party::AgentValidator, Purpose::AgentValidator),
    (Party::MetaValidator, Purpose::MetaValidator),
];

/// Who answers the roles of a run, or the questions of a tick.
pub(in crate::cli) struct RunModels {
    models: Models,
    prices: PriceTable,
    budget: Mutex<Budget>,
    clock: Clock,
    script: Option<Arc<Scripted>>,
}

impl RunModels {
    /// Those that are wanted. Asks nobody.
    pub(in crate::cli) fn of(
        shell: &Shell,
        wanted: Option<&str>,
        rules: &Sanitizer,
        purposes: &[Purpose],
    ) -> anyhow::Result<Self> {
        let own = models::config(shell)?;
        let Some(file) = wanted.and_then(|name| name.strip_prefix(SCRIPTED)) else {
            let config = match wanted {
                Some(name) => alone(own, name)?,
                None => own,
            };
            return Self::checked(models::models(shell, config, rules.clone())?, None, purposes);
        };
        let name = wanted.unwrap_or_default();
        let path = shell.environment.directory.join(file);
        let script = Scripted::open(name, &path.to_string_lossy()).map_err(|error| Usage(error.to_string()))?;
        let script = Arc::new(script);
        let config = ModelsConfig { default: Some(name.to_owned()), budget: own.budget, ..ModelsConfig::default() };
        let models = models::models(shell, config, rules.clone())?.with(Arc::clone(&script) as Arc<_>, 0);
        Self::checked(models, Some(script), purposes)
    }

    /// A purpose that nobody serves is said before anything begins.
    fn checked(models: Models, script: Option<Arc<Scripted>>, purposes: &[Purpose]) -> anyhow::Result<Self> {
        for purpose in purposes {
            models.chosen(*purpose).map_err(|error| {
                let other = "`annals model list` shows where; --model scripted:FILE and `annals run --demo` need none";
                Usage(format!("{error}; {other}"))
            })?;
        }
        let (prices, budget) = (models.config().prices(), Mutex::new(Budget::new(models.config().budget)));
        Ok(Self { models, prices, budget, clock: Clock::default(), script })
    }

    /// With what was used up before, by this task and by others today; a script goes on behind the answers on record.
    pub(in crate::cli) fn behind(self, engine: &Arc<Engine>, task: Option<&str>) -> anyhow::Result<Self> {
        if self.models.config().budget != annals_llm::BudgetLimits::default() {
            let session = |task| engine.ask(|world| world.rooms.task.task(task).map(|row| row.session.clone()));
            let own = task.map(session).transpose()?.flatten();
            let mut budget = self.budget.lock().unwrap_or_else(PoisonError::into_inner);
            add_recorded(&mut budget, engine, own.as_ref())?;
        }
        if let (Some(script), Some(task)) = (&self.script, task) {
            for step in Journal::look(engine, task)?.steps {
                if let Step::Came(Came::Answer { role, .. }) = step {
                    script.skip(role.as_str(), 1);
                }
            }
        }
        Ok(self)
    }

    /// Which model each role asks first.
    pub(super) fn by_role(&self) -> Vec<RoleModel> {
        let row = |(role, purpose): (Party, Purpose)| {
            let chosen = self.models.chosen(purpose).expect("BUG: it was looked at before");
            RoleModel { role, model: chosen.name.into() }
        };
        ASKING.into_iter().map(row).collect()
    }

    /// What a model calls itself that serves a purpose; none where none does.
    pub(in crate::cli) fn serves(&self, purpose: Purpose) -> Option<String> {
        let name = self.models.chosen(purpose).ok()?.name;
        let model = self.models.config().named.get(name).and_then(|model| model.model.clone());
        Some(model.unwrap_or_else(|| name.to_owned()))
    }

    /// Asks what serves a purpose, within the budget.
    pub(in crate::cli) async fn asked(&self, spender: &str, purpose: Purpose, request: GenerateRequest) -> AskOutcome {
        if let Err(trouble) = self.require_room(spender, purpose, &request) {
            return Err(trouble).into();
        }
        let (cancel, stopwatch) = (Cancel::new(), self.clock.stopwatch());
        let mut heard = HeardAnswer::new(&cancel);
        let asked = self.models.ask(purpose, &request, &mut |delta| heard.take(delta), &cancel).await;
        match (asked, heard.cut_off()) {
            (Ok(asked), _) => self.answered(spender, asked),
            (Err(error), Some(text)) => self.cut_off(spender, purpose, &error, text, stopwatch.millis()),
            (Err(error), None) => {
                let failed = failed(&error.attempts);
                self.spend(
                    spender,
                    Spending { ms: failed.iter().map(|attempt| attempt.ms).sum(), ..Spending::default() },
                );
                AskOutcome { end: Err(trouble(&error)), failed }
            }
        }
    }

    /// The most that a question may use up is there before it is asked.
    fn require_room(&self, spender: &str, purpose: Purpose, request: &GenerateRequest) -> Result<(), AnswerTrouble> {
        let budget = |error: String| AnswerTrouble::Budget(error);
        let chosen = self.models.chosen(purpose).map_err(|error| AnswerTrouble::NoModel(error.to_string()))?;
        let wanted =
            self.models.config().most_spending(chosen.name, request).map_err(|error| budget(error.to_string()))?;
        let room = self.budget.lock().unwrap_or_else(PoisonError::into_inner);
        room.require_room(spender, self.today(), wanted).map_err(|error| budget(error.to_string()))
    }

    fn answered(&self, spender: &str, asked: Asked) -> AskOutcome {
        let Asked { answer, name, ms, attempts, .. } = asked;
        let spending = self.prices.of_answer(&name, &answer, ms);
        let failed = failed(&attempts);
        let before_ms: u64 = failed.iter().map(|attempt| attempt.ms).sum();
        self.spend(spender, Spending { ms: ms.saturating_add(before_ms), ..spending });
        let model = if answer.model.is_empty() { name } else { answer.model };
        let end = Ok(ModelAnswer {
            text: answer.text,
            model,
            tokens_in: answer.tokens_in.unwrap_or(0),
            tokens_out: answer.tokens_out.unwrap_or(0),
            nano_usd: spending.nano_usd,
            ms,
        });
        AskOutcome { end, failed }
    }

    /// An answer without end is one that cannot be read; what was heard of it goes on the record.
    fn cut_off(&self, spender: &str, purpose: Purpose, error: &AskError, text: String, ms: u64) -> AskOutcome {
        let model = self.models.chosen(purpose).map(|chosen| chosen.name.to_owned()).unwrap_or_default();
        let tokens_out = u64::try_from(text.chars().count().div_ceil(4)).unwrap_or(u64::MAX);
        self.spend(spender, Spending { tokens: tokens_out, nano_usd: 0, ms });
        let end = Ok(ModelAnswer { text, model, tokens_out, ms, ..ModelAnswer::default() });
        AskOutcome { end, failed: failed(&error.attempts) }
    }

    fn spend(&self, spender: &str, spending: Spending) {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner).spend(spender, self.today(), spending);
    }

    /// The part of today's scarcest budget that is left, where there is one.
    pub(in crate::cli) fn budget_left(&self) -> Option<Share> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner).left_of_day(self.today())
    }

    fn today(&self) -> Day {
        self.clock.now().day()
    }
}

impl crate::act::Models for RunModels {
    fn ask<'a>(&'a self, question: &'a RoleQuestion) -> Awaited<'a, AskOutcome> {
        Box::pin(self.asked(Spender::Own.name(), purpose_of(question), request_of(question)))
    }
}

/// One model for all; nobody stands in for it.
fn alone(own: ModelsConfig, name: &str) -> anyhow::Result<ModelsConfig> {
    if !own.named.contains_key(name) {
        let words = format!("--model {name}: no model goes by that name; `annals model list` shows those there are");
        return Err(Usage(format!("{words}, and {SCRIPTED}FILE answers from a file")).into());
    }
    Ok(ModelsConfig {
        default: Some(name.to_owned()),
        fallback: None,
        purposes: std::collections::BTreeMap::new(),
        ..own
    })
}

fn purpose_of(question: &RoleQuestion) -> Purpose {
    if question.key.is_draft() {
        return Purpose::Draft;
    }
    let of = |(role, _): &(Party, Purpose)| *role == question.role;
    ASKING.into_iter().find(of).expect("BUG: only these roles ask").1
}

/// Verdicts are asked so that the same evidence gets the same one, where a server can be told.
fn request_of(question: &RoleQuestion) -> GenerateRequest {
    request(question.key.to_string(), question.prompt.clone())
}

/// A prompt as it is sent.
pub(in crate::cli) fn request(key: String, prompt: RolePrompt) -> GenerateRequest {
    GenerateRequest {
        key,
        system: prompt.system,
        user: prompt.user,
        schema: prompt.schema,
        max_tokens: prompt.max_tokens,
        may_think: prompt.may_think,
        temperature: (!prompt.may_think).then_some(0.0),
        ..GenerateRequest::default()
    }
}

fn failed(attempts: &[annals_llm::Attempt]) -> Vec<FailedAttempt> {
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
