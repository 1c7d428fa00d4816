//! The rooms of the house, and which may name which: an allow-list. A room that is not in it fails, and so does an arrow.
//!
//! Does not look at sources; `look` does.

/// Each room and those that it may name; itself it may always. `domain::*` is each room of the domain.
pub const ARROWS: &[(&str, &str)] = &[
    ("sparse", ""),
    ("kernel", "sparse"),
    ("sanitizer", "kernel"),
    ("log", "kernel sparse"),
    ("domain::*", "kernel sparse"),
    ("domain", "domain::* kernel"),
    ("policy", "domain domain::* kernel sparse"),
    ("role", "domain::* kernel"),
    ("world", "domain domain::* policy kernel sparse"),
    ("rules", ""),
    ("analysis", "domain::* kernel sparse world"),
    ("blame", "kernel"),
    ("engine", "analysis kernel log domain domain::* policy world sanitizer sparse"),
    ("import", "domain domain::* engine kernel log sparse"),
    ("search", "domain::* engine kernel log sparse world"),
    ("workspace", "kernel"),
    ("llm", "kernel"),
    ("act", "domain::* domain engine kernel log role world"),
    ("annals", "act analysis blame domain engine import kernel log policy role sanitizer search world"),
    ("testing", ""),
    ("view", "analysis annals blame domain domain::* engine import kernel log policy sparse testing world"),
    ("hook", "analysis annals domain domain::* engine import kernel log sanitizer sparse view"),
    ("tool", "annals kernel"),
    ("mcp", "kernel"),
    (
        "cli",
        "act analysis annals domain domain::* engine hook import kernel llm log mcp policy role sanitizer search sparse tool view workspace world",
    ),
    ("main", "cli"),
];

/// The crates that each crate's manifest may name, of ours.
pub const MANIFESTS: &[(&str, &str)] = &[
    ("sparse", ""),
    ("kernel", "sparse"),
    ("sanitizer", "kernel"),
    ("log", "kernel sparse"),
    ("rules", "kernel sparse"),
    ("analysis", "kernel rules sparse"),
    ("blame", "kernel"),
    ("engine", "analysis kernel log rules sanitizer sparse"),
    ("import", "engine kernel log rules sparse"),
    ("search", "engine kernel log rules sparse"),
    ("mcp", "kernel"),
    ("role", "kernel rules"),
    ("workspace", "kernel"),
    ("llm", "kernel"),
    ("act", "engine kernel log role rules"),
];

/// Rooms that never ask the machine: no clock, file, environment, chance, and no float function of the platform.
pub const PURE: &[&str] =
    &["kernel", "sanitizer", "domain", "domain::*", "policy", "role", "world", "rules", "analysis", "blame"];

/// What other people's crates the pure rooms may name: none of these asks the machine either.
pub const PURE_CRATES: &str = "chrono ed25519_dalek elsa libm memchr regex schemars serde serde_json sha2 simdutf8 \
                               similar thiserror ulid unicode_normalization unicode_security unicode_segmentation unicode_width";

/// Files beside the rooms of the domain that all of them share: they belong to the floor, not to a room.
const SHARED: &[&str] = &["asking", "register", "rooms"];

/// The room of a module, given by its path from its crate; `None` where the path is of nobody's house.
pub fn room(path: &[String], is_module: impl Fn(&[String]) -> bool) -> Option<String> {
    let part = |at: usize| path.get(at).filter(|_| is_module(&path[..=at])).map(String::as_str);
    match path.first()?.as_str() {
        "main" => Some("main".to_owned()),
        "annals" => Some(part(1).unwrap_or("annals").to_owned()),
        "annals_rules" => match (part(1), part(2)) {
            (Some("domain"), Some(own)) if !SHARED.contains(&own) => Some(format!("domain::{own}")),
            (own, _) => Some(own.unwrap_or("rules").to_owned()),
        },
        name => name.strip_prefix("annals_").map(str::to_owned),
    }
}

/// Whether a name in a list stands for a room: `domain::*` is each of the domain.
pub fn is(name: &str, room: &str) -> bool {
    name == room || name.strip_suffix('*').is_some_and(|start| room.starts_with(start))
}

pub fn is_pure(room: &str) -> bool {
    PURE.iter().any(|name| is(name, room))
}

pub fn is_known(room: &str) -> bool {
    ARROWS.iter().any(|(name, _)| is(name, room))
}

pub fn may_name(from: &str, to: &str) -> bool {
    from == to || ARROWS.iter().any(|(name, allowed)| is(name, from) && allowed.split(' ').any(|name| is(name, to)))
}
