//! What stands before the command that acts, and does not say what is done: `sudo -u x`, `env A=1`, `timeout 5`, `uv run`,
//! `docker exec box`, `ssh host`; and how many words it takes.

use std::borrow::Cow;

/// What the words behind a wrapper are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// A command in words.
    Words,
    /// A command line; its words are joined.
    Line,
    /// Operands only: a command line stands behind one of its options, or nowhere.
    Operands,
}

/// `(program and verbs, options that take a value, operands before the command, what follows)`. Names of one letter are
/// short options; the value of one with `!` is a command line itself.
type Row = (&'static str, &'static str, usize, Rest);

const BOX: &str = "c container e env env-file f file n namespace u user w workdir index";
const RUN: &str = "a add-host annotation attach c cap-add cap-drop cgroup-parent cidfile cpu-shares cpus d device dns e entrypoint env env-file expose gpus h health-cmd hostname ip ipc l label link log-driver log-opt m memory mount name net network network-alias p pid platform publish pull restart runtime security-opt shm-size stop-signal sysctl tmpfs u ulimit user userns v volume volumes-from w workdir";

/// In the order of their names.
const WRAPPERS: [Row; 92] = [
    ("!", "", 0, Rest::Words),
    ("--", "", 0, Rest::Words),
    ("builtin", "", 0, Rest::Words),
    ("bundle exec", "", 0, Rest::Words),
    ("bunx", "p package", 0, Rest::Words),
    ("busybox", "", 0, Rest::Words),
    ("caffeinate", "t w", 0, Rest::Words),
    ("chroot", "groups userspec", 1, Rest::Words),
    ("chrt", "D P T", 1, Rest::Words),
    ("command", "", 0, Rest::Words),
    ("cross-env", "", 0, Rest::Words),
    ("do", "", 0, Rest::Words),
    ("doas", "C u", 0, Rest::Words),
    ("docker compose exec", BOX, 1, Rest::Words),
    ("docker compose run", RUN, 1, Rest::Words),
    ("docker container exec", BOX, 1, Rest::Words),
    ("docker container run", RUN, 1, Rest::Words),
    ("docker exec", BOX, 1, Rest::Words),
    ("docker run", RUN, 1, Rest::Words),
    ("docker-compose exec", BOX, 1, Rest::Words),
    ("docker-compose run", RUN, 1, Rest::Words),
    ("dotenv", "c e f p v", 0, Rest::Words),
    ("elif", "", 0, Rest::Words),
    ("else", "", 0, Rest::Words),
    ("entr", "", 0, Rest::Words),
    ("env", "C S! argv0 chdir split-string! u unset", 0, Rest::Words),
    ("eval", "", 0, Rest::Line),
    ("exec", "a", 0, Rest::Words),
    ("fakeroot", "b i l s", 0, Rest::Words),
    ("firejail", "", 0, Rest::Words),
    ("flock", "E c! command! conflict-exit-code timeout w wait", 1, Rest::Words),
    ("hatch run", "", 0, Rest::Words),
    ("if", "", 0, Rest::Words),
    ("ionice", "P c class classdata n p u", 0, Rest::Words),
    ("kubectl exec", BOX, 1, Rest::Words),
    ("ltrace", "a e l n o p s u", 0, Rest::Words),
    ("mise exec", "C E c! cd command! env j jobs", 0, Rest::Words),
    ("nice", "adjustment n", 0, Rest::Words),
    ("nohup", "", 0, Rest::Words),
    ("npm exec", "c! call! p package w workspace", 0, Rest::Words),
    ("npx", "c! call! p package w workspace", 0, Rest::Words),
    ("nsenter", "G S W t target", 0, Rest::Words),
    ("numactl", "C N i m p", 0, Rest::Words),
    ("parallel", "I N S a arg-file colsep delay j jobs n results sshlogin timeout", 0, Rest::Words),
    ("pdm run", "p project", 0, Rest::Words),
    ("pipenv run", "", 0, Rest::Words),
    ("pkexec", "user", 0, Rest::Words),
    ("pnpm dlx", "package", 0, Rest::Words),
    ("pnpm exec", "", 0, Rest::Words),
    ("pnpx", "package", 0, Rest::Words),
    ("podman exec", BOX, 1, Rest::Words),
    ("podman run", RUN, 1, Rest::Words),
    ("poetry run", "C P directory project", 0, Rest::Words),
    ("prlimit", "", 0, Rest::Words),
    ("proxychains", "f", 0, Rest::Words),
    ("proxychains4", "f", 0, Rest::Words),
    ("rtk", "", 0, Rest::Words),
    (
        "runuser",
        "G c! command! g group s session-command! shell supp-group u user w whitelist-environment",
        9,
        Rest::Operands,
    ),
    ("script", "B E I O T c! command! echo log-in log-io log-out log-timing m o output-limit t", 9, Rest::Operands),
    ("setpriv", "groups regid reuid", 0, Rest::Words),
    ("setsid", "", 0, Rest::Words),
    ("sg", "c!", 9, Rest::Operands),
    ("ssh", "B D E F I J L O P Q R S W b c e i l m o p w", 1, Rest::Line),
    ("stdbuf", "e error i input o output", 0, Rest::Words),
    ("strace", "E I O P S U X a b e o p s u", 0, Rest::Words),
    ("su", "C G T c! command! g group s session-command! shell supp-group w whitelist-environment", 9, Rest::Operands),
    (
        "sudo",
        "C D R T U chdir chroot close-from command-timeout g group h host other-user p prompt r role t type u user",
        0,
        Rest::Words,
    ),
    (
        "systemd-run",
        "E H M description gid host machine nice on-active p property service-type setenv slice u uid unit working-directory",
        0,
        Rest::Words,
    ),
    ("taskset", "", 1, Rest::Words),
    ("then", "", 0, Rest::Words),
    ("time", "f format o output", 0, Rest::Words),
    ("timeout", "k kill-after s signal", 1, Rest::Words),
    ("torsocks", "", 0, Rest::Words),
    ("toybox", "", 0, Rest::Words),
    ("trap", "", 0, Rest::Line),
    ("unbuffer", "", 0, Rest::Words),
    ("unshare", "G R S root setgid setuid w wd", 0, Rest::Words),
    ("until", "", 0, Rest::Words),
    (
        "uv run",
        "env-file extra group index p package project python w with with-editable with-requirements directory",
        0,
        Rest::Words,
    ),
    ("uv tool run", "from index p python w with", 0, Rest::Words),
    ("uvx", "from index p python w with", 0, Rest::Words),
    ("valgrind", "", 0, Rest::Words),
    ("watch", "interval n q equexit", 0, Rest::Line),
    ("while", "", 0, Rest::Words),
    ("winpty", "", 0, Rest::Words),
    ("wsl", "d distribution u user", 0, Rest::Words),
    ("wsl.exe", "d distribution u user", 0, Rest::Words),
    ("xargs", "E I L P a arg-file d delimiter eof max-args max-chars max-procs n process-slot-var s", 0, Rest::Words),
    ("xvfb-run", "e error-file f auth-file n p s server-args server-num w wait xauth-protocol", 0, Rest::Words),
    ("yarn dlx", "p package", 0, Rest::Words),
    ("yarn exec", "", 0, Rest::Words),
    ("{", "", 0, Rest::Words),
];

/// A shell's own options.
const SHELL: Row = ("", "O init-file o rcfile", 0, Rest::Operands);

/// Where the command that acts stands.
pub(super) enum Acting<'c> {
    /// Its program is this word; behind the last where there is none.
    Word(usize),
    /// It is a line of its own.
    Line(Cow<'c, str>),
}

/// Whether a word only says when what follows is run.
pub(super) fn is_keyword(word: &str) -> bool {
    matches!(word, "!" | "do" | "elif" | "else" | "if" | "then" | "time" | "until" | "while" | "{")
}

/// The command that acts, in the words of a simple one.
pub(super) fn acting<'c>(words: &[Cow<'c, str>]) -> Acting<'c> {
    let mut at = 0;
    loop {
        let rest = &words[at..];
        let Some(word) = rest.first() else { return Acting::Word(at) };
        if is_assignment(word) {
            at += 1;
            continue;
        }
        let Some((row, length)) = wrapper(rest) else { return Acting::Word(at) };
        let Behind { taken, line, .. } = behind(row, &rest[length..]);
        let taken = length + taken;
        let line = line.or_else(|| line_of(row, &rest[taken..]));
        match line {
            Some(line) => return Acting::Line(line),
            None if taken < rest.len() && !only_describes(rest) => at += taken,
            None => return Acting::Word(at),
        }
    }
}

/// What a shell with these arguments runs: the operand behind `-c`; nothing where that is a file.
pub(super) enum Shell<'c> {
    Line(Cow<'c, str>),
    Input,
    File,
}

impl<'c> Shell<'c> {
    pub(super) fn of(words: &[Cow<'c, str>]) -> Self {
        let Behind { taken, letters, .. } = behind(&SHELL, words);
        match words.get(taken) {
            Some(line) if letters.contains('c') => Self::Line(line.clone()),
            Some(_) if !letters.contains('s') => Self::File,
            Some(_) | None => Self::Input,
        }
    }
}

/// The base name of a program's path.
pub(super) fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn wrapper(words: &[Cow<'_, str>]) -> Option<(&'static Row, usize)> {
    let name = base_name(words.first()?);
    let from = WRAPPERS.partition_point(|row| first(row.0) < name);
    let rows = WRAPPERS[from..].iter().take_while(|row| first(row.0) == name);
    let fits = |row: &&Row| row.0.split(' ').skip(1).eq(words.iter().skip(1).take(row.0.matches(' ').count()));
    rows.filter(fits).map(|row| (row, row.0.matches(' ').count() + 1)).next()
}

fn first(name: &str) -> &str {
    name.split_once(' ').map_or(name, |(first, _)| first)
}

/// The options and operands of a wrapper.
#[derive(Default)]
struct Behind<'c> {
    /// How many words they are.
    taken: usize,
    /// The command line that one of the options holds.
    line: Option<Cow<'c, str>>,
    /// The short options.
    letters: String,
}

fn behind<'c>(row: &Row, words: &[Cow<'c, str>]) -> Behind<'c> {
    let mut found = Behind::default();
    let mut operands = row.2;
    while let Some(word) = words.get(found.taken) {
        let word = &**word;
        let value = if word == "--" {
            found.taken += 1;
            if operands == 0 {
                break;
            }
            continue;
        } else if let Some(long) = word.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            takes(row, name).map(|holds| (holds, value))
        } else if let Some(short) = word.strip_prefix(['-', '+']).filter(|_| row.0.is_empty() || word.starts_with('-'))
        {
            found.letters.push_str(short);
            short.char_indices().find_map(|(place, letter)| {
                let holds = takes(row, letter.encode_utf8(&mut [0; 4]))?;
                let glued = &short[place + letter.len_utf8()..];
                Some((holds, Some(glued).filter(|glued| !glued.is_empty())))
            })
        } else if operands > 0 {
            operands -= 1;
            None
        } else {
            break;
        };
        found.taken += 1;
        let Some((holds, glued)) = value else { continue };
        let value = match glued {
            Some(glued) => Some(Cow::Owned(glued.to_owned())),
            None => words.get(found.taken).cloned(),
        };
        found.taken += usize::from(glued.is_none());
        found.line = found.line.or(value.filter(|_| holds == Holds::Line));
    }
    found.taken = found.taken.min(words.len());
    found
}

/// What the value of an option is.
#[derive(PartialEq, Eq)]
enum Holds {
    Word,
    Line,
}

/// Whether an option takes a value.
fn takes(row: &Row, name: &str) -> Option<Holds> {
    row.1.split(' ').filter(|known| !known.is_empty()).find_map(|known| match known.strip_suffix('!') {
        Some(known) => (known == name).then_some(Holds::Line),
        None => (known == name).then_some(Holds::Word),
    })
}

/// The words of a line joined; of `trap 'make' EXIT` the first. What a variable holds is no line that could be read.
fn line_of<'c>(row: &Row, words: &[Cow<'c, str>]) -> Option<Cow<'c, str>> {
    let line = match words {
        [line] if row.0 != "trap" => line.clone(),
        [line, _, ..] if row.0 == "trap" => line.clone(),
        [] | [_] => return None,
        _ => Cow::Owned(words.join(" ")),
    };
    Some(line).filter(|line| row.3 == Rest::Line && !line.starts_with('$'))
}

/// `command -v rm` says where a program lies.
fn only_describes(words: &[Cow<'_, str>]) -> bool {
    words[0] == "command" && words[1].starts_with('-') && words[1].contains(['v', 'V'])
}

/// `A=1`, `A+=1`
fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrappers_are_in_order() {
        assert!(WRAPPERS.is_sorted_by(|left, right| left.0 < right.0));
    }
}
