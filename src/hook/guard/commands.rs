//! Which paths a shell command writes, told by the names and the operands of well-known programs.
//!
//! Best effort: what a program does inside, nobody sees here.

use std::path::{Path, PathBuf};

use super::Surroundings;
use super::targets::{Reach, Target};
use crate::kernel::call::{Simple, Writes, commands, is_shell, writes};

/// Commands in commands are followed so deep.
const DEPTH: u32 = 4;

/// The paths that a command line writes.
pub(super) fn targets(text: &str, directory: &Path, around: &Surroundings) -> Vec<Target> {
    let mut script = Script { directory: directory.to_owned(), around, found: Vec::new() };
    script.run(text, 0);
    script.found
}

struct Script<'a> {
    /// Where it stands: `cd` moves it.
    directory: PathBuf,
    around: &'a Surroundings,
    found: Vec<Target>,
}

impl Script<'_> {
    fn run(&mut self, text: &str, depth: u32) {
        if depth < DEPTH {
            for command in &commands(text) {
                self.command(command, depth);
            }
        }
    }

    fn command(&mut self, command: &Simple, depth: u32) {
        for path in &command.writes {
            self.writes(path, Reach::Itself);
        }
        let Some((program, arguments)) = command.program() else { return };
        let arguments = &*arguments;
        match program {
            "cd" | "pushd" => self.change_directory(arguments),
            "eval" => self.run(&arguments.join(" "), depth + 1),
            "dd" => arguments.iter().filter_map(|word| word.strip_prefix("of=")).for_each(|path| self.file(path)),
            "sed" | "perl" if edits_in_place(arguments) => self.all(arguments, Reach::Itself),
            "find" if deletes(arguments) => self.found_below(arguments),
            "git" => self.git(arguments),
            _ if is_shell(program) => {
                if let Some(script) = script_of(arguments) {
                    self.run(script, depth + 1);
                }
            }
            _ => match writes(program) {
                Some(Writes::All) => self.all(arguments, reach(program, arguments)),
                Some(Writes::Last) => self.last(arguments),
                None => {}
            },
        }
    }

    fn file(&mut self, path: &str) {
        self.writes(path, Reach::Itself);
    }

    fn writes(&mut self, word: &str, reach: Reach) {
        if let Some(path) = self.expand(word) {
            self.found.push(Target { path: self.directory.join(path), reach });
        }
    }

    /// `~` and the variables that everybody uses. Of a path with other variables only what follows `.context` counts.
    fn expand(&self, word: &str) -> Option<PathBuf> {
        let known = [
            ("HOME", self.around.home.as_deref()),
            ("PWD", Some(&*self.directory)),
            ("CLAUDE_PROJECT_DIR", self.around.project.as_deref()),
            ("GEMINI_PROJECT_DIR", self.around.project.as_deref()),
        ];
        let mut path = match (word.strip_prefix("~/"), &self.around.home) {
            (Some(rest), Some(home)) => home.join(rest).display().to_string(),
            (Some(_) | None, _) => word.to_owned(),
        };
        for (name, value) in known {
            let Some(value) = value else { continue };
            for form in [format!("${{{name}}}"), format!("${name}")] {
                path = path.replace(&form, &value.display().to_string());
            }
        }
        if path.contains('$') {
            let (_, below) = path.split_once(".context/")?;
            return Some(self.project().join(".context").join(below));
        }
        Some(PathBuf::from(path))
    }

    fn project(&self) -> &Path {
        self.around.project.as_deref().unwrap_or(&self.around.directory)
    }

    fn change_directory(&mut self, arguments: &[&str]) {
        let to = arguments.iter().find(|word| !word.starts_with('-')).and_then(|word| self.expand(word));
        if let Some(to) = to {
            self.directory = self.directory.join(to);
        }
    }

    fn all(&mut self, arguments: &[&str], reach: Reach) {
        operands(arguments).for_each(|path| self.writes(path, reach));
    }

    fn last(&mut self, arguments: &[&str]) {
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let into = if *word == "-t" { words.next().copied() } else { None };
            let into = into.or_else(|| word.strip_prefix("--target-directory="));
            if let Some(folder) = into {
                return self.file(folder);
            }
        }
        if let Some(path) = operands(arguments).last() {
            self.file(path);
        }
    }

    /// The folders that `find` looks through stand before its first test.
    fn found_below(&mut self, arguments: &[&str]) {
        let folders = arguments.iter().take_while(|word| !word.starts_with(['-', '(', '!']));
        folders.for_each(|folder| self.writes(folder, Reach::AllBelow));
    }

    /// Commands of git that write the files they name. What git does to whole trees (`reset`, `stash`) is its own.
    fn git(&mut self, arguments: &[&str]) {
        let before = self.directory.clone();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match *word {
                "-C" => self.change_directory(words.next().map_or(&[], std::slice::from_ref)),
                "-c" => drop(words.next()),
                "rm" | "mv" | "checkout" | "restore" | "clean" => {
                    self.all(words.as_slice(), Reach::Itself);
                    break;
                }
                _ if word.starts_with('-') => {}
                _ => break,
            }
        }
        self.directory = before;
    }
}

/// What is no option; behind `--` everything.
fn operands<'c>(arguments: &[&'c str]) -> impl Iterator<Item = &'c str> {
    let mut is_behind = false;
    arguments.iter().copied().filter(move |word| {
        let is_operand = is_behind || !word.starts_with('-') || *word == "-";
        let is_mark = !is_behind && *word == "--";
        is_behind |= is_mark;
        is_operand && !is_mark
    })
}

/// `rm -r` and `mv` take a folder with all that is below it.
fn reach(program: &str, arguments: &[&str]) -> Reach {
    let is_recursive = |word: &&str| {
        *word == "--recursive" || (word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R']))
    };
    let takes_all = program == "mv" || (program == "rm" && arguments.iter().any(is_recursive));
    if takes_all { Reach::AllBelow } else { Reach::Itself }
}

/// `-i`, `-i.bak`, `-pi`, `--in-place`.
fn edits_in_place(arguments: &[&str]) -> bool {
    arguments.iter().any(|word| {
        word.starts_with("--in-place") || (word.starts_with('-') && !word.starts_with("--") && word.contains('i'))
    })
}

fn deletes(arguments: &[&str]) -> bool {
    let runs = |pair: &[&str]| {
        let program = pair[1].rsplit('/').next().unwrap_or_default();
        matches!(pair[0], "-exec" | "-execdir" | "-ok") && writes(program) == Some(Writes::All)
    };
    arguments.contains(&"-delete") || arguments.windows(2).any(runs)
}

/// The script behind `-c`, `-lc`, ….
fn script_of<'c>(arguments: &[&'c str]) -> Option<&'c str> {
    let flag = arguments.iter().position(|word| word.starts_with('-') && word.ends_with('c'))?;
    arguments.get(flag + 1).copied()
}

#[cfg(test)]
mod tests;
