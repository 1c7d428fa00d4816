//! What is cited is looked at, and nothing outside the project is.

use std::fs;
use std::path::Path;

use super::quote::{CompareBudget, distance, similarity};
use super::*;

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("project");
    for (path, text) in [
        ("src/a.rs", "fn main() {\n    let answer = 42;\n\n    print(answer);\n}\n"),
        ("notes/über.md", "Größe\r\nzwölf Boxkämpfer jagen Viktor\r\n"),
        ("empty.txt", ""),
        (".context/history/2026-11-21.jsonl", "{}\n"),
        (".context/local/lock", ""),
        (".context/issues/0001-a.md", "what somebody said\n"),
        (".context/knowledge/seryn.md", "Seryn has amber eyes.\n"),
        ("../outside/secret.txt", "hunter2\n"),
    ] {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, text).expect("written");
    }
    folder
}

fn cite(path: &str, lines: Option<(u32, Option<u32>)>, quote: Option<&str>) -> FileReference {
    let lines = lines.map(|(start, end)| Lines { start, end });
    FileReference { path: path.into(), lines, quote: quote.map(Into::into) }
}

fn look(folder: &Path, reference: FileReference) -> Checked {
    let evidence = Evidence { files: vec![reference], ..Evidence::default() };
    check(&folder.join("project"), &evidence).remove(0)
}

fn escape(folder: &Path, path: &str) -> Option<Escape> {
    let checked = look(folder, cite(path, None, None));
    assert!(checked.escape.is_none() || !checked.is_verified(), "{path} was believed");
    checked.escape
}

/// Control-room 11.3.
#[test]
fn what_stands_there_is_verified_with_its_hash() {
    let folder = project();
    let checked = look(folder.path(), cite("src/a.rs", Some((2, None)), Some("let answer  =\n42;")));
    let hash = sha256_hex(&fs::read(folder.path().join("project/src/a.rs")).expect("read"));
    let expected = Checked {
        path: "src/a.rs".into(),
        escape: None,
        exists: true,
        lines_valid: true,
        is_blank: false,
        similarity: Some(1000),
        sha256: Some(hash.into()),
    };
    assert_eq!((checked.is_verified(), checked.is_precise(), checked.score()), (true, true, 3));
    assert_eq!(checked, expected);
}

#[test]
fn nothing_cited_is_nothing_checked() {
    assert_eq!(check(project().path(), &Evidence::default()), []);
}

#[test]
fn a_file_that_is_not_there_earns_nothing() {
    let checked = look(project().path(), cite("src/b.rs", Some((1, None)), Some("x")));
    let path = "src/b.rs".into();
    assert_eq!((checked.is_verified(), checked.score()), (false, 0));
    assert_eq!(checked, Checked { path, similarity: Some(0), ..Checked::default() });
}

#[test]
fn lines_count_from_one_and_end_in_the_file() {
    let folder = project();
    let valid = |start, end| look(folder.path(), cite("src/a.rs", Some((start, end)), None)).lines_valid;
    assert!(valid(1, None) && valid(5, None) && valid(1, Some(5)) && valid(2, Some(2)));
    assert!(!valid(0, None) && !valid(6, None) && !valid(3, Some(2)) && !valid(1, Some(6)) && !valid(u32::MAX, None));
    assert!(!look(folder.path(), cite("empty.txt", Some((1, None)), None)).lines_valid);
}

#[test]
fn a_quote_is_looked_for_in_the_cited_lines_only() {
    let folder = project();
    let similarity = |lines| look(folder.path(), cite("src/a.rs", lines, Some("print(answer);"))).similarity;
    assert_eq!(similarity(None), Some(1000));
    assert_eq!(similarity(Some((4, None))), Some(1000));
    assert_eq!(similarity(Some((2, Some(3)))).map(|thousandths| thousandths < 800), Some(true));
    assert_eq!(similarity(Some((0, None))), Some(0));
}

/// Decision 11.
#[test]
fn where_nothing_stands_nothing_is_shown() {
    let folder = project();
    fs::write(folder.path().join("project/blank.txt"), " \n\t\u{feff}\u{200b}\n").expect("written");
    let cases =
        [("empty.txt", None), ("blank.txt", None), ("blank.txt", Some((1, None))), ("src/a.rs", Some((3, None)))];
    for (path, lines) in cases {
        let checked = look(folder.path(), cite(path, lines, None));
        assert_eq!((checked.is_so(), checked.is_verified(), checked.score()), (true, false, 0), "{path}");
    }
    assert!(look(folder.path(), cite("src/a.rs", Some((3, Some(4))), None)).is_verified());
}

#[test]
fn white_space_alone_quotes_nothing() {
    let checked = look(project().path(), cite("src/a.rs", None, Some(" \n\t")));
    assert_eq!((checked.similarity, checked.is_precise()), (None, false));
}

/// Decision 14.
#[test]
fn no_path_leaves_the_project() {
    let folder = project();
    let secret = folder.path().join("outside/secret.txt");
    let cases = [
        ("/etc/passwd", Escape::Absolute),
        (secret.to_str().expect("text"), Escape::Absolute),
        ("../outside/secret.txt", Escape::Parent),
        ("src/../../outside/secret.txt", Escape::Parent),
        ("src/../src/a.rs", Escape::Parent),
        ("", Escape::Malformed),
        ("  ", Escape::Malformed),
        ("src/a.rs\0.txt", Escape::Malformed),
        (".context/history/2026-11-21.jsonl", Escape::OwnRecord),
        (".context/history/none", Escape::OwnRecord),
        ("./.context//local/lock", Escape::OwnRecord),
        (".context/issues/0001-a.md", Escape::OwnRecord),
    ];
    for (path, expected) in cases {
        assert_eq!(escape(folder.path(), path), Some(expected), "{path}");
    }
    assert_eq!(escape(folder.path(), &"x/".repeat(5000)), Some(Escape::Malformed));
    assert_eq!(escape(folder.path(), ".context/knowledge/seryn.md"), None);
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_project() {
    use std::os::unix::fs::symlink;
    let folder = project();
    let root = folder.path().join("project");
    let secret = folder.path().join("outside/secret.txt");
    let link = |target: &Path, name: &str| symlink(target, root.join(name)).expect("linked");
    link(&secret, "absolute");
    link(Path::new("../outside/secret.txt"), "relative");
    link(Path::new("../outside"), "folder");
    link(Path::new("folder"), "hop");
    link(Path::new("../outside/none"), "dangling");
    link(Path::new("circle"), "circle");
    link(Path::new(".context/history"), "past");
    link(Path::new("src/./../src/a.rs"), "inside");
    link(&root.canonicalize().expect("there").join("src"), "source");
    for path in ["absolute", "relative", "folder/secret.txt", "folder/none", "hop/secret.txt", "dangling", "folder"] {
        assert_eq!(escape(folder.path(), path), Some(Escape::LinkOut), "{path}");
    }
    assert_eq!(escape(folder.path(), "circle"), Some(Escape::Malformed));
    assert_eq!(escape(folder.path(), "past/2026-11-21.jsonl"), Some(Escape::OwnRecord));
    for path in ["inside", "source/a.rs"] {
        assert!(look(folder.path(), cite(path, Some((5, None)), None)).is_verified(), "{path}");
    }
}

/// Between the look and the opening, a folder becomes a link to one outside.
#[cfg(unix)]
#[test]
fn a_folder_that_becomes_a_link_after_the_look_is_not_followed() {
    let folder = project();
    let root = folder.path().join("project");
    fs::write(root.join("src/secret.txt"), "ours").expect("written");
    let Ok(Lies::At { project, file }) = confine::find(&root, "src/secret.txt") else { panic!("it is there") };
    assert!(matches!(read(&project, &file), Content::Bytes(bytes) if bytes == b"ours"));
    fs::rename(root.join("src"), root.join("away")).expect("moved");
    std::os::unix::fs::symlink("../outside", root.join("src")).expect("linked");
    assert!(file.exists() && matches!(read(&project, &file), Content::Nothing));
}

#[test]
fn what_is_no_text_is_not_believed() {
    let folder = project();
    let root = folder.path().join("project");
    fs::write(root.join("image.png"), [0x89, b'P', 0xff]).expect("written");
    let large = fs::File::create(root.join("large.txt")).expect("made");
    large.set_len(MOST_BYTES + 1).expect("sized");
    assert_eq!(escape(folder.path(), "image.png"), Some(Escape::NotAText));
    assert_eq!(escape(folder.path(), "large.txt"), Some(Escape::NotAText));
    assert!(!look(folder.path(), cite("src", None, None)).exists);
    assert!(look(folder.path(), cite("image.png", None, None)).sha256.is_some());
}

#[test]
fn a_quote_with_a_nul_is_a_text_as_any_other() {
    let checked = look(project().path(), cite("src/a.rs", None, Some("let \0 answer = 42;")));
    assert_eq!(checked.similarity, Some(889));
}

#[test]
fn similarity_is_in_thousandths_of_the_quote() {
    let of = |quote, text| similarity(quote, text, &mut CompareBudget::default());
    assert_eq!(of("kitten", "a sitting cat"), 667);
    assert_eq!(of("Grösse", "Größe"), 667);
    assert_eq!(of("abcde", "xxabXdexx"), 800);
    assert_eq!(of("abc", ""), 0);
    assert_eq!(of("abc", "xyz"), 0);
}

#[test]
fn one_letter_of_many_is_not_to_the_letter() {
    let text = "a".repeat(5000);
    assert_eq!(similarity(&format!("{}b", "a".repeat(4000)), &text, &mut CompareBudget::default()), 999);
}

#[test]
fn a_quote_of_ten_megabytes_costs_no_more_than_a_look() {
    let quote = "never said ".repeat(1_000_000);
    let text = "what was said ".repeat(100_000);
    assert_eq!(similarity(&quote, &text, &mut CompareBudget::default()), 0);
    assert_eq!(similarity(&quote, &quote, &mut CompareBudget::default()), 1000);
}

#[test]
fn all_quotes_of_a_comment_share_one_effort() {
    let mut effort = CompareBudget::default();
    let (quote, text) = ("b".repeat(64 * 1000), "a".repeat(400_000));
    effort.spend(1 << 28);
    assert_eq!(similarity(&quote, &text, &mut effort), 0);
    assert_eq!(effort, {
        let mut spent = CompareBudget::default();
        spent.spend(1 << 28);
        spent.cut_short = 1;
        spent
    });
    assert_eq!(similarity("ab", "xaxb", &mut effort), 500);
}

/// So many different letters, none of them ASCII.
fn letters(count: u32) -> String {
    (0x4e00..).take(count as usize).filter_map(char::from_u32).collect()
}

#[test]
fn a_quote_of_many_letters_that_the_text_has_not_takes_no_memory_and_finds_none() {
    let mut effort = CompareBudget::default();
    assert_eq!(similarity(&letters(20_000), "a short text", &mut effort), 0);
    let (words, text) = (20_000_usize.div_ceil(64), "a short text".len());
    let mut spent = CompareBudget::default();
    spent.spend(words * (text + 1));
    assert_eq!(effort, spent, "a row for what does not occur, and no other");
}

#[test]
fn a_quote_that_has_many_letters_in_common_with_the_text_is_compared_to_the_letter_only() {
    let quote = letters(20_000);
    let text: String = quote.chars().rev().collect();
    let mut effort = CompareBudget::default();
    assert_eq!(similarity(&quote, &text, &mut effort), 0);
    assert_eq!(similarity(&quote, &quote, &mut effort), 1000);
    assert_eq!(effort, CompareBudget { cut_short: 1, ..CompareBudget::default() }, "nothing was spent on it");
    let page = letters(3000);
    assert_eq!(similarity(&format!("{page}x"), &format!("{page}y"), &mut effort), 999, "a page is compared");
}

#[test]
fn comments_that_are_looked_at_again_share_one_effort() {
    let (quote, text) = ("b".repeat(64 * 100), "a".repeat(4_000_000));
    let mut all = CompareBudget::of_many();
    let dear = |own: &mut CompareBudget| own.spend(100 * text.len());
    let afforded = (0..100).filter(|_| all.of_one(dear)).count();
    assert_eq!(afforded, (1 << 34) / (100 * 4_000_000));
    assert_eq!(all.of_one(|own| similarity(&quote, &text, own)), 0);
    assert_eq!(all.cut_short, 1);
    assert_eq!(all.of_one(|own| similarity("ab", "xaxb", own)), 500, "what costs little is still compared");
}

#[test]
fn rows_beyond_one_word_are_counted_as_well() {
    for length in [1, 63, 64, 65, 127, 128, 129, 500] {
        let pattern: String = (0..length).map(|at| char::from(b'a' + u8::try_from(at % 7).expect("small"))).collect();
        let mut text = format!("zz{pattern}zz");
        assert_eq!(distance(&pattern, &text), 0, "{length}");
        text.replace_range(2 + length / 2..3 + length / 2, "z");
        assert_eq!(distance(&pattern, &text), 1, "{length}");
    }
}
