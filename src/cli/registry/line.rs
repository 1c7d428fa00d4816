//! The arguments of a command, as its row has them: a word for each, and what the schema of its field does not say.
//!
//! | written | means |
//! |---|---|
//! | `key` | a word, for the field of that name |
//! | `--reason` | an option |
//! | `--because:reason` | for a field of another name; `--file:about.file` for one within another |
//! | `--from<ENTRY>` | help calls its value so |
//! | `value-` | `-` is read from stdin; `value~` is trimmed, too |
//! | `council@`, `by@knowledge` | an id, found among the things of that noun |
//! | `--stance=neutral` | what is taken where it is not given |
//! | `--global=golden/global:rise` | a flag: the one without it, the other with it |
//! | `status!` | needed, though the field may be missing |
//! | `.debates=off` | always this, and nobody is asked |
//! | `^session@here` | an option of the command above |
//!
//! Does not know fields; `field` does.

/// The noun of the session that the environment names, where no other is named.
pub(super) const HERE: &str = "here";

/// Where an argument stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentPlace {
    /// At its place.
    Word,
    /// Behind its name.
    Option,
    /// Among the options of the command above.
    Above,
    /// Nowhere: it is always the same.
    Nowhere,
}

/// How a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reads {
    /// As it stands.
    Plain,
    /// `-` stands for stdin.
    Stdin,
    /// The same, without the space around it.
    Trimmed,
    /// As the name of a thing; nothing: as the type of the field has it.
    Named(&'static str),
}

/// An argument as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    /// Where it stands.
    pub place: ArgumentPlace,
    /// What it is called.
    pub name: &'static str,
    /// Whether it is needed though the field may be missing.
    pub is_needed: bool,
    /// What help calls its value.
    pub value: Option<&'static str>,
    /// How it is read.
    pub reads: Reads,
    /// What is taken where it is not given.
    pub default: Option<&'static str>,
    /// Its field, below which it may be one of another.
    pub path: &'static str,
}

/// The arguments of a line.
pub(super) fn tokens(line: &'static str) -> impl Iterator<Item = Token> {
    line.split_ascii_whitespace().map(Token::of)
}

impl Token {
    fn of(text: &'static str) -> Self {
        let (text, path) = text.split_once(':').map_or((text, None), |(text, path)| (text, Some(path)));
        let (place, text) = [("--", ArgumentPlace::Option), ("^", ArgumentPlace::Above), (".", ArgumentPlace::Nowhere)]
            .into_iter()
            .find_map(|(prefix, place)| Some((place, text.strip_prefix(prefix)?)))
            .unwrap_or((ArgumentPlace::Word, text));
        let (text, default) = text.split_once('=').map_or((text, None), |(text, default)| (text, Some(default)));
        let (text, is_needed) = text.strip_suffix('!').map_or((text, false), |text| (text, true));
        let (text, reads) = if let Some((text, noun)) = text.split_once('@') {
            (text, Reads::Named(noun))
        } else if let Some(text) = text.strip_suffix('-') {
            (text, Reads::Stdin)
        } else if let Some(text) = text.strip_suffix('~') {
            (text, Reads::Trimmed)
        } else {
            (text, Reads::Plain)
        };
        let (name, value) = text.split_once('<').map_or((text, None), |(name, value)| (name, value.strip_suffix('>')));
        let reads = if reads == Reads::Named("") { Reads::Named(name) } else { reads };
        Self { place, name, is_needed, value, reads, default, path: path.unwrap_or(name) }
    }

    /// What a flag stands for: where it is not given, and where it is.
    pub(crate) fn flag(&self) -> Option<(&'static str, &'static str)> {
        self.default.and_then(|default| default.split_once('/'))
    }
}
