//! What git does that is hard to undo.

use super::Effect;
use crate::call::shell::Act;

/// What a command of git does, by its verb and the words behind it.
pub(super) fn effect(act: &Act<'_>) -> Option<Effect> {
    let (verb, words) = parted(act)?;
    let words = Words(words);
    match &*verb {
        "push" => push(&words),
        "filter-branch" | "filter-repo" => Some(Effect::Rewritten),
        "reflog" => words.begins(&["expire", "delete"]).then_some(Effect::Rewritten),
        "gc" | "prune" => {
            words.any(|word| word.starts_with("--prune=") || word == "--expire=now").then_some(Effect::Rewritten)
        }
        "update-ref" => words.has('d', "--delete").then_some(Effect::Rewritten),
        "branch" => (words.has('D', "-D") || words.has('d', "--delete") && words.has('f', "--force"))
            .then_some(Effect::Rewritten),
        "reset" => words.any(|word| matches!(word, "--hard" | "--merge")).then_some(Effect::Discarded),
        "clean" => (words.has('f', "--force") && !words.has('n', "--dry-run")).then_some(Effect::Discarded),
        "stash" => words.begins(&["drop", "clear"]).then_some(Effect::Discarded),
        "checkout" | "switch" => {
            let is_forced = words.has('f', "--force") || words.any(|word| word == "--discard-changes");
            (is_forced || verb == "checkout" && words.is_of_all()).then_some(Effect::Discarded)
        }
        "restore" => {
            let is_index = words.has('S', "--staged") && !words.has('W', "--worktree");
            (words.is_of_all() && !is_index).then_some(Effect::Discarded)
        }
        "worktree" => (words.begins(&["remove"]) && words.has('f', "--force")).then_some(Effect::Discarded),
        "rm" => {
            let is_kept = words.any(|word| word == "--cached") || words.has('n', "--dry-run");
            (words.has('f', "--force") && words.has('r', "-r") && !is_kept).then_some(Effect::Discarded)
        }
        _ => None,
    }
}

/// To whom a push goes that is no store of code: it runs what it gets.
const RUNNERS: [&str; 5] = ["heroku", "dokku", "piku", "clever", "scalingo"];

fn push(words: &Words<'_>) -> Option<Effect> {
    if words.has('n', "--dry-run") {
        return None;
    }
    let is_ref = |word: &str| word.len() > 1 && word.starts_with(['+', ':']);
    let is_forced = words.has('f', "--force")
        || words.has('d', "--delete")
        || words.any(|word| word.starts_with("--force-with-lease") || matches!(word, "--mirror" | "--prune"))
        || words.any(is_ref);
    let is_run = || words.any(|word| RUNNERS.contains(&word));
    if is_forced { Some(Effect::Rewritten) } else { is_run().then_some(Effect::Deployed) }
}

/// The words behind the verb.
struct Words<'a>(Vec<&'a str>);

impl Words<'_> {
    fn any(&self, fits: impl Fn(&str) -> bool) -> bool {
        self.0.iter().any(|word| fits(word))
    }

    fn begins(&self, known: &[&str]) -> bool {
        self.0.iter().find(|word| !word.starts_with('-')).is_some_and(|word| known.contains(word))
    }

    /// An option, alone or among the letters of a word.
    fn has(&self, letter: char, long: &str) -> bool {
        let is_short = |word: &str| word.starts_with('-') && !word.starts_with("--") && word[1..].contains(letter);
        self.0.iter().take_while(|word| **word != "--").any(|word| *word == long || is_short(word))
    }

    /// Whether it names the whole tree.
    fn is_of_all(&self) -> bool {
        self.any(|word| matches!(word, "." | "./" | "*" | ":/" | ":" | "./*"))
    }
}

/// The verb and what is behind it; an alias of the line itself stands for what it says.
fn parted<'a>(act: &'a Act<'_>) -> Option<(String, Vec<&'a str>)> {
    let mut aliases = Vec::new();
    let mut words = act.words();
    while let Some(word) = words.next() {
        match word {
            "-c" | "--config-env" => {
                let alias = words.next().and_then(|value| value.strip_prefix("alias.")?.split_once('='));
                aliases.extend(alias);
            }
            "-C" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" => drop(words.next()),
            _ if word.starts_with('-') => {}
            verb => {
                let rest = words.collect::<Vec<_>>();
                let Some((_, said)) = aliases.iter().find(|(name, _)| *name == verb) else {
                    return Some((verb.to_owned(), rest));
                };
                let mut said = said.split_whitespace();
                let verb = said.next()?.to_owned();
                return Some((verb, said.chain(rest).collect()));
            }
        }
    }
    None
}
