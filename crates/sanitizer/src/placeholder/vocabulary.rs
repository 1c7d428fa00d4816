//! The words of which placeholders are made, and the shapes of values that are known to be none of a secret.

/// Whole values that protect nothing, in small letters without separators: literals of languages, names of the thing.
#[rustfmt::skip] // A list of words, as text.
pub(super) const WHOLE: &[&str] = &[
    "", "ask", "auto", "bar", "baz", "changeit", "default", "demo", "disabled", "dummy", "empty", "enabled", "env",
    "example", "fake", "false", "file", "foo", "foobar", "hidden", "ignored", "inherit", "invalid", "login", "mask", "missing",
    "mock", "na", "name", "nil", "no", "none", "notneeded", "notset", "notused", "null", "off", "on", "optional", "placeholder", "prompt",
    "qux", "read", "required", "sae", "sample", "somevalue", "stdin", "tbd", "test", "tester", "testing", "todo", "true", "undefined", "unknown",
    "unset", "unused", "user", "username", "value", "write", "xxx", "xyz", "yes",
];

/// Words that ask for a value, or say that it is none.
#[rustfmt::skip] // A list of words, as text.
pub(super) const MARKERS: &[&str] = &[
    "change", "changeit", "dummy", "enter", "example", "fake", "fill", "fixme", "here", "insert", "masked", "mock",
    "placeholder", "redacted", "removed", "replace", "sample", "tbd", "todo", "your", "yours", "xxx",
];

/// Words that may stand beside those.
#[rustfmt::skip] // A list of words, as text.
pub(super) const FILLERS: &[&str] = &[
    "a", "access", "account", "actual", "add", "admin", "an", "api", "app", "auth", "aws", "bot", "by", "client", "code",
    "credential", "credentials", "database", "db", "for", "from", "github", "goes", "id", "in", "it", "jwt", "key", "me",
    "must", "my", "new", "of", "openai", "or", "own", "passphrase", "passwd", "password", "personal", "please", "pass", "private", "provide",
    "put", "pwd", "real", "root", "secret", "secure", "service", "set", "some", "strong", "stripe", "that", "the", "this", "to",
    "token", "user", "value", "with", "x",
];

/// Values that standards print as examples, and that programs which follow them repeat: RFC 2617 and 7617, 5849, 6455,
/// 6749, 6750, 7009.
#[rustfmt::skip] // A list of words, as text.
pub(super) const STANDARDS: &[&str] = &[
    "Circle Of Life", "open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "dGVzdDoxMjPCow==", "123£",
    "kd94hf93k423kf44", "hh5s93j4hdidpola", "hdhd0244k9j7ao03", "hfdp7dh39dks9884", "nnch734d00sl2jdk", "pfkkdhi9sl3r4s00",
    "kkk9d7dh3k39sjv7", "j49sk3j29djd", "dh893hdasih9", "jjd999tj88uiths3", "dpf43f3p2l4k3l03",
    "dGhlIHNhbXBsZSBub25jZQ==",
    "gX1fBat3bV", "7Fjfp0ZBr1KtDRbnfVdmIw", "czZCaGRSa3F0MzpnWDFmQmF0M2JW", "czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3",
    "2YotnFZFEjr1zCsicMWpAA", "tGzv3JOkF0XG5Qx2TlKWIA", "SplxlOBeZQQYbYS6WxSbIA", "A3ddj3w", "mF_9.B5f-4.1JqM", "h480djs93hd8",
    "45ghiukldjahdnhzdauz",
    // The key of a storage that runs on one's own machine, the same everywhere, as its manual says.
    concat!("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq", "/K1SZFPTOtr/KBHBeksoGMGw=="),
];

/// What programs send as the password of a guest, the same for everybody, as RFC 1635 asks for an address.
pub(super) const GUESTS: &[&str] = &[
    "anonymous@", "-anonymous@", "anonymous@example.com", "busybox@", "-wget@", "ftp@example.com",
    "mozilla@example.com", "chrome@example.com", "lftp@", "IEUser@", "NcFTP@", "Squid@",
];

/// What a validator asks of a value.
#[rustfmt::skip] // A list of words, as text.
pub(super) const RULES: &[&str] = &[
    "alpha_num", "array", "bail", "between", "confirmed", "current_password", "different", "email", "exists", "filled", "in", "max", "min", "not_in",
    "nullable", "numeric", "password", "present", "prohibited", "regex", "required", "required_if", "required_with", "same", "size",
    "sometimes", "string", "unique", "uuid",
];

/// Types of languages and schemas, and what is written for no value.
#[rustfmt::skip] // A list of words, as text.
pub(super) const TYPES: &[&str] = &[
    "any", "Any", "Arc", "Array", "bool", "boolean", "Boolean", "Box", "Buffer", "byte", "bytes", "Bytes", "char",
    "CharSequence", "const", "Cow", "dict", "double", "float", "Hash", "i32", "i64", "int", "Int", "integer", "Integer", "List", "long",
    "Maybe", "mut", "never", "nil", "NSString", "null", "number", "Number", "object", "Object", "option", "Option",
    "Optional", "optional", "Promise", "Rc", "Result", "Secret", "SecretBox", "SecretStr", "SecretString", "SecureString", "Self", "Some", "std",
    "str", "Str", "string", "String", "symbol", "text", "Text", "u16", "u32", "u64", "u8", "Uint8Array",
    "undefined", "unknown", "usize", "Value", "varchar", "Vec", "void", "wchar_t", "Zeroizing",
];

/// How ids, checksums and public keys begin, and how much follows at least.
#[rustfmt::skip] // A list of words, as text.
pub(super) const PUBLISHED: &[(&str, usize)] = &[
    ("toolu_", 16), ("call_", 16), ("req_", 16), ("msg_", 16), ("chatcmpl-", 16), ("resp_", 16), ("run_", 16),
    ("thread_", 16), ("sha1-", 20), ("sha256-", 30), ("sha384-", 30), ("sha512-", 30), ("sha1:", 20), ("sha256:", 30),
    ("SHA256:", 30), ("sha512:", 30), ("md5:", 20), ("h1:", 30), ("urn:uuid:", 30), ("phc_", 20), ("pk_live_", 16),
    ("pk_test_", 16), ("ssh-rsa AAAA", 20), ("ssh-ed25519 AAAA", 20), ("ssh-dss AAAA", 20), ("ecdsa-sha2-", 30),
    ("sk-ssh-ed25519@openssh.com AAAA", 20), ("arn:aws", 10),
];
