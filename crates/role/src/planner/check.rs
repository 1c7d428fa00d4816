//! Reads the criteria of a plan, and how code can check them (decision 62).
//!
//! A check that could never fail proves nothing, and is refused, as is one that leaves the workspace or changes it. Runs none.

use regex::RegexBuilder;
use serde_json::Value;

use super::example::EXAMPLE_FILE;
use super::looks::{output_problem, run_problem};
use crate::plan::{Criterion, CriterionCheck};
use crate::prompt::BadAnswer;
use crate::reply::{NAME_CHARS, ReplyObject, TEXT_CHARS};

/// A compiled expression takes at most so many bytes.
const REGEX_BYTES: usize = 1 << 20;
/// An expression that fits this and nothing at all fits everything: no letter that it could exclude is missing.
const ALL_LETTERS: &str =
    " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~é中";
/// A list of criteria has at most so many.
const MOST_CRITERIA: usize = 12;

/// The criteria of a list, at least one; a text alone is a plausible one.
pub(super) fn criteria(of: &ReplyObject<'_>, field: &str) -> Result<Vec<Criterion>, BadAnswer> {
    let mut found = Vec::new();
    for (at, item) in of.items(field)?.iter().enumerate() {
        let criterion = criterion(of, &of.place(field, at), item)?;
        if !found.contains(&criterion) {
            found.push(criterion);
        }
    }
    match found.len() {
        0 => Err(of.bad(field, "holds no criterion; at least one is needed")),
        1..=MOST_CRITERIA => Ok(found),
        many => Err(of.bad(field, format!("holds {many} criteria; {MOST_CRITERIA} are the most"))),
    }
}

fn criterion(of: &ReplyObject<'_>, place: &str, item: &Value) -> Result<Criterion, BadAnswer> {
    if item.is_string() {
        let text = of.read_text(place, item, TEXT_CHARS)?.ok_or_else(|| of.bad(place, "is empty"))?;
        return Ok(Criterion { text, check: None });
    }
    let item = of.below(place, item)?;
    let check = match item.optional_object("check")? {
        Some(check) => read_check(&check)?,
        // Models leave the braces of `check` out.
        None => read_check(&item)?,
    };
    let text = match item.optional_text("assertion", TEXT_CHARS)? {
        Some(text) => Some(text),
        None => item.optional_text("text", TEXT_CHARS)?,
    };
    let text = text.or_else(|| check.as_ref().map(said));
    Ok(Criterion { text: text.ok_or_else(|| item.bad("assertion", "is missing"))?, check })
}

/// A check in one of its five forms. What says nothing that code could check is none, and the criterion is plausible.
fn read_check(of: &ReplyObject<'_>) -> Result<Option<CriterionCheck>, BadAnswer> {
    let Some(form) = only_one(of, &["run", "command_output", "file"])? else { return Ok(None) };
    Ok(match form {
        "run" => Some(CriterionCheck::Run { run: command(of, form, run_problem)?, expect_exit: exit(of)? }),
        "command_output" if is_given(of, "matches") => {
            let command_output = command(of, form, output_problem)?;
            Some(CriterionCheck::OutputMatches { command_output, matches: expression(of)? })
        }
        "command_output" => None,
        _ => file_check(of)?,
    })
}

fn file_check(of: &ReplyObject<'_>) -> Result<Option<CriterionCheck>, BadAnswer> {
    let absent = of.optional_flag("absent")?;
    // A file that holds a text is there anyway.
    let forms = if absent == Some(false) { &["contains", "matches"][..] } else { &["contains", "matches", "absent"] };
    let form = only_one(of, forms)?;
    if form.or(absent.map(|_| "absent")).is_none() {
        return Ok(None);
    }
    let file = path(of)?;
    let text = of.value("contains").and_then(Value::as_str).unwrap_or_default().trim();
    if !text.is_empty() && (file == text || file.rsplit('/').next() == Some(text)) {
        return Err(
            of.bad("contains", "is the name of the file, which says nothing: ask for what is in it when it is done")
        );
    }
    Ok(Some(match form {
        Some("contains") => CriterionCheck::FileContains { file, contains: of.body("contains", TEXT_CHARS)? },
        Some("matches") => CriterionCheck::FileMatches { file, matches: expression(of)? },
        Some(_) | None => CriterionCheck::FileAbsent { file, absent: absent.unwrap_or_default() },
    }))
}

/// Which of these is there; no two of them may.
fn only_one(of: &ReplyObject<'_>, names: &[&'static str]) -> Result<Option<&'static str>, BadAnswer> {
    let mut given = names.iter().copied().filter(|name| is_given(of, name));
    let first = given.next();
    match given.next() {
        Some(other) => Err(of.bad(other, "is one check too many; one criterion has one check")),
        None => Ok(first),
    }
}

fn is_given(of: &ReplyObject<'_>, name: &str) -> bool {
    of.value(name).is_some_and(|value| value.as_str().is_none_or(|text| !text.trim().is_empty()))
}

fn exit(of: &ReplyObject<'_>) -> Result<i32, BadAnswer> {
    let exit = of.optional_whole("expect_exit")?.unwrap_or_default();
    let problem = || of.bad("expect_exit", "is no exit code, 0 to 255");
    i32::try_from(exit).ok().filter(|exit| (0..=255).contains(exit)).ok_or_else(problem)
}

fn command(of: &ReplyObject<'_>, field: &str, problem: impl Fn(&str) -> Option<String>) -> Result<String, BadAnswer> {
    let line = of.text(field, TEXT_CHARS)?;
    problem(&line).map_or(Ok(line), |problem| Err(of.bad(field, problem)))
}

/// An expression that can be used, and that does not fit everything.
fn expression(of: &ReplyObject<'_>) -> Result<String, BadAnswer> {
    let text = of.body("matches", TEXT_CHARS)?;
    let built = RegexBuilder::new(&text).size_limit(REGEX_BYTES).build();
    match built {
        Ok(built) if built.is_match("") && built.is_match(ALL_LETTERS) => Err(of.bad("matches", "fits every text")),
        Ok(_) => Ok(text),
        Err(error) => {
            let error = error.to_string();
            let reason = error.lines().last().unwrap_or_default().trim();
            Err(of.bad("matches", format!("is no expression that can be used: {reason}")))
        }
    }
}

/// A file below the workspace.
fn path(of: &ReplyObject<'_>) -> Result<String, BadAnswer> {
    let path = of.text("file", NAME_CHARS)?;
    let is_drive =
        path.as_bytes().get(1) == Some(&b':') && path.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let is_absolute = path.starts_with(['/', '\\', '~', '$', '%']) || is_drive || path.contains("://");
    let parts = || path.split(['/', '\\']);
    let problem = if path == EXAMPLE_FILE {
        Some("repeats the example: name a file of this task")
    } else if is_absolute {
        Some("is no path relative to the workspace")
    } else if parts().any(|part| part == "..") {
        Some("leads out of the workspace")
    } else if path.contains(['\n', '\t', '*']) {
        Some("is no path of one file")
    } else if parts().all(|part| matches!(part, "" | ".")) {
        Some("names no file")
    } else {
        None
    };
    problem.map_or(Ok(path), |problem| Err(of.bad("file", problem)))
}

/// A check in words, where the model gave none.
fn said(check: &CriterionCheck) -> String {
    match check {
        CriterionCheck::Run { run, expect_exit } => format!("`{run}` ends with exit code {expect_exit}"),
        CriterionCheck::FileContains { file, contains } => format!("`{file}` contains `{contains}`"),
        CriterionCheck::FileMatches { file, matches } => format!("`{file}` matches `{matches}`"),
        CriterionCheck::FileAbsent { file, absent: true } => format!("`{file}` is not there"),
        CriterionCheck::FileAbsent { file, absent: false } => format!("`{file}` is there"),
        CriterionCheck::OutputMatches { command_output, matches } => {
            format!("the output of `{command_output}` matches `{matches}`")
        }
        CriterionCheck::Untouched { untouched } => format!("{} is as it was", untouched.join(", ")),
        CriterionCheck::Parses { parses } => format!("{} can be read still", parses.join(", ")),
        CriterionCheck::Stays { stays } => format!("{} is there still", stays.join(", ")),
        CriterionCheck::Kept { kept } => format!("{} still holds what it held", kept.join(", ")),
    }
}
