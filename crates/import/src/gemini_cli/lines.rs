//! The form of Gemini CLI 0.39 and later (`session-*.jsonl`): a line for each change, appended.
//!
//! The first line says which session it is. A message comes again, whole, whenever something was added to it; `$set`
//! changes what is known of the session and may hold messages; `$rewindTo` takes messages out of the model's view, but
//! not out of what happened. Written from the tool's own reader and writer: no file of a real session was at hand.

use annals_kernel::record::{Event, Input};
use std::io::BufRead;

use serde_json::value::RawValue;

use super::{GeminiHead, GeminiReader, told, wrong_kind};
use crate::common::hash;
use crate::entries::{EntryClock, EntryStep, Fields, Made, Spot, either, pass_unread};
use crate::object::Object;
use crate::records::{Found, each_record};
use crate::{Given, ImportError, PassedOver, Sink};
use annals_kernel::id::AgentId;

/// Whether a source begins like this form: a whole object without messages on a line, and another line.
pub(super) fn is_form_of(beginning: &[u8]) -> bool {
    let Some(end) = beginning.iter().position(|byte| *byte == b'\n') else { return false };
    let (line, rest) = beginning.split_at(end);
    let Ok(line) = serde_json::from_slice::<&RawValue>(line) else { return false };
    let is_head = line.get().starts_with('{') && Object::of(line.get()).list("messages").is_empty();
    is_head && rest.iter().any(|byte| !byte.is_ascii_whitespace())
}

/// Reads a session.
pub(super) fn import(given: &Given<'_>, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let mut session = GeminiSession { given, head: GeminiHead::default(), reader: None };
    each_record(input, |found| {
        let (made, line) = match found {
            Found::Other { line, reason } => (Some(reason), line),
            Found::Record { line, text } => (session.record(sink, &text, line)?, line),
        };
        told(sink, made, line);
        Ok::<(), ImportError>(())
    })?;
    match session.reader {
        Some(reader) => reader.calls.finish(sink, 0),
        None if session.head.session.is_none() => return Err(wrong_kind("there is no sessionId")),
        None => {}
    }
    Ok(())
}

/// A session whose lines are read.
struct GeminiSession<'g> {
    given: &'g Given<'g>,
    head: GeminiHead,
    /// Known with the first message.
    reader: Option<GeminiReader>,
}

impl GeminiSession<'_> {
    fn record(&mut self, sink: &mut dyn Sink, text: &str, line: u64) -> Made {
        let record = Object::of(text);
        if record.has("$rewindTo") {
            self.rewind(sink, &record, text, line)
        } else if record.has("id") {
            self.message(sink, text, line)
        } else if record.has("$set") {
            self.set(sink, &record.object("$set"), line)
        } else if record.has("sessionId") && record.has("projectHash") {
            self.set(sink, &record, line)
        } else {
            self.unread(sink, text, line)
        }
    }

    /// A line of no known form goes by the names of its first members: no text of it is told.
    fn unread(&mut self, sink: &mut dyn Sink, text: &str, line: u64) -> Made {
        let Some(reader) = &mut self.reader else { return Ok(Some(PassedOver::Bookkeeping)) };
        reader.at = reader.at.plus_millis(1);
        let spot = Spot { at: reader.at, clock: EntryClock::Synthetic, record: hash(text).into(), line: Some(line) };
        if !reader.seen.is_new("record", &spot.record) {
            return Ok(Some(PassedOver::Repeated));
        }
        let record = Object::of(text);
        let names: Vec<_> = record.members().map(|(name, _)| name).take(3).collect();
        pass_unread(sink, &format!("line/{}", names.join(".")), text, &reader.origin, &spot)
    }

    fn message(&mut self, sink: &mut dyn Sink, text: &str, line: u64) -> Made {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            None => self.reader.insert(self.head.begin(self.given, text, sink)?),
        };
        reader.message(sink, text, Some(line))
    }

    /// The first line, or a change to it. A session that is resumed names itself again.
    fn set(&mut self, sink: &mut dyn Sink, members: &Object<'_>, line: u64) -> Made {
        if self.head.session.is_none() {
            self.head.session = members.text("sessionId").map(String::from);
            self.head.start = members.time("startTime");
            let is_below = members.text("kind").as_deref() == Some("subagent");
            self.head.asker = is_below.then(|| AgentId::from(super::KIND));
        }
        let mut made = Some(PassedOver::Empty);
        if let Some(summary) = members.text("summary").filter(|_| self.reader.is_some()) {
            let fields = Fields::new().with("text", &summary).with("by", "summary");
            made = either(
                made,
                self.event(sink, EntryStep::event(Event::Title, fields), &format!("title/{}", hash(&summary)), line)?,
            );
        }
        let mut messages = members.list("messages").into_iter().peekable();
        while let Some(message) = messages.next() {
            // What a compression leaves is a summary, and an answer that the tool makes up.
            let answer = messages.next_if(|next| is_answer_to_summary(&Object::of(next.get())));
            made = match (answer, &mut self.reader) {
                (Some(_), Some(reader)) => either(made, reader.compressed(sink, message.get(), line)?),
                (_, _) => either(made, self.message(sink, message.get(), line)?),
            };
        }
        let nothing = made == Some(PassedOver::Empty);
        Ok(if nothing { Some(PassedOver::Bookkeeping) } else { made })
    }

    /// A person went back to before a message.
    fn rewind(&mut self, sink: &mut dyn Sink, record: &Object<'_>, text: &str, line: u64) -> Made {
        let fields = Fields::new().some("message", record.text("$rewindTo").as_deref());
        self.event(sink, EntryStep::user(Input::Rewind, fields), &format!("rewind/{line}/{}", hash(text)), line)
    }

    /// Something that has no time: a millisecond after what stands before it.
    fn event(&mut self, sink: &mut dyn Sink, step: EntryStep, record: &str, line: u64) -> Made {
        let Some(reader) = &mut self.reader else { return Ok(Some(PassedOver::Bookkeeping)) };
        reader.at = reader.at.plus_millis(1);
        let spot = Spot { at: reader.at, clock: EntryClock::Synthetic, record: record.into(), line: Some(line) };
        reader.put(sink, step, &spot)
    }
}

/// The answer that stands behind a summary: the model has not said it.
fn is_answer_to_summary(message: &Object<'_>) -> bool {
    const ANSWER: &str = "Got it. Thanks for the additional context!";
    message.text("type").as_deref() == Some("gemini")
        && message.raw("content").map(crate::common::text_of).as_deref() == Some(ANSWER)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::gemini_cli::import;
    use crate::testing::Collected;

    const HEAD: &str = r#"{"sessionId":"s1","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z","kind":"main"}"#;

    /// A message at this second; `rest` is without braces.
    fn message(second: u32, kind: &str, rest: &str) -> String {
        format!(r#"{{"id":"m{second}","timestamp":"2026-01-01T00:00:{second:02}.000Z","type":"{kind}",{rest}}}"#)
    }

    const CALL: &str = r#""toolCalls":[{"id":"c1","name":"read_file","args":{"file_path":"a.md"},"status":"success","timestamp":"2026-01-01T00:00:05.000Z","result":[{"functionResponse":{"id":"c1","name":"read_file","response":{"output":"text"}}}]}]"#;
    const TOKENS: &str = r#""tokens":{"input":100,"output":10,"cached":60,"thoughts":5,"tool":0,"total":115}"#;

    /// A session as it is written while it goes on.
    fn session() -> Vec<String> {
        let reply = r#""content":[{"text":"I look."}],"model":"m-1""#;
        let context = message(1, "user", r#""content":[{"text":"<session_context>\nToday is …"}]"#);
        vec![
            HEAD.to_owned(),
            format!(r#"{{"$set":{{"messages":[{context}]}}}}"#),
            message(2, "user", r#""content":[{"text":"fix it: long file"}],"displayContent":[{"text":"fix it"}]"#),
            r#"{"$set":{"lastUpdated":"2026-01-01T00:00:02.000Z"}}"#.to_owned(),
            message(4, "gemini", reply),
            message(4, "gemini", &[reply, TOKENS].join(",")),
            message(4, "gemini", &[reply, TOKENS, CALL].join(",")),
            r#"{"$set":{"summary":"Fixing it"}}"#.to_owned(),
            r#"{"$rewindTo":"m4"}"#.to_owned(),
            message(8, "user", r#""content":[{"text":"<state_snapshot>so far</state_snapshot>"}]"#),
            r#"{"odd":1}"#.to_owned(),
        ]
    }

    fn read(lines: &[String]) -> Collected {
        Collected::of(import, "session.jsonl", &(lines.join("\n") + "\n"))
    }

    #[test]
    fn a_line_adds_what_is_new_in_it() {
        let sink = read(&session());
        assert_snapshot!(sink.lines(), @r#"
        00:00.000Z gemini-cli system_event session_start {"tool":"gemini-cli","native_id":"s1"}
        00:02.000Z user user_input prompt {"text":"fix it"}
        00:04.000Z gemini-cli agent_message message {"text":"I look."} model=m-1
        00:04.000Z gemini-cli system_event usage {} model=m-1 usage={"requests":1,"input":40,"cache_read":60,"output":15,"reasoning":5}
        00:05.000Z gemini-cli tool_call read_file {"file_path":"a.md"} output={"output":"text"} ms=1000 model=m-1 files=a.md
        00:04.001Z gemini-cli system_event title {"text":"Fixing it","by":"summary"}
        00:04.002Z user user_input rewind {"message":"m4"}
        00:08.000Z gemini-cli system_event compaction {"summary":"<state_snapshot>so far</state_snapshot>"}
        00:08.001Z gemini-cli system_event unknown_record {"record":{"odd":1}}
        "#);
        assert_eq!(
            sink.passed,
            [(PassedOver::Bookkeeping, 1), (PassedOver::Injected, 2), (PassedOver::Bookkeeping, 4)]
        );
    }

    #[test]
    fn a_session_that_is_cut_anywhere_gives_entries_of_the_whole() {
        let lines = session();
        let whole = read(&lines);
        for end in 2..lines.len() {
            let cut = read(&lines[..end]);
            assert_eq!(whole.drafts[..cut.drafts.len()], cut.drafts, "{end} lines");
        }
    }

    #[test]
    fn lines_that_come_again_add_nothing() {
        let lines = session();
        let twice = [&lines[..], &lines[..8]].concat();
        assert_eq!(read(&twice).drafts, read(&lines).drafts);
    }

    #[test]
    fn a_document_that_went_on_as_lines_gives_the_entries_it_gave() {
        let first = message(1, "user", r#""content":"fix it""#);
        let reply = message(2, "gemini", r#""content":"I look.","model":"m-1""#);
        let document = format!("{},\"messages\":[{first},{reply}]}}", HEAD.trim_end_matches('}'));
        let ids = |sink: &Collected| sink.drafts.iter().map(crate::Draft::id).collect::<Vec<_>>();
        let document = Collected::of(import, "session.json", &document);
        assert_eq!(ids(&document), ids(&read(&[HEAD.to_owned(), first, reply])));
        assert_eq!(document.drafts.len(), 3);
    }

    #[test]
    fn a_sub_agent_is_asked_by_the_agent_above_it() {
        let lines = [HEAD.replace("main", "subagent"), message(1, "user", r#""content":"look around""#)];
        assert_snapshot!(read(&lines).lines(), @r#"
        00:00.000Z gemini-cli system_event session_start {"tool":"gemini-cli","native_id":"s1"}
        00:01.000Z gemini-cli user_input prompt {"text":"look around"}
        "#);
    }

    #[test]
    fn lines_without_a_session_are_refused() {
        let refused = import(&"a.jsonl".into(), &mut "{\"a\":1}\n{\"b\":2}\n".as_bytes(), &mut Collected::default());
        assert!(matches!(refused, Err(ImportError::WrongKind { .. })));
        let claude = r#"{"type":"user","uuid":"u1","sessionId":"s1","message":{"content":"go"}}"#;
        let refused = import(&"a.jsonl".into(), &mut [claude, claude].join("\n").as_bytes(), &mut Collected::default());
        assert!(matches!(refused, Err(ImportError::WrongKind { .. })), "lines of another tool");
        let torn = [HEAD.to_owned(), "{\"id\":\"m1\",\"ty".to_owned(), message(2, "user", r#""content":"go""#)];
        assert_eq!(read(&torn).passed(PassedOver::Damaged), 1);
    }
}
