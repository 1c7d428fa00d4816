//! The texts of an entry as a person reads them: its name, error, files, tags, and each text in what went in and came out,
//! also where that is a large value beside the line.
//!
//! Escapes of JSON are resolved; names of members are no text. Does not look for anything.

use std::borrow::Cow;
use std::fmt;

use annals_kernel::envelope::Envelope;
use annals_log::blob::{BlobKind, BlobRef};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// In which part of an entry a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The name of a tool or an event.
    Name,
    /// Why it failed.
    Error,
    /// A file that it touched.
    File,
    /// A tag.
    Tag,
    /// What went in: a command, a prompt, a message.
    Input,
    /// What came out.
    Output,
}

/// Finds the text of a large value; `None` where it cannot be read.
pub type LargeTexts<'b> = dyn Fn(&BlobRef) -> Option<String> + Sync + 'b;

/// Hands over each text of an entry.
pub fn each(entry: &Envelope<'_>, large: &LargeTexts<'_>, take: &mut dyn FnMut(Part, &str)) {
    take(Part::Name, &entry.name());
    if let Some(error) = entry.error() {
        take(Part::Error, &error);
    }
    entry.files().iter().for_each(|file| take(Part::File, file));
    entry.tags().iter().for_each(|tag| take(Part::Tag, tag));
    if let Some(input) = entry.input_text() {
        each_in(input, large, &mut |text| take(Part::Input, text));
    }
    if let Some(output) = entry.output_text() {
        each_in(output, large, &mut |text| take(Part::Output, text));
    }
}

/// Hands over each text of a JSON value.
pub fn each_in(json: &str, large: &LargeTexts<'_>, take: &mut dyn FnMut(&str)) {
    let mut blobs = Vec::new();
    let walked = walk(json, &mut blobs, take);
    if walked.is_err() {
        // Nested too deep, so that it is read as it is written.
        take(json);
    }
    for blob in blobs {
        let Some(content) = large(&blob) else {
            take(&blob.preview);
            continue;
        };
        match blob.is {
            BlobKind::Text => take(&content),
            // A blob holds no other: what went there went as a whole, after its texts.
            BlobKind::Json => each_in(&content, large, take),
        }
    }
}

fn walk(json: &str, blobs: &mut Vec<BlobRef>, take: &mut dyn FnMut(&str)) -> serde_json::Result<()> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    Walk { blobs, take }.deserialize(&mut deserializer)
}

/// Steps through a value without building it.
struct Walk<'w> {
    blobs: &'w mut Vec<BlobRef>,
    take: &'w mut dyn FnMut(&str),
}

impl Walk<'_> {
    fn again(&mut self) -> Walk<'_> {
        Walk { blobs: self.blobs, take: self.take }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        (self.take)(text);
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(self.again())?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        while let Some(key) = members.next_key::<Key<'de>>()? {
            if key.0 != "$blob" {
                members.next_value_seed(self.again())?;
                continue;
            }
            let value = members.next_value::<Value>()?;
            match BlobRef::of(&serde_json::json!({ "$blob": value })) {
                Some(blob) => self.blobs.push(blob),
                None => walk(&value.to_string(), self.blobs, self.take).map_err(A::Error::custom)?,
            }
        }
        Ok(())
    }
}

/// A name of a member, borrowed where it can be.
#[derive(serde::Deserialize)]
struct Key<'k>(#[serde(borrow)] Cow<'k, str>);

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(json: &str) -> Vec<String> {
        let mut texts = Vec::new();
        let large = |blob: &BlobRef| (blob.bytes < 100).then(|| "the whole text".to_owned());
        each_in(json, &large, &mut |text| texts.push(text.to_owned()));
        texts
    }

    #[test]
    fn texts_are_read_as_a_person_reads_them() {
        assert_eq!(
            texts(r#"{"key":"a \"b\" \u00e9\n","n":7,"list":["x",{"y":null,"z":"z"}]}"#),
            ["a \"b\" é\n", "x", "z"]
        );
        assert_eq!(texts("7"), [""; 0]);
    }

    #[test]
    fn a_large_value_is_read_where_it_lies_and_by_its_beginning_where_it_cannot_be() {
        let blob = |bytes: u64| {
            format!(
                r#"{{"out":{{"$blob":{{"sha256":"{}","bytes":{bytes},"is":"text","preview":"the"}}}}}}"#,
                "0".repeat(64)
            )
        };
        assert_eq!(texts(&blob(50)), ["the whole text"]);
        assert_eq!(texts(&blob(500)), ["the"]);
        assert_eq!(texts(r#"{"$blob":{"of":"somebody else"}}"#), ["somebody else"]);
    }

    #[test]
    fn what_is_nested_too_deep_is_read_as_it_is_written() {
        let deep = format!("{}\"needle\"{}", "[".repeat(300), "]".repeat(300));
        assert!(texts(&deep).iter().any(|text| text.contains("needle")));
    }
}
