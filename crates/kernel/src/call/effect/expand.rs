//! Variables and aliases of a command line, as far as the line itself says what they hold.
//!
//! A variable from elsewhere stays as it is written.

use std::collections::BTreeMap;

/// What the line has said so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    variables: BTreeMap<String, String>,
    aliases: BTreeMap<String, String>,
    /// What `set --` gave.
    arguments: Option<String>,
}

/// A word with what is known put in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expanded {
    pub(super) text: String,
    /// Whether nothing is left that the line does not say.
    pub(super) is_whole: bool,
}

impl Names {
    /// `A=1`, `A+=1`
    pub(super) fn assign(&mut self, assignment: &str, asked: Option<&str>) {
        let Some((name, value)) = assignment.split_once('=') else { return };
        let value = self.expand(value, asked).text;
        match name.strip_suffix('+') {
            Some(name) => self.variables.entry(name.to_owned()).or_default().push_str(&value),
            None => drop(self.variables.insert(name.to_owned(), value)),
        }
    }

    pub(super) fn alias(&mut self, alias: &str) {
        if let Some((name, said)) = alias.split_once('=') {
            self.aliases.insert(name.to_owned(), said.to_owned());
        }
    }

    /// `set -- rm -rf`
    pub(super) fn set(&mut self, arguments: String) {
        self.arguments = Some(arguments);
    }

    pub(super) fn aliased(&self, program: &str) -> Option<&str> {
        self.aliases.get(program).map(String::as_str)
    }

    /// A word; `asked` is what the command in it printed, where that is known.
    pub(super) fn expand(&self, word: &str, asked: Option<&str>) -> Expanded {
        let mut found = Expanded { text: String::new(), is_whole: true };
        let mut rest = word;
        while let Some((before, behind)) = rest.split_once('$') {
            found.text.push_str(before);
            let (value, length) = self.value(behind, asked);
            if let Some(value) = value {
                found.text.push_str(&value);
            } else {
                found.is_whole = false;
                found.text.push('$');
                found.text.push_str(&behind[..length]);
            }
            rest = &behind[length..];
        }
        found.text.push_str(rest);
        found
    }

    /// What stands for the beginning of a text behind `$`, and how long that is.
    fn value(&self, behind: &str, asked: Option<&str>) -> (Option<String>, usize) {
        if let Some(inside) = behind.strip_prefix('{') {
            let Some(end) = inside.find('}') else { return (None, 0) };
            return (self.in_braces(&inside[..end]), end + 2);
        }
        if behind.starts_with(['@', '*']) {
            return (Some(self.arguments.clone().unwrap_or_default()), 1);
        }
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        match behind.find(|letter| !is_name(letter)).unwrap_or(behind.len()) {
            0 => (asked.map(str::to_owned), 0),
            end => (self.variables.get(&behind[..end]).cloned(), end),
        }
    }

    /// `A`, `A:-x`
    fn in_braces(&self, inside: &str) -> Option<String> {
        let end = inside.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(inside.len());
        let (name, rest) = inside.split_at(end);
        let given = || rest.strip_prefix(":-").or_else(|| rest.strip_prefix('-')).map(str::to_owned);
        match self.variables.get(name) {
            Some(value) if rest.is_empty() || rest.starts_with([':', '-']) => Some(value.clone()),
            Some(_) => None,
            // What the line does not say may be set elsewhere; the default is what it says.
            None => given(),
        }
    }
}

/// `{rm,-rf,x}` as words; nothing where it is no such list.
pub(super) fn braced(word: &str) -> Option<String> {
    let inside = word.strip_prefix('{')?.strip_suffix('}')?;
    inside.contains(',').then(|| inside.replace(',', " "))
}

/// A word as a shell takes it for one.
pub(super) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}
