//! Checks for what nobody said.

use crate::plan::CriterionCheck;
use crate::planner::{is_guess, misses_quotes};

const PLACE: &str = "README.md\nVERSION\napp.toml\ncalc.py\nlimits.py\nnums.py\ntext.py\ntodo.md\n价格.md";

fn contains(file: &str, text: &str) -> CriterionCheck {
    CriterionCheck::FileContains { file: file.to_owned(), contains: text.to_owned() }
}

fn matches(file: &str, expression: &str) -> CriterionCheck {
    CriterionCheck::FileMatches { file: file.to_owned(), matches: expression.to_owned() }
}

/// Seen with a small model: "even numbers" was all that `is_even()` was checked for, and a file in the place of the function
/// held them.
#[test]
fn a_text_of_which_nobody_said_a_word_is_a_guess() {
    let mend = "is_even() in nums.py is wrong; mend it";
    for (words, file, text) in [
        (mend, "nums.py", "even numbers"),
        (mend, "nums.py", "The result is in the file"),
        (mend, "nums.py", "n % 2 == 0"),
        ("mark 'call Ann' as done in todo.md", "todo.md", "done_it"),
        ("add() in calc.py subtracts; make it add", "calc.py", "a + b"),
        ("raise MAX_USERS in limits.py to 25", "limits.py", "= 30"),
        ("把 价格.md 的标题改成 菜单", "价格.md", "面包"),
        ("schreibe Läden über README.md", "README.md", "Bücher"),
        ("поставь в README.md заголовок Меню", "README.md", "Цены"),
        ("README.md의 제목을 메뉴로 바꿔", "README.md", "가격표"),
    ] {
        assert!(is_guess(&contains(file, text), words, PLACE), "{text}");
    }
}

#[test]
fn a_text_with_a_word_of_the_task_is_none() {
    for (words, file, text) in [
        ("is_even() in nums.py is wrong; mend it", "nums.py", "def is_even(n):\n    return n % 2 == 0"),
        ("add() in calc.py subtracts; make it add", "calc.py", "def add(a, b):\n    return a + b"),
        ("change the version in VERSION to 1.5.0", "VERSION", "1.5.0"),
        ("raise MAX_USERS in limits.py to 25", "limits.py", "MAX_USERS=25"),
        ("the title of README.md is misspelled: it is to be Shop", "README.md", "# shop"),
        ("put this under MIT in README.md", "README.md", "MIT"),
        ("append Cy Dow to README.md", "README.md", "Cy"),
        ("add a function lower(s) to text.py that returns s in lower case", "text.py", "def lower(s):"),
        ("mark 'call Ann' as done in todo.md: - [x] call Ann", "todo.md", "- [x] call Ann"),
        ("把 价格.md 的标题改成 菜单", "价格.md", "# 菜单"),
        ("schreibe Läden über README.md", "README.md", "# Läden"),
        ("поставь в README.md заголовок Меню", "README.md", "# меню"),
        ("README.md의 제목을 메뉴로 바꿔", "README.md", "# 메뉴"),
        ("把VERSION改成 1.5.0", "VERSION", "1.5.0版"),
    ] {
        assert!(!is_guess(&contains(file, text), words, PLACE), "{text}");
    }
    for (words, file, expression) in [
        ("set the port in app.toml to 8080", "app.toml", r"port\s*=\s*8080"),
        ("change the version in VERSION to 1.5.0", "VERSION", r"^1\.5\.0\b"),
    ] {
        assert!(!is_guess(&matches(file, expression), words, PLACE), "{expression}");
    }
}

/// What is made may be in anybody's words; what a command says is found out.
#[test]
fn only_a_text_in_a_file_that_is_there_is_a_guess() {
    let words = "write a greeting into hello.txt";
    let run = CriterionCheck::Run { run: "python3 -m unittest".to_owned(), expect_exit: 0 };
    let absent = CriterionCheck::FileAbsent { file: "calc.py".to_owned(), absent: false };
    for check in [contains("hello.txt", "Good day"), run, absent] {
        assert!(!is_guess(&check, words, PLACE), "{check:?}");
    }
}

/// Seen with a small model: "mark 'call Ann' as done" was checked for "done", and a line "- [x] done" was added.
#[test]
fn what_looks_past_a_quote_is_a_guess() {
    let mark = "mark 'call Ann' as done in todo.md: - [x] call Ann";
    for (words, file, text, is_beside) in [
        (mark, "todo.md", "done", true),
        (mark, "todo.md", "- [x]", true),
        (mark, "todo.md", "- [x] call Ann", false),
        (mark, "todo.md", "call ann", false),
        (mark, "todo.md", "mark", true),
        (mark, "other.md", "done", false),
        ("mark call Ann as done in todo.md", "todo.md", "done", false),
        ("add a line 'Licence: MIT' to the end of README.md", "README.md", "MIT", true),
        ("add a line 'Licence: MIT' to the end of README.md", "README.md", "Licence:", false),
        ("set the port in 'app.toml' to 8080", "app.toml", "8080", false),
        ("set `debug` to true in app.toml", "app.toml", "debug = true", false),
        ("greet() in calc.py is to say \"Hello Ann!\"", "calc.py", "def greet", true),
        ("rename foo into „bar“ in calc.py", "calc.py", "def bar(a)", false),
        ("把 价格.md 的标题改成「菜单」", "价格.md", "# 菜单", false),
        ("把 价格.md 的标题改成「菜单」", "价格.md", "标题", true),
    ] {
        assert_eq!(misses_quotes(&contains(file, text), words, PLACE), is_beside, "{words}: {text}");
    }
    assert!(!misses_quotes(&matches("todo.md", r"^- \[x\] call Ann$"), mark, PLACE));
}
