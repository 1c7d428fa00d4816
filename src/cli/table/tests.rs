//! Tables at several widths, and of any cells.

use proptest::prelude::*;

use super::*;
use crate::view::escape;

const COLUMNS: [Column; 5] = [Key("id"), Goes(2, "tags"), Key("state"), Goes(1, "votes"), Text("title")];

fn row(cells: [&str; 5]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

fn rows() -> [Vec<String>; 2] {
    [
        row(["01KAJ0000000000000000000AA", "#a #b", "open", "3", "A title that says in eight words what it is for"]),
        row(["01KAJ0000000000000000000BB", "#漢字", "frozen", "12", "漢字の題名 👨\u{200d}👩\u{200d}👧 e\u{301}"]),
    ]
}

fn drawn(room: usize) -> Vec<String> {
    let Drawn { header, rows, hidden } = draw(&COLUMNS, &rows(), room);
    [vec![header], rows, vec![hidden.join(" ")]].concat()
}

#[test]
fn columns_go_in_their_order_and_then_texts_are_cut() {
    let wide = [
        "ID        TAGS   STATE   VOTES  TITLE",
        "000000AA  #a #b  open    3      A title that says in eight words what it is for",
        "000000BB  #漢字  frozen  12     漢字の題名 👨\u{200d}👩\u{200d}👧 e\u{301}",
        "",
    ];
    let fewer = [
        "ID        TAGS   STATE   TITLE",
        "000000AA  #a #b  open    A title that says in eight…",
        "000000BB  #漢字  frozen  漢字の題名 👨\u{200d}👩\u{200d}👧 e\u{301}",
        "votes",
    ];
    let narrow = [
        "ID        STATE   TITLE",
        "000000AA  open    A title that…",
        "000000BB  frozen  漢字の題名 👨\u{200d}👩\u{200d}👧…",
        "tags votes",
    ];
    for (room, expected) in [(200, wide), (53, fewer), (32, narrow)] {
        assert_eq!(drawn(room), expected, "{room}");
    }
}

#[test]
fn ids_are_as_long_as_tells_them_apart() {
    let ids = ["01KAJ00000000000A000000000", "01KAJ00000000000B000000000", "01KAJ00000000000C000000000.12", "no id"];
    let rows = ids.map(|id| vec![id.to_owned()]);
    assert_eq!(draw(&[Key("id")], &rows, 80).rows, ["A000000000", "B000000000", "C000000000.12", "no id"]);
}

fn column() -> impl Strategy<Value = Column> {
    prop_oneof![Just(Key("key")), Just(Text("text")), (0..4_u8).prop_map(|rank| Goes(rank, "goes"))]
}

fn cell() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z ]{0,60}", "\\PC{0,40}", "(漢|e\u{301}|👨\u{200d}👩\u{200d}👧|لا|x| ){0,40}"]
}

fn table() -> impl Strategy<Value = (Vec<Column>, Vec<Vec<String>>)> {
    proptest::collection::vec(column(), 1..9).prop_flat_map(|columns| {
        let row = proptest::collection::vec(cell(), columns.len());
        (Just(columns), proptest::collection::vec(row, 0..6))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_line_is_wider_than_the_terminal_and_no_key_is_lost((columns, rows) in table(), room in 26..200_usize) {
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| escape::line(cell).into_owned()).collect()).collect();
        let drawn = draw(&columns, &rows, room);
        prop_assert_eq!(drawn.rows.len(), rows.len());
        for line in drawn.rows.iter().chain([&drawn.header]) {
            prop_assert!(width(line) <= room, "{} columns in {room}: {line}", width(line));
        }
        prop_assert!(drawn.hidden.iter().all(|title| *title == "goes"), "{:?}", drawn.hidden);
        let stay = columns.iter().filter(|column| !matches!(column, Goes(..))).count();
        prop_assert!(drawn.header.split(GAP).filter(|title| !title.trim().is_empty()).count() >= stay.min(1));
    }
}
