//! Lines for tests of the log.

/// An entry of a line, so long at least; its number is the end of its id.
pub(super) fn line(number: usize, padding: usize) -> String {
    format!(
        concat!(
            r#"{{"id":"01ARZ3NDEKTSV4RRFF{:08}","timestamp":"2026-11-21T03:10:00.123Z","session_id":"s","#,
            r#""operation":{{"type":"t","name":"n","input":{{"x":"{}"}},"success":true}},"provenance":{{}},"metadata":{{}}}}"#
        ),
        number,
        "x".repeat(padding)
    )
}
