//! `assistant` lines: what the model said, thought and called (FORMATS 1.4).

use crate::PassedOver;
use crate::entries::either;
use annals_kernel::id::ModelId;
use annals_kernel::json::Json;
use annals_kernel::record::{Event, Speech};

use super::calls::ModelCall;
use super::line::{MessageBlock, SessionLine, SessionMessage};
use super::raw::Raw;
use super::step::{Actor, Step, StepRecord};
use super::{Importer, Made, files, output};

/// The model of lines that the tool wrote itself.
const SYNTHETIC: &str = "<synthetic>";

impl Importer<'_> {
    /// Takes an `assistant` line. Its tokens go to its first entry; where it makes none, to one of their own.
    pub(super) fn assistant(
        &mut self,
        line: &SessionLine<'_>,
        message: SessionMessage<'_>,
        mut record: StepRecord,
    ) -> Made {
        self.boundary_alone(record.place.thread)?;
        if line.is_api_error_message.is_true() {
            return self.failed_service(&message, &mut record);
        }
        if message.model.as_deref() == Some(SYNTHETIC) {
            return Ok(Some(PassedOver::Injected));
        }
        let id = message.id.unwrap_or_else(|| record.place.record.clone());
        record.usage = self.meter.add(&id, message.usage);
        record.model = message.model.map(|model| ModelId::from(&*model));
        record.message = Some(id);
        let mut reason = Some(PassedOver::Empty);
        for block in message.blocks {
            let fate = self.block(block, line, &mut record)?;
            reason = either(reason, fate);
        }
        if record.usage.is_some() {
            self.emit(&mut record, Step::system(Event::Usage, &Json::empty_object()))?;
            return Ok(None);
        }
        Ok(reason)
    }

    fn block(&mut self, block: MessageBlock<'_>, line: &SessionLine<'_>, record: &mut StepRecord) -> Made {
        match block {
            MessageBlock::Text(text) if !text.trim().is_empty() => {
                self.emit(record, Step::said(Actor::Agent, Speech::Message, &text))?;
            }
            MessageBlock::Thinking(text) if !text.trim().is_empty() => {
                self.emit(record, Step::said(Actor::Agent, Speech::Thinking, &text))?;
            }
            MessageBlock::Text(_) | MessageBlock::Thinking(_) | MessageBlock::Sealed => {
                return Ok(Some(PassedOver::Empty));
            }
            MessageBlock::Call { id, name, input } => return self.call(id, name, input, record),
            MessageBlock::Result { id, content, is_error } => {
                return self.result(id, content, is_error, Raw::default(), line, record);
            }
            MessageBlock::Media(source) => {
                let source = output::attachment(source).unwrap_or_else(Json::empty_object);
                return self.unread("assistant/block/media", source.text(), record);
            }
            MessageBlock::Other(raw) => return self.unread_block("assistant", raw, record),
        }
        Ok(None)
    }

    fn call(&mut self, id: Box<str>, name: Box<str>, input: Raw<'_>, record: &StepRecord) -> Made {
        let cwd = self.threads.get(record.place.thread).cwd.as_deref();
        let call = ModelCall {
            place: record.place.clone(),
            id,
            name,
            files: files::files_touched(input, cwd),
            input: input.json().unwrap_or_else(Json::empty_object),
            model: record.model.clone(),
            message: record.message.clone(),
            end: None,
        };
        let is_new = self.called(call)?;
        Ok((!is_new).then_some(PassedOver::Repeated))
    }
}

/// The texts of a message, one below the other.
pub(super) fn joined(message: &SessionMessage<'_>) -> String {
    let texts = message
        .blocks
        .iter()
        .filter_map(|block| if let MessageBlock::Text(text) = block { Some(&**text) } else { None });
    texts.collect::<Vec<_>>().join("\n")
}
