//! What stands in a prompt and was not said by its writer: code in fences, what a terminal or a log printed, what a
//! template put there.
//!
//! Blanks it, so that every character keeps its place. Knows the usual marks, and is right about the usual pastes.

use super::text::blank;
use annals_kernel::pattern::Pattern;

/// Where a shell waits for a command: `$ ls`, `➜  pie git:(main) ls`, `me@oven:~/pie$ ls`.
static SHELL: Pattern =
    Pattern::new(r"^\s*(?:(?:\$|❯|➜|»)\s|[\w.-]+@[\w.-]+[: ]\S*\s?[$#%]\s|PS [A-Z]:\\|\(\w+\) (?:\$|❯|➜)\s|>>> )");

/// A line as programs write it into a log, or when something goes wrong.
static LOG: Pattern = Pattern::new(
    r#"^\s*(?:(?:error|warning|warn|hint|fatal|caused by)(?:\[\w+\])?:\s|npm (?:ERR|WARN)|\w+(?:Error|Exception): |Traceback \(|File "|at \S+ ?\(|at \S+:\d+|thread '|-->\s|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d\b|\[(?:INFO|WARN|ERROR|DEBUG|TRACE)\b|\d+ \| |(?:FAIL|PASS|FAILED|PASSED)\s+\S+|--- (?:FAIL|PASS)|(?:✓|✗|✖|✘|×)\s)"#,
);

/// A line of a log, or what a person asks for: `debug: the login fails`.
static DEBUG: Pattern = Pattern::new(r"^\s*debug(?:\[\w+\])?:\s");

/// Which lines a log printed. One that begins with `debug:` is one only beside another.
fn logged<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<bool> {
    let lines: Vec<&str> = lines.collect();
    let is_log: Vec<bool> = lines.iter().map(|line| LOG.is_match(line) || SHELL.is_match(line)).collect();
    let may_be: Vec<bool> = lines.iter().map(|line| DEBUG.is_match(line)).collect();
    let tells = |at: Option<usize>| at.is_some_and(|at| is_log.get(at) == Some(&true) || may_be.get(at) == Some(&true));
    let is_beside = |at: usize| tells(at.checked_sub(1)) || tells(at.checked_add(1));
    (0..lines.len()).map(|at| LOG.is_match(lines[at]) || may_be[at] && is_beside(at)).collect()
}

/// Tags around what a template put into a prompt.
const TEMPLATE_TAGS: [&str; 6] =
    ["uploaded_files", "issue_description", "pr_description", "problem_statement", "task_description", "issue_text"];

/// Whether a program made the whole prompt, from what somebody else wrote.
pub(super) fn is_template(text: &str) -> bool {
    TEMPLATE_TAGS.iter().any(|tag| {
        let close = format!("</{tag}>");
        text.split_once(&format!("<{tag}>")).is_some_and(|(_, rest)| rest.contains(&close))
    })
}

/// Whether something in a text was pasted from a terminal or a log.
pub(crate) fn has_output(text: &str) -> bool {
    text.lines().any(|line| SHELL.is_match(line)) || logged(text.lines()).contains(&true)
}

/// A text without code in fences.
pub(super) fn without_fences(text: &str) -> String {
    let (mut rest, mut is_fenced) = (String::with_capacity(text.len()), false);
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        let is_fence = start.starts_with("```") || start.starts_with("~~~");
        if is_fence || is_fenced {
            blank(line, &mut rest);
        } else {
            rest.push_str(line);
        }
        is_fenced ^= is_fence;
    }
    rest
}

/// A text without fences, without what stands between tags, and without pasted lines.
pub(super) fn without(text: &str) -> String {
    let text = without_tagged(&without_output(&without_fences(text)));
    let mut rest = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if is_code(line) { blank(line, &mut rest) } else { rest.push_str(line) }
    }
    rest
}

/// A text without what a terminal or a log printed: lines of a log, and behind a prompt of a shell everything up to an
/// empty line, and behind that line too where it goes on as a log does.
pub(super) fn without_output(text: &str) -> String {
    let (mut rest, mut is_output, mut was_empty) = (String::with_capacity(text.len()), false, true);
    for (line, is_log) in text.split_inclusive('\n').zip(logged(text.split_inclusive('\n'))) {
        let is_empty = line.trim().is_empty();
        is_output = SHELL.is_match(line) || is_output && (is_log || is_empty || !was_empty);
        if is_output || is_log {
            blank(line, &mut rest);
        } else {
            rest.push_str(line);
        }
        was_empty = is_empty;
    }
    rest
}

/// `<context>…</context>`: a tag that is closed again, and what stands between.
fn without_tagged(text: &str) -> String {
    static OPENS: Pattern = Pattern::new(r"<[A-Za-z][A-Za-z0-9_-]{1,39}>");
    let (mut rest, mut from) = (String::with_capacity(text.len()), 0);
    for open in OPENS.find_iter(text).take(MOST_TAGS) {
        if open.start() < from {
            continue;
        }
        let close = open.as_str().replacen('<', "</", 1);
        let Some(end) = text[open.end()..].find(&close).map(|at| open.end() + at + close.len()) else { continue };
        rest.push_str(&text[from..open.start()]);
        blank(&text[open.start()..end], &mut rest);
        from = end;
    }
    rest.push_str(&text[from..]);
    rest
}

/// More tags than this are not looked for their ends.
// A tag without an end is looked for through the rest of the text: many of them would take time with its square.
const MOST_TAGS: usize = 200;

/// Quotes, traces, tables, lines that end as code does: nobody asks in them.
fn is_code(line: &str) -> bool {
    const STARTS: [&str; 9] = [">", "File \"", "+ ", "- [", "@@", "diff --git", "import ", "#!/", "|"];
    const ENDS: [&str; 6] = ["{", "}", ";", "};", ");", "});"];
    let trimmed = line.trim();
    let is_indented = line.starts_with("    ") || line.starts_with('\t');
    STARTS.iter().any(|start| trimmed.starts_with(start))
        || ENDS.iter().any(|end| trimmed.ends_with(end))
        || is_indented && !trimmed.ends_with(['.', '?', '!', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Vec<String> {
        let rest = without(text);
        assert_eq!(rest.chars().count(), text.chars().count(), "every character keeps its place");
        rest.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn what_a_terminal_printed_is_not_said() {
        let pasted = "➜  pie git:(main) bake\nNo pears, just apples.\n\nhint: buy some\n- or pick them\n\nPlease help.";
        assert_eq!(left(pasted), ["Please help."]);
        assert_eq!(left("It says\nerror: no pears\nWhy?"), ["It says", "Why?"]);
        assert_eq!(left("me@oven:~/pie$ bake\ndone\n\nThanks"), ["Thanks"]);
        for said in ["Costs 3 $ each", "Note: the price", "ok do that", "at the end, help: me"] {
            assert_eq!(left(said), [said]);
        }
        assert!(has_output(pasted) && !has_output("Please help."));
    }

    #[test]
    fn who_asks_to_debug_prints_no_log() {
        for said in ["debug: the login fails", "Please look at this.\ndebug: the oven", "debug: why?\n\nIt is cold."] {
            let lines: Vec<_> = said.lines().filter(|line| !line.is_empty()).collect();
            assert_eq!(left(said), lines, "{said}");
            assert!(!has_output(said), "{said}");
        }
        for (pasted, rest) in [
            ("debug: one\ndebug: two\nWhy?", "Why?"),
            ("error: no pears\ndebug: looked twice\n\nWhy?", "Why?"),
            ("debug[oven]: heating\nwarning: hot\nWhy?", "Why?"),
        ] {
            assert_eq!(left(pasted), [rest], "{pasted}");
            assert!(has_output(pasted), "{pasted}");
        }
    }

    #[test]
    fn what_stands_between_tags_is_not_said() {
        assert_eq!(left("Look:\n<pie>\nI think so\n</pie>\nGood?"), ["Look:", "Good?"]);
        assert_eq!(left("a <pie> is open"), ["a <pie> is open"]);
        assert!(is_template("<issue_description>\nx\n</issue_description> fix it"));
        assert!(!is_template("see <issue_description>"));
    }
}
