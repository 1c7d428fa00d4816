//! What a person types while the model works waits for its turn (FORMATS 1.2, `queue-operation`).
//!
//! Handed over between two steps (`remove`) it leaves no `user` line, so that it is an entry here; after `dequeue` a
//! `user` line says it again. Later versions write an attachment beside the `remove`: whichever comes first is the
//! entry. Several texts may be handed over in one millisecond, in lines that are equal to the byte, so that an entry goes
//! by the record of its text. Keeps what waits, 1,000 texts of 4 MiB at most, and the last 64 that were handed over.

use annals_kernel::record::Input;
use std::collections::VecDeque;

use crate::PassedOver;
use crate::common::slash_command;
use annals_kernel::time::Timestamp;

use super::line::{SessionLine, texts};
use super::raw::Raw;
use super::said::TextMeaning;
use super::step::{RecordPlace, Step, StepRecord, TextContent};
use super::user::Typing;
use super::{Importer, Made};

// A file that puts into its queue and takes nothing out must not fill the memory.
const WAITING_TEXTS: usize = 1000;
const WAITING_BYTES: usize = 4 << 20;
const HANDED_OVER: usize = 64;

/// How a text came to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QueueWay {
    /// It was taken out of the queue.
    Queue,
    /// An attachment says so.
    Attachment,
}

/// A text that waits, and where it was put into the queue.
#[derive(Debug)]
struct QueuedText {
    place: RecordPlace,
    text: String,
}

/// The queue of a session.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<QueuedText>,
    bytes: usize,
    /// Texts that made an entry, and which way the entry came.
    handed_over: VecDeque<(String, QueueWay)>,
}

impl Queue {
    fn push(&mut self, waiting: QueuedText) {
        self.bytes += waiting.text.len();
        self.waiting.push_back(waiting);
    }

    /// What can wait no longer, because too much does.
    fn crowded_out(&mut self) -> Option<QueuedText> {
        let is_crowded = self.waiting.len() > WAITING_TEXTS || self.bytes > WAITING_BYTES;
        if is_crowded { self.pop() } else { None }
    }

    /// The one whose turn it is at this time: a line that comes again takes nothing that was queued after it.
    fn next(&mut self, at: Timestamp) -> Option<QueuedText> {
        let is_due = self.waiting.front().is_some_and(|waiting| waiting.place.at <= at);
        if is_due { self.pop() } else { None }
    }

    fn pop(&mut self) -> Option<QueuedText> {
        let waiting = self.waiting.pop_front()?;
        self.bytes -= waiting.text.len();
        Some(waiting)
    }

    /// Notes that a text came to the model; whether it did already, the other way.
    pub(super) fn is_told(&mut self, text: &str, way: QueueWay) -> bool {
        let told = self.handed_over.iter().position(|(told, other)| *other != way && told == text);
        if let Some(index) = told {
            self.handed_over.remove(index);
            return true;
        }
        self.handed_over.push_back((text.to_owned(), way));
        if self.handed_over.len() > HANDED_OVER {
            self.handed_over.pop_front();
        }
        false
    }
}

impl Importer<'_> {
    /// Takes a `queue-operation`.
    pub(super) fn queued(&mut self, line: &SessionLine<'_>, record: StepRecord) -> Made {
        let at = record.place.at;
        match line.operation.text().as_deref() {
            Some("enqueue") => {
                let text = texts(line.content).unwrap_or_default();
                self.notified(&text, &record.place)?;
                self.queue.push(QueuedText { place: record.place, text });
                let crowded_out = self.queue.crowded_out();
                self.pass_queued(crowded_out, PassedOver::Bookkeeping);
                Ok(None)
            }
            Some("remove") => match self.queue.next(at) {
                Some(QueuedText { place, text }) => {
                    self.handed_over(&text, StepRecord::at(RecordPlace { at, ..place }))
                }
                None => Ok(Some(PassedOver::Bookkeeping)),
            },
            Some("dequeue") => {
                let next = self.queue.next(at);
                self.pass_queued(next, PassedOver::Copy);
                Ok(Some(PassedOver::Bookkeeping))
            }
            Some("popAll") => {
                self.end_queue();
                Ok(Some(PassedOver::Bookkeeping))
            }
            Some(_) | None => Ok(Some(PassedOver::Bookkeeping)),
        }
    }

    /// A text goes to the model in the middle of its turn. It ends no call: those of the turn may still run.
    fn handed_over(&mut self, text: &str, mut record: StepRecord) -> Made {
        let is_notice = text.starts_with("{\"task_id\":");
        match TextMeaning::of(text) {
            TextMeaning::Blank => return Ok(Some(PassedOver::Empty)),
            TextMeaning::Injected => return Ok(Some(PassedOver::Injected)),
            _ if is_notice => return Ok(Some(PassedOver::Injected)),
            TextMeaning::Prompt(_)
            | TextMeaning::Command(_)
            | TextMeaning::Shell(_)
            | TextMeaning::Printed(_)
            | TextMeaning::Interrupt(_) => {}
        }
        if self.queue.is_told(text, QueueWay::Queue) {
            return Ok(Some(PassedOver::Copy));
        }
        let step = match slash_command(text) {
            Some((command, args)) => Step::person(Input::Command, &Typing { command, args, message: None }),
            None => Step::person(Input::Prompt, &TextContent { text }),
        };
        self.emit(&mut record, step)?;
        Ok(None)
    }

    /// Nothing that waits gets its turn any more.
    pub(super) fn end_queue(&mut self) {
        while let Some(waiting) = self.queue.pop() {
            self.pass_queued(Some(waiting), PassedOver::Bookkeeping);
        }
    }

    fn pass_queued(&mut self, waiting: Option<QueuedText>, reason: PassedOver) {
        if let Some(waiting) = waiting {
            self.sink.passed_over(reason, waiting.place.line);
        }
    }

    /// Whether an attachment says what the queue said.
    pub(super) fn is_told_by_queue(&mut self, content: Raw<'_>) -> bool {
        texts(content).is_some_and(|text| self.queue.is_told(&text, QueueWay::Attachment))
    }
}
