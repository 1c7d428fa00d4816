//! What a program defines and what a file of settings holds, by name; and which of it is gone.
//!
//! Read line by line, by the words that most languages define with: no parser of any of them. A name that begins with `_`, or
//! that its own file uses, is its own business. What was only called otherwise, or stands in another changed file now, is there still. Of two with one name
//! the second is not missed.

use std::collections::BTreeSet;
use std::path::Path;

use super::losses::ChangedText;

/// So many names of a file are looked for; where more are missing, these tell enough.
const MOST_NAMES: usize = 50;
/// What programs define with, before the name.
const DEFINING: &[&str] =
    &["class", "def", "enum", "fn", "fun", "func", "function", "interface", "macro_rules!", "struct", "trait"];
/// What may stand before those; and whatever begins with `pub`.
const MODIFYING: &[&str] = &[
    "abstract", "async", "case", "const", "data", "declare", "default", "export", "final", "internal", "local", "open",
    "override", "partial", "private", "protected", "public", "sealed", "static", "suspend", "unsafe",
];
/// What names come along on, in a line that begins with it.
const NAMING: &[&str] = &["export", "from", "import", "module.exports", "pub use", "use"];
/// The endings of programs whose definitions are so written.
const PROGRAMS: &[&str] = &[
    "cjs", "cs", "ex", "go", "java", "js", "jsx", "kt", "lua", "mjs", "php", "py", "rb", "rs", "scala", "sh", "swift",
    "ts", "tsx",
];
/// The endings of settings: a name, and what it is set to.
const SETTINGS: &[&str] = &["cfg", "conf", "env", "ini", "json", "properties", "toml", "yaml", "yml"];

/// What names are of in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamingForm {
    Program,
    Settings,
}

/// A name, and the line that says what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Definition<'t> {
    name: &'t str,
    line: &'t str,
}

impl NamingForm {
    fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let ending = name.rsplit_once('.')?.1;
        if PROGRAMS.contains(&ending) {
            return Some(Self::Program);
        }
        SETTINGS.contains(&ending).then_some(Self::Settings)
    }

    fn definitions(self, text: &str) -> Vec<Definition<'_>> {
        match self {
            Self::Program => text.lines().filter_map(|line| defined(line.trim())).collect(),
            Self::Settings => text.split(['\n', ',', '{', '}', ';']).filter_map(|part| set(part.trim())).collect(),
        }
    }

    /// Whether a file has a name for others: what it uses itself may be of no use any more.
    fn is_for_others(self, name: &str, text: &str) -> bool {
        match self {
            Self::Program => spots(text, name).nth(1).is_none(),
            Self::Settings => true,
        }
    }
}

impl Definition<'_> {
    /// The line with no name in it: another name that is defined so, stands in its place.
    fn without_name(&self) -> String {
        spots(self.line, self.name).next().map(|(before, after)| format!("{before} {after}")).unwrap_or_default()
    }
}

/// The names that a file held and that no file holds now which the task changed.
pub(super) fn undefined(text: &ChangedText, all: &[ChangedText]) -> Vec<String> {
    let (Some(form), Some(before), Some(after)) = (NamingForm::of(&text.path), &text.before, &text.after) else {
        return Vec::new();
    };
    let (old, new) = (form.definitions(before), form.definitions(after));
    let known: BTreeSet<_> = old.iter().map(|one| one.name).collect();
    let there: BTreeSet<_> = new.iter().map(|one| one.name).collect();
    let added: BTreeSet<_> = new.iter().filter(|one| !known.contains(one.name)).map(Definition::without_name).collect();
    let mut missing: Vec<&str> = Vec::new();
    for one in old.iter().filter(|one| !there.contains(one.name) && !added.contains(&one.without_name())) {
        if missing.len() < MOST_NAMES && !missing.contains(&one.name) {
            missing.push(one.name);
        }
    }
    missing.retain(|name| form.is_for_others(name, before));
    let is_elsewhere = |name: &str| all.iter().filter_map(|text| text.after.as_deref()).any(|text| holds(text, name));
    missing.into_iter().filter(|name| !is_elsewhere(name)).map(str::to_owned).collect()
}

/// The name that a line of a program defines.
fn defined(line: &str) -> Option<Definition<'_>> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub") || MODIFYING.contains(word));
    let is_defined = DEFINING.contains(&words.next()?.trim_end_matches('*'));
    let name = own_name(words.next()?.trim_start_matches('*'))?;
    (is_defined && !name.starts_with('_')).then_some(Definition { name, line })
}

/// The name that a part of a file of settings sets.
fn set(part: &str) -> Option<Definition<'_>> {
    let key = part.trim_start_matches("- ").split([':', '=']).next().filter(|key| key.len() < part.len())?.trim();
    let bare = ['"', '\''].iter().find_map(|mark| key.strip_prefix(*mark)?.strip_suffix(*mark)).unwrap_or(key);
    let is_name = !bare.is_empty() && bare.chars().all(|letter| is_part(letter) || letter == '-' || letter == '.');
    is_name.then_some(Definition { name: bare, line: part })
}

/// Whether a text defines or sets a name, in any way, or has it from elsewhere.
fn holds(text: &str, name: &str) -> bool {
    spots(text, name).any(|(before, after)| {
        let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
        let is_set = after.trim_start_matches(['"', '\'']).trim_start().starts_with(['=', ':']) && !is_compared(after);
        is_set
            || line.split_whitespace().next_back().is_some_and(|word| DEFINING.contains(&word))
            || NAMING.iter().any(|word| line.starts_with(word))
    })
}

/// What stands before and behind each place of a name, where it is a word.
fn spots<'t>(text: &'t str, name: &str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let around = text.match_indices(name).map(|(at, found)| (&text[..at], &text[at + found.len()..]));
    around.filter(|(before, after)| !before.ends_with(is_part) && !after.starts_with(is_part))
}

fn is_compared(after: &str) -> bool {
    after.trim_start().starts_with("==")
}

/// The name that a word begins with.
fn own_name(word: &str) -> Option<&str> {
    let end = word.find(|letter: char| !is_part(letter)).unwrap_or(word.len());
    Some(&word[..end]).filter(|name| !name.is_empty())
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALC: &str = "def add(a, b):\n    return a - b\n\n\ndef double(a):\n    return a * 2\n";

    fn changed(path: &str, before: &str, after: &str) -> ChangedText {
        ChangedText { path: path.into(), before: Some(before.to_owned()), after: Some(after.to_owned()) }
    }

    fn gone(path: &str, before: &str, after: &str) -> Vec<String> {
        let text = changed(path, before, after);
        undefined(&text, std::slice::from_ref(&text))
    }

    /// Seen with a small model: one function was mended, and the other was left out of a file that was longer than before.
    #[test]
    fn what_is_defined_no_more_is_named() {
        let main =
            "import sys\n\ndef add(a, b):\n    return a + b\n\nif __name__ == '__main__':\n    print(add(1, 2))\n";
        for (path, before, after, expected) in [
            ("calc.py", CALC, main, vec!["double"]),
            ("calc.py", CALC, "def add(a, b):\n    return a + b\n\nprint(double(2))\n", vec!["double"]),
            ("calc.py", CALC, "def add(a, b):\n    return a + b\n\n# double is gone\n", vec!["double"]),
            ("a.rs", "pub(crate) async fn one() {}\nstruct Two;\n", "pub(crate) async fn one() {}\n", vec!["Two"]),
            ("a.js", "export default class One {}\nfunction* two() {}\n", "export const x = 1;\n", vec!["One", "two"]),
            ("a.go", "func One() {}\n", "func Two(a int) {}\n", vec!["One"]),
            ("c.json", "{\"debug\": false, \"name\": \"shop\"}\n", "{\"debug\": true}\n", vec!["name"]),
            ("c.toml", "[server]\nhost = \"a\"\nport = 80\n", "[server]\nport = 8080\ntls = true\n", vec!["host"]),
            ("c.yml", "- name: a\n  on: b\n", "- name: b\n", vec!["on"]),
            (".env", "A=1\nB=2\n", "A=2\n# B\n", vec!["B"]),
        ] {
            assert_eq!(gone(path, before, after), expected, "{path}: {after}");
        }
    }

    #[test]
    fn what_is_written_otherwise_is_there_still() {
        for (path, before, after) in [
            ("calc.py", CALC, "def add(a, b):\n    return a + b\n\n\ndef double(a: int) -> int:\n    return 2 * a\n"),
            ("calc.py", CALC, "from more import double\n\ndef add(a, b):\n    return a + b\n"),
            ("calc.py", CALC, "def add(a, b):\n    return a + b\n\ndouble = lambda a: a * 2\n"),
            ("calc.py", CALC, "def plus(a, b):\n    return a + b\n\n\ndef double(a):\n    return a * 2\n"),
            ("calc.py", "def d(a):\n    return a\n", "def e(a):\n    return a\n"),
            ("a.js", "function one() {}\n", "const one = () => {};\n"),
            ("a.py", "def _own():\n    pass\n", "x = 1\n"),
            ("a.rs", "fn helper() {}\n\npub fn one() {\n    helper();\n}\n", "pub fn one() {\n    loop {}\n}\n"),
            ("c.json", "{\"debug\": false}\n", "{\n  \"debug\": true\n}\n"),
            ("c.json", "{\"colour\": \"red\"}\n", "{\"color\": \"red\"}\n"),
            ("notes.md", "def a thing\nclass of 1990: x\n", "other words\n"),
            ("a.py", "# a class of things\ns = 'def one'\n\"\"\"\nIs the class name.\n", "x = 1\n"),
        ] {
            assert_eq!(gone(path, before, after), Vec::<String>::new(), "{path}: {after}");
        }
    }

    #[test]
    fn what_stands_in_another_file_now_is_there_still() {
        let texts = [
            changed("calc.py", CALC, "def add(a, b):\n    return a + b\n"),
            ChangedText {
                path: "more.py".into(),
                before: None,
                after: Some("def double(a):\n    return a * 2\n".to_owned()),
            },
        ];
        assert_eq!(undefined(&texts[0], &texts), Vec::<String>::new());
        assert_eq!(undefined(&texts[0], &texts[..1]), ["double"]);
    }
}
