//! Which paths a shell command writes, told by the names and the operands of well-known programs.
//!
//! Best effort: what a program does inside, nobody sees here.

use std::path::{Path, PathBuf};

use super::Surroundings;
use super::targets::{WriteReach, WriteTarget};
use crate::kernel::call::{Act, Writes, acts, operands, writes};

/// The paths that a command line writes.
pub(super) fn targets(text: &str, directory: &Path, around: &Surroundings) -> Vec<WriteTarget> {
    let mut script = GuardedScript { directory: directory.to_owned(), around, found: Vec::new() };
    for act in &acts(text) {
        script.take(act);
    }
    script.found
}

struct GuardedScript<'a> {
    /// Where it stands: `cd` moves it.
    directory: PathBuf,
    around: &'a Surroundings,
    found: Vec<WriteTarget>,
}

impl GuardedScript<'_> {
    fn take(&mut self, act: &Act<'_>) {
        act.outputs().for_each(|path| self.file(path));
        match act.program() {
            "cd" | "pushd" => self.change_directory(operands(act.words()).next()),
            "dd" => act.words().filter_map(|word| word.strip_prefix("of=")).for_each(|path| self.file(path)),
            "find" if deletes(act) => self.found_below(act),
            "git" => self.git(act),
            _ if act.is_in_place() => self.all(act.words(), WriteReach::Itself),
            program => match writes(program) {
                Some(Writes::All) => self.all(act.words(), reach(act)),
                Some(Writes::Last) => self.last(act),
                None => {}
            },
        }
    }

    fn file(&mut self, path: &str) {
        self.writes(path, WriteReach::Itself);
    }

    /// What `find` puts in the place of `{}` lies below the folder that it was given.
    fn writes(&mut self, word: &str, reach: WriteReach) {
        if word != "{}"
            && let Some(path) = self.expand(word)
        {
            self.found.push(WriteTarget { path: self.directory.join(path), reach });
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

    fn change_directory(&mut self, to: Option<&str>) {
        if let Some(to) = to.and_then(|word| self.expand(word)) {
            self.directory = self.directory.join(to);
        }
    }

    fn all<'w>(&mut self, words: impl Iterator<Item = &'w str>, reach: WriteReach) {
        operands(words).for_each(|path| self.writes(path, reach));
    }

    fn last(&mut self, act: &Act<'_>) {
        let mut words = act.words();
        while let Some(word) = words.next() {
            let into = if word == "-t" { words.next() } else { None };
            let into = into.or_else(|| word.strip_prefix("--target-directory="));
            if let Some(folder) = into {
                return self.file(folder);
            }
        }
        if let Some(path) = operands(act.words()).last() {
            self.file(path);
        }
    }

    /// The folders that `find` looks through stand before its first test.
    fn found_below(&mut self, act: &Act<'_>) {
        let folders = act.words().take_while(|word| !word.starts_with(['-', '(', '!']));
        folders.for_each(|folder| self.writes(folder, WriteReach::AllBelow));
    }

    /// Commands of git that write the files they name. What git does to whole trees (`reset`, `stash`) is its own.
    fn git(&mut self, act: &Act<'_>) {
        let before = self.directory.clone();
        let mut words = act.words();
        while let Some(word) = words.next() {
            match word {
                "-C" => self.change_directory(words.next()),
                "-c" => drop(words.next()),
                "rm" | "mv" | "checkout" | "restore" | "clean" => {
                    self.all(words, WriteReach::Itself);
                    break;
                }
                _ if word.starts_with('-') => {}
                _ => break,
            }
        }
        // `-C` holds for this command alone.
        self.directory = before;
    }
}

/// `rm -r` and `mv` take a folder with all that is below it.
fn reach(act: &Act<'_>) -> WriteReach {
    if act.program() == "mv" || act.is_of_folders() { WriteReach::AllBelow } else { WriteReach::Itself }
}

fn deletes(act: &Act<'_>) -> bool {
    let runs = |(option, program): (&str, &str)| {
        let program = program.rsplit('/').next().unwrap_or_default();
        matches!(option, "-exec" | "-execdir" | "-ok") && writes(program) == Some(Writes::All)
    };
    act.has(&["-delete"]) || act.words().zip(act.words().skip(1)).any(runs)
}

#[cfg(test)]
mod tests;
