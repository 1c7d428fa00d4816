//! Follows a command line through what it says of itself: variables, aliases, folders that it goes to, scripts that it writes
//! and then runs, code that it hands to an interpreter.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::expand::{Names, braced, quoted};
use super::lists::{GRAVE_WORDS, HARMLESS_PRINTERS, UNREAD_PRINTERS, is_interpreter, says_only};
use super::place::{self, Place};
use super::{COMMAND_CHARS, CommandEffect, Effect, clients, code, files, git, programs};
use crate::call::shell::{Act, Joint, acts, is_shell};

/// Lines in lines, and variables in them, are not followed deeper than this.
const MOST_DEPTH: u8 = 6;
/// Nor are more of them read: a line can name itself.
const MOST_READ: u32 = 64;

/// What a line has said so far.
#[derive(Default)]
pub(super) struct EffectReader {
    names: Names,
    scripts: BTreeMap<String, String>,
    folder: String,
    found: Vec<CommandEffect>,
    depth: u8,
    read: u32,
    kept: Kept,
}

/// Which of the commands that were found are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kept {
    /// The first with each effect, cut; what lies too deep is passed over.
    #[default]
    First,
    /// Each one whole, and what lies too deep as what cannot be read.
    Each,
}

/// Whether a command can have an effect, or says what another one does: asked of each command of the log.
pub(super) fn may_matter(act: &Act<'_>) -> bool {
    let program = act.program();
    let is_followed = program.contains(['$', '{', '*', '?', '[']) || is_shell(program) || is_interpreter(program);
    is_followed
        || matches!(
            program,
            "." | "source"
                | "eval"
                | "alias"
                | "git"
                | "rm"
                | "rimraf"
                | "del-cli"
                | "find"
                | "fd"
                | "fdfind"
                | "rsync"
                | "mv"
                | "dd"
                | "chmod"
                | "chown"
                | "chgrp"
                | "kill"
                | "Remove-Item"
                | "remove-item"
                | "ri"
                | "rd"
                | "rmdir"
                | "del"
                | "erase"
        )
        || clients::is_client(program)
        || programs::is_known(program)
        || programs::is_runner(program)
        || programs::script(program).is_some()
        || act.outputs().any(files::is_disk)
}

impl EffectReader {
    /// One that keeps these.
    pub(super) fn keeping(kept: Kept) -> Self {
        Self { kept, ..Self::default() }
    }

    /// What a line does.
    pub(super) fn of(mut self, line: &str) -> Vec<CommandEffect> {
        self.read(line);
        self.found
    }

    /// What commands do.
    pub(super) fn of_acts(mut self, acts: &[Act<'_>]) -> Vec<CommandEffect> {
        self.all(acts);
        self.found
    }

    fn read(&mut self, line: &str) {
        if self.depth == MOST_DEPTH || self.read == MOST_READ {
            if self.kept == Kept::Each {
                self.keep(Effect::Unreadable, line.into());
            }
            return;
        }
        self.read += 1;
        self.depth += 1;
        self.all(&acts(line));
        self.depth -= 1;
    }

    fn all(&mut self, acts: &[Act<'_>]) {
        for (at, act) in acts.iter().enumerate() {
            self.take(act, &acts[..at]);
        }
    }

    fn take(&mut self, act: &Act<'_>, earlier: &[Act<'_>]) {
        let asked = asked(earlier);
        if act.program().is_empty() {
            act.assigned().for_each(|word| self.assign(word, earlier));
        } else if let Some(line) = self.instead_of(act, asked.as_deref()) {
            self.read(&line);
        } else if is_put_together(act.program()) {
            if is_grave(act, earlier) {
                self.note(Effect::Unreadable, act);
            }
        } else {
            let act = self.expanded(act, asked.as_deref());
            self.say(&act, earlier);
            self.act(&act, earlier);
        }
        if act.outputs().any(files::is_disk) {
            self.note(Effect::Disk, act);
        }
    }

    /// The command with what is known of its words in their places.
    fn expanded<'c>(&self, act: &'c Act<'c>, asked: Option<&str>) -> Cow<'c, Act<'c>> {
        if !act.words().any(|word| word.contains('$')) {
            return Cow::Borrowed(act);
        }
        let mut words = Vec::new();
        for word in act.words() {
            let expanded = self.names.expand(word, asked).text;
            // `$FLAGS` alone may be several words.
            let is_alone = word.starts_with('$')
                && word[1..].chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            if is_alone && expanded != word {
                words.extend(expanded.split_whitespace().map(str::to_owned));
            } else {
                words.push(expanded);
            }
        }
        Cow::Owned(act.with(act.program(), words))
    }

    fn assign(&mut self, assignment: &str, earlier: &[Act<'_>]) {
        // What it is called once is not known, and that it lies where temporary files do, is.
        let is_temporary = || earlier.last().is_some_and(|act| act.is_asked() && act.program() == "mktemp");
        let printed = asked(earlier).or_else(|| is_temporary().then(|| "/tmp/made".into()));
        self.names.assign(assignment, printed.as_deref());
    }

    /// The line that a command stands for: an alias, a variable that holds its program, words in braces.
    fn instead_of(&self, act: &Act<'_>, asked: Option<&str>) -> Option<String> {
        let program = act.program();
        let rest = || {
            act.words()
                .map(|word| if word.contains('$') { word.to_owned() } else { quoted(word) })
                .collect::<Vec<_>>()
                .join(" ")
        };
        if let Some(said) = self.names.aliased(program) {
            // Itself behind its own name: `alias rm='rm -i'`.
            let is_itself = said.split_whitespace().next() == Some(program);
            return (!is_itself || act.words().next().is_some_and(|word| said.contains(word)))
                .then(|| format!("{said} {}", rest()))
                .filter(|_| !is_itself);
        }
        if let Some(words) = braced(program) {
            return Some(format!("{words} {}", rest()));
        }
        if !program.contains('$') {
            return None;
        }
        let expanded = self.names.expand(program, asked);
        let is_new = expanded.is_whole && expanded.text != program && !expanded.text.trim().is_empty();
        is_new.then(|| format!("{} {}", expanded.text, rest()))
    }

    /// What a command says of those behind it.
    fn say(&mut self, act: &Act<'_>, earlier: &[Act<'_>]) {
        match act.program() {
            "export" | "declare" | "local" | "readonly" | "typeset" => {
                let assignments: Vec<String> =
                    act.words().filter(|word| word.contains('=')).map(str::to_owned).collect();
                for word in &assignments {
                    self.assign(word, earlier);
                }
            }
            "alias" => act.words().for_each(|word| self.names.alias(word)),
            "set" => self.names.set(act.words().skip_while(|word| word.starts_with('-')).collect::<Vec<_>>().join(" ")),
            "cd" | "pushd" => self.go(act, earlier),
            _ => {}
        }
        if let Some(text) = act.printed() {
            act.outputs().for_each(|file| drop(self.scripts.insert(base(file).to_owned(), text.clone().into_owned())));
            // `cat <<E | tee x.sh`
            if act.program() == "tee" {
                act.words()
                    .for_each(|file| drop(self.scripts.insert(base(file).to_owned(), text.clone().into_owned())));
            }
        }
    }

    fn go(&mut self, act: &Act<'_>, earlier: &[Act<'_>]) {
        let is_temporary = earlier.last().is_some_and(|act| act.is_asked() && act.program() == "mktemp");
        match act.words().find(|word| !word.starts_with('-')) {
            Some("$") if is_temporary => "/tmp/made".clone_into(&mut self.folder),
            Some(to) => self.folder = place::joined(&self.folder, to),
            None => "~".clone_into(&mut self.folder),
        }
    }

    fn place(&self, path: &str) -> Place {
        place::place(&self.folder, path)
    }

    fn act(&mut self, act: &Act<'_>, earlier: &[Act<'_>]) {
        let program = act.program();
        if is_shell(program) || matches!(program, "." | "source" | "eval") {
            return self.shell(act, earlier);
        }
        if is_interpreter(program) && self.code(act, earlier) || says_only(act) {
            return;
        }
        if let Some(script) = self.scripts.get(program).cloned() {
            return self.read(&script);
        }
        if let Some(inner) = programs::handed_on(act) {
            return self.act(&inner, earlier);
        }
        let place = |path: &str| self.place(path);
        let effect = match program {
            "git" => git::effect(act),
            _ => files::effect(act, earlier, &place)
                .or_else(|| clients::effect(act, earlier, &place))
                .or_else(|| programs::effect(act))
                .or_else(|| programs::task(act))
                .or_else(|| programs::script(program)),
        };
        if let Some(effect) = effect {
            self.note(effect, act);
        }
    }

    /// A shell that was given a file, or whatever is printed into it.
    fn shell(&mut self, act: &Act<'_>, earlier: &[Act<'_>]) {
        let file = act.words().find(|word| !word.starts_with('-') && *word != "$");
        if act.program() == "eval" {
            let line = act.words().collect::<Vec<_>>().join(" ");
            return if line.contains('$') {
                self.unread(act, earlier.last().filter(|act| act.is_asked()));
            } else {
                self.read(&line);
            };
        }
        if let Some(file) = file {
            if let Some(script) = self.scripts.get(base(file)).cloned() {
                return self.read(&script);
            }
            if let Some(effect) = programs::script(file) {
                self.note(effect, act);
            }
            return;
        }
        let is_substituted = act.words().any(|word| word == "$");
        if is_substituted || act.joint() == Joint::Pipe {
            self.unread(act, earlier.last());
        } else if let Some(text) = act.documents().next() {
            let text = text.to_owned();
            self.read(&text);
        } else if act.program() == "bash"
            && earlier.last().is_some_and(|act| UNREAD_PRINTERS.contains(&act.program()))
            && act.words().next().is_some()
        {
            self.unread(act, earlier.last());
        }
    }

    /// What runs is what another command prints.
    fn unread(&mut self, act: &Act<'_>, source: Option<&Act<'_>>) {
        if let Some(text) = source.and_then(Act::printed) {
            return self.read(&text);
        }
        let is_known = source.is_some_and(|source| HARMLESS_PRINTERS.contains(&source.program()));
        if !is_known {
            self.note(Effect::Unreadable, act);
        }
    }

    /// Code on the line itself. Says whether there was any.
    fn code(&mut self, act: &Act<'_>, earlier: &[Act<'_>]) -> bool {
        let mut words = act.words();
        let is_flag = |word: &&str| {
            matches!(
                *word,
                "-c" | "-e" | "--eval" | "-r" | "-E" | "-pe" | "-ne" | "-p" | "-Command" | "-command" | "eval"
            )
        };
        let given = words.find(is_flag).and_then(|_| words.next());
        let fed = || earlier.last().filter(|_| act.joint() == Joint::Pipe);
        let is_bare = act.words().all(|word| word == "-" || word.starts_with('-') && !matches!(word, "-m"));
        let code: Vec<String> = match given {
            Some(code) => vec![code.to_owned()],
            None if act.documents().next().is_some() => act.documents().map(str::to_owned).collect(),
            None if is_bare => match fed().map(|before| (before, before.printed())) {
                Some((_, Some(text))) => vec![text.into_owned()],
                Some((before, None)) => {
                    if UNREAD_PRINTERS.contains(&before.program()) {
                        self.note(Effect::Unreadable, act);
                    }
                    return true;
                }
                None => return false,
            },
            None => return false,
        };
        if matches!(act.program(), "pwsh" | "powershell" | "powershell.exe") {
            for code in &code {
                self.read(code);
            }
            return true;
        }
        for code in code {
            let reading = code::read(&code, &|path: &str| self.place(path));
            reading.effects.into_iter().for_each(|effect| self.note(effect, act));
            reading.lines.iter().for_each(|line| self.read(line));
        }
        true
    }

    fn note(&mut self, effect: Effect, act: &Act<'_>) {
        match self.kept {
            Kept::Each => self.keep(effect, act.text().into()),
            Kept::First if self.found.iter().any(|found| found.effect == effect) => {}
            Kept::First => self.keep(effect, act.text().chars().take(COMMAND_CHARS).collect()),
        }
    }

    fn keep(&mut self, effect: Effect, command: Box<str>) {
        let found = CommandEffect { effect, command };
        if !self.found.contains(&found) {
            self.found.push(found);
        }
    }
}

/// What the command in `$(…)` just before prints, where the line says so.
fn asked(earlier: &[Act<'_>]) -> Option<String> {
    let act = earlier.last().filter(|act| act.is_asked())?;
    act.printed().map(|text| text.trim_end().to_owned())
}

fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// A program whose name the line does not say whole.
fn is_put_together(program: &str) -> bool {
    program.contains('$') || program.len() > 1 && program.contains(['?', '*', '[']) && !matches!(program, "[" | "[[")
}

/// A name from elsewhere is most often a tool's: it matters where nothing else is said, what it is told sounds grave, or it is put
/// together from pieces.
fn is_grave(act: &Act<'_>, earlier: &[Act<'_>]) -> bool {
    let program = act.program();
    if program == "$" {
        let source = earlier.last().filter(|act| act.is_asked());
        return source.is_none_or(|source| !HARMLESS_PRINTERS.contains(&source.program()));
    }
    let mut words = act.words().peekable();
    let is_alone = words.peek().is_none() && program.starts_with('$');
    let is_pieced = !program.starts_with('$') || program[1..].contains('$');
    is_alone || is_pieced && words.peek().is_some() || words.any(|word| GRAVE_WORDS.contains(&word))
}
