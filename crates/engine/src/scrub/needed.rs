//! Files that do something by what they say: whether they would do it still without a value.
//!
//! What would not stays as it is, and is named: a rule of git's, a setting, or what this clone's user entered. Texts of
//! people are not looked at here.

use crate::consent::Consent;
use crate::settings;

/// What git reads, and what Annals writes into it.
const RULES: [(&str, &str); 2] = [
    (".gitignore", include_str!("../../../../.context-template/gitignore")),
    (".gitattributes", include_str!("../../../../.context-template/gitattributes")),
];

/// What a file would lose that Annals needs of it, by its name below `.context` or among the second names.
pub(super) fn lost(name: &str, before: &[u8], after: &[u8]) -> Option<&'static str> {
    if name == "config.toml" {
        // A protected setting would fall back to its default; with another, no command would run any more.
        return (settings::is_readable(before) && !settings::is_readable(after)).then_some("a setting");
    }
    if name == "local/settings" || name.ends_with("/local/settings") {
        return (!Consent::is_of_the_same(before, after)).then_some("a setting");
    }
    let rules = RULES.iter().find(|(file, _)| *file == name)?.1;
    let has = |text: &[u8], rule: &str| text.split(|byte| *byte == b'\n').any(|line| line == rule.as_bytes());
    let is_lost = |rule: &&str| has(before, rule) && !has(after, rule);
    rules.lines().find(is_lost).map(|_| "a line")
}
