//! Tools about what happened: `search_history`, `session_outline` and `why`.

use annals_mcp::ToolEffect;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::Ask;
use super::line::CommandLine;
use super::pages::{budget, page, part, question};
use super::tools::{Reply, Tool};
use super::wire::{EntryAnswer, HistoryAnswer, PageAnswer, ReasonAnswer, WhyAnswer, WhySubject};
use crate::cli::log::around;
use crate::cli::shell::{Edge, Shell, clean};
use crate::engine::Engine;
use crate::engine::query::Found;
use crate::engine::query::filter::{Completions, Filter};
use crate::kernel::envelope::Ending;
use crate::kernel::id::EntryId;
use crate::view::gist::cut;

/// Arguments of `search_history`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchTool {
    /// The text to look for, as it stands there.
    query: String,
    /// Only entries of this session: its id or either end of it; last is the latest.
    session: Option<String>,
    /// Only entries of this agent, or of user.
    agent: Option<String>,
    /// Only entries that touched this file: a path, the end of one, or a folder.
    file: Option<String>,
    /// Only what failed.
    #[serde(default)]
    failed: bool,
    /// From this time on: a day, a time, or how long ago, such as 2d.
    since: Option<String>,
    /// How many tokens the answer may have, at most 20000 [default: 2000].
    tokens: Option<u32>,
    /// From the answer before.
    cursor: Option<String>,
}

/// What an entry says is cut here, in columns.
const TEXT_WIDTH: usize = 300;
/// So many entries are read for one page at most.
const MOST_ENTRIES: usize = 200;

impl Tool for SearchTool {
    const NAME: &'static str = "search_history";
    const TITLE: &'static str = "Search what happened";
    const ABOUT: &'static str = "Entries of the history in which a text stands, the latest first: prompts, calls and their \
        output, messages, decisions. annals://entry/ID has one in full.";
    const EFFECT: ToolEffect = ToolEffect::Reads;
    type Wire = HistoryAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<HistoryAnswer>> {
        let shell = ask.shell();
        let engine = shell.engine()?;
        let asked = json!([self.query, self.session, self.agent, self.file, self.failed, self.since]);
        let question = question(Self::NAME, &asked);
        let place = self.cursor.as_deref().map(|cursor| ask.bench.seals.place(&question, cursor)).transpose()?;
        let until = place.map(|place| before(&place)).transpose()?;
        let found = found(&shell, &engine, &self, until)?;
        let are_all = found.len() < MOST_ENTRIES;
        let (mut used, mut answers) = (0, Vec::new());
        let total = found.len();
        for found in found.iter().rev() {
            let answer = answer(&engine, &self.query, found);
            used += serde_json::to_string(&answer)?.len() + 1;
            if used > budget(self.tokens) && !answers.is_empty() {
                break;
            }
            answers.push(answer);
        }
        let is_end = are_all && answers.len() == total;
        let last = answers.last().map(|answer: &EntryAnswer| answer.entry.clone()).filter(|_| !is_end);
        let next_cursor = last.map(|last| ask.bench.seals.cursor(&question, &json!(last)));
        Ok(Reply::Done(HistoryAnswer { found: answers, next_cursor }))
    }
}

/// The entry behind which the next page begins.
fn before(place: &Value) -> Result<EntryId, annals_mcp::BadCursor> {
    let last: EntryId = place.as_str().and_then(|text| text.parse().ok()).ok_or(annals_mcp::BadCursor)?;
    last.previous().ok_or(annals_mcp::BadCursor)
}

/// The latest entries that fit, the oldest first: the only place that searches the history.
fn found(shell: &Shell, engine: &Engine, asked: &SearchTool, until: Option<EntryId>) -> anyhow::Result<Vec<Found>> {
    let since = asked.since.as_deref().map(|since| shell.bound("since", since, Edge::First)).transpose()?;
    let filter = Filter {
        session: asked.session.as_deref().map(|text| shell.find_session(engine, text)).transpose()?,
        agents: asked.agent.iter().cloned().collect(),
        files: asked.file.iter().cloned().collect(),
        text: Some(asked.query.clone()),
        ending: asked.failed.then_some(Ending::Failed),
        since: since.unwrap_or_default(),
        until,
        completions: if asked.failed { Completions::Shown } else { Completions::Hidden },
        ..Filter::default()
    };
    Ok(engine.reader()?.newest(&filter, MOST_ENTRIES)?)
}

fn answer(engine: &Engine, query: &str, found: &Found) -> EntryAnswer {
    let entry = &found.entry;
    EntryAnswer {
        entry: entry.id.to_string(),
        at: entry.timestamp.to_string(),
        session: entry.session_id.to_string(),
        agent: entry.provenance.agent_id.as_ref().map(ToString::to_string),
        kind: entry.operation.kind.to_string(),
        name: entry.operation.name.to_string(),
        succeeded: entry.operation.success,
        text: cut(&clean(engine, &around(entry, query)), TEXT_WIDTH),
    }
}

/// Arguments of `session_outline`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OutlineTool {
    /// Its id, the beginning or end of it, or the id of its own tool; last is the latest, -2 the one before.
    session: Option<String>,
    /// Every step, and not only how many there were behind each prompt.
    #[serde(default)]
    steps: bool,
    /// How many tokens the answer may have, at most 20000 [default: 2000].
    tokens: Option<u32>,
    /// From the answer before.
    cursor: Option<String>,
}

impl Tool for OutlineTool {
    const NAME: &'static str = "session_outline";
    const TITLE: &'static str = "Outline a session";
    const ABOUT: &'static str = "What was asked in a session, what was done and how it ended, prompt by prompt. Use it to \
        take up earlier work.";
    const EFFECT: ToolEffect = ToolEffect::Reads;
    type Wire = PageAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<PageAnswer>> {
        let line = CommandLine::of("session show").flag(self.steps.then_some("steps"));
        let line = self.session.iter().fold(line, |line, session| line.value(session.as_str()));
        let text = ask.lines(&line)?.printed;
        let question = question(Self::NAME, &json!([self.session, self.steps]));
        let session = self.session.unwrap_or_else(|| "last".to_owned());
        let (text, next_cursor) =
            part(&ask.bench.seals, &question, self.cursor.as_deref(), &text, budget(self.tokens))?;
        Ok(Reply::Done(PageAnswer { of: session, text, next_cursor }))
    }
}

/// Arguments of `why`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WhyTool {
    /// A session, a value of the state, such as config.settings.history.rotation, or the name of an event: what it causes.
    of: String,
    /// How many tokens the answer may have, at most 20000 [default: 2000].
    tokens: Option<u32>,
    /// From the answer before.
    cursor: Option<String>,
}

impl Tool for WhyTool {
    const NAME: &'static str = "why";
    const TITLE: &'static str = "Name the lines behind a value";
    const ABOUT: &'static str = "The lines of the history behind a session or a value of the folded state, or what an event \
        causes. Use it where you must prove where something comes from.";
    const EFFECT: ToolEffect = ToolEffect::Reads;
    type Wire = WhyAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<WhyAnswer>> {
        let (value, _) = ask.json(&CommandLine::of("why").value(self.of.as_str()))?;
        let (about, lines) = reasons(&value);
        let causes = value["causes"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let question = question(Self::NAME, &json!(self.of));
        let page = page(&ask.bench.seals, &question, self.cursor.as_deref(), lines, budget(self.tokens))?;
        Ok(Reply::Done(WhyAnswer {
            about,
            lines: page.items,
            causes: causes.map(str::to_owned).collect(),
            left: page.left,
            next_cursor: page.next,
        }))
    }
}

/// The lines in an answer of `annals why`, the latest first.
fn reasons(value: &Value) -> (WhySubject, Vec<ReasonAnswer>) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let short = |value: &Value| cut(&value.to_string(), TEXT_WIDTH);
    if let Some(parts) = value["parts"].as_object() {
        let line = |(name, part): (&String, &Value)| ReasonAnswer {
            entry: text(&part["last"]),
            what: name.clone(),
            value: short(&part["value"]),
        };
        let mut lines: Vec<_> = parts.iter().map(line).collect();
        lines.sort_by(|one, two| two.entry.cmp(&one.entry).then(one.what.cmp(&two.what)));
        return (WhySubject::Session, lines);
    }
    if value["causes"].is_array() {
        return (WhySubject::Event, Vec::new());
    }
    let line = |reason: &Value| ReasonAnswer {
        entry: text(&reason["entry"]),
        what: text(&reason["name"]),
        value: short(&reason["value"]),
    };
    (WhySubject::Value, value["reasons"].as_array().into_iter().flatten().rev().map(line).collect())
}
