//! Which files a command of a line writes: what its program does to its operands, and where its output goes.
//!
//! The table is the one for everybody: the guard of hooks asks it, too, and adds what it knows of folders.

use super::act::{Act, is_file, operands};

/// Which of its operands a program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// All of them.
    All,
    /// The last, or what `-t` names.
    Last,
}

/// What a program does to what it writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    /// It changes what is in a file, or takes the file away.
    Content,
    /// It changes a folder, a mode, a time.
    Place,
}

const PROGRAMS: [(&str, Writes, Does); 18] = [
    ("chgrp", Writes::All, Does::Place),
    ("chmod", Writes::All, Does::Place),
    ("chown", Writes::All, Does::Place),
    ("cp", Writes::Last, Does::Content),
    ("install", Writes::Last, Does::Content),
    ("ln", Writes::Last, Does::Content),
    ("mkdir", Writes::All, Does::Place),
    ("mkfifo", Writes::All, Does::Place),
    ("mv", Writes::All, Does::Content),
    ("rm", Writes::All, Does::Content),
    ("rmdir", Writes::All, Does::Place),
    ("rsync", Writes::Last, Does::Content),
    ("scp", Writes::Last, Does::Content),
    ("shred", Writes::All, Does::Content),
    ("tee", Writes::All, Does::Content),
    ("touch", Writes::All, Does::Place),
    ("truncate", Writes::All, Does::Content),
    ("unlink", Writes::All, Does::Content),
];

/// Which of its operands a program writes, of those that do little else.
pub fn writes(program: &str) -> Option<Writes> {
    PROGRAMS.iter().find(|(name, ..)| *name == program).map(|(_, writes, _)| *writes)
}

/// The files that a command changes, as it names them; not those below `/tmp`.
pub(super) fn files<'c>(act: &'c Act<'_>) -> Vec<&'c str> {
    let mut files: Vec<&str> = act.redirected().into_iter().collect();
    let row = PROGRAMS.iter().find(|(name, _, does)| *name == act.program() && *does == Does::Content);
    match (act.program(), act.verb()) {
        _ if act.is_in_place() => files.extend(act.paths()),
        ("git", Some(verb @ ("mv" | "rm"))) if !act.is_of_folders() => {
            files.extend(operands(act.words()).filter(|word| *word != verb));
        }
        ("create", Some(file)) => files.push(file),
        ("str_replace_editor", Some(verb)) if verb != "view" => files.extend(act.paths().next()),
        _ => match row {
            _ if act.is_of_folders() => {}
            Some((_, Writes::All, _)) => files.extend(operands(act.words())),
            Some((_, Writes::Last, _)) => files.extend(act.last_operand()),
            None => {}
        },
    }
    let is_scratch = |file: &&str| ["/tmp/", "/var/tmp/", "/dev/"].iter().any(|place| file.starts_with(place));
    files.retain(|file| is_file(file) && !is_scratch(file));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_are_in_order() {
        assert!(PROGRAMS.is_sorted_by(|left, right| left.0 < right.0));
    }
}
