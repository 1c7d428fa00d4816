//! What each tool is given: the one table from which the prompt, the schema and the check of an input are made (artoo R3,
//! "Tool Priority Chain").
//!
//! Says what can be asked for; whether it may be done is the tools' own matter.

use serde_json::{Map, Value, json};

use crate::prompt::BadAnswer;
use crate::reply::{BODY_CHARS, NAME_CHARS, ReplyObject};
use crate::tool::{ToolName, ToolRequest};

/// What a member of an input holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InputKind {
    /// A text that is not blank.
    Text,
    /// A text, which may be empty.
    AnyText,
    /// A whole number from 1; may be left out.
    Count,
    /// A text that may be left out.
    MaybeText,
}

/// One member of an input.
#[derive(Debug, Clone, Copy)]
struct InputMember {
    name: &'static str,
    kind: InputKind,
}

/// What a tool is for, and what it takes.
struct ToolForm {
    use_for: &'static str,
    members: &'static [InputMember],
    /// As it stands in the prompt.
    sample: &'static str,
}

const fn member(name: &'static str, kind: InputKind) -> InputMember {
    InputMember { name, kind }
}

const NAME: InputMember = member("name", InputKind::Text);
const PATTERN: InputMember = member("pattern", InputKind::Text);
const BELOW: InputMember = member("path", InputKind::MaybeText);
const PATH: InputMember = member("path", InputKind::Text);
const FROM_LINE: InputMember = member("from_line", InputKind::Count);
const LINES: InputMember = member("lines", InputKind::Count);
const CONTENT: InputMember = member("content", InputKind::AnyText);
const OLD: InputMember = member("old", InputKind::Text);
const NEW: InputMember = member("new", InputKind::AnyText);
const COMMAND: InputMember = member("command", InputKind::Text);
const URL: InputMember = member("url", InputKind::Text);

fn form(tool: ToolName) -> ToolForm {
    let (members, sample, use_for): (&[InputMember], _, _) = match tool {
        ToolName::Find => (&[NAME], r#"{"name":"report"}"#, "files by a part of their name"),
        ToolName::Glob => (&[PATTERN], r#"{"pattern":"src/**/*.rs"}"#, "files by a pattern"),
        ToolName::Search => (
            &[PATTERN, BELOW],
            r#"{"pattern":"REGEX","path":"FOLDER"}"#,
            "lines that match a regular expression, below a path or everywhere",
        ),
        ToolName::Read => {
            (&[PATH, FROM_LINE, LINES], r#"{"path":"FILE","from_line":1,"lines":80}"#, "a file, or some lines of it")
        }
        ToolName::Write => {
            (&[PATH, CONTENT], r#"{"path":"FILE","content":"TEXT"}"#, "a new file, or all of a file anew")
        }
        ToolName::Edit => (
            &[PATH, OLD, NEW],
            r#"{"path":"FILE","old":"TEXT","new":"TEXT"}"#,
            "one place of a file; old must occur exactly once",
        ),
        ToolName::Shell => (&[COMMAND], r#"{"command":"COMMAND"}"#, "whatever no other tool does"),
        ToolName::Fetch => (&[URL], r#"{"url":"https://example.org/"}"#, "a web page"),
    };
    ToolForm { use_for, members, sample }
}

/// The tools in the order of the chain, one a line.
pub fn tool_lines(tools: &[ToolName]) -> String {
    let line = |tool: &ToolName| {
        let ToolForm { use_for, sample, .. } = form(*tool);
        format!("{tool} {sample}: {use_for}")
    };
    chain(tools).map(line).collect::<Vec<_>>().join("\n")
}

/// What a tool may be given, as it stands in the prompt.
pub fn sample(tool: ToolName) -> &'static str {
    form(tool).sample
}

/// Those that are offered, the first that applies first.
pub fn chain(tools: &[ToolName]) -> impl Iterator<Item = &'static ToolName> {
    ToolName::ALL.iter().filter(|tool| tools.contains(tool))
}

/// The schema of a call.
pub fn call_schema(tools: &[ToolName]) -> Value {
    json!({ "anyOf": chain(tools).map(|tool| tool_schema(*tool)).collect::<Vec<_>>() })
}

fn tool_schema(tool: ToolName) -> Value {
    let members = form(tool).members;
    let properties: Map<String, Value> =
        members.iter().map(|member| (member.name.to_owned(), member.kind.schema())).collect();
    let needed: Vec<_> = members.iter().filter(|member| member.kind.is_needed()).map(|member| member.name).collect();
    let input =
        json!({ "type": "object", "properties": properties, "required": needed, "additionalProperties": false });
    json!({
        "type": "object",
        "properties": { "tool": { "const": tool.as_str() }, "input": input },
        "required": ["tool", "input"],
        "additionalProperties": false,
    })
}

/// A call as it was asked for, with the known members of its input and no others, so that equal calls are equal.
pub fn request(call: &ReplyObject<'_>, tools: &[ToolName]) -> Result<ToolRequest, BadAnswer> {
    let word = call.text("tool", NAME_CHARS)?.to_ascii_lowercase();
    let Some(tool) = chain(tools).find(|known| known.as_str() == word) else {
        let names: Vec<_> = chain(tools).map(|tool| tool.as_str()).collect();
        return Err(call.bad("tool", format!("is none of {}", names.join(", "))));
    };
    let ToolForm { members, sample, .. } = form(*tool);
    let input = call.optional_object("input")?;
    let input = input.ok_or_else(|| call.bad("input", format!("is missing; {tool} takes {sample}")))?;
    let mut kept = Map::new();
    for InputMember { name, kind } in members {
        kept.extend(kind.read(&input, name)?.map(|value| ((*name).to_owned(), value)));
    }
    Ok(ToolRequest { tool: *tool, input: Value::Object(kept) })
}

impl InputKind {
    fn is_needed(self) -> bool {
        match self {
            Self::Text | Self::AnyText => true,
            Self::Count | Self::MaybeText => false,
        }
    }

    fn schema(self) -> Value {
        match self {
            Self::Text => json!({ "type": "string", "minLength": 1 }),
            Self::AnyText | Self::MaybeText => json!({ "type": "string" }),
            Self::Count => json!({ "type": "integer", "minimum": 1 }),
        }
    }

    /// What is kept of it: nothing of what may be left out and is. Texts stay as they are: blanks of a file matter.
    fn read(self, input: &ReplyObject<'_>, name: &str) -> Result<Option<Value>, BadAnswer> {
        let text = || input.body(name, BODY_CHARS);
        let is_blank = |text: &String| text.trim().is_empty();
        match self {
            Self::AnyText => Ok(Some(json!(text()?))),
            Self::Text => match Some(text()?).filter(|text| !is_blank(text)) {
                Some(text) => Ok(Some(json!(text))),
                None => Err(input.bad(name, "is empty")),
            },
            Self::MaybeText if input.value(name).is_none() => Ok(None),
            Self::MaybeText => Ok(Some(text()?).filter(|text| !is_blank(text)).map(|text| json!(text))),
            Self::Count => {
                let count = input.optional_whole(name)?;
                let is_one = count.is_none_or(|count| (1..=i64::from(u32::MAX)).contains(&count));
                if is_one { Ok(count.map(|count| json!(count))) } else { Err(input.bad(name, "is no number from 1")) }
            }
        }
    }
}
