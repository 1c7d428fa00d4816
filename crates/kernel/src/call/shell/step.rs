//! One command of a command line: its program, its words, the files that they name.
//!
//! What stands before the program (`sudo`, `env A=1`, `uv run`) is passed over. `weight` says what the command does.

use super::is_shell;
use super::line::{Part, words};

/// Words before the program that do not say what is run.
const PREFIXES: [&str; 30] = [
    "!", "(", "bunx", "command", "cross-env", "do", "dotenv", "elif", "else", "env", "exec", "if", "ionice", "nice",
    "nohup", "npx", "pnpx", "rtk", "stdbuf", "sudo", "then", "time", "timeout", "until", "uvx", "while", "xargs",
    "xvfb-run", "{", "--",
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
    "annals", "apt", "apt-get", "bd", "brew", "bun", "bundle", "cargo", "composer", "deno", "docker", "dotnet", "gh",
    "git", "go", "gradle", "just", "kubectl", "make", "mise", "mix", "mvn", "npm", "pip", "pnpm", "poetry", "swift",
    "terraform", "uv", "yarn", "zig",
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
        Some(Self { is_piped: part.is_piped, ..Self::of_words(words(part.text).collect())? })
    }

    pub(super) fn of_words(mut words: Vec<&'c str>) -> Option<Self> {
        let (mut at, mut is_prefixed, mut is_asked) = (0, false, false);
        let program = loop {
            let word = *words.get(at)?;
            let (bare, next) = (base_name(word), words.get(at + 1).copied().unwrap_or_default());
            if PREFIXES.contains(&bare) {
                is_prefixed = true;
            } else if RUNNERS.contains(&(bare, next)) {
                at += 1;
                is_prefixed = true;
            } else if let Some(behind) = behind_container(bare, &words[at + 1..]) {
                at += behind;
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
        (!program.is_empty()).then_some(Self { program, words, is_piped: false, is_asked })
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
        let says = option.starts_with('-') && !option.starts_with("--") && option.ends_with('c');
        (is_shell(self.program) && says).then(|| command.trim_matches(['"', '\'']))
    }

    /// Whether the lines that follow are text and no commands: SWE-agent's `edit 3:5`.
    pub(super) fn takes_text(&self) -> bool {
        matches!(self.program, "edit" | "insert")
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

    /// The words that can be paths, by their looks.
    pub(super) fn paths(&self) -> impl DoubleEndedIterator<Item = &'c str> {
        let is_path = |word: &&str| (word.contains('.') || word.contains('/')) && is_file(word);
        self.words.iter().map(|word| bare(word)).filter(is_path)
    }

    /// The last of them.
    pub(super) fn last_path(&self) -> Option<&'c str> {
        self.paths().next_back()
    }

    /// The words that are neither options nor about where input and output go.
    pub(super) fn operands(&self) -> impl Iterator<Item = &'c str> {
        let is_other = |word: &str| word.starts_with(['-', '<', '&']) || word.contains('>');
        let mut words = self.words.iter();
        std::iter::from_fn(move || {
            loop {
                let word = words.next()?;
                if matches!(*word, ">" | ">>" | "1>" | "2>" | "2>>" | "&>" | "<" | "<<" | "<<-") {
                    words.next();
                } else if !is_other(word) {
                    return Some(bare(word));
                }
            }
        })
    }

    /// `sed -i` and the like.
    pub(super) fn is_in_place(&self) -> bool {
        self.words.iter().any(|word| *word == "--in-place" || word.starts_with("-i") || word.starts_with("-pi"))
    }

    /// `rm -r` and the like.
    pub(super) fn is_of_folders(&self) -> bool {
        let is_short = |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R']);
        let is_removal = self.program == "rm" || self.program == "git" && self.verb() == Some("rm");
        is_removal && self.words.iter().any(|word| is_short(word) || *word == "--recursive")
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
        "--filter", "-F", "-C", "--prefix", "--cwd", "-w", "--workspace", "-p", "--package", "-f", "--manifest-path",
        "--dir", "--project", "-j", "--features", "--config", "-c", "-R",
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

/// How many words after `docker` name where a command runs: `exec -w /app box`; none where it runs nothing inside.
fn behind_container(program: &str, words: &[&str]) -> Option<usize> {
    const WITH_VALUE: [&str; 12] = [
        "-c", "--container", "-e", "--env", "--env-file", "-f", "--file", "-n", "--namespace", "-u", "-w", "--workdir",
    ];
    let is_compose = words.first() == Some(&"compose") || program == "docker-compose";
    let exec = words.iter().position(|word| *word == "exec").filter(|at| *at == 0 || is_compose)?;
    if !matches!(program, "docker" | "docker-compose" | "podman" | "kubectl") {
        return None;
    }
    let mut at = exec + 1;
    while let Some(option) = words.get(at).filter(|word| word.starts_with('-')) {
        at += 1 + usize::from(WITH_VALUE.contains(option) || *option == "--user");
    }
    let command = at + 1 + usize::from(words.get(at + 1) == Some(&"--"));
    words.get(command).map(|_| command)
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
