//! What the result of a call shows of a file as it is.
//!
//! Results that a tool cut show nothing.

use annals_kernel::call::{self, CallKind};
use serde_json::Value;

use super::deed::{Deed, Done, Extent, What};
use super::text::{Ending, Text};
use super::tool;

/// What is longer than this may have been cut, in bytes.
const MOST_BYTES: usize = 28_000;

/// What a call that looks into a file saw.
pub(crate) fn seen(call: &Done<'_>) -> Option<Deed> {
    if let Some(file) = call.output.get("file") {
        return of_file(file, tool::path(call)?);
    }
    let is_view = tool::text(call.input, &["command"]) == Some("view");
    if call::by_name(call.tool) != CallKind::Read && !is_view {
        return None;
    }
    let (first, text) = numbered(printed(call.output)?)?;
    Some(Deed::new(tool::path(call)?, What::Seen(first, text, Extent::Part)))
}

/// As Claude Code has it: the text, where it begins, and how many lines there are.
fn of_file(file: &Value, path: &str) -> Option<Deed> {
    let content = file.get("content")?.as_str()?;
    let number = |key: &str| file.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
    let (first, total) = (number("startLine")?, number("totalLines")?);
    // Whether the last line ends is not shown.
    let text = Text { ending: Ending::Newline, ..Text::of(content) };
    let extent = if first <= 1 && number("numLines")? >= total { Extent::All } else { Extent::Part };
    Some(Deed::new(path, What::Seen(first.max(1), text, extent)))
}

/// The text that a call printed.
pub(crate) fn printed(output: &Value) -> Option<&str> {
    let text = match output {
        Value::String(text) => Some(text.as_str()),
        Value::Object(_) => tool::text(output, &["stdout", "output", "content", "result"]),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }?;
    // A shell of Codex says how it went before it says what was printed.
    let body = if text.starts_with("Chunk ID: ") || text.starts_with("Exit code: ") {
        text.split_once("\nOutput:\n").map_or("", |(_, body)| body)
    } else {
        text
    };
    (body.len() < MOST_BYTES && !body.contains("truncated")).then_some(body)
}

/// Lines with numbers before them, as `cat -n` prints them, and the first number.
pub(crate) fn numbered(text: &str) -> Option<(usize, Text)> {
    let (mut first, mut lines) = (None, Vec::new());
    for line in text.lines() {
        match number(line) {
            Some((number, said)) if first.is_none_or(|first| first + lines.len() == number) => {
                first.get_or_insert(number);
                lines.push(said);
            }
            Some(_) => return None,
            None if first.is_none() => {}
            None => break,
        }
    }
    Some((first?, Text::of(&(lines.join("\n") + "\n"))))
}

fn number(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start_matches(' ');
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    let said = rest.strip_prefix('\t').or_else(|| rest.strip_prefix('→')).or_else(|| rest.strip_prefix(". "));
    Some((line[..digits].parse().ok()?, said?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_before_the_lines_of_a_view() {
        let text = "Here's the result of running `cat -n` on a.rs:\n     3\tx\n     4\t\n     5\ty\n<end>";
        assert_eq!(numbered(text), Some((3, Text::of("x\n\ny\n"))));
        assert_eq!(numbered("     1→x\n     3→y"), None);
        assert_eq!(numbered("nothing"), None);
    }
}
