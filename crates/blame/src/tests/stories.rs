//! Stories told by hand: one for each promise of `docs/BLAME.md`.

use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;
use serde_json::{Value, json};

use crate::deed::{Done, Ended, deeds};
use crate::history::Event;
use crate::{Age, History, Target, Text, Version, ages, blame};

/// What happens, in order; a second between two.
enum Act {
    /// A call of a letter, with tool, arguments and result.
    Call(char, &'static str, Value, Value),
    /// The same, and it fails.
    Fails(char, &'static str, Value),
    /// A commit behind others, of the file with a text.
    Commit(&'static [usize], &'static str),
    /// The same, which says that it reverts another.
    Reverts(&'static [usize], usize, &'static str),
    /// A copy of a commit, behind others.
    Copies(&'static [usize], usize, &'static str),
    /// The file has another name from here on.
    Named(&'static str),
}

use Act::{Call, Commit, Copies, Fails, Named, Reverts};

fn write(letter: char, text: &str) -> Act {
    Call(letter, "Write", json!({ "file_path": "a", "content": text }), Value::Null)
}

fn edit(letter: char, old: &str, new: &str) -> Act {
    Call(letter, "Edit", json!({ "file_path": "a", "old_string": old, "new_string": new }), Value::Null)
}

fn bash(letter: char, line: &str) -> Act {
    Call(letter, "Bash", json!({ "command": line }), json!({ "stdout": "" }))
}

fn read(text: &str) -> Act {
    let count = text.lines().count();
    let file = json!({ "content": text, "startLine": 1, "numLines": count, "totalLines": count });
    Call('-', "Read", json!({ "file_path": "a" }), json!({ "file": file }))
}

struct Told {
    history: History,
    letters: Vec<(EntryId, char)>,
    path: &'static str,
}

fn tell(acts: Vec<Act>) -> Told {
    let mut told = Told { history: History::default(), letters: Vec::new(), path: "a" };
    for (number, act) in (0..).zip(acts) {
        told.take(act, 1_700_000_000 + number * 10);
    }
    told
}

impl Told {
    fn take(&mut self, act: Act, second: i64) {
        match act {
            Call(letter, tool, input, output) => self.call(
                letter,
                second,
                &Done { tool, input: &input, output: &output, ended: Ended::Well, files: &[] },
            ),
            Fails(letter, tool, input) => self.call(
                letter,
                second,
                &Done { tool, input: &input, output: &Value::Null, ended: Ended::Badly, files: &[] },
            ),
            Commit(parents, text) => self.commit(parents, second, second, None, text),
            Reverts(parents, of, text) => self.commit(parents, second, second, Some(of), text),
            Copies(parents, of, text) => {
                let authored = self.history.versions[of].authored;
                self.commit(parents, authored, second, None, text);
            }
            Named(path) => self.path = path,
        }
    }

    fn call(&mut self, letter: char, second: i64, done: &Done<'_>) {
        let at = Timestamp::from_millis(second * 1000);
        let call = EntryId::new(at, u128::from(u32::from(letter)));
        self.letters.push((call, letter));
        self.history.events.push(Event { at, call, deeds: deeds(done) });
    }

    fn commit(&mut self, parents: &[usize], authored: i64, committed: i64, reverts: Option<usize>, text: &str) {
        let id = |number: usize| format!("{number:040x}");
        self.history.versions.push(Version {
            id: id(self.history.versions.len()),
            parents: parents.to_vec(),
            author: "ann".to_owned(),
            authored,
            committed,
            reverts: reverts.map(id),
            path: self.path.to_owned(),
            text: Some(Text::of(text)),
        });
    }

    /// A letter a line: of the call that wrote it, or a dot.
    fn letters(&self, target: &Target) -> String {
        let letter = |call: &EntryId| self.letters.iter().find(|(id, _)| id == call).map_or('?', |(_, letter)| *letter);
        blame(&self.history, target).lines.iter().map(|call| call.as_ref().map_or('.', letter)).collect()
    }

    fn now(&self, behind: Option<usize>, text: &str) -> String {
        self.letters(&Target::Now { behind, path: self.path.to_owned(), text: Text::of(text) })
    }
}

#[test]
fn without_git_the_text_is_followed_through_the_calls() {
    let cases = [
        ("a file that a call wrote", vec![write('a', "x1\ny1\n")], "x1\ny1\n", "aa"),
        ("a person adds", vec![write('a', "x1\ny1\n")], "x1\nz1\ny1\n", "a.a"),
        ("a person changes", vec![write('a', "x1\ny1\n")], "x1\ny1 \n", "a."),
        ("another call changes", vec![write('a', "x1\ny1\n"), edit('b', "y1", "y2")], "x1\ny2\n", "ab"),
        ("written again", vec![write('a', "x1\ny1\n"), write('b', "x1\ny1\nz1\n")], "x1\ny1\nz1\n", "aab"),
        (
            "a person's lines are read, and written again",
            vec![read("x1\ny1\n"), write('b', "x1\nz1\ny1\n")],
            "x1\nz1\ny1\n",
            ".b.",
        ),
        ("line ends are turned", vec![write('a', "x1\ny1\n")], "x1\r\ny1\r\n", "aa"),
        ("taken away, seen, typed again", vec![write('a', "x1\ny1\n"), read("x1\n")], "x1\ny1\n", "a."),
        ("taken away by a call, typed again", vec![write('a', "x1\ny1\n"), edit('b', "y1\n", "")], "x1\ny1\n", "a."),
        (
            "an edit of a text that nobody saw",
            vec![edit('a', "old1\nold2", "old1\nnew1")],
            "x\nold1\nnew1\nz\n",
            "..a.",
        ),
        ("such an edit, twice in the text", vec![edit('a', "old1", "new1")], "new1\nz\nnew1\n", "..."),
        (
            "a failed call",
            vec![write('a', "x1\n"), Fails('b', "Write", json!({ "file_path": "a", "content": "y1\n" }))],
            "y1\n",
            ".",
        ),
        ("a bracket that lines up by chance", vec![write('a', "f1 {\nx1\n}\nend1\n")], "g2 {\ny2\n}\nz2\n", "...."),
        ("a secret", vec![write('a', "key = [REDACTED_TOKEN]\nx1\n")], "key = abc\nx1\n", "aa"),
    ];
    for (what, acts, text, expected) in cases {
        assert_eq!(tell(acts).now(None, text), expected, "{what}");
    }
}

#[test]
fn command_lines_are_followed() {
    let start = || write('a', "one1\ntwo2\nthree3\n");
    let cases = [
        ("cat > a <<'E'\none1\nx1\nE", "one1\nx1\n", "ab"),
        ("cat >> a <<'E'\nx1\nE", "one1\ntwo2\nthree3\nx1\n", "aaab"),
        ("echo 'x1' >> a", "one1\ntwo2\nthree3\nx1\n", "aaab"),
        ("printf 'x1\\ny1\\n' | tee -a a", "one1\ntwo2\nthree3\nx1\ny1\n", "aaabb"),
        ("sed -i 's/two2/x1/' a", "one1\nx1\nthree3\n", "aba"),
        ("sed -i -e '1d' -e '$a\\x1' a", "two2\nthree3\nx1\n", "aab"),
        ("perl -pi -e 's/t(\\w+)/T$1/' a", "one1\nTwo2\nThree3\n", "abb"),
        ("sed -i 'N;P;D' a", "one1\nx1\nthree3\n", "a.a"),
        ("cd sub && echo x1 >> a", "one1\ntwo2\nthree3\nx1\n", "aaa."),
        ("mv a b && mv b a && echo x1 >> a", "one1\ntwo2\nthree3\nx1\n", "aaab"),
        ("test -f b || echo x1 >> a", "one1\ntwo2\nthree3\nx1\n", "aaa."),
        ("git apply <<'E'\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one1\n-two2\n+x1\nE", "one1\nx1\nthree3\n", "aba"),
        ("cargo fmt", "one1\n  two2\nthree3\n", "a.a"),
    ];
    for (line, text, expected) in cases {
        assert_eq!(tell(vec![start(), bash('b', line)]).now(None, text), expected, "{line}");
    }
}

#[test]
fn a_command_line_that_failed_did_what_stood_before_its_last_command() {
    let failed = |line: &str| Fails('b', "Bash", json!({ "command": line }));
    let cases = [
        ("echo x1 >> a; pytest", "ab"),
        ("echo x1 >> a && pytest", "ab"),
        ("pytest && echo x1 >> a", "a."),
        ("make && echo x1 >> a && pytest", "a."),
        ("echo x1 >> a", "a."),
        ("set -e; echo x1 >> a; pytest", "a."),
    ];
    for (line, expected) in cases {
        assert_eq!(tell(vec![write('a', "one1\n"), failed(line)]).now(None, "one1\nx1\n"), expected, "{line}");
    }
}

#[test]
fn commits_keep_what_stood_before_them() {
    let told = tell(vec![
        Commit(&[], "p1\n"),
        edit('a', "p1\n", "p1\nx1\n"),
        Commit(&[0], "p1\nx1\nq1\n"),
        Commit(&[1], "p1\nq1\n"),
        Commit(&[2], "p1\nx1\nq1\n"),
    ]);
    assert_eq!(told.letters(&Target::Version(1)), ".a.");
    assert_eq!(told.letters(&Target::Version(3)), "...", "typed again");
    assert_eq!(ages(&told.history, 1), [Age::Old, Age::New, Age::New]);
}

#[test]
fn a_commit_that_says_that_it_reverts_brings_lines_back() {
    let acts =
        || vec![Commit(&[], "p1\n"), edit('a', "p1\n", "p1\nx1\n"), Commit(&[0], "p1\nx1\n"), Commit(&[1], "p1\n")];
    let with = |last: Act| tell(acts().into_iter().chain([last]).collect()).now(Some(3), "p1\nx1\n");
    assert_eq!(with(Reverts(&[2], 2, "p1\nx1\n")), ".a");
    assert_eq!(with(Commit(&[2], "p1\nx1\n")), "..");
}

#[test]
fn a_line_that_another_branch_has_is_not_given_again() {
    let acts = || vec![Commit(&[], "p1\n"), edit('a', "p1\n", "p1\nx1\n"), Commit(&[0], "p1\nx1\n")];
    let typed = tell(acts().into_iter().chain([Commit(&[0], "p1\nx1\n")]).collect());
    assert_eq!(typed.now(Some(2), "p1\nx1\n"), "..", "a person typed it on the other branch");
    let waiting = tell(acts());
    assert_eq!(waiting.now(Some(0), "p1\nx1\n"), "..", "and has not committed it");
    let copied = tell(acts().into_iter().chain([Copies(&[0], 1, "p1\nx1\n")]).collect());
    assert_eq!(copied.now(Some(2), "p1\nx1\n"), ".a", "a cherry-pick");
    let merged = tell(acts().into_iter().chain([Commit(&[0], "q1\np1\n"), Commit(&[2, 1], "q1\np1\nx1\n")]).collect());
    assert_eq!(merged.now(Some(3), "q1\np1\nx1\n"), "..a", "a merge");
}

#[test]
fn what_went_into_another_branch_changes_nothing_here() {
    // `b` takes the line of `a` away on one branch; the other one goes on from where it stood.
    let acts = || {
        vec![
            Commit(&[], "p1\n"),
            edit('a', "p1\n", "p1\nx1\n"),
            Commit(&[0], "p1\nx1\n"),
            edit('b', "x1\n", "y1\n"),
            Commit(&[1], "p1\ny1\n"),
        ]
    };
    let with = |last: Vec<Act>| tell(acts().into_iter().chain(last).collect());
    assert_eq!(with(vec![]).now(Some(1), "p1\nx1\n"), ".a", "nothing was committed yet");
    let next = with(vec![edit('c', "p1\n", "p1\nz1\n"), Commit(&[1], "p1\nz1\nx1\n")]);
    assert_eq!(next.now(Some(3), "p1\nz1\nx1\n"), ".ca");
    let renamed = with(vec![
        bash('c', "git mv a c"),
        Named("c"),
        Commit(&[2], "p1\ny1\n"),
        Named("a"),
        Commit(&[1], "p1\nx1\nq1\n"),
    ]);
    assert_eq!(renamed.now(Some(4), "p1\nx1\nq1\n"), ".a.", "the name did not change here");
}

#[test]
fn of_several_ways_to_line_up_none_is_taken_where_they_differ() {
    let equal = || vec![write('a', "x1\n}\n"), bash('b', "echo '}' >> a")];
    let cases = [
        ("two equal lines, of which nothing went", "x1\n}\n}\n", "aab"),
        ("one of them went", "x1\n}\n", "a."),
        ("one came beside them", "x1\n}\n}\n}\n", "a..."),
        ("one came further below, and another line", "x1\n}\n}\ny1\n}\n", "aa..."),
        ("they stand apart", "x1\n}\ny1\n}\n", "aa.b"),
    ];
    for (what, text, expected) in cases {
        assert_eq!(tell(equal()).now(None, text), expected, "{what}");
    }
}

#[test]
fn a_number_may_be_that_of_a_line_further_below() {
    let start = || write('a', "one1\ntwo2\nthree3\nfour4\n");
    let cases = [
        ("as it was known", "sed -i 2d a", "one1\nthree3\nfour4\n", "aaa"),
        ("a person put a line above", "sed -i 3d a", "zero0\none1\nthree3\nfour4\n", ".aaa"),
        ("a person took one away", "sed -i 2d a", "two2\nfour4\n", "aa"),
        ("a line was changed", "sed -i '3s/.*/x1/' a", "zero0\none1\nx1\nthree3\nfour4\n", ".abaa"),
        ("another one was, too", "sed -i '3s/.*/x1/' a", "one1\nx1\nthree3\nfour5\n", "aba."),
    ];
    for (what, line, text, expected) in cases {
        assert_eq!(tell(vec![start(), bash('b', line)]).now(None, text), expected, "{what}");
    }
}

#[test]
fn what_a_call_put_beside_lines_of_a_person_is_found_in_pieces() {
    let acts = || vec![write('a', "x1\ny1\n"), edit('b', "person1\n", "new1\nnew2\nnew3\n")];
    assert_eq!(tell(acts()).now(None, "x1\nnew1\nnew2\nnew3\ny1\n"), "abbba");
    assert_eq!(tell(acts()).now(None, "x1\nnew1\nnew2\nother3\ny1\n"), "abb.a", "a person changed one of them");
    assert_eq!(tell(acts()).now(None, "x1\nnew1\ny1\nnew1\n"), "a.a.", "one of them stands there twice");
}

#[test]
fn what_a_call_took_away_does_not_come_back_in_a_persons_line() {
    let acts = vec![
        write('a', "x1\ny1\nz1\nw1\n"),
        // A person put lines between, and the call saw them.
        edit('b', "person1\ny1\nperson2\n", "new1\n"),
    ];
    assert_eq!(tell(acts).now(None, "x1\nnew1\ny1\nz1\nw1\n"), "ab.aa");
}

#[test]
fn nothing_was_seen() {
    let file = json!({ "content": "", "startLine": 5, "numLines": 0, "totalLines": 9 });
    let read = || Call('-', "Read", json!({ "file_path": "a" }), json!({ "file": file }));
    assert_eq!(tell(vec![write('a', "x1\n"), read()]).now(None, "x1\n"), "a");
}

#[test]
fn a_rebased_commit_takes_what_was_written_for_it() {
    let mut told = tell(vec![Commit(&[], "p1\n"), edit('a', "p1\n", "p1\nx1\n"), Commit(&[0], "p1\nx1\n")]);
    // A colleague's commit came between, and only the copy is left.
    let own = told.history.versions.pop().expect("a version");
    told.commit(&[0], own.authored + 100, own.committed + 100, None, "q1\np1\n");
    told.commit(&[1], own.authored, own.committed + 200, None, "q1\np1\nx1\n");
    assert_eq!(told.now(Some(2), "q1\np1\nx1\n"), "..a");
}

#[test]
fn a_file_keeps_its_lines_under_another_name() {
    let by_call = tell(vec![write('a', "x1\n"), bash('b', "git mv a c"), Named("c")]);
    assert_eq!(by_call.now(None, "x1\n"), "a");
    let by_person = tell(vec![write('a', "x1\n"), Commit(&[], "x1\n"), Named("c"), Commit(&[0], "x1\ny1\n")]);
    assert_eq!(by_person.now(Some(1), "x1\ny1\n"), "a.");
}

#[test]
fn what_is_restored_is_as_git_had_it() {
    let acts = vec![
        Commit(&[], "p1\n"),
        edit('a', "p1\n", "p1\nx1\n"),
        Commit(&[0], "p1\nx1\n"),
        edit('b', "x1\n", ""),
        bash('c', "git checkout -- a"),
    ];
    assert_eq!(tell(acts).now(Some(1), "p1\nx1\n"), ".a");
}

#[test]
fn what_a_person_changed_in_a_proposal_is_the_persons() {
    let input = json!({ "file_path": "a", "old_string": "p1", "new_string": "x1\ny1" });
    let hunk = json!({ "oldStart": 1, "newStart": 1, "lines": ["-p1", "+x1", "+z1"] });
    let output = json!({ "structuredPatch": [hunk], "userModified": true });
    assert_eq!(tell(vec![Call('a', "Edit", input, output)]).now(None, "x1\nz1\n"), "a.");
}
