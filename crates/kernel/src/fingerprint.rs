//! Which error is meant: its code, and the beginning of its message without what differs from run to run (decision 25).
//!
//! Does not understand errors; two that read alike but for names, paths and numbers are one.

mod pattern;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use self::pattern::{Alphabet, PairedPattern};

/// A fingerprint is cut here, in characters, at the end of a word.
pub const MOST_CHARS: usize = 50;

/// Of an error so many characters are looked at.
const LOOKED_AT: usize = 2000;

/// Colours and cursor moves of a terminal.
static ESCAPES: PairedPattern = PairedPattern::new(r"\x1b\[[0-9;?]*[A-Za-z]");

/// `ENOENT`, `E0425`, `TS2304`, `SQLITE_BUSY`, `ERR_MODULE_NOT_FOUND`.
static CODE: PairedPattern =
    PairedPattern::new(r"\b(?:E[A-Z]{3,15}|[A-Z]{1,6}[0-9]{3,5}|[A-Z][A-Z0-9]{1,15}(?:_[A-Z0-9]{2,20}){1,5})\b");

/// Words in capitals that look like codes and are none.
const NO_CODES: [&str; 10] =
    ["ERROR", "ERRORS", "EXIT", "EXITED", "EXPECTED", "EXCEPTION", "EMPTY", "EVERY", "EITHER", "EDIT"];

/// What stands between quotes; an apostrophe inside a word is none. Code that is cut off at the end of a line counts.
static QUOTED: PairedPattern = PairedPattern::both(|| quotes(Alphabet::Ascii, "*"), || quotes(Alphabet::Unicode, "*"));

/// The same with the count in it, for the rare text that needs it.
static COUNTED: PairedPattern = PairedPattern::both(|| counted(Alphabet::Ascii), || counted(Alphabet::Unicode));

/// Code between backticks is no longer than this, in characters. An expression that counts to 300 takes 1.3 ms to build, four
/// times as long as one that does not, and each hook that folds a failed call would build it.
const MOST_QUOTED: usize = 300;

fn counted(alphabet: Alphabet) -> String {
    quotes(alphabet, &format!("{{0,{MOST_QUOTED}}}"))
}

/// With how many characters of code between backticks.
fn quotes(alphabet: Alphabet, many: &str) -> String {
    let (letters, curly) = match alphabet {
        Alphabet::Ascii => ("A-Za-z0-9", ""),
        Alphabet::Unicode => (r"\p{L}\p{N}", "|‘[^’\\n]*’|“[^”\\n]*”"),
    };
    format!(r#"(?m)(?:^|[^{letters}])('[^'\n]*'|"[^"\n]*"|`[^`]{many}`|`[^`\n]*${curly})"#)
}

/// Addresses, paths, and files by their endings; with the line that may follow them.
static PATHS: PairedPattern = PairedPattern::new(concat!(
    r"[A-Za-z][A-Za-z0-9+.-]*://[^\s,;)\]]+",
    r"|(?:[A-Za-z]:)?[\w.~@$%+-]*[/\\](?:[^\s,;:()\[\]]|\([^\s()]*\)/|\[[^\s\[\]]*\]/)*(?::\d+)*",
    r"|\b[\w-]+(?:\.[\w-]+)*\.(?:rs|py|pyc|js|mjs|cjs|ts|tsx|jsx|json|toml|ya?ml|md|txt|csv|cc?|hh?|cpp|hpp|go|java|kt|rb|php|sh|lock|html?|css|sql|db|log|so|ipynb)\b(?::\d+)*",
    r"|\b[\w-]+\.\w{1,8}:\d+(?::\d+)*",
));

/// `line 12`, `12:5`, hexadecimal numbers, other numbers; `exit code 1` keeps its number, which is its code.
static NUMBERS: PairedPattern = PairedPattern::new(concat!(
    r"(?P<kept>\b(?:exit(?:ed)?(?: with)?(?: code| status)?|status(?: code)?|code|http)[ :=]+\d{1,3}\b)",
    r"|\b(?:lines?|columns?|col)\s+\d+(?:\s*[-:,]\s*\d+)*",
    r"|\b0x[0-9a-f]+\b|\b[0-9a-f]*(?:[0-9][a-f]|[a-f][0-9])[0-9a-f]{5,}\b",
    r"|\b\d+(?:[.:,]\d+)*(?:ms|s|kb|mb|gb|b|%)?\b",
));

/// Everything that is neither letter, number nor blank, in a text that is not of ASCII alone.
static MARKS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[^\p{L}\p{M}\p{N}\s]").expect("BUG: the pattern of marks"));

/// What programs around the one that failed say of themselves: sandboxes, shells, containers, the tools of agents.
static WRAPPERS: PairedPattern = PairedPattern::new(concat!(
    r"(?im)failed in sandbox[^,\n]{0,80}denied exec error,?|failed in sandbox:\s*$",
    r"|(?:failed in sandbox: )?\S{0,80}shellenv\.sh: line \d+: /bin/ps: operation not permitted",
    r"|\bstd(?:out|err): ?(?:,|$)?",
    r"|^(?:chunk id|wall time|original token count): .*$|^output:\s*$|</?tool_use_error>",
    r"|^(?:error response from daemon|oci runtime exec failed|tool execution failed with error): ",
    r"|\bexec failed: unable to start container process: (?:exec: )?",
    r"|(?:^|: )(?:/\S*/)?(?:ba|da|k|z)?sh: (?:-c: )?(?:line \d+: |\d+: )?|(?:^|: )(?:\(eval\)|(?:ba|z)?sh):\d+: ",
    r#"|(?:/\S*/)?\b(?:ba|da|z|k)?sh -l?c (?:'[^'\n]*'|"[^"\n]*"|\S+)"#,
    r"|\b(?:docker|podman) (?:compose )?exec (?:-\S+ )*\S+|\btimeout (?:-\S+ )*\d+[smh]? |\benv (?:[A-Za-z_]\w*=\S* )+",
));

/// The fingerprint of an error. Empty where nothing is left of it.
pub fn of(error: &str) -> Box<str> {
    let end = error.char_indices().nth(LOOKED_AT).map_or(error.len(), |(end, _)| end);
    let text = &error[..end];
    let text = if text.contains('\x1b') { ESCAPES.replace_all(text, "") } else { Cow::Borrowed(text) };
    let text = without_wrappers(&text);
    let text = without_quotes(&text);
    // Every path has one of these, and the expression takes 3 ms to build.
    let text = if text.contains(['/', '\\', '.']) { PATHS.replace_all(&text, " ") } else { Cow::Borrowed(&*text) };
    let code = CODE.find(&text, |code| !NO_CODES.contains(&code));
    // A code stands before its message, wherever it stood.
    let rest = code.map_or_else(|| text.to_string(), |code| text.replacen(code, " ", 1)).to_lowercase();
    let has_number = rest.contains(|letter: char| letter.is_numeric());
    let rest = if has_number { NUMBERS.replace_all(&rest, " $kept ") } else { Cow::Borrowed(&*rest) };
    let plain = [code.unwrap_or_default().to_lowercase(), rest.into_owned()].map(|part| without_marks(&part));
    cut(plain.iter().flat_map(|part| part.split_whitespace()))
}

/// What each expression of `WRAPPERS` has in it, in lower case.
const WRAPPING: [&str; 21] = [
    "shellenv", "sandbox", "stdout", "stderr", "chunk id", "wall time", "token count", "output:", "tool_use_error",
    "from daemon", "oci runtime", "tool execution failed", "exec failed", "sh:", "(eval):", "sh -c", "sh -lc",
    "docker ", "podman ", "timeout ", "env ",
];

/// The text without what programs around the one that failed say: few texts have anything of it.
fn without_wrappers(text: &str) -> Cow<'_, str> {
    let lower = text.to_ascii_lowercase();
    let may_have = WRAPPING.iter().any(|word| memchr::memmem::find(lower.as_bytes(), word.as_bytes()).is_some());
    if may_have { WRAPPERS.replace_all(text, " ") } else { Cow::Borrowed(text) }
}

/// The text with a blank in place of everything that is neither letter, number nor blank.
fn without_marks(text: &str) -> String {
    if !text.is_ascii() {
        return MARKS.replace_all(text, " ").into_owned();
    }
    let is_kept = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '\t'..='\r' | ' ');
    text.chars().map(|letter| if is_kept(letter) { letter } else { ' ' }).collect()
}

/// The text with a blank in place of what stands between quotes, and of the mark before it.
fn without_quotes(text: &str) -> Cow<'_, str> {
    let between = text.split_once('`').and_then(|(_, rest)| rest.rsplit_once('`')).map_or("", |(between, _)| between);
    // Where no stretch between backticks is longer, counting makes no difference.
    let is_long = between.split('`').any(|code| code.chars().count() > MOST_QUOTED);
    if is_long { COUNTED.replace_all(text, " ") } else { QUOTED.replace_all(text, " ") }
}

fn cut<'w>(words: impl Iterator<Item = &'w str>) -> Box<str> {
    let (mut text, mut chars) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
        let gap = usize::from(chars > 0);
        if chars + gap + length > MOST_CHARS {
            if chars == 0 {
                text.extend(word.chars().take(MOST_CHARS));
            }
            break;
        }
        if gap == 1 {
            text.push(' ');
        }
        text.push_str(word);
        chars += gap + length;
    }
    text.into()
}

/// Words that stand in a line that says what went wrong.
static TELLING: PairedPattern = PairedPattern::new(
    "(?i)error|fatal|fail|cannot|can't|could not|no such|not found|denied|unknown|unrecognized|unrecognised|\
     invalid|undefined|unexpected|exception|panicked|missing|not recognized|unable|not allowed|deprecated|unmatched|refused|\
     conflict|no rule",
);

/// Words that say it outright; the others also stand in lines after which a program goes on.
const OUTRIGHT: [&str; 4] = ["error", "fatal", "failed", "panicked"];

/// The line of an output that says what went wrong: the first one that says so outright, else the first that has a word
/// for it; of a Python traceback the last. None where no line has a word for it.
pub fn telling_line(output: &str) -> Option<&str> {
    const LINES: usize = 2000;
    // Each of the words has a letter.
    let lines = || output.lines().take(LINES).map(str::trim).filter(|line| TELLING.is_match(line) && !is_frame(line));
    if output.contains("Traceback (most recent call last)") {
        return lines().last();
    }
    lines().find(|line| says_outright(line)).or_else(|| lines().next())
}

/// What a shell or a runtime prints around every error, whichever it is.
const FRAMES: [&str; 6] = [
    "+ CategoryInfo", "+ FullyQualifiedErrorId", "+ PSMessageDetails", "Not all parse errors were reported",
    "throw er;", "At line:",
];

fn is_frame(line: &str) -> bool {
    FRAMES.iter().any(|frame| line.starts_with(frame))
}

/// Whether a line has one of the words, and no name of something: `error:`, `TypeError`, but not `-Werror`, `error.rs`.
fn says_outright(line: &str) -> bool {
    let is_status = line.starts_with("-- ") || line.starts_with("checking ") || line.ends_with(" ok");
    let lower = line.to_ascii_lowercase();
    let is_named = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '/' | '.');
    let says = |word: &&str| {
        lower.match_indices(*word).any(|(place, _)| {
            let (before, behind) = (&lower[..place], &lower[place + word.len()..]);
            // `TypeError` is a word of its own.
            let is_begun = line[place..].starts_with(char::is_uppercase) || !before.ends_with(is_named);
            // Asked last: where nothing is blank, it looks at all that stands before.
            let is_none = || matches!(before.split_whitespace().next_back(), Some("no" | "0"));
            let is_ended = !behind.trim_start_matches('s').starts_with(is_named) || behind.starts_with(". ");
            is_begun && is_ended && !is_none()
        })
    };
    !is_status && OUTRIGHT.iter().any(says)
}

/// What an error says, and its fingerprint: eight patterns make one, so it is made once for all who ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprinted {
    /// The error, or the line that tells it.
    pub text: String,
    /// Its fingerprint.
    pub print: Box<str>,
}

impl Fingerprinted {
    /// An error that says more than a code.
    pub fn by_itself(error: &str) -> Option<Self> {
        let (first, rest) = parts(error);
        if first.is_empty() {
            return None;
        }
        let print = Some(of(first)).filter(|print| !is_bare(print))?;
        let print = if rest.is_empty() { print } else { of(error) };
        Some(Self { text: error.to_owned(), print })
    }

    /// An error that says no more: a later line of its own tells it, or its output.
    pub fn by_output(error: &str, output: impl FnOnce() -> String) -> Self {
        let text = telling(error, output);
        Self { print: of(&text), text }
    }
}

/// An error that says no more than a code, with the line that tells it.
pub(crate) fn telling(error: &str, output: impl FnOnce() -> String) -> String {
    let (first, rest) = parts(error);
    let output = if rest.trim().is_empty() { output() } else { rest.to_owned() };
    match telling_line(&output) {
        Some(line) => format!("{first}: {line}"),
        None if rest.contains(char::is_alphabetic) => error.to_owned(),
        None => first.to_owned(),
    }
}

/// The first line of an error, and the others: some tools write what was printed below the exit code.
pub(crate) fn parts(error: &str) -> (&str, &str) {
    error.split_once('\n').unwrap_or((error, ""))
}

/// Whether a fingerprint says no more than that something ended with a code.
pub fn is_bare(fingerprint: &str) -> bool {
    let telling = |word: &str| {
        !["exit", "exited", "code", "status", "with", "error", "failed", "command", "process"].contains(&word)
    };
    !fingerprint.split(' ').any(|word| telling(word) && word.contains(char::is_alphabetic))
}
