//! The exit code of a call, from the end of the rollout that Codex keeps: its hook has none (FORMATS 2).
//!
//! Looks at the last 64 KiB only; where the code is not there (yet), nobody knows it.

use std::path::Path;

use memchr::memmem;
use serde::Deserialize;

use crate::import::claude_code::raw::Raw;
use crate::log::disk::Disk;

const TAIL_BYTES: u64 = 64 << 10;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    payload: Raw<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Item<'a> {
    #[serde(borrow)]
    call_id: Raw<'a>,
    output: Raw<'a>,
    exit_code: Raw<'a>,
}

/// The exit code of a call.
pub(super) fn exit_code(disk: &dyn Disk, rollout: &Path, call: &str) -> Option<i64> {
    let end = disk.look(rollout).ok()??.len;
    let start = end.saturating_sub(TAIL_BYTES);
    let mut bytes = vec![0; usize::try_from(end - start).ok()?];
    let count = disk.open(rollout).ok()?.read_at(&mut bytes, start).ok()?;
    let lines = bytes[..count].split(|byte| *byte == b'\n').rev();
    lines.filter(|line| memmem::find(line, call.as_bytes()).is_some()).find_map(|line| code_in(line, call))
}

fn code_in(line: &[u8], call: &str) -> Option<i64> {
    let line: Line<'_> = serde_json::from_slice(line).ok()?;
    let item: Item<'_> = line.payload.read()?;
    if item.call_id.text().as_deref() != Some(call) {
        return None;
    }
    item.exit_code.owned().or_else(|| code_in_text(&item.output.text()?))
}

/// `{"metadata":{"exit_code":0}}`, or a head with `Process exited with code 0` or `Exit code: 0` before `Output:`.
fn code_in_text(text: &str) -> Option<i64> {
    #[derive(Deserialize)]
    struct Wrapped {
        metadata: Option<Metadata>,
        exit_code: Option<i64>,
    }
    #[derive(Deserialize)]
    struct Metadata {
        exit_code: Option<i64>,
    }

    if let Ok(wrapped) = serde_json::from_str::<Wrapped>(text) {
        return wrapped.metadata.and_then(|metadata| metadata.exit_code).or(wrapped.exit_code);
    }
    let head = text.lines().take(8).take_while(|line| *line != "Output:");
    let code = |line: &str| {
        let code = line.strip_prefix("Process exited with code ").or_else(|| line.strip_prefix("Exit code: "))?;
        code.trim().parse().ok()
    };
    head.into_iter().find_map(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::disk::RealDisk;

    fn found(lines: &str) -> Option<i64> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rollout.jsonl");
        std::fs::write(&path, lines).expect("written");
        exit_code(&RealDisk, &path, "call_1")
    }

    #[test]
    fn the_code_stands_in_one_of_three_places() {
        let event = r#"{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"call_1","exit_code":3}}"#;
        assert_eq!(found(event), Some(3));
        let head = r#"{"payload":{"call_id":"call_1","output":"Chunk ID: a\nProcess exited with code 4\nOutput:\n"}}"#;
        assert_eq!(found(&format!("{head}\n{{\"payload\":{{}}}}\n")), Some(4));
        let wrapped = r#"{"payload":{"call_id":"call_1","output":"{\"output\":\"\",\"metadata\":{\"exit_code\":5}}"}}"#;
        assert_eq!(found(wrapped), Some(5));
    }

    #[test]
    fn the_code_of_another_call_is_not_taken() {
        let other = r#"{"payload":{"call_id":"call_11","output":"Exit code: 1\nOutput:\n"}}"#;
        assert_eq!(found(other), None);
        assert_eq!(found("{\"payload\":{\"call_id\":\"call_1\",\"name\":\"shell\"}}\ncut off \"call_1\""), None);
    }

    #[test]
    fn only_the_end_of_a_long_rollout_is_read() {
        let call = r#"{"payload":{"call_id":"call_1","exit_code":3}}"#;
        let filler = format!("{{\"payload\":\"{}\"}}\n", "x".repeat(1000)).repeat(70);
        assert_eq!(found(&format!("{call}\n{filler}")), None);
        assert_eq!(found(&format!("{filler}{call}\n")), Some(3));
    }
}
