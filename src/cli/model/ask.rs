//! `annals model ask`: a question to a model, as a role would ask it. Records nothing: it is the person's own. What it uses up
//! counts in the person's day all the same.

use annals_llm::{AskError, Asked, GenerateRequest, ModelError, Unasked};
use anyhow::Context as _;
use serde::Serialize;

use crate::cli::models::{BudgetedModels, config, may_be_told, models, rules, runtime};
use crate::cli::run::lines;
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, text_of};

/// Arguments of `annals model ask`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What is asked; - reads it from stdin
    question: String,
    /// Whom, by its name [default: the one that serves `ask`]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// What it is, and the rules it answers by
    #[arg(long, value_name = "TEXT", default_value = "")]
    system: String,
    /// A file with the JSON schema that the answer has to follow
    #[arg(long, value_name = "FILE")]
    schema: Option<std::path::PathBuf>,
    /// The most tokens of an answer
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    max_tokens: u32,
    /// Let it think first
    #[arg(long)]
    think: bool,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct AskedModel {
    /// As you call it.
    name: String,
    /// As its server does.
    model: String,
    text: String,
    thinking: Option<String>,
    /// Why it ended: `"stop"`, `"length"`, `"refused"`, …
    finish: serde_json::Value,
    tokens_in: Option<u64>,
    tokens_out: Option<u64>,
    ms: u64,
    /// What failed before, in words.
    failed: Vec<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let budgeted = BudgetedModels::of(shell, models(shell, config(shell)?, rules(shell)?)?)?;
    if shell.context().is_ok() {
        budgeted.add_recorded(&shell.engine()?, None)?;
    }
    let request = request(shell, arguments)?;
    let asked = runtime()?.block_on(budgeted.ask_by_name(arguments.model.as_deref(), &request));
    let asked = match asked {
        Err(AskError { why: Unasked::Model(why @ ModelError::OverBudget { .. }), .. }) => {
            shell.out.say(format_args!("refused: {why}"))?;
            return Ok(CommandOutcome::Refused);
        }
        asked => asked.context("no model answered")?,
    };
    let answer = answered(asked);
    if shell.wants_json() {
        shell.out.answer(&answer)?;
        return Ok(CommandOutcome::Done);
    }
    lines(shell, &answer.text)?;
    let count = |tokens: Option<u64>| tokens.map_or_else(|| "?".to_owned(), |tokens| tokens.to_string());
    let AskedModel { name, model, ms, .. } = &answer;
    let (read, written) = (count(answer.tokens_in), count(answer.tokens_out));
    shell.out.say(format_args!("{name} ({model}), {ms} ms, {read} tokens read, {written} written"))?;
    for failed in &answer.failed {
        shell.out.say(format_args!("before: {failed}"))?;
    }
    Ok(CommandOutcome::Done)
}

fn request(shell: &Shell, arguments: &Arguments) -> anyhow::Result<GenerateRequest> {
    let schema_file = arguments.schema.iter().map(|path| path.to_string_lossy());
    let piped = (arguments.question == "-").then(|| "-".into());
    for named in schema_file.chain(piped) {
        may_be_told(&rules(shell)?, &shell.environment.directory, &named)?;
    }
    let schema = arguments.schema.as_deref().map(|path| {
        let text = std::fs::read_to_string(shell.environment.directory.join(path))
            .with_context(|| format!("cannot read {}", path.display()))?;
        let bad = |error| Usage(format!("{}: {error}", path.display()));
        Ok::<_, anyhow::Error>(serde_json::from_str(&text).map_err(bad)?)
    });
    let question = text_of(&arguments.question)?;
    let asked = GenerateRequest::new(arguments.system.as_str(), question, arguments.max_tokens);
    Ok(GenerateRequest { schema: schema.transpose()?, may_think: arguments.think, ..asked })
}

fn answered(asked: Asked) -> AskedModel {
    let Asked { answer, name, ms, attempts, .. } = asked;
    AskedModel {
        name,
        model: answer.model,
        text: answer.text,
        thinking: answer.thinking,
        finish: serde_json::to_value(&answer.finish).expect("BUG: it is JSON"),
        tokens_in: answer.tokens_in,
        tokens_out: answer.tokens_out,
        ms,
        failed: attempts.iter().map(|attempt| format!("{}: {}", attempt.name, attempt.error)).collect(),
    }
}
