//! A command line, taken apart into simple commands: their words without quotes, where their output goes, what they read
//! from the line itself. The one lexer of shell: calls, guards, checks and seals read what it gives.
//!
//! Expands nothing, runs nothing. What stands in `$(…)`, back quotes, `<(…)` and documents that are expanded is a command,
//! too, and comes before the command in whose words it stands. Takes any text, and never fails.

mod words;

use std::borrow::Cow;

/// What stands between a command and the one before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Joint {
    /// `;`, `&`, a new line, a bracket, or nothing.
    #[default]
    Other,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
}

/// Which output goes somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// What it prints, alone or with what it says of errors.
    Printed,
    /// Another one.
    Other,
}

/// What becomes of what stands in the file that output goes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RedirectMode {
    /// It goes: `>`.
    #[default]
    Truncate,
    /// It stays, and the output comes behind it: `>>`.
    Append,
}

/// A file that output goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RedirectTarget<'c> {
    pub(super) file: Cow<'c, str>,
    pub(super) stream: Stream,
    pub(super) mode: RedirectMode,
}

/// One simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Command<'c> {
    pub(super) words: Vec<Cow<'c, str>>,
    pub(super) outputs: Vec<RedirectTarget<'c>>,
    /// Here-documents, and the texts behind `<<<`.
    pub(super) documents: Vec<Cow<'c, str>>,
    /// What stands before it.
    pub(super) joint: Joint,
    /// Whether only what it prints is wanted: `$(…)`.
    pub(super) is_asked: bool,
}

/// Brackets in brackets are not followed further; what stands in them is read as if they were not there.
const MOST_DEPTH: u8 = 32;

/// Takes a text apart. What comes first in the text comes first here.
pub(super) fn commands(text: &str) -> Vec<Command<'_>> {
    let mut lexer = Lexer::new(text, 0);
    lexer.read(None);
    lexer.done
}

/// Whether a byte of a word means something.
fn ends_run(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b'\'' | b'"' | b'\\' | b'$' | b'`' | b'>' | b'<' | b';' | b'|' | b'&' | b'(' | b')')
}

/// What the next word is.
#[derive(Default, Clone, Copy)]
enum Next {
    #[default]
    Word,
    Output(Stream, RedirectMode),
    Input,
    Text,
    Document(Indent),
}

/// What may stand before the end of a document.
#[derive(Clone, Copy)]
enum Indent {
    Nothing,
    Tabs,
}

/// A document that begins with the next line.
struct Awaited<'c> {
    end: Cow<'c, str>,
    indent: Indent,
    is_expanded: bool,
    /// Which of the documents of which command, once that is done.
    place: usize,
    command: Option<usize>,
}

/// The command that is being read.
#[derive(Default)]
struct Open<'c> {
    now: Command<'c>,
    word: Option<Cow<'c, str>>,
    is_quoted: bool,
    next: Next,
    awaited: Vec<Awaited<'c>>,
    /// `case`s without their `esac`: there `)` ends a pattern.
    cases: u32,
}

struct Lexer<'c> {
    text: &'c str,
    at: usize,
    depth: u8,
    open: Open<'c>,
    done: Vec<Command<'c>>,
}

impl<'c> Lexer<'c> {
    fn new(text: &'c str, depth: u8) -> Self {
        Self { text, at: 0, depth, open: Open::default(), done: Vec::new() }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// The text from here on, up to one of some bytes.
    fn run(&mut self, ends: impl Fn(u8) -> bool) -> &'c str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(ends).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Reads commands up to a bracket or to the end.
    fn read(&mut self, close: Option<u8>) {
        while let Some(byte) = self.byte(0) {
            if byte == b')' {
                self.end_word();
            }
            if close == Some(byte) && (byte != b')' || self.open.cases == 0) {
                self.at += 1;
                break;
            }
            self.step(byte);
        }
        self.end_command(Joint::Other);
    }

    fn step(&mut self, byte: u8) {
        match byte {
            b'\'' | b'"' | b'\\' | b'$' | b'`' => self.quoted(byte),
            b'#' if self.open.word.is_none() => drop(self.run(|byte| byte == b'\n')),
            b'&' if self.byte(1) == Some(b'>') => {
                self.end_word();
                self.at += 1;
            }
            b'>' => self.output(),
            b'<' => self.input(),
            b';' | b'|' | b'&' | b'(' | b')' | b'\n' => self.joint(byte),
            _ if byte.is_ascii_whitespace() => {
                self.at += 1;
                self.end_word();
            }
            _ => {
                let run = self.run(ends_run);
                self.push(run);
            }
        }
    }

    fn joint(&mut self, byte: u8) {
        self.at += 1;
        let is_double = self.byte(0) == Some(byte) && matches!(byte, b';' | b'|' | b'&');
        self.at += usize::from(is_double);
        let joint = match (byte, is_double) {
            (b'&', true) => Joint::And,
            (b'|', true) => Joint::Or,
            (b'|', false) => Joint::Pipe,
            (_, _) => Joint::Other,
        };
        self.at += usize::from(joint == Joint::Pipe && self.byte(0) == Some(b'&'));
        self.end_command(joint);
        match byte {
            b'\n' => self.documents(),
            b'(' if self.depth < MOST_DEPTH => {
                self.depth += 1;
                self.read(Some(b')'));
                self.depth -= 1;
            }
            _ => {}
        }
    }

    /// Nothing between two joints changes neither: `a |` may go on in the next line.
    fn end_command(&mut self, joint: Joint) {
        self.end_word();
        self.open.next = Next::Word;
        let now = &mut self.open.now;
        if now.words.is_empty() && now.outputs.is_empty() && now.documents.is_empty() {
            now.joint = if joint == Joint::Other { now.joint } else { joint };
            return;
        }
        for awaited in &mut self.open.awaited {
            awaited.command.get_or_insert(self.done.len());
        }
        self.done.push(std::mem::replace(now, Command { joint, ..Command::default() }));
    }

    /// Commands inside a word: they are read on their own, and the word keeps a mark that something is missing.
    fn nested(&mut self, close: u8) {
        if self.depth == MOST_DEPTH {
            return self.end_command(Joint::Other);
        }
        let (outer, first) = (std::mem::take(&mut self.open), self.done.len());
        self.depth += 1;
        self.read(Some(close));
        self.depth -= 1;
        self.open = outer;
        self.done[first..].iter_mut().for_each(|command| command.is_asked = true);
        self.push("$");
    }

    /// Documents begin behind the line that names them. What one holds is data, but where it is expanded.
    fn documents(&mut self) {
        for awaited in std::mem::take(&mut self.open.awaited) {
            let body = self.document(&awaited);
            if let Some(document) =
                awaited.command.and_then(|of| self.done.get_mut(of)?.documents.get_mut(awaited.place))
            {
                *document = Cow::Borrowed(body);
            }
            if awaited.is_expanded && self.depth < MOST_DEPTH {
                let mut inside = Lexer::new(body, self.depth + 1);
                inside.expanded(None);
                self.done.append(&mut inside.done);
            }
        }
    }

    fn document(&mut self, awaited: &Awaited<'c>) -> &'c str {
        let rest = &self.text[self.at..];
        let mut length = 0;
        for line in rest.split_inclusive('\n') {
            let bare = line.trim_end_matches(['\n', '\r']);
            let bare = match awaited.indent {
                Indent::Nothing => bare,
                Indent::Tabs => bare.trim_start_matches('\t'),
            };
            if *bare == *awaited.end {
                self.at += length + line.len();
                return &rest[..length];
            }
            length += line.len();
        }
        self.at = self.text.len();
        rest
    }
}

#[cfg(test)]
mod tests;
