//! Everything that a fold reads of a finished call, at once: its arguments and its output are read, and its command line is
//! taken apart, at most once for all of it.
//!
//! Does not know what came before.

use std::cell::OnceCell;

use serde_json::Value;

use super::arguments::Arguments;
use super::effect::{CommandEffect, effects_of};
use super::shell::Line;
use super::{Call, CallKind, check, nothing, tool, written};
use crate::envelope::{Ending, Envelope};
use crate::fingerprint::{self, Fingerprinted};
use crate::json::{said, texts};
use crate::record::Kind;

/// A finished call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished<'a> {
    /// What it was.
    pub call: Call<'a>,
    /// The files that it changed, as `call::written` tells them.
    pub written: Vec<Box<str>>,
    /// Where it failed, what its error says; where that is no more than a code, what it printed where programs do.
    pub error: Option<Fingerprinted>,
    /// Of a check that failed the fingerprint of its error, as `check::error_of` tells it.
    pub failed: Option<Box<str>>,
    /// Whether it failed only because it found nothing.
    pub found_nothing: bool,
    /// Of a command line, what it does that is hard to undo.
    pub effects: Vec<CommandEffect>,
}

impl<'a> Finished<'a> {
    /// The call that an entry is.
    pub fn in_envelope(entry: &Envelope<'a>) -> Option<Self> {
        if entry.record() != Kind::Call {
            return None;
        }
        let file = || entry.files().into_iter().next();
        let (arguments, text) = entry.input_and_text().unwrap_or_else(|| {
            let text = entry.input_text().unwrap_or("{}");
            (Arguments::read(text), text.as_bytes())
        });
        let name = entry.name();
        let kind = tool::kind(&name, &arguments);
        let line = arguments.command.as_deref().map(Line::of);
        let call = Call::judged(name.clone(), kind, &arguments, line.as_ref(), text, file);
        let written = written::of(entry, kind, &arguments, line.as_ref());
        let printed = Printed::of(entry);
        let effects = effects_in(name.as_ref(), kind, line.as_ref());
        let found_nothing = nothing::of(entry, kind, line.as_ref(), &printed);
        let line = line.filter(|_| !tool::is_of_editor(&name, &arguments));
        let has_failed = check::has_failed(entry, call.kind, line.as_ref(), &printed);
        let error = entry.error().unwrap_or_default();
        let told = (entry.ending() == Ending::Failed).then(|| ToldBy::of(&error, &printed));
        let failed = has_failed.then(|| match &told {
            Some(told) => told.print_by(&error, &printed),
            None => check::error_of(&error, || printed.texts()),
        });
        let error = told.map(ToldBy::told);
        Some(Self { call, written, error, failed, found_nothing, effects })
    }

    /// The same, with texts of its own.
    pub fn into_owned(self) -> Finished<'static> {
        let Self { call, written, error, failed, found_nothing, effects } = self;
        Finished { call: call.into_owned(), written, error, failed, found_nothing, effects }
    }
}

/// Only of what a shell runs: an editor's `command` is none.
fn effects_in(name: &str, kind: CallKind, line: Option<&Line<'_>>) -> Vec<CommandEffect> {
    let is_shell = kind == CallKind::Shell && tool::by_name(name) == CallKind::Shell;
    line.filter(|_| is_shell).map(|line| effects_of(line.acts())).unwrap_or_default()
}

/// What an error says, and by what.
enum ToldBy {
    Itself(Fingerprinted),
    Output(Fingerprinted),
}

impl ToldBy {
    fn of(error: &str, printed: &Printed<'_>) -> Self {
        let by_output = || Fingerprinted::by_output(error, || printed.value().map(said).unwrap_or_default());
        Fingerprinted::by_itself(error).map_or_else(|| Self::Output(by_output()), Self::Itself)
    }

    fn told(self) -> Fingerprinted {
        let (Self::Itself(told) | Self::Output(told)) = self;
        told
    }

    /// Checks are told by all that was printed: most often by the same line of it, whose fingerprint is there.
    fn print_by(&self, error: &str, printed: &Printed<'_>) -> Box<str> {
        let print = match self {
            Self::Itself(told) => told.print.clone(),
            Self::Output(told) => match fingerprint::telling(error, || printed.texts()) {
                text if text == told.text => told.print.clone(),
                text => fingerprint::of(&text),
            },
        };
        check::unless_bare(print)
    }
}

/// What a call printed; read when it is first asked for.
pub(super) struct Printed<'e> {
    entry: &'e Envelope<'e>,
    value: OnceCell<Option<Value>>,
}

impl<'e> Printed<'e> {
    pub(super) fn of(entry: &'e Envelope<'e>) -> Self {
        Self { entry, value: OnceCell::new() }
    }

    fn value(&self) -> Option<&Value> {
        self.value.get_or_init(|| self.entry.output()).as_ref()
    }

    /// All its texts.
    pub(super) fn texts(&self) -> String {
        self.value().map(texts).unwrap_or_default()
    }
}
