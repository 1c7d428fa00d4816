//! What the output of a call says: whether it did what it was asked, and how long it took.
//!
//! Codex has no flag for it. Exit codes stand in a JSON string (to 0.58), or in the head of a text.

use serde_json::value::RawValue;

use crate::calls::{CallVerdict, Outcome};
use crate::common::{first_line, object_in, text_of};
use crate::object::{Object, keep, millis};

/// Reads the `output` of a `…_output` item. An object in a string is given as the object.
pub fn read(output: Option<&RawValue>) -> Outcome {
    let Some(raw) = output else { return Outcome { verdict: CallVerdict::Done, output: None, duration_ms: None } };
    let text = text_of(raw);
    let object = Object::of(&text);
    let unwrapped = raw.get().starts_with('"') && (object.has("metadata") || object.has("exit_code"));
    let head = OutcomeHead::of_object(&object).or_else(|| OutcomeHead::of_text(&text)).unwrap_or_default();
    let output = if unwrapped { object_in(&text) } else { None };
    Outcome {
        verdict: head.verdict().unwrap_or_else(|| verdict_of(behind_wall_time(&text))),
        output: output.or_else(|| Some(keep(raw))),
        duration_ms: head.duration_ms,
    }
}

/// Whether the command went on when its call had its output.
pub(super) fn still_runs(output: Option<&RawValue>) -> bool {
    let text = output.map(text_of).unwrap_or_default();
    let mut head = text.lines().take(8).take_while(|line| *line != "Output:");
    // Only the head counts, because a command may print the same words behind `Output:`.
    head.any(|line| line.starts_with("Process running with session ID"))
}

/// `Wall time: 8.1 seconds` stands before the words for an abort, too.
fn behind_wall_time(text: &str) -> &str {
    let rest = text.strip_prefix("Wall time: ").and_then(|rest| rest.split_once('\n'));
    rest.map_or(text, |(_, rest)| rest)
}

/// What stands before the output itself.
#[derive(Default)]
struct OutcomeHead {
    exit_code: Option<i64>,
    duration_ms: Option<u64>,
}

impl OutcomeHead {
    /// `{"output":"…","metadata":{"exit_code":0,"duration_seconds":0.1}}`, and the flat form of newer wrappers.
    fn of_object(object: &Object<'_>) -> Option<Self> {
        let metadata = object.object("metadata");
        let exit_code = metadata.integer("exit_code").or_else(|| object.integer("exit_code"))?;
        let seconds = metadata.number("duration_seconds").or_else(|| object.number("wall_time_seconds"));
        Some(Self { exit_code: Some(exit_code), duration_ms: seconds.and_then(millis) })
    }

    /// `Chunk ID: …`, `Wall time: 0.1 seconds`, `Process exited with code 0`, … down to `Output:`.
    fn of_text(text: &str) -> Option<Self> {
        const FIRST: [&str; 3] = ["Chunk ID:", "Exit code:", "Wall time:"];
        if !FIRST.iter().any(|first| text.starts_with(first)) {
            return None;
        }
        let mut head = Self::default();
        // Only above `Output:`, because a command may print such a line itself.
        for line in text.lines().take(8).take_while(|line| *line != "Output:") {
            let code = line.strip_prefix("Process exited with code ").or_else(|| line.strip_prefix("Exit code: "));
            head.exit_code = code.and_then(|code| code.trim().parse().ok()).or(head.exit_code);
            let seconds = line.strip_prefix("Wall time: ").and_then(|rest| rest.strip_suffix(" seconds"));
            head.duration_ms = seconds.and_then(|text| millis(text.parse().ok()?)).or(head.duration_ms);
        }
        Some(head)
    }

    /// `None` where nothing is said.
    fn verdict(&self) -> Option<CallVerdict> {
        match self.exit_code? {
            0 => Some(CallVerdict::Done),
            code => Some(CallVerdict::Failed(format!("exit code {code}"))),
        }
    }
}

/// From the texts that Codex puts in place of an output.
fn verdict_of(text: &str) -> CallVerdict {
    const REJECTED: [&str; 2] = ["patch rejected by user", "exec command rejected by user"];
    const DENIED: [&str; 4] = [
        "approval policy is ", "patch rejected: ", "rejected by user approval settings",
        "Command blocked by PreToolUse hook",
    ];
    const FAILED: [&str; 8] = [
        "apply_patch verification failed", "failed in sandbox", "aborted by user",
        "failed to parse function arguments", "unsupported call", "unable to locate image at ", "write_stdin failed",
        "execution error",
    ];
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| text.starts_with(prefix));
    if begins(&REJECTED) {
        CallVerdict::Rejected(first_line(text))
    } else if begins(&DENIED) {
        CallVerdict::Denied(first_line(text))
    } else if begins(&FAILED) {
        CallVerdict::Failed(first_line(text))
    } else {
        CallVerdict::Done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annals_kernel::json::Json;

    fn ending(output: &str) -> (CallVerdict, Option<u64>) {
        let outcome = read(Some(serde_json::from_str(output).expect("JSON")));
        (outcome.verdict, outcome.duration_ms)
    }

    fn failed(error: &str) -> CallVerdict {
        CallVerdict::Failed(error.to_owned())
    }

    #[test]
    fn exit_codes_are_found_in_every_form() {
        let old = r#""{\"output\":\"no\",\"metadata\":{\"exit_code\":2,\"duration_seconds\":0.25}}""#;
        assert_eq!(ending(old), (failed("exit code 2"), Some(250)));
        let header = r#""Chunk ID: a1\nWall time: 1.5 seconds\nProcess exited with code 1\nOutput:\nExit code: 7\n""#;
        assert_eq!(ending(header), (failed("exit code 1"), Some(1500)));
        let patch = r#""Exit code: 0\nWall time: 0.2 seconds\nOutput:\nSuccess""#;
        assert_eq!(ending(patch), (CallVerdict::Done, Some(200)));
        let blocks = r#"[{"type":"input_text","text":"{\"output\":\"\",\"exit_code\":3,\"wall_time_seconds\":0.2}"}]"#;
        assert_eq!(ending(blocks), (failed("exit code 3"), Some(200)));
        let running = r#""Chunk ID: a1\nWall time: 30.0 seconds\nProcess running with session ID 5\nOutput:\n""#;
        assert_eq!(ending(running), (CallVerdict::Done, Some(30_000)));
    }

    #[test]
    fn texts_in_place_of_an_output_are_known() {
        assert_eq!(ending(r#""patch rejected by user""#).0, CallVerdict::Rejected("patch rejected by user".to_owned()));
        assert_eq!(ending(r#""aborted by user after 2.5s""#).0, failed("aborted by user after 2.5s"));
        let patch = r#""apply_patch verification failed: no such lines in a.rs:\n  x""#;
        assert_eq!(ending(patch).0, failed("apply_patch verification failed: no such lines in a.rs:"));
        assert_eq!(ending(r#""Plan updated""#), (CallVerdict::Done, None));
        assert_eq!(ending(r#""the file says: exit code: 1""#).0, CallVerdict::Done);
    }

    #[test]
    fn an_object_in_a_string_is_unwrapped() {
        let raw: &RawValue =
            serde_json::from_str(r#""{\"output\":\"ok\",\"metadata\":{\"exit_code\":0}}""#).expect("JSON");
        let output = read(Some(raw)).output;
        let expected = Json::from_text(r#"{"output":"ok","metadata":{"exit_code":0}}"#.to_owned()).expect("JSON");
        assert_eq!(output, Some(expected));
    }
}
