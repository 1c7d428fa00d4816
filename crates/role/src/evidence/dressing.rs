//! Words that are put together of parts, or decoded: what is said by them stands nowhere as it is read.
//!
//! Knows signs, and runs nothing.

use annals_kernel::call::Act;

/// Signs of code that makes words of other signs.
const DECODES: &[&str] = &[
    "''.join(", "\"\".join(", ".translate(", "Buffer.from", "[::-1]", "\\u", "\\x", "atob(", "b64", "bytearray(",
    "bytes(", "bytes.from", "chr(", "chr ", "codecs", "decompress", "fromCharCode", "fromhex", "pack(", "pack ",
    "reverse \"", "reverse '", "reverse(", "reversed(", "rot13", "rot_13", " tr/", "unescape", "unhex", "unpack",
    " y/", "%c",
];

/// Signs of code that reads files, or runs what is there.
const READS: &[&str] = &[
    ".exists(", ".glob(", ".is_file(", ".isfile(", ".listdir(", ".stat(", "<>", "Deno.read", "File", "Path(", "Popen",
    "check_output(", "execSync", "existsSync", "file_get_contents", "getsize(", "listdir(", "open ", "open(",
    "readFile(", "readFileSync", "readdir", "require './", "require('./", "require(\"./", "require(\"../",
    "require('../", "require_relative", "run(", "runpy", "spawnSync", "sqlite3.connect", "system(", "walk(",
];

/// Signs of code that reads what it is fed.
const READS_INPUT: &[&str] = &["$_", "/dev/stdin", "<>", "ARGF", "STDIN", "gets", "input(", "stdin"];

/// Modules of Python that know nothing of a project.
const OF_NO_PROJECT: &[&str] = &[
    "argparse", "base64", "binascii", "calendar", "cmath", "codecs", "collections", "contextlib", "copy",
    "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "glob", "hashlib", "io", "itertools",
    "json", "locale", "math", "operator", "os", "pathlib", "platform", "pprint", "random", "re", "secrets", "shutil",
    "statistics", "string", "struct", "subprocess", "sys", "textwrap", "this", "time", "types", "typing",
    "unicodedata", "uuid", "zlib",
];

/// The code that stands in a line for an interpreter: behind its option, or fed into it.
pub fn runs_code(act: &Act<'_>) -> Option<String> {
    let is_option = |word: &str| {
        matches!(word, "--eval" | "--print" | "eval")
            || word.starts_with('-') && !word.starts_with("--") && word.ends_with(['c', 'e', 'r', 'E', 'p'])
    };
    let mut words = act.words();
    while let Some(word) = words.next() {
        match word {
            "-W" | "-X" => drop(words.next()),
            word if is_option(word) => return Some(words.next().unwrap_or_default().to_owned()),
            word if word.starts_with('-') => {}
            _ => break,
        }
    }
    let documents: Vec<_> = act.documents().collect();
    (!documents.is_empty()).then(|| documents.join("\n"))
}

/// Whether code reads anything but itself.
pub fn reads_beside(code: &str) -> bool {
    has(READS, code) || imports(code).any(|module| !OF_NO_PROJECT.contains(&module))
}

/// Whether code reads what it is fed.
pub fn reads_input(code: &str) -> bool {
    has(READS_INPUT, code)
}

fn has(signs: &[&str], code: &str) -> bool {
    signs.iter().any(|sign| code.contains(sign))
}

/// Whether code makes words of other signs.
pub fn decodes(code: &str) -> bool {
    has(DECODES, code)
}

/// The modules that Python is to load.
fn imports(code: &str) -> impl Iterator<Item = &str> {
    let statements = code.split(['\n', ';']).map(str::trim);
    let loaded = statements.filter_map(|statement| {
        let from = statement.strip_prefix("from ").and_then(|rest| rest.split(" import").next());
        from.or_else(|| statement.strip_prefix("import "))
    });
    let modules = loaded.flat_map(|modules| modules.split(','));
    modules.filter_map(|module| module.trim().split(|letter: char| !letter.is_alphanumeric() && letter != '_').next())
}

/// Whether a program that prints what it is told puts a word together of parts.
pub fn glues(act: &Act<'_>) -> bool {
    let mut words = act.words();
    match act.program() {
        "printf" => words.next().is_some_and(is_coded_format) || words.any(is_glued),
        "echo" => {
            let is_escaped = act.words().any(|word| word.starts_with('-') && word.contains('e'));
            words.any(|word| is_glued(word) || is_escaped && has_code(word))
        }
        _ => false,
    }
}

/// Whether a command line gives a variable words that are put together of parts.
pub fn glues_variables(command: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let of_parts = |word: &str| {
        let (name, value) = word.split_once('=')?;
        let bare = name.strip_suffix('+').unwrap_or(name);
        (is_name(bare) && (bare != name || is_glued(value))).then_some(())
    };
    command.split([' ', '\t', '\n', ';', '&', '(']).any(|word| of_parts(word).is_some())
}

/// `del%s`, `%s%s`, `%b`, `\x62`.
fn is_coded_format(format: &str) -> bool {
    let joins = |(at, _): (usize, &str)| {
        let before = format[..at].chars().next_back();
        let behind =
            format[at + 1..].trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '.'));
        let mut behind = behind.chars();
        let kind = behind.next();
        let is_letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '%');
        let after_escape = format[..at].ends_with("\\n") || format[..at].ends_with("\\t");
        kind != Some('%')
            && (matches!(kind, Some('b' | 'c' | 'x' | 'o' | 'q'))
                || is_letter(before) && !after_escape
                || is_letter(behind.next()))
    };
    has_code(format) || format.match_indices('%').any(joins) || is_glued(format)
}

/// A letter by its number.
fn has_code(text: &str) -> bool {
    let is_code = |behind: &str| behind.starts_with(['x', 'u', 'U', '0', '1']);
    text.split('\\').skip(1).any(is_code)
}

/// A variable within a word, one beside another, one that is changed, or letters by their numbers.
fn is_glued(word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let glues = |(at, _): (usize, &str)| {
        let before = word[..at].chars().next_back();
        let behind = &word[at + 1..];
        if let Some(inside) = behind.strip_prefix('{') {
            let (name, after) = inside.split_once('}').unwrap_or((inside, ""));
            let is_changed = name.contains(|letter: char| !is_part(letter));
            return is_changed || joined(before, after.chars().next());
        }
        let after = behind.trim_start_matches(is_part).chars().next();
        !behind.is_empty() && !behind.starts_with(['?', ' ', '#']) && joined(before, after)
    };
    word.contains("$'") || word.match_indices('$').any(glues)
}

fn joined(before: Option<char>, after: Option<char>) -> bool {
    let is_of_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '$');
    is_of_word(before) || is_of_word(after)
}
