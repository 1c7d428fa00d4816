//! Chat histories of aider (`.aider.chat.history.md`) → entries.
//!
//! Markdown that is only appended to. Only the start of a session has a time, local and without zone: it is taken as
//! UTC, and line n after it happened n milliseconds later. What a person typed stands behind `#### `, what the tool
//! said behind `> `, both with two spaces at the end of the line; all else is the agent's.

mod block;
mod body;
mod notice;
mod session;
#[cfg(test)]
mod tests;

use std::io::BufRead;

use self::block::Marked;
use self::session::{AiderSession, Header, Names, SessionEnd};
use super::common::decoded;
use super::records::{NextLine, read_line};
use super::{Given, ImportError, PassedOver, Sink};

/// As `annals import` names it.
pub(crate) const KIND: &str = "aider";

/// So many lines may come before the first that aider has marked.
const FIRST_MARK_LINES: u64 = 1000;

/// Reads a history: a session for each header, and one for what stands before the first.
pub(crate) fn import(given: &Given<'_>, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let file_name = given.file;
    let mut history = AiderHistory {
        names: Names::new(file_name),
        session: AiderSession::new(Header::none(), 1),
        marked: Marked::No,
        headers: 0,
    };
    let mut bytes = Vec::new();
    let mut number = 0;
    loop {
        number += 1;
        match read_line(input, &mut bytes)? {
            NextLine::End => break,
            NextLine::TooLong => sink.passed_over(PassedOver::TooLong, number),
            NextLine::Whole => history.line(&text_of(&bytes), number, sink)?,
        }
    }
    history.session.end(&mut history.names, SessionEnd::Source, sink)
}

fn text_of(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let end = bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r' | 0)).map_or(0, |last| last + 1);
    decoded(&bytes[..end]).into_owned()
}

struct AiderHistory<'f> {
    names: Names<'f>,
    session: AiderSession,
    marked: Marked,
    headers: u32,
}

impl AiderHistory<'_> {
    fn line(&mut self, line: &str, number: u64, sink: &mut dyn Sink) -> Result<(), ImportError> {
        if let Some(header) = Header::of(line) {
            self.headers += 1;
            let ended = std::mem::replace(&mut self.session, AiderSession::new(header, number));
            return ended.end(&mut self.names, SessionEnd::Header, sink);
        }
        if line.ends_with("  ") && (line.starts_with("#### ") || line.starts_with("> ")) {
            self.marked = Marked::Yes;
        }
        if self.headers == 0 && self.marked == Marked::No && number > FIRST_MARK_LINES {
            let problem = "its first lines have neither a header of a session nor a marked line".to_owned();
            return Err(ImportError::WrongKind { expected: "a chat history of aider", problem });
        }
        self.session.line(line, number, self.marked, &mut self.names, sink)
    }
}
