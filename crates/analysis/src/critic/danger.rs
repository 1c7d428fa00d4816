//! Commands that throw work away or go around checks, where nobody had asked for it.
//!
//! Looks at the words of a command and at those of the person. Does not know what was in a file, or on a branch.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::{CriticSeverity, FoundReviews};
use crate::step::{Call, Step};
use crate::text::{is_foreign, regex, short, tail};
use annals_kernel::call::{Act, Joint, acts, operands};

/// A command, what it does, and the words that ask for it.
struct Danger {
    command: Regex,
    does: &'static str,
    asked: Regex,
}

/// `(command, what it does, words that ask for it)`.
const TABLE: [(&str, &str, &str); 12] = [
    (
        r"git reset --hard",
        "throws changes away",
        r"reset\w*|discard\w*|throw\w* (?:\w+ )?away|revert\w*|undo\w*|drop\w*|clean\w*",
    ),
    (
        r"git (?:checkout|restore) (?:--\s+)?\.(?:\s|$)",
        "throws changes away",
        r"restor\w+|discard\w*|revert\w*|undo\w*|reset\w*|drop\w*",
    ),
    (
        r"git (?:checkout (?:[^\s;&|-][^\s;&|]* )?--|restore(?: --worktree| --source=\S+| -W)*) (?:[^\s;&|.-]|\.[^\s;&|]).*",
        "throws changes of files away",
        r"restor\w+|discard\w*|revert\w*|undo\w*|reset\w*|drop\w*",
    ),
    (r"git clean -\w*f", "deletes files that are in no commit", r"clean\w*|delet\w+|remov\w+"),
    // With a lease nothing is lost that was not seen: whoever asks to push, to merge or to bring a branch up to date asks for it.
    (
        r"git push\b.*--force-with-lease[^\s;&|]*",
        "rewrites what others may have",
        r"force\w*|rebas\w+|amend\w*|squash\w*|rewrit\w+|push\w*|merg\w+|updat\w+|sync\w*",
    ),
    (
        r"git push\b.*(?:--force(?:\s|$)|\s-\w*f\w*\b|\s\+\w[^\s;&|]*)",
        "rewrites what others may have",
        r"force\w*|rebas\w+|amend\w*|squash\w*|rewrit\w+",
    ),
    (
        r"git push\b.*(?:\s--delete\b|\s-d\b|\s:).*",
        "deletes a branch that others may have",
        r"delet\w+|remov\w+|prun\w+|clean\w*|drop\w*",
    ),
    (
        r"git branch (?:-\w*D\w*|--delete --force|-d -f).*",
        "deletes a branch, merged or not",
        // A branch that was to be merged is done with.
        r"delet\w+|remov\w+|prun\w+|clean\w*|drop\w*|merg\w+",
    ),
    (
        r"rm (?:-\S+ )*(?:-\w*[rR]\w*|--recursive)(?: \S+)*? (?:/[\w.-]*/?\*?|(?:~|\$HOME)(?:/[^\s/]*)?/?|\.|\*|(?:\S*/)?\.git/?)(?: |$)",
        "deletes more than one thing",
        r"delet\w+|remov\w+|rm|clean\w*|wip(?:e|ed|ing)|uninstall\w*|nuk(?:e|ed|ing)|get rid|leftovers?|remnants?",
    ),
    (r"rm (?:-\w+ )*\S*\.git/\S*\.lock", "takes the lock of a git away that may be running", r"locks?|index\.lock"),
    (
        r"git commit\b.*(?:--no-verify|\s-n\b)",
        "goes around the checks before a commit",
        r"no-verify|skip\w*|without (?:the )?hooks?|bypass\w*",
    ),
    (
        r"(?:psql|mysql|sqlite3)\b.*(?i:drop table|truncate)",
        "deletes data",
        r"drop\w*|truncat\w+|delet\w+|reset\w*|wip(?:e|ed|ing)",
    ),
];

static DANGERS: LazyLock<Vec<Danger>> = LazyLock::new(|| {
    let danger = |(command, does, asked): &(&str, &'static str, &str)| Danger {
        command: regex(&format!(r"(?s)^(?:{command})")),
        does,
        asked: regex(&format!(r"(?i)\b(?:{asked})\b")),
    };
    TABLE.iter().map(danger).collect()
});

/// Commands that show what there is to lose.
const SHOWS: [&str; 3] = ["git status", "git diff", "git stash list"];
/// Commands behind which a reset loses nothing that the session made. What a person had not committed nobody here sees.
const SAVES: [&str; 5] = ["git commit", "git stash push", "git stash save", "git stash -", "git reset --hard"];
/// So many commands before may have shown it.
pub(super) const SHOWN_BY: usize = 6;

/// Whether a command shows what there is to lose: who looks and then throws away knows what it does.
pub(super) fn looks(call: &Call) -> bool {
    let acts = call.command.as_deref().map(acts).unwrap_or_default();
    call.is_ok() && acts.iter().map(plain).any(|text| SHOWS.iter().any(|shows| text.starts_with(shows)))
}

/// Whether a command shortly before showed what there was to lose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    Looked,
    Blind,
}

/// What was asked for so far, in lower case, and what the session made itself: branches, folders.
#[derive(Default)]
pub(super) struct Wanted {
    pub(super) asked: String,
    own: BTreeSet<String>,
    /// Whether files were changed since the last commit.
    has_unsaved: bool,
}

impl Wanted {
    /// Somebody asks for something.
    pub(super) fn ask(&mut self, text: &str) {
        self.asked.push_str(&text.to_lowercase());
        self.asked.push('\n');
        // What was asked long ago no longer excuses.
        if self.asked.len() > 32 << 10 {
            self.asked = tail(&self.asked, 16 << 10).to_owned();
        }
    }

    /// What a person answers to a question of the agent, and what a command makes.
    pub(super) fn heard_by(&mut self, call: &Call) {
        if let Some(answer) = &call.answer {
            self.ask(answer);
        }
        self.made_by(call);
    }

    fn made_by(&mut self, call: &Call) {
        let acts = call.command.as_deref().filter(|_| call.is_ok()).map(acts).unwrap_or_default();
        self.has_unsaved |= call.is_ok() && call.changed().next().is_some();
        self.has_unsaved &= !acts
            .iter()
            .map(plain)
            .any(|text| text == "git stash" || SAVES.iter().any(|saves| text.starts_with(saves)));
        self.own.extend(acts.iter().flat_map(made).map(str::to_owned));
    }

    /// Whether all that a command is about was made by the session, or is not named in the line.
    fn is_own(&self, act: &Act<'_>) -> bool {
        let mut things = things(act).peekable();
        things.peek().is_some() && things.all(|thing| thing.contains('$') || self.own.contains(thing))
    }
}

/// The branches and folders that a command makes: what stands behind `git checkout -b` is one, what it begins at is none.
fn made<'a>(act: &'a Act<'_>) -> impl Iterator<Item = &'a str> {
    let verb = act.verb().unwrap_or_default();
    let named = |options: &'static [&'static str]| act.words().skip_while(move |word| !options.contains(word)).nth(1);
    let (branch, places) = match (act.program(), verb) {
        ("git", "checkout" | "switch") => (named(&["-b", "-B", "-c", "-C"]), 0..0),
        // `git branch x`: no option, nothing is asked.
        ("git", "branch") if act.words().all(|word| !word.starts_with('-')) => (None, 1..2),
        ("git", "worktree") if act.has(&["add"]) => (named(&["-b", "-B"]), 0..0),
        ("mkdir", _) => (None, 0..usize::MAX),
        _ => (None, 0..0),
    };
    branch.into_iter().chain(operands(act.words()).skip(places.start).take(places.end - places.start))
}

/// What a deletion is about: its operands, without the verbs of git and the remote.
fn things<'a>(act: &'a Act<'_>) -> impl Iterator<Item = &'a str> {
    let skipped = match (act.program(), act.verb()) {
        ("git", Some("push")) => 2,
        ("git", _) => 1,
        _ => 0,
    };
    operands(act.words()).skip(skipped)
}

/// Looks for danger in a command that was run; of one that failed, in what was run for sure.
pub(super) fn find(step: &Step, call: &Call, wanted: &Wanted, care: Care, found: &mut FoundReviews) {
    let acts = call.command.as_deref().map(acts).unwrap_or_default();
    let texts: Vec<_> = acts.iter().map(plain).collect();
    // Who keeps a copy in the same line throws nothing away.
    let keeps = |text: &String| ["git stash", "git branch backup", "git tag backup"].iter().any(|it| text.contains(it));
    if texts.iter().any(keeps) || !call.is_ok() && !call.is_trouble() {
        return;
    }
    // Found once and not for each danger and command: 75,000 lines of `> a` kept `annals analyse` from ending.
    let first = first(&acts);
    for danger in DANGERS.iter() {
        // A line that failed tells only of the whole, not which of its commands failed.
        let may_hit = |at: &usize| !acts[*at].has(&["--dry-run"]) && (call.is_ok() || first.contains(at));
        let hit = (0..acts.len()).filter(may_hit).find_map(|at| Some((at, danger.command.find(&texts[at])?)));
        // Of 5 whose agent had looked before, none lost anything that anybody wanted.
        let is_known = care == Care::Looked && danger.does.starts_with("throws changes");
        let Some((at, hit)) = hit.filter(|_| !is_known && !is_asked(&wanted.asked, &danger.asked)) else { continue };
        if danger.does.starts_with("deletes") && wanted.is_own(&acts[at]) {
            continue;
        }
        let issue = format!("`{}` {}, and nobody had asked for it.", short(hit.as_str().trim(), 80), danger.does);
        // Most that only threw changes of files away, or pushed with a lease, were what somebody wanted. Of 4 resets and 2
        // deleted branches that were read last, 1 reset was not.
        let is_wanted = match danger.does {
            "throws changes of files away" | "deletes a branch, merged or not" => true,
            "throws changes away" => !wanted.has_unsaved,
            _ => hit.as_str().contains("--force-with-lease"),
        };
        // Words that nobody here can read may have asked for it.
        let is_mild = is_wanted || is_foreign(tail(&wanted.asked, 4 << 10));
        // What came after it failed; or it did itself.
        let confidence = match (is_mild, call.is_ok()) {
            (true, _) => 400,
            (false, true) => 750,
            (false, false) => 600,
        };
        found.add(CriticSeverity::Critical, "danger", confidence, issue, "Ask before, or keep a copy.", vec![step.id]);
    }
}

/// A command without what stands between `git` and its verb.
fn plain(act: &Act<'_>) -> String {
    let text = act.text();
    let verb = act.verb().filter(|_| act.program() == "git").and_then(|verb| text.find(&format!(" {verb}")));
    verb.map_or_else(|| text.clone(), |at| format!("git{}", &text[at..]))
}

/// The places in a line that failed as a whole which were run, while something else can have failed: nothing but a change
/// of folder stands before them, and something stands behind them.
fn first(acts: &[Act<'_>]) -> Range<usize> {
    let is_harmless = |act: &&Act<'_>| matches!(act.program(), "" | "cd" | "echo" | "export");
    let is_next = |act: &Act<'_>| matches!(act.joint(), Joint::And | Joint::Other) && !act.is_asked();
    let run = acts.iter().take_while(is_harmless).count() + 1;
    0..acts.iter().rposition(is_next).unwrap_or(0).min(run)
}

/// Whether a person asked for it: in whole words, and not to leave it.
fn is_asked(asked: &str, words: &Regex) -> bool {
    static LEAVES: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?i)\b(?:no|not|never|without|avoid(?:ing)?|don't|don’t|won't|instead of|rather than)[\s-]+(?:\w+\s+){0,2}\z";
        regex(pattern)
    });
    /// So many bytes before a word can deny it.
    const BEFORE: usize = 40;
    words.find_iter(asked).any(|word| {
        let before = tail(asked.get(..word.start()).unwrap_or_default(), BEFORE);
        !LEAVES.is_match(before)
    })
}
