//! What is looked for: words that must all be there, phrases in quotes, or a regular expression.
//!
//! Does not read entries.

use memchr::memmem::Finder;
use regex::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind};

use crate::fold::fold;

/// A query is no longer than this, in bytes.
pub const MOST_BYTES: usize = 4096;

/// And has no more words.
pub const MOST_TERMS: usize = 32;

/// A regular expression is no larger than this when it is built, in bytes.
const MOST_BUILT: usize = 4 << 20;

/// Why nothing can be looked for.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadQuery {
    /// There is no word in it.
    #[error("nothing to look for: give a word, or several that must all be there")]
    Empty,
    /// It is no question that a person types.
    #[error("a query of {bytes} bytes is longer than the {MOST_BYTES} that are read: give a telling part of it")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// Too many words.
    #[error("{count} words are more than the {MOST_TERMS} that are looked for at once: leave some out")]
    TooMany {
        /// How many.
        count: usize,
    },
    /// The regular expression is none.
    #[error("--regex: {0}")]
    BadRegex(String),
}

/// How a query is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Syntax {
    /// Words, and phrases in quotes.
    #[default]
    Words,
    /// A regular expression.
    Regex,
}

/// Whether capitals matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Case {
    /// Where the query has one.
    #[default]
    Smart,
    /// Always.
    Sensitive,
    /// Never.
    Ignored,
}

/// What is looked for.
#[derive(Debug)]
pub struct Pattern {
    /// As it was given.
    pub text: String,
    pub(crate) kind: PatternKind,
}

#[derive(Debug)]
pub(crate) enum PatternKind {
    /// All of these.
    Terms(Vec<Term>),
    /// This expression.
    Regex(SoughtRegex),
}

/// A word or phrase.
#[derive(Debug)]
pub(crate) struct Term {
    /// As it is compared: in small letters where capitals do not matter.
    pub text: String,
    /// Whether the text that it is looked for in is folded before.
    pub is_folded: bool,
    pub finder: Finder<'static>,
}

/// A regular expression.
#[derive(Debug)]
pub(crate) struct SoughtRegex {
    pub regex: Regex,
    /// A stretch that each match holds, in small letters where capitals do not matter; none is known where it is empty.
    pub required: String,
    pub is_folded: bool,
}

impl Pattern {
    /// Reads a query.
    pub fn read(text: &str, syntax: Syntax, case: Case) -> Result<Self, BadQuery> {
        if text.len() > MOST_BYTES {
            return Err(BadQuery::TooLong { bytes: text.len() });
        }
        let kind = match syntax {
            Syntax::Words => PatternKind::Terms(terms(text, case)?),
            Syntax::Regex => PatternKind::Regex(SoughtRegex::read(text, case)?),
        };
        Ok(Self { text: text.to_owned(), kind })
    }

    /// The words and phrases; none of a regular expression.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let terms: &[Term] = match &self.kind {
            PatternKind::Terms(terms) => terms,
            PatternKind::Regex(_) => &[],
        };
        terms.iter().map(|term| term.text.as_str())
    }
}

fn is_case_ignored(text: &str, case: Case) -> bool {
    match case {
        Case::Smart => !text.chars().any(char::is_uppercase),
        Case::Sensitive => false,
        Case::Ignored => true,
    }
}

fn terms(text: &str, case: Case) -> Result<Vec<Term>, BadQuery> {
    let mut words = split(text);
    words.sort_unstable();
    words.dedup();
    if words.len() > MOST_TERMS {
        return Err(BadQuery::TooMany { count: words.len() });
    }
    if words.is_empty() {
        return Err(BadQuery::Empty);
    }
    let mut in_order = split(text);
    let mut seen = Vec::new();
    in_order.retain(|word| {
        !seen.contains(word) && {
            seen.push(*word);
            true
        }
    });
    Ok(in_order.into_iter().map(|word| Term::of(word, case)).collect())
}

/// Words between blanks, and what stands between quotes as it is; a quote that is not closed runs to the end.
fn split(text: &str) -> Vec<&str> {
    let parts = text.split('"').enumerate().flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().collect::<Vec<_>>(),
        _ => vec![part],
    });
    parts.filter(|part| !part.trim().is_empty()).collect()
}

impl Term {
    fn of(text: &str, case: Case) -> Self {
        let is_folded = is_case_ignored(text, case);
        let text = if is_folded { fold(text).into_owned() } else { text.to_owned() };
        let finder = Finder::new(&text).into_owned();
        Self { text, is_folded, finder }
    }
}

impl SoughtRegex {
    fn read(text: &str, case: Case) -> Result<Self, BadQuery> {
        if text.is_empty() {
            return Err(BadQuery::Empty);
        }
        let bad = |error: &dyn std::fmt::Display| BadQuery::BadRegex(error.to_string());
        let hir = ParserBuilder::new().build().parse(text).map_err(|error| bad(&error))?;
        // Classes such as \S hold no capital of their own.
        let is_folded = match case {
            Case::Smart => !has_capital(&hir),
            Case::Sensitive => false,
            Case::Ignored => true,
        };
        let mut builder = RegexBuilder::new(text);
        // A line is what a person reads at once: `^` and `$` are its ends.
        builder.case_insensitive(is_folded).multi_line(true).size_limit(MOST_BUILT).dfa_size_limit(MOST_BUILT);
        let regex = builder.build().map_err(|error| bad(&error))?;
        let required = required(&hir);
        Ok(Self { regex, required: if is_folded { fold(&required).into_owned() } else { required }, is_folded })
    }
}

/// Whether a capital letter stands in it as itself.
fn has_capital(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => String::from_utf8_lossy(&literal.0).chars().any(char::is_uppercase),
        HirKind::Capture(capture) => has_capital(&capture.sub),
        HirKind::Repetition(repetition) => has_capital(&repetition.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_capital),
        HirKind::Empty | HirKind::Class(_) | HirKind::Look(_) => false,
    }
}

/// The longest stretch that stands in every match.
fn required(hir: &Hir) -> String {
    match hir.kind() {
        HirKind::Literal(literal) => String::from_utf8_lossy(&literal.0).into_owned(),
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().map(required).max_by_key(String::len).unwrap_or_default(),
        HirKind::Empty | HirKind::Class(_) | HirKind::Look(_) | HirKind::Alternation(_) | HirKind::Repetition(_) => {
            String::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, bool)> {
        let pattern = Pattern::read(text, Syntax::Words, Case::Smart).expect("a query");
        let PatternKind::Terms(terms) = pattern.kind else { panic!("words") };
        terms.into_iter().map(|term| (term.text, term.is_folded)).collect()
    }

    #[test]
    fn words_and_phrases_are_told_apart_and_capitals_count_where_there_is_one() {
        let term = |text: &str, is_folded| (text.to_owned(), is_folded);
        assert_eq!(read("connection  refused"), [term("connection", true), term("refused", true)]);
        assert_eq!(read(r#""connection refused" ENOENT"#), [term("connection refused", true), term("ENOENT", false)]);
        assert_eq!(read(r#"a a "open quote"#), [term("a", true), term("open quote", true)]);
    }

    #[test]
    fn what_is_no_query_says_why() {
        let no = |text: &str, syntax| Pattern::read(text, syntax, Case::Smart).err();
        assert_eq!(no("  ", Syntax::Words), Some(BadQuery::Empty));
        assert_eq!(no("\"\"", Syntax::Words), Some(BadQuery::Empty));
        assert_eq!(no(&"a".repeat(1 << 20), Syntax::Words), Some(BadQuery::TooLong { bytes: 1 << 20 }));
        let many: String = (0..40).map(|number| format!("word{number}")).collect::<Vec<_>>().join(" ");
        assert_eq!(no(&many, Syntax::Words), Some(BadQuery::TooMany { count: 40 }));
        assert!(matches!(no("(", Syntax::Regex), Some(BadQuery::BadRegex(_))));
        assert!(matches!(no("(?:a{1000}){1000}", Syntax::Regex), Some(BadQuery::BadRegex(_))));
    }

    #[test]
    fn a_regular_expression_knows_what_each_match_holds() {
        for (text, expected) in [
            ("conn(ection)? refused", " refused"),
            ("port [0-9]+", "port "),
            ("a|b", ""),
            ("(timeout)+", "timeout"),
            (r"\bE\d{4}\b", "E"),
            ("(?i)abc", ""),
        ] {
            let pattern = Pattern::read(text, Syntax::Regex, Case::Sensitive).expect("a query");
            let PatternKind::Regex(regex) = pattern.kind else { panic!("an expression") };
            assert_eq!(regex.required, expected, "{text}");
        }
    }
}
