//! An expression whose classes mean letters of ASCII, written for an engine for which they mean those of every script.

/// Writes `\w`, `\d`, `\s` and their opposites as classes of letters, and `\b` and `\B` as edges of ASCII words.
pub(super) fn narrow(text: &str) -> String {
    let (mut narrowed, mut depth, mut letters) = (String::with_capacity(text.len() * 2), 0, text.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                let escaped = letters.next().expect("BUG: a pattern ends with a backslash");
                narrowed.push_str(&escape(escaped, depth));
            }
            '[' => {
                depth += 1;
                narrowed.push(letter);
            }
            ']' if depth > 0 => {
                depth -= 1;
                narrowed.push(letter);
            }
            _ => narrowed.push(letter),
        }
    }
    narrowed
}

/// One of them, within so many brackets.
fn escape(escaped: char, depth: usize) -> String {
    let class = match escaped {
        'w' => "0-9A-Za-z_",
        'd' => "0-9",
        's' => r"\t-\r ",
        'W' => return r"[^0-9A-Za-z_]".to_owned(),
        'D' => return r"[^0-9]".to_owned(),
        'S' => return r"[^\t-\r ]".to_owned(),
        'b' | 'B' => return format!(r"(?-u:\{escaped})"),
        _ => return format!(r"\{escaped}"),
    };
    if depth > 0 { class.to_owned() } else { format!("[{class}]") }
}
