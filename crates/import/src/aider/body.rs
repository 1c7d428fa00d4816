//! What stands in a session: prompts, replies and notices, as they become entries.
//!
//! A prompt or reply is written at once, so that it is whole wherever the source ends. Lines that a command printed
//! come one by one: they are an entry when something else follows.

use super::KIND;
use super::block::{Kind, LineBlock, Marked, Rest, Whose, Within, kind_of};
use super::notice::{Notice, cost, sort};
use super::session::SessionEnd;
use crate::common::{slash_command, touched};
use crate::entries::{EntryClock, EntryStep, Fields, Origin, Spot};
use crate::{ImportError, PassedOver, Sink};
use annals_kernel::id::ModelId;
use annals_kernel::record::{Event, Input, Speech};
use annals_kernel::time::Timestamp;

/// What must be known of a session to read its next line.
pub(super) struct Body {
    origin: Origin,
    start: Timestamp,
    first_line: u64,
    model: Option<ModelId>,
    block: LineBlock,
    /// Whether the last notice goes on.
    rest: Rest,
    after: After,
    /// What the last command was given, until anything but a blank line follows: aider writes it down once more.
    given: Option<String>,
    /// Whether the line before told tokens without their cost.
    report: TokenReport,
    /// The last line that told of an error, for the entry that the next try makes.
    error: String,
}

/// A report of tokens may go on in the next line, where it is long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenReport {
    WithoutCost,
    Done,
}

/// Whether what the tool says now is what a command of a person printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    Command,
    Else,
}

impl Body {
    pub(super) fn begin(origin: Origin, start: Timestamp, first_line: u64) -> Self {
        let (block, rest, after) = (LineBlock::default(), Rest::None, After::Else);
        Self {
            origin,
            start,
            first_line,
            model: None,
            block,
            rest,
            after,
            given: None,
            report: TokenReport::Done,
            error: String::new(),
        }
    }

    pub(super) fn start(&self, native: &str, sink: &mut dyn Sink) -> Result<(), ImportError> {
        let input = Fields::new().with("tool", KIND).with("native_id", native);
        let spot = Spot { record: "session_start".into(), ..self.spot(self.first_line) };
        sink.entry(EntryStep::event(Event::SessionStart, input).at(&self.origin, spot))
    }

    /// Line n of a session happened n milliseconds after its start.
    fn spot(&self, line: u64) -> Spot {
        let offset = line - self.first_line;
        let at = self.start.plus_millis(i64::try_from(offset).unwrap_or(0));
        Spot { at, clock: EntryClock::Synthetic, record: format!("line/{offset}").into(), line: Some(line) }
    }

    fn put(&self, sink: &mut dyn Sink, step: EntryStep, line: u64) -> Result<(), ImportError> {
        sink.entry(step.at(&self.origin, self.spot(line)))
    }

    pub(super) fn line(
        &mut self,
        line: &str,
        number: u64,
        marked: Marked,
        sink: &mut dyn Sink,
    ) -> Result<(), ImportError> {
        if std::mem::replace(&mut self.report, TokenReport::Done) == TokenReport::WithoutCost {
            self.rest = Rest::None;
            if let Some(cost) = cost(line.trim_start_matches('>').trim()) {
                let step = EntryStep::event(Event::Usage, Fields::new()).usage(Some(cost)).model(self.model.as_ref());
                return self.put(sink, step, number);
            }
        }
        match kind_of(line, marked, self.within()) {
            Kind::Blank => self.blank(sink),
            Kind::Prompt(text) => {
                self.rest = Rest::None;
                self.extend(Whose::Persons, text, number, sink)
            }
            Kind::Reply(text) => self.extend(Whose::Agents, text, number, sink),
            Kind::Notice(text, rest) => {
                self.rest = rest;
                self.notice(text, number, sink)
            }
            Kind::Further(text, rest) => {
                self.rest = rest;
                self.further(text, number, sink);
                Ok(())
            }
        }
    }

    fn within(&self) -> Within {
        match (self.rest, self.block.whose) {
            (Rest::Comes, _) => Within::Notice,
            (Rest::None, Whose::Agents) => Within::Reply,
            (Rest::None, Whose::Nobodys | Whose::Persons | Whose::Commands) => Within::Else,
        }
    }

    /// An empty line is part of a reply, and of a notice that goes on; it ends everything else.
    fn blank(&mut self, sink: &mut dyn Sink) -> Result<(), ImportError> {
        if self.rest == Rest::Comes || self.block.whose == Whose::Agents {
            self.block.add("");
            return Ok(());
        }
        self.after = After::Else;
        self.close(sink)
    }

    /// A further line of a notice says nothing of its own; of what a command printed it is a part.
    fn further(&mut self, text: &str, line: u64, sink: &mut dyn Sink) {
        if self.block.whose == Whose::Commands {
            self.block.add(text);
        } else {
            sink.passed_over(PassedOver::Bookkeeping, line);
        }
    }

    /// Adds a line to the open block, or closes that and opens another.
    fn extend(&mut self, whose: Whose, text: &str, line: u64, sink: &mut dyn Sink) -> Result<(), ImportError> {
        if !self.block.takes(whose) {
            self.close(sink)?;
            self.given = self.given.take().filter(|_| whose == Whose::Persons);
            self.block = LineBlock::new(whose, line);
        }
        self.block.add(text);
        Ok(())
    }

    fn close(&mut self, sink: &mut dyn Sink) -> Result<(), ImportError> {
        let block = std::mem::take(&mut self.block);
        let text = block.text.trim();
        match block.whose {
            Whose::Nobodys => Ok(()),
            Whose::Agents | Whose::Commands if text.is_empty() => Ok(()),
            Whose::Persons => self.prompt(text, block.line, sink),
            Whose::Agents => {
                self.put(sink, EntryStep::says(Speech::Message, text).model(self.model.as_ref()), block.line)
            }
            Whose::Commands => {
                self.put(sink, EntryStep::event(Event::CommandOutput, Fields::new().with("text", text)), block.line)
            }
        }
    }

    fn prompt(&mut self, text: &str, line: u64, sink: &mut dyn Sink) -> Result<(), ImportError> {
        self.after = After::Command;
        let given = self.given.take();
        let step = if let Some(command) = text.strip_prefix('!') {
            EntryStep::user(Input::Shell, Fields::new().with("command", command.trim()))
        } else if let Some((command, args)) = slash_command(text) {
            self.given = Some(args.to_owned());
            EntryStep::user(Input::Command, Fields::new().with("command", command).with("args", args))
        } else {
            self.after = After::Else;
            if let Some(reason) = not_typed(text, given.as_deref()) {
                sink.passed_over(reason, line);
                return Ok(());
            }
            EntryStep::user(Input::Prompt, Fields::new().with("text", text))
        };
        self.put(sink, step, line)
    }

    fn notice(&mut self, text: &str, line: u64, sink: &mut dyn Sink) -> Result<(), ImportError> {
        if self.block.whose != Whose::Commands {
            self.close(sink)?;
        }
        self.given = None;
        let step = match sort(text) {
            Notice::Other if self.after == After::Command => return self.extend(Whose::Commands, text, line, sink),
            Notice::Other => {
                self.note_error(text);
                sink.passed_over(PassedOver::Bookkeeping, line);
                return Ok(());
            }
            Notice::Model(model) => {
                self.model = Some(ModelId::from(model));
                sink.passed_over(PassedOver::Bookkeeping, line);
                return Ok(());
            }
            Notice::Tokens(usage) => {
                self.report = if text.contains("Cost: ") { TokenReport::Done } else { TokenReport::WithoutCost };
                EntryStep::event(Event::Usage, Fields::new()).usage(Some(usage)).model(self.model.as_ref())
            }
            Notice::Edited(file) => self.edit(file),
            Notice::NotEdited(file, why) => self.edit(file).failing(Some(why)),
            Notice::Committed(hash, message) => self.commit(hash, message),
            Notice::Interrupted(text) => EntryStep::user(Input::Interrupt, Fields::new().with("text", text)),
            Notice::Retrying => {
                let error = std::mem::take(&mut self.error);
                let error = if error.is_empty() { text } else { &error };
                EntryStep::event(Event::ApiError, Fields::new().with("error", error)).failing(Some(error))
            }
        };
        self.close(sink)?;
        self.put(sink, step, line)
    }

    fn note_error(&mut self, text: &str) {
        if text.contains("Error") {
            text.clone_into(&mut self.error);
        }
    }

    fn edit(&self, file: &str) -> EntryStep {
        let arguments = Fields::new().with("path", file).json();
        EntryStep::call("edit", Some(arguments)).files(touched("", "", [file])).model(self.model.as_ref())
    }

    fn commit(&self, hash: &str, message: &str) -> EntryStep {
        let arguments = Fields::new().with("message", message).json();
        let output = Fields::new().with("commit", hash).json();
        EntryStep::call("commit", Some(arguments)).output(Some(output)).model(self.model.as_ref())
    }

    pub(super) fn end(&mut self, end: SessionEnd, sink: &mut dyn Sink) -> Result<(), ImportError> {
        if end == SessionEnd::Source && self.block.whose == Whose::Commands {
            sink.passed_over(PassedOver::Unanswered, self.block.line);
            return Ok(());
        }
        self.close(sink)
    }
}

/// Why a prompt was not typed by a person, where it was not.
fn not_typed(text: &str, given: Option<&str>) -> Option<PassedOver> {
    // What aider writes itself: a question to its help with the documents for it, and what its linter has found.
    const WRITTEN: [&str; 2] = ["# Question: ", "# Fix any errors below"];
    // Aider's word for a prompt of nothing.
    if text.is_empty() || text == "<blank>" {
        Some(PassedOver::Empty)
    } else if given == Some(text) {
        Some(PassedOver::Copy)
    } else {
        WRITTEN.iter().any(|start| text.starts_with(start)).then_some(PassedOver::Injected)
    }
}
