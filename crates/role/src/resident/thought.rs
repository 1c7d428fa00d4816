//! An answer without what a model thought before it.
//!
//! Knows the marks that current models put around their thoughts. Judges nothing.

const MARKS: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
];

/// What is left of an answer. Thoughts that do not end leave nothing of what follows; an end without a beginning
/// (templates put the beginning into the prompt) takes away what stands before it.
pub fn without_thoughts(raw: &str) -> String {
    MARKS.iter().fold(raw.to_owned(), |text, (open, close)| cut(&text, open, close))
}

fn cut(text: &str, open: &str, close: &str) -> String {
    let folded = text.to_ascii_lowercase(); // as long as the text, byte for byte
    let find = |mark: &str, from: usize| folded[from..].find(mark).map(|at| from + at);
    let mut at = match (find(open, 0), find(close, 0)) {
        (None, None) => return text.to_owned(),
        (opened, Some(closed)) if opened.is_none_or(|opened| closed < opened) => closed + close.len(),
        _ => 0,
    };
    let mut kept = String::new();
    while let Some(opened) = find(open, at) {
        kept.push_str(&text[at..opened]);
        at = find(close, opened).map_or(text.len(), |closed| closed + close.len());
    }
    kept.push_str(&text[at..]);
    kept
}
