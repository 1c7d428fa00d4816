//! Puts our hooks among the settings of an agent, and takes them out again. Whatever else is there stays, byte for byte.
//!
//! Ours is a command `annals hook AGENT`, in a group of its own; where a team shares the settings, one that is silent where
//! `annals` is missing. Does not know which projects an agent trusts.

mod file;
pub mod git;
pub mod json;
pub mod managed;
mod plan;
pub mod server;
mod status_line;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;

use serde_json::Value;

pub use self::file::SettingsFile;
use self::json::{BadJson, Node, ValueKind};
pub use self::plan::{Handler, OnFailure, Plan, Readers};
use super::Agent;

/// Why settings stay as they are.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The file cannot be read or written.
    #[error("cannot {doing} {}: {problem}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        problem: io::Error,
    },
    /// The file is not JSON; comments and trailing commas may be in it.
    #[error("{} is not JSON (line {line}, column {column}), so nothing was changed", path.display())]
    NotJson {
        /// Which file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// Values stand in values more often than any settings do.
    #[error("{} has too many brackets in each other (line {line}), so it is not read: take some of them out", path.display())]
    TooDeep {
        /// Which file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A key that we change stands there twice.
    #[error("{} has the key {key} twice, so nothing was changed: take one of them out", path.display())]
    Repeated {
        /// Which file.
        path: PathBuf,
        /// The key, with those that lead to it.
        key: String,
    },
    /// A place of which there is one is another's.
    #[error("{} has a {key} of another program, so nothing was changed: have it print what `annals status --line` prints, too", path.display())]
    Taken {
        /// Which file.
        path: PathBuf,
        /// The key.
        key: &'static str,
    },
    /// The file is not TOML.
    #[error("{} is not TOML, so nothing was changed: {problem}", path.display())]
    NotToml {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A server of our name starts something else.
    #[error("{} has a server annals that is not this program's, so nothing was changed: rename it", path.display())]
    OthersServer {
        /// Which file.
        path: PathBuf,
    },
    /// Something in it has another shape than the agent's own documents say.
    #[error("{}: {place} is not {expected}, so nothing was changed", path.display())]
    Shape {
        /// Which file.
        path: PathBuf,
        /// Where in it.
        place: String,
        /// What it should be.
        expected: &'static str,
    },
}

/// The settings of an agent, in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    file: SettingsFile,
    text: Option<String>,
}

/// How an event stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HooksStanding {
    /// Our hook is there as it should be.
    Installed,
    /// Our hook is there, but another version or configuration put it there.
    Differs,
    /// Our hook is not there.
    Missing,
}

/// Where one of our handlers stands: group and handler, by index.
type Place = (usize, usize);

impl Settings {
    /// Reads the file; it need not be there.
    pub fn read(file: SettingsFile) -> Result<Self, SetupError> {
        let text = file.text()?;
        Ok(Self { file, text: text.filter(|text| !text.trim().is_empty()) })
    }

    /// The text as it is.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// A text as an object.
    fn object(&self, text: &str) -> Result<Node, SetupError> {
        let path = || self.file.path().to_owned();
        let node = json::parse(text).map_err(|bad| match bad {
            BadJson::Syntax { line, column } => SetupError::NotJson { path: path(), line, column },
            BadJson::TooDeep { line } => SetupError::TooDeep { path: path(), line },
            BadJson::Nothing => self.shape("it", "an object"),
        })?;
        if node.is_object() { Ok(node) } else { Err(self.shape("it", "an object")) }
    }

    fn root(&self, text: &str) -> Result<Node, SetupError> {
        let path = || self.file.path().to_owned();
        let node = self.object(text)?;
        let event = |hooks: &Node| hooks.repeated(|_| true).map(|event| format!("hooks.{event}"));
        let repeated = node.repeated(|key| key == "hooks").map(str::to_owned);
        match repeated.or_else(|| node.get("hooks").and_then(event)) {
            Some(key) => Err(SetupError::Repeated { path: path(), key }),
            None => Ok(node),
        }
    }

    fn shape(&self, place: &str, expected: &'static str) -> SetupError {
        SetupError::Shape { path: self.file.path().to_owned(), place: place.to_owned(), expected }
    }

    /// How each event of a plan stands.
    pub fn standing(&self, plan: &Plan) -> Result<Vec<(&'static str, HooksStanding)>, SetupError> {
        let text = self.text.as_deref().unwrap_or("{}");
        let root = self.root(text)?;
        let standing = |event| {
            let list = self.event(&root, event)?;
            let Some((group, handler)) = list.and_then(|list| ours(text, list, plan.agent)) else {
                return Ok((event, HooksStanding::Missing));
            };
            let list = list.expect("BUG: a handler was found in it");
            let is_same = handler_at(list, (group, handler), plan.agent).value(text) == plan.handler(event).value();
            Ok((event, if is_same { HooksStanding::Installed } else { HooksStanding::Differs }))
        };
        plan.events().iter().map(|event| standing(event)).collect()
    }

    /// The groups of an event.
    fn event<'n>(&self, root: &'n Node, event: &str) -> Result<Option<&'n Node>, SetupError> {
        let Some(hooks) = root.get("hooks") else { return Ok(None) };
        if !hooks.is_object() {
            return Err(self.shape("hooks", "an object"));
        }
        let Some(groups) = hooks.get(event) else { return Ok(None) };
        if groups.list().is_none() {
            return Err(self.shape(&format!("hooks.{event}"), "a list"));
        }
        Ok(Some(groups))
    }

    /// The text with our hooks in it.
    pub fn with(&self, plan: &Plan) -> Result<String, SetupError> {
        let mut text = self.text.clone().unwrap_or_else(|| empty(plan.agent).to_owned());
        for (event, standing) in self.standing(plan)? {
            let handler = plan.handler(event);
            let root = self.root(&text)?;
            let groups = self.event(&root, event)?;
            text = match (standing, groups, root.get("hooks")) {
                (HooksStanding::Installed, _, _) => text,
                (HooksStanding::Differs, Some(list), _) => {
                    let place = ours(&text, list, plan.agent).expect("BUG: it was there before");
                    json::replace(&text, handler_at(list, place, plan.agent), &handler)
                }
                (_, Some(list), _) => json::add(&text, list, None, &handler.entry(plan.agent)),
                (_, None, Some(hooks)) => json::add(&text, hooks, Some(event), &[handler.entry(plan.agent)]),
                (_, None, None) => {
                    let hooks = Value::Object(serde_json::Map::new());
                    let text = json::add(&text, &root, Some("hooks"), &hooks);
                    let root = self.root(&text)?;
                    let hooks = root.get("hooks").expect("BUG: it was just added");
                    json::add(&text, hooks, Some(event), &[handler.entry(plan.agent)])
                }
            };
        }
        Ok(text)
    }

    /// The text without our hooks and our status line, and without what they leave empty; `None` where nothing is left.
    pub fn without(&self, agent: Agent) -> Result<Option<String>, SetupError> {
        let without_line = match agent {
            Agent::ClaudeCode => self.without_status_line()?,
            Agent::Codex | Agent::Gemini | Agent::Copilot => self.text.clone(),
        };
        let Some(mut text) = without_line else { return Ok(None) };
        while let Some(shorter) = self.one_less(&text, agent)? {
            text = shorter;
        }
        let is_changed = self.text.as_ref() != Some(&text);
        let root = self.root(&text)?;
        let is_version = |key: &str| agent == Agent::Copilot && key == "version";
        Ok(if is_changed { unless_spent(text, &root, is_version) } else { Some(text) })
    }

    fn one_less(&self, text: &str, agent: Agent) -> Result<Option<String>, SetupError> {
        let root = self.root(text)?;
        let Some(hooks) = root.get("hooks") else { return Ok(None) };
        let ValueKind::Object(events) = &hooks.kind else { return Ok(None) };
        let found = events.iter().enumerate().find_map(|(index, event)| {
            let place = event.value.list().and_then(|_| ours(text, &event.value, agent))?;
            Some((index, &event.value, place))
        });
        let Some((index, groups, (group, handler))) = found else { return Ok(None) };
        let stays = |node: &Node| !node.is_spent_without_one(text);
        let handlers = has_groups(agent).then(|| handlers_at(groups, group).1).filter(|handlers| stays(handlers));
        let shorter = if let Some(handlers) = handlers {
            json::remove(text, handlers, handler)
        } else if stays(groups) {
            json::remove(text, groups, group)
        } else if stays(hooks) {
            json::remove(text, hooks, index)
        } else {
            json::remove(text, &root, position_of(&root, "hooks"))
        };
        Ok(Some(shorter))
    }

    /// Writes a new text; of none the file is removed.
    pub fn store(&self, text: Option<&str>) -> Result<(), SetupError> {
        self.file.put(text, self.text.as_deref())
    }
}

/// A text in whose object, and beside it, something is left: a comment, or a member that not only we need.
fn unless_spent(text: String, root: &Node, is_ours: impl Fn(&str) -> bool) -> Option<String> {
    let is_commented = text.trim().len() > root.end - root.start || root.has_comments(&text);
    let is_empty =
        matches!(&root.kind, ValueKind::Object(members) if members.iter().all(|member| is_ours(&member.key)));
    Some(text).filter(|_| !is_empty || is_commented)
}

fn position_of(object: &Node, key: &str) -> usize {
    let ValueKind::Object(members) = &object.kind else { return 0 };
    members.iter().position(|member| member.key == key).unwrap_or_default()
}

/// Our first handler among the groups of an event.
fn ours(text: &str, groups: &Node, agent: Agent) -> Option<Place> {
    let groups = groups.list()?.iter().enumerate();
    groups.into_iter().find_map(|(group, node)| {
        if !has_groups(agent) {
            return plan::is_ours(&node.value(text), agent).then_some((group, 0));
        }
        let handlers = node.get("hooks").and_then(Node::list)?;
        let handler = handlers.iter().position(|handler| plan::is_ours(&handler.value(text), agent))?;
        Some((group, handler))
    })
}

fn handlers_at(groups: &Node, group: usize) -> (&Node, &Node) {
    let group = &groups.list().expect("BUG: groups are a list")[group];
    (group, group.get("hooks").expect("BUG: a handler was found in it"))
}

/// Whether handlers stand in groups, as those of Claude Code do.
fn has_groups(agent: Agent) -> bool {
    agent != Agent::Copilot
}

/// A file of which nobody has written anything yet.
fn empty(agent: Agent) -> &'static str {
    if agent == Agent::Copilot { "{\n  \"version\": 1\n}\n" } else { "{}\n" }
}

fn handler_at(groups: &Node, (group, handler): Place, agent: Agent) -> &Node {
    if !has_groups(agent) {
        return &groups.list().expect("BUG: handlers are a list")[group];
    }
    &handlers_at(groups, group).1.list().expect("BUG: handlers are a list")[handler]
}
