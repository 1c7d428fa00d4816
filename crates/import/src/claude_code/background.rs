//! `<task-notification>`: what went on in the background has ended. Tells which call it was and what came of it.
//!
//! The same notification may stand in the queue, in a line and in an attachment: the first is the entry. Nobody typed it.

use annals_kernel::record::Event;
use annals_sparse::sparse;
use serde::Serialize;

use crate::ImportError;

use super::Importer;
use super::said::between;
use super::step::{RecordPlace, Step};

const OPEN: &str = "<task-notification>";

/// The end of something that went on after its call had its result.
#[sparse]
#[derive(Debug, PartialEq, Eq, Serialize)]
struct BackgroundEnd<'a> {
    call: Option<&'a str>,
    task: &'a str,
    status: &'a str,
    exit_code: Option<i64>,
    summary: Option<&'a str>,
}

impl<'a> BackgroundEnd<'a> {
    /// A notification without a status tells of something that goes on.
    fn of(text: &'a str) -> Option<Self> {
        let text = text.trim_start().strip_prefix(OPEN)?;
        let part = |name| between(text, name).map(str::trim).filter(|part| !part.is_empty());
        let summary = part("summary");
        let exit_code = summary.and_then(|summary| {
            let (_, code) = summary.rsplit_once("exit code ")?;
            code.trim_end_matches([')', '.']).parse().ok()
        });
        Some(Self { call: part("tool-use-id"), task: part("task-id")?, status: part("status")?, exit_code, summary })
    }

    fn error(&self) -> Option<Box<str>> {
        match self.exit_code {
            Some(code) if code != 0 => Some(format!("exit code {code}").into()),
            _ if self.status == "completed" => None,
            _ => Some(self.status.into()),
        }
    }
}

impl Importer<'_> {
    /// Takes a text that may be a notification.
    pub(super) fn notified(&mut self, text: &str, place: &RecordPlace) -> Result<(), ImportError> {
        let Some(end) = BackgroundEnd::of(text).filter(|end| self.seen.is_new("background", end.task)) else {
            return Ok(());
        };
        let step = Step::system(Event::BackgroundEnd, &end);
        let step = end.error().map_or(step, |_| Step::system(Event::BackgroundEnd, &end).failed(end.error()));
        self.sink.entry(self.draft(step, place, format!("background_end/{}", end.task).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(status: &str, summary: &str) -> String {
        format!(
            "{OPEN}\n<task-id>b1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>{status}</status>\n\
             <summary>{summary}</summary>\n</task-notification>\nRead the file for more."
        )
    }

    #[test]
    fn a_notification_tells_how_a_task_ended() {
        let ended = |status, summary| BackgroundEnd::of(&end(status, summary)).map(|end| (end.exit_code, end.error()));
        assert_eq!(ended("completed", "Command \"x\" completed (exit code 0)"), Some((Some(0), None)));
        assert_eq!(
            ended("failed", "Command \"x\" failed with exit code 3"),
            Some((Some(3), Some("exit code 3".into())))
        );
        assert_eq!(ended("killed", "Command \"x\" was stopped"), Some((None, Some("killed".into()))));
        assert_eq!(ended("", "Command \"x\" waits for input"), None);
        assert_eq!(BackgroundEnd::of("tell me of <task-notification>"), None);
    }
}
