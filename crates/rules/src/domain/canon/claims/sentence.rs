//! A text in sentences, a sentence in words.

/// A word, and whether the phrase that it stands in ends with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PhraseWord {
    /// As it stands there, without punctuation and possessive.
    pub(super) text: String,
    /// In lower case.
    pub(super) lower: String,
    /// Whether a comma, colon or bracket follows.
    pub(super) ends: bool,
    /// Whether something is said to be its own: "Seryn's".
    pub(super) owns: bool,
}

impl PhraseWord {
    /// Whether it begins with a capital letter.
    pub(super) fn is_name(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }
}

/// The sentences that somebody stands for: not what is quoted, asked, or code.
pub(super) fn split(text: &str) -> Vec<String> {
    let (mut sentences, mut own) = (Vec::new(), String::new());
    let mut is_code = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            is_code = !is_code;
        }
        let is_apart = trimmed.is_empty() || trimmed.starts_with(['#', '-', '*', '|', '>', '`']);
        if is_apart {
            finish(&mut sentences, &mut own);
        }
        let is_talk = is_code || trimmed.starts_with(['|', '>', '`']);
        if !is_talk {
            own.push(' ');
            own.push_str(trimmed.trim_start_matches(['#', '-', '*', ' ']));
        }
        if is_apart && !trimmed.starts_with(['-', '*']) {
            finish(&mut sentences, &mut own);
        }
    }
    finish(&mut sentences, &mut own);
    sentences
}

/// Ends a paragraph: what is in double quotes is somebody's talk, and goes.
fn finish(sentences: &mut Vec<String>, paragraph: &mut String) {
    let mut rest = without_talk(paragraph);
    paragraph.clear();
    while let Some(end) = end_of_sentence(&rest) {
        let tail = rest.split_off(end);
        keep(sentences, &rest);
        rest = tail;
    }
    keep(sentences, &rest);
}

fn keep(sentences: &mut Vec<String>, sentence: &str) {
    let sentence = sentence.trim();
    if !sentence.is_empty() && !sentence.ends_with('?') {
        sentences.push(sentence.to_owned());
    }
}

fn without_talk(text: &str) -> String {
    let (mut own, mut is_talk) = (String::new(), false);
    for letter in text.chars() {
        match letter {
            '“' => is_talk = true,
            '”' => is_talk = false,
            '"' => is_talk = !is_talk,
            '*' | '_' | '`' => {}
            _ if !is_talk => own.push(letter),
            _ => {}
        }
    }
    own
}

/// Behind the first `.`, `!`, `?`, `…` or `;` that a space and no small letter follows.
fn end_of_sentence(text: &str) -> Option<usize> {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let ends = matches!(letter, '.' | '!' | '?' | '…' | ';') && next.is_some_and(char::is_whitespace);
        let goes_on = letter == '.' && is_short(&text[..at]);
        if ends && !goes_on {
            return Some(at + letter.len_utf8());
        }
    }
    None
}

/// "Mr." and "J." end no sentence.
fn is_short(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    is_initial || ["Mr", "Mrs", "Ms", "Dr", "St", "No", "vs"].contains(&word)
}

/// The words of a sentence.
pub(super) fn words(sentence: &str) -> Vec<PhraseWord> {
    sentence.split_whitespace().filter_map(word).collect()
}

fn word(raw: &str) -> Option<PhraseWord> {
    if raw.chars().all(|letter| "—–-".contains(letter)) {
        return Some(PhraseWord { text: "—".into(), lower: "—".into(), ends: true, owns: false });
    }
    let straight = raw.replace('’', "'");
    let inner = straight.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let text = inner.trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != '%' && letter != '\'');
    let ends = inner[text.len()..].contains([',', ':', ';', ')', '—', '–', '.', '!', '…']) || inner.contains("—");
    let text = text.trim_end_matches(|letter: char| letter == '\'' && !text.ends_with("s'"));
    let bare = text.strip_suffix("'s").or_else(|| text.strip_suffix('\'').filter(|bare| bare.ends_with('s')));
    let owns = bare.is_some() && !ends;
    let text = bare.unwrap_or(text);
    (!text.is_empty()).then(|| PhraseWord { text: text.to_owned(), lower: text.to_lowercase(), ends, owns })
}
