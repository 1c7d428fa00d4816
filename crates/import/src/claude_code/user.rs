//! `user` lines: what a person typed, what calls gave back, and what the tool said in a person's name (FORMATS 1.3).

use annals_kernel::record::{Event, Input, Speech};
use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use crate::PassedOver;
use crate::entries::either;
use annals_kernel::json::Json;

use super::calls::{Answer, Took};
use super::line::{MessageBlock, SessionLine, SessionMessage, texts};
use super::raw::Raw;
use super::said::{Command, TextMeaning};
use super::step::{Actor, Step, StepRecord, TextContent};
use super::threads::MAIN;
use super::verdict::ClaudeVerdict;
use super::{Importer, Made, output};

/// What was typed, put together from the blocks of one line.
#[derive(Debug, Default)]
pub(super) struct TypedPrompt {
    pub(super) texts: Vec<String>,
    attachments: Vec<Json>,
}

/// A person's prompt.
#[derive(Serialize)]
struct PersonPrompt<'a> {
    text: &'a str,
    // A slice is borrowed, and `#[sparse]` knows lists by the names of types that own them.
    #[serde(skip_serializing_if = "<[Json]>::is_empty")]
    attachments: &'a [Json],
}

impl Importer<'_> {
    /// Takes a `user` line.
    pub(super) fn user(&mut self, line: &SessionLine<'_>, message: SessionMessage<'_>, mut record: StepRecord) -> Made {
        if line.is_compact_summary.is_true() {
            return self.summary(&message, record);
        }
        self.boundary_alone(record.place.thread)?;
        let results = message.blocks.iter().filter(|block| matches!(block, MessageBlock::Result { .. })).count();
        // `toolUseResult` is the result of the one call that the line answers.
        let structured = if results == 1 { line.tool_use_result } else { Raw::default() };
        let mut reason = Some(PassedOver::Empty);
        let mut typed = TypedPrompt::default();
        for block in message.blocks {
            let fate = match block {
                MessageBlock::Result { id, content, is_error } => {
                    self.result(id, content, is_error, structured, line, &record)?
                }
                MessageBlock::Text(text) => self.text(&text, line, &mut typed, &mut record)?,
                MessageBlock::Media(source) => {
                    typed.attachments.extend(output::attachment(source));
                    Some(PassedOver::Empty)
                }
                MessageBlock::Other(raw) => self.unread_block("user", raw, &mut record)?,
                MessageBlock::Thinking(_) | MessageBlock::Sealed | MessageBlock::Call { .. } => Some(PassedOver::Empty),
            };
            reason = either(reason, fate);
        }
        // Beside the result of a call stands what was typed while it ran; where the result is not there, the tool's words.
        let prompt = if results == 0 && line.tool_use_result.written().is_some() && !typed.texts.is_empty() {
            Some(PassedOver::Injected)
        } else {
            self.prompt(&typed, line, &mut record)?
        };
        // What a person says to the session ends no call of a sub-agent, which goes on beside it.
        if prompt.is_none() && record.place.thread == MAIN {
            self.waiting.end(&record.place);
        }
        Ok(either(reason, prompt))
    }

    /// One text of a line.
    pub(super) fn text(
        &mut self,
        text: &str,
        line: &SessionLine<'_>,
        typed: &mut TypedPrompt,
        record: &mut StepRecord,
    ) -> Made {
        self.notified(text, &record.place)?;
        let said = TextMeaning::of(text);
        let is_ours = line.is_meta.is_true() || !is_human(line.origin);
        if is_ours && !matches!(said, TextMeaning::Blank | TextMeaning::Printed(_)) {
            return Ok(Some(PassedOver::Injected));
        }
        let step = match said {
            TextMeaning::Blank => return Ok(Some(PassedOver::Empty)),
            TextMeaning::Injected => return Ok(Some(PassedOver::Injected)),
            TextMeaning::Prompt(text) => {
                typed.texts.push(text.into_owned());
                return Ok(Some(PassedOver::Empty));
            }
            TextMeaning::Command(command) => Step::person(Input::Command, &Typing::of(&command)),
            TextMeaning::Shell(command) => Step::person(Input::Shell, &Shell { command }),
            TextMeaning::Printed(text) => Step::system(Event::CommandOutput, &TextContent { text: &text }),
            TextMeaning::Interrupt(text) => {
                self.waiting.end(&record.place);
                Step::person(Input::Interrupt, &TextContent { text })
            }
        };
        self.emit(record, step)?;
        Ok(None)
    }

    /// The prompt of a line, where there is one. To a sub-agent it is its parent that speaks.
    fn prompt(&mut self, typed: &TypedPrompt, line: &SessionLine<'_>, record: &mut StepRecord) -> Made {
        if typed.texts.is_empty() && typed.attachments.is_empty() {
            return Ok(Some(PassedOver::Empty));
        }
        if line.is_meta.is_true() {
            return Ok(Some(PassedOver::Injected));
        }
        let text = typed.texts.join("\n");
        if record.place.thread == MAIN {
            self.emit(
                record,
                Step::person(Input::Prompt, &PersonPrompt { text: &text, attachments: &typed.attachments }),
            )?;
        } else {
            self.emit(record, Step::said(Actor::Parent, Speech::Task, &text))?;
        }
        Ok(None)
    }

    /// A prompt that came in while the model worked, given to it between two steps (FORMATS 1.2, `attachment`).
    /// It proves nothing of calls: those of the same turn may still run.
    pub(super) fn prompt_between(&mut self, content: Raw<'_>, line: &SessionLine<'_>, record: &mut StepRecord) -> Made {
        let Some(text) = texts(content) else { return Ok(Some(PassedOver::Empty)) };
        let mut typed = TypedPrompt::default();
        let fate = self.text(&text, line, &mut typed, record)?;
        Ok(either(fate, self.prompt(&typed, line, record)?))
    }

    /// Takes the result of a call.
    pub(super) fn result(
        &mut self,
        id: Box<str>,
        content: Raw<'_>,
        is_error: Raw<'_>,
        structured: Raw<'_>,
        line: &SessionLine<'_>,
        record: &StepRecord,
    ) -> Made {
        let told = ToldResult::read(structured);
        let is_object = structured.is_object();
        let verdict = if told.interrupted.is_true() {
            ClaudeVerdict::Interrupted
        } else if is_error.is_true() {
            let text = texts(content).unwrap_or_default();
            ClaudeVerdict::of_error(&text, structured.text().as_deref(), line.tool_denial_kind.text().as_deref())
        } else {
            ClaudeVerdict::Done
        };
        let output = if is_object { output::light(structured) } else { output::light(content) };
        let is_said = verdict == ClaudeVerdict::Interrupted && !is_object;
        let answer =
            Answer { place: record.place.clone(), took: told.took(), output: output.filter(|_| !is_said), verdict };
        let is_first = self.answered(id, answer)?;
        Ok((!is_first).then_some(PassedOver::Repeated))
    }
}

/// What a structured result says of the call itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ToldResult<'a> {
    #[serde(borrow)]
    interrupted: Raw<'a>,
    duration_ms: Raw<'a>,
    total_duration_ms: Raw<'a>,
    duration_seconds: Raw<'a>,
}

impl<'a> ToldResult<'a> {
    fn read(structured: Raw<'a>) -> Self {
        Some(structured).filter(|raw| raw.is_object()).and_then(Raw::read).unwrap_or_default()
    }

    fn took(&self) -> Took {
        let from = |raw: Raw<'_>, seconds_each: f64| {
            let span = std::time::Duration::try_from_secs_f64(raw.owned::<f64>()? * seconds_each).ok()?;
            u64::try_from((span + std::time::Duration::from_micros(500)).as_millis()).ok()
        };
        let told = from(self.duration_ms, 0.001).or_else(|| from(self.total_duration_ms, 0.001));
        told.or_else(|| from(self.duration_seconds, 1.0)).map_or(Took::UntilResult, Took::Told)
    }
}

/// A slash command as a person typed it.
#[sparse]
#[derive(Serialize)]
pub(super) struct Typing<'a> {
    pub(super) command: &'a str,
    pub(super) args: &'a str,
    pub(super) message: Option<&'a str>,
}

impl<'a> Typing<'a> {
    /// What the tool shows of it is left out where it is the command's name again.
    fn of(command: &Command<'a>) -> Self {
        let message =
            Some(command.message).filter(|text| !text.is_empty() && *text != command.name.trim_start_matches('/'));
        Self { command: command.name, args: command.args, message }
    }
}

#[derive(Serialize)]
struct Shell<'a> {
    command: &'a str,
}

/// Whether a person typed it, where the line says who did.
pub(super) fn is_human(origin: Raw<'_>) -> bool {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct PromptOrigin<'a> {
        #[serde(borrow)]
        kind: Raw<'a>,
    }

    let kind = Some(origin).filter(|raw| raw.is_object()).and_then(Raw::read::<PromptOrigin<'_>>);
    kind.and_then(|origin| origin.kind.text()).is_none_or(|kind| kind == "human")
}
