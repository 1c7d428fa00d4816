//! Whether an entry holds what is looked for, how well, and where a person would look at it.
//!
//! Does not know of other entries.

use std::ops::Range;

use annals_kernel::envelope::Envelope;
use annals_kernel::record::{Input, Kind, Speech};

use crate::excerpt::Excerpt;
use crate::fold::fold;
use crate::query::{Pattern, PatternKind, SoughtRegex, Term};
use crate::texts::{self, LargeTexts, Part};

/// Of one text so many matches are counted.
const MOST_COUNTED: usize = 64;

/// How an entry answers a query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Judged {
    /// From 0 to 1, without regard to other entries.
    pub score: f64,
    /// In which part the excerpt stands.
    pub part: Part,
    /// The line to be shown.
    pub excerpt: Excerpt,
}

/// What is best of one text.
struct BestText {
    terms: usize,
    score: f64,
    part: Part,
    excerpt: Excerpt,
}

/// Judges an entry; `None` where it does not hold all that is looked for.
pub(crate) fn judge(pattern: &Pattern, entry: &Envelope<'_>, large: &LargeTexts<'_>) -> Option<Judged> {
    match &pattern.kind {
        PatternKind::Terms(terms) => by_terms(terms, entry, large),
        PatternKind::Regex(regex) => by_regex(regex, entry, large),
    }
}

/// How much a text says by where it stands. A start: no judged queries stand behind the figures yet.
fn part_weight(part: Part) -> f64 {
    match part {
        Part::Input | Part::Error => 1.0,
        Part::Name => 0.9,
        Part::File => 0.8,
        Part::Tag => 0.7,
        Part::Output => 0.6,
    }
}

/// And by what it is a text of: what a person asked tells more than what a program printed.
fn kind_weight(kind: Kind) -> f64 {
    match kind {
        Kind::Input(Input::Prompt | Input::Queued) => 1.0,
        Kind::Speech(Speech::Message | Speech::Turn) => 0.9,
        Kind::Input(_) | Kind::Speech(_) | Kind::Call => 0.8,
        Kind::Event(_) | Kind::Other => 0.7,
        Kind::State => 0.4,
    }
}

fn by_terms(terms: &[Term], entry: &Envelope<'_>, large: &LargeTexts<'_>) -> Option<Judged> {
    let mut best_of_term = vec![0.0f64; terms.len()];
    let mut best: Option<BestText> = None;
    texts::each(entry, large, &mut |part, text| {
        let folded = terms.iter().any(|term| term.is_folded).then(|| fold(text));
        let mut found = Vec::new();
        let (mut score, mut count) = (0.0, 0);
        for (term, best_of_term) in terms.iter().zip(&mut best_of_term) {
            let hay = if term.is_folded { folded.as_deref().unwrap_or(text) } else { text };
            let ranges = term.finder.find_iter(hay.as_bytes()).take(MOST_COUNTED);
            let ranges: Vec<_> = ranges.map(|at| at..at + term.text.len()).collect();
            let Some(wordiness) = ranges.iter().map(|range| wordiness(text, range)).max_by(f64::total_cmp) else {
                continue;
            };
            let here = part_weight(part) * wordiness;
            *best_of_term = best_of_term.max(here);
            (score, count) = (score + here, count + 1);
            found.push(ranges);
        }
        let is_better = |best: &BestText| (best.terms, best.score) < (count, score);
        if count > 0 && best.as_ref().is_none_or(is_better) {
            best = Some(BestText { terms: count, score, part, excerpt: Excerpt::around(text, &nearest(&found)) });
        }
    });
    let best = best.filter(|_| best_of_term.iter().all(|score| *score > 0.0))?;
    #[expect(clippy::cast_precision_loss, reason = "few words")]
    let mean = best_of_term.iter().sum::<f64>() / terms.len() as f64;
    let together = if best.terms == terms.len() { 1.0 } else { 0.8 };
    let near = if best.excerpt.marks.len() >= terms.len() { 1.0 } else { 0.9 };
    let score = mean * together * near * kind_weight(entry.record());
    Some(Judged { score, part: best.part, excerpt: best.excerpt })
}

/// Of the places of each word those that stand nearest to a place of the rarest one, that one first.
fn nearest(found: &[Vec<Range<usize>>]) -> Vec<Range<usize>> {
    let Some(rarest) = found.iter().min_by_key(|ranges| ranges.len()) else { return Vec::new() };
    let distance = |range: &Range<usize>, at: usize| range.start.abs_diff(at);
    let spread = |at: usize| {
        let of = |ranges: &Vec<Range<usize>>| ranges.iter().map(|range| distance(range, at)).min().unwrap_or(0);
        found.iter().map(of).max().unwrap_or(0)
    };
    let Some(anchor) = rarest.iter().min_by_key(|range| spread(range.start)) else { return Vec::new() };
    let closest = |ranges: &Vec<Range<usize>>| ranges.iter().min_by_key(|range| distance(range, anchor.start)).cloned();
    found.iter().filter_map(closest).collect()
}

/// A whole word says more than a part of one.
fn wordiness(text: &str, range: &Range<usize>) -> f64 {
    let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let before = text.get(..range.start).and_then(|text| text.chars().next_back());
    let behind = text.get(range.end..).and_then(|text| text.chars().next());
    match (is_word(before), is_word(behind)) {
        (false, false) => 1.0,
        (false, true) => 0.9,
        (true, false | true) => 0.7,
    }
}

fn by_regex(sought: &SoughtRegex, entry: &Envelope<'_>, large: &LargeTexts<'_>) -> Option<Judged> {
    let mut best: Option<Judged> = None;
    texts::each(entry, large, &mut |part, text| {
        let score = part_weight(part) * kind_weight(entry.record());
        if best.as_ref().is_some_and(|best| best.score >= score) {
            return;
        }
        let found: Vec<_> = sought.regex.find_iter(text).take(MOST_COUNTED).map(|found| found.range()).collect();
        if !found.is_empty() {
            best = Some(Judged { score, part, excerpt: Excerpt::around(text, &found) });
        }
    });
    best
}

#[cfg(test)]
mod tests {
    use annals_kernel::entry::HistoryEntry;
    use annals_kernel::envelope::Span;

    use super::*;
    use crate::query::{Case, Syntax};

    fn line(kind: &str, name: &str, input: &str, output: &str) -> String {
        format!(
            concat!(
                r#"{{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","timestamp":"2026-11-21T03:10:00.000Z","session_id":"s","#,
                r#""operation":{{"type":"{}","name":"{}","input":{},"output":{},"success":true}},"#,
                r#""provenance":{{}},"metadata":{{"files_touched":["src/parse.rs"]}}}}"#
            ),
            kind, name, input, output
        )
    }

    fn judged(query: &str, line: &str) -> Option<Judged> {
        let entry = HistoryEntry::read(line).expect("an entry").to_line();
        let span = Span::scan(entry.as_bytes()).expect("our shape");
        let pattern = Pattern::read(query, Syntax::Words, Case::Smart).expect("a query");
        judge(&pattern, &Envelope::new(entry.as_bytes(), &span), &|_| None)
    }

    #[test]
    fn all_words_must_be_there_wherever_they_stand() {
        let call =
            line("tool_call", "Bash", r#"{"command":"cargo test"}"#, r#"{"stdout":"Connection\nrefused \"now\""}"#);
        for query in ["connection", "refused bash", "parse.rs cargo", "\"cargo test\"", "Connection"] {
            assert!(judged(query, &call).is_some(), "{query}");
        }
        for query in ["missing", "connection missing", "\"connection refused\"", "CONNECTION", "stdout", "src\\n"] {
            assert!(judged(query, &call).is_none(), "{query}");
        }
    }

    #[test]
    fn what_a_person_asked_comes_before_what_a_program_printed() {
        let score = |line: &str| judged("flaky", line).map_or(0.0, |judged| judged.score);
        let prompt = score(&line("user_input", "prompt", r#"{"text":"fix the flaky test"}"#, "null"));
        let message = score(&line("agent_message", "message", r#"{"text":"a flaky test"}"#, "null"));
        let command = score(&line("tool_call", "Bash", r#"{"command":"grep flaky"}"#, "null"));
        let within = score(&line("tool_call", "Bash", r#"{"command":"grep unflakyness"}"#, "null"));
        let output = score(&line("tool_call", "Bash", "{}", r#"{"stdout":"flaky"}"#));
        assert!(
            prompt > message && message > command && command > within && command > output,
            "{prompt} {message} {command} {within} {output}"
        );
    }
}
