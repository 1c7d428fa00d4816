//! Claims in the front matter of a text.
//!
//! ```text
//! ---
//! claims:
//!   - Seryn | eyes | amber
//!   - subject: Seryn
//!     attribute: home
//!     value: Vael
//! ---
//! ```

use crate::domain::canon::claim::Claim;

/// The claims of the front matter, and the text behind it.
pub(super) fn read(text: &str) -> (Vec<Claim>, &str) {
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return (Vec::new(), text);
    };
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return (listed(&rest[..at]), &rest[at + line.len()..]);
        }
        at += line.len();
    }
    (Vec::new(), text)
}

/// The items of the list below `claims:`.
fn listed(matter: &str) -> Vec<Claim> {
    let lines = matter.lines().skip_while(|line| line.trim_end() != "claims:").skip(1);
    let lines = lines.take_while(|line| line.starts_with([' ', '-', '\t']) || line.trim().is_empty());
    let mut items: Vec<Vec<&str>> = Vec::new();
    for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
        match (line.strip_prefix('-'), items.last_mut()) {
            (Some(first), _) => items.push(vec![first.trim()]),
            (None, Some(item)) => item.push(line),
            (None, None) => {}
        }
    }
    items.iter().filter_map(|item| claim(item)).collect()
}

fn claim(item: &[&str]) -> Option<Claim> {
    let plain = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
    let member = |name: &str| {
        let own = |line: &&str| plain(line.strip_prefix(name)?.trim_start().strip_prefix(':')?).into();
        item.iter().find_map(own)
    };
    let members = || {
        let (subject, attribute, value): (Option<String>, Option<String>, Option<String>) =
            (member("subject"), member("attribute"), member("value"));
        Some(Claim::new(&subject?, &attribute?, &value?)).filter(Claim::is_whole)
    };
    Claim::read(&plain(item.first()?)).or_else(members)
}
