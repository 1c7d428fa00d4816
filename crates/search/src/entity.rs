//! The entities that an entry names: files, errors, tools, agents, issues, names in code.
//!
//! Pure. Of texts only what people and agents said is looked through; what programs printed names too much.

use std::sync::LazyLock;

use annals_kernel::cut::head;
use annals_kernel::envelope::{Ending, Envelope};
use annals_kernel::fingerprint;
use annals_kernel::record::{Input, Kind, Speech};
use regex::Regex;

use crate::hit::HitKind;
use crate::texts;

/// Of a text so many bytes are looked through.
const MOST_BYTES: usize = 4096;

/// Of one entry so many names are taken.
const MOST_NAMES: usize = 24;

/// A name is no longer than this, in bytes.
const LONGEST: usize = 200;

/// `#42`; names in code between backticks, with `::` or `_`, or with a capital within.
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = concat!(
        r"(?P<issue>(?:^|[\s(\[])#[1-9][0-9]{0,6}\b)",
        r"|`(?P<quoted>[A-Za-z_][A-Za-z0-9_:.]{2,80})(?:\(\))?`",
        r"|(?P<plain>\b[A-Za-z_][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b|\b[A-Za-z_]\w*(?:::\w+)+|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b)",
    );
    Regex::new(pattern).expect("BUG: a pattern of names")
});

/// Hands over each entity that an entry names.
pub(crate) fn each(entry: &Envelope<'_>, take: &mut dyn FnMut(HitKind, &str)) {
    let mut take = |kind, name: &str| {
        if !name.is_empty() && name.len() <= LONGEST && !name.contains(['\n', '\t']) {
            take(kind, name);
        }
    };
    if let Some(agent) = entry.agent() {
        take(HitKind::Agent, &agent);
    }
    entry.files().iter().for_each(|file| take(HitKind::File, file));
    match entry.record() {
        Kind::Call => {
            take(HitKind::Tool, &entry.name());
            if entry.ending() == Ending::Failed {
                take(HitKind::Error, &fingerprint::of(&entry.error().unwrap_or_default()));
            }
        }
        Kind::Input(Input::Prompt | Input::Queued) | Kind::Speech(Speech::Message | Speech::Turn) => {
            said(entry, &mut take);
        }
        Kind::Event(_) if entry.rules().is_some() && entry.name().starts_with("issues.") => {
            if let Some(issue) = crate::facts::issue_of(entry) {
                take(HitKind::Issue, &issue);
            }
        }
        Kind::Input(_) | Kind::Speech(_) | Kind::Event(_) | Kind::State | Kind::Other => {}
    }
}

fn said(entry: &Envelope<'_>, take: &mut dyn FnMut(HitKind, &str)) {
    let mut left = MOST_NAMES;
    for value in [entry.input_text(), entry.output_text()].into_iter().flatten() {
        // What is so long that it lies beside the line was pasted.
        texts::each_in(value, &|_| None, &mut |text| left = names(text, left, take));
    }
}

/// Takes names of a text; says how many more may be taken.
fn names(text: &str, mut left: usize, take: &mut dyn FnMut(HitKind, &str)) -> usize {
    for found in NAMES.captures_iter(head(text, MOST_BYTES)) {
        if left == 0 {
            break;
        }
        left -= 1;
        if let Some(issue) = found.name("issue") {
            take(HitKind::Issue, issue.as_str().trim_start_matches(|letter| letter != '#'));
        } else if let Some(name) = found.name("quoted").or_else(|| found.name("plain")) {
            take(HitKind::Symbol, name.as_str());
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use annals_kernel::entry::HistoryEntry;
    use annals_kernel::envelope::Span;

    use super::*;

    fn entities(operation: &str) -> Vec<(HitKind, String)> {
        let line = format!(
            concat!(
                r#"{{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","timestamp":"2026-11-21T03:10:00.000Z","session_id":"s","#,
                r#""operation":{},"provenance":{{"agent_id":"claude"}},"metadata":{{"files_touched":["src/parse.rs"]}}}}"#
            ),
            operation
        );
        let line = HistoryEntry::read(&line).expect("an entry").to_line();
        let span = Span::scan(line.as_bytes()).expect("our shape");
        let mut all = Vec::new();
        each(&Envelope::new(line.as_bytes(), &span), &mut |kind, name| all.push((kind, name.to_owned())));
        all.split_off(2)
    }

    fn of(kind: HitKind, name: &str) -> (HitKind, String) {
        (kind, name.to_owned())
    }

    #[test]
    fn a_failed_call_names_its_tool_and_its_error() {
        let call = r#"{"type":"tool_call","name":"Bash","input":{"command":"cat `some_name`"},"success":false,"error":"ENOENT: no such file or directory, open '/a'"}"#;
        let error = of(HitKind::Error, "enoent no such file or directory open");
        assert_eq!(entities(call), [of(HitKind::Tool, "Bash"), error]);
    }

    #[test]
    fn what_people_say_names_code_and_issues() {
        let prompt = r#"{"type":"user_input","name":"prompt","input":{"text":"See #42: `parse()` and HistoryEntry in log::read call find_line, not (#7) or C#3."},"success":true}"#;
        let symbol = |name| of(HitKind::Symbol, name);
        let issue = |name| of(HitKind::Issue, name);
        let expected = [
            issue("#42"),
            symbol("parse"),
            symbol("HistoryEntry"),
            symbol("log::read"),
            symbol("find_line"),
            issue("#7"),
        ];
        assert_eq!(entities(prompt), expected);
    }
}
