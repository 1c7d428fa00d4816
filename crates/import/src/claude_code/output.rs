//! What is kept of a result: all but second copies of whole files, and pictures, of which size and hash are kept.
//!
//! Looks only where Claude Code is known to put them (FORMATS 1.6); everything else stays byte for byte.

use annals_sparse::sparse;
use memchr::memmem;
use serde::Serialize;

use annals_kernel::base64::sextet;
use annals_kernel::json::{Json, Members, sha256_hex};

use super::raw::Raw;

/// Members of a result that hold the file as it was before.
const COPIES: [&str; 2] = ["originalFile", "originalFileContents"];

/// A picture or a document without its bytes.
#[sparse]
#[derive(Debug, Serialize)]
pub struct Digest {
    media_type: Option<String>,
    bytes: usize,
    sha256: String,
}

/// A result without ballast.
pub fn light(result: Raw<'_>) -> Option<Json> {
    let text = result.written()?;
    let has = |needle: &str| memmem::find(text.as_bytes(), needle.as_bytes()).is_some();
    let json = result.json()?;
    // Two searches spare nearly every result its tree; most are plain text of up to megabytes.
    let suspicious = has("base64") || COPIES.iter().any(|copy| has(copy));
    Some(if suspicious { lighter(json) } else { json })
}

fn lighter(json: Json) -> Json {
    if let Ok(blocks) = json.read::<Vec<Json>>() {
        return Json::of(&blocks.into_iter().map(block).collect::<Vec<_>>());
    }
    let Ok(mut members) = json.read::<Members>() else { return json };
    for copy in COPIES {
        members.take(&[copy]);
    }
    replace(&mut members, "file", file);
    replace(&mut members, "stdout", data_url);
    replace(&mut members, "content", lighter);
    Json::of(&members)
}

fn replace(members: &mut Members, key: &str, with: impl Fn(Json) -> Json) {
    if let Some(old) = members.get(key).cloned() {
        members.set(key, with(old));
    }
}

/// A file that was read: `{base64, type, …}`.
fn file(file: Json) -> Json {
    let Ok(mut members) = file.read::<Members>() else { return file };
    let Some(data) = members.take(&["base64"]).and_then(|data| data.read::<String>().ok()) else { return file };
    let digest = Digest::of(None, &data);
    members.set("bytes", Json::of(&digest.bytes));
    members.set("sha256", Json::of(&digest.sha256));
    Json::of(&members)
}

/// An image or a document among the blocks of a result.
fn block(block: Json) -> Json {
    let Ok(mut members) = block.read::<Members>() else { return block };
    let digest = members.get("source").and_then(source);
    match digest {
        Some(digest) => {
            members.set("source", digest);
            Json::of(&members)
        }
        None => block,
    }
}

/// `data:image/png;base64,…`, as a command prints a picture.
fn data_url(text: Json) -> Json {
    let digest = text.read::<String>().ok().and_then(|text| {
        let (kind, data) = text.strip_prefix("data:")?.split_once(";base64,")?;
        Some(Digest::of(Some(kind.to_owned()), data))
    });
    digest.map_or(text, |digest| Json::of(&digest))
}

/// The source of an image or a document: of base64 the digest, else as it is (a URL).
pub(crate) fn attachment(raw: Raw<'_>) -> Option<Json> {
    let json = raw.json()?;
    Some(source(&json).unwrap_or(json))
}

fn source(source: &Json) -> Option<Json> {
    let members: Members = source.read().ok()?;
    let text = |key: &str| members.get(key).and_then(|value| value.read::<String>().ok());
    let data = text("data").filter(|_| text("type").as_deref() == Some("base64"))?;
    Some(Json::of(&Digest::of(text("media_type"), &data)))
}

impl Digest {
    /// Of what the base64 stands for; of the text itself where it is none.
    fn of(media_type: Option<String>, data: &str) -> Self {
        let bytes = decode(data).unwrap_or_else(|| data.as_bytes().to_vec());
        Self { media_type, bytes: bytes.len(), sha256: sha256_hex(&bytes) }
    }
}

/// Base64 of either alphabet, with or without padding and line breaks.
fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0u32);
    for byte in text.trim_end_matches(['=', '\n', '\r']).bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        bits = bits << 6 | u32::from(sextet(byte)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count).to_be_bytes()[3]);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lightened(text: &str) -> String {
        light(serde_json::from_str(text).expect("JSON")).expect("JSON").text().to_owned()
    }

    #[test]
    fn base64_is_read_in_every_dress() {
        assert_eq!(decode("aGk/Pz4+"), Some(b"hi??>>".to_vec()));
        assert_eq!(decode("aGk_\nPz4-\n"), Some(b"hi??>>".to_vec()));
        assert_eq!(decode("aA=="), Some(b"h".to_vec()));
        assert_eq!(decode("no, a text"), None);
    }

    #[test]
    fn what_has_no_ballast_stays_byte_for_byte() {
        let result = r#"{ "stdout" : "a\u00fc",  "n":1.50 }"#;
        assert_eq!(lightened(result), result);
    }

    #[test]
    fn the_file_as_it_was_before_is_left_out() {
        let result = r#"{"filePath":"a.rs","originalFile":"old","structuredPatch":[{"lines":["-old","+new"]}]}"#;
        assert_eq!(lightened(result), r#"{"filePath":"a.rs","structuredPatch":[{"lines":["-old","+new"]}]}"#);
    }

    #[test]
    fn of_pictures_size_and_hash_are_kept() {
        let hash = sha256_hex(b"hi");
        let read = r#"{"type":"image","file":{"base64":"aGk=","type":"image/png","originalSize":2}}"#;
        let kept =
            format!(r#"{{"type":"image","file":{{"type":"image/png","originalSize":2,"bytes":2,"sha256":"{hash}"}}}}"#);
        assert_eq!(lightened(read), kept);
        let blocks = r#"[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}},"base64"]"#;
        let kept = format!(
            r#"[{{"type":"image","source":{{"media_type":"image/png","bytes":2,"sha256":"{hash}"}}}},"base64"]"#
        );
        assert_eq!(lightened(blocks), kept);
        let printed = r#"{"stdout":"data:image/gif;base64,aGk=","isImage":true}"#;
        let kept = format!(r#"{{"stdout":{{"media_type":"image/gif","bytes":2,"sha256":"{hash}"}},"isImage":true}}"#);
        assert_eq!(lightened(printed), kept);
    }
}
