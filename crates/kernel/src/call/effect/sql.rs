//! Statements of SQL that drop data: in the words of a client, in what is fed into it, in the code that runs them.
//!
//! Not a parser: texts and comments are taken out, and of each statement the first words are looked at.

/// Whether a text drops data, or changes all of a table.
pub(super) fn drops(text: &str) -> bool {
    bare(text).split(';').any(|statement| {
        let words: Vec<String> = statement
            .split(|letter: char| !is_letter(letter))
            .filter(|word| !word.is_empty())
            .map(str::to_uppercase)
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        is_loss(&words, statement)
    })
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// What is dropped together with what is in it.
const HOLDERS: [&str; 12] = [
    "COLLECTION", "COLUMN", "DATABASE", "EXTENSION", "KEYSPACE", "OWNED", "ROLE", "SCHEMA", "TABLE", "TABLES",
    "TABLESPACE", "USER",
];

fn is_loss(words: &[&str], statement: &str) -> bool {
    let has = |word: &str| words.contains(&word);
    match words {
        // What is read, or only planned, is not run; what a procedure does stands behind it.
        ["EXPLAIN" | "SELECT" | "SHOW" | "COMMENT" | "INSERT" | "GRANT", ..] => false,
        ["DROP", holder, ..] => HOLDERS.contains(holder),
        ["TRUNCATE", rest, ..] => *rest != "LOG",
        ["DELETE", "FROM", ..] => !is_limited(words, statement),
        ["UPDATE", _, ..] if has("SET") => !is_limited(words, statement),
        ["ALTER", "TABLE", rest @ ..] => rest.windows(2).any(|pair| {
            pair[0] == "DROP"
                && pair[1] != "CONSTRAINT"
                && pair[1] != "DEFAULT"
                && pair[1] != "NOT"
                && pair[1] != "INDEX"
        }),
        // `WITH x AS (…) DELETE FROM …`, `BEGIN TRUNCATE …`, `\c app DROP …`
        [first, rest @ ..] if matches!(*first, "WITH" | "BEGIN" | "DO" | "SET" | "C" | "USE") => rest
            .iter()
            .enumerate()
            .skip(1)
            .any(|(at, word)| matches!(*word, "DROP" | "TRUNCATE" | "DELETE") && is_loss(&rest[at..], statement)),
        _ => false,
    }
}

/// Whether a condition leaves something: `WHERE 1=1` leaves nothing.
fn is_limited(words: &[&str], statement: &str) -> bool {
    let Some(at) = words.iter().position(|word| matches!(*word, "WHERE" | "USING" | "LIMIT")) else { return false };
    let behind = &words[at + 1..];
    let is_always = matches!(behind, ["1", "1"] | ["TRUE" | "1"]) && !statement.contains("<>");
    !is_always
}

/// The same without comments, and with nothing between quotes.
fn bare(text: &str) -> String {
    let mut kept = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('-', Some('-')) => {
                letters.by_ref().find(|letter| *letter == '\n');
                kept.push(' ');
            }
            ('/', Some('*')) => {
                let mut before = ' ';
                letters.by_ref().find(|letter| std::mem::replace(&mut before, *letter) == '*' && *letter == '/');
                // A comment parts no word for a reader, and does for a server.
                kept.push(' ');
            }
            ('\'', _) => {
                letters.by_ref().find(|letter| *letter == '\'');
                kept.push_str(" x ");
            }
            _ => kept.push(letter),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_drops_data_is_told_from_what_only_names_it() {
        for text in [
            "DROP TABLE users",
            "drop  table if exists a",
            "truncate a, b",
            "DELETE FROM a",
            "delete from a where 1=1",
            "select 1; drop database x",
            "-- harmless\nDROP SCHEMA public CASCADE",
            "DROP/**/TABLE a",
            "alter table a drop column b",
            "UPDATE a SET b = 1",
            "with old as (select 1) delete from a",
            "begin; truncate a; commit",
        ] {
            assert!(drops(text), "{text}");
        }
        for text in [
            "select 'drop table x'",
            "delete from a where id = 3",
            "update a set b = 1 where c = 2",
            "-- drop table a",
            "drop index i",
            "create table dropped (a int)",
            "insert into a values ('; drop table x')",
            "alter table a add b int",
            "\"drop\"",
            "",
        ] {
            assert!(!drops(text), "{text}");
        }
    }
}
