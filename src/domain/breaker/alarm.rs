//! Words of alarm: those that the author says in its own voice, and not what it quotes, names or specifies.
//!
//! Code, quotes, a level of severity and a specification's MUST are no alarm. Does not decide how many are too many.

use std::sync::LazyLock;

use regex::Regex;

use super::limits::Limits;
use super::reading::{legible, words, words_as_written};

/// What was said in alarm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alarm {
    /// Different words of alarm, as the settings have them.
    pub keywords: Vec<Box<str>>,
    /// How often any of them was said.
    pub said: usize,
    /// Words that its author says in its own voice.
    pub words: usize,
}

/// Words that every engineer's text has: where alarm is a share of the words, they are alarm in capitals only.
const ORDINARY: [&str; 2] = ["MUST", "NEED TO"];
/// The word of RFC 2119 that is one of alarm, too.
const NORMATIVE: &str = "MUST";

/// Looks for words of alarm: whole words, in any case (decision 9).
pub fn heard(text: &str, limits: &Limits) -> Alarm {
    let is_specified = is_specification(text);
    let lines: Vec<_> = own_lines(text).iter().map(|line| words_as_written(line)).collect();
    let mut alarm = Alarm { keywords: Vec::new(), said: 0, words: lines.iter().map(Vec::len).sum() };
    for keyword in &limits.keywords {
        let is_ordinary = ORDINARY.contains(&keyword.as_str());
        let case = if is_specified && keyword == NORMATIVE {
            Case::Lower
        } else if is_ordinary && limits.max_keyword_percent > 0 {
            Case::Upper
        } else {
            Case::Any
        };
        let times = lines.iter().map(|line| times(line, keyword, case)).sum::<usize>();
        if times > 0 {
            alarm.keywords.push(keyword.as_str().into());
            alarm.said += times;
        }
    }
    alarm
}

/// In which case a keyword is one.
#[derive(Clone, Copy)]
enum Case {
    Any,
    Upper,
    /// Any but capitals.
    Lower,
}

impl Case {
    fn fits(self, word: &str) -> bool {
        let is_upper = !word.chars().any(char::is_lowercase);
        match self {
            Self::Any => true,
            Self::Upper => is_upper,
            Self::Lower => !is_upper,
        }
    }
}

/// How often a keyword of one or more whole words is said.
fn times(line: &[String], keyword: &str, case: Case) -> usize {
    let keyword = words(keyword);
    if keyword.is_empty() {
        return 0;
    }
    let is_said = |window: &&[String]| {
        window.iter().zip(&keyword).all(|(word, key)| word.to_lowercase() == *key && case.fits(word))
    };
    line.windows(keyword.len()).filter(is_said).count()
}

/// Whether a text says what an implementation must do, in the words of RFC 2119.
fn is_specification(text: &str) -> bool {
    static TERMS: LazyLock<Regex> = LazyLock::new(|| {
        regex(r"\b(?:SHOULD|SHALL|MAY|RECOMMENDED|OPTIONAL)\b|\b(?i:rfc[ -]?2119|rfc[ -]?8174|bcp[ -]?14)\b")
    });
    TERMS.is_match(text)
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("BUG: a pattern of alarm")
}

/// The lines of a text in its author's own voice: no code block, no quoted line, and of the others only what is neither
/// quoted nor the name of a level.
fn own_lines(text: &str) -> Vec<String> {
    let mut fence: Option<&str> = None;
    let mut own = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (fence, mark) {
            (None, Some(opened)) => fence = Some(opened),
            (Some(opened), Some(closed)) if opened == closed => fence = None,
            (Some(_), _) => {}
            (None, None) if line.starts_with('>') => {}
            (None, None) => own.push(without_levels(&without_quotes(&legible(line)))),
        }
    }
    own
}

fn without_quotes(line: &str) -> String {
    static QUOTED: LazyLock<Regex> =
        LazyLock::new(|| regex(r#"``.+?``|`[^`]+`|"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|‘[^’]*’|「[^」]*」"#));
    QUOTED.replace_all(line, " ").into_owned()
}

/// Takes out what names how bad something is: `severity: CRITICAL`, the level of a line of a log, the cell of a table,
/// and what engineers call a critical path or section.
fn without_levels(line: &str) -> String {
    static LEVELS: LazyLock<Regex> = LazyLock::new(|| {
        let label = r"\b(?i:severity|priority|urgency|sev|level)\b[\s:=*_|'-]*(?:is\s+|of\s+)?[*_]*\w+";
        let logged =
            r"^[^\p{L}]*(?:\d[\dT:.,Z+-]*[^\p{L}]*)?(?i:critical|emergency)\W{0,3}:|\[(?i:critical|emergency|urgent)\]";
        let named = r"\b(?i:critical|vital|emergency|essential)[ -](?i:sections?|paths?|severity|level|priority|signs|exits?)\b";
        regex(&format!("{label}|{logged}|{named}"))
    });
    static CELLS: LazyLock<Regex> = LazyLock::new(|| regex(r"\|[\s*_]*\w+[\s*_]*(\||$)"));
    if line.starts_with('|') {
        // Twice, since two cells share the line between them.
        let once = CELLS.replace_all(line, "|$1");
        return CELLS.replace_all(&once, "|$1").into_owned();
    }
    LEVELS.replace_all(line, " ").into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::limits::Preset;
    use super::*;

    fn said(text: &str, preset: Preset) -> String {
        heard(text, &Limits::of(preset)).keywords.join(" ")
    }

    #[test]
    fn alarm_is_heard_however_it_is_dressed_up() {
        for (text, keywords) in [
            ("We need to do it, it is critical!", "CRITICAL NEED TO"),
            ("_URGENT_ and **CRUCIAL**", "URGENT CRUCIAL"),
            ("ＵＲＧＥＮＴ: act", "URGENT"),
            ("U\u{200b}RGENT: act", "URGENT"),
            ("mustard, desmust", ""),
            ("You MUST merge", "MUST"),
            ("CRITICAL bug, act IMMEDIATELY", "CRITICAL IMMEDIATELY"),
        ] {
            assert_eq!(said(text, Preset::Standard), keywords, "{text}");
        }
    }

    #[test]
    fn a_severity_is_no_alarm() {
        for text in [
            "severity: CRITICAL",
            "**Severity**: CRITICAL",
            "The severity is critical here",
            "CRITICAL: disk /dev/sda1 is full",
            "2026-11-21T03:10:00Z CRITICAL: disk is full",
            "- [CRITICAL] pool exhausted",
            "| issue | severity |\n|---|---|\n| #12 | CRITICAL |\n| #13 | URGENT |",
            "level=critical msg=oom",
            "it holds the lock over the critical section",
        ] {
            assert_eq!(said(text, Preset::Standard), "", "{text}");
        }
    }

    #[test]
    fn code_and_quotes_are_no_alarm() {
        for text in [
            "`CRITICAL` is a level",
            "```\nMUST IMMEDIATELY\n```",
            "~~~rust\nurgent();\n```\nURGENT\n~~~",
            "> this is URGENT",
            "he wrote \"it is CRITICAL\"",
            "“URGENT” it says",
        ] {
            assert_eq!(said(text, Preset::Standard), "", "{text}");
        }
        assert_eq!(said("```\ncode\n```\nIt is URGENT", Preset::Standard), "URGENT");
    }

    #[test]
    fn a_specification_says_must_without_alarm() {
        for text in ["A reader MUST skip it and SHOULD say so.", "As in RFC 2119, a writer MUST sync."] {
            assert_eq!(said(text, Preset::Standard), "", "{text}");
        }
        assert_eq!(said("It MUST hold, and you must act; it MAY fail.", Preset::Standard), "MUST");
    }

    #[test]
    fn where_alarm_is_a_share_ordinary_words_are_some_in_capitals_only() {
        assert_eq!(said("we need to look, it must hold", Preset::Engineering), "");
        assert_eq!(said("we NEED TO look, it MUST hold", Preset::Engineering), "MUST NEED TO");
    }
}
