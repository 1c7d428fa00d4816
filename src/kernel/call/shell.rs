//! What a command line does: whether it runs tests, writes, reads, searches, or asks the web.
//!
//! Not a shell: it knows quotes, the joints between commands and here-documents, and is right about the usual ones.

use super::CallKind;

mod runner;

use self::runner::runs_tests;

/// A command line is not looked at further than this, in bytes.
const MOST_BYTES: usize = 4096;

/// Nor more commands of it than this.
const MOST_STEPS: usize = 40;

/// What a command line does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) kind: CallKind,
    /// The program, and its verb.
    pub(super) tool: Option<String>,
    /// The file that is read or written.
    pub(super) file: Option<String>,
}

/// Whether a command line runs tests.
pub fn is_test(command: &str) -> bool {
    Run::of(command).kind == CallKind::Test
}

/// The program that a command line is about, and its verb where it has verbs: `cargo test`.
pub fn program(command: &str) -> Option<String> {
    Run::of(command).tool
}

impl Run {
    pub(super) fn of(command: &str) -> Self {
        let steps: Vec<_> = steps(head(command, MOST_BYTES)).iter().filter_map(Step::of).collect();
        let kinds: Vec<_> = steps.iter().map(Step::kind).collect();
        let place = |kind: CallKind| kinds.iter().position(|found| *found == Some(kind));
        let telling = || kinds.iter().zip(&steps).position(|(kind, step)| kind.is_some() && !step.is_piped);
        let found = place(CallKind::Test).or_else(|| place(CallKind::Edit)).or_else(telling);
        let Some((step, kind)) = found.and_then(|place| Some((&steps[place], kinds[place]?))) else {
            return Self { kind: CallKind::Shell, tool: steps.first().map(Step::name), file: None };
        };
        let file = if kind == CallKind::Edit { step.written() } else { step.last_path() };
        Self { kind, tool: Some(step.name()), file: file.map(str::to_owned) }
    }
}

fn head(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let end = (0..=bytes).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// A part of a command line, and whether it reads what the one before prints.
struct Part<'c> {
    text: &'c str,
    is_piped: bool,
}

/// The commands of a command line, without what here-documents hold.
fn steps(command: &str) -> Vec<Part<'_>> {
    let bytes = command.as_bytes();
    let (mut parts, mut start, mut at, mut is_piped) = (Vec::new(), 0, 0, false);
    let mut quote = None;
    let mut document = None;
    while at < bytes.len() && parts.len() < MOST_STEPS {
        match (bytes[at], quote) {
            (b'\\', None | Some(b'"')) => at += 1,
            (byte @ (b'\'' | b'"'), None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            (b'<', None) if command[at..].starts_with("<<") && !command[at..].starts_with("<<<") => {
                document = terminator(&command[at + 2..]);
                at += 1;
            }
            (joint @ (b';' | b'&' | b'|' | b'\n'), None) if !is_redirection(bytes, at) => {
                parts.push(Part { text: &command[start..at], is_piped });
                let is_double = bytes.get(at + 1) == Some(&joint);
                is_piped = joint == b'|' && !is_double;
                at += usize::from(is_double && joint != b'\n');
                if joint == b'\n'
                    && let Some(end) = document.take()
                {
                    at += behind(&command[at + 1..], end);
                }
                start = at + 1;
            }
            (_, _) => {}
        }
        at += 1;
    }
    if let Some(text) = command.get(start.min(command.len())..) {
        parts.push(Part { text, is_piped });
    }
    parts
}

/// `2>&1`, `&>`, `>|`
fn is_redirection(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| bytes[before]);
    bytes[at] != b';' && bytes[at] != b'\n' && (before == Some(b'>') || bytes.get(at + 1) == Some(&b'>'))
}

/// What ends a here-document.
fn terminator(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['-', ' ', '\'', '"', '\\']);
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    Some(&text[..end]).filter(|word| !word.is_empty())
}

/// How many bytes a here-document takes, its end included.
fn behind(text: &str, end: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if line.trim() == end {
            return length;
        }
    }
    length
}

/// One command: its program and its words.
struct Step<'c> {
    program: &'c str,
    words: Vec<&'c str>,
    is_piped: bool,
    text: &'c str,
}

/// Words before the program that do not say what is run.
const PREFIXES: [&str; 28] = [
    "!",
    "(",
    "bunx",
    "command",
    "cross-env",
    "do",
    "dotenv",
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

impl<'c> Step<'c> {
    fn of(part: &Part<'c>) -> Option<Self> {
        let text = part.text.trim();
        if text.is_empty() || text.starts_with('#') {
            return None;
        }
        let mut words: Vec<_> = text.split_whitespace().collect();
        let mut at = 0;
        let mut is_prefixed = false;
        loop {
            let word = *words.get(at)?;
            let (bare, next) = (base_name(word), words.get(at + 1).copied().unwrap_or_default());
            if PREFIXES.contains(&bare) {
                is_prefixed = true;
            } else if RUNNERS.contains(&(bare, next)) {
                at += 1;
                is_prefixed = true;
            } else if !(is_assignment(word) || is_prefixed && is_option(word)) {
                break;
            }
            at += 1;
        }
        let program = base_name(words[at]);
        words.drain(..=at);
        (!program.is_empty()).then_some(Self { program, words, is_piped: part.is_piped, text })
    }

    fn name(&self) -> String {
        let verb = verbs(&self.words).next().filter(|verb| is_word(verb) && WITH_VERBS.contains(&self.program));
        let name = verb.map_or_else(|| self.program.to_owned(), |verb| format!("{} {verb}", self.program));
        name.chars().take(60).collect()
    }

    /// What it does; nothing where it only prepares what the others do.
    fn kind(&self) -> Option<CallKind> {
        if runs_tests(self.program, &self.words) || self.runs_a_shell_with_tests() {
            return Some(CallKind::Test);
        }
        let first = self.words.first().copied().unwrap_or_default();
        Some(match self.program {
            "cd" | "export" | "source" | "." | "set" | "unset" | "echo" | "printf" | "true" | "pwd" | "pushd"
            | "popd" | ":" | "fi" | "done" | "date" => return None,
            "apply_patch" | "patch" | "edit" | "create" | "str_replace" | "insert" => CallKind::Edit,
            "sed" | "perl" if self.words.iter().any(|word| is_in_place(word)) => CallKind::Edit,
            "git" if verbs(&self.words).next() == Some("apply") => CallKind::Edit,
            "cat" | "tee" if self.writes_a_document() => CallKind::Edit,
            "str_replace_editor" if first != "view" => CallKind::Edit,
            "git" if verbs(&self.words).next() == Some("grep") => CallKind::Search,
            "cat" | "head" | "tail" | "less" | "more" | "bat" | "nl" | "sed" | "view" | "open" | "goto" | "wc"
            | "scroll_down" | "scroll_up" | "str_replace_editor" => CallKind::Read,
            "rg" | "grep" | "egrep" | "fgrep" | "ag" | "ack" | "find" | "fd" | "fdfind" | "ls" | "tree" | "which"
            | "search_dir" | "search_file" | "find_file" => CallKind::Search,
            "curl" | "wget" | "xh" | "lynx" => CallKind::Web,
            "sleep" => CallKind::Wait,
            _ => CallKind::Shell,
        })
    }

    /// `bash -c "cd x && cargo test"`
    fn runs_a_shell_with_tests(&self) -> bool {
        let is_shell = matches!(self.program, "bash" | "sh" | "zsh");
        let option = self.words.first().is_some_and(|word| matches!(*word, "-c" | "-lc"));
        let inner = self.text.split_once("c ").map(|(_, inner)| inner.trim().trim_matches(WRAPPING));
        is_shell
            && option
            && inner.is_some_and(|inner| {
                steps(inner).iter().filter_map(Step::of).any(|step| runs_tests(step.program, &step.words))
            })
    }

    /// A here-document that goes into a file, other than a scratch file.
    fn writes_a_document(&self) -> bool {
        self.text.contains("<<") && self.written().is_some_and(|file| !file.starts_with("/tmp/") && file != "/dev/null")
    }

    /// The file that is written.
    fn written(&self) -> Option<&'c str> {
        let mut words = self.words.iter().copied();
        let behind = words.by_ref().find_map(|word| {
            let rest = word.strip_prefix(">>").or_else(|| word.strip_prefix('>'))?;
            Some(rest)
        });
        match behind {
            Some("") => words.next().map(|word| word.trim_matches(WRAPPING)),
            Some(file) => Some(file.trim_matches(WRAPPING)),
            None => self.last_path(),
        }
    }

    /// The last word that can be a path.
    fn last_path(&self) -> Option<&'c str> {
        let words = self.words.iter().rev().map(|word| word.trim_matches(['"', '\'']));
        let is_path = |word: &&str| {
            let looks = word.contains('.') || word.contains('/');
            let odd = word.contains(['$', '*', '<', '>', '|', '=', ',', '{', '\\']);
            looks && !odd && !word.starts_with('-') && !matches!(*word, "." | ".." | "/") && word.len() <= 200
        };
        words.into_iter().find(is_path)
    }
}

fn base_name(word: &str) -> &str {
    let word = word.trim_matches(WRAPPING);
    word.rsplit('/').next().unwrap_or(word)
}

/// Words that are neither options nor their values.
fn verbs<'w, 'c>(words: &'w [&'c str]) -> impl Iterator<Item = &'c str> + use<'w, 'c> {
    const WITH_VALUE: [&str; 17] = [
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

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// An option of what stands before the program, or its value: `timeout 60`.
fn is_option(word: &str) -> bool {
    word.starts_with('-') || word.starts_with(|letter: char| letter.is_ascii_digit())
}

fn is_in_place(word: &str) -> bool {
    word == "--in-place" || word.starts_with("-i") || word.starts_with("-pi")
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':'))
}
