//! The tools: one list. What each takes and answers is a type, from which its schemas follow.

use annals_mcp::{Members, Told, ToldOutcome, ToolEffect, ToolInfo};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::ask::Ask;
use super::bench::harmless;
use super::schema::{read, schema_of};
use super::{canon, debates, history, issues, known};

/// A tool: its arguments, and what it does with them.
pub(super) trait Tool: DeserializeOwned + JsonSchema {
    /// Its name.
    const NAME: &'static str;
    /// Its name for people.
    const TITLE: &'static str;
    /// What it does, and when to use it.
    const ABOUT: &'static str;
    /// What it does to the history.
    const EFFECT: ToolEffect;
    /// What it answers.
    type Wire: Serialize + JsonSchema;

    /// Does it.
    fn answer(self, ask: &Ask<'_>) -> anyhow::Result<Reply<Self::Wire>>;
}

/// What a tool answers.
pub(super) enum Reply<A> {
    /// It was done.
    Done(A),
    /// A rule said no, in these words.
    Refused(A, String),
}

/// A row of the list.
pub(super) struct ToolRow {
    /// Its name.
    pub name: &'static str,
    info: fn() -> ToolInfo,
    /// Does it.
    pub call: fn(&Ask<'_>, Members) -> anyhow::Result<Told>,
}

const fn row_of<T: Tool>() -> ToolRow {
    ToolRow { name: T::NAME, info: info::<T>, call: call::<T> }
}

/// Every tool, in the order in which clients list them.
const ROWS: [ToolRow; 15] = [
    row_of::<known::RecallTool>(),
    row_of::<known::RememberTool>(),
    row_of::<history::SearchTool>(),
    row_of::<history::OutlineTool>(),
    row_of::<history::WhyTool>(),
    row_of::<issues::NextTool>(),
    row_of::<issues::ReadTool>(),
    row_of::<issues::OpenTool>(),
    row_of::<issues::CommentTool>(),
    row_of::<issues::CheckCommentTool>(),
    row_of::<canon::CanonCheckTool>(),
    row_of::<canon::VoteTool>(),
    row_of::<debates::GateTool>(),
    row_of::<debates::RequestTool>(),
    row_of::<debates::SayTool>(),
];

/// A tool by its name.
pub(super) fn row(name: &str) -> Option<&'static ToolRow> {
    static TABLE: &[ToolRow] = &ROWS;
    TABLE.iter().find(|row| row.name == name)
}

/// All of them, as clients are told.
pub(super) fn infos() -> Vec<ToolInfo> {
    ROWS.iter().map(|row| (row.info)()).collect()
}

fn info<T: Tool>() -> ToolInfo {
    ToolInfo {
        name: T::NAME,
        title: T::TITLE,
        description: T::ABOUT,
        arguments: schema_of::<T>(),
        result: schema_of::<T::Wire>(),
        effect: T::EFFECT,
    }
}

fn call<T: Tool>(ask: &Ask<'_>, arguments: Members) -> anyhow::Result<Told> {
    let (answer, outcome) = match read::<T>(arguments)?.answer(ask)? {
        Reply::Done(answer) => (answer, ToldOutcome::Done),
        Reply::Refused(answer, said) => (answer, ToldOutcome::Refused(crate::view::escape::page(&said).into_owned())),
    };
    let Value::Object(result) = harmless(serde_json::to_value(&answer)?) else {
        anyhow::bail!("BUG: an answer is an object");
    };
    Ok(Told { result, outcome })
}
