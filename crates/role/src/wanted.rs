//! What a person's words ask for, as far as rules can tell: that a thing is only added, or that a figure is found out.
//!
//! In English and German, by the words that clauses begin with. Where words are in doubt they ask for neither: what comes of
//! it is then judged by the plan alone.

use std::collections::BTreeSet;

/// What adds.
const ADDING: &[&str] = &["add", "append", "insert", "prepend", "ergänze", "füge", "hänge"];
/// Beginnings of words that say that what is there does not stay.
const CHANGING: &[&str] = &[
    "chang", "clean", "convert", "delet", "drop", "fix", "instead", "mend", "migrat", "mov", "refactor", "remov",
    "renam", "replac", "rewrit", "simplif", "translat", "turn", "änder", "entfern", "ersetz", "kürz", "lösch", "statt",
    "übersetz", "umbenenn", "verschieb",
];
/// Beginnings of words that may take a whole file away.
const REMOVING: &[&str] = &[
    "clean", "combin", "compact", "condens", "consolid", "convert", "delet", "discard", "drop", "eras", "extract",
    "instead", "merg", "migrat", "minif", "mov", "overwrit", "prun", "purg", "refactor", "regenerat", "remov", "renam",
    "reorgani", "replac", "restructur", "revert", "rewrit", "rid", "shorten", "shrink", "simplif", "split", "tid",
    "translat", "turn", "undo", "unif", "uninstall", "aufräum", "aufteil", "bereinig", "entfern", "ersetz", "kürz",
    "lösch", "räum", "statt", "teil", "übersetz", "umbenenn", "verschieb", "zusammen",
];
/// What takes everything out of a file, as the first word of a clause: "an empty file" is a new one.
const EMPTYING: &[&str] = &["blank", "clear", "empty", "leere", "reset", "truncate", "wipe"];
/// Words of a place in a file that is not its end.
const PLACES: &[&str] = &[
    "above", "after", "before", "beginning", "behind", "below", "between", "first", "inside", "prepend", "start",
    "top", "under", "within", "anfang", "davor", "hinter", "nach", "oben", "unter", "vor", "zwischen",
];
/// What words begin with that want to know something, and nothing done.
const ASKING: &[&str] = &[
    "are", "can", "could", "describe", "did", "do", "does", "explain", "find", "has", "have", "how", "is", "list",
    "should", "show", "summarize", "tell", "what", "when", "where", "which", "who", "why", "beschreibe", "erkläre",
    "gibt", "hat", "ist", "kann", "nenne", "sind", "suche", "wann", "warum", "was", "welche", "welcher", "welches",
    "wer", "wie", "wo", "zeige",
];
/// What words begin with that ask for a deed.
const POLITE: &[&str] = &["can you ", "could you ", "would you ", "kannst du ", "könntest du "];
/// What comes before the name of a file of which something is taken away.
const WITHIN: &[&str] = &["from", "in", "of", "within", "aus", "von"];
/// What finds a figure out.
const COMPUTING: &[&str] =
    &["average", "calculate", "compute", "count", "measure", "sum", "tally", "total", "berechne", "summiere", "zähle"];
/// What puts it down.
const WRITING: &[&str] = &[
    "add", "append", "note", "output", "print", "put", "record", "report", "save", "store", "write", "notiere",
    "schreib", "schreibe", "speichere",
];
/// A figure that somebody has to find out.
const FIGURES: &[&str] = &[
    "amount of", "average of", "count of", "how many", "how much", "length of", "maximum of", "mean of", "minimum of",
    "number of", "size of", "sum of", "total of", "anzahl", "durchschnitt", "summe", "wie viele",
];
/// What comes before the name of a file that a figure is put into.
const INTO: &[&str] = &["as", "in", "into", "nach", "to"];
/// What finds figures out later, and holds none now.
const CODE: &[&str] = &[
    "class", "code", "command", "def", "endpoint", "fn", "function", "method", "option", "program", "script", "test",
    "tests", "funktion", "klasse", "methode", "programm", "skript",
];

/// Whether words ask for something beside what is there: "add" at the beginning of a clause. What is called `add()` is none.
pub fn asks_to_add(words: &str) -> bool {
    clauses(words).any(|clause| begins_with(clause, ADDING))
}

/// Whether they ask for nothing that takes away what is there.
pub fn only_adds(words: &str) -> bool {
    let takes_away = |word: &String| CHANGING.iter().any(|stem| word.starts_with(stem));
    asks_to_add(words) && !plain_words(words).any(|word| takes_away(&word))
}

/// Whether they may ask that a file is there no more, or under another name.
pub fn takes_away(words: &str) -> bool {
    let is_removing = |word: String| REMOVING.iter().any(|stem| word.starts_with(stem));
    plain_words(words).any(is_removing) || clauses(words).any(|clause| begins_with(clause, EMPTYING))
}

/// Whether they may ask that this file is: what stands behind "from" or "in" loses something, and stays.
pub fn takes_away_file(words: &str, file: &str) -> bool {
    let all = path_words(words);
    let is_within = |at: usize| all[at] == file && at > 0 && WITHIN.contains(&&*all[at - 1].to_lowercase());
    takes_away(words) && !(0..all.len()).any(is_within)
}

/// Whether they may name the place where it is to stand.
pub fn names_a_place(words: &str) -> bool {
    plain_words(words).any(|word| PLACES.contains(&word.as_str()))
}

/// Whether they ask for a figure that has to be found out, and for no code that finds it out later.
pub fn asks_for_figure(words: &str) -> bool {
    let is_figure = |clause: &str| {
        let clause = plain_words(clause).collect::<Vec<_>>().join(" ");
        FIGURES.iter().any(|figure| clause.contains(figure))
    };
    let asks = |clause: &str| begins_with(clause, COMPUTING) || begins_with(clause, WRITING) && is_figure(clause);
    clauses(words).any(asks) && !plain_words(words).any(|word| CODE.contains(&word.as_str()))
}

/// Whether they want to know something, and nothing done.
pub fn only_asks(words: &str) -> bool {
    let is_polite = POLITE.iter().any(|polite| words.trim_start().to_lowercase().starts_with(polite));
    !is_polite && (words.trim_end().ends_with('?') || begins_with(words, ASKING))
}

/// The files of the workspace that a figure is found out of, where they ask for one: named, and not what it is put into.
pub fn figure_sources(words: &str, place: &str) -> Vec<String> {
    let words = if asks_for_figure(words) { path_words(words) } else { Vec::new() };
    let is_put_into =
        |at: usize| at.checked_sub(1).is_some_and(|before| INTO.contains(&&*words[before].to_lowercase()));
    let targets: Vec<_> = (0..words.len()).filter(|at| is_put_into(*at)).map(|at| words[at]).collect();
    let is_source = |word: &&str| is_listed(place, word) && !targets.contains(word);
    let sources: BTreeSet<_> = words.iter().copied().filter(|word| is_source(word)).map(str::to_owned).collect();
    sources.into_iter().collect()
}

/// The words of a text, without what stands around them; such as paths are.
pub fn path_words(text: &str) -> Vec<&str> {
    let is_around = |letter: char| letter.is_whitespace() || "\"'`,;:()[]<>!?".contains(letter);
    let words = text.split(is_around).map(|word| word.trim_end_matches('.').trim_start_matches("./"));
    words.filter(|word| !word.is_empty()).collect()
}

/// Whether a listing of the workspace, a path a line, has this one.
pub fn is_listed(place: &str, path: &str) -> bool {
    place.lines().any(|line| line == path)
}

/// A path without its folders.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn clauses(words: &str) -> impl Iterator<Item = &str> {
    let clauses = words.split([',', ';', ':', '.', '!', '\n']);
    let parts = clauses.flat_map(|clause| clause.split(" and ").flat_map(|part| part.split(" then ")));
    parts.flat_map(|part| part.split(" und ")).map(str::trim)
}

fn begins_with(clause: &str, words: &[&str]) -> bool {
    clause.split_whitespace().find(|word| !is_filling(word)).is_some_and(|word| words.contains(&&*word.to_lowercase()))
}

/// What is polite, and what goes on from the clause before.
fn is_filling(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "also" | "bitte" | "dann" | "now" | "please" | "then")
}

/// The words of a text in small letters, without what stands between them.
pub fn plain_words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each beside one like it that is none.
    #[test]
    fn what_only_adds_takes_nothing_away() {
        for words in [
            "add a function lower(s) to text.py that returns s in lower case",
            "Please append a line 'Licence: MIT' to README.md",
            "read a.txt, then add its title to index.md",
            "füge eine Zeile an notes.md an",
        ] {
            assert!(only_adds(words), "{words}");
        }
        for words in [
            "add() in calc.py subtracts; make it add",
            "add a title and remove the list",
            "add the tests, instead of the old ones",
            "add type hints and refactor the loops",
            "make a list",
            "füge a.md hinzu und lösche b.md",
            "",
        ] {
            assert!(!only_adds(words), "{words}");
        }
    }

    /// Each beside one in which the file is another thing.
    #[test]
    fn a_file_is_taken_away_where_words_say_so() {
        for (words, file, expected) in [
            ("delete old.log", "old.log", true),
            ("remove the line with TODO from notes.txt", "notes.txt", false),
            ("rename old_name.txt to new_name.txt", "old_name.txt", true),
            ("raise MAX_USERS in limits.py to 25", "limits.py", false),
            ("the title of README.md is misspelled", "README.md", false),
            ("move helper.py into a folder lib", "helper.py", true),
            ("merge a.md into b.md", "a.md", true),
            ("lösche alt.txt", "alt.txt", true),
            ("fix the tests", "tests/a.rs", false),
            ("empty debug.log", "debug.log", true),
            ("make an empty file b.md beside a.md", "a.md", false),
            ("the error in a.py is to be clear", "a.py", false),
        ] {
            assert_eq!(takes_away_file(words, file), expected, "{words}");
        }
    }

    /// Each beside one that wants something done.
    #[test]
    fn who_wants_to_know_something_wants_nothing_done() {
        for words in [
            "what does add() in calc.py do?", "calc.py: which functions has it?", "Please list the tests of calc.py",
            "is calc.py used", "welche Tests hat calc.py",
        ] {
            assert!(only_asks(words), "{words}");
        }
        for words in [
            "is_even() in nums.py is wrong; mend it", "could you mend calc.py?", "write a list of tests into tests.md",
            "the title of README.md is misspelled", "",
        ] {
            assert!(!only_asks(words), "{words}");
        }
    }

    #[test]
    fn what_is_added_may_have_a_place() {
        assert!(["add a title at the top of a.md", "add x after y"].into_iter().all(names_a_place));
        assert!(!["add a line to the end of a.md", "add build/ to .gitignore"].into_iter().any(names_a_place));
    }

    #[test]
    fn what_a_figure_is_found_out_of_is_no_place_for_it() {
        let place = "prices.csv\ncount.txt\nsrc/\nsrc/a.rs";
        for (words, expected) in [
            ("write the number of lines of prices.csv into count.txt", vec!["prices.csv"]),
            (
                "count the lines of `src/a.rs` and prices.csv, and write both to count.txt",
                vec!["prices.csv", "src/a.rs"],
            ),
            ("write the number of lines of other.csv into count.txt", vec![]),
            ("write the number of lines of prices.csv in prices.csv", vec![]),
            ("replace the last line of prices.csv", vec![]),
        ] {
            assert_eq!(figure_sources(words, place), expected, "{words}");
        }
    }

    #[test]
    fn a_figure_is_asked_for_where_somebody_has_to_find_it_out() {
        for words in [
            "write the number of lines of prices.csv into count.txt",
            "count the words of a.md and write it into b.txt",
            "put the sum of the second column into total.txt",
            "Please store how many users there are in users.txt",
            "schreibe die Anzahl der Zeilen in anzahl.txt",
        ] {
            assert!(asks_for_figure(words), "{words}");
        }
        for words in [
            "set the number of workers in app.toml to 8",
            "double the number of workers in app.toml",
            "add a function that returns the number of lines",
            "write a script that prints the sum of a column",
            "write the word hello into greeting.txt",
            "count() in a.py is wrong; mend it",
            "write a README",
            "",
        ] {
            assert!(!asks_for_figure(words), "{words}");
        }
    }
}
