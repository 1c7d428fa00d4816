//! Lines that are no message: attachments, titles, pull requests, and what nobody knows (FORMATS 1.2).

use serde::{Deserialize, Serialize};

use crate::import::PassedOver;
use crate::kernel::json::Json;

use super::line::Line;
use super::raw::Raw;
use super::step::{Record, Step};
use super::threads::MAIN;
use super::user::is_human;
use super::{Importer, Made};

/// A name for the session: which line gave it, and of a summary the last line that it covers.
#[derive(Serialize)]
struct Title<'a> {
    text: &'a str,
    by: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaf: Option<Box<str>>,
}

#[derive(Serialize)]
struct PullRequest {
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<Box<str>>,
}

/// A record as it was.
#[derive(Serialize)]
struct Unknown<'a> {
    record: &'a Json,
}

impl Importer<'_> {
    /// A title; where the file holds nothing of a session, it is one for some other session.
    pub(super) fn title(&mut self, line: &Line<'_>, mut record: Record) -> Made {
        let kind = line.kind.text().unwrap_or_default();
        let text = [line.summary, line.custom_title, line.agent_name, line.ai_title].into_iter().find_map(Raw::name);
        let Some(text) = text else { return Ok(Some(PassedOver::Empty)) };
        if !self.threads.get(MAIN).has_begun {
            return Ok(Some(PassedOver::Bookkeeping));
        }
        let title = Title { text: &text, by: &kind, leaf: line.leaf_uuid.name() };
        self.emit(&mut record, Step::system("title", &title))?;
        Ok(None)
    }

    /// A pull request that came out of the session.
    pub(super) fn pull_request(&mut self, line: &Line<'_>, mut record: Record) -> Made {
        let (url, repository) = (line.pr_url.name(), line.pr_repository.name());
        let request = PullRequest { number: line.pr_number.number(), url, repository };
        self.emit(&mut record, Step::system("pull_request", &request))?;
        Ok(None)
    }

    /// Takes an `attachment` line: what a person typed between two steps, or what the tool put before the model.
    pub(super) fn attachment(&mut self, line: &Line<'_>, text: &str, mut record: Record) -> Made {
        #[derive(Default, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        struct Attachment<'a> {
            #[serde(borrow, rename = "type")]
            kind: Raw<'a>,
            prompt: Raw<'a>,
            command_mode: Raw<'a>,
            origin: Raw<'a>,
            is_meta: Raw<'a>,
        }

        let attachment: Attachment<'_> = line.attachment.read().unwrap_or_default();
        match attachment.kind.text().as_deref() {
            Some("queued_command") => {
                let is_prompt = attachment.command_mode.text().is_none_or(|mode| mode == "prompt");
                if !is_prompt || attachment.is_meta.is_true() || !is_human(attachment.origin) {
                    return Ok(Some(PassedOver::Injected));
                }
                if self.is_told_by_queue(attachment.prompt) {
                    return Ok(Some(PassedOver::Copy));
                }
                self.prompt_between(attachment.prompt, line, &mut record)
            }
            Some("hook_success" | "hook_system_message") => Ok(Some(PassedOver::Bookkeeping)),
            Some("hook_additional_context" | "deferred_tools_delta" | "skill_listing" | "task_reminder") => {
                Ok(Some(PassedOver::Injected))
            }
            Some(_) | None => self.unknown(text, &mut record),
        }
    }

    /// Keeps a record, or a piece of one, as it was.
    pub(super) fn unknown(&mut self, text: &str, record: &mut Record) -> Made {
        let Ok(json) = Json::from_text(text.to_owned()) else { return Ok(Some(PassedOver::Empty)) };
        self.emit(record, Step::system("unknown_record", &Unknown { record: &json }))?;
        Ok(None)
    }
}
