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
use crate::cli::shell::{Edge, Shell, Usage, clean};
use crate::engine::Engine;
use crate::engine::query::filter::{Completions, Filter};
use crate::kernel::envelope::Ending;
use crate::search::{Came, Case, Hit, Pattern, Request, Source, Syntax, search};
use crate::view::gist::cut;

/// Arguments of `search_history`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchTool {
    /// Words that must all stand in an entry; "a phrase" in quotes of its own.
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
/// So many hits are paged through at most: each page searches anew.
const MOST_HITS: usize = 200;

impl Tool for SearchTool {
    const NAME: &'static str = "search_history";
    const TITLE: &'static str = "Search what happened";
    const ABOUT: &'static str = "Entries of the history in which words stand, the best first: prompts, calls and their \
        output, messages, decisions; of a failed call also the one that ended the failure. annals://entry/ID has one in full.";
    const EFFECT: ToolEffect = ToolEffect::Reads;
    type Wire = HistoryAnswer;

    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<HistoryAnswer>> {
        let shell = ask.shell();
        let engine = shell.engine()?;
        let asked = json!([self.query, self.session, self.agent, self.file, self.failed, self.since]);
        let question = question(Self::NAME, &asked);
        let answer = search(&engine, &request(&shell, &engine, &self)?)?;
        let all = answer.hits.iter().filter_map(|hit| found(&engine, hit)).collect();
        let page = page(&ask.bench.seals, &question, self.cursor.as_deref(), all, budget(self.tokens))?;
        Ok(Reply::Done(HistoryAnswer { found: page.items, left: page.left + answer.left_out, next_cursor: page.next }))
    }
}

/// What the search is asked: the texts of entries alone.
fn request(shell: &Shell, engine: &Engine, asked: &SearchTool) -> anyhow::Result<Request> {
    let since = asked.since.as_deref().map(|since| shell.bound("since", since, Edge::First)).transpose()?;
    let filter = Filter {
        session: asked.session.as_deref().map(|text| shell.find_session(engine, text)).transpose()?,
        agents: asked.agent.iter().cloned().collect(),
        files: asked.file.iter().cloned().collect(),
        ending: asked.failed.then_some(Ending::Failed),
        since: since.unwrap_or_default(),
        completions: if asked.failed { Completions::Shown } else { Completions::Hidden },
        ..Filter::default()
    };
    let pattern = Pattern::read(&asked.query, Syntax::Words, Case::Smart);
    let pattern = pattern.map_err(|error| Usage(error.to_string()))?;
    Ok(Request { filter, limit: MOST_HITS, sources: vec![Source::Text], ..Request::of(pattern) })
}

fn found(engine: &Engine, hit: &Hit) -> Option<EntryAnswer> {
    Some(EntryAnswer {
        entry: hit.entry?.to_string(),
        at: hit.at?.to_string(),
        session: hit.session.as_ref()?.to_string(),
        agent: hit.agent.clone(),
        name: hit.name.clone().unwrap_or_default(),
        failed: hit.came == Some(Came::Failed),
        ended_by: hit.ended_by.map(|id| id.to_string()),
        text: cut(&clean(engine, &hit.excerpt.text), TEXT_WIDTH),
        copies: hit.copies,
    })
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
