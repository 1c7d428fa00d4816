//! Puts our server among the servers of an agent, and takes it out again. Whatever else is there stays, byte for byte.
//!
//! Ours is the member `annals` that starts `annals … mcp`; one of that name that starts something else is nobody's to change.
//! JSON for most, TOML for Codex. Does not know where the files are.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};
use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::json::{self, Node};
use super::{HooksStanding, Settings, SetupError};

/// The name of our server in every list.
const NAME: &str = "annals";
/// The table of servers in Codex's TOML.
const TOML_SERVERS: &str = "mcp_servers";
/// The word that makes a command ours.
const COMMAND: &str = "mcp";

/// How settings list servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerList {
    /// A JSON object below these keys.
    Json(Vec<String>),
    /// Tables of TOML.
    Toml,
}

/// How our server is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerPlan {
    /// Where it is listed.
    pub list: ServerList,
    /// The program: a name, or a path.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// In whose form.
    pub form: ServerForm,
}

/// What an agent wants beside command and arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerForm {
    /// Nothing.
    Plain,
    /// The Copilot CLI: of which sort the server is, and which of its tools may be called.
    Copilot,
}

/// Our server as JSON lists it, its members in the order in which people read them.
#[derive(Serialize)]
struct ServerEntry<'p> {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    command: &'p str,
    args: &'p [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tools: &'static [&'static str],
}

impl ServerPlan {
    fn entry(&self) -> ServerEntry<'_> {
        let (kind, tools): (_, &[_]) = match self.form {
            ServerForm::Plain => (None, &[]),
            ServerForm::Copilot => (Some("local"), &["*"]),
        };
        ServerEntry { kind, command: &self.program, args: &self.arguments, tools }
    }

    fn toml(&self) -> Table {
        let mut server = Table::new();
        server["command"] = value(self.program.as_str());
        server["args"] = value(self.arguments.iter().map(String::as_str).collect::<Array>());
        server
    }
}

impl Settings {
    /// How our server stands.
    pub fn server_standing(&self, plan: &ServerPlan) -> Result<HooksStanding, SetupError> {
        let is_same = match &plan.list {
            ServerList::Json(keys) => {
                let Some(text) = self.text() else { return Ok(HooksStanding::Missing) };
                let root = self.servers_root(text, keys)?;
                let Some(server) = self.list(&root, keys)?.and_then(|list| list.get(NAME)) else {
                    return Ok(HooksStanding::Missing);
                };
                let server = server.value(text);
                self.require_ours(&command_of(&server), &args_of(&server))?;
                server == serde_json::to_value(plan.entry()).unwrap_or_default()
            }
            ServerList::Toml => {
                let document = self.document()?;
                let Some(server) = self.toml_server(&document)? else { return Ok(HooksStanding::Missing) };
                server.get("command").and_then(Item::as_str) == Some(&plan.program)
                    && toml_args(server) == plan.arguments
                    && server.iter().count() == 2
            }
        };
        Ok(if is_same { HooksStanding::Installed } else { HooksStanding::Differs })
    }

    /// The text with our server in it.
    pub fn with_server(&self, plan: &ServerPlan) -> Result<String, SetupError> {
        let standing = self.server_standing(plan)?;
        match &plan.list {
            ServerList::Json(keys) => self.json_with(plan, keys, standing),
            ServerList::Toml => self.toml_with(plan, standing),
        }
    }

    fn json_with(&self, plan: &ServerPlan, keys: &[String], standing: HooksStanding) -> Result<String, SetupError> {
        let mut text = self.text().unwrap_or("{}\n").to_owned();
        if standing == HooksStanding::Installed {
            return Ok(text);
        }
        for (depth, key) in keys.iter().enumerate() {
            let root = self.servers_root(&text, keys)?;
            let holder = self.list(&root, &keys[..depth])?.expect("BUG: it was there, or just added");
            if holder.get(key).is_none() {
                text = json::add(&text, holder, Some(key), &json!({}));
            }
        }
        let root = self.servers_root(&text, keys)?;
        let list = self.list(&root, keys)?.expect("BUG: it was there, or just added");
        Ok(match list.get(NAME) {
            Some(server) => json::replace(&text, server, &plan.entry()),
            None => json::add(&text, list, Some(NAME), &plan.entry()),
        })
    }

    fn toml_with(&self, plan: &ServerPlan, standing: HooksStanding) -> Result<String, SetupError> {
        let mut document = self.document()?;
        if standing == HooksStanding::Installed {
            return Ok(document.to_string());
        }
        let servers = document.entry(TOML_SERVERS).or_insert_with(|| {
            let mut servers = Table::new();
            servers.set_implicit(true);
            servers.into()
        });
        let servers = servers.as_table_like_mut().ok_or_else(|| self.shape(TOML_SERVERS, "a table"))?;
        if let Some(server) = servers.get_mut(NAME).and_then(Item::as_table_like_mut) {
            let new = plan.toml();
            // What the person added beside, such as a time limit, stays.
            for name in ["command", "args"] {
                server.insert(name, new[name].clone());
            }
        } else {
            servers.insert(NAME, Item::Table(plan.toml()));
        }
        Ok(document.to_string())
    }

    /// The text without our server, and without what it leaves empty; `None` where nothing is left.
    pub fn without_server(&self, plan: &ServerPlan) -> Result<Option<String>, SetupError> {
        let Some(text) = self.text() else { return Ok(None) };
        if self.server_standing(plan)? == HooksStanding::Missing {
            return Ok(Some(text.to_owned()));
        }
        match &plan.list {
            ServerList::Json(keys) => self.json_without(text, keys),
            ServerList::Toml => self.toml_without(),
        }
    }

    fn json_without(&self, text: &str, keys: &[String]) -> Result<Option<String>, SetupError> {
        let root = self.servers_root(text, keys)?;
        // The outermost object that holds nothing but ours goes with it.
        let path: Vec<&str> = keys.iter().map(String::as_str).chain([NAME]).collect();
        let mut depth = path.len() - 1;
        while depth > 0 && self.list(&root, &keys[..depth])?.is_some_and(|node| node.is_spent_without_one(text)) {
            depth -= 1;
        }
        let holder = self.list(&root, &keys[..depth])?.expect("BUG: our server was found below it");
        let left = json::remove(text, holder, super::position_of(holder, path[depth]));
        let rest = self.servers_root(&left, keys)?;
        Ok(super::unless_spent(left, &rest, |_| false))
    }

    fn toml_without(&self) -> Result<Option<String>, SetupError> {
        let mut document = self.document()?;
        if let Some(servers) = document.get_mut(TOML_SERVERS).and_then(Item::as_table_like_mut) {
            servers.remove(NAME);
            if servers.is_empty() {
                document.remove(TOML_SERVERS);
            }
        }
        let text = document.to_string();
        Ok(Some(text).filter(|text| !text.trim().is_empty()))
    }

    fn servers_root(&self, text: &str, keys: &[String]) -> Result<Node, SetupError> {
        let root = self.object(text)?;
        let mut node = Some(&root);
        for key in keys.iter().map(String::as_str).chain([NAME]) {
            let Some(holder) = node else { break };
            if let Some(key) = holder.repeated(|name| name == key) {
                return Err(SetupError::Repeated { path: self.file.path().to_owned(), key: key.to_owned() });
            }
            node = holder.get(key);
        }
        Ok(root)
    }

    /// The object below some keys, where it is there.
    fn list<'n>(&self, root: &'n Node, keys: &[String]) -> Result<Option<&'n Node>, SetupError> {
        let mut node = root;
        for (depth, key) in keys.iter().enumerate() {
            let Some(below) = node.get(key) else { return Ok(None) };
            if !below.is_object() {
                return Err(self.shape(&keys[..=depth].join("."), "an object"));
            }
            node = below;
        }
        Ok(Some(node))
    }

    fn document(&self) -> Result<DocumentMut, SetupError> {
        let parsed = self.text().unwrap_or_default().parse::<DocumentMut>();
        parsed.map_err(|error| SetupError::NotToml {
            path: self.file.path().to_owned(),
            problem: error.message().to_owned(),
        })
    }

    fn toml_server<'d>(&self, document: &'d DocumentMut) -> Result<Option<&'d dyn toml_edit::TableLike>, SetupError> {
        let Some(servers) = document.get(TOML_SERVERS) else { return Ok(None) };
        let servers = servers.as_table_like().ok_or_else(|| self.shape(TOML_SERVERS, "a table"))?;
        let Some(server) = servers.get(NAME) else { return Ok(None) };
        let place = format!("{TOML_SERVERS}.{NAME}");
        let server = server.as_table_like().ok_or_else(|| self.shape(&place, "a table"))?;
        let command = server.get("command").and_then(Item::as_str).unwrap_or_default();
        self.require_ours(command, &toml_args(server))?;
        Ok(Some(server))
    }

    fn require_ours(&self, command: &str, arguments: &[String]) -> Result<(), SetupError> {
        let is_program = Path::new(command).file_name().is_some_and(|name| name == NAME);
        if is_program && arguments.iter().any(|argument| argument == COMMAND) {
            return Ok(());
        }
        Err(SetupError::OthersServer { path: self.file.path().to_owned() })
    }
}

fn command_of(server: &Value) -> String {
    server["command"].as_str().unwrap_or_default().to_owned()
}

fn args_of(server: &Value) -> Vec<String> {
    server["args"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn toml_args(server: &dyn toml_edit::TableLike) -> Vec<String> {
    let args = server.get("args").and_then(Item::as_array).into_iter().flatten();
    args.filter_map(toml_edit::Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::setup::SettingsFile;

    fn settings(text: &str) -> Settings {
        Settings {
            file: SettingsFile::of_person("settings".into()),
            text: Some(text.to_owned()).filter(|text| !text.is_empty()),
        }
    }

    fn plan(list: ServerList) -> ServerPlan {
        let arguments = ["mcp", "--as", "critic"].map(str::to_owned).to_vec();
        ServerPlan { list, program: "annals".to_owned(), arguments, form: ServerForm::Plain }
    }

    fn servers() -> ServerPlan {
        plan(ServerList::Json(vec!["mcpServers".to_owned()]))
    }

    /// Put in, seen, put in again, taken out: the old bytes.
    fn check(plan: &ServerPlan, before: &str, after: &str) {
        let with = settings(before).with_server(plan).expect("put in");
        assert_eq!(with, after);
        assert_eq!(settings(&with).server_standing(plan).expect("seen"), HooksStanding::Installed);
        assert_eq!(settings(&with).with_server(plan).expect("put in"), with);
        let without = settings(&with).without_server(plan).expect("taken out");
        assert_eq!(without.as_deref().unwrap_or_default(), before);
    }

    #[test]
    fn what_is_put_in_is_taken_out_and_the_rest_stays_byte_for_byte() {
        let ours = "{\n      \"command\": \"annals\",\n      \"args\": [\n        \"mcp\",\n        \"--as\",\n        \"critic\"\n      ]\n    }";
        check(&servers(), "", &format!("{{\n  \"mcpServers\": {{\n    \"annals\": {ours}\n  }}\n}}\n"));
        check(
            &servers(),
            "{ // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"} // keep\n  },\n  \"z\": 1\n}\n",
            &format!(
                "{{ // mine\n  \"mcpServers\": {{\n    \"other\": {{\"command\": \"x\"}}, // keep\n    \"annals\": {ours}\n  }},\n  \"z\": 1\n}}\n"
            ),
        );
    }

    #[test]
    fn toml_keeps_its_comments_and_other_servers() {
        let toml = plan(ServerList::Toml);
        let ours = "[mcp_servers.annals]\ncommand = \"annals\"\nargs = [\"mcp\", \"--as\", \"critic\"]\n";
        check(&toml, "", ours);
        let other = "# mine\nmodel = \"x\" # this one\n\n[mcp_servers.other]\ncommand = \"y\"\n";
        check(&toml, other, &format!("{other}\n{ours}"));
    }

    #[test]
    fn what_differs_is_put_right_and_what_a_person_added_stays() {
        let toml = plan(ServerList::Toml);
        let old = "[mcp_servers.annals]\ncommand = \"/opt/annals\"\nargs = [\"mcp\"]\ntool_timeout_sec = 9\n";
        assert_eq!(settings(old).server_standing(&toml).expect("seen"), HooksStanding::Differs);
        let new = settings(old).with_server(&toml).expect("put in");
        assert!(new.contains("tool_timeout_sec = 9") && new.contains("\"critic\""), "{new}");
        let old = r#"{"mcpServers": {"annals": {"command": "annals", "args": ["mcp"]}}}"#;
        assert_eq!(settings(old).server_standing(&servers()).expect("seen"), HooksStanding::Differs);
        assert!(settings(old).with_server(&servers()).expect("put in").contains("critic"));
    }

    #[test]
    fn what_cannot_be_read_or_is_anothers_is_not_touched() {
        for text in [
            "{",
            "[]",
            "1",
            r#"{"mcpServers": []}"#,
            r#"{"mcpServers": {}, "mcpServers": {}}"#,
            r#"{"mcpServers": {"annals": {"command": "annals", "args": ["mcp"]}, "annals": {}}}"#,
            r#"{"mcpServers": {"annals": {"command": "evil", "args": ["mcp"]}}}"#,
            r#"{"mcpServers": {"annals": {"url": "http://x"}}}"#,
        ] {
            let settings = settings(text);
            assert!(settings.with_server(&servers()).is_err(), "{text}");
            assert!(settings.without_server(&servers()).is_err(), "{text}");
        }
        let toml = plan(ServerList::Toml);
        for text in
            ["[", "mcp_servers = 1", "[mcp_servers]\nannals = 1", "[mcp_servers.annals]\nurl = \"x\"", "[a]\n[a]\n"]
        {
            assert!(settings(text).with_server(&toml).is_err(), "{text}");
        }
    }
}
