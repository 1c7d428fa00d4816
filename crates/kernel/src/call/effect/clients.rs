//! Clients of stores: what a statement that they are given drops.

use super::files::Places;
use super::place::{Place, is_scratch_store};
use super::{Effect, sql};
use crate::call::shell::{Act, Joint};

/// Programs that take SQL.
const SQL: [&str; 28] = [
    "beeline", "bq", "clickhouse", "clickhouse-client", "cockroach", "cqlsh", "d1", "duckdb", "heroku", "hive", "isql",
    "litecli", "mariadb", "mycli", "mysql", "pgcli", "presto", "psql", "snowsql", "spark-sql", "sqlcmd", "sqlite",
    "sqlite3", "sqlplus", "supabase", "trino", "turso", "usql",
];

/// Programs whose first operand is a file that they keep all in.
const IN_A_FILE: [&str; 4] = ["duckdb", "litecli", "sqlite", "sqlite3"];

/// Whether a program is one of a store.
pub(super) fn is_client(program: &str) -> bool {
    SQL.contains(&program)
        || matches!(
            program,
            "redis-cli"
                | "valkey-cli"
                | "mongo"
                | "mongosh"
                | "dropdb"
                | "dropuser"
                | "curl"
                | "wrangler"
                | "http"
                | "xh"
                | "gh"
        )
}

/// What a client is told.
pub(super) fn effect(act: &Act<'_>, earlier: &[Act<'_>], place: &Places<'_>) -> Option<Effect> {
    match act.program() {
        "redis-cli" | "valkey-cli" => redis(act, earlier).then_some(Effect::Dropped),
        "mongo" | "mongosh" => said(act, earlier).iter().any(|text| mongo(text)).then_some(Effect::Dropped),
        "dropdb" | "dropuser" => {
            act.words().last().is_some_and(|name| !is_scratch_store(name)).then_some(Effect::Dropped)
        }
        "curl" | "http" | "xh" | "gh" => deleted(act).then_some(Effect::CloudRemoved),
        "wrangler" if !act.has(&["d1"]) || act.has(&["--local"]) => None,
        program if SQL.contains(&program) || program == "wrangler" => {
            statements(act, earlier, place).then_some(Effect::Dropped)
        }
        _ => None,
    }
}

/// The words of a command, and what it is fed with.
fn said(act: &Act<'_>, earlier: &[Act<'_>]) -> Vec<String> {
    let fed = earlier.last().filter(|_| act.joint() == Joint::Pipe).and_then(Act::printed);
    let words = act.words().map(str::to_owned).chain(act.documents().map(str::to_owned));
    words.chain(fed.map(std::borrow::Cow::into_owned)).collect()
}

fn statements(act: &Act<'_>, earlier: &[Act<'_>], place: &Places<'_>) -> bool {
    let names = act.words().filter(|word| !word.contains(' '));
    let is_scratch = |name: &str| is_scratch_store(name.rsplit(['/', '=']).next().unwrap_or(name));
    if names.clone().any(is_scratch) {
        return false;
    }
    let file = act.words().find(|word| !word.starts_with('-'));
    if IN_A_FILE.contains(&act.program()) && file.is_none_or(|file| place(file) == Place::Scratch) {
        return false;
    }
    said(act, earlier).iter().any(|text| sql::drops(statement(text)))
}

/// `-cDROP …`, `--execute=DROP …`
fn statement(word: &str) -> &str {
    if let Some((option, value)) = word.split_once('=')
        && option.starts_with("--")
    {
        return value;
    }
    let is_glued = word.starts_with('-') && !word.starts_with("--") && word.len() > 2 && word.is_char_boundary(2);
    if is_glued { &word[2..] } else { word }
}

fn redis(act: &Act<'_>, earlier: &[Act<'_>]) -> bool {
    let drops = |word: &str| matches!(word.to_uppercase().as_str(), "FLUSHALL" | "FLUSHDB");
    said(act, earlier).iter().any(|text| text.split_whitespace().any(drops))
}

fn mongo(text: &str) -> bool {
    let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    ["dropDatabase(", ".drop(", "deleteMany({})", "remove({})", "dropCollection("]
        .iter()
        .any(|call| text.contains(call))
}

/// `curl -X DELETE` of somebody's server, not of one that runs here.
fn deleted(act: &Act<'_>) -> bool {
    let words: Vec<&str> = act.words().collect();
    let is_method = |word: &str| word.eq_ignore_ascii_case("delete");
    let by_option =
        words.windows(2).any(|pair| matches!(pair[0], "-X" | "--request" | "--method") && is_method(pair[1]));
    let glued = words
        .iter()
        .any(|word| word.strip_prefix("-X").or_else(|| word.strip_prefix("--request=")).is_some_and(is_method));
    let is_verb = matches!(act.program(), "http" | "xh") && words.contains(&"DELETE");
    let is_here = words.iter().any(|word| {
        ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "host.docker.internal"].iter().any(|host| word.contains(host))
    });
    (by_option || glued || is_verb) && !is_here && (act.program() != "gh" || words.first() == Some(&"api"))
}
