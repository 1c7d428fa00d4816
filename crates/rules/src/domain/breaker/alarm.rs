//! Words of alarm: those that the author says in its own voice, and not what it quotes, names or specifies.
//!
//! Code, quotes, a level of severity and a specification's MUST are no alarm; a word in letters of other scripts is, where
//! it looks like one. Does not decide how many are too many.

use std::sync::LazyLock;

use regex::Regex;

use super::limits::Limits;
use super::reading::{legible, words, words_as_written};
use annals_kernel::fold::Folded;

/// What was said in alarm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alarm {
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
pub(crate) fn heard(text: &str, limits: &Limits) -> Alarm {
    // A text in the words of RFC 2119 says MUST as a term, and not in alarm (decision 59).
    let is_specified = is_specification(text);
    let lines: Vec<_> = own_lines(text).iter().map(|line| read(line)).collect();
    let mut alarm = Alarm { keywords: Vec::new(), said: 0, words: lines.iter().map(Vec::len).sum() };
    for keyword in &limits.keywords {
        let is_ordinary = ORDINARY.contains(&keyword.as_str());
        let case = if is_specified && keyword == NORMATIVE {
            KeywordCase::Lower
        } else if is_ordinary && limits.max_keyword_percent > 0 {
            KeywordCase::Upper
        } else {
            KeywordCase::Any
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
enum KeywordCase {
    Any,
    Upper,
    /// Any but capitals.
    Lower,
}

impl KeywordCase {
    fn fits(self, word: &str) -> bool {
        let is_upper = !word.chars().any(char::is_lowercase);
        match self {
            Self::Any => true,
            Self::Upper => is_upper,
            Self::Lower => !is_upper,
        }
    }
}

/// A word, and what it looks like where it is in other letters than Latin ones.
struct AlarmWord {
    written: String,
    lowered: String,
    looks: Option<Folded>,
}

fn read(line: &str) -> Vec<AlarmWord> {
    let word = |written: String| AlarmWord {
        lowered: written.to_lowercase(),
        // Cyrillic letters that look like Latin ones would else carry any word of alarm past the list.
        looks: (!written.is_ascii()).then(|| Folded::of(&written)),
        written,
    };
    words_as_written(line).into_iter().map(word).collect()
}

/// How often a keyword of one or more whole words is said.
fn times(line: &[AlarmWord], keyword: &str, case: KeywordCase) -> usize {
    let keyword: Vec<_> = words(keyword).into_iter().map(|key| (Folded::of(&key), key)).collect();
    if keyword.is_empty() {
        return 0;
    }
    let is_it = |word: &AlarmWord, (looks, key): &(Folded, String)| {
        let is_read_so = word.lowered == *key || word.looks.as_ref().is_some_and(|own| own.is_same(looks));
        is_read_so && case.fits(&word.written)
    };
    line.windows(keyword.len()).filter(|window| window.iter().zip(&keyword).all(|(word, key)| is_it(word, key))).count()
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
            ("URGЕNT: act", "URGENT"),
            ("it is сritical", "CRITICAL"),
            ("mustard, desmust", ""),
            ("You MUST merge", "MUST"),
            ("CRITICAL bug, act IMMEDIATELY", "CRITICAL IMMEDIATELY"),
        ] {
            assert_eq!(said(text, Preset::Standard), keywords, "{text}");
        }
    }

    /// The letters are from the table of UTS 39, and no rule was chosen by looking at these words.
    #[test]
    fn alarm_in_letters_that_look_alike_is_alarm() {
        const ALIKE: [(char, &str); 18] = [
            ('A', "АΑ"),
            ('C', "СϹ"),
            ('E', "ЕΕ"),
            ('I', "ІΙ"),
            ('M', "МΜ"),
            ('N', "Ν"),
            ('O', "О"),
            ('P', "РΡ"),
            ('S', "Ѕ"),
            ('T', "ТΤ"),
            ('Y', "ҮΥ"),
            ('a', "а"),
            ('c', "с"),
            ('e', "е"),
            ('i', "і"),
            ('o', "ο"),
            ('s', "ѕ"),
            ('y', "у"),
        ];
        let mut spellings = 0;
        for keyword in Limits::of(Preset::Standard).keywords {
            for written in [keyword.clone(), keyword.to_lowercase()] {
                for (latin, others) in ALIKE {
                    for other in others.chars().filter(|_| written.contains(latin)) {
                        for times in [1, usize::MAX] {
                            let text = format!("We see: {}!", written.replacen(latin, &other.to_string(), times));
                            assert_eq!(said(&text, Preset::Standard), keyword, "{text}");
                            spellings += 1;
                        }
                    }
                }
            }
        }
        assert!(spellings > 200, "{spellings}");
        assert_eq!(said("МUЅТ; АВЅОLUТЕLΥ; ЕЅЅЕNТІАL", Preset::Standard), "MUST ESSENTIAL ABSOLUTELY");
    }

    /// Texts of people who write in these letters, and of engineers who mix them; none was looked at to choose the rule.
    #[test]
    fn other_languages_are_no_alarm() {
        for text in [
            "ВАЖНО: реактор в третьей главе остывает четыре дня, а журнал станции говорит о пяти. ТО, что написано, НЕ ТАК.",
            "СРОЧНО! Немедленно исправьте это, КРИТИЧЕСКАЯ ошибка, НЕОБХОДИМО перезапустить сервер, МОСТ закрыт.",
            "УВАГА: насос у третьому розділі протікає; НЕ МОЖНА чекати, ТЕСТ не пройшов.",
            "ВНИМАНИЕ, ТОВА Е ТЕСТ: помпата тече и не бива да се чака повече от един ден.",
            "ХИТНО: пумпа у трећем поглављу цури, МОРА да се замени пре следећег теста.",
            "ΕΠΕΙΓΟΝ: η αντλία στο τρίτο κεφάλαιο στάζει, ΠΡΕΠΕΙ να αλλάξει πριν από τη ΔΟΚΙΜΗ· ΤΟ ΝΕΟ ΜΟΝΤΕΛΟ είναι έτοιμο.",
            "USB-кабель отошёл на 5 μs раньше, Δt = 3 мс, R = 4.7 kΩ, в main.rs функция parse() падает",
            "緊急です。ポンプが漏れています。",
        ] {
            assert_eq!(said(text, Preset::Standard), "", "{text}");
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
            "`CRITICAL` is a level", "```\nMUST IMMEDIATELY\n```", "~~~rust\nurgent();\n```\nURGENT\n~~~",
            "> this is URGENT", "he wrote \"it is CRITICAL\"", "“URGENT” it says",
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
