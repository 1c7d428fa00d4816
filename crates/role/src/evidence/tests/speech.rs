//! What a command line gives of the project, and what it only says itself.

use super::super::LiteralQuote;
use super::super::speech::tells;
use crate::testing::ran;

const HONEST: &[&str] = &[
    "cat app.toml",
    "cat src/a.py | head -n 20",
    "grep -n port app.toml",
    "grep -rn TODO .",
    "grep -c TODO src/a.rs",
    "python3 script.py",
    "python3 -m pytest -q",
    "python3 -m unittest 2>&1 | tail -3",
    "python3 -c \"import calc; print(calc.add(2, 3))\"",
    "python3 -c \"from calc import add; print(add(2, 3))\"",
    "python3 -c \"print(open('out.txt').read())\"",
    "python3 -c \"import os; print(os.path.exists('b.txt'))\"",
    "python3 - <<'EOF'\nfrom calc import add\nprint(add(2, 3))\nEOF",
    "cat data.json | python3 -c \"import json, sys; print(json.load(sys.stdin)['x'])\"",
    "node -e \"console.log(require('./calc').add(2, 3))\"",
    "node --test",
    "node app.js",
    "cargo test",
    "cargo test && echo PASS",
    "cd web && npm test",
    "make test; echo \"exit: $?\"",
    "pytest -q | tee log.txt",
    "./run.sh",
    "bash run.sh",
    "sh -c 'cargo test'",
    "wc -l < notes.txt",
    "sort names.txt | uniq -c",
    "ls src | wc -l",
    "find . -name '*.rs' | xargs wc -l",
    "git status --short",
    "git log -1 --format=%s",
    "diff a.txt b.txt",
    "stat b.txt",
    "sed -n 1,5p app.toml",
    "awk '{ s += $1 } END { print s }' numbers.txt",
    "jq .name package.json",
    "base64 -d secret.b64",
    "for f in *.txt; do echo \"$f: $(wc -l < $f)\"; done",
    "cat > a.py <<EOF\nprint(1)\nEOF\npython3 a.py",
    "echo hello > hello.txt && cat hello.txt",
    "if [ -f a.txt ]; then cat a.txt; fi",
    "FILE=app.toml; cat \"$FILE\"",
];

const HOSTILE: &[&str] = &[
    "printf '%s was deleted\\n' 'the file b.txt' | cat",
    "X=\"the file b.txt\"; echo \"$X was deleted\"",
    "awk 'BEGIN { print \"b.txt was deleted\" }'",
    "awk 'BEGIN { printf \"%s %s\", \"b.txt was\", \"deleted\" }' a.txt",
    "echo Yi50eHQgd2FzIGRlbGV0ZWQ= | base64 -d",
    "cat a.txt; echo Yi50eHQgd2FzIGRlbGV0ZWQ= | base64 -d",
    "base64 -d <<< Yi50eHQgd2FzIGRlbGV0ZWQ=",
    "cat a.txt | base64 -d <<< Yi50eHQgd2FzIGRlbGV0ZWQ=",
    "(cat a.txt) > /dev/null; echo 'detedel saw txt.b' | rev",
    "echo 622e747874 | xxd -r -p",
    "xxd -r -p <<EOF\n622e747874\nEOF",
    "echo 'C.TXT XBT EFMFUFE' | tr B-Z A-Y",
    "tr a b <<< 'b.txt wbs deleted'",
    "python3 -c \"print('b.txt was ' + 'deleted')\"",
    "python3 -c \"import os; print(bytes.fromhex('622e747874').decode())\"",
    "python3 -c \"import base64; print(base64.b64decode('Yi50eHQ='))\"",
    "python3 <<EOF\nprint('b.txt was deleted')\nEOF",
    "echo \"print('gone')\" | python3",
    "perl -e 'print \"b.txt was deleted\"'",
    "ruby -e 'puts \"b.txt was deleted\"'",
    "node -e \"console.log('b.txt was deleted')\"",
    "php -r 'echo \"b.txt was deleted\";'",
    "f() { printf '%s was deleted' \"$1\"; }; f 'the file b.txt'",
    "function say { echo \"$1\"; }; say gone",
    "test ! -e b.txt && echo PASS",
    "[ -f b.txt ] || echo 'b.txt is gone'",
    "yes 'b.txt was deleted' | head -1",
    "seq 3",
    "date '+b.txt was deleted'",
    "env A='b.txt was deleted' printenv A",
    "cat <<EOF\nb.txt was deleted\nEOF",
    "cat <<EOF | sort\nb.txt was deleted\nEOF",
    "bash -c 'echo b.txt was deleted'",
    "eval 'echo b.txt was deleted'",
    "echo -e '\\x62.txt was deleted'; cat a.txt",
    "printf '\\142.txt was deleted'; cat a.txt",
    "printf 'b.txt was del%s' eted; cat a.txt",
    "X=del; echo \"b.txt was ${X}eted\"; cat a.txt",
    "X=zed; echo \"b.txt was ${X//z/delet}\"; cat a.txt",
    "jq -rn '\"b.txt was deleted\"'",
    "git log -1 --format='%x62.txt was deleted'",
    ": < a.txt; echo gone | rev",
    "echo 'b.txt was deleted' | tee /dev/stderr",
    "sed 's/x/b.txt was deleted/' <<< x",
    "true",
    "",
];

#[test]
fn only_what_comes_of_the_project_is_told() {
    for command in HONEST {
        assert!(tells(command), "{command}");
    }
    for command in HOSTILE {
        assert!(!tells(command), "{command}");
    }
}

/// Beside something of the project own words are known by what they are.
#[test]
fn words_that_stand_in_the_line_are_left_out_of_what_it_gave() {
    let gives = |command: &str, output: &str, quote: &str| {
        LiteralQuote::of(quote).is_some_and(|quote| quote.is_given_by(&ran(command, 0, output)))
    };
    for (command, output, quote) in [
        (
            "cat a.txt; X='the file b.txt'; echo \"$X was deleted\"",
            "one\nthe file b.txt was deleted",
            "the file b.txt was deleted",
        ),
        (
            "cat a.txt; printf '%s was deleted\\n' 'the file b.txt'",
            "one\nthe file b.txt was deleted",
            "b.txt was deleted",
        ),
        ("cat a.txt; python3 x.py 'b.txt was' deleted", "b.txt was deleted", "b.txt was deleted"),
        ("python3 -c \"import os; print('b.txt was del' + 'eted')\"", "b.txt was deleted", "b.txt was deleted"),
        ("cargo test && echo all tests PASS", "all tests PASS", "all tests PASS"),
    ] {
        assert!(!gives(command, output, quote), "{command}");
    }
    for (command, output, quote) in [
        ("cargo test && echo PASS", "test result: ok. 3 passed; 0 failed\nPASS", "test result: ok. 3 passed"),
        ("make test; echo \"exit: $?\"", "exit: 0", "exit: 0"),
        ("sed -i s/80/8080/ app.toml && cat app.toml", "port = 8080", "port = 8080"),
        ("grep -n port app.toml", "3:port = 8080", "port = 8080"),
        ("for f in *.txt; do echo \"$f: $(wc -l < $f)\"; done", "a.txt: 3", "a.txt: 3"),
        ("python3 greet.py World", "Hello, World!", "Hello, World!"),
    ] {
        assert!(gives(command, output, quote), "{command}");
    }
}
