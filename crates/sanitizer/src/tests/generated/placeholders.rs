//! Values that stand for a secret: words that ask for one, masks, variables, templates, types, references.

use super::Dice;

/// One placeholder.
pub(crate) fn placeholder(dice: &mut Dice) -> String {
    let thing = dice.pick(&["password", "secret", "token", "api_key", "db_password", "passphrase"]);
    let upper = thing.to_uppercase();
    let count = 3 + dice.below(20);
    match dice.below(24) {
        0 => format!("your_{thing}"),
        1 => format!("YOUR_{upper}_HERE"),
        2 => format!("<{thing}>"),
        3 => format!("<your-{}>", thing.replace('_', "-")),
        4 => dice.pick(&["changeme", "CHANGEME", "change_me", "change-me", "ChangeMe"]).to_owned(),
        5 => dice.pick(&["x", "X", "*", "•", "0", "#"]).repeat(count),
        6 => format!("${{{upper}}}"),
        7 => format!("${upper}"),
        8 => format!("{{{{ .Values.{thing} }}}}").replace(' ', ""),
        9 => format!("{{{thing}}}"),
        10 => format!("%{upper}%"),
        11 => format!("%({thing})s"),
        12 => format!("$({}/get-{thing})", "bin"),
        13 => format!("process.env.{upper}"),
        14 => dice.pick(&["null", "None", "nil", "undefined", "true", "false"]).to_owned(),
        15 => dice.pick(&["string", "String", "Option<String>", "&str", "number", "varchar"]).to_owned(),
        16 => format!("REPLACE_WITH_{upper}"),
        17 => format!("insert-{}-here", thing.replace('_', "-")),
        18 => dice.pick(&["placeholder", "dummy", "example", "redacted", "REDACTED", "todo", "TBD"]).to_owned(),
        19 => format!("[{upper}]"),
        20 => format!("${{{upper}:-none}}"),
        21 => format!("vault:secret/data/app#{thing}"),
        22 => format!("${{{{secrets.{upper}}}}}"),
        _ => format!("#{{{thing}}}"),
    }
}
