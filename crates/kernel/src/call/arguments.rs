//! The telling arguments of a call, read in one pass and borrowed where possible.
//!
//! Whatever is not as expected is passed over: a tool may call its arguments what it likes.

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::shell::is_shell;

/// A command in words is not read further than this, in bytes.
const MOST_BYTES: usize = 8192;

/// What a call was given, as far as it tells what the call does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments<'a> {
    /// A command line.
    pub(super) command: Option<Cow<'a, str>>,
    /// A file or folder.
    pub(super) path: Option<Cow<'a, str>>,
    /// What is looked for.
    pub(super) pattern: Option<Cow<'a, str>>,
    /// An address.
    pub(super) url: Option<Cow<'a, str>>,
    /// What is typed into a program that runs.
    pub(super) chars: Option<Cow<'a, str>>,
    /// Arguments that are one text.
    pub(super) text: Option<Cow<'a, str>>,
    /// What it is about, in words.
    pub(super) about: Option<Cow<'a, str>>,
}

impl<'a> Arguments<'a> {
    /// Reads what can be read.
    pub(super) fn read(json: &'a str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// What the call is about.
    pub(super) fn target(&self) -> Option<Cow<'a, str>> {
        let told = [&self.pattern, &self.url, &self.command, &self.path, &self.about, &self.text, &self.chars];
        told.into_iter().flatten().find(|text| !text.is_empty()).cloned()
    }

    fn take(&mut self, key: &str, said: ArgumentText<'a>) {
        let slot = match key {
            "command" | "cmd" | "script" => &mut self.command,
            "file_path" | "filePath" | "absolute_path" | "notebook_path" | "path" | "file_name" | "filename"
            | "target_file" | "relative_path" => &mut self.path,
            "pattern" | "query" | "regex" => &mut self.pattern,
            "url" => &mut self.url,
            "chars" => &mut self.chars,
            "arguments" | "patch" | "input" => &mut self.text,
            "description" | "prompt" | "subject" | "message" | "question" | "thought" | "task_name" | "explanation" => {
                &mut self.about
            }
            _ => return,
        };
        *slot = slot.take().or(said.0);
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Arguments<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ArgumentsVisitor;

        impl<'de> Visitor<'de> for ArgumentsVisitor {
            type Value = Arguments<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut arguments = Arguments::default();
                while let Some(key) = map.next_key::<ArgumentName<'de>>()? {
                    arguments.take(&key.0, map.next_value()?);
                }
                Ok(arguments)
            }
        }

        deserializer.deserialize_map(ArgumentsVisitor)
    }
}

/// The name of an argument.
#[derive(Deserialize)]
struct ArgumentName<'a>(#[serde(borrow)] Cow<'a, str>);

/// An argument as a text: as it is; words of a command line joined; the beginning of a large value; else nothing.
#[derive(Default)]
struct ArgumentText<'a>(Option<Cow<'a, str>>);

impl<'de: 'a, 'a> Deserialize<'de> for ArgumentText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = ArgumentText<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(ArgumentText(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(ArgumentText(Some(Cow::Owned(text.to_owned()))))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(ArgumentText::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(ArgumentText::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(ArgumentText::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(ArgumentText::default())
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(ArgumentText::default())
    }

    /// `["bash", "-lc", "cargo test"]` says `cargo test`.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut line = String::new();
        let mut words = 0;
        while let Some(ArgumentText(word)) = seq.next_element()? {
            let Some(word) = word.filter(|_| line.len() < MOST_BYTES) else { continue };
            words += 1;
            if words == 3 && is_shell_call(&line) {
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        Ok(ArgumentText(Some(line).filter(|line| !line.is_empty()).map(Cow::Owned)))
    }

    /// A large value stands in its line by its beginning.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut said = ArgumentText::default();
        while let Some(key) = map.next_key::<ArgumentName<'de>>()? {
            if matches!(&*key.0, "$blob" | "preview") {
                said = map.next_value()?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(said)
    }
}

/// `bash -lc`
fn is_shell_call(line: &str) -> bool {
    let Some((shell, option)) = line.split_once(' ') else { return false };
    let shell = shell.rsplit('/').next().unwrap_or(shell);
    is_shell(shell) && matches!(option, "-c" | "-lc" | "-ic" | "-lic")
}
