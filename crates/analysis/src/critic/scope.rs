//! More than was asked: files that were not to be touched, changes to a question, documents nobody wanted, checks switched
//! off.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::{CriticLimits, CriticSeverity, FoundReviews, danger};
use crate::edit::{Before, Edit, Origin};
use crate::known::Known;
use crate::step::{Call, Record, Step, Stop, What};
use crate::text::{base, regex, short};
use crate::turn::Turn;
use annals_kernel::call::CallKind;
use annals_kernel::id::EntryId;

/// Looks for what goes beyond the question.
pub(super) fn find(record: &Record, turns: &[Turn<'_>], limits: &CriticLimits, found: &mut FoundReviews) {
    never_read(record, found);
    // Nobody's words are there to be held against: what was asked of a sub-agent stands in the session above it.
    let is_alone = !record.has_person();
    let (mut is_at_rest, mut number, mut last_look) = (true, 0, None);
    let mut wanted = danger::Wanted::default();
    let (mut bans, mut written): (BTreeMap<String, Ban>, BTreeSet<String>) = Default::default();
    for turn in turns {
        let prompt = turn.prompt().unwrap_or_default();
        // All prompts so far, because what was asked for once may be done later; a command of the tool's asks, too.
        let typed = turn.steps.iter().filter_map(|step| match &step.what {
            What::Typed(text) | What::Stopped(Stop::Rejected { reason: text, .. }) => Some(&**text),
            What::Asked(_)
            | What::Said(_)
            | What::Thought(_)
            | What::Called(_)
            | What::Stopped(Stop::Interrupted | Stop::Denied { .. })
            | What::Failed
            | What::Began(_)
            | What::Noted => None,
        });
        for text in std::iter::once(prompt).chain(typed) {
            wanted.ask(text);
        }
        // What is asked for later by its name is free again, and what was not to be touched for one task may be the next.
        bans.retain(|file, _| !is_asked_for(prompt, file));
        if is_at_rest {
            for ban in bans.values_mut() {
                *ban = Ban::Earlier;
            }
        }
        bans.extend(not_to_touch(prompt).into_iter().map(|file| (file, Ban::Now)));
        for (step, call) in turn.calls() {
            if !is_alone {
                let has_looked = last_look.is_some_and(|last| number < last + danger::SHOWN_BY);
                let care = if has_looked { danger::Care::Looked } else { danger::Care::Blind };
                danger::find(step, call, &wanted, care, found);
            }
            wanted.heard_by(call);
            if danger::looks(call) {
                last_look = Some(number);
            }
            number += 1;
            if call.is_ok() {
                touched(step, call, &bans, found);
                weakened(step, call, said_before(turn, step), prompt, found);
            }
        }
        // What is asked while the agent works changes nothing of what it is at.
        if is_at_rest {
            question(turn, prompt, found);
        }
        is_at_rest = turn.has_ended();
        if !is_alone {
            documents(turn, &wanted.asked, &mut written, found);
        }
        too_wide(turn, prompt, limits, found);
    }
}

fn never_read(record: &Record, found: &mut FoundReviews) {
    for edit in Known::of(record).edits.iter().filter(|edit| !edit.is_known) {
        let issue = format!("{} was changed before anybody had looked at it.", short(&edit.file, 100));
        found.add(CriticSeverity::Minor, "edit without reading", 750, issue, "Read it first.", vec![edit.entry]);
        found.at(&edit.file);
    }
}

/// `don't touch src/a.rs`, `without changing the README.md`: the names of files in such a sentence.
fn not_to_touch(prompt: &str) -> Vec<String> {
    static FORBIDS: LazyLock<Regex> = LazyLock::new(|| {
        let verbs = "touch|change|modify|edit|alter|update|touching|changing|modifying|editing|altering";
        regex(&format!(
            r"(?i)\b(?:don't|don’t|do not|never|without|must not|shouldn't) (?:{verbs})\b([^.!?\n]{{0,120}}(?:\.[a-z]\w*[^.!?\n]{{0,60}})?)"
        ))
    });
    static FILE: LazyLock<Regex> = LazyLock::new(|| regex(r"[\w./@-]+\.[A-Za-z]\w{0,7}\b"));
    let rest = FORBIDS.captures_iter(prompt).filter_map(|found| Some(found.get(1)?.as_str()));
    rest.flat_map(|rest| FILE.find_iter(rest).map(|file| base(file.as_str()).to_owned())).collect()
}

/// Whether a prompt that is no question names a file, as a whole.
fn is_asked_for(prompt: &str, file: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let is_whole = |at: usize| {
        let (before, behind) = (&prompt[..at], &prompt[at + file.len()..]);
        !before.ends_with(is_part) && !behind.starts_with(is_part)
    };
    !prompt.trim_end().ends_with('?') && prompt.match_indices(file).any(|(at, _)| is_whole(at))
}

/// Since when a file is not to be touched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ban {
    Now,
    Earlier,
}

fn touched(step: &Step, call: &Call, bans: &BTreeMap<String, Ban>, found: &mut FoundReviews) {
    let files: BTreeMap<&str, Ban> = call.changed().filter_map(|file| Some((file, *bans.get(base(file))?))).collect();
    for (file, ban) in files {
        // Of 3 that broke a ban of an earlier turn none had.
        let confidence = if ban == Ban::Now { 850 } else { 500 };
        let issue = format!("{} was changed, and the person had asked to leave it alone.", short(file, 100));
        found.add(CriticSeverity::Critical, "scope", confidence, issue, "Take it back, or ask.", vec![step.id]);
        found.at(file);
    }
}

/// The last thing that was said in a turn before a step.
fn said_before<'t>(turn: &Turn<'t>, step: &Step) -> &'t str {
    let before = turn.steps.iter().rev().filter(|before| before.id < step.id);
    { before }.find_map(Step::said).unwrap_or_default()
}

/// A test that asks whether it can run, and says why not: `t.Skip("no docker")`.
fn says_why_not(line: &str) -> bool {
    static REASON: LazyLock<Regex> = LazyLock::new(|| regex(r#"^\s*(?:t\.Skipf?|pytest\.skip)\(\s*f?["'`][^"'`]{6,}"#));
    REASON.is_match(line)
}

/// Tests that an edit switches off. Who said before why it goes is asked no more.
fn weakened(step: &Step, call: &Call, said: &str, asked: &str, found: &mut FoundReviews) {
    static SAYS_WHY: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?i)\b(?:remov\w+|delet\w+|drop\w*|no longer|obsolete|skip\w*|mov(?:e|ed|ing)|replac\w+|redundant|duplicat\w+)\b",
        )
    });
    static SKIPS: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"^\s*(?:#\[ignore|@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|t\.Skip(?:f|Now)?\(|(?:it|test|describe)\.(?:skip|todo)\(|x(?:it|describe)\(|pytest\.skip\()",
        )
    });
    for edit in call.edits.iter().filter(|edit| edit.before == Before::There) {
        let lines = edit.lines();
        // A test that comes with a condition is not switched off: nobody had it before.
        let is_new = lines.iter().any(|line| line.origin == Origin::Added && IS_TEST.is_match(line.text));
        let skips = |line: &&crate::edit::Line<'_>| line.origin == Origin::Added && SKIPS.is_match(line.text);
        let skips = lines.iter().find(skips).filter(|line| !is_new && !says_why_not(line.text));
        if let Some(line) = skips {
            let issue = format!("a test is switched off: `{}`.", short(line.text, 80));
            found.add(
                CriticSeverity::Major,
                "weakened tests",
                800,
                issue,
                "Mend it, or say why it may fail.",
                vec![step.id],
            );
            found.at(&edit.file);
        } else if is_test_file(&edit.file)
            && loses_asserts(edit)
            && !SAYS_WHY.is_match(said)
            && !SAYS_WHY.is_match(asked)
        {
            let issue = format!("{} loses what it asserts, and gains nothing for it.", short(&edit.file, 100));
            found.add(
                CriticSeverity::Minor,
                "weakened tests",
                400,
                issue,
                "Say why it need not hold any more.",
                vec![step.id],
            );
            found.at(&edit.file);
        }
    }
}

fn is_test_file(file: &str) -> bool {
    let file = format!("/{}", file.to_ascii_lowercase());
    let folders = ["/tests/", "/test/", "/__tests__/", "/spec/"];
    ["test", "spec"].iter().any(|word| base(&file).contains(word)) || folders.iter().any(|folder| file.contains(folder))
}

static ASSERTS: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\b(?:assert\w*!?|expect|require|should)\b\s*[(.!]|\bt\.Errorf?\(|^\s*assert\s"));

/// A whole test that goes, went with what it tested: of 6 that were read, 6 had.
static IS_TEST: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*(?:func Test|def test_|(?:async )?fn \w|#\[test\]|(?:it|test|describe)\()"));

fn asserts(lines: &[&str]) -> usize {
    lines.iter().filter(|line| ASSERTS.is_match(line)).count()
}

/// Whether an edit takes what a test asserts away, and leaves no assertion where it stood.
fn loses_asserts(edit: &Edit) -> bool {
    let lines = edit.lines();
    let left: Vec<_> = lines.iter().map(|line| line.text).collect();
    let removed = edit.removed();
    let is_whole = removed.iter().any(|line| IS_TEST.is_match(line));
    !is_whole && asserts(&removed) > 0 && asserts(&left) == 0
}

fn edited<'s>(turn: &Turn<'s>) -> Vec<(EntryId, &'s Call)> {
    let edits = turn.calls().filter(|(_, call)| call.is_ok() && call.kind == CallKind::Edit);
    edits.map(|(step, call)| (step.id, call)).collect()
}

/// A question that was answered with changes.
fn question(turn: &Turn<'_>, prompt: &str, found: &mut FoundReviews) {
    static ASKS: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?i)^\W*(?:why|how come|what(?:'s|’s| is| are| does| do| did| was)|where|who|when|is|are|does|do you|did|can you (?:explain|tell me)|explain|should (?:we|i)|how (?:does|do|did|is|are|many|much|long))\b",
        )
    });
    static WANTS: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?i)\b(?:fix|change|add|remove|update|implement|make|create|write|refactor|rename|delete|edit|replace|move|do it|go ahead|please|let's|let us|can you (?:\w+ )?(?:fix|do|make|change)|we (?:should|need)|should be|instead|try|clean|use|run|ensure|want|need|improve|generate|build)\b",
        )
    });
    // "Is there no library for it??" wants one.
    static SUGGESTS: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r"(?i)\?\?|\b(?:is there no|isn['’]t|aren['’]t|can['’]t|couldn['’]t|shouldn['’]t|wouldn['’]t|don['’]t|why not|why can['’]t|what about|how about|should (?:we|it|i|this|that)|could (?:we|you)|can (?:we|you)|would it (?:not )?be better)\b",
        )
    });
    let text = prompt.trim();
    let is_plain = ASKS.is_match(text) && !WANTS.is_match(text) && !SUGGESTS.is_match(text);
    if text.len() > 400 || !text.ends_with('?') || !is_plain {
        return;
    }
    let edits = edited(turn);
    let (Some((first, _)), Some(asked)) = (edits.first(), turn.asked) else { return };
    let issue = format!("\"{}\" was a question; files were changed.", short(text, 80));
    found.add(
        CriticSeverity::Minor,
        "scope",
        400,
        issue,
        "Answer first, and ask before changing.",
        vec![asked.id, *first],
    );
}

/// What a tool keeps for itself stands in a folder with a dot.
fn is_hidden(file: &str) -> bool {
    file.starts_with('.') && !file.starts_with("./") && !file.starts_with("../") || file.contains("/.")
}

/// New documents that nobody asked for.
fn documents(turn: &Turn<'_>, asked: &str, written: &mut BTreeSet<String>, found: &mut FoundReviews) {
    const ASKED: [&str; 14] = [
        "doc", "readme", ".md", "markdown", "changelog", "plan", "notes", "write up", "report", "summary", "guide",
        "spec", "proposal", "adr",
    ];
    let is_new = |edit: &&Edit| edit.before == Before::New && edit.language() == "md" && !is_hidden(&edit.file);
    let edits = edited(turn);
    let new: Vec<_> =
        edits.iter().flat_map(|(entry, call)| call.edits.iter().filter(is_new).map(|edit| (*entry, edit))).collect();
    if new.is_empty() || ASKED.iter().any(|word| asked.contains(word)) {
        return;
    }
    for (entry, edit) in new {
        // Written again, it is no second document.
        if !written.insert(edit.file.clone()) {
            continue;
        }
        let issue = format!("{} was written, and nobody had asked for a document.", short(&edit.file, 100));
        found.add(CriticSeverity::Nitpick, "scope", 400, issue, "Leave it out, or ask.", vec![entry]);
        found.at(&edit.file);
    }
}

/// A short request that names files, and many others were changed.
fn too_wide(turn: &Turn<'_>, prompt: &str, limits: &CriticLimits, found: &mut FoundReviews) {
    static FILE: LazyLock<Regex> = LazyLock::new(|| regex(r"[\w@-][\w./@-]*\.(?:[a-z]{1,4}|[a-z]+\d)\b"));
    let named: BTreeSet<&str> = FILE.find_iter(prompt).map(|file| base(file.as_str())).collect();
    if prompt.len() > 400 || named.is_empty() || named.len() > 3 {
        return;
    }
    let edits = edited(turn);
    let files: BTreeSet<&str> = edits.iter().flat_map(|(_, call)| call.changed().map(base)).collect();
    let others = files.difference(&named).count();
    let (Some((first, _)), Some(asked)) = (edits.first(), turn.asked) else { return };
    if others >= limits.files {
        let issue = format!("the request names {}; {others} other files were changed.", named.len());
        found.add(CriticSeverity::Minor, "scope", 300, issue, "Say why they belong to it.", vec![asked.id, *first]);
    }
}
