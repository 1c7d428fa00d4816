//! Values that stand where a secret would stand and are none: masks, variables, words of documentation, ids.

use super::name;

/// Words that mark a value as made up, wherever they stand in it.
#[rustfmt::skip] // A list of words, as text.
const MARKS: &[&[u8]] = &[
    b"...", b"***", b"xxxx", b"redacted", b"your", b"example", b"placeholder", b"changeme", b"change_me",
    b"change-me", b"replace", b"insert", b"foobar", b"notreal", b"not-real", b"not_real", b"goeshere", b"goes-here",
    b"goes_here", "…".as_bytes(), "•".as_bytes(),
];

/// Words that mark a value as made up when they stand in it as a word.
const MARK_WORDS: &[&[u8]] = &[b"dummy", b"fake", b"sample", b"mock", b"todo", b"fixme", b"test", b"demo"];

/// Values that protect nothing: literals of languages, names of types, defaults of programs.
#[rustfmt::skip] // A list of words, as text.
const WORDS: &[&str] = &[
    "abc", "abc123", "abcd", "admin", "administrator", "any", "asdf", "auto", "bar", "basic", "baz", "bearer", "bool",
    "boolean", "bytes", "changeit", "default", "demo", "disabled", "dummy", "elastic", "empty", "enabled", "false",
    "foo", "guest", "hidden", "hidden_input", "int", "integer", "letmein", "minio", "minioadmin", "mongo", "mysql",
    "nil", "no", "none", "null", "number", "object", "off", "on", "optional", "option", "pass", "postgres", "pw",
    "qux", "qwerty", "rabbitmq", "redis", "required", "root", "sa", "secret", "some", "str", "string", "test",
    "tester", "testing", "text", "true", "undefined", "unknown", "user", "username", "void", "welcome", "xxx", "yes",
];

/// How expressions begin that fetch a value from elsewhere.
#[rustfmt::skip] // A list of words, as text.
const FETCHES: &[&[u8]] = &[
    b"process.env", b"os.environ", b"os.getenv", b"import.meta", b"getenv", b"env.", b"env[", b"env(", b"secrets.",
    b"secret.", b"config.", b"settings.", b"self.", b"this.", b"args.", b"options.", b"opts.", b"params.", b"props.",
    b"var.", b"data.", b"local.", b"module.", b"vault:", b"op://", b"ssm:", b"arn:", b"keyring", b"file:", b"ref(",
];

/// How ids and checksums begin that tools write.
#[rustfmt::skip] // A list of words, as text.
const IDS: &[&[u8]] = &[
    b"toolu_", b"call_", b"req_", b"msg_", b"chatcmpl-", b"resp_", b"run_", b"thread_", b"sha1-", b"sha256-",
    b"sha384-", b"sha512-", b"sha1:", b"sha256:", b"sha512:", b"md5:", b"h1:", b"urn:uuid:",
];

/// How tokens begin whose shape has always been the same: where `token` finds none, the value is an illustration.
const FIXED: &[&[u8]] = &[
    b"akia", b"asia", b"dapi", b"sgp_", b"xapp-", b"xoxa-", b"xoxb-", b"xoxe-", b"xoxo-", b"xoxp-", b"xoxr-", b"xoxs-",
];

/// How keys begin that are made to be published.
const PUBLISHED: &[&[u8]] = &[b"phc_", b"pk_live_", b"pk_test_", b"ssh-", b"ecdsa-"];

/// What marks a value stands near its beginning.
const LONGEST: usize = 256;

/// Whether a value only stands for a secret, or is something else that is known.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    is_mask(value)
        || is_number(value)
        || is_reference(value)
        || PUBLISHED.iter().chain(IDS).any(|prefix| value.starts_with(prefix))
        || FIXED.iter().any(|prefix| starts_with_ignoring_case(value, prefix))
        || contains_any(value, MARKS)
        || words(value).any(|word| MARK_WORDS.iter().any(|mark| word.eq_ignore_ascii_case(mark)))
        || is_plain_word(value)
        || names_itself(value)
}

/// One character again and again, as in `xxxxx`, `****` and `00000000-0000`.
pub(super) fn is_mask(value: &[u8]) -> bool {
    let mut letters = value.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let Some(first) = letters.next() else { return true };
    value.len() >= 3 && letters.all(|byte| byte.eq_ignore_ascii_case(first))
}

/// Whether documentation ends its examples so, as AWS does.
pub(super) fn ends_as_example(value: &[u8]) -> bool {
    value.ends_with(b"EXAMPLE") || value.ends_with(b"EXAMPLEKEY")
}

/// A variable, a template, an expression, an angle-bracketed description.
fn is_reference(value: &[u8]) -> bool {
    let second = value.get(1).copied().unwrap_or(b' ');
    let opens = match value.first() {
        Some(b'$' | b'%') => second.is_ascii_alphabetic() || matches!(second, b'_' | b'{' | b'('),
        Some(b'<' | b'{' | b'[' | b'(') => true,
        Some(b'#' | b'@') => second == b'{',
        Some(_) | None => false,
    };
    opens
        || FETCHES.iter().any(|fetch| starts_with_ignoring_case(value, fetch))
        || contains_any(value, &[b"${", b"{{", b"<%", b"$(", b"#{", b"%{"])
}

/// A number as programs write it: `4096`, `36i32`, `0x8004170B_u32`.
fn is_number(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"-").unwrap_or(value);
    let hex = value.strip_prefix(b"0x").or_else(|| value.strip_prefix(b"0X"));
    let end = value.iter().rposition(|byte| matches!(byte, b'u' | b'i' | b'f')).unwrap_or(value.len());
    let (digits, suffix) = value.split_at(end);
    let is_suffix = matches!(suffix.get(1..), None | Some(b"8" | b"16" | b"32" | b"64" | b"128" | b"size"));
    let is_decimal =
        is_suffix && !suffix.is_empty() && digits.iter().all(|byte| byte.is_ascii_digit() || *byte == b'_');
    is_decimal
        || hex.is_some_and(|hex| {
            hex.len() <= 20 && hex.iter().all(|byte| byte.is_ascii_hexdigit() || b"_ui".contains(byte))
        })
}

/// A word of the list, alone or with digits and marks behind it: `admin`, `test123`, `secret!`.
fn is_plain_word(value: &[u8]) -> bool {
    let end = value.iter().rposition(u8::is_ascii_alphabetic).map_or(0, |at| at + 1);
    let (word, tail) = value.split_at(end);
    let is_listed = |text: &[u8]| WORDS.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()));
    is_listed(value) || tail.len() <= 4 && is_listed(word) || is_count(value)
}

/// Digits that count up or down, as everybody types them.
pub(super) fn is_count(value: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_digit) && value.windows(2).all(|pair| matches!((pair[1] + 10 - pair[0]) % 10, 1 | 9))
}

/// A value that is itself the name of a secret: `password = "db_password"`.
fn names_itself(value: &[u8]) -> bool {
    value.len() <= 40 && name::kind_of(value.trim_ascii_end()).is_some()
}

fn words(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|byte| !byte.is_ascii_alphanumeric())
}

fn contains_any(value: &[u8], parts: &[&[u8]]) -> bool {
    let value = &value[..value.len().min(LONGEST)];
    parts.iter().any(|part| value.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part)))
}

fn starts_with_ignoring_case(value: &[u8], prefix: &[u8]) -> bool {
    value.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_secret_is_known() {
        let made_up = [
            "",
            "****",
            "xxxxxxxx",
            "00000000-0000",
            "$TOKEN",
            "${TOKEN}",
            "$(pass show x)",
            "{{ token }}",
            "<your-key>",
            "%PASSWORD%",
            "process.env.KEY",
            "sk-...",
            "your-api-key",
            "AKIAIOSFODNN7EXAMPLE",
            "changeme",
            "changeme123",
            "test-key-1",
            "null",
            "admin",
            "test123",
            "secret!",
            "12345678",
            "87654321",
            "db_password",
            "MY_API_KEY",
            "toolu_01Kbn7HBAJVw4adez8qfEo7G",
            "sha512-mNAgZ1GmyNhD7AuqnTG3",
            "[REDACTED_TOKEN]",
            "hf_xxxxxxxxxxxx",
        ];
        for value in made_up {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
        let real = ["hunter2", "super$ecret", "correct-horse", "9f86d081884c7d659a2f", "P@ss,w0rd", "kX9$mQ2"];
        for value in real {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
    }
}
