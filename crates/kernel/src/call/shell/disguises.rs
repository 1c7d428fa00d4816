//! Command lines that hide the command that acts: one half was looked at while the reader was written, the other was
//! written beforehand and run once the first half was found. What neither half can hold: names that a variable holds
//! (`$R -rf x`), and what another program's language runs (`python -c`).

use super::acts;

/// Lines in which `rm -rf x` runs: looked at while the reader was written.
const KNOWN: [&str; 45] = [
    "sudo -u root rm -rf x",
    "sudo -nu root -- rm -rf x",
    "sudo --user=root -g wheel rm -rf x",
    "sudo --user root rm -rf x",
    "doas -u root rm -rf x",
    "env -u NAME rm -rf x",
    "env -i A=1 B='2 3' rm -rf x",
    "env -S 'rm -rf x'",
    "nice -n 5 rm -rf x",
    "nice -5 rm -rf x",
    "timeout -s KILL 5 rm -rf x",
    "timeout --kill-after 2 1m rm -rf x",
    "echo | xargs -n 1 rm -rf x",
    "echo | xargs -I{} -P 4 rm -rf x",
    "ssh host 'rm -rf x'",
    "ssh -p 22 -i key me@host rm -rf x",
    "bash -c 'rm -rf x'",
    "bash -o pipefail -c \"rm -rf x\"",
    "/bin/sh -ec \"rm -rf x\"",
    "nohup rm -rf x &",
    "command rm -rf x",
    "time -p rm -rf x",
    "A=1 rm -rf x",
    "'r'm -rf \"x\"",
    "\\rm -rf x",
    "/usr/bin/rm -rf x",
    "true && { rm -rf x; }",
    "(cd y; rm -rf x)",
    "if true; then rm -rf x; fi",
    "echo \"$(rm -rf x)\"",
    "echo `rm -rf x`",
    "diff <(rm -rf x) y",
    "eval 'rm -rf x'",
    "bash <<'E'\nrm -rf x\nE",
    "bash <<< 'rm -rf x'",
    "echo 'rm -rf x' | sh",
    "cat <<E | bash -s\nrm -rf x\nE",
    "cat <<E\n$(rm -rf x)\nE",
    "docker exec -it -u root box rm -rf x",
    "docker run --rm -v /:/m alpine rm -rf x",
    "find . -name y -exec rm -rf x \\;",
    "trap 'rm -rf x' EXIT",
    "rm>/dev/null -rf x",
    "$'rm' -rf x",
    "rm${IFS}-rf${IFS}x",
];

/// The same, written beforehand and not looked at until the reader was done.
const JUDGED: [&str; 45] = [
    "sudo -E -H -u deploy nice rm -rf x",
    "sudo -iu root rm -rf x",
    "sudo -C 3 -p '' rm -rf x",
    "sudo A=1 rm -rf x",
    "doas -n -C /etc/doas.conf rm -rf x",
    "env --unset=A --chdir /tmp rm -rf x",
    "env - PATH=/bin rm -rf x",
    "/usr/bin/env rm -rf x",
    "nice --adjustment=5 ionice -c 3 rm -rf x",
    "ionice -c2 -n 7 rm -rf x",
    "timeout -k 5s --preserve-status 10 rm -rf x",
    "find y -print0 | xargs -0 -L 1 -r rm -rf x",
    "xargs --max-args 1 rm -rf x < list",
    "xargs -a list -d '\\n' rm -rf x",
    "ssh -o StrictHostKeyChecking=no -tt host \"cd y && rm -rf x\"",
    "ssh host -- sudo -u root rm -rf x",
    "zsh -lic 'rm -rf x'",
    "bash --norc --noprofile -c 'rm -rf x' name",
    "bash -x -c 'sh -c \"rm -rf x\"'",
    "setsid -f rm -rf x",
    "stdbuf -o L rm -rf x",
    "builtin command rm -rf x",
    "exec -a name rm -rf x",
    "time nohup sudo -u a env -u B timeout 5 rm -rf x",
    "r''m -r\"f\" x",
    "! rm -rf x",
    "while :; do rm -rf x; done",
    "case a in a) rm -rf x;; esac",
    "echo $(case a in a) rm -rf x;; esac)",
    "echo ${A:-$(rm -rf x)}",
    "A=$(rm -rf x) make",
    "cat > >(rm -rf x)",
    "f() { rm -rf x; }; f",
    "eval \"rm\" -rf x",
    "sh -s <<-E\n\trm -rf x\n\tE",
    "printf 'rm -rf x\\n' | bash",
    "kubectl exec pod -c main -- rm -rf x",
    "docker compose exec -T web rm -rf x",
    "podman run -it --name a --network host img sh -c 'rm -rf x'",
    "find . -type d -execdir rm -rf x +",
    "su - root -c 'rm -rf x'",
    "flock /tmp/lock rm -rf x",
    "watch -n 1 rm -rf x",
    "true;rm -rf x",
    "true|&rm -rf x",
];

/// Lines in which it does not run.
const HARMLESS: [&str; 12] = [
    "echo rm -rf x",
    "echo 'a; rm -rf x'",
    "# rm -rf x",
    "git commit -m 'rm -rf x'",
    "git commit -m \"$(cat <<'E'\nrm -rf x\nit's $(rm -rf x) :)\nE\n)\"",
    "cat <<'E'\n$(rm -rf x)\nE",
    "rg 'rm -rf x' .",
    "command -v rm -rf x",
    "cat > a.sh <<E\nrm -rf x\nE",
    "sudo -u rm ls -rf x",
    "bash script.sh -c 'rm -rf x'",
    "echo \\$(rm -rf x\\)",
];

fn hides(line: &str) -> bool {
    acts(line).iter().any(|act| act.text() == "rm -rf x")
}

#[test]
fn the_command_that_acts_is_seen_through_what_stands_around_it() {
    let missed: Vec<_> = KNOWN.iter().chain(&JUDGED).filter(|line| !hides(line)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn what_only_speaks_of_a_command_does_not_run_it() {
    let wrong: Vec<_> = HARMLESS.iter().filter(|line| hides(line)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Guards read whole lines, and a line can be as long as its writer wants. Whoever looks at all that is behind each of
/// these wrappers takes minutes here.
#[test]
fn a_line_of_wrappers_without_end_is_read_once() {
    for wrapper in ["sudo ", "env A=1 ", "xargs -n 1 ", "bash -c ", "eval ", "A=1 ", "docker exec a ", "! "] {
        let acts = acts(&format!("{}rm -rf x", wrapper.repeat(50_000))).len();
        assert_eq!(acts, 1, "{wrapper}");
    }
}
