//! Where a password stands: twelve forms of files, commands and protocols, each with a few names.

use super::Dice;

/// The forms, by name.
#[rustfmt::skip] // A list of words, as text.
pub(crate) const CARRIERS: &[&str] = &[
    "env", "yaml", "json", "json in json", "toml", "ini", "url", "flag", "sql", "xml", "connection string", "netrc",
];

/// A text of the form with the value in it.
pub(crate) fn carry(carrier: &str, value: &str, dice: &mut Dice) -> String {
    let name = dice.pick(&["password", "db_password", "adminPassword", "passwd", "user_pass", "smtp-password"]);
    let upper = dice.pick(&["DB_PASSWORD", "PGPASSWORD", "MYSQL_PASS", "ADMIN_PWD", "SMTP_PASSPHRASE"]);
    let json = serde_json::json!({ "user": "ann", name: value, "port": 5432 }).to_string();
    match carrier {
        "env" if dice.below(2) == 0 => format!("PORT=5432\nexport {upper}={}\nHOST=db", shell(value)),
        "env" => format!("PORT=5432\n{upper}={value}\nHOST=db"),
        "yaml" => format!("database:\n  user: ann\n  {name}: {}\n  port: 5432\n", yaml(value)),
        "json" => json,
        "json in json" => serde_json::json!({ "arguments": json }).to_string(),
        "toml" => format!("[db]\nuser = \"ann\"\n{name} = {}\n", serde_json::json!(value)),
        "ini" => format!("[client]\nuser = ann\n{name} = {value}\nport = 5432\n"),
        "url" => format!("connect to postgres://ann:{}@db.local:5432/shop now", percent(value)),
        "flag" if dice.below(2) == 0 => format!("tool --user ann --password {} --quiet", shell(value)),
        "flag" => format!("tool --user ann --password={} --quiet", shell(value)),
        "sql" if dice.below(2) == 0 => format!("CREATE USER 'ann'@'%' IDENTIFIED BY '{}';", value.replace('\'', "''")),
        "sql" => format!("ALTER ROLE ann WITH PASSWORD '{}';", value.replace('\'', "''")),
        "xml" if dice.below(2) == 0 => format!("<db>\n  <{name}>{}</{name}>\n</db>", markup(value)),
        "xml" => format!("<property name=\"{name}\" value=\"{}\"/>", markup(value)),
        "connection string" => format!("Server=db;User Id=ann;Password={value};Database=shop;"),
        "netrc" => format!("machine git.local\nlogin ann\npassword {value}\n"),
        other => unreachable!("BUG: no carrier {other}"),
    }
}

/// How the value is written there: what must be gone.
pub(crate) fn written(carrier: &str, value: &str) -> String {
    match carrier {
        "url" => percent(value),
        "xml" => markup(value),
        _ => value.to_owned(),
    }
}

fn shell(value: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.,:+@%^=/~".contains(letter);
    if value.chars().all(is_plain) { value.to_owned() } else { format!("'{value}'") }
}

fn yaml(value: &str) -> String {
    let opens = value.starts_with(|letter: char| "$<{%#@[!~-*&?|>".contains(letter)) || value.contains(": ");
    if opens { format!("'{}'", value.replace('\'', "''")) } else { value.to_owned() }
}

fn percent(value: &str) -> String {
    let encoded = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'!' | b'$' | b'*' => {
            (byte as char).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    value.bytes().map(encoded).collect()
}

fn markup(value: &str) -> String {
    value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
