//! A command line, taken apart: commands at their joints, words at their gaps; both know quotes.
//!
//! Slices only, nothing is unescaped. What here-documents hold, and comments, are passed over.

/// Nor more commands of a line than this.
const MOST_PARTS: usize = 40;

/// A part of a command line, and whether it reads what the one before prints.
pub(super) struct Part<'c> {
    pub(super) text: &'c str,
    pub(super) is_piped: bool,
}

/// The commands of a command line.
pub(super) fn parts(command: &str) -> Vec<Part<'_>> {
    let bytes = command.as_bytes();
    let (mut parts, mut start, mut at, mut is_piped) = (Vec::new(), 0, 0, false);
    let mut quote = None;
    let mut document = None;
    while at < bytes.len() && parts.len() < MOST_PARTS {
        match (bytes[at], quote) {
            (b'\\', None | Some(b'"')) => at += 1,
            (byte @ (b'\'' | b'"'), None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            (b'#', None) if at == 0 || bytes[at - 1].is_ascii_whitespace() => {
                at += bytes[at..].iter().take_while(|byte| **byte != b'\n').count() - 1;
            }
            (b'<', None) if command[at..].starts_with("<<") && !command[at..].starts_with("<<<") => {
                document = terminator(&command[at + 2..]);
                at += 1;
            }
            (joint @ (b';' | b'&' | b'|' | b'\n'), None) if !is_redirection(bytes, at) => {
                parts.push(Part { text: &command[start..at], is_piped });
                let is_double = bytes.get(at + 1) == Some(&joint);
                is_piped = joint == b'|' && !is_double;
                at += usize::from(is_double && joint != b'\n');
                if joint == b'\n'
                    && let Some(end) = document.take()
                {
                    at += behind(&command[at + 1..], end);
                }
                start = at + 1;
            }
            (_, _) => {}
        }
        at += 1;
    }
    if let Some(text) = command.get(start.min(command.len())..) {
        parts.push(Part { text, is_piped });
    }
    parts
}

/// `2>&1`, `&>`, `>|`
fn is_redirection(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| bytes[before]);
    bytes[at] != b';' && bytes[at] != b'\n' && (before == Some(b'>') || bytes.get(at + 1) == Some(&b'>'))
}

/// What ends a here-document.
fn terminator(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['-', ' ', '\'', '"', '\\']);
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    Some(&text[..end]).filter(|word| !word.is_empty())
}

/// How many bytes a here-document takes, its end included.
fn behind(text: &str, end: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if line.trim() == end {
            return length;
        }
    }
    length
}

/// The words of a command, quotes included; a comment ends them.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let next = move || {
        rest = &rest[gap(rest)..];
        let length = word_length(rest);
        let (word, behind) = rest.split_at(length);
        rest = behind;
        Some(word).filter(|word| !word.is_empty() && !word.starts_with('#'))
    };
    std::iter::from_fn(next)
}

/// How long a text goes on with nothing but space, and lines that go on in the next.
fn gap(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at..) {
            Some([byte, ..]) if byte.is_ascii_whitespace() => at += 1,
            Some([b'\\', b'\n', ..]) => at += 2,
            _ => return at,
        }
    }
}

/// What stands in quotes or in `$(…)` is one word, or part of one.
fn word_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut quote, mut depth) = (0, None, 0_usize);
    while let Some(byte) = bytes.get(at).copied() {
        match (byte, quote) {
            (b'\\', None) if bytes.get(at + 1) == Some(&b'\n') => return at,
            (b'\\', None | Some(b'"')) => at += 1,
            (b'\'' | b'"' | b'`', None) => quote = Some(byte),
            (_, Some(open)) if byte == open => quote = None,
            (b'(', None) if depth > 0 || at > 0 && bytes[at - 1] == b'$' => depth += 1,
            (b')', None) => depth = depth.saturating_sub(1),
            (_, None) if depth == 0 && byte.is_ascii_whitespace() => return at,
            (_, _) => {}
        }
        at += 1;
    }
    text.len()
}
