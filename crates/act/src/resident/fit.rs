//! The part of facts, message and conversation that fits the model, by the strategy that is configured (Galatea, track 4).
//!
//! A summary is asked of a model where the strategy wants one and a model serves; without it the window alone holds. The last
//! one of the conversation is taken from the record, and only what was said since is summarized.

use annals_kernel::id::EntryId;
use annals_kernel::settings::{AnySetting as _, Settings};
use annals_role::prompt::RolePrompt;
use annals_role::resident::context::hybrid::RecordedSummary;
use annals_role::resident::context::summarizing::most_summary_tokens;
use annals_role::resident::context::{
    AsShown, Compressed, CompressionSettings, Compressor, ContextMessage, FourCharacters, HybridCompressor,
    SlidingWindow, SummarizingCompressor, TokenCounter, TokenEstimate, TokenFamily, ZonedCompressor, read_summary,
};
use annals_role::resident::fitting::{FittedMaterial, fitted, within};
use annals_role::resident::reply::{ReplyOrder, answer_tokens};
use annals_rules::domain::resident::settings::{CHARS_PER_TOKEN, MODEL_BUDGETS, RESERVE_RATIO, STRATEGY};
use annals_rules::domain::resident::{CompressionStrategy, ConversationSummary};

use super::conversation::Conversation;
use super::host::{Host, HostError, ResidentStep};
use crate::surroundings::AnswerTrouble;

/// The budget of a model that is not named.
const ANY_MODEL: &str = "default";

/// A turn takes at most this part of what there is for the conversation: the first one is always kept.
const TURN_PART: u64 = 4;

/// What goes into the question.
pub(super) struct FittedPrompt {
    /// Message and facts.
    pub(super) material: FittedMaterial,
    /// The conversation.
    pub(super) conversation: Compressed,
    /// The summary, where a new one was made.
    pub(super) summary: Option<ConversationSummary>,
    /// So many tokens the answer may have.
    pub(super) max_tokens: u32,
}

/// Fits all of it; where the model holds no question at all, it is none that can answer.
pub(super) async fn fitted_prompt(
    host: &Host,
    message: EntryId,
    order: &ReplyOrder<'_>,
    conversation: &Conversation,
) -> Result<FittedPrompt, HostError> {
    let model = host.models.serves(ResidentStep::Answer).unwrap_or_default();
    let context = host.models.context(ResidentStep::Answer);
    let (settings, max_tokens) = (settings(host.engine.settings()), answer_tokens(context));
    let counter = counter(&model, settings.chars_per_token);
    let budget = settings.prompt_budget(&model, context, max_tokens);
    let material = fitted(order, budget, &*counter).ok_or_else(|| {
        let why = format!("{model} has a context that holds no question: {budget} tokens are left beside the answer");
        HostError::NoAnswer { message, trouble: AnswerTrouble::NoModel(why) }
    })?;
    let fit = ConversationFit { host, message, budget: material.left, counter: AsShown { counter: &*counter } };
    let (compressed, summary) = fit.compressed(settings.strategy, conversation).await?;
    Ok(FittedPrompt { material, conversation: compressed, summary, max_tokens })
}

/// What a conversation is made to fit into.
struct ConversationFit<'f> {
    host: &'f Host,
    message: EntryId,
    budget: u64,
    counter: AsShown<'f>,
}

impl ConversationFit<'_> {
    async fn compressed(
        &self,
        strategy: CompressionStrategy,
        conversation: &Conversation,
    ) -> Result<(Compressed, Option<ConversationSummary>), HostError> {
        let messages = &self.whole(conversation);
        let has_summary = self.host.models.serves(ResidentStep::Summary).is_some();
        let plain = |compressor: &dyn Compressor| compressor.compress(messages, self.budget, &self.counter);
        Ok(match strategy {
            CompressionStrategy::Zoned => (plain(&ZonedCompressor::default()), None),
            CompressionStrategy::Summarizing if has_summary => (self.summarized(messages).await?, None),
            CompressionStrategy::Hybrid if has_summary => self.hybrid(messages, conversation).await?,
            CompressionStrategy::SlidingWindow | CompressionStrategy::Summarizing | CompressionStrategy::Hybrid => {
                (plain(&SlidingWindow), None)
            }
        })
    }

    /// The turns, each shortened where it alone would take most of the room.
    fn whole(&self, conversation: &Conversation) -> Vec<ContextMessage> {
        let most = self.budget / TURN_PART;
        let short = |turn: &ContextMessage| {
            let tokens = |text: &str| self.counter.message(&ContextMessage::new(turn.role, text));
            ContextMessage { content: within(&turn.content, most, tokens).text, ..turn.clone() }
        };
        conversation.turns.iter().map(|turn| short(&turn.said)).collect()
    }

    async fn summarized(&self, messages: &[ContextMessage]) -> Result<Compressed, HostError> {
        let question = SummarizingCompressor::default().question(messages, self.budget, &self.counter, None);
        let summary = self.summary(question).await?;
        Ok(SummarizingCompressor { summary }.compress(messages, self.budget, &self.counter))
    }

    async fn hybrid(
        &self,
        messages: &[ContextMessage],
        conversation: &Conversation,
    ) -> Result<(Compressed, Option<ConversationSummary>), HostError> {
        let recorded = conversation.summary.as_ref().map(|summary| RecordedSummary {
            upto: conversation.place_behind(summary),
            text: summary.text.to_string(),
        });
        let mut compressor = HybridCompressor { recorded };
        let wanted = compressor.wanted(messages, self.budget, &self.counter, None);
        let upto = wanted.as_ref().map_or(0, |wanted| wanted.upto);
        let text = self.summary(wanted.map(|wanted| wanted.prompt)).await?;
        let made = text.as_ref().and_then(|text| conversation.summary_before(upto, text));
        if let Some(text) = text {
            compressor.recorded = Some(RecordedSummary { upto, text });
        }
        Ok((compressor.compress(messages, self.budget, &self.counter), made))
    }

    /// A summary that can be used; none where none is wanted, its model could not take the question or does not answer, or
    /// what it says is of no use.
    async fn summary(&self, question: Option<RolePrompt>) -> Result<Option<String>, HostError> {
        let Some(prompt) = question else { return Ok(None) };
        let models = &self.host.models;
        let tokens = self.counter.counter.text(&prompt.user) + self.counter.counter.text(&prompt.system);
        let needed = tokens + u64::from(prompt.max_tokens);
        if models.context(ResidentStep::Summary).is_some_and(|context| needed > u64::from(context)) {
            return Ok(None);
        }
        let said = self.host.ask(self.message, ResidentStep::Summary, prompt).await?;
        let most = most_summary_tokens(self.budget);
        Ok(said.ok().and_then(|text| read_summary(&text, most, &self.counter).ok()))
    }
}

fn settings(settings: &Settings) -> CompressionSettings {
    let mut model_budgets: std::collections::BTreeMap<String, u64> =
        settings.get(&MODEL_BUDGETS).into_iter().map(|(model, budget)| (model.into(), budget)).collect();
    let default_budget = model_budgets.remove(ANY_MODEL).unwrap_or(CompressionSettings::default().default_budget);
    CompressionSettings {
        strategy: settings.get(&STRATEGY),
        chars_per_token: settings.get(&CHARS_PER_TOKEN),
        reserve_ratio: settings.get(&RESERVE_RATIO),
        model_budgets,
        default_budget,
    }
}

/// By an estimate: with the costs of the model's family where its name tells that, else with those between the families; or by as
/// many characters as the person says.
fn counter(model: &str, chars_per_token: u32) -> Box<dyn TokenCounter + Send + Sync> {
    let is_said = CHARS_PER_TOKEN.default_value() != chars_per_token;
    if is_said && TokenFamily::of_model(model) == TokenFamily::Unknown {
        Box::new(FourCharacters { chars_per_token })
    } else {
        Box::new(TokenEstimate::of_model(model))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_of_no_known_family_is_counted_by_script_unless_the_person_says_otherwise() {
        let chinese = "数据库坏了，怎么修复？".repeat(100);
        let rows = [(4, "paper", 800..1_000), (2, "paper", 550..551), (2, "qwen3", 600..1_000)];
        for (chars_per_token, model, expected) in rows {
            let tokens = counter(model, chars_per_token).text(&chinese);
            assert!(expected.contains(&tokens), "{chars_per_token} {model}: {tokens}");
        }
    }
}
