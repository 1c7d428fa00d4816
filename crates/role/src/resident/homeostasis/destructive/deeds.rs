//! Deeds that cannot be taken back, by kinds, each by a verb and its object in one clause: removing, publishing and deploying,
//! sending to others, changing rights, ending what was agreed. English and German.
//!
//! Words only. Whose deed it is, and whether it is asked for or told, is not known here.

/// Deeds, and the objects that make them grave.
struct Deed {
    verbs: &'static [&'static str],
    /// Stems of German verbs.
    stems: &'static [&'static str],
    objects: &'static [&'static str],
    /// Beginnings of German objects, and of their compounds.
    german: &'static [&'static str],
}

const DEEDS: [Deed; 8] = [
    Deed {
        verbs: &[
            "delete", "deletion", "destroy", "discard", "drop", "erase", "nuke", "purge", "truncate", "wipe", "trash",
        ],
        stems: &["lösch", "vernicht", "zerstör", "verwerf", "verwirf"],
        objects: &["all", "data", "everything", "git", "folder", "folders", "directory", "directories", "files"],
        german: &["alle", "daten", "ordner", "verzeichnis", "dateien", "git"],
    },
    Deed {
        verbs: &[
            "clear", "delete", "deletion", "destroy", "discard", "drop", "empty", "erase", "format", "nuke",
            "overwrite", "purge", "remove", "reset", "rid", "terminate", "throw", "trash", "truncate", "uninstall",
            "wipe",
        ],
        stems: &[
            "deinstallier", "entfern", "formatier", "leer", "lösch", "setz", "truncat", "verwerf", "verwirf",
            "vernicht", "überschreib", "werf", "wirf", "zerstör", "zurücksetz",
        ],
        objects: &[
            "account", "accounts", "backup", "backups", "branch", "branches", "bucket", "buckets", "cluster",
            "collection", "container", "containers", "database", "databases", "db", "directory", "disk", "drive",
            "files", "folder", "git", "history", "host", "hosts", "instance", "instances", "logs", "machine", "main",
            "namespace", "partition", "prod", "production", "records", "repo", "repos", "repository", "schema",
            "server", "servers", "snapshots", "table", "tables", "uploads", "users", "volume", "volumes",
        ],
        german: &[
            "backup", "benutzer", "branch", "cluster", "container", "datei", "datenbank", "daten", "datensätz",
            "festplatte", "instanz", "konten", "konto", "main", "nutzer", "ordner", "partition", "produktion", "repo",
            "schema", "server", "sicherung", "tabelle", "verlauf", "verzeichnis", "volume", "zweig",
        ],
    },
    Deed {
        verbs: &[
            "deploy", "migrate", "publish", "push", "release", "restart", "roll", "rollout", "ship", "shutdown",
            "stop", "upload",
        ],
        stems: &[
            "ausroll", "deploy", "hochlad", "lad", "migrier", "publizier", "roll", "start", "stopp", "veröffentlich",
            "push", "stell", "spiel", "aktualisier",
        ],
        objects: &[
            "app", "application", "cluster", "crates", "customers", "database", "db", "force", "github", "hub",
            "image", "live", "main", "master", "npm", "origin", "package", "packages", "prod", "production", "public",
            "pypi", "registry", "release", "remote", "server", "servers", "service", "services", "site", "staging",
            "store", "upstream", "users", "version", "website",
        ],
        german: &[
            "anwendung", "app", "datenbank", "dienst", "kunden", "live", "main", "npm", "paket", "produktion", "prod",
            "pypi", "registry", "server", "version", "webseite", "website",
        ],
    },
    Deed {
        verbs: &[
            "apply", "bring", "do", "execute", "kick", "make", "perform", "put", "run", "start", "take", "trigger",
        ],
        stems: &["führ", "mach", "nimm", "start", "bring"],
        objects: &["deployment", "live", "migration", "migrations", "offline", "production", "release", "rollout"],
        german: &["deployment", "livegang", "migration", "offline", "produktion", "release", "rollout"],
    },
    Deed {
        verbs: &["announce", "broadcast", "email", "message", "notify", "post", "send", "tell", "inform"],
        stems: &["benachrichtig", "informier", "schick", "send", "verschick", "versend"],
        objects: &["client", "clients", "customers", "everybody", "everyone", "public", "team", "users"],
        german: &["alle", "kunden", "nutzer", "team", "öffentlichkeit"],
    },
    Deed {
        verbs: &["change", "expire", "grant", "invalidate", "modify", "revoke", "rotate"],
        stems: &["entzieh", "erneuer", "gewähr", "rotier", "widerruf", "änder"],
        objects: &[
            "access", "account", "accounts", "credentials", "key", "keys", "password", "passwords", "permission",
            "permissions", "rights", "sessions", "token", "tokens",
        ],
        german: &[
            "berechtigung", "konto", "kennwort", "kennwörter", "passwort", "passwörter", "recht", "schlüssel", "token",
            "zugang", "zugriff",
        ],
    },
    Deed {
        verbs: &["buy", "cancel", "order", "pay", "purchase", "refund", "sign", "transfer", "wire"],
        stems: &["bestell", "bezahl", "erstatt", "kauf", "kündig", "stornier", "unterschreib", "überweis", "zahl"],
        objects: &["contract", "funds", "invoice", "money", "order", "orders", "payment", "subscription"],
        german: &["abo", "bestellung", "geld", "rechnung", "vertrag", "zahlung"],
    },
    Deed {
        verbs: &["push", "overwrite"],
        stems: &["push", "überschreib"],
        objects: &["force", "forced", "forcefully"],
        german: &["gewalt", "erzwungen"],
    },
];

/// Verbs of sending, which need no object but somebody.
const SENDS: [&str; 10] = ["cc", "email", "fax", "forward", "mail", "message", "post", "send", "share", "submit"];
/// The same in German, by stems.
const GERMAN_SENDS: [&str; 7] = ["leit", "mail", "schick", "send", "verschick", "versend", "übermittl"];
/// What publishes by itself, at the beginning of an order.
const PUBLISHES: [&str; 3] = ["tweet", "toot", "blog"];
/// What stands before a noun: `a message`.
const ARTICLES: [&str; 14] =
    ["a", "an", "the", "this", "that", "my", "your", "our", "their", "each", "every", "no", "draft", "any"];
/// What may stand between "to" and a name.
const BEFORE_NAMES: [&str; 14] =
    ["the", "a", "an", "our", "my", "your", "their", "his", "her", "den", "die", "das", "dem", "der"];
/// Where a thing goes that goes to nobody.
const INWARD: [&str; 32] = [
    "agent", "api", "buffer", "bus", "channel", "client", "console", "endpoint", "file", "function", "handler",
    "kernel", "log", "logger", "logs", "me", "method", "model", "mir", "myself", "process", "queue", "screen",
    "server", "socket", "stderr", "stdout", "terminal", "thread", "uns", "us", "worker",
];

/// Whether a clause has a grave deed.
pub(super) fn is_grave(tokens: &[&str]) -> bool {
    DEEDS.iter().any(|deed| deed.is_in(tokens))
        || sends(tokens)
        || tokens.first().is_some_and(|first| PUBLISHES.contains(first))
}

impl Deed {
    fn is_in(&self, tokens: &[&str]) -> bool {
        // Most words begin like none of the verbs.
        let begins = |token: &str, verb: &str| verb.bytes().next() == token.bytes().next();
        let is_verb = |token: &&str| {
            let is_deed = |verb: &&str| begins(token, verb) && is_form(token, verb);
            let is_german =
                |stem: &&str| (begins(token, stem) || token.starts_with("ge")) && is_german_form(token, stem);
            self.verbs.iter().any(is_deed) || self.stems.iter().any(is_german)
        };
        let is_object = |token: &&str| {
            self.objects.contains(token)
                || self.german.iter().any(|start| token.starts_with(start))
                || token.split('-').any(|part| self.objects.contains(&part))
        };
        // The verb is not its own object.
        let verbs: Vec<usize> =
            tokens.iter().enumerate().filter(|(_, token)| is_verb(token)).map(|(at, _)| at).collect();
        let objects = tokens.iter().enumerate().filter(|(_, token)| is_object(token)).map(|(at, _)| at);
        objects.into_iter().any(|object| verbs.iter().any(|verb| *verb != object))
    }
}

/// Something goes to somebody: "send the report to Anna".
fn sends(tokens: &[&str]) -> bool {
    let is_send = |at: usize| {
        let is_noun = at > 0 && ARTICLES.contains(&tokens[at - 1]);
        let by_word = SENDS.iter().any(|verb| is_form(tokens[at], verb));
        !is_noun && by_word || GERMAN_SENDS.iter().any(|stem| is_german_form(tokens[at], stem))
    };
    let Some(verb) = (0..tokens.len()).find(|at| is_send(*at)) else { return false };
    let to = tokens.iter().enumerate().skip(verb + 1).find(|(_, token)| ["to", "an", "at"].contains(token));
    let Some((to, _)) = to else { return false };
    let whom = tokens[to + 1..].iter().find(|token| !BEFORE_NAMES.contains(token));
    whom.is_some_and(|whom| !INWARD.contains(whom))
}

/// The verb itself, or it with -s, -es, -d, -ed, -ing, and what becomes of its last letter before those.
fn is_form(token: &str, verb: &str) -> bool {
    let stem = verb.strip_suffix('e').unwrap_or(verb);
    let Some(rest) = token.strip_prefix(stem) else { return false };
    let last = stem.chars().last();
    let doubled = rest.strip_prefix(|letter| Some(letter) == last);
    let is_ending = matches!(rest, "" | "e" | "s" | "es" | "ed" | "ing");
    token == verb || is_ending || doubled.is_some_and(|rest| matches!(rest, "ed" | "ing"))
}

/// A German verb: its stem with the endings of its forms, so that `Löschknopf` is none.
fn is_german_form(token: &str, stem: &str) -> bool {
    let token = token.strip_prefix("ge").filter(|rest| rest.starts_with(stem)).unwrap_or(token);
    let Some(rest) = token.strip_prefix(stem) else { return false };
    matches!(rest, "" | "e" | "en" | "t" | "et" | "st" | "est" | "te" | "ten" | "ung" | "ungen" | "n")
}
