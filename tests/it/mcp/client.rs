//! A client of `annals mcp`: both revisions of the protocol, a line a message.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};

use serde_json::{Value, json};

use crate::program::Project;

/// Which revision is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revision {
    /// 2025-06-18: a handshake, then a session.
    Session,
    /// 2026-07-28: each request says who asks.
    Stateless,
}

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    revision: Revision,
    next: u64,
}

impl Client {
    pub fn start(project: &Project, revision: Revision, words: &[&str]) -> Self {
        let mut child = project.start(words);
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut client = Self { child, input, output, revision, next: 0 };
        if revision == Revision::Session {
            let hello = json!({
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "claude-code", "version": "1" },
            });
            let answer = client.ask("initialize", hello);
            assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "{answer}");
            client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
        client
    }

    /// A request of the revision, and its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.post(method, params);
        let answer = self.read().expect("an answer");
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// A request that is not waited for.
    pub fn post(&mut self, method: &str, mut params: Value) -> u64 {
        self.next += 1;
        if self.revision == Revision::Stateless {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "claude-code", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        self.send(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        self.next
    }

    pub fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    pub fn send_text(&mut self, line: &str) {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{line}").expect("written");
    }

    /// The next line; none at the end.
    pub fn read(&mut self) -> Option<Value> {
        let mut line = String::new();
        if self.output.read_line(&mut line).expect("read") == 0 {
            return None;
        }
        Some(serde_json::from_str(&line).expect("a line of the protocol"))
    }

    /// What a tool answers.
    #[expect(clippy::needless_pass_by_value, reason = "a call reads better so")]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer["error"].is_null(), "{tool}: {answer}");
        answer["result"].clone()
    }

    /// The result of a tool that does what is asked for.
    pub fn done(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// What a tool says that does not do it.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        result["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    /// Goes away; how the server ends then.
    pub fn leave(mut self) -> ExitStatus {
        drop(self.input.take());
        assert_eq!(self.read(), None);
        self.child.wait().expect("ended")
    }
}
