//! Lines, the simple commands in them, and the program by which a call is known.

use super::*;

fn apart(text: &str) -> Vec<String> {
    let show = |command: &Command<'_>| {
        let writes = command.outputs.iter().flat_map(|output| [" >", &*output.file]).collect::<String>();
        format!("{}{writes}", command.words.join("·"))
    };
    commands(text).iter().map(show).collect()
}

#[test]
fn a_line_is_taken_apart_at_its_joints_and_its_call_known_by_one_program() {
    let cases: [(&str, &[&str], &str); 26] = [
        ("rm 'a b' \"c d\" e\\ f", &["rm·a b·c d·e f"], "rm"),
        ("echo 'a; rm b' \"&& rm c\"", &["echo·a; rm b·&& rm c"], "echo"),
        ("echo a\\;b", &["echo·a;b"], "echo"),
        ("echo \"it's\"; make", &["echo·it's", "make"], "make"),
        ("cd x && make", &["cd·x", "make"], "make"),
        ("make || rm -rf b", &["make", "rm·-rf·b"], "make"),
        ("ls; make; ls", &["ls", "make", "ls"], "make"),
        ("make | tee log", &["make", "tee·log"], "make"),
        ("make & wait", &["make", "wait"], "make"),
        ("(cd x; make)", &["cd·x", "make"], "make"),
        ("{ make; }", &["{·make", "}"], "make"),
        ("if true; then make; fi", &["if·true", "then·make", "fi"], "make"),
        ("! make", &["!·make"], "make"),
        ("cat > a <<'E'\nrm b; \"\nE\nmake", &["cat >a", "make"], "cat"),
        ("make <<< 'rm a'", &["make"], "make"),
        ("A=1 B='x y' make", &["A=1·B=x y·make"], "make"),
        ("sudo -n make", &["sudo·-n·make"], "make"),
        ("timeout 60 env -i A=1 make", &["timeout·60·env·-i·A=1·make"], "make"),
        ("bash -lc 'cd x && make'", &["bash·-lc·cd x && make"], "make"),
        ("ls | xargs -n 1 make", &["ls", "xargs·-n·1·make"], "ls"),
        ("make \\\n  -j4", &["make·-j4"], "make"),
        ("# rm a\nmake # rm b", &["make"], "make"),
        ("make a#b", &["make·a#b"], "make"),
        ("X=$(make)", &["make", "X=$"], "make"),
        ("/usr/bin/make 2>&1 >log", &["/usr/bin/make >log"], "make"),
        ("make\nls", &["make", "ls"], "make"),
    ];
    for (line, seen, called) in cases {
        assert_eq!(apart(line), seen, "{line}");
        assert_eq!(super::super::program(line).as_deref(), Some(called), "{line}");
    }
}

#[test]
fn quotes_and_separators() {
    assert_eq!(apart("rm -f 'a b' \"c d\" e\\ f; ls | wc -l && true &"), ["rm·-f·a b·c d·e f", "ls", "wc·-l", "true"]);
    assert_eq!(apart("echo a#b # c; rm d\nls"), ["echo·a#b", "ls"]);
    assert_eq!(apart("echo 'unfinished"), ["echo·unfinished"]);
    assert_eq!(apart("printf \"a\\n\\\"b\\$\" '' \"\""), ["printf·a\\n\"b$··"]);
    assert_eq!(apart("$'\\x72\\155\\u20ac\\'' $\"a\" $x a$IFS-b"), ["rm€'·a·$x·a·-b"]);
}

#[test]
fn redirections_write() {
    assert_eq!(apart("echo a >b 2>>c 2>&1 <d &>e >|f x"), ["echo·a·x >b >c >e >f"]);
    assert_eq!(apart("cat>b"), ["cat >b"]);
    assert_eq!(apart("x 3<> b <<< c >&2 >&d"), ["x >b >d"]);
}

#[test]
fn a_document_is_data_but_where_it_is_expanded() {
    assert_eq!(apart("cat > a <<'END' && ls\nrm b; \"\nEND\nrm c"), ["cat >a", "ls", "rm·c"]);
    assert_eq!(apart("cat <<-A <<B\n\tx\n\tA\ny\nB\nrm c"), ["cat", "rm·c"]);
    assert_eq!(apart("cat <<END\nnever ends"), ["cat"]);
    assert_eq!(apart("cat <<A; cat <<'B'\n\"$(rm a)\"\nA\n$(rm b)\nB"), ["cat", "cat", "rm·a"]);
    let read = commands("cat <<A | sh <<< b\nx $y\nA");
    assert_eq!((&*read[0].documents, &*read[1].documents), (&["x $y\n".into()][..], &["b".into()][..]));
}

#[test]
fn commands_inside_words_count() {
    assert_eq!(apart("echo \"$(rm a $(rm b))\" `rm c` $HOME"), ["rm·b", "rm·a·$", "rm·c", "echo·$·$·$HOME"]);
    assert_eq!(apart("diff <(rm a) b"), ["rm·a", "diff·$·b"]);
    assert_eq!(apart("echo \"$(cat <<'E'\n:) it's\nE\n)\" b"), ["cat", "echo·$·b"]);
    assert_eq!(apart("echo $(case x in x) rm a;; esac) b"), ["case·x·in·x", "rm·a", "esac", "echo·$·b"]);
}

#[test]
fn brackets_without_end_are_read_all_the_same() {
    let deep = "$(".repeat(5000);
    assert_eq!(apart(&format!("{deep}rm a")).first().map(String::as_str), Some("rm·a"));
}
