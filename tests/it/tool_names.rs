//! Reads the sources and fails where something but the table of calls decides by the name of a tool.

use std::collections::BTreeSet;
use std::fs;

use crate::tidy::{is_test, program_sources, root};

/// What a tool's call is stands in one table: nothing else decides by the name of one (`kernel/call`).
#[test]
fn only_the_table_of_calls_knows_tools_by_name() {
    const TABLE: &str = "crates/kernel/src/call";
    // They read what one program writes, as it writes it, and give its calls the names that the table knows.
    const READERS: [&str; 4] =
        ["crates/import/src/", "crates/blame/src/", "crates/role/src/delegate/", "src/hook/codex.rs"];
    // How prose speaks of tools: a plan that may not use one must not ask for it in other words.
    const PROSE: &str = "crates/role/src/planner/tool_words.rs";
    // Names that are words, or programs that a shell runs: those stand for much else.
    const WORDS: &str = "agent bash cat command commit create delegate delete edit editor exec fetch find glob goto grep \
                         insert ls move open patch powershell read remove rename replace rg run search shell sleep task \
                         terminal think view wait write";
    let of_program = |text: &str| -> Vec<String> {
        text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).map(str::to_owned).collect()
    };
    let literals = |line: &str| -> Vec<String> {
        let is_name = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
        line.split('"').skip(1).step_by(2).filter(is_name).map(str::to_owned).collect()
    };
    let table = fs::read_to_string(root().join(TABLE).join("tool.rs")).expect("the table can be read");
    let names: BTreeSet<String> = of_program(&table).iter().flat_map(|line| literals(line)).collect();
    assert!(names.len() > 100, "only {} names were found", names.len());
    // `Read` is the name of a tool; `read` and `READ` may be anything.
    let is_tool = |text: &str| {
        let lower = text.to_ascii_lowercase();
        let is_word =
            WORDS.split(' ').any(|word| word == lower) && (text == lower || text == text.to_ascii_uppercase());
        names.contains(&lower) && !is_word
    };
    let mut wrong = Vec::new();
    for (path, text) in program_sources() {
        let name = path.strip_prefix(root()).expect("below").to_string_lossy().into_owned();
        if is_test(&path)
            || name == PROSE
            || name.starts_with(TABLE)
            || READERS.iter().any(|reader| name.starts_with(reader))
        {
            continue;
        }
        for (number, line) in of_program(&text).iter().enumerate().filter(|(_, line)| !line.trim().starts_with("//")) {
            let found = literals(line).into_iter().filter(|text| is_tool(text));
            wrong.extend(found.map(|tool| format!("{name}:{}: {tool}", number + 1)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
