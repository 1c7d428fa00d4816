//! `system` lines: what the tool says of the session, compactions among it (FORMATS 1.2, 1.5).

use annals_kernel::record::Event;
use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use crate::{ImportError, PassedOver};
use annals_kernel::json::Json;

use super::assistant::joined;
use super::line::{SessionLine, SessionMessage};
use super::raw::Raw;
use super::step::{Step, StepRecord, TextContent};
use super::user::TypedPrompt;
use super::{Importer, Made};

/// A compaction whose summary is still to come, on the line after.
#[derive(Debug)]
pub(super) struct Boundary {
    pub(super) record: StepRecord,
    trigger: Option<Box<str>>,
    tokens_before: Option<u64>,
}

/// What is said of a compaction.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Metadata<'a> {
    #[serde(borrow)]
    trigger: Raw<'a>,
    pre_tokens: Raw<'a>,
    tokens_saved: Raw<'a>,
    compacted_tool_ids: Raw<'a>,
}

/// A compaction. A small one (`microcompact`) says how much it saved, and which results it took out.
#[sparse]
#[derive(Debug, Default, Serialize)]
struct Compaction<'a> {
    trigger: Option<&'a str>,
    tokens_before: Option<u64>,
    tokens_saved: Option<u64>,
    calls: Option<Json>,
    summary: Option<&'a str>,
}

/// The model's service failed and was asked again.
#[sparse]
#[derive(Serialize)]
struct Retry<'a> {
    error: &'a Json,
    attempt: Option<u64>,
}

/// The service failed, in the words that the tool put in the model's place.
#[derive(Serialize)]
struct Failure<'a> {
    error: &'a str,
}

/// What the hooks at the end of a turn had to say.
#[sparse]
#[derive(Serialize)]
struct StopHook<'a> {
    errors: Vec<Json>,
    prevented_continuation: bool,
    reason: Option<&'a str>,
}

impl Importer<'_> {
    /// Takes a `system` line.
    pub(super) fn system(&mut self, line: &SessionLine<'_>, text: &str, mut record: StepRecord) -> Made {
        match line.subtype.text().as_deref() {
            Some("turn_duration") => {
                // The turn is over: what it has called gets no result any more.
                self.waiting.end(&record.place);
                Ok(Some(PassedOver::Bookkeeping))
            }
            Some("stop_hook_summary") => self.stop_hook(line, &mut record),
            Some("local_command") => self.local_command(line, &mut record),
            Some("api_error") => self.retry(line, &mut record),
            Some("compact_boundary") => self.compacting(line, record),
            Some("microcompact_boundary") => self.microcompacted(line, &mut record),
            Some("bridge_status") | None => Ok(Some(PassedOver::Bookkeeping)),
            Some(other) => self.unread(&format!("system/{other}"), text, &mut record),
        }
    }

    /// Hooks that stopped nothing and failed at nothing are no event.
    fn stop_hook(&mut self, line: &SessionLine<'_>, record: &mut StepRecord) -> Made {
        let errors: Vec<Json> = line.hook_errors.owned().unwrap_or_default();
        let prevented_continuation = line.prevented_continuation.is_true();
        if errors.is_empty() && !prevented_continuation {
            return Ok(Some(PassedOver::Bookkeeping));
        }
        let reason = line.stop_reason.name();
        let said = StopHook { errors, prevented_continuation, reason: reason.as_deref() };
        self.emit(record, Step::system(Event::StopHook, &said))?;
        Ok(None)
    }

    /// A command of the tool itself, or what it printed: here even a text without tags is no prompt.
    fn local_command(&mut self, line: &SessionLine<'_>, record: &mut StepRecord) -> Made {
        let Some(text) = line.content.text() else { return Ok(Some(PassedOver::Empty)) };
        let mut typed = TypedPrompt::default();
        let fate = self.text(&text, line, &mut typed, record)?;
        for text in &typed.texts {
            self.emit(record, Step::system(Event::CommandOutput, &TextContent { text }))?;
        }
        Ok(fate.filter(|_| typed.texts.is_empty()))
    }

    fn retry(&mut self, line: &SessionLine<'_>, record: &mut StepRecord) -> Made {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct ToldSystem<'a> {
            #[serde(borrow)]
            message: Raw<'a>,
        }

        let told = || line.error.read::<ToldSystem<'_>>().and_then(|told| told.message.name());
        let words = line.error.name().or_else(told);
        let error = line.error.json().unwrap_or_else(Json::empty_object);
        let retry = Retry { error: &error, attempt: line.retry_attempt.number() };
        self.emit(record, Step::system(Event::ApiError, &retry).failed(words))?;
        Ok(None)
    }

    /// The tool tells, in the model's place, that the service failed.
    pub(super) fn failed_service(&mut self, message: &SessionMessage<'_>, record: &mut StepRecord) -> Made {
        let text = joined(message);
        let step = Step::system(Event::ApiError, &Failure { error: &text });
        self.emit(record, step.failed(Some(text.as_str().into())))?;
        Ok(None)
    }

    /// A compaction begins: its summary makes the entry.
    fn compacting(&mut self, line: &SessionLine<'_>, record: StepRecord) -> Made {
        self.boundary_alone(record.place.thread)?;
        let metadata: Metadata<'_> = line.compact_metadata.read().unwrap_or_default();
        let (trigger, tokens_before) = (metadata.trigger.name(), metadata.pre_tokens.number());
        self.boundary = Some(Boundary { record, trigger, tokens_before });
        Ok(None)
    }

    /// The summary of what was compacted.
    pub(super) fn summary(&mut self, message: &SessionMessage<'_>, mut record: StepRecord) -> Made {
        let thread = record.place.thread;
        let boundary = self.boundary.take_if(|boundary| boundary.record.place.thread == thread);
        let text = joined(message);
        let compaction = Compaction {
            trigger: boundary.as_ref().and_then(|boundary| boundary.trigger.as_deref()),
            tokens_before: boundary.as_ref().and_then(|boundary| boundary.tokens_before),
            summary: Some(&text),
            ..Compaction::default()
        };
        self.emit(&mut record, Step::system(Event::Compaction, &compaction))?;
        Ok(None)
    }

    /// The session goes on, and no summary came: the compaction is an entry without one.
    pub(super) fn boundary_alone(&mut self, thread: usize) -> Result<(), ImportError> {
        let Some(mut boundary) = self.boundary.take_if(|boundary| boundary.record.place.thread == thread) else {
            return Ok(());
        };
        let (trigger, tokens_before) = (boundary.trigger.as_deref(), boundary.tokens_before);
        let compaction = Compaction { trigger, tokens_before, ..Compaction::default() };
        self.emit(&mut boundary.record, Step::system(Event::Compaction, &compaction))
    }

    fn microcompacted(&mut self, line: &SessionLine<'_>, record: &mut StepRecord) -> Made {
        let metadata: Metadata<'_> = line.microcompact_metadata.read().unwrap_or_default();
        let trigger = metadata.trigger.name();
        let compaction = Compaction {
            trigger: trigger.as_deref(),
            tokens_before: metadata.pre_tokens.number(),
            tokens_saved: metadata.tokens_saved.number(),
            calls: metadata.compacted_tool_ids.json(),
            summary: None,
        };
        self.emit(record, Step::system(Event::Microcompaction, &compaction))?;
        Ok(None)
    }
}
