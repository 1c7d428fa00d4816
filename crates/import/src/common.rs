//! What several importers need: files relative to the project, the text of content blocks, images as attachments.
//!
//! Keeps no bytes of an image: its type, size and hash are enough to recognise it.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::object::{self, Object};
use annals_kernel::base64::sextet;
use annals_kernel::json::{Json, hex};
use annals_kernel::whole::beginning;

/// Paths, each once, in order: joined to `base` where they are relative, then relative to `cwd` where they lie in it.
pub(crate) fn touched<'p>(cwd: &str, base: &str, paths: impl IntoIterator<Item = &'p str>) -> Vec<Box<str>> {
    let mut files: Vec<Box<str>> = Vec::new();
    for path in paths {
        let file = relative(cwd, base, path.trim());
        if !file.is_empty() && !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

fn relative(cwd: &str, base: &str, path: &str) -> Box<str> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let joined = if path.starts_with('/') || base.is_empty() || path.is_empty() {
        path.to_owned()
    } else {
        format!("{}/{path}", base.trim_end_matches('/'))
    };
    let inside = joined.strip_prefix(cwd.trim_end_matches('/')).and_then(|rest| rest.strip_prefix('/'));
    inside.filter(|_| !cwd.is_empty()).unwrap_or(&joined).into()
}

/// The text of a content: a string, or the texts of its blocks, one under the other.
pub(crate) fn text_of(content: &RawValue) -> String {
    if let Some(text) = object::text(content) {
        return text.into_owned();
    }
    let text = |block| object::text(block).or_else(|| Object::of(block.get()).text("text"));
    let texts: Vec<_> = object::list(content).into_iter().filter_map(text).filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

/// Bytes as text; those that are not UTF-8 become marks. The strict reader is the faster one, and nearly always enough.
pub(crate) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// `/add src/a.rs`: the command, and what follows it. `/home/me/a.rs is broken` is none.
pub(crate) fn slash_command(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let (command, args) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let name = command.strip_prefix('/').filter(|name| !name.is_empty())?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_:".contains(&byte);
    name.bytes().all(fits).then(|| (command, args.trim()))
}

/// The object that a text holds: arguments are often JSON in a string.
pub(crate) fn object_in(text: &str) -> Option<Json> {
    let text = text.trim();
    if text.starts_with('{') { Json::from_text(text.to_owned()).ok() } else { None }
}

/// The first line of a text, cut short: enough to say what went wrong.
pub(crate) fn first_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    beginning(line, 300).unwrap_or(line).to_owned()
}

/// The first 128 bits of the SHA-256 of a record without an id, in hexadecimal.
pub(crate) fn hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..16])
}

/// A picture or file that came with a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Attachment {
    media_type: Box<str>,
    bytes: u64,
    sha256: String,
}

impl Attachment {
    /// From base 64.
    pub(crate) fn of_base64(media_type: &str, data: &str) -> Self {
        let (bytes, sha256) = digest_base64(data);
        Self { media_type: media_type.into(), bytes, sha256 }
    }

    /// From `data:image/png;base64,…`.
    pub(crate) fn of_data_url(url: &str) -> Option<Self> {
        let (head, data) = url.strip_prefix("data:")?.split_once(',')?;
        let media_type = head.strip_suffix(";base64")?;
        Some(Self::of_base64(media_type, data))
    }
}

/// Length and hash of what base 64 stands for; characters that do not belong to it are passed over.
fn digest_base64(data: &str) -> (u64, String) {
    let mut hash = Sha256::new();
    let mut length = 0;
    let mut buffer = Vec::with_capacity(4098);
    let (mut bits, mut count) = (0u32, 0u32);
    for sextet in data.bytes().filter_map(sextet) {
        bits = bits << 6 | u32::from(sextet);
        count += 6;
        if count >= 8 {
            count -= 8;
            buffer.push(u8::try_from(bits >> count & 255).expect("BUG: eight bits are a byte"));
        }
        if buffer.len() >= 4096 {
            length += buffer.len() as u64;
            hash.update(&buffer);
            buffer.clear();
        }
    }
    hash.update(&buffer);
    (length + buffer.len() as u64, hex(&hash.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use annals_kernel::json::sha256_hex;

    #[test]
    fn files_are_relative_to_the_project_where_they_lie_in_it() {
        let files = touched("/p", "", ["/p/src/a.rs", "/etc/hosts", "./b.rs", "b.rs", "/pq/c.rs", "/p/src/a.rs"]);
        assert_eq!(
            files.iter().map(|file| &**file).collect::<Vec<_>>(),
            ["src/a.rs", "/etc/hosts", "b.rs", "/pq/c.rs"]
        );
        assert_eq!(touched("/p", "/p/sub", ["a.rs"]), ["sub/a.rs".into()]);
    }

    #[test]
    fn the_text_of_blocks_is_joined() {
        let text = |json: &str| text_of(serde_json::from_str(json).expect("JSON"));
        assert_eq!(text(r#""plain""#), "plain");
        assert_eq!(text(r#"[{"type":"text","text":"a"},"b",{"type":"image"},{"text":"c"}]"#), "a\nb\nc");
        assert_eq!(text("{}"), "");
    }

    #[test]
    fn a_slash_command_is_a_word_and_what_follows_it() {
        assert_eq!(slash_command(" /add a.rs  b.rs\n"), Some(("/add", "a.rs  b.rs")));
        assert_eq!(slash_command("/team:review-all"), Some(("/team:review-all", "")));
        for text in ["/home/ada/a.rs is broken", "/", "/ x", "fix it", ""] {
            assert_eq!(slash_command(text), None, "{text}");
        }
    }

    #[test]
    fn an_image_is_known_by_type_size_and_hash() {
        let attachment = Attachment::of_data_url("data:image/png;base64,aGVsbG8h\nIQ==");
        let expected = Attachment { media_type: "image/png".into(), bytes: 7, sha256: sha256_hex(b"hello!!") };
        assert_eq!(attachment, Some(expected));
        assert_eq!(Attachment::of_data_url("https://example.org/a.png"), None);
    }
}
