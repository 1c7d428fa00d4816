//! Every setting that the sources declare is in the list that `annals config list` and the check of `config.toml` go by.

use std::collections::BTreeSet;

use annals::engine::settings::all;
use regex::Regex;

use crate::tidy::program_sources;

#[test]
fn every_setting_that_is_declared_is_listed() {
    let row = Regex::new(r#"(?m)^    [A-Z_]+: [^=]+? = [^;]*?"([a-z_]+(?:\.[a-z_]+)+)","#).expect("an expression");
    let list = Regex::new(r"(?s)\nsettings! \{\n(.*?)\n\}").expect("an expression");
    let listed: BTreeSet<&str> = all().iter().map(|setting| setting.key()).collect();
    let mut declared = BTreeSet::new();
    for (_, text) in program_sources() {
        for rows in list.captures_iter(&text) {
            declared.extend(row.captures_iter(&rows[1]).map(|row| row[1].to_owned()));
        }
    }
    assert!(declared.len() > 150, "the expression finds {} settings", declared.len());
    let missing: Vec<_> = declared.iter().filter(|key| !listed.contains(key.as_str())).collect();
    assert!(
        missing.is_empty(),
        "no list has {missing:?}: `rooms!` or `engine::settings::all` names the file's `SETTINGS`"
    );
}
