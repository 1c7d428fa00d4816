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
    /// The tool said it.
    Notice(&'l str),
    /// The agent wrote it.
    Reply(&'l str),
}

/// Sorts a line.
pub(super) fn kind_of(line: &str, marked: Marked) -> Kind<'_> {
    let own = line.ends_with("  ") || marked == Marked::No;
    let text = line.trim_end();
    if text.is_empty() {
        return Kind::Blank;
    }
    let inside = |mark: &str| {
        let rest = text.strip_prefix(mark)?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
    };
    match (inside("####"), inside(">")) {
        (Some(prompt), _) if own => Kind::Prompt(prompt),
        (_, Some(notice)) if own => Kind::Notice(notice),
        _ => Kind::Reply(text),
    }
}

/// A block is closed at this size, so that memory stays bounded.
const MAX_BLOCK_BYTES: usize = 16 << 20;

/// Lines that belong together.
#[derive(Debug, Default)]
pub(super) struct Block {
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

impl Block {
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
