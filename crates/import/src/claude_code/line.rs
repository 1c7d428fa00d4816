//! The lines of a session file, as far as anybody asks for their members (FORMATS 1.1 to 1.4).
//!
//! Says what a line is by its shape. Does not say what becomes of it; `user`, `assistant`, `system` and `notes` do.

use std::borrow::Cow;

use serde::Deserialize;

use super::raw::Raw;

/// Every member that this importer knows; others are not looked at.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct SessionLine<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Raw<'a>,
    pub(super) subtype: Raw<'a>,
    pub(super) uuid: Raw<'a>,
    pub(super) parent_uuid: Raw<'a>,
    pub(super) session_id: Raw<'a>,
    pub(super) timestamp: Raw<'a>,
    pub(super) cwd: Raw<'a>,
    pub(super) version: Raw<'a>,
    pub(super) git_branch: Raw<'a>,
    pub(super) is_sidechain: Raw<'a>,
    pub(super) agent_id: Raw<'a>,
    pub(super) is_meta: Raw<'a>,
    pub(super) is_compact_summary: Raw<'a>,
    pub(super) is_api_error_message: Raw<'a>,
    pub(super) origin: Raw<'a>,
    pub(super) message: Raw<'a>,
    pub(super) tool_use_result: Raw<'a>,
    pub(super) tool_denial_kind: Raw<'a>,
    #[serde(rename = "parentToolUseID")]
    pub(super) parent_tool_use_id: Raw<'a>,
    pub(super) data: Raw<'a>,
    pub(super) attachment: Raw<'a>,
    pub(super) content: Raw<'a>,
    pub(super) operation: Raw<'a>,
    pub(super) summary: Raw<'a>,
    pub(super) leaf_uuid: Raw<'a>,
    pub(super) custom_title: Raw<'a>,
    pub(super) agent_name: Raw<'a>,
    pub(super) ai_title: Raw<'a>,
    pub(super) pr_number: Raw<'a>,
    pub(super) pr_url: Raw<'a>,
    pub(super) pr_repository: Raw<'a>,
    pub(super) compact_metadata: Raw<'a>,
    pub(super) microcompact_metadata: Raw<'a>,
    pub(super) error: Raw<'a>,
    pub(super) retry_attempt: Raw<'a>,
    pub(super) hook_errors: Raw<'a>,
    pub(super) prevented_continuation: Raw<'a>,
    pub(super) stop_reason: Raw<'a>,
}

/// Lines that hold the tool's own state. Of 2.1.330 they repeat each request whole, with the system prompt in it and with
/// the person's own instructions: nothing of them is kept, whatever the settings say.
const BOOKKEEPING: [&str; 15] = [
    "agent-color", "agent-setting", "api-request", "api-request-blob", "api-request-shape", "atis-latch",
    "attribution-snapshot", "content-replacement", "cost-state", "file-history-snapshot", "mode", "permission-mode",
    "tag", "tools-used", "worktree-state",
];

/// What a line is.
#[derive(Debug)]
pub(super) enum LineShape<'a> {
    /// A prompt, results of calls, or text that the tool put there.
    User(SessionMessage<'a>),
    /// Blocks of a reply.
    Assistant(SessionMessage<'a>),
    /// Something that the tool says of itself.
    System,
    /// A sign of life; of a sub-agent, a whole line of its own.
    Progress,
    /// Something that the tool put before the model, or what was typed while it worked.
    Attachment,
    /// A name for the session.
    Title,
    /// A pull request that came out of it.
    PullRequest,
    /// Something typed while the model worked waits for its turn.
    Queue,
    /// The prompt once more, for the tool's own list of sessions.
    LastPrompt,
    /// State of the tool.
    Bookkeeping,
    /// Anything else, and what looks like one of these and is none.
    Unknown,
}

impl<'a> SessionLine<'a> {
    /// Reads a record; one that cannot be read (a key twice) is an empty line, of no known shape.
    pub(super) fn read(text: &'a str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    pub(super) fn shape(&self) -> LineShape<'a> {
        let message = |shape: fn(SessionMessage<'a>) -> LineShape<'a>| {
            SessionMessage::read(self.message).map_or(LineShape::Unknown, shape)
        };
        match self.kind.text().as_deref() {
            Some("user") => message(LineShape::User),
            Some("assistant") => message(LineShape::Assistant),
            Some("system") => LineShape::System,
            Some("progress") if self.data.is_object() => LineShape::Progress,
            Some("attachment") if self.attachment.is_object() => LineShape::Attachment,
            Some("summary" | "custom-title" | "agent-name" | "ai-title") => LineShape::Title,
            Some("pr-link") => LineShape::PullRequest,
            Some("queue-operation") => LineShape::Queue,
            Some("last-prompt") => LineShape::LastPrompt,
            Some(kind) if BOOKKEEPING.contains(&kind) => LineShape::Bookkeeping,
            _ => LineShape::Unknown,
        }
    }

    /// Whether it takes something out of the queue: two such lines may be equal and mean two texts.
    pub(super) fn takes_from_queue(&self) -> bool {
        let is_queue = self.kind.text().as_deref() == Some("queue-operation");
        is_queue && matches!(self.operation.text().as_deref(), Some("remove" | "dequeue"))
    }

    /// Whether it has the common envelope (FORMATS 1.1), which says whose session it is.
    pub(super) fn is_enveloped(&self) -> bool {
        let kind = self.kind.text();
        matches!(kind.as_deref(), Some("user" | "assistant" | "system" | "progress" | "attachment"))
    }
}

/// A message to or from the model.
#[derive(Debug)]
pub(super) struct SessionMessage<'a> {
    pub(super) id: Option<Box<str>>,
    pub(super) model: Option<Cow<'a, str>>,
    pub(super) usage: Raw<'a>,
    pub(super) blocks: Vec<MessageBlock<'a>>,
}

/// A piece of a message.
#[derive(Debug)]
pub(super) enum MessageBlock<'a> {
    Text(Cow<'a, str>),
    Thinking(Cow<'a, str>),
    /// Thinking that only the model's maker can read.
    Sealed,
    Call {
        id: Box<str>,
        name: Box<str>,
        input: Raw<'a>,
    },
    Result {
        id: Box<str>,
        content: Raw<'a>,
        is_error: Raw<'a>,
    },
    /// An image or a document: its source.
    Media(Raw<'a>),
    Other(Raw<'a>),
}

impl<'a> SessionMessage<'a> {
    /// Content is a text, or a list of blocks and texts; anything else is no message.
    fn read(raw: Raw<'a>) -> Option<Self> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Members<'a> {
            #[serde(borrow)]
            id: Raw<'a>,
            model: Raw<'a>,
            usage: Raw<'a>,
            content: Raw<'a>,
        }

        let members: Members<'a> = Some(raw).filter(|raw| raw.is_object())?.read()?;
        let blocks = match members.content.text() {
            Some(text) => vec![MessageBlock::Text(text)],
            None => members.content.list()?.into_iter().map(MessageBlock::read).collect::<Option<_>>()?,
        };
        Some(Self { id: members.id.name(), model: members.model.text(), usage: members.usage, blocks })
    }
}

impl<'a> MessageBlock<'a> {
    /// `None` where it is neither a text nor an object.
    pub(super) fn read(raw: Raw<'a>) -> Option<Self> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Members<'a> {
            #[serde(borrow, rename = "type")]
            kind: Raw<'a>,
            text: Raw<'a>,
            thinking: Raw<'a>,
            id: Raw<'a>,
            name: Raw<'a>,
            input: Raw<'a>,
            tool_use_id: Raw<'a>,
            content: Raw<'a>,
            is_error: Raw<'a>,
            source: Raw<'a>,
        }

        if let Some(text) = raw.text() {
            return Some(Self::Text(text));
        }
        let members: Members<'a> = Some(raw).filter(|raw| raw.is_object())?.read().unwrap_or_default();
        let kind = members.kind.text();
        Some(match kind.as_deref().unwrap_or_default() {
            "text" => members.text.text().map_or(Self::Other(raw), Self::Text),
            "thinking" => members.thinking.text().map_or(Self::Other(raw), Self::Thinking),
            "redacted_thinking" => Self::Sealed,
            "tool_use" | "server_tool_use" | "mcp_tool_use" => match (members.id.name(), members.name.name()) {
                (Some(id), Some(name)) => Self::Call { id, name, input: members.input },
                _ => Self::Other(raw),
            },
            "image" | "document" if members.source.is_object() => Self::Media(members.source),
            // Servers and searches of the model's maker have types of their own for it: `mcp_tool_result`,
            // `web_search_tool_result`.
            kind if kind.ends_with("tool_result") => match members.tool_use_id.name() {
                Some(id) => Self::Result { id, content: members.content, is_error: members.is_error },
                None => Self::Other(raw),
            },
            _ => Self::Other(raw),
        })
    }
}

/// The texts of a content that may be a text or a list of blocks, one below the other.
pub(super) fn texts(content: Raw<'_>) -> Option<String> {
    if let Some(text) = content.text() {
        return Some(text.into_owned());
    }
    let blocks = content.list()?.into_iter().filter_map(MessageBlock::read);
    let texts = blocks.filter_map(|block| if let MessageBlock::Text(text) = block { Some(text) } else { None });
    Some(texts.collect::<Vec<_>>().join("\n"))
}
