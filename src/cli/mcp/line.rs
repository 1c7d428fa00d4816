//! The words of a command, from texts that nobody has looked at: none of them becomes an option, a file or standard input.

use std::ffi::OsString;

use crate::cli::shell::Usage;

/// A command with its arguments.
#[derive(Debug, Clone)]
pub(super) struct CommandLine {
    words: Vec<String>,
    values: Vec<String>,
    texts: Vec<String>,
}

impl CommandLine {
    /// A command by its words: `issue comment`.
    pub(super) fn of(command: &str) -> Self {
        let words = std::iter::once("annals").chain(command.split(' ')).map(str::to_owned).collect();
        Self { words, values: Vec::new(), texts: Vec::new() }
    }

    /// A value by its place.
    pub(super) fn value(mut self, value: impl Into<String>) -> Self {
        let value = value.into();
        self.texts.push(value.clone());
        self.values.push(value);
        self
    }

    /// An option, where it has a value.
    pub(super) fn option(mut self, name: &str, value: Option<impl Into<String>>) -> Self {
        if let Some(value) = value {
            let value = value.into();
            self.words.push(format!("--{name}={value}"));
            self.texts.push(value);
        }
        self
    }

    /// An option that may be given again.
    pub(super) fn each(self, name: &str, values: impl IntoIterator<Item = String>) -> Self {
        values.into_iter().fold(self, |line, value| line.option(name, Some(value)))
    }

    /// An option without a value, where it is set.
    pub(super) fn flag(mut self, name: Option<&str>) -> Self {
        self.words.extend(name.map(|name| format!("--{name}")));
        self
    }

    /// As the parser reads it: values stand behind `--`, so that none of them is an option.
    pub(super) fn words(&self) -> Result<Vec<OsString>, Usage> {
        // There it would be read from standard input, which carries the protocol.
        if self.texts.iter().any(|text| text.trim() == "-") {
            return Err(Usage("\"-\" is no text: write out what is meant".to_owned()));
        }
        if self.texts.iter().any(|text| text.contains('\0')) {
            return Err(Usage("a text holds a NUL: leave it out".to_owned()));
        }
        let behind = (!self.values.is_empty()).then(|| "--".to_owned());
        Ok(self.words.iter().chain(&behind).chain(&self.values).map(OsString::from).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_an_option_or_standard_input() {
        let line = CommandLine::of("issue comment").option("stance", Some("--as=user")).value("42").value("--check");
        let words = line.words().expect("words");
        assert_eq!(words, ["annals", "issue", "comment", "--stance=--as=user", "--", "42", "--check"]);
        for text in ["-", " -\n", "a\0b"] {
            assert!(CommandLine::of("issue new").value(text).words().is_err(), "{text:?}");
            assert!(CommandLine::of("issue new").option("body", Some(text)).words().is_err(), "{text:?}");
        }
    }
}
