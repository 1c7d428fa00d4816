//! One command of a command line that acts: its program, its words, the files that they name.
//!
//! Seen through what stands around it: wrappers, shells in shells, what is fed into one, what `find` runs. `weight` says
//! what the command does. Nothing is expanded: `$R x` is a program of that name.

use std::borrow::Cow;

use super::builder::{builds, runs};
use super::is_shell;
use super::lexer::{Command, Joint, RedirectMode, RedirectTarget, Stream, commands};
use super::runner::{only_says, runs_tests};
use super::windows;
use super::wrapper::{Acting, Shell, acting, base_name};

/// Programs whose first argument is a verb.
const WITH_VERBS: [&str; 31] = [
    "annals", "apt", "apt-get", "bd", "brew", "bun", "bundle", "cargo", "composer", "deno", "docker", "dotnet", "gh",
    "git", "go", "gradle", "just", "kubectl", "make", "mise", "mix", "mvn", "npm", "pip", "pnpm", "poetry", "swift",
    "terraform", "uv", "yarn", "zig",
];

/// A longer word is no path, in bytes.
const LONGEST_PATH: usize = 200;

/// Lines in lines are not looked into deeper than this.
const MOST_DEPTH: u8 = 6;

/// One command that acts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Act<'c> {
    program: Cow<'c, str>,
    words: Vec<Cow<'c, str>>,
    /// What it gives variables, where it runs no program.
    assigned: Vec<Cow<'c, str>>,
    outputs: Vec<RedirectTarget<'c>>,
    documents: Vec<Cow<'c, str>>,
    joint: Joint,
    is_asked: bool,
}

/// The commands of a command line that act, in the order in which they stand there; what stands inside a command's words
/// comes before it.
pub fn acts(line: &str) -> Vec<Act<'_>> {
    let mut found = Vec::new();
    collect(line, 0, &mut found);
    found
}

fn collect<'c>(line: &'c str, depth: u8, found: &mut Vec<Act<'c>>) {
    for command in commands(line) {
        take(command, depth, found);
    }
}

fn take<'c>(mut command: Command<'c>, depth: u8, found: &mut Vec<Act<'c>>) {
    let Command { joint, is_asked, .. } = command;
    let first = found.len();
    let (at, line) = match acting(&command.words) {
        Acting::Word(at) => (at, shell_line(&command, at, found.last())),
        Acting::Line(line) => (0, Some(line)),
    };
    match line.filter(|_| depth < MOST_DEPTH) {
        Some(Cow::Borrowed(line)) => collect(line, depth + 1, found),
        Some(Cow::Owned(line)) => {
            let mut inside = Vec::new();
            collect(&line, depth + 1, &mut inside);
            for act in inside {
                found.push(act.into_owned());
            }
        }
        None => {}
    }
    if found.len() > first {
        // Where the output of a shell goes, that of its last command does.
        found[first].joint = joint;
        found[first..].iter_mut().for_each(|act| act.is_asked |= is_asked);
        found.last_mut().into_iter().for_each(|act| act.outputs.append(&mut command.outputs));
        return;
    }
    let act = Act::of(command, at);
    let run = act.run_by_find();
    found.push(act);
    if depth < MOST_DEPTH {
        for words in run {
            take(Command { words, is_asked, ..Command::default() }, depth + 1, found);
        }
    }
}

/// What a shell runs: what is behind its `-c`, stands in the line for it, or is printed into it.
fn shell_line<'c>(command: &Command<'c>, at: usize, before: Option<&Act<'c>>) -> Option<Cow<'c, str>> {
    let program = base_name(command.words.get(at)?);
    if let Some(line) = windows::line(program, &command.words[at + 1..]) {
        return Some(Cow::Owned(line));
    }
    let is_remote = program == "ssh";
    if !is_shell(program) && !is_remote {
        return None;
    }
    match Shell::of(&command.words[at + 1..]) {
        Shell::Line(line) => Some(line),
        Shell::File if !is_remote => None,
        Shell::File | Shell::Input if !command.documents.is_empty() => Some(joined(&command.documents, "\n")),
        Shell::File | Shell::Input => before.filter(|_| command.joint == Joint::Pipe)?.printed(),
    }
}

fn joined<'c>(texts: &[Cow<'c, str>], between: &str) -> Cow<'c, str> {
    if let [text] = texts { text.clone() } else { Cow::Owned(texts.join(between)) }
}

impl<'c> Act<'c> {
    fn of(command: Command<'c>, at: usize) -> Self {
        let Command { mut words, outputs, documents, joint, is_asked } = command;
        let assigned = if at >= words.len() { std::mem::take(&mut words) } else { Vec::new() };
        let program = words.drain(..(at + 1).min(words.len())).nth(at).unwrap_or_default();
        let program = match program {
            Cow::Borrowed(program) => Cow::Borrowed(windows::bare(base_name(program))),
            Cow::Owned(program) => Cow::Owned(windows::bare(base_name(&program)).to_owned()),
        };
        Self { program, words, assigned, outputs, documents, joint, is_asked }
    }

    /// The same with other words.
    pub(in crate::call) fn with(&self, program: &str, words: Vec<String>) -> Act<'static> {
        let (program, words) = (Cow::Owned(base_name(program).to_owned()), words.into_iter().map(Cow::Owned).collect());
        Act { program, words, ..self.clone().into_owned() }
    }

    /// What it gives variables, where it runs no program: `A=1`.
    pub(in crate::call) fn assigned(&self) -> impl Iterator<Item = &str> {
        self.assigned.iter().map(|word| &**word)
    }

    fn into_owned(self) -> Act<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let all = |texts: Vec<Cow<'_, str>>| texts.into_iter().map(own).collect();
        let output = |RedirectTarget { file, stream, mode }| RedirectTarget { file: own(file), stream, mode };
        let Self { program, words, assigned, outputs, documents, joint, is_asked } = self;
        let outputs = outputs.into_iter().map(output).collect();
        let assigned = all(assigned);
        Act { program: own(program), words: all(words), assigned, outputs, documents: all(documents), joint, is_asked }
    }

    /// What it prints, where the line says so.
    pub(in crate::call) fn printed(&self) -> Option<Cow<'c, str>> {
        match &*self.program {
            "echo" => Some(joined(&self.words, " ")),
            "printf" => Some(self.words.join(" ").replace("\\n", "\n").into()),
            "cat" | "tee" if !self.documents.is_empty() => Some(joined(&self.documents, "\n")),
            _ => None,
        }
    }

    /// `find . -exec rm {} +`: the commands behind it.
    fn run_by_find(&self) -> Vec<Vec<Cow<'c, str>>> {
        let is_run = |word: &Cow<'_, str>| matches!(&**word, "-exec" | "-execdir" | "-ok" | "-okdir");
        let is_end = |word: &&Cow<'_, str>| !matches!(&***word, ";" | "+");
        let runs = self.words.split(is_run).skip(1).filter(|_| self.program == "find");
        runs.map(|words| words.iter().take_while(is_end).cloned().collect()).collect()
    }

    /// The program, without its folder; empty where there is none.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Its words.
    pub fn words(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.words.iter().map(|word| &**word)
    }

    /// The program and its words, one blank between them.
    pub fn text(&self) -> String {
        std::iter::once(self.program()).chain(self.words()).collect::<Vec<_>>().join(" ")
    }

    /// The files that output goes to.
    pub fn outputs(&self) -> impl Iterator<Item = &str> {
        self.outputs.iter().map(|output| &*output.file)
    }

    /// The texts that are fed into it: here-documents, and what stands behind `<<<`.
    pub fn documents(&self) -> impl Iterator<Item = &str> {
        self.documents.iter().map(|document| &**document)
    }

    /// The file that what it prints goes to, and what becomes of that file's text.
    pub fn printed_into(&self) -> Option<(&str, RedirectMode)> {
        let printed = self.outputs.iter().find(|output| output.stream == Stream::Printed)?;
        Some((&*printed.file, printed.mode))
    }

    /// What stands between it and the one before.
    pub fn joint(&self) -> Joint {
        self.joint
    }

    /// Whether only what it prints is wanted, by another command: `$(…)`.
    pub fn is_asked(&self) -> bool {
        self.is_asked
    }

    /// Whether it runs tests.
    pub fn is_test(&self) -> bool {
        runs_tests(self)
    }

    /// Whether it builds, lints or checks types, or brings code into form.
    pub(in crate::call) fn builds(&self) -> bool {
        builds(self)
    }

    /// Whether it runs what a project is, or a part of it.
    pub(in crate::call) fn runs(&self) -> bool {
        runs(self)
    }

    /// Whether it only says what it would do: `make -n`, `pytest --collect-only`.
    pub fn only_says(&self) -> bool {
        only_says(self)
    }

    /// The program, and its verb; at most 60 characters.
    pub(super) fn name(&self) -> String {
        let verb = self.verb().filter(|verb| is_word(verb) && self.has_verbs());
        let mut name = verb.map_or_else(|| self.program.to_string(), |verb| format!("{} {verb}", self.program));
        let end = name.char_indices().nth(60).map_or(name.len(), |(end, _)| end);
        name.truncate(end);
        name
    }

    /// The first word that is neither an option nor its value.
    pub fn verb(&self) -> Option<&str> {
        self.verbs().next()
    }

    /// Words that are neither options nor their values.
    pub fn verbs(&self) -> impl Iterator<Item = &str> {
        const WITH_VALUE: [&str; 18] = [
            "--filter", "-F", "-C", "--prefix", "--cwd", "-w", "--workspace", "-p", "--package", "-f",
            "--manifest-path", "--dir", "--project", "-j", "--features", "--config", "-c", "-R",
        ];
        let mut words = self.words();
        std::iter::from_fn(move || {
            loop {
                let word = words.next()?;
                if WITH_VALUE.contains(&word) {
                    words.next();
                } else if !word.starts_with(['-', '+']) {
                    return Some(word);
                }
            }
        })
    }

    /// Whether the lines that follow are text and no commands: SWE-agent's `edit 3:5`.
    pub(super) fn takes_text(&self) -> bool {
        matches!(self.program(), "edit" | "insert")
    }

    /// Whether a text follows that is written down.
    pub(super) fn has_document(&self) -> bool {
        !self.documents.is_empty()
    }

    /// Whether any of these words is given.
    pub fn has(&self, known: &[&str]) -> bool {
        self.words().any(|word| known.contains(&word))
    }

    /// Whether its first argument is a verb.
    pub(super) fn has_verbs(&self) -> bool {
        WITH_VERBS.contains(&self.program())
    }

    /// Where what it prints goes, if not to who called it; a name, or something that stands for one.
    pub(super) fn redirected(&self) -> Option<&str> {
        let printed = self.outputs.iter().find(|output| output.stream == Stream::Printed)?;
        Some(&*printed.file).filter(|file| !file.is_empty() && !file.starts_with("/dev/"))
    }

    /// The words that can be paths, by their looks.
    pub(super) fn paths(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.words().filter(|word| (word.contains('.') || word.contains('/')) && is_file(word))
    }

    /// The last of them.
    pub(super) fn last_path(&self) -> Option<&str> {
        self.paths().next_back()
    }

    /// `sed -i` and the like.
    pub fn is_in_place(&self) -> bool {
        // Behind these letters stands a value.
        let is_flag = |letter: &char| !matches!(letter, 'I' | 'M' | 'e' | 'f' | 'm');
        let is_short = |letters: &str| letters.chars().take_while(is_flag).any(|letter| letter == 'i');
        let is_it = |word: &str| match word.strip_prefix('-') {
            Some(long) if long.starts_with('-') => long.starts_with("-in-place"),
            short => short.is_some_and(is_short),
        };
        matches!(self.program(), "sed" | "perl") && self.words().any(is_it)
    }

    /// `rm -r` and the like.
    pub fn is_of_folders(&self) -> bool {
        let is_short = |word: &str| word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R']);
        let is_removal = self.program == "rm" || self.program == "git" && self.verb() == Some("rm");
        is_removal && self.words().any(|word| is_short(word) || word == "--recursive")
    }

    /// The last word that is no option, where only paths can stand; nothing where it does not name a file.
    pub(super) fn last_operand(&self) -> Option<&str> {
        let is_other = |word: &&str| word.starts_with('-') || word.starts_with("/dev/");
        self.words().rev().find(|word| !is_other(word)).filter(|word| is_file(word))
    }
}

/// The words that are no options; behind `--` all.
pub fn operands<'w>(words: impl Iterator<Item = &'w str>) -> impl Iterator<Item = &'w str> {
    let mut is_behind = false;
    words.filter(move |word| {
        let is_operand = is_behind || !word.starts_with('-') || *word == "-";
        let is_mark = !is_behind && *word == "--";
        is_behind |= is_mark;
        is_operand && !is_mark
    })
}

/// Whether a word can name a file; a script of `sed` cannot.
pub(super) fn is_file(word: &str) -> bool {
    let odd = word.contains(['$', '*', '<', '>', '|', '=', ',', '{', '\\']) || word.starts_with(['-', '&']);
    let odd = odd || word.contains(char::is_whitespace);
    let named = !matches!(word, "" | "." | ".." | "/") && !word.starts_with("/dev/") && !word.starts_with("s/");
    !odd && named && word.len() <= LONGEST_PATH
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':'))
}
