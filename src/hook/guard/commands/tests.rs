//! Command lines, and the paths that they write.

use std::path::PathBuf;

use super::*;

fn around() -> Surroundings {
    Surroundings {
        directory: PathBuf::from("/p"),
        home: Some(PathBuf::from("/home/dev")),
        project: Some(PathBuf::from("/p")),
    }
}

fn written(command: &str) -> Vec<String> {
    let show = |target: WriteTarget| match target.reach {
        WriteReach::Itself => target.path.display().to_string(),
        WriteReach::AllBelow => format!("{}/**", target.path.display()),
    };
    targets(command, Path::new("/p"), &around()).into_iter().map(show).collect()
}

#[test]
fn each_program_writes_what_it_writes() {
    let cases: [(&str, &[&str]); 25] = [
        ("cat a b", &[]),
        ("cargo build > log", &["/p/log"]),
        ("rm -rf a b", &["/p/a/**", "/p/b/**"]),
        ("rm a", &["/p/a"]),
        ("rm -- -a", &["/p/-a"]),
        ("mv a /q/b", &["/p/a/**", "/q/b/**"]),
        ("cp -r a b c", &["/p/c"]),
        ("cp -t c a b", &["/p/c"]),
        ("ln -s ../a b", &["/p/b"]),
        ("echo x | tee -a a", &["/p/a"]),
        ("sed -i.bak s/a/b/ c", &["/p/s/a/b/", "/p/c"]),
        ("sed s/a/b/ c", &[]),
        ("perl -pi -e 's/a/b/' c", &["/p/s/a/b/", "/p/c"]),
        ("dd if=a of=b bs=1", &["/p/b"]),
        ("find a -name x -delete", &["/p/a/**"]),
        ("find a -name x -exec rm {} +", &["/p/a/**"]),
        ("find a -name x", &[]),
        ("git checkout -- a", &["/p/a"]),
        ("git -C /q rm --cached a", &["/q/a"]),
        ("git commit -m rm", &[]),
        ("FOO=1 sudo -n /bin/rm a", &["/p/a"]),
        ("timeout 5 rm a", &["/p/a"]),
        ("nice -n 5 uv run rm a", &["/p/a"]),
        ("ls | xargs -n 1 rm a", &["/p/a"]),
        ("rm \\\n  a # b", &["/p/a"]),
    ];
    for (command, expected) in cases {
        assert_eq!(written(command), expected, "{command}");
    }
}

#[test]
fn a_change_of_directory_counts_from_there_on() {
    assert_eq!(written("rm a; cd b && rm c"), ["/p/a", "/p/b/c"]);
    assert_eq!(written("cd /q; cd ..; rm a"), ["/q/../a"]);
}

#[test]
fn a_shell_in_a_shell_is_read() {
    assert_eq!(written("bash -lc 'cd b; sh -c \"rm c\"'"), ["/p/b/c"]);
    assert_eq!(written("eval rm a"), ["/p/a"]);
    assert_eq!(written("echo $(rm a)"), ["/p/a"]);
    assert_eq!(written("for x in 1 2; do rm a; done"), ["/p/a"]);
}

#[test]
fn what_stands_around_a_command_hides_no_path() {
    for command in [
        "sudo -u deploy rm a", "env -u NAME timeout -s KILL 5 rm a", "ssh localhost 'rm a'",
        "find b -exec sh -c 'rm a' \\;", "bash <<E\nrm a\nE", "echo 'rm a' | sh", "bash -c 'cat b' > a",
        "trap 'rm a' EXIT", "cat <<E\n$(rm a)\nE",
    ] {
        assert_eq!(written(command), ["/p/a"], "{command}");
    }
    for command in ["command -v rm a", "cat <<'E'\n$(rm a)\nE", "ls 2>&1 a"] {
        assert_eq!(written(command), [""; 0], "{command}");
    }
}

#[test]
fn well_known_variables_are_put_in() {
    assert_eq!(
        written("rm ~/a $HOME/b ${PWD}/c \"$CLAUDE_PROJECT_DIR\"/d"),
        ["/home/dev/a", "/home/dev/b", "/p/c", "/p/d"]
    );
    assert_eq!(written("rm $root/.context/history/a $unknown/b"), ["/p/.context/history/a"]);
}
