//! What an empty search shows.

use super::super::absence::shows;

#[test]
fn an_empty_search_shows_that_what_it_looked_for_is_not_there() {
    for (criterion, request) in [
        ("all TODO lines are listed", r#"search {"pattern":"TODO"}"#),
        ("Find every TODO", r#"search {"pattern":"TODO"}"#),
        ("it is found where x is used", r#"shell {"command":"grep -rn x ."}"#),
        ("No TODO comments remain in src/", r#"search {"path":"src","pattern":"TODO"}"#),
        ("No TODO is left in a.rs", r#"search {"pattern":"TODO"}"#),
        ("b.txt is gone", r#"find {"name":"b.txt"}"#),
        ("b.txt was deleted", r#"glob {"pattern":"**/b.txt"}"#),
        ("b.txt does not exist", r#"shell {"command":"find . -name b.txt"}"#),
        ("There are no .py files", r#"glob {"pattern":"**/*.py"}"#),
        ("getUser is no longer used", r#"shell {"command":"grep -rn getUser ."}"#),
        ("No file imports b.py", r#"search {"pattern":"b.py"}"#),
        ("nothing uses getUser", r#"search {"pattern":"\\bgetUser\\b"}"#),
    ] {
        assert!(shows(criterion, request), "{criterion}: {request}");
    }
    for (criterion, request) in [
        ("The list of users in users.txt is sorted", r#"glob {"pattern":"zzz*"}"#),
        ("The list of users in users.txt is sorted", r#"search {"pattern":"users"}"#),
        ("The list of users in users.txt is sorted", r#"search {"path":"users.txt","pattern":"users"}"#),
        ("All users are listed and sorted", r#"search {"pattern":"users"}"#),
        ("The bug is found and fixed", r#"search {"pattern":"bug"}"#),
        ("No TODO is left in src/", r#"search {"path":"docs","pattern":"TODO"}"#),
        ("No TODO is left", r#"search {"pattern":"TODO zzz"}"#),
        ("No TODO is left", r#"shell {"command":"grep -rn TODO . --include=*.zzz"}"#),
        ("No TODO is left", r#"find {"name":"TODO"}"#),
        ("b.txt is deleted", r#"search {"pattern":"b.txt"}"#),
        ("b.txt is deleted", r#"glob {"pattern":"old/b.txt"}"#),
        ("b.txt is deleted", r#"find {"name":"zzz"}"#),
        ("the file app.toml exists", r#"find {"name":"app.toml"}"#),
        ("there are no spelling errors", r#"search {"pattern":"errors"}"#),
        ("no tests fail", r#"search {"pattern":"zzz"}"#),
        ("nothing is left to do", r#"search {"pattern":"zzz"}"#),
    ] {
        assert!(!shows(criterion, request), "{criterion}: {request}");
    }
}
