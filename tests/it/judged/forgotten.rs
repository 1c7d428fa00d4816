//! `annals forget WORDS`: the counterpart of `remember`.

use super::Bench;

#[test]
fn words_or_an_id_put_away_the_one_thing_known_that_they_name_and_nothing_else() {
    let bench = Bench::new();
    for text in ["The parser lives in src/parse", "The parser is slow", "The parser", "Tests run twice"] {
        bench.does(&["remember", text]);
    }
    let known = || bench.does(&["knowledge", "list"]);
    // By an agent: the same rule as for `knowledge archive`.
    let by_agent = bench.annals(&["forget", "Tests run twice", "--as", "critic"]);
    let latest = known().split('\t').next().expect("an id").to_owned();
    let archived = bench.annals(&["knowledge", "archive", &latest, "--as", "critic"]);
    assert_eq!((by_agent.code, &by_agent.stderr), (Some(1), &archived.stderr), "{}", by_agent.stdout);
    for (words, says) in [
        ("parser lives slow", "there is no knowledge entry"),
        ("catalogue", "there is no knowledge entry"),
        ("!!", "there is no knowledge entry"),
        ("run", "is archived: Tests run twice"),
        // What was put away is known no more.
        ("tests RUN twice", "there is no knowledge entry"),
        // The very words before others in which they stand.
        ("the parser!", "is archived: The parser"),
        ("PARSER the", "The parser is slow"),
        ("parser, src/parse", "is archived: The parser lives in src/parse"),
    ] {
        let before = known();
        let told = bench.annals(&["forget", words]);
        let said = format!("{}{}", told.stdout, told.stderr);
        assert!(said.contains(says), "{words}: {said}");
        let is_archived = says.starts_with("is archived");
        assert_eq!((told.code == Some(0), before != known()), (is_archived, is_archived), "{words}: {said}");
    }
    let last = known();
    let id = last.split('\t').next().expect("an id");
    let told = bench.does(&["forget", &id[id.len() - 10..], "--reason", "it is fast now"]);
    assert!(told.contains(&format!("{id} is archived: The parser is slow")), "{told}");
    assert_eq!(known(), "");
    bench.does(&["knowledge", "restore", id]);
    assert_eq!(known().lines().count(), 1);
    // Without words it is about files, as before.
    assert_eq!(bench.does(&["forget"]), "forgot 0 files\n");
    assert_eq!(bench.annals(&["forget", "The parser is slow", "--yes"]).code, Some(2));
    bench.replays();
}
