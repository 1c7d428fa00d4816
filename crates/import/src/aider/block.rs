//! Lines of a history by what they are, and blocks of them.

/// Whether a line with aider's two spaces at its end was seen: then a line without them is none of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marked {
    Yes,
    No,
}

/// What a line is, without its marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind<'l> {
    /// Nothing stands there.
    Blank,
    /// A person typed it.
    Prompt(&'l str),
    /// The tool said it; of a notice of several lines it is the first.
    Notice(&'l str, Rest),
    /// A further line of a notice.
    Further(&'l str, Rest),
    /// The agent wrote it.
    Reply(&'l str),
}

/// Whether a notice goes on: the marks stand behind its last line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    Comes,
    None,
}

/// What a line stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    /// A reply, which may quote.
    Reply,
    /// A notice whose end has not come.
    Notice,
    /// Neither.
    Else,
}

/// Sorts a line.
pub(super) fn kind_of(line: &str, marked: Marked, within: Within) -> Kind<'_> {
    let is_closed = line.ends_with("  ") || marked == Marked::No;
    let rest = if is_closed { Rest::None } else { Rest::Comes };
    let text = line.trim_end();
    if text.is_empty() {
        return Kind::Blank;
    }
    match (behind(text, "####"), behind(text, ">")) {
        (Some(prompt), _) if is_closed => Kind::Prompt(prompt),
        _ if within == Within::Notice => Kind::Further(text, rest),
        (_, Some(notice)) if is_closed || within == Within::Else || is_report(notice) => Kind::Notice(notice, rest),
        _ => Kind::Reply(text),
    }
}

/// A report of tokens whose cost stands in the next line: only that one has the two spaces.
fn is_report(notice: &str) -> bool {
    notice.starts_with("Tokens: ") && notice.ends_with(" received.")
}

/// What stands behind the mark at the beginning of a line.
fn behind<'l>(text: &'l str, mark: &str) -> Option<&'l str> {
    let rest = text.strip_prefix(mark)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

/// A block is closed at this size, so that memory stays bounded.
const MAX_BLOCK_BYTES: usize = 16 << 20;

/// Lines that belong together.
#[derive(Debug, Default)]
pub(super) struct LineBlock {
    /// The line of the file that the first of them stands on.
    pub(super) line: u64,
    /// Their texts.
    pub(super) text: String,
    /// Whose they are.
    pub(super) whose: Whose,
}

/// Whose a block is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Whose {
    /// There is none.
    #[default]
    Nobodys,
    /// A prompt.
    Persons,
    /// A reply.
    Agents,
    /// What a command printed.
    Commands,
}

impl LineBlock {
    pub(super) fn new(whose: Whose, line: u64) -> Self {
        Self { line, text: String::new(), whose }
    }

    /// Adds a line.
    pub(super) fn add(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Whether another line may come.
    pub(super) fn takes(&self, whose: Whose) -> bool {
        self.whose == whose && self.text.len() < MAX_BLOCK_BYTES
    }
}
