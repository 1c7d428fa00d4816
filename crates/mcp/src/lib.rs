//! The Model Context Protocol as Annals speaks it: revisions 2026-07-28 (stateless) and 2025-06-18, with those between.
//!
//! Knows the protocol and no tool: a [`Desk`] has the tools, resources and prompts, and answers. What a rule refuses is a
//! result that says so, never an error of the protocol. Reads no history, no environment and no file; its types are its own,
//! so that a new major version of the protocol's library changes this crate alone.

mod cursor;
mod handler;
mod stdio;

use serde_json::{Map, Value};

pub use cursor::{BadCursor, Seals};
pub use handler::Handler;
pub use stdio::{ServeError, serve};

/// The members of a JSON object.
pub type Members = Map<String, Value>;

/// What a server has to offer, and who answers.
///
/// Its functions may read files and take as long as that does: they run on threads of their own.
pub trait Desk: Send + Sync + 'static {
    /// The name and version of the server, and what a client is told of it.
    fn about(&self) -> About;
    /// Every tool, in an order that stays.
    fn tools(&self) -> Vec<ToolInfo>;
    /// Does what a tool does.
    fn call(&self, caller: &Caller, tool: &str, arguments: Members) -> Result<Told, DeskError>;
    /// The resources that there are now, from a cursor on.
    fn resources(&self, caller: &Caller, cursor: Option<&str>) -> Result<ResourcePage, DeskError>;
    /// The forms of their addresses.
    fn templates(&self) -> Vec<TemplateInfo>;
    /// What stands in a resource.
    fn read(&self, caller: &Caller, uri: &str) -> Result<ResourceText, DeskError>;
    /// Every prompt.
    fn prompts(&self) -> Vec<PromptInfo>;
    /// What a prompt says.
    fn prompt(&self, caller: &Caller, name: &str, arguments: &Members) -> Result<PromptText, DeskError>;
}

/// The server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// Its name.
    pub name: &'static str,
    /// The name that people read.
    pub title: &'static str,
    /// Its version.
    pub version: &'static str,
    /// How a model uses it.
    pub instructions: &'static str,
}

/// Who asks, as the client says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// The name of the client, where it says one.
    pub client: Option<String>,
}

/// A tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolInfo {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does, and when to use it.
    pub description: &'static str,
    /// The schema of its arguments.
    pub arguments: Members,
    /// The schema of its result.
    pub result: Members,
    /// What it does to the history.
    pub effect: ToolEffect,
}

/// What a tool does to the history. None takes anything away, and none reaches beyond it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolEffect {
    /// It reads.
    Reads,
    /// It adds to the history.
    Adds,
}

/// What a tool came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The result, of the schema that the tool has.
    pub result: Members,
    /// Whether it was done.
    pub outcome: ToldOutcome,
}

/// Whether a tool did what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToldOutcome {
    /// It was done.
    Done,
    /// A rule said no: why, and what can be done.
    Refused(String),
}

/// Resources, and where the next ones are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResourcePage {
    /// The resources.
    pub resources: Vec<ResourceInfo>,
    /// The cursor of the next page, where there is one.
    pub next: Option<String>,
}

/// A resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceInfo {
    /// Its address.
    pub uri: String,
    /// A short name.
    pub name: String,
    /// A line about it.
    pub description: String,
    /// The sort of text that stands in it.
    pub mime: &'static str,
}

/// The form of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TemplateInfo {
    /// The form: `annals://issue/{issue}`.
    pub form: &'static str,
    /// A short name.
    pub name: &'static str,
    /// A line about it.
    pub description: &'static str,
    /// The sort of text that stands in it.
    pub mime: &'static str,
}

/// What stands in a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceText {
    /// The text.
    pub text: String,
    /// Of which sort it is.
    pub mime: &'static str,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptInfo {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// What it takes; all of it is required.
    pub arguments: Vec<PromptField>,
}

/// What a prompt takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptField {
    /// Its name.
    pub name: &'static str,
    /// What to give.
    pub description: &'static str,
}

/// What a prompt says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptText {
    /// What it is for.
    pub description: String,
    /// What the model is told.
    pub text: String,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeskError {
    /// There is no such tool, or prompt.
    #[error("{0}")]
    Unknown(String),
    /// There is no such resource.
    #[error("{0}")]
    NoResource(String),
    /// The arguments are not what is asked for. A model can put that right, so it reads it.
    #[error("{0}")]
    Arguments(String),
    /// It could not be done.
    #[error("{0}")]
    Failed(String),
}
