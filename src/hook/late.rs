//! Transcripts that are behind their hooks: the Copilot CLI writes in lumps, and the last one after its last hook.
//!
//! The process in the background waits for them, for a bounded time and without holding anybody up. Does not import;
//! `transcripts` does.

use std::io;
use std::thread;
use std::time::Duration;

use memchr::memmem;

use crate::engine::Engine;

use super::transcripts::{self, Transcript};
use super::{copilot, rollout};

const PAUSE: Duration = Duration::from_millis(250);

/// So often a transcript is looked at that does not grow: ten seconds.
const MOST_LOOKS: usize = 40;

/// The record with which a transcript of the Copilot CLI ends.
const END: &[u8] = b"\"type\":\"session.shutdown\"";

/// Transcripts that were read up to a length, and are not at their end.
#[derive(Debug, Default)]
pub(super) struct Late(Vec<(Transcript, u64)>);

impl Late {
    /// Remembers how long a transcript is that is to be read now, where its tool is known to be behind.
    pub(super) fn watch(&mut self, engine: &Engine, transcript: &Transcript) {
        self.0.retain(|(known, _)| known.path != transcript.path);
        if transcript.kind != copilot::KIND {
            return;
        }
        // Of a short session nothing may be written before its last hook.
        let length = length(engine, transcript).unwrap_or(0);
        if !rollout::tail(&**engine.disk(), &transcript.path).is_some_and(|tail| has_ended(&tail)) {
            self.0.push((transcript.clone(), length));
        }
    }

    /// Waits until one has grown and rests, which is left to be imported, or until `is_left` says that there is other work.
    pub(super) fn wait(&mut self, engine: &Engine, is_left: impl Fn() -> io::Result<bool>) -> io::Result<()> {
        let mut looks = 0;
        let mut lengths: Vec<u64> = self.0.iter().map(|(_, length)| *length).collect();
        while looks < MOST_LOOKS && !self.0.is_empty() && !is_left()? {
            thread::sleep(PAUSE);
            looks += 1;
            for ((transcript, read), seen) in self.0.iter().zip(&mut lengths) {
                let now = length(engine, transcript).unwrap_or(*read);
                // Grown, and the same at two looks: what is read in the middle of a lump would end in half a record.
                if now != *read && now == *seen {
                    transcripts::leave(engine, transcript)?;
                }
                *seen = now;
            }
        }
        Ok(())
    }
}

fn length(engine: &Engine, transcript: &Transcript) -> Option<u64> {
    Some(engine.disk().look(&transcript.path).ok()??.len)
}

/// Whether nothing was said after the last end: a session that goes on has a `session.resume` behind it.
fn has_ended(tail: &[u8]) -> bool {
    let last = tail.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    memmem::find(last, END).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_has_ended_where_its_last_record_says_so() {
        let end = r#"{"type":"session.shutdown","data":{}}"#;
        assert!(has_ended(format!("{{}}\n{end}\n").as_bytes()));
        assert!(!has_ended(format!("{end}\n{{\"type\":\"session.resume\"}}\n").as_bytes()));
        assert!(!has_ended(b""));
    }
}
