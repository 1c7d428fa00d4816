//! What people who write English call a password, a secret, a token, a key, and what only looks like it.

use super::Kind;

/// What has to be in a text for `kind_of` to find a name in English. The prefilter looks for these.
#[rustfmt::skip] // A list of words, as text.
pub(crate) const KEYWORDS: &[&str] = &[
    "passw", "passphrase", "passcode", "_pass", "-pass", "pass=", "pass =", "pass:", "pass :", "pass\"", "pass'", "pass>", "pass[", "pass\\", "pass1", "pass2",
    "pass_word", "pass-word", "pass_phrase", "pass-phrase", "passconf", "pass_conf", "pass-conf",
    "psk=", "psk =", "psk:", "psk\"", "psk'", "pwd", "_pw", "pw=", "pw =", "pw:", "pw\"", "pw'", "pw>", "pw\\", "pw1", "pw2", "secret", "token", "api key", "access key", "private key", "credential",
    "creds", "pat=", "pat =", "pat:", "pat\"", "authorization", "auth=", "auth:", "auth\"", "jwt_", "jwt=", "jwt:",
    "jwt\"", "identified by", "sonarlogin", "sonar.login", "_key", "-key", ".key", "key=", "key:", "key\"", "key'", "key ",
];

/// Last words that name a secret, whatever stands before them, written without separators.
pub(super) const ENDINGS: &[(&str, Kind)] = &[
    ("password", Kind::Password),
    ("passwd", Kind::Password),
    ("passwort", Kind::Password),
    ("passphrase", Kind::Password),
    ("passcode", Kind::Password),
    ("dbpass", Kind::Password),
    ("userpass", Kind::Password),
    ("identifiedby", Kind::Password),
    ("secret", Kind::Secret),
    ("secretkey", Kind::Secret),
    ("secretaccesskey", Kind::Secret),
    ("signingkey", Kind::Secret),
    ("encryptionkey", Kind::Secret),
    ("masterkey", Kind::Secret),
    ("sharedkey", Kind::Secret),
    ("privatekey", Kind::Credential),
    ("credential", Kind::Credential),
    ("credentials", Kind::Credential),
    ("apikey", Kind::ApiKey),
    ("accesskey", Kind::ApiKey),
    ("accountkey", Kind::ApiKey),
    ("authkey", Kind::ApiKey),
    ("licensekey", Kind::ApiKey),
    ("servicekey", Kind::ApiKey),
    ("storagekey", Kind::Key),
    ("subscriptionkey", Kind::ApiKey),
    ("writekey", Kind::ApiKey),
    ("sonarlogin", Kind::Token),
    ("accesstoken", Kind::AccessToken),
    ("apitoken", Kind::AccessToken),
    ("authtoken", Kind::AccessToken),
    ("bearertoken", Kind::AccessToken),
    ("bottoken", Kind::AccessToken),
    ("refreshtoken", Kind::AccessToken),
    ("secrettoken", Kind::AccessToken),
    ("token", Kind::Token),
    ("key", Kind::Key),
];

/// Short words that name a secret only when they stand alone.
pub(super) const WORDS: &[(&str, Kind)] = &[
    ("pass", Kind::Password),
    ("pwd", Kind::Password),
    ("pw", Kind::Password),
    ("psk", Kind::Password),
    ("creds", Kind::Credential),
    ("auth", Kind::Credential),
    ("pat", Kind::Token),
    ("jwt", Kind::Token),
    ("authorization", Kind::Token),
];

/// What stands before `pass`, `pw` or `pwd` in one word: `adminpass`, `dbpw`. Much else ends so: `compass`, `bypass`.
#[rustfmt::skip] // A list of words, as text.
pub(super) const OWNERS: &[&str] = &[
    "admin", "app", "auth", "bind", "client", "db", "email", "ftp", "git", "http", "imap", "jdbc", "key", "ldap", "login", "mail", "master",
    "mongo", "my", "mysql", "new", "old", "pg", "pop", "postgres", "redis", "root", "server", "sftp", "smtp", "sql", "ssh", "store",
    "sudo", "svn", "test", "user", "vnc", "vpn", "web", "wifi", "wlan",
];

/// Words that may stand after the one that counts: `SECRET_KEY_BASE`, `API_KEY_PROD`, `password_2`.
#[rustfmt::skip] // A list of words, as text.
pub(super) const TRAILERS: &[&str] = &[
    "admin", "again", "banco", "base", "clear", "cleartext", "confirm", "confirmation", "database", "db", "dev", "development",
    "live", "mysql", "new", "old", "plain", "plaintext", "postgres", "prod", "production", "repeat", "root", "sandbox", "smtp", "stage",
    "staging", "str", "string", "test", "testing", "text", "v", "val", "value", "wifi",
];

/// Names that end like a secret and are none.
#[rustfmt::skip] // A list of words, as text.
pub(super) const HARMLESS: &[&str] = &[
    "actiontoken", "bostoken", "canceltoken", "changetoken", "clientrequesttoken", "clienttoken", "cancellationtoken",
    "clstoken", "continuationtoken", "csrftoken", "designtoken", "endtoken", "eostoken", "masktoken", "nexttoken",
    "padtoken", "pagetoken", "secwebsocketkey", "septoken", "specialtoken", "starttoken", "stoptoken", "synctoken", "trialtoken",
    "unktoken", "xsrftoken",
];

/// Words before `key` that say that it opens nothing.
#[rustfmt::skip] // A list of words, as text.
pub(super) const ORDINARY_KEYS: &[&str] = &[
    "cache", "col", "column", "composite", "compound", "dedup", "dedupe", "dedupkey", "distribution", "entry",
    "event", "field", "file", "foreign", "group", "hash", "hot", "i18n", "idempotency", "index", "item", "job",
    "json", "lookup", "map", "object", "parent", "partition", "path", "primary", "prop", "query", "range", "routing",
    "row", "s3", "schema", "session", "shard", "sort", "state", "store", "table", "tag", "translation", "unique",
    "view",
];
