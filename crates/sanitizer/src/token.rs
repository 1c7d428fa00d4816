//! Tokens that are known by their shape, wherever they stand.

use std::ops::Range;

use super::assignment::is_elided;
use super::bytes::{is_escape_letter, is_quote, is_token, is_word, run, run_before};
use super::edit::Edit;
use super::entropy::centibits;
use super::judge::is_random;
use super::placeholder::{ends_as_example, is_run};
use super::rules::{Opening, RULES, Rule, Surroundings, compiled};

/// How much of a text behind a keyword is looked at where the shape does not begin with it.
const REACH: usize = 2048;

/// How much of a token is looked at; a longer one goes up to where its letters end.
pub(super) const LONGEST: usize = 16 * 1024;

/// A longer run without dots or dashes before a slash is base64 rather than a path.
const LONGEST_PATH: usize = 30;

/// The edit for the token that the keyword at `hit` belongs to.
pub(super) fn find(text: &[u8], hit: &Range<usize>, rule: usize) -> Option<Edit> {
    let (rule, shape) = (RULES[rule], compiled(rule));
    let window = match rule.opening {
        Opening::Keyword => hit.start..text.len().min(hit.start + LONGEST),
        Opening::Before { most, .. } => {
            let back = run_before(text, hit.start, most, is_before(text[hit.start]));
            hit.start - back..text.len().min(hit.end + REACH)
        }
    };
    let found = shape.captures(&text[window.clone()])?;
    let whole = found.get(0)?;
    let secret = found.get(1).unwrap_or(whole);
    let place = |inner: regex::bytes::Match<'_>| window.start + inner.start()..window.start + inner.end();
    let (whole, mut secret) = (place(whole), place(secret));
    let is_cut = whole.end == window.end && secret.end == whole.end;
    let covers = whole.start <= hit.start && hit.start < whole.end;
    let stands = covers && (is_cut || ends_here(text, whole.end)) && begins_here(text, whole.start);
    let fits = stands && is_credible(rule, &text[secret.clone()]) && surroundings_fit(text, &whole, rule);
    if fits && is_cut {
        // Only now: a token that does not count is not followed to its end.
        secret.end += run(text, secret.end, text.len(), is_token);
    }
    fits.then(|| Edit::new(secret, rule.name, rule.class))
}

/// Whether a token of the rule may stand here at all; cheap, and true too often rather than too seldom.
pub(super) fn is_likely(text: &[u8], hit: &Range<usize>, rule: usize) -> bool {
    let rule = RULES[rule];
    let behind = run(text, hit.end, rule.least, |byte| is_token(byte) || b":%\\ @".contains(&byte));
    behind == rule.least
        && match rule.opening {
            Opening::Keyword => begins_here(text, hit.start),
            Opening::Before { least, .. } => run_before(text, hit.start, least, is_before(text[hit.start])) >= least,
        }
}

/// Where the run of letters ends that the place is in.
pub(super) fn run_end(text: &[u8], at: usize) -> usize {
    at + run(text, at, text.len(), |byte| is_token(byte) || byte == b':')
}

/// Letters before a keyword; one that begins with a dot has none before it.
fn is_before(keyword: u8) -> impl Fn(u8) -> bool {
    move |byte| is_token(byte) && (keyword != b'.' || byte != b'.')
}

/// Not within a longer word.
fn ends_here(text: &[u8], end: usize) -> bool {
    text.get(end).is_none_or(|byte| !is_word(*byte)) || text[end - 1] == b'='
}

/// Neither within a longer word nor in a stretch of base64.
fn begins_here(text: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| text[before]) else { return true };
    if text.get(at).is_some_and(|byte| !is_word(*byte)) {
        // A shape that begins with a sign, as `/api/webhooks/` does, needs nothing before it.
        return true;
    }
    match before {
        b'+' => false,
        b'/' => {
            run_before(text, at, LONGEST_PATH, |byte| byte.is_ascii_alphanumeric() || b"+/".contains(&byte))
                < LONGEST_PATH
        }
        _ if is_word(before) => is_escape_letter(text, at - 1) || is_percent_escape(text, at),
        _ => true,
    }
}

/// `%3D` just before `at`.
fn is_percent_escape(text: &[u8], at: usize) -> bool {
    at >= 3 && text[at - 3] == b'%' && text[at - 2..at].iter().all(u8::is_ascii_hexdigit)
}

fn is_credible(rule: &Rule, secret: &[u8]) -> bool {
    let has_mask = secret.windows(8).any(|window| b"xX*.".contains(&window[0]) && is_repeated(window));
    centibits(secret) >= rule.entropy && !has_mask && !is_run(secret) && !ends_as_example(secret)
}

fn is_repeated(window: &[u8]) -> bool {
    window.iter().all(|byte| *byte == window[0])
}

fn surroundings_fit(text: &[u8], found: &Range<usize>, rule: &Rule) -> bool {
    match rule.surroundings {
        Surroundings::Any => true,
        Surroundings::Assigned => is_assigned(text, found.start),
        Surroundings::Random => is_random(&text[found.clone()]) && !is_elided(text, found.end),
    }
}

/// Whether something gives the value a role: a sign, a quote, a parameter, a word for it.
fn is_assigned(text: &[u8], at: usize) -> bool {
    let line = &text[at.saturating_sub(40)..at];
    if [&b"key"[..], b"token", b"secret"]
        .iter()
        .any(|word| line.windows(word.len()).any(|w| w.eq_ignore_ascii_case(word)))
    {
        return true;
    }
    let blanks = run_before(text, at, 8, |byte| byte == b' ' || is_quote(byte) || byte == b'\\');
    let has_quote = text[at - blanks..at].iter().any(|byte| is_quote(*byte));
    has_quote || at > blanks && matches!(text[at - blanks - 1], b'=' | b':' | b'>' | b',' | b'(' | b'?' | b'&')
}
