//! Whether a message asks for what cannot be taken back.
//!
//! English and shell, by a deed and its object in one clause. A first look and no fence: what is irreversible is asked
//! for where it is done (Law 1, decision 64). A message that only warns of a deed is taken for one that asks for it.

use super::wording::is_silent;

/// Deeds, and the objects that make them grave.
struct Deed {
    verbs: &'static [&'static str],
    objects: &'static [&'static str],
}

const DEEDS: [Deed; 6] = [
    Deed {
        verbs: &["delete", "deletion", "destroy", "drop", "erase", "nuke", "purge", "truncate", "wipe"],
        objects: &["all", "data", "everything"],
    },
    Deed {
        verbs: &[
            "clear", "delete", "deletion", "destroy", "drop", "erase", "format", "nuke", "overwrite", "purge",
            "remove", "reset", "truncate", "wipe",
        ],
        objects: &[
            "account", "accounts", "backup", "backups", "branch", "bucket", "cluster", "collection", "database",
            "databases", "db", "disk", "drive", "history", "partition", "prod", "production", "repo", "repository",
            "schema", "server", "servers", "table", "tables", "users", "volume",
        ],
    },
    Deed {
        verbs: &["deploy", "migrate", "publish", "push", "release", "restart", "ship", "shutdown", "stop"],
        objects: &["live", "prod", "production", "public", "registry", "server", "servers", "service", "services"],
    },
    Deed {
        verbs: &["announce", "broadcast", "email", "message", "notify", "post", "send"],
        objects: &["client", "clients", "customers", "everybody", "everyone", "public", "team", "users"],
    },
    Deed {
        verbs: &["change", "grant", "modify", "revoke", "rotate"],
        objects: &[
            "access", "credentials", "key", "keys", "password", "passwords", "permission", "permissions", "token",
            "tokens",
        ],
    },
    Deed {
        verbs: &["cancel", "pay", "refund", "transfer"],
        objects: &["contract", "funds", "invoice", "money", "order", "orders", "payment", "subscription"],
    },
];

/// What is grave as it stands, one word after the other.
const PHRASES: &[&[&str]] = &[
    &["start", "over"],
    &["force", "push"],
    &["push", "--force"],
    &["push", "-f"],
    &["push", "--force-with-lease"],
    &["reset", "--hard"],
    &["clean", "-fd"],
    &["clean", "-fdx"],
    &["mkfs"],
    &["shred"],
    &["wipe", "it"],
    &["shut", "it", "down"],
];

/// Whether a message asks for something that cannot be taken back.
pub fn is_destructive(message: &str) -> bool {
    let visible: String = message.chars().filter(|letter| !is_silent(*letter)).flat_map(char::to_lowercase).collect();
    let clauses = visible.split(['.', ';', '!', '?', ',', '\n', '\r']);
    clauses.map(tokens).any(|tokens| is_grave(&tokens))
}

fn is_grave(tokens: &[&str]) -> bool {
    let has_deed = |deed: &Deed| {
        let verb = tokens.iter().any(|token| deed.verbs.iter().any(|verb| is_form(token, verb)));
        verb && tokens.iter().any(|token| deed.objects.contains(token))
    };
    let has_phrase = |phrase: &&[&str]| tokens.windows(phrase.len()).any(|window| window == *phrase);
    DEEDS.iter().any(has_deed) || PHRASES.iter().any(has_phrase) || removes_trees(tokens)
}

/// `rm -rf`, in any of its spellings.
fn removes_trees(tokens: &[&str]) -> bool {
    let behind = tokens.iter().skip_while(|token| **token != "rm");
    behind.take(4).any(|token| *token == "--recursive" || token.starts_with('-') && token.contains('r'))
}

fn tokens(clause: &str) -> Vec<&str> {
    let parts = clause.split(|letter: char| !letter.is_alphanumeric() && letter != '-' && letter != '_');
    parts.filter(|part| !part.is_empty()).collect()
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
