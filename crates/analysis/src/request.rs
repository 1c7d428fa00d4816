//! What a person asked for in a list, and what of it was never touched: "asked for three things, two touched".
//!
//! Judges only lists whose items ask for a change of a file that they name, and only a turn that changed something and then
//! says that all is done. A file that the agent itself names in its last message is not missed: it was spoken of.

use std::sync::LazyLock;

use regex::Regex;

use crate::claim::{admits, sentences};
use crate::step::{Call, Record, What};
use crate::text::{own_end, regex, without_code};
use annals_kernel::pattern::Pattern;

/// So many items of a list are looked at.
const MOST_ITEMS: usize = 20;

/// Items of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntouchedItems {
    /// How many items name a file to be changed.
    pub asked: usize,
    /// Those of which no call touched a file, by their place in the list, from 1.
    pub untouched: Vec<usize>,
}

static ITEM: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s{0,6}(?:\d{1,2}[.)]|[-*•])\s+(\S.*)$"));
static CHANGE: Pattern = Pattern::new(
    r"(?i)^(?:please |also |then |and |bitte )*(?:add|fix|change|update|rename|remove|delete|write|create|implement|refactor|move|replace|document|extract|convert|bump|rewrite|make|mend|correct|simplify|split|adapt|extend|füge|ändere|Ändere|entferne|ergänze|schreibe|erstelle|ersetze|verschiebe|korrigiere|passe)\b",
);
/// A name with an ending, as files have: `src/a.rs`, `Makefile.am`; no version and no sentence's end.
static FILE: LazyLock<Regex> = LazyLock::new(|| regex(r"[\w@./-]*[\w-]\.[A-Za-z][A-Za-z0-9]{0,5}\b"));
static ALL_DONE: Pattern = Pattern::new(
    r"(?i)\b(?:all (?:done|of (?:them|it|these|those|this)|(?:\w+ )?(?:items|tasks|points|changes|things|steps|requests?|fixes|files)|(?:two|three|four|five|six))|everything|both|done|completed?|finished|erledigt|fertig|alles|alle)\b",
);

/// Whether a text says that what was asked for is done; what it admits not to be, it does not.
pub(crate) fn claims_all(text: &str) -> bool {
    let prose = without_code(text);
    let claims = sentences(&prose).any(|(_, said)| !said.trim_end().ends_with('?') && ALL_DONE.is_match(said));
    claims && !admits(text)
}

/// The items of the last request that the last message passes over; none where nothing can be said.
pub fn untouched(record: &Record) -> Option<UntouchedItems> {
    let asked = record.steps.iter().rposition(|step| matches!(step.what, What::Asked(_)))?;
    let What::Asked(prompt) = &record.steps[asked].what else { return None };
    let turn = &record.steps[asked..];
    let last = turn.iter().rev().find_map(|step| step.said())?;
    let calls: Vec<&Call> = turn.iter().filter_map(|step| step.call()).collect();
    let has_changed = calls.iter().any(|call| call.error.is_none() && !call.edits.is_empty());
    if !has_changed || !claims_all(last) {
        return None;
    }
    let items = items(prompt);
    if items.len() < 2 {
        return None;
    }
    let is_missed = |files: &Vec<String>| {
        !files.iter().any(|file| last.contains(base(file)) || calls.iter().any(|call| touches(call, file)))
    };
    let missed = items.iter().filter(|(_, files)| is_missed(files));
    let untouched: Vec<usize> = missed.map(|(place, _)| *place).collect();
    // Where none was touched, the list was no list of what to do.
    let is_told = !untouched.is_empty() && untouched.len() < items.len();
    is_told.then_some(UntouchedItems { asked: items.len(), untouched })
}

/// Items that ask for a change, with the files that they name, by their place in the list.
fn items(prompt: &str) -> Vec<(usize, Vec<String>)> {
    let own = &prompt[..own_end(prompt)];
    let listed = own.lines().filter_map(|line| ITEM.captures(line)?.get(1)).map(|text| text.as_str()).take(MOST_ITEMS);
    let wanted = listed.enumerate().filter(|(_, item)| CHANGE.is_match(item)).map(|(index, item)| {
        let files = FILE.find_iter(item).map(|name| name.as_str().trim_start_matches("./").to_owned());
        (index + 1, files.filter(|name| !name.contains("//")).collect::<Vec<_>>())
    });
    wanted.filter(|(_, files)| !files.is_empty()).collect()
}

fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// Whether a call had to do with a file: it names it, or its command or what came out does.
fn touches(call: &Call, file: &str) -> bool {
    let base = base(file);
    let is_named = call.files.iter().any(|path| self::base(path) == base);
    is_named || call.command.as_ref().is_some_and(|command| command.contains(base)) || call.output.contains(base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{edit, prompt, said, session};

    const LIST: &str =
        "Three things:\n1. Add a test to tests/a_test.py\n2. Fix the typo in src/b.py\n3. Rename f in src/c.py\n";

    fn found(request: &str, edits: &[&str], last: &str) -> Option<UntouchedItems> {
        let edits = edits.iter().map(|file| edit(file, "a", "b"));
        let steps = std::iter::once(prompt(request)).chain(edits).chain([said(last)]);
        untouched(&session(&steps.collect::<Vec<_>>()))
    }

    #[test]
    fn what_nobody_touched_is_missed() {
        let missed = |untouched: &[usize]| Some(UntouchedItems { asked: 3, untouched: untouched.into() });
        assert_eq!(found(LIST, &["tests/a_test.py", "/p/src/b.py"], "All three are done."), missed(&[3]));
        assert_eq!(found(LIST, &["/p/src/b.py"], "Done."), missed(&[1, 3]));
    }

    #[test]
    fn nothing_is_said_where_nothing_is_known() {
        let two = ["tests/a_test.py", "src/b.py"];
        for (prompt, edits, last) in [
            (LIST, &two[..], "I changed two of them."),
            (LIST, &two, "Done; c.py needs nothing, f is gone already."),
            (LIST, &two, "Done, but I could not rename f."),
            (LIST, &two, "Shall I say that all is done?"),
            (LIST, &[], "Done."),
            (LIST, &["x.py"], "Done."),
            ("1. Fix a.py\n2. Run the tests\n", &["a.py"], "Done."),
            ("1. See a.py\n2. Read b.py\n3. Fix c.py\n", &["c.py"], "Done."),
            ("Fix a.py and b.py", &["a.py"], "Done."),
        ] {
            assert_eq!(found(prompt, edits, last), None, "{prompt} {edits:?} {last}");
        }
    }
}
