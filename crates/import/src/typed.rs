//! Sources that hold one session, of records with a `type` and a `timestamp` each: what Codex and the Copilot CLI write.
//!
//! Puts the records in order, finds out where they stand and begins the session. Does not look into them further.

use std::cell::Cell;
use std::io::BufRead;

use super::entries::{EntryClock, Made, Spot};
use super::feed::{DueRecord, Rank, WindowPlace, each_line};
use super::object::{Object, early, time};
use super::{Given, ImportError, Sink};
use annals_kernel::time::Timestamp;

/// A session, as it is read.
pub(crate) trait TypedSession: Sized {
    /// What the source should be.
    const EXPECTED: &'static str;
    /// Who writes it.
    const WRITER: &'static str;
    /// The type of the record that says which session it is.
    const HEAD: &'static str;

    /// Whether the writer writes records of this type.
    fn is_known(kind: &str) -> bool;

    /// The name of a record: its own, or a hash of it.
    fn name(record: &Object<'_>, hash: &str) -> Box<str>;

    /// Begins with the first record. Where that is the head, it has its entry thereby.
    fn begin(given: &Given<'_>, record: &Object<'_>, spot: &Spot, sink: &mut dyn Sink) -> Result<Self, ImportError>;

    /// Takes a record.
    fn record(&mut self, sink: &mut dyn Sink, text: &str, record: &Object<'_>, spot: &Spot) -> Made;

    /// Says what waited in vain.
    fn finish(self, sink: &mut dyn Sink);
}

/// Reads a source.
pub(crate) fn import<S: TypedSession>(
    given: &Given<'_>,
    input: &mut dyn BufRead,
    sink: &mut dyn Sink,
) -> Result<(), ImportError> {
    let known = Cell::new(false);
    let mut session: Option<S> = None;
    each_line(
        input,
        sink,
        |text| place::<S>(text, &known),
        |sink, line| {
            // Asked only when a record leaves the window: known types behind unknown ones have been seen by then.
            if !known.get() {
                let problem = format!("no record has a type that {} writes", S::WRITER);
                return Err(ImportError::WrongKind { expected: S::EXPECTED, problem });
            }
            let made = take(&mut session, given, sink, &line)?;
            if let Some(reason) = made {
                sink.passed_over(reason, line.number);
            }
            Ok(())
        },
    )?;
    if let Some(session) = session {
        session.finish(sink);
    }
    Ok(())
}

fn place<S: TypedSession>(text: &str, known: &Cell<bool>) -> WindowPlace {
    let [kind, at] = early(text, ["type", "timestamp"]);
    let kind = kind.unwrap_or_default();
    known.set(known.get() || S::is_known(&kind));
    let rank = if kind == S::HEAD { Rank::Head } else { Rank::Timed };
    WindowPlace { at: at.and_then(|at| time(&at)), rank }
}

fn take<S: TypedSession>(session: &mut Option<S>, given: &Given<'_>, sink: &mut dyn Sink, line: &DueRecord) -> Made {
    let record = Object::of(&line.text);
    let spot = spot::<S>(line, &record);
    if let Some(session) = session {
        return session.record(sink, &line.text, &record, &spot);
    }
    let begun = session.insert(S::begin(given, &record, &spot, sink)?);
    let is_head = record.text("type").as_deref() == Some(S::HEAD);
    if is_head { Ok(None) } else { begun.record(sink, &line.text, &record, &spot) }
}

fn spot<S: TypedSession>(line: &DueRecord, record: &Object<'_>) -> Spot {
    let clock = if record.time("timestamp").is_some() { EntryClock::Tool } else { EntryClock::Synthetic };
    let made_up = || Timestamp::from_millis(0).plus_millis(i64::try_from(line.number).unwrap_or(0) * 1000);
    let record = S::name(record, &line.hash);
    Spot { at: line.at.unwrap_or_else(made_up), clock, record, line: Some(line.number) }
}
