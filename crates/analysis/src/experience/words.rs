//! How experiences are named and worded: pairs of tags, the telling line of an error, what was done between.

use super::super::step::{Call, RefusedCall, Step};
use super::super::text::{self, short};
use annals_kernel::call::is_code;
use annals_rules::domain::memory::tag;

/// A request is told in so many characters.
const REQUEST_CHARS: usize = 120;
/// An error is told in so many characters.
const ERROR_CHARS: usize = 180;
/// A command is told in so many characters.
const COMMAND_CHARS: usize = 100;
/// A tag is cut here, in characters.
const TAG_CHARS: usize = 120;
/// So many files or commands are named.
const MOST_NAMED: usize = 3;
/// So much of an output is looked at for the line that says what went wrong.
const LOOKED_AT: usize = 8 << 10;

/// What an experience is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tags {
    /// The tool, or the intent.
    pub(super) space: Box<str>,
    /// What it was used on.
    pub(super) entity: Box<str>,
}

impl Tags {
    /// Of a call: its program, and the file that it names.
    pub(super) fn of_call(call: &Call) -> Self {
        let file = call.files.first().map(|file| &**file);
        let named = file.or_else(|| call.command.as_deref().and_then(path_in)).map(str::to_owned);
        Self::of_tool(&call.program, named.as_deref())
    }

    /// Of a call that nobody ran.
    pub(super) fn of_refused(call: &RefusedCall) -> Self {
        Self::of_tool(&call.tool, call.file.as_deref().or_else(|| path_in(&call.target)))
    }

    /// Of what a person asked for.
    pub(super) fn of_request(request: &str) -> Self {
        Self { space: cut(&tag::intent(request)), entity: tag::LOCAL.into() }
    }

    fn of_tool(program: &str, target: Option<&str>) -> Self {
        let program = if program.trim().is_empty() { "unknown" } else { program };
        let entity = target.map_or_else(|| tag::LOCAL.to_owned(), tag::path);
        Self { space: cut(&tag::tool(program)), entity: cut(&entity) }
    }

    /// Whether it names what it was used on.
    pub(super) fn is_on_something(&self) -> bool {
        &*self.entity != tag::LOCAL
    }
}

/// Without control characters, and not too long.
fn cut(tag: &str) -> Box<str> {
    tag.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(TAG_CHARS).collect::<String>().into()
}

/// The first file or folder that a command line names.
fn path_in(command: &str) -> Option<&str> {
    let tokens = command.split_whitespace().skip(1).map(|token| token.trim_matches(['"', '\'', '(', ')', ';', ',']));
    let named = tokens.map(|token| token.split("::").next().unwrap_or(token));
    let is_path = |token: &&str| {
        let is_plain =
            token.len() > 2 && !token.starts_with(['-', '$', '<', '>', '&', '|', '=']) && !token.contains("://");
        let has_folder = token.contains('/') && !token.starts_with("/dev/") && !token.starts_with("s/");
        is_plain && !token.contains(['*', '{', '=', '\\']) && (has_folder || is_code(token))
    };
    named.into_iter().find(is_path)
}

/// What a call was, in short: its command, or its program and what it was about.
pub(super) fn what(call: &Call) -> String {
    match &call.command {
        Some(command) => short(without_folder(command), COMMAND_CHARS),
        None => short(&format!("{} {}", call.tool, call.target), COMMAND_CHARS),
    }
}

/// A command without the `cd` before it, which says nothing of it.
fn without_folder(command: &str) -> &str {
    let rest = command.trim_start().strip_prefix("cd ").and_then(|rest| rest.split_once("&&"));
    rest.map_or(command, |(_, rest)| rest.trim_start())
}

/// The line of a failed call that says most.
pub(super) fn error(call: &Call) -> String {
    const TELLING: [&str; 22] = [
        "error:", "error[", "error ", "failed", "panicked", "assert", "exception", "not found", "no such", "cannot ",
        "can't ", "denied", "fatal:", "undefined", "unexpected", "unknown", "invalid", "missing", "timed out",
        "refused", "must ", "mismatch",
    ];
    let said = call.error.as_deref().unwrap_or_default();
    let ends = text::ends(&call.output, LOOKED_AT);
    let lines = || said.lines().chain(ends.lines()).map(str::trim).filter(|line| is_telling(line));
    let tells = |line: &&str| {
        let lower = line.to_lowercase();
        TELLING.iter().any(|word| lower.contains(word))
    };
    let line = lines().find(tells).or_else(|| lines().next()).unwrap_or(said);
    short(&without_colours(line), ERROR_CHARS)
}

/// A line without what colours it on a terminal, whether the escape is there still or not.
fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('[') {
        let behind = &rest[at + 1..];
        let digits = behind.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
        let is_colour = digits > 0 && behind[digits..].starts_with('m');
        plain.push_str(rest[..if is_colour { at } else { at + 1 }].trim_end_matches('\u{1b}'));
        rest = if is_colour { &behind[digits + 1..] } else { behind };
    }
    plain.push_str(rest);
    plain
}

/// Neither a mere exit code nor a frame around the message.
fn is_telling(line: &str) -> bool {
    let lower = line.to_lowercase();
    let is_code = lower.starts_with("exit code") || lower.starts_with("exited with") || lower == "failed";
    let is_frame = ["<tool_use_error>", "traceback (most recent", "chunk id", "wall time", "original token"];
    let has_words = line.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).nth(1).is_some();
    has_words
        && !is_code
        && !is_frame.iter().any(|frame| lower == *frame || lower.starts_with(frame) && lower.len() < 40)
}

/// What was done between a failure and its end: files that were changed, else commands that were run.
pub(super) fn done(steps: &[Step]) -> Option<String> {
    let calls = || steps.iter().filter_map(Step::call).filter(|call| call.is_ok());
    let mut files: Vec<&str> = Vec::new();
    calls().flat_map(Call::changed).for_each(|file| {
        if !files.contains(&file) {
            files.push(file);
        }
    });
    if !files.is_empty() {
        return Some(format!("changing {}", named(&files)));
    }
    let mut commands: Vec<String> = Vec::new();
    for call in calls().filter(|call| call.command.is_some() && call.check.is_none()) {
        let command = format!("`{}`", what(call));
        if !commands.contains(&command) {
            commands.push(command);
        }
    }
    let commands: Vec<&str> = commands.iter().rev().take(2).rev().map(String::as_str).collect();
    (!commands.is_empty()).then(|| named(&commands))
}

/// The first of some names, and how many more there are.
pub(super) fn named(names: &[&str]) -> String {
    let more = names.len().saturating_sub(MOST_NAMED);
    let first = names.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}

/// What was asked for, in a line; nothing where no one wrote it then and there.
pub(super) fn request(prompt: &str) -> Option<String> {
    let own = &prompt[..text::own_end(prompt)];
    let line =
        own.lines().map(str::trim).find(|line| line.chars().any(char::is_alphabetic) && !line.starts_with('<'))?;
    Some(short(line, REQUEST_CHARS))
}

/// What it was for, behind the rest.
pub(super) fn task(asked: Option<&str>) -> String {
    let request = asked.and_then(request);
    request.map(|request| format!(" (task: {request})")).unwrap_or_default()
}

/// `once`, `3 times`.
pub(super) fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
