//! Tools about what is known: `recall` and `remember`.

use annals_mcp::ToolEffect;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::ask::Ask;
use super::line::CommandLine;
use super::pages::{budget, page, question};
use super::tools::{Reply, Tool};
use super::wire::{DecidedAnswer, KnownAnswer, RecalledAnswer};
use crate::cli::shell::clean;
use crate::engine::Engine;
use crate::view::recall::{RecallMoment, Recalled, recall};

/// So many are ranked for one question, all pages together.
const MOST_RECALLED: usize = 200;

/// Arguments of `recall`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecallTool {
    /// What you are about to do, or a few words.
    query: String,
    /// How many tokens the answer may have, at most 20000 [default: 2000].
    tokens: Option<u32>,
    /// From the answer before.
    cursor: Option<String>,
}

impl Tool for RecallTool {
    const NAME: &'static str = "recall";
    const TITLE: &'static str = "Recall what is known";
    const ABOUT: &'static str = "What is known of a task or subject, the nearest first: canon that holds in the project, \
        beliefs, knowledge, experience, and what failed before. Use it before you begin. Records nothing.";
    const EFFECT: ToolEffect = ToolEffect::Reads;
    type Wire = RecalledAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<RecalledAnswer>> {
        let engine = ask.shell().engine()?;
        let found = recalled(&engine, &self.query)?;
        let question = question(Self::NAME, &json!(self.query));
        let page = page(&ask.bench.seals, &question, self.cursor.as_deref(), found, budget(self.tokens))?;
        Ok(Reply::Done(RecalledAnswer { found: page.items, left: page.left, next_cursor: page.next }))
    }
}

/// What is known of a subject, as `annals recall` has it.
fn recalled(engine: &Engine, query: &str) -> anyhow::Result<Vec<KnownAnswer>> {
    let (at, own) = (engine.clock().now(), engine.own_words()?);
    let found = engine.ask(|world| {
        let moment = RecallMoment { at, settings: &world.rooms.config.settings };
        recall(&world.rooms, query, MOST_RECALLED, moment)
    })?;
    let answer = |one: Recalled| KnownAnswer {
        kind: one.kind,
        is_own: one.quoted.as_ref().is_some_and(|quoted| own.has(quoted.entry, &quoted.words)),
        key: one.id.to_string(),
        about: clean(engine, &one.about),
        text: clean(engine, &one.text),
        at: one.at.to_string(),
        entry: one.quoted.map(|quoted| quoted.entry.to_string()),
    };
    Ok(found.into_iter().map(answer).collect())
}

/// Arguments of `remember`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RememberTool {
    /// One thing that is worth knowing later, in a sentence.
    text: String,
    /// What sort of thing it is.
    kind: RememberKind,
    /// Names of what it is about: files, tools, people.
    #[serde(default)]
    entities: Vec<String>,
    /// How sure you are, 0 to 1.
    confidence: Option<f64>,
}

/// What sort of thing is to be remembered.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum RememberKind {
    Fact,
    Preference,
    Rule,
    Procedure,
    Correction,
    Decision,
}

impl RememberKind {
    fn word(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Preference => "preference",
            Self::Rule => "rule",
            Self::Procedure => "procedure",
            Self::Correction => "correction",
            Self::Decision => "decision",
        }
    }
}

impl Tool for RememberTool {
    const NAME: &'static str = "remember";
    const TITLE: &'static str = "Propose knowledge";
    const ABOUT: &'static str = "Proposes something worth knowing later, such as what the person wants always or never. It \
        waits until the person accepts it, and only then counts.";
    const EFFECT: ToolEffect = ToolEffect::Adds;
    type Wire = DecidedAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<DecidedAnswer>> {
        let line = CommandLine::of("knowledge propose")
            .each("entity", self.entities)
            .option("confidence", self.confidence.map(|confidence| confidence.to_string()))
            .value(self.kind.word())
            .value(self.text);
        ask.decide(&line)
    }
}
