//! Fingerprints: the worked cases, what makes no difference, and that both builds of an expression agree.

use super::*;
use proptest::prelude::*;

proptest! {
    /// What is counted by hand is taken out as the expression that counts takes it out.
    #[test]
    fn quotes_go_as_the_expression_that_counts_says(
        parts in prop::collection::vec(
            prop_oneof![
                Just("`".to_owned()), Just("'".to_owned()), Just("\"".to_owned()), Just("\n".to_owned()), Just(" ".to_owned()),
                Just("a".to_owned()), Just("é‘".to_owned()), Just("”“".to_owned()), Just("x".repeat(299)), Just("y ".repeat(151)),
            ],
            0..14,
        )
    ) {
        let text = parts.concat();
        prop_assert_eq!(without_quotes(&text), COUNTED.replace_all_slowly(&text, " "));
    }

    /// Within ASCII both builds of each expression find the same.
    #[test]
    fn both_builds_find_the_same(
        parts in prop::collection::vec(
            prop_oneof![
                "[ -~\n\t\x1b\x0b\x1c\x7f]{0,12}",
                prop::sample::select(vec![
                    "ENOENT", "E0425", "src/a.rs:12:5", "C:\\a\\b.txt", "https://example.org/a", "exit code ", "0x1f", "line 12",
                    "3f2a9c1d0b", "30s", "bash: line 1: ", "(eval):1: ", "sh -c 'a'", "stdout: ,", "Chunk ID: ", "timeout 60 ",
                    "env A=b ", "Failed in sandbox x denied exec error,", "Wall time: 1", "Output:", "</tool_use_error>",
                    "Error response from daemon: ", "OCI runtime exec failed: ", "exec failed: unable to start container process: ",
                    "Tool execution failed with error: ", "/bin/ZSH: ", "dash -lc \"x\" ", "podman compose exec a", "failed in sandbox: /opt/x/shellenv.sh: line 18: /bin/ps: Operation not permitted", "original token count: 2",
                    "stderr:", "error", "can't", "no rule", "docker exec -it x ", "1.5 MB", "`a b`", "\"x\"",
                ]).prop_map(str::to_owned),
            ],
            0..10,
        )
    ) {
        let text = parts.concat();
        for pattern in [&ESCAPES, &CODE, &QUOTED, &COUNTED, &PATHS, &NUMBERS, &WRAPPERS, &TELLING] {
            prop_assert_eq!(pattern.replace_all(&text, " $kept "), pattern.replace_all_slowly(&text, " $kept "));
        }
        // What is passed over, or done by hand, would have changed nothing.
        prop_assert_eq!(without_wrappers(&text), WRAPPERS.replace_all_slowly(&text, " "));
        prop_assert_eq!(without_marks(&text), MARKS.replace_all(&text, " "));
        if !text.contains(|letter: char| letter.is_numeric()) {
            prop_assert_eq!(NUMBERS.replace_all_slowly(&text, " $kept "), &*text);
        }
    }
}

/// Dialectic, "Error Fingerprinting"; decision 25.
#[test]
fn the_worked_fingerprints_come_out() {
    for (error, expected) in [
        ("ENOENT: no such file or directory, open '/path/to/file.txt'", "enoent no such file or directory open"),
        ("ENOENT: no such file or directory, open '/other/path/file.txt'", "enoent no such file or directory open"),
        ("ENOENT: file not found", "enoent file not found"),
        ("EACCES: permission denied", "eacces permission denied"),
    ] {
        assert_eq!(&*of(error), expected, "{error}");
    }
}

/// An output may be as long as its writer wants: whoever looks back from each of these words takes minutes here.
#[test]
fn a_line_of_telling_words_without_end_is_read_once() {
    for word in ["error", "(error", "fatal:x", "errorsssss"] {
        let line = word.repeat(200_000);
        assert_eq!(telling_line(&line), Some(&*line), "{word}");
    }
}

/// Decision 25: what differs from run to run is left out.
#[test]
fn names_paths_lines_and_numbers_make_no_difference() {
    for (left, right) in [
        (
            "src/a.rs:12:5: cannot find value `x` in this scope",
            "src/main.rs:7:1: cannot find value `count` in this scope",
        ),
        ("error at 0x7ffdeadbeef in thread 12", "error at 0x1 in thread 7"),
        ("File \"a.py\", line 3, in f: can't open", "File \"b/c.py\", line 99, in f: can't open"),
        ("GET https://example.org/a?x=1 timed out after 30s", "GET https://example.com/b timed out after 60s"),
        ("old_str `a\nb` did not match", "old_str `c d\ne` did not match"),
        ("sed: app/(protected)/teams/[id]/a.ts: gone", "sed: app/b.ts: gone"),
        ("commit 3f2a9c1d0b not found", "commit 99aabbccdd0 not found"),
        ("\u{1b}[31merror\u{1b}[0m: it broke", "error: it broke"),
        ("C:\\a\\b.txt is missing", "D:\\c.txt is missing"),
    ] {
        assert_eq!(of(left), of(right));
        assert!(!of(left).is_empty(), "{left}");
    }
}

/// Decision 25: a code comes first, wherever it stood.
#[test]
fn a_code_comes_first() {
    for (error, expected) in [
        ("error[E0425]: cannot find value `x`", "e0425 error cannot find value"),
        ("a.ts(3,1): error TS2304: Cannot find name 'x'.", "ts2304 error cannot find name"),
        ("Error: listen EADDRINUSE: address already in use :::3000", "eaddrinuse error listen address already in use"),
        ("Exit code 127\nsh: foo: not found", "exit code 127 foo not found"),
        ("Exit code 1", "exit code 1"),
        ("ERROR: TASK_FAILED `TK_MATCH`", "task failed error"),
    ] {
        assert_eq!(&*of(error), expected, "{error}");
    }
}

/// Whatever is around a program, its error is the same one.
#[test]
fn what_wraps_a_program_is_no_part_of_its_error() {
    for (wrapped, expected) in [
        ("bash: line 1: foo: command not found", "foo command not found"),
        ("/bin/sh: 1: foo: command not found", "foo command not found"),
        ("(eval):1: parse error near `('", "parse error near"),
        ("Exit code 1: (eval):1: parse error near `('", "exit code 1 parse error near"),
        ("Exit code 1: zsh:1: unmatched", "exit code 1 unmatched"),
        ("Exit code 2\n<tool_use_error>File does not exist.</tool_use_error>", "exit code 2 file does not exist"),
        (
            "failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 2, stdout: , stderr: no rule to bake",
            "exit code 2 no rule to bake",
        ),
        ("Chunk ID: a1\nWall time: 1.5 seconds\nOriginal token count: 9\nOutput:\nno pears left", "no pears left"),
        (
            "OCI runtime exec failed: exec failed: unable to start container process: exec: no pears left",
            "no pears left",
        ),
        ("command failed: docker exec -it oven bake: no pears left", "command failed bake no pears left"),
        ("command failed: timeout 60 bake: no pears left", "command failed bake no pears left"),
        ("command failed: env A=b C=d bake: no pears left", "command failed bake no pears left"),
        ("command failed: bash -lc 'bake --hot': no pears left", "command failed no pears left"),
    ] {
        assert_eq!(&*of(wrapped), expected, "{wrapped}");
    }
    for bare in [
        "failed in sandbox: denied exec error, exit code: 1, stdout: , stderr: ",
        "Command failed: bash -lc 'bake pie'",
        "Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 1\nOriginal token count: 0\nOutput:\n",
    ] {
        assert!(is_bare(&of(bare)), "{bare}: {}", of(bare));
    }
}

/// Decision 25: fifty characters, at the end of a word.
#[test]
fn a_fingerprint_ends_with_a_word() {
    let long = "the quick brown fox jumps over the lazy dog and then over another one";
    assert_eq!(&*of(long), "the quick brown fox jumps over the lazy dog and");
    assert_eq!(of(&"ж".repeat(80)).chars().count(), MOST_CHARS);
    assert_eq!(&*of("'only what is quoted'"), "");
}

#[test]
fn the_telling_line_of_an_output_is_found() {
    for (output, expected) in [
        ("compiling\n  error: it broke\nerror: again", Some("error: it broke")),
        ("Traceback (most recent call last):\n  raise KeyError\nKeyError: 'x'", Some("KeyError: 'x'")),
        (
            "-- Could NOT find ZLIB (missing: ZLIB_LIBRARY)\n-- Looking for Qt - not found\nCMake Error at a.txt:3 (find_package):\n  no gate",
            Some("CMake Error at a.txt:3 (find_package):"),
        ),
        ("-- Could NOT find ZLIB\nand that was it", Some("-- Could NOT find ZLIB")),
        (
            "checking for error_at_line... no\ncc -Wall -Werror -c src/error.c\na.c:3:1: error: expected",
            Some("a.c:3:1: error: expected"),
        ),
        ("test error_case ... ok\nthread 'x' panicked at a.rs", Some("thread 'x' panicked at a.rs")),
        (
            "warning: unknown flag\n0 errors, no failed gates\nTypeError: x is undefined",
            Some("TypeError: x is undefined"),
        ),
        ("unknown option\nsecond unknown", Some("unknown option")),
        (
            "bake : The term 'bake' is not recognized as a name.\nAt line:1 char:1\n+ CategoryInfo : ObjectNotFound: (bake:String)",
            Some("bake : The term 'bake' is not recognized as a name."),
        ),
        ("throw er; // Unhandled 'error' event\nError: listen EPERM", Some("Error: listen EPERM")),
        ("a\nb", None),
        ("", None),
    ] {
        assert_eq!(telling_line(output), expected, "{output}");
    }
}

#[test]
fn a_bare_fingerprint_only_says_that_something_ended() {
    for bare in ["", "exit code 1", "command failed with exit code 2"] {
        assert!(is_bare(bare), "{bare}");
    }
    assert!(!is_bare("exit code 1 cannot find module"));
}
