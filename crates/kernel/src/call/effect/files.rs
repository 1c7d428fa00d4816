//! What programs for files, disks and rights do that is hard to undo.

use super::Effect;
use super::place::{Place, is_made_name};
use crate::call::shell::{Act, Joint, operands};

/// Says where a path lies, for whoever stands where the line has gone to.
pub(super) type Places<'p> = dyn Fn(&str) -> Place + 'p;

/// What a command does to files; `earlier` are the commands before it in the line.
pub(super) fn effect(act: &Act<'_>, earlier: &[Act<'_>], place: &Places<'_>) -> Option<Effect> {
    match act.program() {
        "rm" => removed(act, earlier, place).then_some(Effect::Removed),
        "rimraf" | "del-cli" | "trash-empty" => kept(operands(act.words()), place).then_some(Effect::Removed),
        "Remove-Item" | "remove-item" | "ri" | "rd" | "rmdir" | "del" | "erase" => {
            windows(act, place).then_some(Effect::Removed)
        }
        "find" | "fd" | "fdfind" => found(act, place).then_some(Effect::Removed),
        "rsync" => mirrored(act, place).then_some(Effect::Removed),
        "mv" => thrown_away(act).then_some(Effect::Removed),
        "dd" => act.words().filter_map(|word| word.strip_prefix("of=")).any(is_disk).then_some(Effect::Disk),
        "cp" | "tee" | "truncate" => operands(act.words()).any(is_disk).then_some(Effect::Disk),
        "chmod" => opened(act, place).then_some(Effect::Opened),
        "chown" | "chgrp" => given_away(act, place).then_some(Effect::Opened),
        "kill" => act
            .words()
            .any(|word| matches!(word, "-1" | "1"))
            .then(|| act.words().last())
            .flatten()
            .filter(|last| matches!(*last, "-1" | "1"))
            .map(|_| Effect::Stopped),
        _ => None,
    }
}

/// A disk that output goes to.
pub(super) fn is_disk(path: &str) -> bool {
    let Some(name) = path.strip_prefix("/dev/") else { return false };
    let is_other = ["null", "std", "tty", "fd", "zero", "shm", "full", "pts", "random", "urandom", "tcp", "udp"];
    !is_other.iter().any(|other| name.starts_with(other))
}

fn kept<'w>(mut paths: impl Iterator<Item = &'w str>, place: &Places<'_>) -> bool {
    paths.any(|path| place(path) != Place::Scratch)
}

/// What a command takes of what is printed into it, or `find` found, where that is no build output.
fn removed(act: &Act<'_>, earlier: &[Act<'_>], place: &Places<'_>) -> bool {
    let paths: Vec<&str> = operands(act.words()).collect();
    let is_given = |path: &&str| matches!(*path, "{}" | "%" | "$0" | "$1" | "$@");
    if paths.is_empty() || paths.iter().any(is_given) {
        let rest = paths.into_iter().filter(|path| !is_given(path));
        let is_deep = act.is_of_folders() || act.joint() != Joint::Pipe || feeds_all(earlier);
        return is_deep && fed(act, earlier, place) || act.is_of_folders() && kept(rest, place);
    }
    if act.is_of_folders() {
        return kept(paths.into_iter(), place);
    }
    // Single files come and go; all of them do not.
    let is_all = |path: &&str| matches!(*path, "*" | "./*" | "~/*" | "/*") && place(path) != Place::Scratch;
    paths.iter().any(is_all) || paths.iter().any(|path| is_of_system(path))
}

/// Files without which a machine does not start, or nobody gets in.
fn is_of_system(path: &str) -> bool {
    let is_below = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    ["/bin", "/boot", "/etc", "/lib", "/sbin", "/usr", "~/.ssh", "$HOME/.ssh", "~/.gnupg", "$HOME/.gnupg"]
        .into_iter()
        .any(is_below)
}

/// Whether the command before lists whatever there is.
fn feeds_all(earlier: &[Act<'_>]) -> bool {
    earlier.last().is_some_and(|act| act.program() == "find" && !is_narrow(act))
}

/// Whether what comes from the command before matters.
fn fed(act: &Act<'_>, earlier: &[Act<'_>], place: &Places<'_>) -> bool {
    let finds = |act: &&Act<'_>| matches!(act.program(), "find" | "fd" | "fdfind");
    let is_piped = act.joint() == Joint::Pipe;
    let source =
        if is_piped { earlier.iter().rev().find(|act| !passes_on(act)) } else { earlier.iter().rev().find(finds) };
    let Some(source) = source else { return true };
    if finds(&source) {
        return !is_narrow_of_made(source) && kept_below(source, place);
    }
    match source.printed() {
        Some(text) => kept(text.split_whitespace(), place),
        None => true,
    }
}

/// `head`, `sort` and the like leave names as they are.
fn passes_on(act: &Act<'_>) -> bool {
    matches!(act.program(), "head" | "tail" | "sort" | "uniq" | "grep" | "tr" | "tac" | "sed" | "awk" | "cut")
}

fn found(act: &Act<'_>, place: &Places<'_>) -> bool {
    // What it runs for each file is a command of its own.
    act.has(&["-delete"]) && !is_narrow_of_made(act) && kept_below(act, place)
}

fn folders<'a>(act: &'a Act<'_>) -> impl Iterator<Item = &'a str> {
    act.words().take_while(|word| !word.starts_with(['-', '(', '!']))
}

fn kept_below(act: &Act<'_>, place: &Places<'_>) -> bool {
    let mut folders = folders(act).peekable();
    folders.peek().is_none() || kept(folders, place)
}

fn names<'a>(act: &'a Act<'_>) -> impl Iterator<Item = &'a str> {
    let pairs = act.words().zip(act.words().skip(1));
    pairs.filter(|(option, _)| matches!(*option, "-name" | "-iname" | "-path" | "-wholename")).map(|(_, name)| name)
}

fn is_narrow(act: &Act<'_>) -> bool {
    names(act).any(|name| name != "*")
}

fn is_narrow_of_made(act: &Act<'_>) -> bool {
    let mut names = names(act).map(|name| name.trim_start_matches("*/").trim_end_matches("/*")).peekable();
    names.peek().is_some() && names.all(is_made_name)
}

/// `Remove-Item -Recurse`, `rd /s`
fn windows(act: &Act<'_>, place: &Places<'_>) -> bool {
    let is_deep = act.words().any(|word| {
        let word = word.to_lowercase();
        matches!(&*word, "/s" | "-r" | "-rf") || word.len() > 3 && "-recurse".starts_with(&*word)
    });
    is_deep && kept(operands(act.words()).filter(|word| !word.starts_with('/') || word.len() > 3), place)
}

/// `rsync --delete`: what is not at the source goes.
fn mirrored(act: &Act<'_>, place: &Places<'_>) -> bool {
    let is_short = |letters: &str| !letters.starts_with('-') && letters.contains('n');
    let is_dry = act.words().any(|word| word.strip_prefix('-').is_some_and(is_short));
    let deletes =
        act.words().any(|word| word.starts_with("--delete") || word == "--del" || word == "--remove-source-files");
    deletes && !is_dry && operands(act.words()).last().is_none_or(|last| place(last) != Place::Scratch)
}

fn thrown_away(act: &Act<'_>) -> bool {
    operands(act.words()).last() == Some("/dev/null")
}

fn is_deep(act: &Act<'_>) -> bool {
    act.words()
        .any(|word| word == "--recursive" || word.starts_with('-') && !word.starts_with("--") && word.contains('R'))
}

/// Everybody may write, or nobody may anything, in a whole folder; or rights of the system or a home change.
fn opened(act: &Act<'_>, place: &Places<'_>) -> bool {
    let is_mode = |word: &str| {
        !word.starts_with('-')
            || word.len() > 1 && word[1..].chars().all(|letter| "rwxXst,=+".contains(letter)) && !word.contains('R')
    };
    let mut words = act.words().filter(|word| !word.starts_with('-') || is_mode(word));
    let Some(mode) = words.next() else { return false };
    let is_open = is_open_mode(mode);
    let mut paths = words;
    if is_deep(act) {
        return paths.any(|path| match place(path) {
            Place::Scratch => false,
            Place::Kept => is_open || is_system(path),
            Place::Grave => is_open || path.starts_with(['/', '~', '$']),
        });
    }
    is_open && paths.any(is_system)
}

fn is_open_mode(mode: &str) -> bool {
    let is_number = mode.bytes().all(|byte| byte.is_ascii_digit()) && mode.len() >= 3;
    if is_number {
        let last = mode.bytes().last().unwrap_or(b'0') - b'0';
        return last & 2 != 0 || mode.trim_start_matches('0').is_empty();
    }
    mode.split(',').any(|part| match part.split_once(['+', '=']) {
        Some((who, what)) => what.contains('w') && (who.contains('o') || who.contains('a')),
        None => false,
    })
}

fn is_system(path: &str) -> bool {
    path == "/"
        || is_of_system(path)
        || ["/bin", "/etc", "/home", "/lib", "/opt", "/root", "/sbin", "/srv", "/usr", "/var"]
            .iter()
            .any(|folder| path == *folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
}

/// `chown -R`, but of what a build made.
fn given_away(act: &Act<'_>, place: &Places<'_>) -> bool {
    is_deep(act) && kept(operands(act.words()).skip(1), place)
}
