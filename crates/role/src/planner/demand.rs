//! What a person gives as a check is looked at more closely than what a model gives: they are there to mend it.
//!
//! What a task recorded is judged as it was: for a plan's own checks nothing is asked here. Told from the text of the line; what
//! a check changes all the same is put back where it runs.

use annals_kernel::call::{Act, Joint, acts, operands, writes};

use super::looks::{self, NO_PROOF};

/// What only passes on what it is given: its end says nothing of the command before it.
const PASSES_ON: &[&str] = &["cat", "cut", "head", "less", "more", "nl", "sort", "tail", "tee", "tr", "uniq", "wc"];

/// Verbs of git that change files or what git keeps.
const GIT_CHANGES: &[&str] = &[
    "add", "am", "apply", "checkout", "cherry-pick", "clean", "commit", "gc", "merge", "mv", "pull", "rebase", "reset",
    "restore", "revert", "rm", "stash", "switch",
];

/// Why a command line is no check of a person's; nothing where it may be one.
pub fn demand_problem(line: &str) -> Option<String> {
    looks::run_problem(line).or_else(|| {
        let acts = acts(line);
        if let Some(act) = acts.iter().find(|act| changes(act)) {
            return Some(format!("changes files itself (`{}`); a check only looks", act.program()));
        }
        cannot_fail(line, &acts).then(|| NO_PROOF.to_owned())
    })
}

fn changes(act: &Act<'_>) -> bool {
    let has = |options: &[&str]| act.words().any(|word| options.contains(&word));
    let short = |letter: char| {
        let is_short = |word: &str| word.starts_with('-') && !word.starts_with("--") && word.contains(letter);
        act.words().any(is_short)
    };
    let files = || operands(act.words()).filter(|word| !word.starts_with("/dev/")).count();
    match act.program() {
        "dd" => act.words().filter_map(|word| word.strip_prefix("of=")).any(|file| !file.starts_with("/dev/")),
        "sed" => operands(act.words()).any(writes_by_script),
        "uniq" => files() > 1,
        "sort" => short('o') || act.words().any(|word| word.starts_with("--output")),
        "split" | "csplit" | "zip" => true,
        "git" => changes_by_git(act),
        "patch" => !has(&["--dry-run", "--check", "-C"]),
        "tar" => changes_by_tar(act),
        "unzip" => !['l', 't', 'p', 'v', 'Z'].into_iter().any(short),
        "bunzip2" | "bzip2" | "gunzip" | "gzip" | "unxz" | "unzstd" | "xz" | "zstd" => {
            !short('c') && !short('t') && !short('l') && !has(&["--stdout", "--test", "--list"]) && files() > 0
        }
        // Its files come from elsewhere, such as by `xargs`.
        "tee" => false,
        program => writes(program).is_some() && files() == 0,
    }
}

/// `w FILE`, perhaps behind an address.
fn writes_by_script(script: &str) -> bool {
    script.split(['\n', ';', '{']).any(|command| {
        let rest =
            command.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit() || "$,!".contains(letter));
        let rest = match rest.strip_prefix('/') {
            Some(address) => address.split_once('/').map_or("", |(_, rest)| rest),
            None => rest,
        };
        let file = rest.trim_start_matches(['!', ' ']).strip_prefix('w').map(str::trim_start);
        file.is_some_and(|file| rest.trim_start().starts_with("w ") && !file.is_empty() && !file.starts_with("/dev/"))
    })
}

fn changes_by_git(act: &Act<'_>) -> bool {
    let only_shows = ["--check", "--dry-run", "--numstat", "--stat", "--summary", "-n", "list", "show"];
    let is_change = act.verb().is_some_and(|verb| GIT_CHANGES.contains(&verb));
    is_change && !act.words().any(|word| only_shows.contains(&word))
}

fn changes_by_tar(act: &Act<'_>) -> bool {
    let Some(first) = act.words().next() else { return false };
    let is_letters = !first.starts_with("--");
    let to_stdout = is_letters && first.contains('O') || act.words().any(|word| word == "-O" || word == "--to-stdout");
    let is_change = |letter: char| is_letters && first.contains(letter);
    let long = ["--create", "--extract", "--get", "--append", "--update"];
    let by_long = act.words().any(|word| long.contains(&word));
    (is_change('x') || is_change('c') || is_change('r') || is_change('u') || by_long) && !to_stdout
}

fn cannot_fail(line: &str, acts: &[Act<'_>]) -> bool {
    let (Some(first), Some(last)) = (acts.first(), acts.last()) else { return true };
    let line = line.trim_end();
    let is_left_behind = line.ends_with('&') && !line.ends_with("&&");
    let is_held_before = acts.get(1).is_some_and(|next| next.joint() == Joint::Or) && is_always_well(first);
    let is_hidden = acts.len() > 1 && last.joint() != Joint::And && is_always_well(last);
    let is_passed_on = last.joint() == Joint::Pipe && PASSES_ON.contains(&last.program());
    // What a trap does at the end is read as a command of the line.
    let sets_end = line.split_whitespace().any(|word| word == "trap") && line.contains("exit");
    is_left_behind
        || is_held_before
        || is_hidden
        || is_passed_on
        || sets_end
        || acts.iter().all(is_always_well)
        || has_empty_branches(line, acts)
}

/// `if …; then true; fi`
fn has_empty_branches(line: &str, acts: &[Act<'_>]) -> bool {
    if !line.trim_start().starts_with("if ") {
        return false;
    }
    let branches = acts.iter().skip(1).skip_while(|act| act.joint() != Joint::Other);
    branches.clone().count() > 0 && branches.clone().all(|act| is_always_well(act) || act.program() == "fi")
}

fn is_always_well(act: &Act<'_>) -> bool {
    match act.program() {
        "" | ":" | "echo" | "printf" | "pwd" | "true" => true,
        "exit" => act.words().next().is_none_or(|code| code == "0"),
        "wait" => act.words().next().is_none(),
        "[" | "[[" | "test" => is_constant(act),
        _ => false,
    }
}

/// A comparison of what stands in the line itself: it ends the same whatever was done.
fn is_constant(act: &Act<'_>) -> bool {
    let of_files = ["-ef", "-nt", "-ot", "-v", "-R", "-o"];
    let is_of_file = |word: &str| {
        let letter = word.strip_prefix('-').filter(|rest| rest.len() == 1).and_then(|rest| rest.chars().next());
        of_files.contains(&word) || letter.is_some_and(|letter| !matches!(letter, 'n' | 'z' | 'a'))
    };
    let mut words = act.words();
    !words.any(|word| word.contains(['$', '`']) || is_of_file(word))
}
