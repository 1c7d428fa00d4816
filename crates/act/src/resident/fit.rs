//! The part of a conversation that fits the model, by the strategy that is configured (Galatea, track 4).
//!
//! A summary is asked of a model where the strategy wants one and a model serves; without it the window alone holds.

use annals_kernel::id::EntryId;
use annals_kernel::settings::Settings;
use annals_role::prompt::RolePrompt;
use annals_role::resident::context::hybrid::RecordedSummary;
use annals_role::resident::context::summarizing::most_summary_tokens;
use annals_role::resident::context::{
    Compressed, CompressionSettings, Compressor, ContextMessage, FourCharacters, HybridCompressor, SlidingWindow,
    SummarizingCompressor, TokenCounter, TokenEstimate, TokenFamily, ZonedCompressor, read_summary,
};
use annals_role::resident::reply::ReplyOrder;
use annals_rules::domain::resident::CompressionStrategy;
use annals_rules::domain::resident::settings::{CHARS_PER_TOKEN, MODEL_BUDGETS, RESERVE_RATIO, STRATEGY};

use super::host::{Host, HostError, ResidentStep};

/// The budget of a model that is not named.
const ANY_MODEL: &str = "default";

/// What of the conversation goes into the question.
pub(super) async fn fitted(
    host: &Host,
    message: EntryId,
    order: &ReplyOrder<'_>,
    conversation: &[ContextMessage],
) -> Result<Compressed, HostError> {
    let model = host.models.serves(ResidentStep::Answer).unwrap_or_default();
    let settings = settings(host.engine.settings());
    let counter = counter(&model, settings.chars_per_token);
    let prompt = order.question(None);
    let budget = settings.history_budget(&model, counter.text(&prompt.system) + counter.text(&prompt.user));
    let has_summary = host.models.serves(ResidentStep::Summary).is_some();
    match settings.strategy {
        CompressionStrategy::Zoned => Ok(ZonedCompressor::default().compress(conversation, budget, &*counter)),
        CompressionStrategy::Summarizing if has_summary => {
            let question = SummarizingCompressor::default().question(conversation, budget, &*counter, None);
            let summary = summary(host, message, question, budget, &*counter).await?;
            Ok(SummarizingCompressor { summary }.compress(conversation, budget, &*counter))
        }
        CompressionStrategy::Hybrid if has_summary => {
            let wanted = HybridCompressor::default().wanted(conversation, budget, &*counter, None);
            let upto = wanted.as_ref().map_or(0, |wanted| wanted.upto);
            let text = summary(host, message, wanted.map(|wanted| wanted.prompt), budget, &*counter).await?;
            let recorded = text.map(|text| RecordedSummary { upto, text });
            Ok(HybridCompressor { recorded }.compress(conversation, budget, &*counter))
        }
        CompressionStrategy::SlidingWindow | CompressionStrategy::Summarizing | CompressionStrategy::Hybrid => {
            Ok(SlidingWindow.compress(conversation, budget, &*counter))
        }
    }
}

/// A summary that can be used; none where none is wanted, no model answers, or what it says is of no use.
async fn summary(
    host: &Host,
    message: EntryId,
    question: Option<RolePrompt>,
    budget: u64,
    counter: &dyn TokenCounter,
) -> Result<Option<String>, HostError> {
    let Some(prompt) = question else { return Ok(None) };
    let said = host.ask(message, ResidentStep::Summary, prompt).await?;
    Ok(said.ok().and_then(|text| read_summary(&text, most_summary_tokens(budget), counter).ok()))
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

/// By the model's own tokens where its family is known, else by characters.
fn counter(model: &str, chars_per_token: u32) -> Box<dyn TokenCounter + Send + Sync> {
    if TokenFamily::of_model(model) == TokenFamily::Unknown {
        Box::new(FourCharacters { chars_per_token })
    } else {
        Box::new(TokenEstimate::of_model(model))
    }
}
