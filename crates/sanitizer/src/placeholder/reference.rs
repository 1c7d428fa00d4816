//! Variables, templates and expressions: values that say where the secret is to be taken from.

use crate::name;

/// What encloses a template, and what may stand between.
const FRAMES: &[(&str, &str)] = &[
    ("${{", "}}"),
    ("${", "}"),
    ("$(", ")"),
    ("{{", "}}"),
    ("<%", "%>"),
    ("#{", "}"),
    ("@{", "}"),
    ("%{", "}"),
    ("[[", "]]"),
    ("%(", ")s"),
    ("`", "`"),
    ("<", ">"),
    ("{", "}"),
    ("[", "]"),
];

/// Fewer letters protect nothing.
const SHORTEST: usize = 3;

/// How long a template may be.
const LONGEST_TEMPLATE: usize = 128;

/// Objects that hold what was configured; a chain of names that begins with one fetches a value.
#[rustfmt::skip] // A list of words, as text.
const HOLDERS: &[&str] = &[
    "args", "cfg", "conf", "config", "context", "credentials", "ctx", "data", "each", "env", "environ", "ENV", "form", "import", "inputs", "local",
    "module", "options", "opts", "os", "outputs", "params", "process", "props", "req", "request", "secrets", "self", "settings", "state",
    "std", "sys", "System", "this", "user", "Values", "var", "vars",
];

/// Words of which one stands in the name of every variable that holds a secret.
const SECRET_WORDS: &[&str] = &[
    "AUTH", "CRED", "CREDENTIALS", "CREDS", "KEY", "PASS", "PASSPHRASE", "PASSWD", "PASSWORD", "PAT", "PWD", "SECRET",
    "TOKEN",
];

/// Stores of secrets, by the scheme that names one.
#[rustfmt::skip] // A list of words, as text.
const STORES: &[&str] = &[
    "arn:", "awssm:", "azurekv:", "bao:", "env:", "file:", "gcpsm:", "keyring:", "kms:", "op:", "ref+", "secretref:", "sops:", "ssm:", "vault:",
];

/// Whether the whole value is a variable, a template, or an expression that fetches a value.
pub(crate) fn is_reference(value: &[u8]) -> bool {
    is_templates(value)
        || is_mostly_templates(value)
        || is_fetched(value)
        || is_stored(value)
        || is_screaming_name(value)
        || is_parameter(value)
        || is_pattern(value)
}

/// A regular expression, and nothing else: `(.*?)`, `([^"]+)`, `[0-9a-f]{40}`.
fn is_pattern(value: &[u8]) -> bool {
    let (mut at, mut repeats) = (0, false);
    while at < value.len() {
        let length = match &value[at..] {
            [b'[', rest @ ..] => class(rest),
            [b'\\', _, ..] | [b'.', b'*' | b'+', ..] => 2,
            [b'{', rest @ ..] => count(rest),
            [byte, ..] => usize::from(b"()*+?|^$\"'".contains(byte)),
            [] => 0,
        };
        if length == 0 {
            return false;
        }
        repeats |= length > 1;
        at += length;
    }
    repeats && at == value.len() && value.len() >= 3 && value.iter().any(|byte| b"*+}".contains(byte))
}

/// How long the class of letters is behind its bracket, with both brackets.
fn class(rest: &[u8]) -> usize {
    let mut at = 0;
    while rest.get(at).is_some_and(|byte| at == 0 || *byte != b']') {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    if at < rest.len() { at + 2 } else { 0 }
}

/// How long `{8,40}` is, behind its bracket.
fn count(rest: &[u8]) -> usize {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b',').count();
    if digits > 0 && rest.get(digits) == Some(&b'}') { digits + 2 } else { 0 }
}

/// One template, or several with signs between them: `${USER}-${ID}`; before them a user may stand: `oauth2:${token}`.
fn is_templates(value: &[u8]) -> bool {
    let user = identifier(value);
    let is_user = value[user..].starts_with(b":${");
    let mut at = if is_user { user + 1 } else { 0 };
    while at < value.len() {
        let Some(length) = template(&value[at..]) else { return false };
        at += length;
        at += value[at..].iter().take(3).take_while(|byte| b"-_./:@ +".contains(byte)).count();
    }
    !value.is_empty()
}

/// `${credentials.apiKey}:X`, `<${name}>\n`: what stands around the templates is too short for a secret.
fn is_mostly_templates(value: &[u8]) -> bool {
    let (mut at, mut templates, mut letters) = (0, 0, 0);
    while at < value.len() && letters < SHORTEST {
        let is_opened = [&b"${"[..], b"{{", b"#{"].iter().any(|open| value[at..].starts_with(open));
        match template(&value[at..]).filter(|_| is_opened) {
            Some(length) => (at, templates) = (at + length, templates + 1),
            None if value[at..].starts_with(b"\\") => (at, letters) = (at + 2, letters + 1),
            None => (at, letters) = (at + 1, letters + usize::from(!b"-_./:@ +<>".contains(&value[at]))),
        }
    }
    templates > 0 && letters < SHORTEST
}

/// How long the template is that begins here.
pub(crate) fn template(value: &[u8]) -> Option<usize> {
    match value {
        [b'$', rest @ ..] if rest.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') => {
            variable(rest).map(|length| length + 1)
        }
        [b'%', b's' | b'd' | b'v' | b'q' | b'@', rest @ ..] if !rest.first().is_some_and(u8::is_ascii_alphanumeric) => {
            Some(2)
        }
        [sign @ (b'%' | b'@' | b'$'), rest @ ..] if is_identifier_before(rest, *sign) => Some(identifier(rest) + 2),
        _ => FRAMES.iter().find_map(|(open, close)| framed(value, open, close)),
    }
}

/// A name behind `$`, with what is taken out of it: `$config['x']`, `$this->key`, `$env:NAME`.
///
/// One that ends in digits is a variable only in capitals: `$ummer2024` is a password.
fn variable(rest: &[u8]) -> Option<usize> {
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let is_upper = !rest[..name].iter().any(u8::is_ascii_lowercase);
    let ends_in_digits = rest[name - 1].is_ascii_digit();
    if ends_in_digits && !is_upper && !rest[..name].contains(&b'_') {
        return None;
    }
    Some(name + links(&rest[name..]))
}

/// A template between its signs. Inside are names, calls and texts, and no sign that templates have not.
fn framed(value: &[u8], open: &str, close: &str) -> Option<usize> {
    let rest = value.strip_prefix(open.as_bytes())?;
    let near = &rest[..rest.len().min(LONGEST_TEMPLATE)];
    let end = near.windows(close.len()).position(|window| window == close.as_bytes())?;
    let inside = &rest[..end];
    let is_bracket = open.len() == 1 && open != "`";
    let is_inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-. /:|,()[]'\"@!".contains(byte) || *byte >= 0x80;
    let fits = !is_bracket || inside.iter().all(is_inside);
    let says = !inside.is_empty() || matches!(open, "{");
    (fits && says).then_some(open.len() + end + close.len())
}

/// `process.env.KEY`, `os.environ["KEY"]`, `getenv('KEY')`: a chain that begins with a holder, or any call.
fn is_fetched(value: &[u8]) -> bool {
    let head = value.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    if head == 0 || !value[0].is_ascii_alphabetic() && value[0] != b'_' {
        return false;
    }
    let rest = &value[head..];
    let is_held = HOLDERS.iter().any(|holder| holder.as_bytes() == &value[..head]);
    let is_call = rest.ends_with(b")") && rest.contains(&b'(') || rest.ends_with(b"]") && rest.contains(&b'[');
    let names = value.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let names_a_secret = rest.starts_with(b".") && name::kind_of(names).is_some();
    !rest.is_empty() && (is_held || is_call || names_a_secret) && links(rest) == rest.len()
}

/// How far members, calls and indices go on.
fn links(rest: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let link = match &rest[at..] {
            [b'.' | b':', tail @ ..] if tail.first().is_some_and(u8::is_ascii_alphabetic) => 1 + identifier(tail),
            [b':', b':', tail @ ..] | [b'-', b'>', tail @ ..] | [b'?' | b'!', b'.', tail @ ..]
                if identifier(tail) > 0 =>
            {
                2 + identifier(tail)
            }
            [b'(', tail @ ..] => closing(tail, b')'),
            [b'[', tail @ ..] => closing(tail, b']'),
            [b'?' | b'!', ..] if at > 0 => 1,
            _ => 0,
        };
        if link == 0 {
            return at;
        }
        at += link;
    }
}

fn closing(tail: &[u8], sign: u8) -> usize {
    tail.iter().position(|byte| *byte == sign).map_or(0, |at| at + 2)
}

fn identifier(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

fn is_identifier_before(rest: &[u8], sign: u8) -> bool {
    let name = identifier(rest);
    rest.get(name) == Some(&sign) && is_identifier(&rest[..name])
}

fn is_identifier(text: &[u8]) -> bool {
    !text.is_empty() && identifier(text) == text.len() && !text[0].is_ascii_digit()
}

/// `vault:secret/db#password`, `op://vault/item`: a store, and a path in it.
fn is_stored(value: &[u8]) -> bool {
    let is_path = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./:#@+{}$".contains(byte);
    STORES.iter().any(|store| {
        value.strip_prefix(store.as_bytes()).is_some_and(|path| path.len() >= 4 && path.iter().all(is_path))
    }) || value.starts_with(b"ENC[") && value.ends_with(b"]")
}

/// `DB_PASSWORD`: the name of a variable that holds a secret.
fn is_screaming_name(value: &[u8]) -> bool {
    let words = || value.split(|byte| *byte == b'_');
    let is_secret = |word: &[u8]| SECRET_WORDS.iter().any(|secret| secret.as_bytes() == word);
    value.contains(&b'_')
        && value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
        && words().any(is_secret)
}

/// `:password`, `@password`, `?` in SQL; `&password`, `*password` in YAML.
fn is_parameter(value: &[u8]) -> bool {
    match value {
        [b'?'] => true,
        [b':' | b'@' | b'&' | b'*', name @ ..] => is_identifier(name) && name::kind_of(name).is_some(),
        _ => false,
    }
}
