//! A payload: one JSON object on stdin. Every member may be missing or of a type that nobody expected.
//!
//! Does not know what members mean; the adapters do.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::Deserialize;

use crate::import::claude_code::files::files_touched;
use crate::import::claude_code::raw::Raw;
use crate::kernel::json::Json;

use super::event::Call;

/// The members that any adapter reads. Others are tolerated.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Payload<'a> {
    #[serde(borrow)]
    pub(crate) hook_event_name: Raw<'a>,
    pub(crate) session_id: Raw<'a>,
    pub(crate) transcript_path: Raw<'a>,
    pub(crate) cwd: Raw<'a>,
    pub(crate) model: Raw<'a>,
    pub(crate) prompt_id: Raw<'a>,
    pub(crate) turn_id: Raw<'a>,
    pub(crate) agent_id: Raw<'a>,
    pub(crate) agent_type: Raw<'a>,
    pub(crate) source: Raw<'a>,
    pub(crate) session_title: Raw<'a>,
    pub(crate) reason: Raw<'a>,
    pub(crate) prompt: Raw<'a>,
    pub(crate) prompt_response: Raw<'a>,
    pub(crate) command_name: Raw<'a>,
    pub(crate) command_args: Raw<'a>,
    pub(crate) last_assistant_message: Raw<'a>,
    pub(crate) tool_name: Raw<'a>,
    pub(crate) tool_input: Raw<'a>,
    pub(crate) tool_use_id: Raw<'a>,
    pub(crate) tool_response: Raw<'a>,
    pub(crate) tool_calls: Raw<'a>,
    pub(crate) error: Raw<'a>,
    pub(crate) error_details: Raw<'a>,
    pub(crate) is_interrupt: Raw<'a>,
    pub(crate) duration_ms: Raw<'a>,
    pub(crate) trigger: Raw<'a>,
    pub(crate) compact_summary: Raw<'a>,
    pub(crate) timestamp: Raw<'a>,
    pub(crate) parent_agent_id: Raw<'a>,
    pub(crate) stop_hook_active: Raw<'a>,
}

impl<'a> Payload<'a> {
    /// Reads a payload; `None` where the text is not an object of JSON.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        // An array would be taken for the members in their order.
        serde_json::from_str(text).ok().filter(|_| text.trim_start().starts_with('{'))
    }

    /// What the hook is called.
    pub(crate) fn name(&self) -> Box<str> {
        self.hook_event_name.name().unwrap_or_default()
    }

    /// The call that it is about.
    pub(crate) fn call(&self) -> Call {
        Call {
            id: self.tool_use_id.name(),
            tool: self.tool_name.name().unwrap_or_else(|| "unknown".into()),
            called: None,
            input: self.tool_input.json().unwrap_or_else(Json::empty_object),
            files: files_touched(self.tool_input, self.cwd.text().as_deref()),
        }
    }

    /// A number of milliseconds, rounded.
    pub(crate) fn duration(&self) -> Option<u64> {
        let millis = self.duration_ms.owned::<f64>().filter(|millis| (0.0..9e15).contains(millis))?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be in range")]
        let whole = millis.round() as u64;
        Some(whole)
    }
}

/// The payload with the name of its event, where it has none of its own.
pub fn named<'t>(text: &'t str, event: Option<&str>) -> Cow<'t, str> {
    let is_name = |event: &&str| !event.is_empty() && event.chars().all(|letter| letter.is_ascii_alphanumeric());
    let is_nameless = Payload::read(text).is_some_and(|payload| payload.name().is_empty());
    match (event.filter(is_name).filter(|_| is_nameless), text.trim_start().strip_prefix('{')) {
        (Some(event), Some(rest)) => {
            let comma = if rest.trim_start().starts_with('}') { "" } else { "," };
            Cow::Owned(format!(r#"{{"hook_event_name":"{event}"{comma}{rest}"#))
        }
        _ => Cow::Borrowed(text),
    }
}

/// Where the agent works, as a payload says it.
pub(crate) fn directory_in(text: &str) -> Option<PathBuf> {
    Payload::read(text)?.cwd.name().map(|path| PathBuf::from(path.as_ref()))
}
