//! One command of a command line: its program, its words, the files that they name.
//!
//! What stands before the program (`sudo`, `env A=1`, `uv run`) is passed over. `weight` says what the command does.

use super::line::{Part, words};

/// Words before the program that do not say what is run.
const PREFIXES: [&str; 30] = [
    "!",
    "(",
    "bunx",
    "command",
    "cross-env",
    "do",
    "dotenv",
    "elif",
    "else",
    "env",
    "exec",
    "if",
    "ionice",
    "nice",
    "nohup",
    "npx",
    "pnpx",
    "rtk",
    "stdbuf",
    "sudo",
    "then",
    "time",
    "timeout",
    "until",
    "uvx",
    "while",
    "xargs",
    "xvfb-run",
    "{",
    "--",
];

/// Programs that run another one behind a verb.
const RUNNERS: [(&str, &str); 11] = [
    ("bundle", "exec"),
    ("hatch", "run"),
    ("mise", "exec"),
    ("npm", "exec"),
    ("pdm", "run"),
    ("pipenv", "run"),
    ("pnpm", "dlx"),
    ("pnpm", "exec"),
    ("poetry", "run"),
    ("uv", "run"),
    ("yarn", "exec"),
];

/// Programs whose first argument is a verb.
const WITH_VERBS: [&str; 31] = [
    "annals",
    "apt",
    "apt-get",
    "bd",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "composer",
    "deno",
    "docker",
    "dotnet",
    "gh",
    "git",
    "go",
    "gradle",
    "just",
    "kubectl",
    "make",
    "mise",
    "mix",
    "mvn",
    "npm",
    "pip",
    "pnpm",
    "poetry",
    "swift",
    "terraform",
    "uv",
    "yarn",
    "zig",
];

const WRAPPING: [char; 5] = ['"', '\'', '(', ')', '`'];

/// A longer word is no path, in bytes.
const LONGEST_PATH: usize = 200;

/// One command: its program and its words.
pub(super) struct Step<'c> {
    pub(super) program: &'c str,
    pub(super) words: Vec<&'c str>,
    /// Whether it reads what the command before it prints.
    pub(super) is_piped: bool,
    /// Whether only what it prints is wanted: `X=$(…)`.
    pub(super) is_asked: bool,
}

impl<'c> Step<'c> {
    pub(super) fn of(part: &Part<'c>) -> Option<Self> {
        let mut words: Vec<_> = words(part.text).collect();
        let (mut at, mut is_prefixed, mut is_asked) = (0, false, false);
        let program = loop {
            let word = *words.get(at)?;
            let (bare, next) = (base_name(word), words.get(at + 1).copied().unwrap_or_default());
            if PREFIXES.contains(&bare) {
                is_prefixed = true;
            } else if RUNNERS.contains(&(bare, next)) {
                at += 1;
                is_prefixed = true;
            } else if let Some(value) = assigned(word.trim_start_matches('(')) {
                if let Some(asked) = substituted(value).filter(|_| next.is_empty() || next.contains('>')) {
                    is_asked = true;
                    words.splice(..=at, self::words(asked));
                    at = 0;
                    continue;
                }
            } else if !(is_prefixed && is_option(word)) {
                break bare;
            }
            at += 1;
        };
        words.drain(..=at);
        (!program.is_empty()).then_some(Self { program, words, is_piped: part.is_piped, is_asked })
    }

    /// The program, and its verb.
    pub(super) fn name(&self) -> String {
        let verb = self.verb().filter(|verb| is_word(verb) && self.has_verbs());
        let name = verb.map_or_else(|| self.program.to_owned(), |verb| format!("{} {verb}", self.program));
        name.chars().take(60).collect()
    }

    /// The first word that is neither an option nor its value.
    pub(super) fn verb(&self) -> Option<&'c str> {
        verbs(&self.words).next()
    }

    /// `bash -lc "cd x && cargo test"`: what the shell runs.
    pub(super) fn inner(&self) -> Option<&'c str> {
        let [option, command, ..] = *self.words else { return None };
        let is_shell = matches!(self.program, "bash" | "sh" | "zsh" | "dash");
        let says = option.starts_with('-') && !option.starts_with("--") && option.ends_with('c');
        (is_shell && says).then(|| command.trim_matches(['"', '\'']))
    }

    /// Whether a text follows that is written down.
    pub(super) fn has_document(&self) -> bool {
        self.words.iter().any(|word| word.starts_with("<<"))
    }

    /// Whether any of these words is given.
    pub(super) fn has(&self, known: &[&str]) -> bool {
        self.words.iter().any(|word| known.contains(word))
    }

    /// Whether its first argument is a verb.
    pub(super) fn has_verbs(&self) -> bool {
        WITH_VERBS.contains(&self.program)
    }

    /// Where what it prints goes, if not to who called it; a name, or something that stands for one.
    pub(super) fn redirected(&self) -> Option<&'c str> {
        let mut words = self.words.iter().copied();
        let behind = words.by_ref().find_map(|word| word.trim_start_matches(['1', '&']).strip_prefix('>'))?;
        let file = match behind.trim_start_matches(['>', '|']) {
            "" => words.next()?,
            file => file,
        };
        Some(bare(file)).filter(|file| !file.is_empty() && !file.starts_with(['&', '(']) && !file.starts_with("/dev/"))
    }

    /// The last word that can be a path, by its looks.
    pub(super) fn last_path(&self) -> Option<&'c str> {
        let is_path = |word: &&str| (word.contains('.') || word.contains('/')) && is_file(word);
        self.words.iter().rev().map(|word| bare(word)).find(is_path)
    }

    /// The last word that is no option, where only paths can stand; nothing where it does not name a file.
    pub(super) fn last_operand(&self) -> Option<&'c str> {
        let is_other = |word: &&str| word.starts_with(['-', '<']) || word.contains('>') || word.starts_with("/dev/");
        self.words.iter().rev().map(|word| bare(word)).find(|word| !is_other(word)).filter(|word| is_file(word))
    }
}

/// Without quotes, and without the end of `$(…)`.
fn bare(word: &str) -> &str {
    let word = if word.contains('(') { word } else { word.trim_end_matches([')', '`']) };
    word.trim_matches(['"', '\''])
}

/// Whether a word can name a file; a script of `sed` cannot.
pub(super) fn is_file(word: &str) -> bool {
    let odd = word.contains(['$', '*', '<', '>', '|', '=', ',', '{', '\\']) || word.starts_with(['-', '&']);
    let odd = odd || word.contains(char::is_whitespace);
    let named = !matches!(word, "" | "." | ".." | "/") && !word.starts_with("/dev/") && !word.starts_with("s/");
    !odd && named && word.len() <= LONGEST_PATH
}

fn base_name(word: &str) -> &str {
    let word = word.trim_matches(WRAPPING);
    word.rsplit('/').next().unwrap_or(word)
}

/// Words that are neither options nor their values.
pub(super) fn verbs<'w, 'c>(words: &'w [&'c str]) -> impl Iterator<Item = &'c str> + use<'w, 'c> {
    const WITH_VALUE: [&str; 18] = [
        "--filter",
        "-F",
        "-C",
        "--prefix",
        "--cwd",
        "-w",
        "--workspace",
        "-p",
        "--package",
        "-f",
        "--manifest-path",
        "--dir",
        "--project",
        "-j",
        "--features",
        "--config",
        "-c",
        "-R",
    ];
    let mut words = words.iter().copied();
    std::iter::from_fn(move || {
        loop {
            let word = words.next()?;
            if WITH_VALUE.contains(&word) {
                words.next();
            } else if !word.starts_with(['-', '+', '>', '<']) && !word.starts_with("2>") {
                return Some(word.trim_matches(WRAPPING));
            }
        }
    })
}

/// The value, where a word gives a variable one.
fn assigned(word: &str) -> Option<&str> {
    let (name, value) = word.split_once('=')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then_some(value)
}

/// `"$(git rev-parse HEAD)"`: the command whose output is the value. Not of a sum.
fn substituted(value: &str) -> Option<&str> {
    let value = value.trim_matches('"');
    let inner = value.strip_prefix("$(").or_else(|| value.strip_prefix('`'))?;
    let end = inner.rfind([')', '`']).unwrap_or(inner.len());
    (!inner.starts_with('(')).then(|| &inner[..end])
}

/// An option of what stands before the program, or its value: `timeout 60`.
fn is_option(word: &str) -> bool {
    word.starts_with('-') || word.starts_with(|letter: char| letter.is_ascii_digit())
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':'))
}
