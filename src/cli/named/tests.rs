//! What texts name among ids of any kind.

use proptest::prelude::*;

use super::*;

const THING: Noun = Noun { one: "thing", many: "things", list: "annals thing list" };

fn all(ids: &[&str]) -> Vec<Candidate<String>> {
    ids.iter().map(|id| Candidate::new((*id).to_owned(), format!("title of {}", &id[..2]))).collect()
}

#[test]
fn a_beginning_or_an_end_that_no_other_has_names_one() {
    let ids = ["01KAJ00000000000000000AAAA", "01KBJ00000000000000000BBBB", "coder", "coder-2", "0a1b2c3d4e5f6071"];
    for (text, expected) in [
        ("01KAJ", Ok(Some(0))),
        ("01kbj", Ok(Some(1))),
        ("bbbb", Ok(Some(1))),
        ("01KAJ00000000000000000AAAA", Ok(Some(0))),
        ("coder", Ok(Some(2))),
        ("code", Err("code stands for 2 things; give more of the id\ncoder  title of co\ncoder-2  title of co")),
        ("Coder", Ok(None)),
        ("2", Ok(Some(3))),
        ("0A1B", Ok(Some(4))),
        ("J0", Ok(None)),
        ("", Ok(None)),
    ] {
        let picked = THING.pick(text, &all(&ids)).map_err(|error| error.to_string());
        let expected = expected.map(|at: Option<usize>| at.map(|at| ids[at].to_owned())).map_err(str::to_owned);
        assert_eq!(picked, expected, "{text}");
    }
}

#[test]
fn another_name_is_as_good_as_the_id() {
    let native = |id: &str, alias: &str| Candidate { alias: Some(alias.into()), ..Candidate::new(id.to_owned(), "") };
    let all = [native("01KAJ00000000000000000AAAA", "6f1c-77"), native("01KBJ00000000000000000BBBB", "6f1c-78")];
    let named = |text: &str| THING.pick(text, &all).ok().flatten();
    assert_eq!(["6f1c-77", "-78", "6f1c"].map(named), [Some(all[0].id.clone()), Some(all[1].id.clone()), None]);
}

#[test]
fn the_latest_sessions_are_counted_from_the_last() {
    let texts = ["@", "last", "-1", "-2", "-0", "-x", "1", "--1", "01KAJ"];
    assert_eq!(texts.map(place), [Some(1), Some(1), Some(1), Some(2), None, None, None, None, None]);
}

fn id() -> impl Strategy<Value = String> {
    prop_oneof!["0[01][AB]{2}[0-9A-Z]{22}", "[a-c]{1,4}", "[0-9a-f]{16}", "[a-cA-C漢é-]{1,6}"]
}

fn ends(id: &str) -> Vec<String> {
    let cuts = || id.char_indices().map(|(at, _)| at).chain([id.len()]);
    cuts().map(|at| id[..at].to_owned()).chain(cuts().map(|at| id[at..].to_owned())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_fits_one_names_it_and_what_fits_several_names_none(ids in proptest::collection::btree_set(id(), 1..8)) {
        let all: Vec<_> = ids.iter().map(|id| Candidate::new(id.clone(), "")).collect();
        for text in ids.iter().flat_map(|id| ends(id)) {
            let fold = |text: &str, id: &str| if is_made(id) { text.to_ascii_uppercase() } else { text.to_owned() };
            let folded = |id: &str| fold(id, id);
            let fits = |id: &&String| {
                let (text, id) = (fold(&text, id), folded(id));
                !text.is_empty() && (id.starts_with(&text) || id.ends_with(&text))
            };
            let fitting: Vec<_> = ids.iter().filter(fits).collect();
            let picked = THING.pick(&text, &all).map_err(|error| error.to_string());
            match (ids.get(&text), fitting.as_slice()) {
                (Some(whole), _) => prop_assert_eq!(picked, Ok(Some(whole.clone()))),
                (None, []) => prop_assert_eq!(picked, Ok(None)),
                (None, [only]) => prop_assert_eq!(picked, Ok(Some((*only).clone()))),
                (None, several) => {
                    let said = picked.err().unwrap_or_default();
                    prop_assert!(several.iter().take(8).all(|id| said.contains(id.as_str())), "{text}: {said}");
                }
            }
        }
    }
}
