//! Lines that are no message: attachments, titles, pull requests, and what nobody knows (FORMATS 1.2).

use annals_kernel::record::Event;
use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use crate::unread::label;
use crate::{PassedOver, Unread};
use annals_kernel::json::Json;

use super::line::{SessionLine, texts};
use super::raw::Raw;
use super::step::{Step, StepRecord};
use super::threads::MAIN;
use super::user::is_human;
use super::{Importer, Made};

/// A name for the session: which line gave it, and of a summary the last line that it covers.
#[sparse]
#[derive(Serialize)]
struct Title<'a> {
    text: &'a str,
    by: &'a str,
    leaf: Option<Box<str>>,
}

#[sparse]
#[derive(Serialize)]
struct PullRequest {
    number: Option<u64>,
    url: Option<Box<str>>,
    repository: Option<Box<str>>,
}

/// A record as it was.
#[derive(Serialize)]
struct Unknown<'a> {
    record: &'a Json,
}

/// What the tool says to itself.
const BOOKKEEPING: [&str; 9] = [
    "async_hook_response", "hook_blocking_error", "hook_cancelled", "hook_error_during_execution",
    "hook_non_blocking_error", "hook_permission_decision", "hook_stopped_continuation", "hook_success",
    "hook_system_message",
];

/// What the tool puts before the model: the system prompt, instructions from the project and from the person's own
/// folders, the environment, lists of what there is. Nothing of it is kept, whatever the settings say.
const INJECTED: [&str; 39] = [
    "agent_listing_delta", "already_read_file", "auto_mode", "auto_mode_exit", "command_permissions",
    "compact_file_reference", "critical_system_reminder", "date", "date_change", "deferred_tools_delta", "diagnostics",
    "directory", "dynamic_skill", "edited_image_file", "edited_text_file", "environment", "file",
    "hook_additional_context", "instructions", "invoked_skills", "mcp_instructions_delta", "mcp_resource", "model",
    "nested_memory", "opened_file_in_ide", "output_style", "plan_file_reference", "plan_mode", "plan_mode_exit",
    "plan_mode_reentry", "prompt_snapshot", "relevant_memories", "remote_session_change", "selected_lines_in_ide",
    "session_context", "silent_turn_reminder", "skill_listing", "task_reminder", "todo_reminder",
];

impl Importer<'_> {
    /// A title; where the file holds nothing of a session, it is one for some other session.
    pub(super) fn title(&mut self, line: &SessionLine<'_>, mut record: StepRecord) -> Made {
        let kind = line.kind.text().unwrap_or_default();
        let text = [line.summary, line.custom_title, line.agent_name, line.ai_title].into_iter().find_map(Raw::name);
        let Some(text) = text else { return Ok(Some(PassedOver::Empty)) };
        if !self.threads.get(MAIN).has_begun {
            return Ok(Some(PassedOver::Bookkeeping));
        }
        let title = Title { text: &text, by: &kind, leaf: line.leaf_uuid.name() };
        self.emit(&mut record, Step::system(Event::Title, &title))?;
        Ok(None)
    }

    /// A pull request that came out of the session.
    pub(super) fn pull_request(&mut self, line: &SessionLine<'_>, mut record: StepRecord) -> Made {
        let (url, repository) = (line.pr_url.name(), line.pr_repository.name());
        let request = PullRequest { number: line.pr_number.number(), url, repository };
        self.emit(&mut record, Step::system(Event::PullRequest, &request))?;
        Ok(None)
    }

    /// Takes an `attachment` line: what a person typed between two steps, or what the tool put before the model.
    pub(super) fn attachment(&mut self, line: &SessionLine<'_>, text: &str, mut record: StepRecord) -> Made {
        #[derive(Default, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        struct NoteAttachment<'a> {
            #[serde(borrow, rename = "type")]
            kind: Raw<'a>,
            prompt: Raw<'a>,
            command_mode: Raw<'a>,
            origin: Raw<'a>,
            is_meta: Raw<'a>,
        }

        let attachment: NoteAttachment<'_> = line.attachment.read().unwrap_or_default();
        match attachment.kind.text().as_deref() {
            Some("queued_command") => {
                let is_prompt = attachment.command_mode.text().is_none_or(|mode| mode == "prompt");
                if let Some(text) = texts(attachment.prompt) {
                    self.notified(&text, &record.place)?;
                }
                if !is_prompt || attachment.is_meta.is_true() || !is_human(attachment.origin) {
                    return Ok(Some(PassedOver::Injected));
                }
                if self.is_told_by_queue(attachment.prompt) {
                    return Ok(Some(PassedOver::Copy));
                }
                self.prompt_between(attachment.prompt, line, &mut record)
            }
            Some(kind) if BOOKKEEPING.contains(&kind) => Ok(Some(PassedOver::Bookkeeping)),
            Some(kind) if INJECTED.contains(&kind) => Ok(Some(PassedOver::Injected)),
            kind => self.unread(&format!("attachment/{}", kind.unwrap_or_default()), text, &mut record),
        }
    }

    /// A block of a type that nobody knows.
    pub(super) fn unread_block(&mut self, role: &str, block: Raw<'_>, record: &mut StepRecord) -> Made {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct TypedNote<'a> {
            #[serde(borrow, rename = "type")]
            kind: Raw<'a>,
        }

        let kind = block.read::<TypedNote<'_>>().unwrap_or_default().kind.text();
        let name = format!("{role}/block/{}", kind.unwrap_or_default());
        self.unread(&name, block.written().unwrap_or_default(), record)
    }

    /// A record of a type that nobody knows, or a piece of one. Its tokens wait for an entry of the same record.
    pub(super) fn unread(&mut self, kind: &str, text: &str, record: &mut StepRecord) -> Made {
        let Ok(json) = Json::from_text(text.to_owned()) else { return Ok(Some(PassedOver::Empty)) };
        let name = record.next_name();
        let mut whole = self.draft(Step::system(Event::UnknownRecord, &Unknown { record: &json }), &record.place, name);
        whole.provenance.model_id.clone_from(&record.model);
        whole.provenance.parent_message_id.clone_from(&record.message);
        let (bytes, version) = (text.len() as u64, self.version.clone());
        self.sink.unread(Unread { kind: label(kind), bytes, version, whole })?;
        Ok(None)
    }
}
