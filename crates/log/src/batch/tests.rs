//! What lines look like after crashes, merges and other tools, and what is read of them.

use super::*;

fn line(id: char) -> String {
    format!(
        concat!(
            r#"{{"id":"01ARZ3NDEKTSV4RRFFQ69G5FA{}","timestamp":"2026-11-21T03:10:00.123Z","session_id":"s","#,
            r#""operation":{{"type":"tool_call","name":"Bash","input":{{}},"success":true}},"provenance":{{}},"metadata":{{}}}}"#
        ),
        id
    )
}

/// The last characters of the ids that were read, and the troubles.
fn read(text: &[u8]) -> (String, Vec<(u64, TroubleKind)>) {
    let mut batch = Batch::decode(text.to_vec(), 0);
    let ids = batch.entries().map(|entry| entry.envelope.id().to_string().pop().expect("26 characters")).collect();
    (ids, std::mem::take(&mut batch.troubles).into_iter().map(|trouble| (trouble.line, trouble.kind)).collect())
}

fn text(parts: &[&str]) -> Vec<u8> {
    parts.concat().into_bytes()
}

#[test]
fn whole_lines_are_read_in_place() {
    assert_eq!(read(&text(&[&line('A'), "\n", &line('B'), "\n"])), ("AB".to_owned(), vec![]));
}

#[test]
fn bom_crlf_and_blank_lines_are_no_trouble() {
    assert_eq!(read(&text(&["\u{FEFF}", &line('A'), "\r\n\r\n", &line('B'), "\r\n"])), ("AB".to_owned(), vec![]));
}

#[test]
fn glued_lines_come_apart() {
    let glued = text(&[&line('A'), &line('B'), "\n", &line('C'), "\n"]);
    assert_eq!(read(&glued), ("ABC".to_owned(), vec![(1, TroubleKind::Glued(2))]));
}

#[test]
fn behind_a_torn_line_the_next_one_is_read() {
    for cut in 1..line('A').len() - 1 {
        let torn = text(&[&line('A')[..cut], &line('B'), "\n", &line('C'), "\n"]);
        let (ids, troubles) = read(&torn);
        assert_eq!(ids, "BC", "cut at {cut}: {troubles:?}");
        assert!(matches!(troubles[..], [(1, TroubleKind::Torn(_))]), "cut at {cut}: {troubles:?}");
    }
}

#[test]
fn what_a_crash_and_a_merge_leave_behind_is_named() {
    let marked =
        text(&["<<<<<<< ours\n", &line('A'), "\n=======\n", &line('B'), "\n>>>>>>> theirs\n\0\0\0", &line('C'), "\n"]);
    let expected = vec![
        (1, TroubleKind::ConflictMarker),
        (3, TroubleKind::ConflictMarker),
        (5, TroubleKind::ConflictMarker),
        (6, TroubleKind::NulRun(3)),
    ];
    assert_eq!(read(&marked), ("ABC".to_owned(), expected));
}

#[test]
fn other_tools_lines_are_rewritten_and_the_original_kept() {
    let camel = line('A').replace("session_id", "sessionId").replace(',', ", ");
    let batch = Batch::decode(format!("{camel}\n").into_bytes(), 0);
    let entry = batch.entries().next().expect("one entry");
    assert_eq!((entry.original, entry.envelope.line()), (camel.as_bytes(), line('A').as_bytes()));
}

#[test]
fn damage_is_read_as_far_as_it_goes() {
    let mut bytes = text(&[&line('A').replace("Bash", "B?sh"), "\n[]\n{}\nnull\n"]);
    let mark = bytes.iter().position(|byte| *byte == b'?').expect("the mark");
    bytes[mark] = 0xFF;
    let (ids, troubles) = read(&bytes);
    let kinds: Vec<_> = troubles.iter().map(|(line, kind)| format!("{line}: {kind}")).collect();
    assert_eq!(ids, "A");
    insta::assert_snapshot!(kinds.join("\n"), @r"
    1: bytes that are not UTF-8
    2: not an entry: entry: invalid type: sequence, expected an object
    3: not an entry: id: is missing
    4: not an entry: entry: invalid type: null, expected an object
    ");
}

#[test]
fn an_unfinished_last_line_is_read_if_it_is_whole() {
    assert_eq!(read(line('A').as_bytes()), ("A".to_owned(), vec![(1, TroubleKind::Unfinished)]));
    let (ids, troubles) = read(&line('A').as_bytes()[..100]);
    assert_eq!((ids.as_str(), troubles.len()), ("", 2));
}

#[test]
fn depth_is_no_danger() {
    let deep =
        line('A').replace(r#""input":{}"#, &format!(r#""input":{}{}"#, "[".repeat(200_000), "]".repeat(200_000)));
    assert_eq!(read(format!("{deep}\n").as_bytes()), ("A".to_owned(), vec![]));
    assert_eq!(read(format!(" {deep}}}\n").as_bytes()).0, "A");
}
